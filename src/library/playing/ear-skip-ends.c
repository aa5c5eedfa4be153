/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-skip-ends.h"

#include <glib/gi18n-lib.h>

/* So much of an episode is always played, whatever is skipped. */
#define LEAST_LEFT (30 * G_USEC_PER_SEC)

/* An end that is not where it was expected, as the speed has changed, is looked for again soon: milliseconds. */
#define SOON_MS 50

/* What plays further than this before the place that it was to begin at has not got there. */
#define SAME_PLACE (3 * G_USEC_PER_SEC)

/**
 * EarSkipEnds:
 *
 * Ends an episode so much before its end as the listener wants for its podcast. It ends as if it were heard out: it counts
 * as played, and the next one follows. Who goes to that part himself hears it, and so does who has left it there some other time,
 * or is in it when he sets how long it is. That something was left out is told, there and at the beginning: nobody is to wonder where
 * it is, who has set it long ago. Where an episode begins EarPlayControl decides.
 */
struct _EarSkipEnds
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarNotices *notices;
  EarEpisode *episode; /* (nullable): the one in the player, whose places these are */
  GSignalGroup *watch; /* of the podcast that plays */
  guint timer;
  guint return_id; /* source: goes back to the beginning */

  gint64 start;  /* what was left out before what is to play now, microseconds; 0: nothing, or it was told */
  gint64 chosen; /* where the listener wanted it to play from, microseconds: who has gone behind an end that is left out hears that */
};

G_DEFINE_FINAL_TYPE (EarSkipEnds, ear_skip_ends, G_TYPE_OBJECT)

static gint64
get_setting (EarEpisode *episode, EarPodcastSetting setting)
{
  EarPodcast *podcast = episode != NULL ? ear_episode_get_podcast (episode) : NULL;

  return podcast != NULL ? ear_podcast_get_settings (podcast)->values[setting] * G_USEC_PER_SEC : 0;
}

/* @duration: microseconds; 0: nobody knows */
static gboolean
leaves_enough (gint64 start, gint64 duration)
{
  return duration <= 0 || duration - start >= LEAST_LEFT;
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

  return leaves_enough (start, ear_episode_get_duration (episode)) ? start : 0;
}

/* Where the part begins that is not played, microseconds; -1: all is. Where a server lets nobody jump, nothing can be left out. */
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

/* Not every server lets anybody begin anywhere but at the beginning. */
static void
tell_start (EarSkipEnds *self)
{
  const guint seconds = (guint) (self->start / G_USEC_PER_SEC);
  const gboolean skipped = ear_player_get_position (self->player) >= self->start - G_USEC_PER_SEC;
  g_autofree char *message = NULL;

  self->start = 0;
  if (seconds == 0 || !skipped)
    return;
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
  const gint64 position = ear_player_get_position (self->player);
  gint64 end, left;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;
  if (position < self->chosen - SAME_PLACE)
    self->chosen = position;
  end = find_end (self);
  if (end < 0)
    return;

  left = end - position;
  if (left <= 0)
    {
      self->chosen = ear_player_get_duration (self->player);
      tell_end (self, end);
      ear_player_seek_unasked (self->player, ear_player_get_duration (self->player));
      return;
    }
  self->timer = g_timeout_add ((guint) (left / 1000 / ear_player_get_rate (self->player)) + SOON_MS, timer_cb, self);
}

/* The listener wants it to play from where it is now. */
static void
take_place (EarSkipEnds *self)
{
  g_clear_handle_id (&self->return_id, g_source_remove);
  self->start = 0;
  self->chosen = ear_player_get_position (self->player);
}

/* What the player changes at one stroke it tells in no order. */
static void
take_episode (EarSkipEnds *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (!g_set_object (&self->episode, episode))
    return;
  take_place (self);
  g_signal_group_set_target (self->watch, episode != NULL ? ear_episode_get_podcast (episode) : NULL);
}

static void
return_cb (gpointer user_data)
{
  EarSkipEnds *self = user_data;

  self->return_id = 0;
  /* It may have found by itself that there is nothing to be heard there. */
  if (ear_player_get_position (self->player) > SAME_PLACE)
    ear_player_seek_unasked (self->player, 0);
}

/* How long an episode is may be known only once it is about to play. The player is on its way by then, and is sent back when it has
 * said all that it has to say. */
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
  take_episode (self);
  if (ear_player_get_state (self->player) == EAR_PLAYER_PLAYING)
    tell_start (self);
  wait_for_end (self);
}

static void
seeked_cb (EarSkipEnds *self)
{
  take_episode (self);
  take_place (self);
  wait_for_end (self);
}

static void
duration_changed_cb (EarSkipEnds *self)
{
  take_episode (self);
  check_start (self);
  wait_for_end (self);
}

/* Who is in what is to be skipped from now on is listening to it. */
static void
settings_changed_cb (EarSkipEnds *self)
{
  self->chosen = MAX (self->chosen, ear_player_get_position (self->player));
  wait_for_end (self);
}

static void
place_changed_cb (EarSkipEnds *self)
{
  take_episode (self);
  wait_for_end (self);
}

static void
ear_skip_ends_dispose (GObject *object)
{
  EarSkipEnds *self = EAR_SKIP_ENDS (object);

  g_clear_handle_id (&self->timer, g_source_remove);
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
  /* The one counts for the other, too: something of the episode is left. */
  g_signal_group_connect_swapped (self->watch, "notify::skip-start", G_CALLBACK (settings_changed_cb), self);
  g_signal_group_connect_swapped (self->watch, "notify::skip-end", G_CALLBACK (settings_changed_cb), self);
}

EarSkipEnds *
ear_skip_ends_new (EarPlayer *player, EarNotices *notices)
{
  /* What was left out is nearer to the end, too. */
  static const char *const paces[] = { "notify::rate", "notify::time-saved", "notify::episode" };
  EarSkipEnds *self = g_object_new (EAR_TYPE_SKIP_ENDS, NULL);

  self->player = g_object_ref (player);
  self->notices = g_object_ref (notices);
  for (gsize i = 0; i < G_N_ELEMENTS (paces); i++)
    g_signal_connect_object (player, paces[i], G_CALLBACK (place_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::state", G_CALLBACK (state_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::duration", G_CALLBACK (duration_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "seeked", G_CALLBACK (seeked_cb), self, G_CONNECT_SWAPPED);
  take_episode (self);

  return self;
}

/* What is in the player is to begin where it is now: all before that is left out as the listener wants it for its podcast, who is told
 * so when it plays. */
void
ear_skip_ends_note_start (EarSkipEnds *self)
{
  g_return_if_fail (EAR_IS_SKIP_ENDS (self));

  take_episode (self);
  self->start = ear_player_get_position (self->player);
  check_start (self);
}

/* Returns: where what is in the player ends for this listener, microseconds; 0 where nobody knows its length */
gint64
ear_skip_ends_find_last (EarSkipEnds *self)
{
  gint64 end;

  g_return_val_if_fail (EAR_IS_SKIP_ENDS (self), 0);

  take_episode (self);
  end = find_end (self);

  return end >= 0 ? end : MAX (ear_player_get_duration (self->player), 0);
}
