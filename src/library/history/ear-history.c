/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-history.h"

#include "ear-property.h"

#include <glib/gi18n-lib.h>

struct _EarHistory
{
  EAR_PART_MEMBERS; /* without the catalogue once closed */

  /* Owned */
  EarEpisode *episode;     /* (nullable): the episode in the player */
  guint save_id;
  guint n_saved; /* positions stored since the timer was started */
  gint64 counted_at; /* monotonic time of @counted_position; 0 while paused */
  gint64 counted_position;
  gint64 heard;        /* microseconds played before the episode counts as started */
  gboolean started;    /* the episode counts as started */
  gboolean near_end; /* playback came near the end, with no seek since */
};

/* Sets the marks of episodes: played, position, like and others. Each mark is stored in
 * the state files and in the catalogue, whose copy serves its filters. A mark of one
 * episode is sent to both at once; marks of many are applied by the catalogue, and the
 * state files then store those that changed. */
G_DEFINE_FINAL_TYPE (EarHistory, ear_history, EAR_TYPE_PART)

/* Stores a mark in the catalogue and the state files.
 * @before: (nullable): gets the former mark, for Undo; a mark that does not change is not stored
 * then */
static void
store_mark (EarHistory *self, EarEpisode *episode, EarMark mark, gint64 value, GArray *before)
{
  const EarEpisodeState state = ear_episode_state_new_mark (mark, value);
  const gint64 old = ear_episode_get_mark (episode, mark);
  g_autoptr (EarMarks) marks = NULL;

  if (self->catalogue == NULL || (before != NULL && old == state.values[mark]))
    return;
  if (before != NULL)
    ear_episode_marks_add (before, episode, mark, old);
  ear_catalogue_set_state (self->catalogue, episode, &state);
  marks = ear_episode_make_marks (episode, &state);
  ear_userdata_store_keep (self->state, marks);
}

static void
leave_player (EarHistory *self)
{
  g_clear_handle_id (&self->save_id, g_source_remove);
  if (self->player != NULL)
    g_signal_handlers_disconnect_by_data (self->player, self);
  g_clear_object (&self->episode);
}

static void
ear_history_release (EarHistory *self)
{
  leave_player (self);
}

static void
ear_history_class_init (EarHistoryClass *klass)
{
  ear_class_set_release (klass, ear_history_release);
}

static void
ear_history_init (EarHistory *self)
{
}

static void
review_cb (EarMarks *marks, gpointer user_data)
{
  ear_userdata_store_keep (user_data, marks);
}

/* Follows the player: stores the position and marks episodes as started and as played. */

/* Milliseconds of playback between stored positions, which is all that a crash can lose */
#define SAVE_INTERVAL 1000

/* The rows of the episode show one of so many, as it changes several of their labels. */
#define SHOWN_PART 5

/* Returns: whether playback has reached a position worth storing; until the restoring
 * seek is done, the stored position is the better one */
static gboolean
has_position (EarHistory *self)
{
  return self->episode != NULL && ear_player_get_restored (self->player) &&
         ear_player_get_state (self->player) != EAR_PLAYER_ENDED;
}

/* Stores the episode as the one to resume at the next start and, once it counts as
 * started, its position.
 * @show: whether rows show it */
static void
save_now (EarHistory *self, gboolean show)
{
  const gint64 position = ear_player_get_position (self->player);

  if (self->started && show)
    ear_episode_set_position (self->episode, position);
  ear_userdata_store_set_now (self->state, self->episode, position, self->started);
}

/* An episode counts as started once this much of it was played; before that it stays new
 * and has no position. */
#define STARTED_AFTER (30 * G_TIME_SPAN_SECOND)

static void
begin_counting (EarHistory *self)
{
  const gboolean plays =
      self->episode != NULL && ear_player_get_state (self->player) == EAR_PLAYER_PLAYING;

  self->counted_at = plays ? g_get_monotonic_time () : 0;
  self->counted_position = ear_player_get_position (self->player);
}

