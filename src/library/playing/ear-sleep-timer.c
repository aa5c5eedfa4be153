/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sleep-timer.h"

#include "ear-clock.h"
#include "ear-property.h"
#include "ear-skip-ends.h"

#include <string.h>

/* So long before the time is over it begins to get quieter, but not within the first two thirds of it. */
#define FADE (30 * G_TIME_SPAN_SECOND)
#define FADE_STEP_MS 100

/* After a chapter it gets quieter in the one that follows: all of the chapter is to be heard. */
#define CHAPTER_FADE (8 * G_TIME_SPAN_SECOND)
#define CHAPTER_STEP_MS 500

/* What begins so shortly before the end is no place to go back to; and where a jump ends is not known better. */
#define LAST_MOMENT G_TIME_SPAN_SECOND

/* What a key starts, or adds. */
#define EXTENSION 15 /* minutes */

/* What is left is told each minute, and in the last one each second. */
#define COUNTED_BY_SECONDS 60

/**
 * EarSleepTimer:
 *
 * Pauses what plays once the listener sleeps: after some minutes, or at the end of the episode or of the chapter. After
 * minutes, and after the chapter, it gets quieter, and goes back to where that began: nobody remembers more than that. Where the
 * episode ends meanwhile, nothing follows, and it goes back there at once: nobody is to be woken by what begins.
 *
 * The minutes pass whether something plays or not, also while the computer is suspended: whoever has paused
 * in the evening wants no timer in the morning.
 */
struct _EarSleepTimer
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarPlayControl *control;
  EarChapterControl *chapters;
  char *choice; /* a number of minutes, or one of EAR_SLEEP_ */
  guint tick;

  guint remaining;   /* seconds, as they were told last; 0 where it is no matter of time */
  gint64 until;      /* by the clock of ear_clock_get_boot_time(); 0: no matter of time */
  gint64 fade;       /* how long it gets quieter, microseconds */
  gint64 fade_place; /* where that began; -1: it has not */
  gint64 chapter_end; /* of the one that is to be heard; -1: it is not known, or no matter */
  gint64 skip_end;    /* where it is just going by itself, as what comes before is skipped; -1: nowhere */
};

G_DEFINE_FINAL_TYPE (EarSleepTimer, ear_sleep_timer, G_TYPE_OBJECT)

static void schedule (EarSleepTimer *self, gint64 left);

static gboolean
is_playing (EarSleepTimer *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);

  return state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING;
}

static gboolean
is_fading (EarSleepTimer *self)
{
  return self->fade_place >= 0;
}

static void
end_fading (EarSleepTimer *self)
{
  if (!is_fading (self))
    return;
  self->fade_place = -1;
  ear_player_set_fade (self->player, 1);
}

static void
fade_to (EarSleepTimer *self, double level)
{
  if (!is_fading (self))
    {
      self->fade_place = ear_player_get_position (self->player);
      ear_play_control_set_stops_at_end (self->control, TRUE);
    }
  ear_player_set_fade (self->player, level);
}

static void
stop (EarSleepTimer *self)
{
  g_clear_handle_id (&self->tick, g_source_remove);
  self->until = 0;
  self->chapter_end = -1;
  end_fading (self);
  ear_play_control_set_stops_at_end (self->control, FALSE);
  ear_property_set_number (self, "remaining", 0);
  ear_property_set_string (self, "choice", EAR_SLEEP_OFF);
}

static gboolean
is_at_end (EarSleepTimer *self, gint64 place)
{
  const gint64 duration = ear_player_get_duration (self->player);

  return duration > 0 && place > duration - LAST_MOMENT;
}

/* Where it has ended or failed, it is silent already, but not where it is to go on. */
static void
fall_asleep (EarSleepTimer *self)
{
  const gint64 place = self->fade_place;

  if (is_playing (self))
    ear_play_control_pause_at (self->control, is_fading (self) ? place : ear_player_get_position (self->player));
  else if (is_fading (self) && !is_at_end (self, place))
    ear_play_control_pause_at (self->control, place);
  stop (self);
}

static void
tick (EarSleepTimer *self)
{
  const gint64 left = self->until - ear_clock_get_boot_time ();

  self->tick = 0;
  if (left <= 0)
    {
      fall_asleep (self);
      return;
    }
  if (left <= self->fade && is_playing (self))
    fade_to (self, (double) left / (double) self->fade);
  ear_property_set_number (self, "remaining", (int) ((left + G_TIME_SPAN_SECOND - 1) / G_TIME_SPAN_SECOND));
  schedule (self, left);
}

/* Where the chapter ends that a place is in; -1: the episode has none there, or it is the last one. */
static gint64
find_chapter_end (EarSleepTimer *self, gint64 position)
{
  EarChapters *chapters = ear_chapter_control_get_chapters (self->chapters);
  const int index = ear_chapters_find (chapters, position);
  gint64 chapter_end;

  if (index < 0 || index + 1 >= (int) ear_chapters_get_count (chapters))
    return -1;

  chapter_end = ear_chapters_get_end (chapters, (guint) index, ear_player_get_duration (self->player));

  /* What follows a chapter that is over lasts until the next one. */
  return chapter_end > position ? chapter_end : ear_chapters_get (chapters, (guint) index + 1)->start;
}

