/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-loader.h"

#include "ear-show-notes.h"
#include "ear-thread.h"

/* Input of the worker */
typedef struct
{
  char *source;
  char *base;
  gint64 duration;
} NotesSource;

static EAR_DEFINE_TEXTS_FREE (NotesSource, notes_source_free, base)

static void
parse_notes_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  NotesSource *notes = task_data;

  g_task_return_pointer (task,
                         ear_show_notes_parse (notes->source, notes->base, notes->duration),
                         (GDestroyNotify) ear_notes_unref);
}

static void
notes_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarEpisodeNotes) read = ear_catalogue_read_finish (EAR_CATALOGUE (source), result,
                                                                &error);
  NotesSource *notes = g_task_get_task_data (task);

  if (read == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  notes->source = g_steal_pointer (&read->text);
  if (read->base != NULL)
    g_set_str (&notes->base, read->base);
  if (notes->source == NULL)
    g_task_return_pointer (task, ear_notes_new (), (GDestroyNotify) ear_notes_unref);
  else
    ear_worker_run (g_steal_pointer (&task), parse_notes_thread, (GDestroyNotify) ear_notes_unref);
}

/* Parses a given text on a worker.
 * @text: (nullable): HTML or plain text, such as the description of a podcast
 * @base: (nullable): the base URL of its links */
void
ear_notes_parse_async (const char *text, const char *base, GAsyncReadyCallback callback,
                       gpointer user_data)
{
  NotesSource *notes = g_new0 (NotesSource, 1);
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  notes->source = g_strdup (text != NULL ? text : "");
  notes->base = g_strdup (base);
  g_task_set_source_tag (task, ear_notes_parse_async);
  g_task_set_task_data (task, notes, (GDestroyNotify) notes_source_free);
  ear_worker_run (task, parse_notes_thread, (GDestroyNotify) ear_notes_unref);
}

/* Reads the show notes of an episode on the catalogue's reader thread and parses them on
 * a worker. */
void
ear_notes_load_async (EarCatalogue *catalogue, EarEpisode *episode,
                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  NotesSource *notes = g_new0 (NotesSource, 1);
  GTask *task = g_task_new (catalogue, cancellable, callback, user_data);

  notes->base = g_strdup (ear_podcast_get_feed_address (ear_episode_get_podcast (episode)));
  notes->duration = ear_episode_get_duration (episode);
  g_task_set_source_tag (task, ear_notes_load_async);
  g_task_set_task_data (task, notes, (GDestroyNotify) notes_source_free);
  ear_catalogue_read_async (catalogue, ear_read_notes (episode), cancellable, notes_loaded_cb,
                            task);
}

/* Returns: (transfer full) (nullable): the notes, without blocks if the episode has none */
EarNotes *
ear_notes_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
