/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sleep-timer.h"

#include "ear-property.h"
#include "ear-time.h"

/* Time before the end during which the volume fades; at most a third of the whole time */
#define FADE (30 * G_TIME_SPAN_SECOND)

/* At the end of a chapter, the volume fades during the next one, so that the chapter is
 * heard in full. */
#define CHAPTER_FADE (8 * G_TIME_SPAN_SECOND)

/* A position this close to the end is no position to resume. The target of a seek is known
 * with the same tolerance. */
#define LAST_MOMENT G_TIME_SPAN_SECOND

/* Added by the keyboard shortcut */
#define EXTENSION 15 /* minutes */

/* In the last minute, the remaining time is notified each second, before that each
 * minute. */
#define MINUTE 60

/* Pauses playback for sleep: after some minutes, or at the end of the episode or chapter.
 * After minutes and after a chapter, the volume fades, and the position returns to the
 * start of the fade, as the listener remembers nothing later. If the episode ends during
 * the fade, nothing follows and the position returns at once, so that a new episode does
 * not wake the listener.
 * The minutes pass even while nothing plays and while the computer is suspended: after a
 * pause in the evening, no timer should be left in the morning. */
struct _EarSleepTimer
{
  EAR_PART_MEMBERS;

  /* Owned */
  char *choice; /* number of minutes, or one of EAR_SLEEP_* */
  guint tick; /* source: the minutes pass while paused, too */

  guint remaining;   /* seconds as last notified; 0 without a time limit */
  gint64 until;      /* end by ear_clock_get_boot_time(); 0: no time limit */
  gint64 fade;       /* length of the fade in microseconds */
  gint64 fade_start; /* position at the start of the fade; -1: not started */
  gint64 chapter_end; /* end of the chapter to hear; -1: unknown or not used */
  gint64 skip_end;    /* target of the running skip of chapters; -1: none */
};

G_DEFINE_FINAL_TYPE (EarSleepTimer, ear_sleep_timer, EAR_TYPE_PART)

static gboolean
is_playing (EarSleepTimer *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);

  return state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING;
}

static gboolean
is_fading (EarSleepTimer *self)
{
  return self->fade_start >= 0;
}

static void
end_fading (EarSleepTimer *self)
{
  if (!is_fading (self))
    return;
  self->fade_start = -1;
  ear_player_set_fade (self->player, 1);
}

static void
stop (EarSleepTimer *self)
{
  g_clear_handle_id (&self->tick, g_source_remove);
  self->until = 0;
  self->chapter_end = -1;
  end_fading (self);
  ear_playback_controller_set_stops_at_end (self->playback_controller, FALSE);
  ear_property_set_number (self, "remaining", 0);
  ear_property_set_string (self, "choice", EAR_SLEEP_OFF);
}

static gboolean
is_at_end (EarSleepTimer *self, gint64 position)
{
  const gint64 duration = ear_player_get_duration (self->player);

  return duration > 0 && position > duration - LAST_MOMENT;
}

/* After an end or a failure, playback has stopped, but the position must still be set. */
static void
fall_asleep (EarSleepTimer *self)
{
  const gint64 position = self->fade_start;

  /* Pausing notifies the position, for which nothing is to be done any more. */
  self->until = 0;
  if (is_playing (self))
    ear_playback_controller_pause_at (self->playback_controller,
                                      is_fading (self) ? position
                                                       : ear_player_get_position (self->player));
  else if (is_fading (self) && !is_at_end (self, position))
    ear_playback_controller_pause_at (self->playback_controller, position);
  stop (self);
}

/* Returns the end of the chapter at a position; -1: there is no chapter, or it is the
 * last one. */
static gint64
find_chapter_end (EarSleepTimer *self, gint64 position)
{
  GPtrArray *chapters = ear_chapter_control_get_chapters (self->chapter_control);
  const int index = ear_chapters_find (chapters, position);
  gint64 chapter_end;

  if (index < 0 || index + 1 >= (int) chapters->len)
    return -1;

  chapter_end =
      ear_chapters_get_end (chapters, (guint) index, ear_player_get_duration (self->player));

  /* After the end of a chapter, the gap lasts until the next one. */
  return chapter_end > position ? chapter_end
                                : ear_chapters_get (chapters, (guint) index + 1)->start;
}

