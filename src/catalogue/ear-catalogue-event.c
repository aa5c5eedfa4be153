/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-event.h"

#include "ear-types.h"

static void
podcast_event_free (gpointer data)
{
  EarPodcastEvent *self = data;

  g_clear_pointer (&self->inserted, g_array_unref);
  g_clear_pointer (&self->changed, g_array_unref);
  g_clear_pointer (&self->removed, g_array_unref);
  g_clear_pointer (&self->arrived, g_array_unref);
  g_clear_pointer (&self->rewritten, g_array_unref);
  g_clear_pointer (&self->states, g_array_unref);
  g_clear_pointer (&self->renamed, g_hash_table_unref);
  g_clear_pointer (&self->facts, ear_podcast_facts_unref);
  g_clear_pointer (&self->check, ear_feed_check_free);
  g_free (self);
}

void
ear_podcast_event_append (GArray **ids, gint64 id)
{
  if (*ids == NULL)
    *ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_array_append_val (*ids, id);
}

/* Removes duplicate ids, and those of inserted episodes. */
static void
tidy_ids (GArray **ids, gint64 first_inserted)
{
  guint kept = 0;

  if (*ids == NULL)
    return;
  g_array_sort (*ids, ear_ids_compare);
  for (guint i = 0; i < (*ids)->len; i++)
    {
      gint64 id = g_array_index (*ids, gint64, i);

      if (id < first_inserted && (kept == 0 || g_array_index (*ids, gint64, kept - 1) != id))
        g_array_index (*ids, gint64, kept++) = id;
    }
  g_array_set_size (*ids, kept);
  if (kept == 0)
    g_clear_pointer (ids, g_array_unref);
}

static void
done_event_free (gpointer data)
{
  EarDoneEvent *self = data;

  g_clear_object (&self->task);
  g_clear_pointer (&self->marks, ear_marks_unref);
  g_clear_error (&self->error);
  g_free (self);
}

EarCatalogueEvent *
ear_catalogue_event_new (gint64 first_inserted)
{
  EarCatalogueEvent *self = g_new0 (EarCatalogueEvent, 1);

  self->podcasts = g_ptr_array_new_with_free_func (podcast_event_free);
  self->by_podcast = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->acknowledged = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->done = g_ptr_array_new_with_free_func (done_event_free);
  self->first_inserted = first_inserted;

  return self;
}

void
ear_catalogue_event_free (EarCatalogueEvent *self)
{
  g_hash_table_unref (self->by_podcast);
  g_ptr_array_unref (self->podcasts);
  g_array_unref (self->acknowledged);
  g_ptr_array_unref (self->done);
  g_clear_pointer (&self->news, g_hash_table_unref);
  g_clear_error (&self->error);
  g_free (self);
}

/* @task: (transfer full): task of the caller
 * @marks: (transfer full) (nullable): the marked episodes */
void
ear_catalogue_event_add_done (EarCatalogueEvent *self, GTask *task, EarMarks *marks, guint n_before,
                              const GError *error)
{
  EarDoneEvent *done = g_new0 (EarDoneEvent, 1);

  done->task = task;
  done->marks = marks;
  done->n_before = n_before;
  done->error = error != NULL ? g_error_copy (error) : NULL;
  g_ptr_array_add (self->done, done);
}

/* Returns: (transfer none): the podcast's event, to be extended */
EarPodcastEvent *
ear_catalogue_event_get (EarCatalogueEvent *self, gint64 podcast)
{
  EarPodcastEvent *event = g_hash_table_lookup (self->by_podcast, &podcast);

  if (event == NULL)
    {
      event = g_new0 (EarPodcastEvent, 1);
      event->podcast = podcast;
      g_ptr_array_add (self->podcasts, event);
      g_hash_table_insert (self->by_podcast, &event->podcast, event);
    }

  return event;
}

/* Sorts the ids of changed episodes, and removes duplicates. */
void
ear_catalogue_event_close (EarCatalogueEvent *self)
{
  for (guint i = 0; i < self->podcasts->len; i++)
    {
      EarPodcastEvent *event = g_ptr_array_index (self->podcasts, i);

      tidy_ids (&event->changed, self->first_inserted);
      tidy_ids (&event->rewritten, self->first_inserted);
    }
}

/* @id: row id of an episode that is new, or shown again */
void
ear_podcast_event_insert (EarPodcastEvent *self, gint64 id)
{
  ear_podcast_event_append (&self->inserted, id);
  self->counted = TRUE;
}

void
ear_podcast_event_change (EarPodcastEvent *self, gint64 id, EarEpisodeChange what)
{
  ear_podcast_event_append (&self->changed, id);
  self->what |= what;
  if ((what & EAR_CHANGE_LISTENED) != 0)
    self->counted = TRUE;
}

void
ear_podcast_event_rewrite (EarPodcastEvent *self, gint64 id, EarEpisodeChange what)
{
  ear_podcast_event_append (&self->changed, id);
  ear_podcast_event_append (&self->rewritten, id);
  self->what |= what;
}

void
ear_podcast_event_rename (EarPodcastEvent *self, const char *guid, const char *alias)
{
  if (self->renamed == NULL)
    self->renamed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_replace (self->renamed, g_strdup (guid), g_strdup (alias));
}

/* @state: state from the files; members with a stamp are new */
void
ear_podcast_event_add_state (EarPodcastEvent *self, gint64 id, const EarEpisodeState *state)
{
  EarStoredState change = { .id = id, .state = *state };

  if (self->states == NULL)
    self->states = g_array_new (FALSE, FALSE, sizeof (EarStoredState));
  g_array_append_val (self->states, change);
}
