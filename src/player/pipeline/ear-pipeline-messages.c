/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-pipeline-internal.h"

#include "ear-error.h"
#include "ear-output.h"
#include "ear-playbin.h"
#include "ear-player-error.h"
#include "ear-speech-filter.h"
#include "ear-tags.h"

/* Percent; smaller changes of the buffer's level are not reported. */
#define BUFFERING_STEP 5

static void
fail (EarPipeline *self, EarError code, const char *message)
{
  ear_pipeline_fail (self, g_error_new_literal (EAR_ERROR, code, message));
}

static void
connected_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPipeline) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocketConnection) connection = g_socket_client_connect_to_uri_finish (G_SOCKET_CLIENT (object), result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (connection == NULL)
    ear_pipeline_fail (self, ear_player_error_from_connecting (error));
  else if (self->source->answered)
    fail (self, EAR_ERROR_INCOMPLETE, "The server ended the connection");
  else
    fail (self, EAR_ERROR_UNREACHABLE, "The server drops the connection");
}

/* Connects to the server and disconnects: GStreamer's source does not report why a
 * connection failed, but GIO does. */
static void
try_to_connect (EarPipeline *self)
{
  const char *uri = self->source->uri;
  gboolean tls = g_ascii_strncasecmp (uri, "https:", 6) == 0;
  g_autoptr (GSocketClient) client = g_socket_client_new ();

  g_socket_client_set_timeout (client, self->source->timeout);
  g_socket_client_set_tls (client, tls);
  g_socket_client_connect_to_uri_async (client, uri, tls ? 443 : 80, self->cancellable, connected_cb, g_object_ref (self));
}

/* Converts an error for the listener; may connect to the server to learn the reason. */
static void
diagnose (EarPipeline *self, GstMessage *message)
{
  GError *error = ear_player_error_from_message (message, self->source);
  gint64 patience = self->source->timeout * G_USEC_PER_SEC - G_USEC_PER_SEC / 2;

  if (error != NULL)
    ear_pipeline_fail (self, error);
  else if (self->source->local)
    fail (self, EAR_ERROR_DAMAGED, "The file cannot be read");
  else if (!self->source->answered && g_get_monotonic_time () - self->source->asked >= patience)
    fail (self, EAR_ERROR_TIMED_OUT, "The server does not answer");
  else
    try_to_connect (self);
}

static EarError
find_refusal_code (EarSource *source)
{
  switch (ear_source_get_content (source))
    {
    case EAR_MEDIA_CONTENT_PAGE:
      return EAR_ERROR_WEB_PAGE;
    case EAR_MEDIA_CONTENT_STREAM:
      return EAR_ERROR_CODEC;
    case EAR_MEDIA_CONTENT_PICTURE:
    case EAR_MEDIA_CONTENT_DOCUMENT:
    case EAR_MEDIA_CONTENT_PLAYLIST:
      return EAR_ERROR_NOT_A_FEED;
    case EAR_MEDIA_CONTENT_UNKNOWN:
    default:
      return EAR_ERROR_INCOMPLETE;
    }
}

/* The response is not media, or belongs to another file or another range. */
static void
take_refusal (EarPipeline *self)
{
  ear_pipeline_close_playbin (self, TRUE);
  if (ear_source_ask_anew (self->source))
    {
      self->events->again (self->user_data);
      ear_pipeline_open (self);
    }
  else
    {
      fail (self, find_refusal_code (self->source), "The server sends something else");
    }
}

static void
take_error (EarPipeline *self, GstMessage *message)
{
  gboolean by_picture = self->picture != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR &&
                        ear_picture_is_to_blame (self->picture, message);

  ear_pipeline_close_playbin (self, TRUE);

  if (by_picture)
    {
      /* Play only the sound. */
      g_clear_object (&self->output);
      self->events->picture (FALSE, self->user_data);
      self->events->again (self->user_data);
      ear_pipeline_open (self);
    }
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR &&
      ear_source_find_other_way (self->source, message))
    {
      self->events->again (self->user_data);
      ear_pipeline_open (self);
    }
  else
    {
      diagnose (self, message);
    }
}

/* Reads the current level. The level in a message may be old, and a thread may have
 * started playback since.
 * Returns: whether it changed */
static gboolean
look_at_buffering (EarPipeline *self)
{
  const int percent = ear_playbin_get_buffering (self->playbin);
  const gboolean waiting = percent < 100;

  /* Buffering messages come a hundred times a second. */
  if (waiting == (self->buffering < 100) && ABS (percent - self->buffering) < BUFFERING_STEP)
    return FALSE;

  self->buffering = percent;
  self->events->buffering (percent, self->user_data);

  return TRUE;
}

/* Opening or a seek is done when the stream has started at the new position and no state
 * change is in progress: older changes, and seeks that a newer one overtook, report as
 * well. If sound may start at once, the pipeline may already be on its way to PLAYING
 * when the first sound arrives. */
