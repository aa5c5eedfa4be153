/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-pipeline-internal.h"

#include "ear-diagnosis.h"
#include "ear-error.h"
#include "ear-player-error.h"

/* Smaller changes of the buffer's level are not worth telling: percent. */
#define BUFFERING_STEP 5

static void
diagnosed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPipeline) self = user_data;
  GError *error = ear_diagnosis_run_finish (result);

  if (error != NULL)
    ear_pipeline_fail (self, error);
}

static void
take_error (EarPipeline *self, GstMessage *message)
{
  ear_pipeline_close_playbin (self, TRUE);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR &&
      ear_source_find_other_way (self->source, message, self->seeking))
    {
      self->events->again (self->user_data);
      ear_pipeline_open (self);
    }
  else
    {
      ear_diagnosis_run_async (self->source, message, self->cancellable, diagnosed_cb, g_object_ref (self));
    }
}

/* Opening or a seek is done when the stream has begun at the new place and nothing is
 * under way any more: older changes, and seeks that a newer one overtook, report too. */
static void
settle (EarPipeline *self)
{
  if (self->opened && !self->seeking)
    return;
  if (ear_tempo_get_beginnings (self->tempo) == self->beginnings ||
      gst_element_get_state (self->playbin, NULL, NULL, 0) == GST_STATE_CHANGE_ASYNC)
    return;

  self->opened = TRUE;
  self->seeking = FALSE;
  self->events->ready (self->user_data);
  ear_pipeline_apply_state (self);
}

static void
take_buffering (EarPipeline *self, int percent)
{
  gboolean waiting = percent < 100;

  /* It comes a hundred times a second. */
  if (waiting == (self->buffering < 100) && ABS (percent - self->buffering) < BUFFERING_STEP)
    return;

  self->buffering = percent;
  self->events->buffering (percent, self->user_data);
  ear_pipeline_apply_state (self);
}

static void
take_state (EarPipeline *self, GstMessage *message)
{
  GstState state, pending;

  if (GST_MESSAGE_SRC (message) != GST_OBJECT (self->playbin))
    return;

  gst_message_parse_state_changed (message, NULL, &state, &pending);
  if (state == GST_STATE_PLAYING && pending == GST_STATE_VOID_PENDING && self->playing && !self->seeking &&
      self->buffering == 100)
    ear_pipeline_set_sounding (self, TRUE);
}

static void
take_message (EarPipeline *self, GstMessage *message)
{
  GError *error;
  int percent;

  switch ((guint) GST_MESSAGE_TYPE (message))
    {
    case GST_MESSAGE_ERROR:
      take_error (self, message);
      break;
    case GST_MESSAGE_WARNING:
      if (ear_player_error_is_missing_output (message))
        take_error (self, message);
      break;
    case GST_MESSAGE_EOS:
      if (self->seeking)
        break;
      self->ended = TRUE;
      self->events->ended (self->user_data);
      break;
    case GST_MESSAGE_ASYNC_DONE:
      settle (self);
      break;
    case GST_MESSAGE_STATE_CHANGED:
      take_state (self, message);
      break;
    case GST_MESSAGE_BUFFERING:
      gst_message_parse_buffering (message, &percent);
      take_buffering (self, percent);
      break;
    case GST_MESSAGE_STREAM_COLLECTION:
      error = ear_player_error_from_streams (message, self->source);
      if (error != NULL)
        ear_pipeline_fail (self, error);
      break;
    case GST_MESSAGE_DURATION_CHANGED:
      self->events->changed (self->user_data);
      break;
    case GST_MESSAGE_CLOCK_LOST:
      gst_element_set_state (self->playbin, GST_STATE_PAUSED);
      ear_pipeline_apply_state (self);
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (self->playbin));
      break;
    case GST_MESSAGE_ELEMENT:
    case GST_MESSAGE_APPLICATION:
      if (gst_message_has_name (message, "volume-changed"))
        self->events->volume (self->user_data);
      else if (gst_message_has_name (message, "elsewhere"))
        ear_pipeline_fail (self, g_error_new_literal (EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "The media refers to another address"));
      else
        ear_source_take_message (self->source, message);
      break;
    default:
      break;
    }
}

/* Turns messages into signals, on the main thread. */
gboolean
ear_pipeline_message_cb (GstBus *bus, GstMessage *message, gpointer user_data)
{
  g_autoptr (EarPipeline) self = g_object_ref (EAR_PIPELINE (user_data));

  if (self->playbin != NULL)
    take_message (self, message);

  return self->playbin != NULL ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}