/* The end is kept as the place comes near to it: once it is there, it is in another chapter. */
static gboolean
chapter_tick (EarSleepTimer *self)
{
  const gint64 position = ear_player_get_position (self->player);

  if (self->chapter_end < 0 || position < self->chapter_end)
    {
      self->chapter_end = find_chapter_end (self, position);
      return G_SOURCE_CONTINUE;
    }

  self->fade_place = self->chapter_end;
  self->fade = CHAPTER_FADE;
  self->until = ear_clock_get_boot_time () + CHAPTER_FADE;
  self->tick = 0;
  tick (self);

  return G_SOURCE_REMOVE;
}

/* As seldom as what is told allows, and often enough that nobody hears steps. */
static void
schedule (EarSleepTimer *self, gint64 left)
{
  const gint64 unit = left > COUNTED_BY_SECONDS * G_TIME_SPAN_SECOND ? G_TIME_SPAN_MINUTE : G_TIME_SPAN_SECOND;
  gint64 pause = (left - 1) % unit + 1;

  if (left > self->fade)
    pause = MIN (pause, left - self->fade);
  else
    pause = MIN (pause, FADE_STEP_MS * G_TIME_SPAN_MILLISECOND);
  g_clear_handle_id (&self->tick, g_source_remove);
  self->tick = g_timeout_add_once ((guint) (pause / G_TIME_SPAN_MILLISECOND) + 1, (GSourceOnceFunc) tick, self);
}

static gboolean
is_for_chapter (EarSleepTimer *self)
{
  return g_str_equal (self->choice, EAR_SLEEP_CHAPTER);
}

/* Looks for the end of the chapter while something is heard, and not all night where nothing is. On its way to another place the player says
 * that it is there, and is not. */
static void
watch_chapter (EarSleepTimer *self)
{
  if (!is_for_chapter (self) || self->until > 0)
    return;

  g_clear_handle_id (&self->tick, g_source_remove);
  if (ear_player_get_state (self->player) == EAR_PLAYER_PLAYING)
    self->tick = g_timeout_add (CHAPTER_STEP_MS, (GSourceFunc) chapter_tick, self);
}

/* Who does something while it gets quieter is awake. That it ends, or fails, is nobody's doing, and nobody wants what follows then. */
static void
state_changed_cb (EarSleepTimer *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);

  if (is_fading (self) && (state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_EMPTY))
    stop (self);
  watch_chapter (self);
}

static void
episode_changed_cb (EarSleepTimer *self)
{
  self->chapter_end = self->skip_end = -1;
  if (is_fading (self))
    self->fade_place = ear_player_get_position (self->player);
}

/* What is skipped by itself is not to be heard in the morning either. Where the chapter is over that was to be heard, it goes on behind
 * that; else it is the one there that is to be heard. */
static void
skipping_cb (EarSleepTimer *self, gint64 start, gint64 place)
{
  self->skip_end = place;
  if (self->fade_place >= start)
    self->fade_place = place;
  else if (!is_fading (self))
    self->chapter_end = self->chapter_end >= 0 && self->chapter_end <= start ? place : -1;
}

/* Whether it has gone there by itself. */
static gboolean
was_skipped (EarSleepTimer *self, gint64 position)
{
  const gint64 duration = ear_player_get_duration (self->player);

  if (self->skip_end >= 0 && ABS (position - self->skip_end) < LAST_MOMENT)
    return TRUE;

  return is_at_end (self, position) && ear_skip_ends_get_end (ear_player_get_episode (self->player), duration) < duration;
}

static void
seeked_cb (EarSleepTimer *self)
{
  const gint64 position = ear_player_get_position (self->player);
  const gboolean skipped = was_skipped (self, position);

  self->skip_end = -1;
  if (skipped)
    return;

  self->chapter_end = is_for_chapter (self) ? find_chapter_end (self, position) : -1;
  if (is_fading (self))
    self->fade_place = position;
}

/* What follows has begun by now, if anything does. */
static void
ended_cb (EarSleepTimer *self)
{
  if (is_fading (self) || is_for_chapter (self) || g_str_equal (self->choice, EAR_SLEEP_EPISODE))
    fall_asleep (self);
}

static void
ear_sleep_timer_dispose (GObject *object)
{
  EarSleepTimer *self = EAR_SLEEP_TIMER (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->player != NULL)
    end_fading (self);
  g_clear_object (&self->player);
  g_clear_object (&self->control);
  g_clear_object (&self->chapters);

  G_OBJECT_CLASS (ear_sleep_timer_parent_class)->dispose (object);
}

static void
ear_sleep_timer_finalize (GObject *object)
{
  g_free (EAR_SLEEP_TIMER (object)->choice);

  G_OBJECT_CLASS (ear_sleep_timer_parent_class)->finalize (object);
}

