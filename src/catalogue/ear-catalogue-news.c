/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Main thread: events of the writer. Live objects are updated before any
 * signal is emitted. */

static void
apply_podcast_event (EarCatalogue *self, EarPodcastEvent *event)
{
  EarPodcast *podcast = ear_catalogue_lookup_podcast (self, event->podcast);

  if (podcast == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (podcast));
  if (event->facts != NULL)
    ear_podcast_set_facts (podcast, event->facts);
  if (event->check != NULL)
    ear_catalogue_take_check (self, podcast, g_steal_pointer (&event->check));
  if (event->counted)
    {
      ear_podcast_set_n_episodes (podcast, event->n_episodes);
      ear_podcast_set_n_unplayed (podcast, event->n_unplayed);
    }
  g_object_thaw_notify (G_OBJECT (podcast));

  if (event->rewritten != NULL)
    ear_catalogue_reload_live (self, event->rewritten);
  if (event->states != NULL)
    {
      ear_catalogue_touch (self, podcast);
      ear_catalogue_apply_states (self, event->states);
    }
}

static void
announce_podcast_event (EarCatalogue *self, EarPodcastEvent *event)
{
  /* Emit no signals for podcasts that are not followed any more. */
  gboolean hidden = ear_catalogue_is_hidden (self, event->podcast);

  self->what = event->what;
  if (event->inserted != NULL && !hidden)
    g_signal_emit_by_name (self, "episodes-inserted", event->podcast, event->inserted);
  if (event->arrived != NULL && !hidden)
    g_signal_emit_by_name (self, "episodes-arrived", event->podcast, event->arrived);
  if (event->changed != NULL && !hidden)
    g_signal_emit_by_name (self, "episodes-changed", event->podcast, event->changed);
  if (event->removed != NULL)
    g_signal_emit_by_name (self, "episodes-removed", event->podcast, event->removed);
  if (event->renamed != NULL)
    g_signal_emit_by_name (self, "episodes-renamed", event->podcast, event->renamed);
  self->what = EAR_CHANGE_NONE;
}

/* Applies states and marks in the order of the transaction: a change after marking
 * many episodes wins. */
static void
apply_marks (EarCatalogue *self, EarCatalogueEvent *event)
{
  guint n_acknowledged = 0;

  for (guint i = 0; i < event->marked->len; i++)
    {
      EarMarkedEvent *marked = g_ptr_array_index (event->marked, i);

      if (marked->marks == NULL)
        continue;
      ear_catalogue_acknowledge (self, event->acknowledged, n_acknowledged, marked->n_before);
      n_acknowledged = marked->n_before;
      ear_catalogue_apply_marks (self, marked->marks);
    }
  ear_catalogue_acknowledge (self, event->acknowledged, n_acknowledged, event->acknowledged->len);
}

/* Updates all live objects, then emits the signals. */
void
ear_catalogue_take_event (EarCatalogue *self, EarCatalogueEvent *event)
{
  gboolean any_titles = FALSE;

  apply_marks (self, event);
  for (guint i = 0; i < event->podcasts->len; i++)
    {
      EarPodcastEvent *podcast = g_ptr_array_index (event->podcasts, i);

      apply_podcast_event (self, podcast);
      any_titles |= podcast->facts != NULL;
    }
  /* All at once: during a first fetch, dozens of podcasts get their titles at
   * the same time. */
  if (any_titles)
    ear_catalogue_place_podcasts (self);
  for (guint i = 0; i < event->podcasts->len; i++)
    announce_podcast_event (self, g_ptr_array_index (event->podcasts, i));
  if (event->indexed >= 0)
    ear_catalogue_set_indexed (self, event->indexed);
  if (event->totalled)
    ear_catalogue_set_totals (self, event->news, event->n_in_progress, event->has_liked,
                              event->has_heard);
  if (event->linked)
    g_signal_emit_by_name (self, "links-changed");
  if (event->error != NULL)
    {
      /* Otherwise ear_catalogue_suspect() would not start a check: none starts while the
       * index is being rebuilt. */
      if (event->stopped_indexing)
        self->care.is_indexing = FALSE;
      ear_catalogue_suspect (self, event->error);
      g_signal_emit_by_name (self, "failed", event->error, event->lost_episodes);
    }
  for (guint i = 0; i < event->marked->len; i++)
    {
      EarMarkedEvent *marked = g_ptr_array_index (event->marked, i);

      if (marked->marks != NULL)
        g_task_return_pointer (marked->task, g_steal_pointer (&marked->marks), (GDestroyNotify) ear_marks_unref);
      else
        {
          if (g_task_get_task_data (marked->task) != NULL)
            ear_catalogue_take_marks_back (self, g_task_get_task_data (marked->task));
          g_task_return_error (marked->task, g_steal_pointer (&marked->error));
        }
    }
  for (guint i = 0; i < event->flushed->len; i++)
    g_task_return_boolean (g_ptr_array_index (event->flushed, i), TRUE);
}
