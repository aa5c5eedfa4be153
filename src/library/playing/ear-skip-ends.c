/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-skip-ends.h"

#include <glib/gi18n-lib.h>

/* So much of an episode is always played, whatever is skipped. */
#define LEAST_LEFT (30 * G_USEC_PER_SEC)

/* An end that is not where it was expected, as the speed has changed, is looked for again soon: milliseconds. */
#define SOON_MS 50

/**
 * EarSkipEnds:
 *
 * Ends an episode so much before its end as the listener wants for its podcast. It ends as if it were heard out: it counts
 * as played, and the next one follows. Who goes to that part himself hears it. That something was left out is told, there
 * and at the beginning: nobody is to wonder where it is, who has set it long ago.
 */
struct _EarSkipEnds
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarNotices *notices;
  GSignalGroup *watch; /* of the podcast that plays */
  guint timer;

  gint64 start;    /* what was left out before what is to play now, microseconds; 0: nothing, or it was told */
  gboolean beyond; /* the listener went there himself, or it was ended */
};

G_DEFINE_FINAL_TYPE (EarSkipEnds, ear_skip_ends, G_TYPE_OBJECT)

static gint64
get_setting (EarEpisode *episode, EarPodcastSetting setting)
{
  EarPodcast *podcast = episode != NULL ? ear_episode_get_podcast (episode) : NULL;

  return podcast != NULL ? ear_podcast_get_settings (podcast)->values[setting] * G_USEC_PER_SEC : 0;
}

/* @duration: of the episode, microseconds
 * Returns: where the part begins that is not played; the duration where there is none */
gint64
ear_skip_ends_get_end (EarEpisode *episode, gint64 duration)
{
  const gint64 skipped = get_setting (episode, EAR_PODCAST_SETTING_SKIP_END);

  return duration - skipped - get_setting (episode, EAR_PODCAST_SETTING_SKIP_START) < LEAST_LEFT ? duration : duration - skipped;
}

/* Where an episode begins for who has not heard any of it: microseconds.
 * @episode: an episode of a podcast */
gint64
ear_skip_ends_get_start (EarEpisode *episode)
{
  const gint64 start = get_setting (episode, EAR_PODCAST_SETTING_SKIP_START);
  const gint64 duration = ear_episode_get_duration (episode);

  return duration > 0 && duration - start < LEAST_LEFT ? 0 : start;
}

/* Where the part begins that is not played, microseconds; -1: there is none. */
static gint64
find_end (EarSkipEnds *self)
{
  const gint64 duration = ear_player_get_duration (self->player);
  const gint64 last = ear_skip_ends_get_end (ear_player_get_episode (self->player), duration);

  return duration > 0 && last < duration ? last : -1;
}

static void
tell_start (EarSkipEnds *self)
{
  const guint seconds = (guint) (self->start / G_USEC_PER_SEC);
  g_autofree char *message = NULL;

  if (seconds == 0)
    return;
  self->start = 0;
  message = g_strdup_printf (ngettext ("The first %u second was skipped", "The first %u seconds were skipped", seconds), seconds);
  ear_notices_add (self->notices, message, FALSE);
}

static void
tell_end (EarSkipEnds *self, gint64 end)
{
  const guint seconds = (guint) ((ear_player_get_duration (self->player) - end) / G_USEC_PER_SEC);
  g_autofree char *message = NULL;

  message = g_strdup_printf (ngettext ("The last %u second was skipped", "The last %u seconds were skipped", seconds), seconds);
  ear_notices_add (self->notices, message, FALSE);
}

static void wait_for_end (EarSkipEnds *self);

static gboolean
timer_cb (gpointer user_data)
{
  EarSkipEnds *self = user_data;

  self->timer = 0;
  wait_for_end (self);

  return G_SOURCE_REMOVE;
}

/* Nothing is looked at in between: the time that it takes is known. */
static void
wait_for_end (EarSkipEnds *self)
{
  const gint64 end = find_end (self);
  const gint64 left = end - ear_player_get_position (self->player);

  g_clear_handle_id (&self->timer, g_source_remove);
  if (left > 0)
    self->beyond = FALSE;
  if (end < 0 || self->beyond || ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;

  if (left <= 0)
    {
      self->beyond = TRUE;
      tell_end (self, end);
      ear_player_seek (self->player, ear_player_get_duration (self->player));
      return;
    }
  self->timer = g_timeout_add ((guint) (left / 1000 / ear_player_get_rate (self->player)) + SOON_MS, timer_cb, self);
}

static void
state_changed_cb (EarSkipEnds *self)
{
  if (ear_player_get_state (self->player) == EAR_PLAYER_PLAYING)
    tell_start (self);
  wait_for_end (self);
}

static void
seeked_cb (EarSkipEnds *self)
{
  const gint64 end = find_end (self);

  self->beyond = end >= 0 && ear_player_get_position (self->player) >= end;
  wait_for_end (self);
}

static void
episode_changed_cb (EarSkipEnds *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  self->beyond = FALSE;
  self->start = episode != NULL ? ear_skip_ends_get_start (episode) : 0;
  if (self->start != ear_player_get_position (self->player))
    self->start = 0;
  g_signal_group_set_target (self->watch, episode != NULL ? ear_episode_get_podcast (episode) : NULL);
  wait_for_end (self);
}

static void
ear_skip_ends_dispose (GObject *object)
{
  EarSkipEnds *self = EAR_SKIP_ENDS (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->watch);
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
  g_signal_group_connect_swapped (self->watch, "notify::skip-end", G_CALLBACK (wait_for_end), self);
}

EarSkipEnds *
ear_skip_ends_new (EarPlayer *player, EarNotices *notices)
{
  static const char *const signals[] = { "notify::rate", "notify::duration" };
  EarSkipEnds *self = g_object_new (EAR_TYPE_SKIP_ENDS, NULL);

  self->player = g_object_ref (player);
  self->notices = g_object_ref (notices);
  g_signal_connect_object (player, "notify::state", G_CALLBACK (state_changed_cb), self, G_CONNECT_SWAPPED);
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (player, signals[i], G_CALLBACK (wait_for_end), self, G_CONNECT_SWAPPED);
  /* What was left out is nearer to the end, too. */
  g_signal_connect_object (player, "notify::time-saved", G_CALLBACK (wait_for_end), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::episode", G_CALLBACK (episode_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "seeked", G_CALLBACK (seeked_cb), self, G_CONNECT_SWAPPED);
  episode_changed_cb (self);

  return self;
}