static void
ear_sleep_timer_class_init (EarSleepTimerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* What was chosen: a number of minutes, or one of EAR_SLEEP_ */
    { .spec = g_param_spec_string ("choice", NULL, NULL, EAR_SLEEP_OFF, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarSleepTimer, choice) },
    /* Seconds until it pauses: told each minute, and each second of the last one; 0 where it is no matter of time */
    { "remaining", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSleepTimer, remaining) },
  };

  object_class->dispose = ear_sleep_timer_dispose;
  object_class->finalize = ear_sleep_timer_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_sleep_timer_init (EarSleepTimer *self)
{
  self->choice = g_strdup (EAR_SLEEP_OFF);
  self->fade_place = self->chapter_end = self->skip_end = -1;
}

/* Made after @control has begun to follow the player, which is told first when an episode has ended. */
EarSleepTimer *
ear_sleep_timer_new (EarPlayer *player, EarPlayControl *control, EarChapterControl *chapters)
{
  EarSleepTimer *self = g_object_new (EAR_TYPE_SLEEP_TIMER, NULL);

  self->player = g_object_ref (player);
  self->control = g_object_ref (control);
  self->chapters = g_object_ref (chapters);
  g_signal_connect_object (player, "notify::state", G_CALLBACK (state_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::episode", G_CALLBACK (episode_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "seeked", G_CALLBACK (seeked_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (chapters, "skipping", G_CALLBACK (skipping_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "ended", G_CALLBACK (ended_cb), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);

  return self;
}

/* Returns: how many minutes it means; 0 where it means none, or far too many */
static guint
read_minutes (const char *choice)
{
  guint64 minutes;

  if (!g_ascii_string_to_unsigned (choice, 10, 1, EAR_SLEEP_MINUTES_MAX, &minutes, NULL))
    return 0;

  return (guint) minutes;
}

/**
 * ear_sleep_timer_is_choice:
 * @choice: a word, or a number, from anybody
 *
 * Returns: whether it can be chosen
 */
gboolean
ear_sleep_timer_is_choice (const char *choice)
{
  return g_str_equal (choice, EAR_SLEEP_OFF) || g_str_equal (choice, EAR_SLEEP_EPISODE) || g_str_equal (choice, EAR_SLEEP_CHAPTER) ||
         read_minutes (choice) > 0;
}

/**
 * ear_sleep_timer_choose:
 * @choice: `off`, `episode`, `chapter`, or a number of minutes; anything else is passed over
 *
 * Says when to pause, in place of what was said before.
 */
void
ear_sleep_timer_choose (EarSleepTimer *self, const char *choice)
{
  g_return_if_fail (EAR_IS_SLEEP_TIMER (self));
  g_return_if_fail (choice != NULL);

  if (!ear_sleep_timer_is_choice (choice))
    return;
  if (read_minutes (choice) > 0)
    {
      ear_sleep_timer_start (self, read_minutes (choice) * G_TIME_SPAN_MINUTE);
    }
  else
    {
      stop (self);
      /* The last chapter, and an episode without any, end with it. */
      ear_play_control_set_stops_at_end (self->control, !g_str_equal (choice, EAR_SLEEP_OFF));
      if (g_str_equal (choice, EAR_SLEEP_CHAPTER))
        self->chapter_end = find_chapter_end (self, ear_player_get_position (self->player));
    }
  ear_property_set_string (self, "choice", choice);
  watch_chapter (self);
}

/**
 * ear_sleep_timer_start:
 * @length: microseconds
 *
 * Pauses after so long, from now on.
 */
void
ear_sleep_timer_start (EarSleepTimer *self, gint64 length)
{
  g_autofree char *choice = g_strdup_printf ("%d", (int) ((length + G_TIME_SPAN_MINUTE - 1) / G_TIME_SPAN_MINUTE));

  g_return_if_fail (EAR_IS_SLEEP_TIMER (self));
  g_return_if_fail (length > 0);

  end_fading (self);
  ear_play_control_set_stops_at_end (self->control, FALSE);
  self->until = ear_clock_get_boot_time () + length;
  self->fade = MIN (FADE, length / 3);
  g_clear_handle_id (&self->tick, g_source_remove);
  tick (self);
  ear_property_set_string (self, "choice", choice);
}

/**
 * ear_sleep_timer_extend:
 *
 * For whoever is still awake: some minutes more, also while it gets quieter already. Where no minutes pass, they
 * begin to.
 */
void
ear_sleep_timer_extend (EarSleepTimer *self)
{
  gint64 left;

  g_return_if_fail (EAR_IS_SLEEP_TIMER (self));

  left = self->until > 0 ? MAX (self->until - ear_clock_get_boot_time (), 0) : 0;
  ear_sleep_timer_start (self, MIN (left + EXTENSION * G_TIME_SPAN_MINUTE, EAR_SLEEP_MINUTES_MAX * G_TIME_SPAN_MINUTE));
}

EAR_DEFINE_GET (EarSleepTimer, ear_sleep_timer, const char *, choice)
EAR_DEFINE_GET (EarSleepTimer, ear_sleep_timer, guint, remaining)