/* Counts the seconds played since the last call. A position further away than playback
 * can lead is the target of a seek that is still in progress. */
static void
count_heard (EarHistory *self)
{
  const gint64 passed = self->counted_at > 0 ? g_get_monotonic_time () - self->counted_at : 0;
  const gint64 heard = ear_player_get_position (self->player) - self->counted_position;
  const double possible =
      2 * MAX (1, ear_player_get_rate (self->player)) * (double) passed + G_TIME_SPAN_SECOND;

  if (self->started || self->episode == NULL)
    return;
  begin_counting (self);
  if (passed == 0 || heard <= 0 || (double) heard > possible)
    return;
  self->heard += heard;
  if (self->heard < STARTED_AFTER && !ear_player_get_moved (self->player))
    return;
  self->started = TRUE;
  ear_history_save_position (self);
}

static gboolean
save_position_cb (gpointer user_data)
{
  EarHistory *self = user_data;

  count_heard (self);
  if (has_position (self))
    {
      self->near_end =
          ear_listened_rule_is_near_end (ear_player_get_position (self->player),
                                         ear_player_get_duration (self->player));
      save_now (self, ++self->n_saved % SHOWN_PART == 0);
    }

  return G_SOURCE_CONTINUE;
}

static void
update_timer (EarHistory *self)
{
  const double speed = MAX (1, ear_player_get_rate (self->player));

  g_clear_handle_id (&self->save_id, g_source_remove);
  self->n_saved = 0;
  if (ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;
  self->save_id = g_timeout_add ((guint) (SAVE_INTERVAL / speed), save_position_cb, self);
}

static const EarPlayback playbacks[] = {
  [EAR_PLAYER_EMPTY] = EAR_PLAYBACK_NONE,
  [EAR_PLAYER_PAUSED] = EAR_PLAYBACK_PAUSED,
  [EAR_PLAYER_LOADING] = EAR_PLAYBACK_LOADING,
  [EAR_PLAYER_PLAYING] = EAR_PLAYBACK_PLAYING,
  [EAR_PLAYER_ENDED] = EAR_PLAYBACK_PAUSED,
  [EAR_PLAYER_FAILED] = EAR_PLAYBACK_PAUSED,
};

/* The player notifies simultaneous changes in no fixed order: each handler first checks
 * which episode the state, position and length belong to. */
static void
update_episode (EarHistory *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (self->episode == episode)
    return;
  if (self->episode != NULL)
    ear_episode_set_playback (self->episode, EAR_PLAYBACK_NONE);
  g_set_object (&self->episode, episode);
  self->near_end = FALSE;
  self->started = episode != NULL && ear_episode_get_position (episode) > 0;
  self->heard = self->counted_at = 0;
}

static void
state_changed_cb (EarHistory *self)
{
  EarPlayerState state = ear_player_get_state (self->player);

  update_episode (self);
  if (self->episode != NULL)
    ear_episode_set_playback (self->episode, playbacks[state]);
  update_timer (self);
  count_heard (self);
  if (state == EAR_PLAYER_PLAYING)
    {
      begin_counting (self);
      if (has_position (self))
        save_now (self, TRUE);
      /* Playing a removed episode puts it back into In Progress. */
      if (self->episode != NULL && ear_episode_get_removed (self->episode))
        store_mark (self, self->episode, EAR_MARK_REMOVED, FALSE, NULL);
    }
  else if (state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_FAILED)
    ear_history_save_position (self);
}

static void
seeked_cb (EarHistory *self)
{
  self->near_end = FALSE;
  begin_counting (self);
  ear_history_save_position (self);
}

static void
duration_changed_cb (EarHistory *self)
{
  gint64 duration = ear_player_get_duration (self->player);

  update_episode (self);
  /* The length of the media is more accurate than that in the feed. */
  if (self->episode != NULL && duration > 0 && duration != ear_episode_get_duration (self->episode))
    {
      ear_episode_set_duration (self->episode, duration);
      ear_catalogue_set_duration (self->catalogue, self->episode, duration);
    }
}

/* Marks an episode as played, resets its position and removes it from Up Next. */
static void
mark_listened (EarHistory *self)
{
  self->started = FALSE;
  self->heard = 0;
  store_mark (self, self->episode, EAR_MARK_POSITION, 0, NULL);
  store_mark (self, self->episode, EAR_MARK_LISTENED, TRUE, NULL);
  if (ear_episode_get_mark (self->episode, EAR_MARK_QUEUED) != 0)
    store_mark (self, self->episode, EAR_MARK_QUEUED, 0, NULL);
}

/* Returns: whether the whole episode was played: some servers end a response early as if
 * it were complete */
static gboolean
is_whole (EarHistory *self, gint64 position)
{
  const EarEnclosure *enclosure = ear_episode_get_enclosure (self->episode);

  return ear_listened_rule_is_whole (position, ear_episode_get_facts (self->episode)->duration,
                                     ear_player_get_size (self->player),
                                     enclosure != NULL ? enclosure->size : 0);
}

static void
ended_cb (EarHistory *self)
{
  gint64 position;

  if (self->episode == NULL)
    return;

  position = ear_player_get_position (self->player);
  if (is_whole (self, position))
    mark_listened (self);
  else if (self->started)
    store_mark (self, self->episode, EAR_MARK_POSITION, position, NULL);
}

EarHistory *
ear_history_new (const EarServices *services)
{
  EarHistory *self = ear_part_new (EAR_TYPE_HISTORY, services);

  /* Earmark may have been killed after the catalogue stored marks and before the state
   * files did. */
  ear_catalogue_review_marks (self->catalogue, FALSE, review_cb, G_OBJECT (self->state));
  g_object_connect (self->player,
                    "swapped-signal::notify::state", state_changed_cb, self,
                    "swapped-signal::notify::episode", state_changed_cb, self,
                    "swapped-signal::notify::rate", update_timer, self,
                    "swapped-signal::notify::duration", duration_changed_cb, self,
                    "swapped-signal::seeked", seeked_cb, self,
                    "swapped-signal::ended", ended_cb, self, NULL);

  return self;
}

/* Completes the state files after one was damaged: the catalogue has a copy of the marks. */
void
ear_history_complete_files (EarHistory *self)
{
  if (self->catalogue != NULL)
    ear_catalogue_review_marks (self->catalogue, TRUE, review_cb, G_OBJECT (self->state));
}

/* Stores the position, and no marks from now on. */
void
ear_history_close (EarHistory *self)
{
  ear_history_leave_episode (self);
  leave_player (self);
  g_clear_object (&self->catalogue);
}

gboolean
ear_history_is_open (EarHistory *self)
{
  return self->catalogue != NULL;
}

static void
clear_mark (gpointer data)
{
  g_object_unref (((EarEpisodeMark *) data)->episode);
}

/* Returns: (transfer full): an array of #EarEpisodeMark, each of which owns its
 * episode */
GArray *
ear_episode_marks_new (void)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (EarEpisodeMark));

  g_array_set_clear_func (marks, clear_mark);

  return marks;
}

