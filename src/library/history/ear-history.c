/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-history-private.h"

#include <glib/gi18n-lib.h>

/**
 * EarHistory:
 *
 * What the listener did with episodes. Each mark goes two ways from here: to the state files, and
 * to the catalogue, whose copy is for its filters. Of one episode both are told at once; of many
 * the catalogue knows what that changes, and the files get what it has changed.
 */

G_DEFINE_FINAL_TYPE (EarHistory, ear_history, G_TYPE_OBJECT)

static void
ear_history_dispose (GObject *object)
{
  EarHistory *self = EAR_HISTORY (object);

  ear_history_leave_player (self);
  g_clear_object (&self->player);
  g_clear_object (&self->notices);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->state);

  G_OBJECT_CLASS (ear_history_parent_class)->dispose (object);
}

static void
ear_history_class_init (EarHistoryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_history_dispose;
}

static void
ear_history_init (EarHistory *self)
{
}

EarHistory *
ear_history_new (EarPlayer *player, EarNotices *notices)
{
  EarHistory *self = g_object_new (EAR_TYPE_HISTORY, NULL);

  self->player = g_object_ref (player);
  self->notices = g_object_ref (notices);

  return self;
}

static void
review_cb (EarMarks *marks, gpointer user_data)
{
  ear_userdata_store_keep (user_data, marks);
}

/**
 * ear_history_open:
 * @catalogue: gets a copy, for its filters
 *
 * Keeps what is done from now on, and follows the player.
 */
void
ear_history_open (EarHistory *self, EarCatalogue *catalogue, EarUserdataStore *state)
{
  g_return_if_fail (EAR_IS_HISTORY (self) && self->catalogue == NULL);

  self->catalogue = g_object_ref (catalogue);
  self->state = g_object_ref (state);
  /* Earmark may have been killed before the files had what the catalogue has. */
  ear_catalogue_review_marks (catalogue, review_cb, g_object_ref (state), g_object_unref);
  ear_history_follow_player (self);
}

/* Keeps where the player is, and nothing that is done from now on. */
void
ear_history_close (EarHistory *self)
{
  g_return_if_fail (EAR_IS_HISTORY (self));

  ear_history_save_position (self);
  ear_history_leave_player (self);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->state);
}

gboolean
ear_history_is_open (EarHistory *self)
{
  g_return_val_if_fail (EAR_IS_HISTORY (self), FALSE);

  return self->catalogue != NULL;
}

/* --- One episode ---------------------------------------------------------------------- */

/* Keeps what happened, or what takes something back. */
void
ear_history_keep (EarHistory *self, EarEpisode *episode, EarMark mark, gint64 value)
{
  const EarEpisodeState state = ear_episode_state_new_mark (mark, value);

  if (self->catalogue == NULL)
    return;
  ear_catalogue_set_state (self->catalogue, episode, &state);
  ear_userdata_store_set_episode (self->state, episode, &state);
}

typedef struct
{
  EarHistory *history;
  EarEpisode *episode;
  EarMark mark;
  gint64 before;
} Marked;

static void
marked_free (gpointer data)
{
  Marked *marked = data;

  g_object_unref (marked->history);
  g_object_unref (marked->episode);
  g_free (marked);
}

static void
take_mark_back (gpointer user_data)
{
  const Marked *marked = user_data;

  ear_history_keep (marked->history, marked->episode, marked->mark, marked->before);
}

/**
 * ear_history_set_mark:
 * @self: the history
 * @episode: an episode
 * @mark: which mark
 * @value: what it is from now on
 *
 * Marks an episode; all else that is known of it stays. That can be taken back: without words, as
 * the mark itself says it.
 */