static gboolean
is_for_chapter (EarSleepTimer *self)
{
  return g_str_equal (self->choice, EAR_SLEEP_CHAPTER);
}

/* Updates the end of the chapter while the position approaches it: past the end, the
 * position is in another chapter, and the volume fades. */
static void
check_chapter (EarSleepTimer *self)
{
  const gint64 position = ear_player_get_position (self->player);

  /* A seek chooses another chapter, unless it skips some. */
  if (ear_player_get_jumping (self->player) && self->skip_end < 0)
    self->chapter_end = -1;
  if (ear_player_get_jumping (self->player) ||
      ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;
  if (self->chapter_end < 0 || position < self->chapter_end)
    {
      self->chapter_end = find_chapter_end (self, position);
      return;
    }
  self->fade_start = self->chapter_end;
  self->fade = CHAPTER_FADE;
  self->until = ear_clock_get_boot_time () + CHAPTER_FADE;
}

static void
tick (EarSleepTimer *self)
{
  const gint64 left = self->until - ear_clock_get_boot_time ();
  const gint64 seconds = (left + G_TIME_SPAN_SECOND - 1) / G_TIME_SPAN_SECOND;

  if (self->until == 0)
    {
      if (is_for_chapter (self))
        check_chapter (self);
      return;
    }
  if (left <= 0)
    {
      fall_asleep (self);
      return;
    }
  if (left <= self->fade && is_playing (self))
    {
      if (!is_fading (self))
        {
          self->fade_start = ear_player_get_position (self->player);
          ear_playback_controller_set_stops_at_end (self->playback_controller, TRUE);
        }
      ear_player_set_fade (self->player, (double) left / (double) self->fade);
    }
  ear_property_set_number (
      self, "remaining",
      (int) (seconds > MINUTE ? (seconds + MINUTE - 1) / MINUTE * MINUTE : seconds));
}

static gboolean
tick_cb (gpointer user_data)
{
  tick (user_data);

  return G_SOURCE_CONTINUE;
}

/* A pause during the fade means that the listener is awake. An end or a failure does not,
 * and nothing may follow then. */
static void
state_changed_cb (EarSleepTimer *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);

  if (is_fading (self) && (state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_EMPTY))
    stop (self);
}

static void
episode_changed_cb (EarSleepTimer *self)
{
  self->chapter_end = self->skip_end = -1;
  if (is_fading (self))
    self->fade_start = ear_player_get_position (self->player);
}

/* A skipped chapter during the fade moves the position to resume at, so that it is not
 * heard in the morning. If the chosen chapter has just ended, playback may continue
 * behind the skipped ones; before that, the chapter there becomes the chosen one. */
static void
skipping_cb (EarSleepTimer *self, gint64 start, gint64 position)
{
  self->skip_end = position;
  if (self->fade_start >= start)
    self->fade_start = position;
  else if (!is_fading (self))
    self->chapter_end = self->chapter_end >= 0 && self->chapter_end <= start ? position : -1;
}

static void
seeked_cb (EarSleepTimer *self)
{
  const gint64 position = ear_player_get_position (self->player);
  const gint64 duration = ear_player_get_duration (self->player);
  EarEpisode *episode = ear_player_get_episode (self->player);
  /* The position may have been reached by skipping, not by the listener. */
  const gboolean skipped_chapters =
      self->skip_end >= 0 && ABS (position - self->skip_end) < LAST_MOMENT;
  const gboolean skipped_end =
      is_at_end (self, position) &&
      ear_playback_controller_get_end (episode, duration) < duration;

  self->skip_end = -1;
  if (skipped_chapters || skipped_end)
    return;

  self->chapter_end = is_for_chapter (self) ? find_chapter_end (self, position) : -1;
  if (is_fading (self))
    self->fade_start = position;
}

/* Runs after the next episode has been started, if any. */
static void
ended_cb (EarSleepTimer *self)
{
  if (is_fading (self) || is_for_chapter (self) || g_str_equal (self->choice, EAR_SLEEP_EPISODE))
    fall_asleep (self);
}

static void
ear_sleep_timer_release (EarSleepTimer *self)
{
  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->player != NULL)
    end_fading (self);
}