void
ear_episode_marks_add (GArray *self, EarEpisode *episode, EarMark mark, gint64 value)
{
  const EarEpisodeMark one = { g_object_ref (episode), mark, value };

  g_array_append_val (self, one);
}

/* Sets marks automatically, as the listener's settings ask for, without Undo. */
void
ear_history_keep_each (EarHistory *self, GArray *marks)
{
  for (guint i = 0; i < marks->len; i++)
    {
      const EarEpisodeMark *mark = &g_array_index (marks, EarEpisodeMark, i);

      store_mark (self, mark->episode, mark->mark, mark->value, NULL);
    }
}

/* @before: (transfer full): the former marks
 * @message: (nullable): the message of the notice, or %NULL if the change is visible */
static void
offer_undo (EarHistory *self, GArray *before, const char *message)
{
  if (before->len > 0)
    ear_notices_offer (self->notices, message, (EarUndoFunc) ear_history_keep_each, self, before,
                       (GDestroyNotify) g_array_unref);
  else
    g_array_unref (before);
}

/* Sets marks of a few episodes. Can be undone in one step.
 * @message: see offer_undo() */
void
ear_history_set_each (EarHistory *self, GArray *marks, const char *message)
{
  GArray *before = ear_episode_marks_new ();

  for (guint i = 0; i < marks->len; i++)
    {
      const EarEpisodeMark *mark = &g_array_index (marks, EarEpisodeMark, i);

      store_mark (self, mark->episode, mark->mark, mark->value, before);
    }
  offer_undo (self, before, message);
}

