/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-skip-ends.h"

#include <glib/gi18n-lib.h>

/* Minimum part of an episode that is played, whatever is skipped */
#define LEAST_LEFT (30 * G_USEC_PER_SEC)

/* Playback further than this before the position at which it should start has not reached
 * it. */
#define SAME_POSITION (3 * G_USEC_PER_SEC)

/* Skips the end of an episode as set for its podcast. The episode then ends as usual: it
 * counts as played, and the next one follows. The end is played if the listener seeks
 * into it, resumes in it, or is in it while changing the setting. A notice reports each
 * skipped beginning and end, as the listener may have forgotten the setting.
 * EarPlaybackController decides where an episode begins. */
struct _EarSkipEnds
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarNotices *notices;
  EarEpisode *episode; /* (nullable): the episode that the positions belong to */
  GSignalGroup *watch; /* watches the current podcast */
  guint return_id; /* source: returns to the beginning */

  gint64 start;  /* microseconds skipped at the beginning; 0: none, or reported */
  gint64 chosen; /* position chosen by the listener, in microseconds */
};

G_DEFINE_FINAL_TYPE (EarSkipEnds, ear_skip_ends, G_TYPE_OBJECT)

static gint64
get_setting (EarEpisode *episode, EarPodcastSetting setting)
{
  EarPodcast *podcast = episode != NULL ? ear_episode_get_podcast (episode) : NULL;

  return podcast != NULL ? ear_podcast_get_settings (podcast)->values[setting] * G_USEC_PER_SEC : 0;
}

/* @duration: microseconds; 0: unknown */
static gboolean
leaves_enough (gint64 start, gint64 duration)
{
  return duration <= 0 || duration - start >= LEAST_LEFT;
}

/* @duration: of the episode, in microseconds
 * Returns: the start of the skipped end; the duration if nothing is skipped */
gint64
ear_skip_ends_get_end (EarEpisode *episode, gint64 duration)
{
  const gint64 skipped = get_setting (episode, EAR_PODCAST_SETTING_SKIP_END);

  return duration - skipped - get_setting (episode, EAR_PODCAST_SETTING_SKIP_START) < LEAST_LEFT
             ? duration
             : duration - skipped;
}

/* Returns the position at which an unplayed episode starts, in microseconds. */
gint64
ear_skip_ends_get_start (EarEpisode *episode)
{
  const gint64 start = get_setting (episode, EAR_PODCAST_SETTING_SKIP_START);

  return leaves_enough (start, ear_episode_get_duration (episode)) ? start : 0;
}

/* Returns the start of the skipped end in microseconds; -1: nothing is skipped. Servers
 * that do not support seeking allow no skipping. */
static gint64
find_end (EarSkipEnds *self)
{
  const gint64 duration = ear_player_get_duration (self->player);
  const gint64 last = ear_skip_ends_get_end (ear_player_get_episode (self->player), duration);

  return duration > 0 && last < duration && self->chosen < last &&
                 ear_player_get_jumps_fast (self->player)
             ? last
             : -1;
}

/* Reports the skipped beginning, unless the server did not support starting there. */
static void
report_start (EarSkipEnds *self)
{
  const guint seconds = (guint) (self->start / G_USEC_PER_SEC);
  const gboolean skipped = ear_player_get_position (self->player) >= self->start - G_USEC_PER_SEC;
  g_autofree char *message = NULL;

  self->start = 0;
  if (seconds == 0 || !skipped)
    return;
  message = g_strdup_printf (
      ngettext ("The first %u second was skipped", "The first %u seconds were skipped", seconds),
      seconds);
  ear_notices_add (self->notices, message, FALSE);
}

/* Takes the current position as chosen by the listener. */
static void
set_chosen (EarSkipEnds *self)
{
  g_clear_handle_id (&self->return_id, g_source_remove);
  self->start = 0;
  self->chosen = ear_player_get_position (self->player);
}

/* Checks the episode first, as the player notifies simultaneous changes in no fixed
 * order. */
static void
update_episode (EarSkipEnds *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (!g_set_object (&self->episode, episode))
    return;
  set_chosen (self);
  g_signal_group_set_target (self->watch,
                             episode != NULL ? ear_episode_get_podcast (episode) : NULL);
}

