/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-references.h"

#include "ear-address.h"
#include "ear-list-store.h"
#include "ear-show-notes.h"
#include "ear-thread.h"

/* Maximum number of podcasts searched; notes link to few others. */
#define PODCASTS_LIMIT 5

typedef struct
{
  /* Input of the worker */
  EarNotes *notes;
  gint64 episode;
  EarReferenceSource *source;

  /* Output */
  GPtrArray *out; /* (element-type EarReference): those in its notes, then those to it */
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  ear_notes_unref (work->notes);
  g_clear_pointer (&work->source, ear_reference_source_free);
  g_clear_pointer (&work->out, g_ptr_array_unref);
  g_free (work);
}

void
ear_references_free (EarReferences *self)
{
  g_ptr_array_unref (self->first);
  g_ptr_array_unref (self->refers);
  g_ptr_array_unref (self->referred);
  g_hash_table_unref (self->links);
  g_free (self);
}

/* Adds the episode of a mention if its notes refer to the current episode. */
static void
read_mention (const Work *work, const EarEpisodeNotes *mention)
{
  g_autoptr (EarNotes) notes = ear_show_notes_parse (mention->text, mention->base, 0);
  g_autoptr (GPtrArray) references =
      ear_references_find (notes, mention->episode, work->source->targets);

  for (guint i = 0; i < references->len; i++)
    {
      EarReference *reference = g_ptr_array_index (references, i);

      if (reference->episode != work->episode)
        continue;
      reference = g_ptr_array_steal_index (references, i);
      reference->episode = mention->episode;
      reference->kind = reference->kind == EAR_REFERENCE_AFTER ? EAR_REFERENCE_FIRST
                                                               : EAR_REFERENCE_REFERRED;
      /* Only links in the notes of the current episode keep their address. */
      g_clear_pointer (&reference->address, g_free);
      g_ptr_array_add (work->out, reference);
      return;
    }
}

static void
find_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Work *work = task_data;

  work->out = ear_references_find (work->notes, work->episode, work->source->targets);
  for (guint i = 0; i < work->source->mentions->len && !g_cancellable_is_cancelled (cancellable);
       i++)
    read_mention (work, g_ptr_array_index (work->source->mentions, i));
  g_task_return_pointer (task, work, NULL);
}

static void
source_read_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  Work *work = g_task_get_task_data (task);

  work->source = ear_catalogue_read_finish (EAR_CATALOGUE (object), result, &error);
  if (work->source == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    ear_worker_run (g_steal_pointer (&task), find_thread, NULL);
}

/* Returns the episode's podcast, and those whose website is on a host that the notes link
 * to. */
static GArray *
list_podcasts (EarCatalogue *catalogue, EarEpisode *episode, EarNotes *notes)
{
  GArray *podcasts = ear_ids_new ();
  const gint64 own = ear_podcast_get_id (ear_episode_get_podcast (episode));
  g_autoptr (GHashTable) hosts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GListModel *known = ear_catalogue_get_podcasts (catalogue);
  EarPodcast *podcast;

  g_array_append_val (podcasts, own);
  for (guint i = 0; i < notes->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);

      for (guint j = 0; j < block->spans->len; j++)
        {
          const EarNotesSpan *span = g_ptr_array_index (block->spans, j);
          char *host = ear_address_is_web (span->link) ? ear_address_dup_host (span->link) : NULL;

          if (host != NULL)
            g_hash_table_add (hosts, host);
        }
    }
  for (guint i = 0;
       (podcast = ear_list_peek (known, i)) != NULL && podcasts->len < PODCASTS_LIMIT; i++)
    {
      const gint64 id = ear_podcast_get_id (podcast);
      const char *link = ear_podcast_get_facts (podcast)->link;
      g_autofree char *host = ear_address_is_web (link) ? ear_address_dup_host (link) : NULL;

      if (id != own && host != NULL && g_hash_table_contains (hosts, host))
        g_array_append_val (podcasts, id);
    }

  return podcasts;
}

/* Finds the episodes that an episode refers to, and those that refer to it. */
void
ear_references_load_async (EarCatalogue *catalogue, EarEpisode *episode, EarNotes *notes,
                           GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GArray) podcasts = list_podcasts (catalogue, episode, notes);
  Work *work = g_new0 (Work, 1);
  GTask *task = g_task_new (catalogue, cancellable, callback, user_data);

  work->notes = ear_notes_ref (notes);
  work->episode = ear_episode_get_id (episode);
  g_task_set_source_tag (task, ear_references_load_async);
  g_task_set_task_data (task, work, work_free);
  ear_catalogue_read_async (catalogue, ear_read_references (episode, podcasts), cancellable,
                            source_read_cb, task);
}

EarReferences *
ear_references_load_finish (GAsyncResult *result, GError **error)
{
  GTask *task = G_TASK (result);
  EarCatalogue *catalogue = g_task_get_source_object (task);
  const Work *work = g_task_propagate_pointer (task, error);
  EarReferences *self;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  if (work == NULL)
    return NULL;
  self = g_new0 (EarReferences, 1);
  self->first = g_ptr_array_new_with_free_func (g_object_unref);
  self->refers = g_ptr_array_new_with_free_func (g_object_unref);
  self->referred = g_ptr_array_new_with_free_func (g_object_unref);
  self->links = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  for (guint i = 0; i < work->out->len; i++)
    {
      const EarReference *reference = g_ptr_array_index (work->out, i);
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode (catalogue, reference->episode);
      GPtrArray *list = reference->kind == EAR_REFERENCE_FIRST      ? self->first
                        : reference->kind == EAR_REFERENCE_REFERRED ? self->referred
                                                                    : self->refers;

      if (episode == NULL)
        continue;
      /* An episode is only in the first list that names it. */
      if (g_hash_table_add (seen, episode))
        g_ptr_array_add (list, g_object_ref (episode));
      if (reference->address != NULL)
        g_hash_table_insert (self->links, g_strdup (reference->address),
                             g_steal_pointer (&episode));
    }

  return self;
}