/* Sets a mark of an episode. Can be undone. Only a removal from a list has a message;
 * other marks are visible. */
void
ear_history_set_mark (EarHistory *self, EarEpisode *episode, EarMark mark, gint64 value)
{
  GArray *before = ear_episode_marks_new ();
  const char *message = NULL;

  if (mark == EAR_MARK_REMOVED && value)
    message = ear_episode_get_position (episode) > 0 ? _("Removed from In Progress")
                                                     : _("Removed from New");
  store_mark (self, episode, mark, value, before);
  offer_undo (self, before, message);
}

/* @filter: of the list that the episodes were in
 * Returns: (transfer full) (nullable): the message of the notice */
static char *
describe (const EarMarks *marks, EarEpisodeFilter filter)
{
  const EarMark mark = ear_episode_state_find_mark (&marks->state);
  const gboolean value = marks->state.values[mark] != 0;
  const guint n = marks->ids->len;

  if (mark == EAR_MARK_LISTENED && value)
    /* Translators: %u is the number of episodes just marked. */
    return g_strdup_printf (
        ngettext ("%'u episode marked as played", "%'u episodes marked as played", n), n);
  if (mark == EAR_MARK_LISTENED)
    /* Translators: %u is the number of episodes just marked. */
    return g_strdup_printf (
        ngettext ("%'u episode marked as unplayed", "%'u episodes marked as unplayed", n), n);
  if (mark == EAR_MARK_LIKED && value)
    /* Translators: %u is the number of episodes just liked. */
    return g_strdup_printf (ngettext ("%'u episode liked", "%'u episodes liked", n), n);
  if (mark == EAR_MARK_LIKED)
    /* Translators: %u is the number of episodes just unliked. */
    return g_strdup_printf (ngettext ("%'u episode unliked", "%'u episodes unliked", n), n);
  if (mark == EAR_MARK_REMOVED && value && filter == EAR_FILTER_IN_PROGRESS)
    return g_strdup_printf (ngettext ("%'u episode removed from In Progress",
                                      "%'u episodes removed from In Progress", n),
                            n);
  if (mark == EAR_MARK_REMOVED && value)
    return g_strdup_printf (
        ngettext ("%'u episode removed from New", "%'u episodes removed from New", n), n);

  return NULL;
}

typedef struct
{
  EarHistory *history;
  EarEpisodeFilter filter;
  gboolean undoes;
} Marking;

static void undo_many (gpointer owner, gpointer data);

/* Sends the changed marks from the catalogue to the state files, which store them on
 * their own thread. */
static void
marked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Marking *marking = user_data;
  g_autoptr (EarHistory) self = marking->history;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarMarks) marks = ear_catalogue_write_finish (EAR_CATALOGUE (source), result, &error);
  g_autofree char *message = NULL;

  if (marks == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
    ear_notices_add (self->notices, TRUE, _("The changes could not be saved. Is the disk full?"));
  if (marks == NULL || marks->ids->len == 0)
    return;
  ear_userdata_store_keep (self->state, marks);
  if (marking->undoes)
    return;
  message = describe (marks, marking->filter);
  ear_notices_offer (self->notices, message, undo_many, self, g_steal_pointer (&marks),
                     (GDestroyNotify) ear_marks_unref);
}

