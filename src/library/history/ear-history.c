/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-history-private.h"

#include <glib/gi18n-lib.h>

/* Sets the marks of episodes: played, position, like and others. Each mark is stored in
 * the state files and in the catalogue, whose copy serves its filters. A mark of one
 * episode is sent to both at once; marks of many are applied by the catalogue, and the
 * state files then store those that changed. */
G_DEFINE_FINAL_TYPE (EarHistory, ear_history, G_TYPE_OBJECT)

/* Stores a mark in the catalogue and the state files, without Undo. */
void
ear_history_keep (EarHistory *self, EarEpisode *episode, EarMark mark, gint64 value)
{
  const EarEpisodeState state = ear_episode_state_new_mark (mark, value);

  if (self->catalogue == NULL)
    return;
  ear_catalogue_set_state (self->catalogue, episode, &state);
  ear_userdata_store_set_episode (self->state, episode, &state);
}

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
  G_OBJECT_CLASS (klass)->dispose = ear_history_dispose;
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

/* Opens the history and starts to follow the player.
 * @catalogue: receives a copy of the marks, for its filters */
void
ear_history_open (EarHistory *self, EarCatalogue *catalogue, EarUserdataStore *state)
{
  self->catalogue = g_object_ref (catalogue);
  self->state = g_object_ref (state);
  /* Earmark may have been killed after the catalogue stored marks and before the state
   * files did. */
  ear_catalogue_review_marks (catalogue, review_cb, g_object_ref (state), g_object_unref);
  ear_history_follow_player (self);
}

/* Stores the position, and no marks from now on. */
void
ear_history_close (EarHistory *self)
{
  ear_history_leave_episode (self);
  ear_history_leave_player (self);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->state);
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

static void
take_back (gpointer owner, gpointer data)
{
  const GArray *before = data;

  for (guint i = 0; i < before->len; i++)
    {
      const EarEpisodeMark *mark = &g_array_index (before, EarEpisodeMark, i);

      ear_history_keep (owner, mark->episode, mark->mark, mark->value);
    }
}

/* Sets marks of a few episodes. Can be undone in one step.
 * @marks: (element-type EarEpisodeMark): the new marks
 * @message: (nullable): the message of the notice, or %NULL if the change is visible */
void
ear_history_set_each (EarHistory *self, GArray *marks, const char *message)
{
  g_autoptr (GArray) before = ear_episode_marks_new ();
  g_autoptr (EarUndo) undo = NULL;

  g_return_if_fail (EAR_IS_HISTORY (self));

  for (guint i = 0; self->catalogue != NULL && i < marks->len; i++)
    {
      const EarEpisodeMark *mark = &g_array_index (marks, EarEpisodeMark, i);
      const EarEpisodeMark old = { mark->episode, mark->mark,
                                   ear_episode_get_mark (mark->episode, mark->mark) };

      if (old.value == ear_mark_bound (mark->mark, mark->value))
        continue;
      g_object_ref (old.episode);
      g_array_append_val (before, old);
      ear_history_keep (self, mark->episode, mark->mark, mark->value);
    }
  if (before->len == 0)
    return;
  undo = ear_undo_new (message, take_back, self, g_steal_pointer (&before),
                       (GDestroyNotify) g_array_unref);
  ear_notices_offer_undo (self->notices, undo);
}

/* Sets marks automatically, as the listener's settings ask for, without Undo.
 * @marks: (element-type EarEpisodeMark): the new marks */
void
ear_history_keep_each (EarHistory *self, GArray *marks)
{
  g_return_if_fail (EAR_IS_HISTORY (self));

  for (guint i = 0; i < marks->len; i++)
    {
      const EarEpisodeMark *mark = &g_array_index (marks, EarEpisodeMark, i);

      ear_history_keep (self, mark->episode, mark->mark, mark->value);
    }
}

/* Sets a mark of an episode. Can be undone. Only a removal from a list has a message;
 * other marks are visible.
 * @mark: the mark
 * @value: its new value */