static void
return_cb (gpointer user_data)
{
  EarSkipEnds *self = user_data;

  self->return_id = 0;
  /* The player may have found that there is nothing to play there. */
  if (ear_player_get_position (self->player) > SAME_POSITION)
    ear_player_seek_unasked (self->player, 0);
}

/* The duration may become known only when playback is about to start behind the skipped
 * beginning. If too little is left then, the player returns to the start, from an idle
 * source after all its signals. */
static void
check_start (EarSkipEnds *self)
{
  if (self->start == 0 || self->start != ear_player_get_position (self->player) ||
      leaves_enough (self->start, ear_player_get_duration (self->player)))
    return;
  self->start = 0;
  self->return_id = g_idle_add_once (return_cb, self);
}

static void
state_changed_cb (EarSkipEnds *self)
{
  update_episode (self);
  if (ear_player_get_state (self->player) == EAR_PLAYER_PLAYING)
    report_start (self);
}

static void
seeked_cb (EarSkipEnds *self)
{
  update_episode (self);
  set_chosen (self);
}

static void
duration_changed_cb (EarSkipEnds *self)
{
  update_episode (self);
  check_start (self);
}

static void
position_changed_cb (EarSkipEnds *self)
{
  const gint64 position = ear_player_get_position (self->player);
  const gint64 duration = ear_player_get_duration (self->player);
  g_autofree char *message = NULL;
  gint64 end;
  guint seconds;

  update_episode (self);
  if (ear_player_get_jumping (self->player))
    self->chosen = position;
  if (ear_player_get_jumping (self->player) ||
      ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;
  if (position < self->chosen - SAME_POSITION)
    self->chosen = position;
  end = find_end (self);
  if (end < 0 || position < end)
    return;
  seconds = (guint) ((duration - end) / G_USEC_PER_SEC);
  message = g_strdup_printf (
      ngettext ("The last %u second was skipped", "The last %u seconds were skipped", seconds),
      seconds);
  ear_notices_add (self->notices, message, FALSE);
  ear_player_seek_unasked (self->player, duration);
}

/* A listener who changes the setting while in the skipped part continues to hear it. */
static void
settings_changed_cb (EarSkipEnds *self)
{
  self->chosen = MAX (self->chosen, ear_player_get_position (self->player));
}

static void
ear_skip_ends_dispose (GObject *object)
{
  EarSkipEnds *self = EAR_SKIP_ENDS (object);

  g_clear_handle_id (&self->return_id, g_source_remove);
  g_clear_object (&self->watch);
  g_clear_object (&self->episode);
  g_clear_object (&self->notices);
  g_clear_object (&self->player);

  G_OBJECT_CLASS (ear_skip_ends_parent_class)->dispose (object);
}

static void
ear_skip_ends_class_init (EarSkipEndsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_skip_ends_dispose;
}

static void
ear_skip_ends_init (EarSkipEnds *self)
{
  self->watch = g_signal_group_new (EAR_TYPE_PODCAST);
  /* The beginning affects the end, too: a minimum part of the episode is played. */
  g_signal_group_connect_swapped (self->watch, "notify::skip-start",
                                  G_CALLBACK (settings_changed_cb), self);
  g_signal_group_connect_swapped (self->watch, "notify::skip-end", G_CALLBACK (settings_changed_cb),
                                  self);
}

EarSkipEnds *
ear_skip_ends_new (EarPlayer *player, EarNotices *notices)
{
  EarSkipEnds *self = g_object_new (EAR_TYPE_SKIP_ENDS, NULL);

  self->player = g_object_ref (player);
  self->notices = g_object_ref (notices);
  g_object_connect (player,
                    "swapped-object-signal::notify::episode", update_episode, self,
                    "swapped-object-signal::notify::state", state_changed_cb, self,
                    "swapped-object-signal::notify::duration", duration_changed_cb, self,
                    "swapped-object-signal::notify::position", position_changed_cb, self,
                    "swapped-object-signal::seeked", seeked_cb, self, NULL);
  update_episode (self);

  return self;
}

/* Takes the current position as the start after the skipped beginning, which is reported
 * when playback starts. */
void
ear_skip_ends_set_started (EarSkipEnds *self)
{
  update_episode (self);
  self->start = ear_player_get_position (self->player);
  check_start (self);
}