static void
ear_sleep_timer_class_init (EarSleepTimerClass *klass)
{
  const EarProperty properties[] = {
    /* The choice: a number of minutes, or one of EAR_SLEEP_* */
    { .spec = g_param_spec_string ("choice", NULL, NULL, EAR_SLEEP_OFF, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarSleepTimer, choice) },
    /* Seconds until the pause, notified each minute and in the last minute each second; 0
     * without a time limit */
    EAR_READABLE (EarSleepTimer, remaining, G_TYPE_UINT),
  };

  ear_class_set_release (klass, ear_sleep_timer_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_sleep_timer_init (EarSleepTimer *self)
{
  self->choice = g_strdup (EAR_SLEEP_OFF);
  self->fade_start = self->chapter_end = self->skip_end = -1;
}

/* EarPlaybackController has connected to the player before: its handler for the end of an
 * episode must run first. */
EarSleepTimer *
ear_sleep_timer_new (const EarServices *services)
{
  EarSleepTimer *self = ear_part_new (EAR_TYPE_SLEEP_TIMER, services);

  g_object_connect (self->player,
                    "swapped-object-signal::notify::state", state_changed_cb, self,
                    "swapped-object-signal::notify::episode", episode_changed_cb, self,
                    "swapped-object-signal::notify::position", tick, self,
                    "swapped-object-signal::seeked", seeked_cb, self,
                    "swapped-object-signal-after::ended", ended_cb, self, NULL);
  ear_connect (self->chapter_control, "skipping", skipping_cb, self);

  return self;
}

/* Returns: the number of minutes; 0 if it is none, or too large */
static guint
read_minutes (const char *choice)
{
  guint64 minutes = 0;

  g_ascii_string_to_unsigned (choice, 10, 1, EAR_SLEEP_MINUTES_MAX, &minutes, NULL);

  return (guint) minutes;
}

/* @choice: untrusted text
 * Returns: whether it is a valid choice */
gboolean
ear_sleep_timer_is_choice (const char *choice)
{
  const char *const choices[] = { EAR_SLEEP_OFF, EAR_SLEEP_EPISODE, EAR_SLEEP_CHAPTER, NULL };

  return g_strv_contains (choices, choice) || read_minutes (choice) > 0;
}

/* Sets when to pause, replacing the former choice.
 * @choice: `off`, `episode`, `chapter`, or a number of minutes; anything else is ignored */
void
ear_sleep_timer_choose (EarSleepTimer *self, const char *choice)
{
  if (!ear_sleep_timer_is_choice (choice))
    return;
  if (read_minutes (choice) > 0)
    {
      ear_sleep_timer_start (self, read_minutes (choice) * G_TIME_SPAN_MINUTE);
      return;
    }
  stop (self);
  /* The last chapter, and an episode without chapters, end with the episode. */
  ear_playback_controller_set_stops_at_end (self->playback_controller,
                                            !g_str_equal (choice, EAR_SLEEP_OFF));
  if (g_str_equal (choice, EAR_SLEEP_CHAPTER))
    self->chapter_end = find_chapter_end (self, ear_player_get_position (self->player));
  ear_property_set_string (self, "choice", choice);
}

/* Pauses after this time.
 * @length: microseconds */
void
ear_sleep_timer_start (EarSleepTimer *self, gint64 length)
{
  g_autofree char *choice =
      g_strdup_printf ("%d", (int) ((length + G_TIME_SPAN_MINUTE - 1) / G_TIME_SPAN_MINUTE));

  end_fading (self);
  ear_playback_controller_set_stops_at_end (self->playback_controller, FALSE);
  self->until = ear_clock_get_boot_time () + length;
  self->fade = MIN (FADE, length / 3);
  g_clear_handle_id (&self->tick, g_source_remove);
  self->tick = g_timeout_add_seconds (1, tick_cb, self);
  tick (self);
  ear_property_set_string (self, "choice", choice);
}

/* Adds some minutes for a listener who is still awake, even during the fade. Without a
 * time limit, it starts one. */
void
ear_sleep_timer_extend (EarSleepTimer *self)
{
  const gint64 left = self->until > 0 ? MAX (self->until - ear_clock_get_boot_time (), 0) : 0;

  ear_sleep_timer_start (self, MIN (left + EXTENSION * G_TIME_SPAN_MINUTE,
                                    EAR_SLEEP_MINUTES_MAX * G_TIME_SPAN_MINUTE));
}

EAR_DEFINE_GET (EarSleepTimer, ear_sleep_timer, const char *, choice)
EAR_DEFINE_GET (EarSleepTimer, ear_sleep_timer, guint, remaining)