void
ear_history_set_mark (EarHistory *self, EarEpisode *episode, EarMark mark, gint64 value)
{
  g_autoptr (EarUndo) undo = NULL;
  Marked *marked;

  g_return_if_fail (EAR_IS_HISTORY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (self->catalogue == NULL || ear_episode_get_mark (episode, mark) == ear_mark_bound (mark, value))
    return;

  marked = g_new0 (Marked, 1);
  marked->history = g_object_ref (self);
  marked->episode = g_object_ref (episode);
  marked->mark = mark;
  marked->before = ear_episode_get_mark (episode, mark);
  ear_history_keep (self, episode, mark, value);
  undo = ear_undo_new (NULL, take_mark_back, marked, marked_free);
  ear_notices_offer_undo (self->notices, undo);
}

/* --- Many of them --------------------------------------------------------------------- */

typedef struct
{
  EarHistory *history;
  EarUserdataStore *state; /* gets what was under way when the history was closed, too */
  EarChange *change;    /* (nullable): %NULL where another one is taken back */
} Marking;

static Marking *
marking_new (EarHistory *self, EarChange *change)
{
  Marking *marking = g_new0 (Marking, 1);

  marking->history = g_object_ref (self);
  marking->state = g_object_ref (self->state);
  marking->change = change;

  return marking;
}

static void
marking_free (Marking *marking)
{
  g_object_unref (marking->history);
  g_object_unref (marking->state);
  g_clear_pointer (&marking->change, ear_change_end);
  g_free (marking);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Marking, marking_free)

/* The files get what the catalogue has, on their own thread. Nothing is returned where that is nothing. */
static EarMarks *
finish_marking (Marking *marking, GObject *source, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarMarks) marks = ear_catalogue_mark_finish (EAR_CATALOGUE (source), result, &error);

  if (marks == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
    ear_notices_add (marking->history->notices, _("The episodes could not be marked. Is the disk full?"), TRUE);
  if (marks == NULL || marks->ids->len == 0)
    return NULL;
  ear_userdata_store_keep (marking->state, marks);

  return g_steal_pointer (&marks);
}

static void
taken_back_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Marking) marking = user_data;
  g_autoptr (EarMarks) marks = finish_marking (marking, source, result);
}

/* Exactly those episodes that were otherwise before. */
typedef struct
{
  EarHistory *history;
  EarMarks *marks;
} ManyMarked;

static void
many_marked_free (gpointer data)
{
  ManyMarked *marked = data;

  g_object_unref (marked->history);
  ear_marks_unref (marked->marks);
  g_free (marked);
}

static void
take_marks_back (gpointer user_data)
{
  const ManyMarked *marked = user_data;
  EarHistory *self = marked->history;
  const EarMark mark = ear_episode_state_find_mark (&marked->marks->state);
  const EarMarkTarget target = { .ids = marked->marks->ids };

  if (self->catalogue != NULL)
    ear_catalogue_mark_async (self->catalogue, &target, mark, !marked->marks->state.values[mark], taken_back_cb,
                              marking_new (self, NULL));
}

static void
marked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Marking) marking = user_data;
  EarMarks *marks = finish_marking (marking, source, result);
  g_autofree char *message = marks != NULL ? ear_history_describe (marks) : NULL;
  g_autoptr (EarUndo) undo = NULL;
  ManyMarked *marked;

  if (marks == NULL)
    return;

  marked = g_new0 (ManyMarked, 1);
  marked->history = g_object_ref (marking->history);
  marked->marks = marks;
  undo = ear_undo_new (message, take_marks_back, marked, many_marked_free);
  ear_change_offer_back (marking->change, undo);
}

/**
 * ear_history_set_marks:
 * @self: the history
 * @target: which episodes
 * @mark: which mark, a flag
 * @value: what it is from now on
 *
 * Marks episodes; however many there are, the main thread does not wait. What that changed can be
 * taken back: exactly those episodes that were marked otherwise before. A search may find more than
 * a list of it shows.
 */
void
ear_history_set_marks (EarHistory *self, const EarMarkTarget *target, EarMark mark, gint64 value)
{
  g_return_if_fail (EAR_IS_HISTORY (self));
  g_return_if_fail (target != NULL && (target->ids != NULL || target->query != NULL));
  g_return_if_fail (ear_mark_get_kind (mark) == EAR_MARK_FLAG);

  if (self->catalogue != NULL && (target->ids == NULL || target->ids->len > 0))
    ear_catalogue_mark_async (self->catalogue, target, mark, value, marked_cb,
                              marking_new (self, ear_notices_begin_change (self->notices)));
}