/* @undoes: whether this is Undo, which cannot be undone itself */
static void
mark_many (EarHistory *self, const EarMarkTarget *target, EarMark mark, gint64 value,
           gboolean undoes)
{
  Marking *marking = g_new0 (Marking, 1);

  marking->history = g_object_ref (self);
  marking->undoes = undoes;
  marking->filter = target->query != NULL ? target->query->filter : EAR_FILTER_ALL;
  ear_catalogue_mark_async (self->catalogue, target, mark, value, marked_cb, marking);
}

/* Restores the mark of exactly those episodes that were changed. */
static void
undo_many (gpointer owner, gpointer data)
{
  EarHistory *self = owner;
  const EarMarks *marks = data;
  const EarMark mark = ear_episode_state_find_mark (&marks->state);
  const EarMarkTarget target = { .ids = marks->ids };

  if (self->catalogue != NULL)
    mark_many (self, &target, mark, !marks->state.values[mark], TRUE);
}

/* Sets a mark of any number of episodes without blocking the main thread. Undo restores
 * exactly those episodes whose mark changed. The query of a search may match more
 * episodes than its list shows.
 * @mark: the mark, a flag */
void
ear_history_set_marks (EarHistory *self, const EarMarkTarget *target, EarMark mark, gint64 value)
{
  g_return_if_fail (ear_mark_types[mark].kind == EAR_VALUE_FLAG);

  if (self->catalogue != NULL && (target->ids == NULL || target->ids->len > 0))
    mark_many (self, target, mark, value, FALSE);
}

/* Stores the current position if playback has reached one, and the episode as the one to
 * resume at the next start. */
void
ear_history_save_position (EarHistory *self)
{
  if (!has_position (self))
    return;

  if (self->started)
    store_mark (self, self->episode, EAR_MARK_POSITION, ear_player_get_position (self->player),
                NULL);
  save_now (self, TRUE);
}

/* Stores the position, or marks the episode as played if it was left near its end. Called
 * before another episode is opened and before the program ends.
 * Returns: whether the episode was marked as played */
gboolean
ear_history_leave_episode (EarHistory *self)
{
  gboolean listened;

  count_heard (self);
  listened = self->near_end && has_position (self) &&
             ear_player_get_state (self->player) != EAR_PLAYER_FAILED &&
             is_whole (self, ear_player_get_position (self->player));

  ear_history_save_position (self);
  if (listened)
    mark_listened (self);
  self->near_end = FALSE;

  return listened;
}

/* Decides when an episode counts as played. All times are microseconds. */

/* An episode left within this time of its end counts as played: the rest is credits and
 * music. For short episodes a part of their length applies. */
#define NEAR_END (30 * G_TIME_SPAN_SECOND)
#define NEAR_PART 20 /* 1/20 of the length */

/* Feed durations are off by inserted advertisements; a file cut in half is below this
 * part. */
#define WHOLE_PART(length) ((length) / 3 * 2)

/* @duration: the length; 0 or less: unknown */
gboolean
ear_listened_rule_is_near_end (gint64 position, gint64 duration)
{
  return duration > 0 && position > 0 &&
         duration - position <= MIN (NEAR_END, duration / NEAR_PART);
}

/* Feeds may claim wrong durations, such as an hour for a minute. The media counts as
 * incomplete only if its size, too, is below that in the feed.
 * @position: where the media ended, in microseconds
 * @claimed: the duration in the feed; 0 or less: unknown
 * @size: the size of the media in bytes; 0 or less: unknown
 * @claimed_size: the size in the feed in bytes; 0 or less: unknown
 * Returns: whether @position is the end of the episode */
gboolean
ear_listened_rule_is_whole (gint64 position, gint64 claimed, gint64 size, gint64 claimed_size)
{
  if (claimed <= 0 || position >= WHOLE_PART (claimed))
    return TRUE;

  return size > 0 && size >= WHOLE_PART (claimed_size);
}