void
ear_history_set_mark (EarHistory *self, EarEpisode *episode, EarMark mark, gint64 value)
{
  g_autoptr (GArray) marks = NULL;
  const EarEpisodeMark one = { episode, mark, value };

  g_return_if_fail (EAR_IS_HISTORY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  g_object_ref (episode);
  marks = ear_episode_marks_new ();
  g_array_append_val (marks, one);
  ear_history_set_each (self, marks,
                        mark == EAR_MARK_REMOVED && value ? _("Removed from the list") : NULL);
}

/* Returns: (transfer full): the message of the notice */
static char *
describe_listened (guint n, gboolean listened)
{
  if (listened)
    /* Translators: %u is the number of episodes just marked. */
    return g_strdup_printf (
        ngettext ("%'u episode marked as played", "%'u episodes marked as played", n), n);

  /* Translators: %u is the number of episodes just marked. */
  return g_strdup_printf (
      ngettext ("%'u episode marked as unplayed", "%'u episodes marked as unplayed", n), n);
}

static char *
describe_liked (guint n, gboolean liked)
{
  if (liked)
    /* Translators: %u is the number of episodes just liked. */
    return g_strdup_printf (ngettext ("%'u episode liked", "%'u episodes liked", n), n);

  /* Translators: %u is the number of episodes just unliked. */
  return g_strdup_printf (ngettext ("%'u episode unliked", "%'u episodes unliked", n), n);
}

static char *
describe_removed (guint n, gboolean removed)
{
  /* Translators: %u is the number of episodes just removed from New or In Progress. */
  return removed ? g_strdup_printf (ngettext ("%'u episode removed from the list",
                                              "%'u episodes removed from the list", n),
                                    n)
                 : NULL;
}

static char *(*const words[EAR_N_MARKS]) (guint n, gboolean value) = {
  [EAR_MARK_LISTENED] = describe_listened,
  [EAR_MARK_LIKED] = describe_liked,
  [EAR_MARK_REMOVED] = describe_removed,
};

static char *
describe (const EarMarks *marks)
{
  const EarMark mark = ear_episode_state_find_mark (&marks->state);

  return words[mark] != NULL ? words[mark] (marks->ids->len, marks->state.values[mark] != 0) : NULL;
}

typedef struct
{
  EarHistory *history;
  EarUserdataStore *state; /* receives the result even after the history was closed */
  EarChange *change;    /* (nullable): %NULL during Undo */
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

/* Sends the changed marks from the catalogue to the state files, which store them on
 * their own thread.
 * Returns: (transfer full) (nullable): the changed marks; %NULL if there are none */
static EarMarks *
finish_marking (Marking *marking, GObject *source, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarMarks) marks = ear_catalogue_mark_finish (EAR_CATALOGUE (source), result, &error);

  if (marks == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
    ear_notices_add (marking->history->notices,
                     _("The changes could not be saved. Is the disk full?"), TRUE);
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

/* Restores the mark of exactly those episodes that were changed. */
static void
take_marks_back (gpointer owner, gpointer data)
{
  EarHistory *self = owner;
  const EarMarks *marks = data;
  const EarMark mark = ear_episode_state_find_mark (&marks->state);
  const EarMarkTarget target = { .ids = marks->ids };

  if (self->catalogue != NULL)
    ear_catalogue_mark_async (self->catalogue, &target, mark, !marks->state.values[mark],
                              taken_back_cb, marking_new (self, NULL));
}

static void
marked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Marking) marking = user_data;
  EarMarks *marks = finish_marking (marking, source, result);
  g_autofree char *message = marks != NULL ? describe (marks) : NULL;
  g_autoptr (EarUndo) undo = NULL;

  if (marks == NULL)
    return;

  undo = ear_undo_new (message, take_marks_back, marking->history, marks,
                       (GDestroyNotify) ear_marks_unref);
  ear_change_offer_back (marking->change, undo);
}

/* Sets a mark of any number of episodes without blocking the main thread. Undo restores
 * exactly those episodes whose mark changed. The query of a search may match more
 * episodes than its list shows.
 * @target: the episodes
 * @mark: the mark, a flag
 * @value: its new value */
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