static void
settle (EarPipeline *self)
{
  if (self->opened && !self->seeking)
    return;
  if (ear_tempo_get_beginnings (self->tempo) == self->beginnings ||
      gst_element_get_state (self->playbin, NULL, NULL, 0) == GST_STATE_CHANGE_ASYNC)
    return;
  /* The stream ended before the position to read on to. */
  if (self->start > 0 && !GST_CLOCK_TIME_IS_VALID (ear_tempo_get_landed (self->tempo)))
    {
      self->ended = TRUE;
      self->events->ended (self->user_data);
      return;
    }

  self->opened = TRUE;
  self->seeking = FALSE;
  ear_pipeline_set_at_once (self, FALSE);
  look_at_buffering (self);
  self->events->ready (self->user_data);
  ear_pipeline_apply_state (self);
}

/* Before it is open, the pipeline must not play, and a thread that starts it must
 * not be stopped. */
static void
take_buffering (EarPipeline *self)
{
  if (look_at_buffering (self) && self->opened)
    ear_pipeline_apply_state (self);
}

static void
take_state (EarPipeline *self, GstMessage *message)
{
  GstState state, pending;

  if (GST_MESSAGE_SRC (message) != GST_OBJECT (self->playbin))
    return;

  gst_message_parse_state_changed (message, NULL, &state, &pending);
  if (!self->opened)
    settle (self);
  if (self->playbin != NULL && state == GST_STATE_PLAYING && pending == GST_STATE_VOID_PENDING && self->playing &&
      !self->seeking && self->buffering == 100)
    ear_pipeline_set_sounding (self, TRUE);
}

/* Without a decoder for the picture, the sound plays alone. Without one for the sound, no
 * other message reports it if there is a picture. */
static void
take_missing_plugin (EarPipeline *self, GstMessage *message)
{
  const GstStructure *structure = gst_message_get_structure (message);
  const GValue *detail = gst_structure_get_value (structure, "detail");

  if (self->picture == NULL || g_strcmp0 (gst_structure_get_string (structure, "type"), "decoder") != 0 ||
      detail == NULL || !GST_VALUE_HOLDS_CAPS (detail))
    return;
  if (g_str_has_prefix (gst_structure_get_name (gst_caps_get_structure (gst_value_get_caps (detail), 0)), "audio/"))
    fail (self, EAR_ERROR_CODEC, "There is no decoder for the sound");
}

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPipeline) self = user_data;

  if (ear_output_is_gone_finish (result) && !g_cancellable_is_cancelled (self->cancellable))
    self->events->unplugged (self->user_data);
}

/* Handles element and application messages. */
static void
take_special (EarPipeline *self, GstMessage *message)
{
  gboolean present = FALSE;

  if (gst_message_has_name (message, "volume-changed"))
    self->events->volume (self->user_data);
  else if (ear_speech_filter_parse_cut (message) > 0)
    self->events->cut (ear_speech_filter_parse_cut (message), self->user_data);
  else if (gst_message_has_name (message, "elsewhere"))
    fail (self, EAR_ERROR_UNSAFE_ADDRESS, "The media refers to another address");
  else if (gst_message_has_name (message, "refused"))
    take_refusal (self);
  else if (gst_message_has_name (message, "output-moved"))
    ear_output_is_gone_async (message, self->cancellable, looked_cb, g_object_ref (self));
  else if (gst_message_has_name (message, "missing-plugin"))
    take_missing_plugin (self, message);
  else if (gst_message_has_name (message, "picture"))
    {
      gst_structure_get_boolean (gst_message_get_structure (message), "present", &present);
      self->events->picture (present, self->user_data);
    }
  else
    ear_source_take_message (self->source, message);
}

static void
take_tags (EarPipeline *self, GstMessage *message)
{
  g_autoptr (GstTagList) list = NULL;
  g_autoptr (GPtrArray) tags = NULL;

  gst_message_parse_tag (message, &list);
  tags = ear_tags_collect (list);
  if (tags->len > 0)
    self->events->tags (tags, self->user_data);
}

static void
take_message (EarPipeline *self, GstMessage *message)
{
  GError *error;

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
      take_buffering (self);
      break;
    case GST_MESSAGE_STREAM_COLLECTION:
      error = ear_player_error_from_streams (message, self->source);
      if (error != NULL)
        ear_pipeline_fail (self, error);
      break;
    case GST_MESSAGE_TAG:
      take_tags (self, message);
      break;
    case GST_MESSAGE_DURATION_CHANGED:
      self->events->changed (self->user_data);
      break;
    case GST_MESSAGE_CLOCK_LOST:
      ear_playbin_set_playing (self->playbin, FALSE);
      ear_pipeline_apply_state (self);
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (self->playbin));
      break;
    case GST_MESSAGE_ELEMENT:
    case GST_MESSAGE_APPLICATION:
      take_special (self, message);
      break;
    default:
      break;
    }
}

/* Converts messages to events, on the main thread. */
gboolean
ear_pipeline_message_cb (GstBus *bus, GstMessage *message, gpointer user_data)
{
  g_autoptr (EarPipeline) self = g_object_ref (EAR_PIPELINE (user_data));

  if (self->playbin != NULL)
    take_message (self, message);

  return self->playbin != NULL ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}
