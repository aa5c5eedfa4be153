/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-internal.h"

#include "ear-error.h"
#include "ear-time.h"

/* Keeps playback going after a lost connection, an outage of the network or a
 * suspension of the computer, and when a download completes: the media is opened again
 * at the same position. */

/* A lost connection is retried once after BROKEN_DELAY milliseconds, if it brought at
 * least BROKEN_MARGIN microseconds of sound. */
#define BROKEN_DELAY 1000
#define BROKEN_MARGIN (10 * G_USEC_PER_SEC)

/* Retry less and less often without a network, because not every system reports when
 * it is back. */
static const guint delays[] = { 1, 2, 4, 8, 15 }; /* seconds */

/* No listener waits longer, and later sound would startle them. */
#define WAIT_LIMIT (10 * 60 * G_USEC_PER_SEC)

/* After a suspension this long, connections are lost, and the network may take
 * AFTER_SUSPENSION to return. */
#define SUSPENSION (5 * G_USEC_PER_SEC)
#define AFTER_SUSPENSION (60 * G_USEC_PER_SEC)

static gboolean
reopen_cb (gpointer user_data)
{
  EarPlayer *self = user_data;

  self->retry = 0;
  ear_player_open_media (self);

  return G_SOURCE_REMOVE;
}

/* Closes the pipeline and keeps the position. */
static void
let_go (EarPlayer *self)
{
  ear_player_close_media (self);
  self->broken = self->position;
  if (self->target < 0 && self->position > 0)
    self->target = self->position;
}

static gboolean
is_about_connection (const GError *error)
{
  return error->code == EAR_ERROR_INCOMPLETE || error->code == EAR_ERROR_UNREACHABLE || error->code == EAR_ERROR_OFFLINE ||
         error->code == EAR_ERROR_TIMED_OUT;
}

/* Whether the connection broke in the middle, and not again at the same place. */
static gboolean
is_broken (EarPlayer *self)
{
  const gint64 position = ear_player_get_position (self);

  return ear_pipeline_get_opened (self->pipeline) &&
         (self->broken < 0 || ABS (position - self->broken) >= BROKEN_MARGIN);
}

/* Before the first sound, a missing network is an error at once. */
static gboolean
is_cut_off (EarPlayer *self, const GError *error)
{
  const gint64 now = ear_clock_get_boot_time ();

  if (!self->heard || (self->waiting_since > 0 && now - self->waiting_since >= WAIT_LIMIT))
    return FALSE;

  return error->code == EAR_ERROR_OFFLINE || !g_network_monitor_get_network_available (self->network) ||
         (self->woke > 0 && now - self->woke < AFTER_SUSPENSION);
}

static void
network_changed_cb (EarPlayer *self, gboolean available)
{
  if (!available || !self->waiting || self->pipeline != NULL)
    return;
  self->n_waits = 0;
  g_clear_handle_id (&self->retry, g_source_remove);
  ear_player_open_media (self);
}

static void
wait_for_network (EarPlayer *self)
{
  if (self->waiting_since == 0)
    self->waiting_since = ear_clock_get_boot_time ();
  let_go (self);
  self->retry = g_timeout_add_seconds (delays[MIN (self->n_waits, G_N_ELEMENTS (delays) - 1)], reopen_cb, self);
  self->n_waits++;
  ear_player_update_state (self);
  ear_property_set_boolean (self, "waiting", TRUE);
}

/* @network: the monitor to use */
void
ear_player_set_network (EarPlayer *self, GNetworkMonitor *network)
{
  if (self->network != NULL)
    g_signal_handlers_disconnect_by_data (self->network, self);
  g_set_object (&self->network, network);
  g_signal_connect_object (network, "network-changed", G_CALLBACK (network_changed_cb), self, G_CONNECT_SWAPPED);
}

/* Continues after a connection error if possible.
 * Returns: whether it does */
gboolean
ear_player_survive (EarPlayer *self, const GError *error)
{
  if (!self->playing || !is_about_connection (error))
    return FALSE;

  if (is_cut_off (self, error))
    wait_for_network (self);
  else if (is_broken (self))
    {
      let_go (self);
      self->retry = g_timeout_add (BROKEN_DELAY, reopen_cb, self);
      ear_player_update_state (self);
    }
  else
    return FALSE;

  return TRUE;
}

/* Emits `refused` and stays at the position if a handler looks for another address:
 * signed addresses expire.
 * Returns: whether the player waits */
gboolean
ear_player_await_address (EarPlayer *self, const GError *error)
{
  gboolean awaited = FALSE;

  if (!self->playing || self->local)
    return FALSE;

  let_go (self);
  self->broken = -1;
  self->refusal = g_error_copy (error);
  g_signal_emit_by_name (self, "refused", error, self->uri, &awaited);
  if (!awaited)
    g_clear_error (&self->refusal);
  ear_player_update_state (self);

  return awaited;
}

/* Ends the wait for the network: there is sound again, or playback was stopped. */
void
ear_player_end_waiting (EarPlayer *self)
{
  self->waiting_since = 0;
  self->n_waits = 0;
  ear_property_set_boolean (self, "waiting", FALSE);
}

/* Opens the media again if the computer was suspended since the last check: servers have
 * closed the connection by now. */
void
ear_player_look_for_suspension (EarPlayer *self)
{
  const gint64 suspended = ear_clock_get_boot_time () - g_get_monotonic_time ();
  const gint64 length = suspended - self->suspended;

  self->suspended = suspended;
  if (length < SUSPENSION || self->local || self->pipeline == NULL || !ear_pipeline_get_opened (self->pipeline))
    return;
  g_debug ("suspended for %" G_GINT64_FORMAT " s", length / G_USEC_PER_SEC);
  self->woke = ear_clock_get_boot_time ();
  let_go (self);
  self->broken = -1;
  ear_player_open_media (self);
  ear_player_update_state (self);
}

/* Switches to the downloaded file when the listener cannot notice: during a seek, while
 * waiting for the network, or when paused. A paused picture stays, and the switch follows
 * when playback starts.
 * Returns: whether the media was closed to be opened from the file */
gboolean
ear_player_move_over (EarPlayer *self)
{
  if (!self->moved || (self->playing && self->sounding && self->target < 0) || (!self->playing && self->video && self->target < 0))
    return FALSE;

  g_debug ("from now on it plays from a file");
  let_go (self);
  self->broken = -1;
  if (self->playing)
    ear_player_open_media (self);

  return TRUE;
}
