/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-documents.h"

#include "ear-address.h"
#include "ear-chapters-json.h"
#include "ear-error.h"
#include "ear-property.h"
#include "ear-thread.h"
#include "ear-transcript-reader.h"
#include "ear-transcript.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

/* Age at which a document is deleted, and then fetched again when it is needed, unless its
 * episode is downloaded */
#define PRUNE_SECONDS (G_GINT64_CONSTANT (7) * 24 * 60 * 60)

/* Maximum number of URLs of a feed that are tried for one document */
#define MOST_PLACES 3

/* Length of a hash from ear_address_hash() */
#define HASH_LENGTH 32

/* Documents that a feed names for an episode besides its media and notes: chapters and
 * transcripts.
 * A document is fetched when it is needed, or together with the download of its episode,
 * so that it is available offline. A stored document is used as long as it is there: a week,
 * or as long as the download. A document is parsed before it is stored, because a server,
 * or a network that requires a login, may answer with a web page. If the feed names several,
 * the next best one is used when the best fails. Main thread only. */
struct _EarDocuments
{
  EAR_PART_MEMBERS;

  /* Owned */
  char *folder;
  GCancellable *cancellable; /* cancels requests without a caller */
};

G_DEFINE_FINAL_TYPE (EarDocuments, ear_documents, EAR_TYPE_PART)

/* A document being loaded. A worker thread reads and writes its file. */
typedef struct
{
  /* Owned */
  EarEpisode *episode;
  EarEpisodeFacts *facts;
  GPtrArray *links; /* (element-type EarTranscriptLink): URLs of the document, best first */
  char *key;        /* of the episode */
  GByteArray *body;      /* (nullable): filled by the workers of EarHttp, one after the other */
  gpointer document;     /* (nullable): the parsed bytes */
  GError *failure;       /* (nullable): why the fetched bytes were rejected */
  GError *error;         /* (nullable): the error of the best link */

  const char *folder; /* the folder of documents, which the task keeps with its object */
  EarDocumentKind kind;
  gint64 duration; /* of the episode */
  guint at;        /* index of the current link */
  gboolean paged;  /* a server answered with a web page */
} Load;

/* Returns: the function that frees a parsed document */
static GDestroyNotify
get_destroy (EarDocumentKind kind)
{
  return kind == EAR_DOCUMENT_CHAPTERS ? (GDestroyNotify) g_ptr_array_unref
                                       : (GDestroyNotify) ear_transcript_unref;
}

static void
load_free (gpointer data)
{
  Load *load = data;

  g_object_unref (load->episode);
  ear_episode_facts_unref (load->facts);
  g_ptr_array_unref (load->links);
  g_free (load->key);
  g_clear_pointer (&load->body, g_byte_array_unref);
  g_clear_pointer (&load->document, get_destroy (load->kind));
  g_clear_error (&load->failure);
  g_clear_error (&load->error);
  g_free (load);
}

/* Returns: (transfer full): the file name for the document of an episode at @address */
char *
ear_documents_dup_name (const char *key, const char *address)
{
  g_autofree char *hash = ear_address_hash (address, NULL);

  return g_strconcat (key, "-", hash, NULL);
}

gboolean
ear_transcript_is_named (EarEpisode *episode)
{
  return ear_episode_get_facts (episode)->transcripts->len > 0;
}

static const EarTranscriptLink *
get_link (Load *load)
{
  return g_ptr_array_index (load->links, load->at);
}

/* Returns: (transfer full): the local file of the current link */
static char *
dup_path (Load *load)
{
  g_autofree char *name = ear_documents_dup_name (load->key, get_link (load)->address);

  return g_build_filename (load->folder, name, NULL);
}

/* On a worker thread.
 * Returns: (transfer full) (nullable): the parsed document; %NULL if it is something else,
 * such as the login page of a hotel's network */
static gpointer
parse_document (Load *load, GBytes *bytes, GError **error)
{
  const EarTranscriptLink *link = get_link (load);
  g_autoptr (EarTranscript) cues = NULL;
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  if (load->kind == EAR_DOCUMENT_CHAPTERS)
    return ear_chapters_parse_json (text, length, link->address, error);
  cues = ear_transcript_read (bytes, link->mime_type, error);

  return cues != NULL ? ear_transcript_make_sentences (cues, load->duration) : NULL;
}

static GBytes *
read_file (const char *path)
{
  GStatBuf info;
  char *text;
  gsize length;

  if (g_lstat (path, &info) != 0 || !S_ISREG (info.st_mode) || info.st_size > EAR_DOCUMENT_LIMIT ||
      !g_file_get_contents (path, &text, &length, NULL))
    return NULL;

  return g_bytes_new_take (text, length);
}

/* Reads the best document that is stored. A file that cannot be parsed is discarded and
 * fetched again. */
static void
read_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Load *load = task_data;

  for (load->at = 0; load->at < load->links->len && load->document == NULL; load->at++)
    {
      g_autofree char *path = dup_path (load);
      g_autoptr (GBytes) bytes = read_file (path);

      if (bytes == NULL)
        continue;
      load->document = parse_document (load, bytes, NULL);
      if (load->document == NULL)
        g_unlink (path);
    }
  g_task_return_pointer (task, load, NULL);
}

/* Parses and stores a fetched document. The file may be lost in a power cut, as it can be
 * fetched again, but is never incomplete. A feed may name an HTML page as transcript, so
 * any page would be one: pages are rejected after another URL has answered with a page. */
static void
parse_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Load *load = task_data;
  g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (g_steal_pointer (&load->body));
  g_autofree char *path = dup_path (load);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  load->document = parse_document (load, bytes, &load->failure);
  if (load->document != NULL && load->paged && *text == '<')
    {
      g_clear_pointer (&load->document, get_destroy (load->kind));
      g_set_error_literal (&load->failure, EAR_ERROR, EAR_ERROR_WEB_PAGE, "Another page");
    }
  /* A document that cannot be written is returned all the same. */
  if (load->document != NULL &&
      (g_mkdir_with_parents (load->folder, 0700) != 0 ||
       !g_file_set_contents_full (path, text, (gssize) length,
                                  G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL)))
    g_info ("A document could not be stored in %s", load->folder);
  g_task_return_pointer (task, load, NULL);
}

static void fetch (GTask *task);

/* Tries the next best link. If there is none, returns the error of the best one.
 * @task: (transfer full)
 * @error: (transfer full): the error of the current link */
static void
take_failure (GTask *task, GError *error)
{
  g_autoptr (GTask) ended = task;
  Load *load = g_task_get_task_data (task);
  const gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_info ("A document is not to be had: %s", error->message);
  load->paged = load->paged || g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
  if (load->error == NULL)
    load->error = g_steal_pointer (&error);
  g_clear_error (&error);
  if (cancelled || ++load->at == load->links->len)
    g_task_return_error (task, g_steal_pointer (&load->error));
  else
    fetch (g_steal_pointer (&ended));
}

/* A worker has read or parsed the document. Adds a transcript to the search index. */
static void
parsed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarDocuments *self = g_task_get_source_object (task);
  Load *load = g_task_get_task_data (task);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (load->document == NULL && load->failure == NULL)
    {
      /* None is stored. */
      load->at = 0;
      fetch (g_steal_pointer (&task));
      return;
    }
  if (load->document == NULL)
    {
      take_failure (g_steal_pointer (&task), g_steal_pointer (&load->failure));
      return;
    }
  if (load->kind == EAR_DOCUMENT_TRANSCRIPT)
    ear_catalogue_store_transcript (self->catalogue, load->episode, load->document);
  g_task_return_pointer (task, g_steal_pointer (&load->document), get_destroy (load->kind));
}

/* Runs a function on a worker.
 * @task: (transfer full) */
static void
run (GTask *task, GTaskThreadFunc func)
{
  GTask *step = g_task_new (NULL, NULL, parsed_cb, task);

  g_task_set_source_tag (step, run);
  g_task_set_task_data (step, g_task_get_task_data (task), NULL);
  ear_worker_run (step, func, NULL);
}

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = user_data;
  Load *load = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (EarHttpResponse) response = ear_http_stream_finish (EAR_HTTP (source), result, &error);

  if (response != NULL)
    {
      run (task, parse_thread);
      return;
    }
  g_clear_pointer (&load->body, g_byte_array_unref);
  take_failure (task, error);
}

/* @task: (transfer full) */
static void
fetch (GTask *task)
{
  EarDocuments *self = g_task_get_source_object (task);
  Load *load = g_task_get_task_data (task);
  g_autoptr (EarHttpRequest) request = ear_http_request_new (get_link (load)->address);

  request->podcast = g_strdup (ear_podcast_get_address (ear_episode_get_podcast (load->episode)));
  request->max_bytes = EAR_DOCUMENT_LIMIT;
  load->body = g_byte_array_new ();
  ear_http_stream_async (self->http, request, ear_http_collect_chunk, load->body,
                         g_task_get_cancellable (task), fetched_cb, task);
}

/* Reads a document from its file, or else fetches it: 8 MB at most, with a known login if
 * the server requires one. If the feed names several of a kind, the best available one is
 * loaded. */
void
ear_documents_load_async (EarDocuments *self, EarEpisode *episode, EarDocumentKind kind,
                          GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  Load *load = g_new0 (Load, 1);

  load->episode = g_object_ref (episode);
  load->facts = ear_episode_facts_ref (ear_episode_get_facts (episode));
  load->folder = self->folder;
  load->key = ear_episode_dup_key (episode);
  load->kind = kind;
  load->duration = ear_episode_get_duration (episode);
  if (kind == EAR_DOCUMENT_TRANSCRIPT)
    {
      load->links =
          ear_transcript_rank (load->facts->transcripts, ear_podcast_get_facts (podcast)->language);
      g_ptr_array_set_size (load->links, (int) MIN (load->links->len, MOST_PLACES));
    }
  else
    {
      load->links = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_transcript_link_free);
      if (load->facts->chapters_address != NULL)
        {
          EarTranscriptLink *link = ear_transcript_link_new ();

          link->address = g_strdup (load->facts->chapters_address);
          g_ptr_array_add (load->links, link);
        }
    }
  g_task_set_source_tag (task, ear_documents_load_async);
  g_task_set_task_data (task, load, load_free);
  if (load->links->len > 0)
    run (g_steal_pointer (&task), read_thread);
  else
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_FOUND, "The feed names none");
}

/* @error: return location for an `EAR_ERROR`
 * Returns: (transfer full) (nullable): an array of EarChapter, or an EarTranscript */
gpointer
ear_documents_load_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_documents_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Loads the documents of a download, so that they can be read offline. */
static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDocuments) self = user_data;
  g_autoptr (EarEpisode) episode =
      ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, NULL);

  if (episode == NULL || ear_episode_get_download (episode) != EAR_DOWNLOAD_DONE)
    return;
  ear_documents_load_async (self, episode, EAR_DOCUMENT_CHAPTERS, self->cancellable, NULL, NULL);
  ear_documents_load_async (self, episode, EAR_DOCUMENT_TRANSCRIPT, self->cancellable, NULL, NULL);
}

/* A download was completed or removed. */
static void
moved_cb (EarDocuments *self, const char *key)
{
  if (!g_cancellable_is_cancelled (self->cancellable))
    ear_catalogue_read_async (self->catalogue, ear_read_keys ((const char *const[]){ key, NULL }),
                              self->cancellable, found_cb, g_object_ref (self));
}

typedef struct
{
  char *folder;
  GHashTable *keys; /* (element-type utf8 utf8): a set of keys of downloaded episodes */
} Pruning;

static void
pruning_free (gpointer data)
{
  Pruning *pruning = data;

  g_free (pruning->folder);
  g_hash_table_unref (pruning->keys);
  g_free (pruning);
}

/* Deletes old documents. Dates in the future, after the clock was set back, are not old. Files
 * that Earmark did not make are left alone. */
static void
prune_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Pruning *pruning = task_data;
  const gint64 oldest = g_get_real_time () / G_USEC_PER_SEC - PRUNE_SECONDS;
  g_autoptr (GDir) dir = g_dir_open (pruning->folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (pruning->folder, name, NULL);
      g_autofree char *key = g_strndup (name, HASH_LENGTH);
      GStatBuf info;

      if (ear_address_is_hash (key) && name[HASH_LENGTH] == '-' &&
          ear_address_is_hash (name + HASH_LENGTH + 1) &&
          !g_hash_table_contains (pruning->keys, key) && g_lstat (path, &info) == 0 &&
          info.st_mtime < oldest)
        g_unlink (path);
    }
  g_task_return_pointer (task, NULL, NULL);
}

/* The downloads are known. */
static void
loaded_cb (EarDocuments *self)
{
  GTask *task = g_task_new (NULL, NULL, NULL, NULL);
  Pruning *pruning = g_new0 (Pruning, 1);

  pruning->folder = g_strdup (self->folder);
  pruning->keys = ear_downloader_dup_keys (self->downloader);
  g_task_set_source_tag (task, loaded_cb);
  g_task_set_task_data (task, pruning, pruning_free);
  ear_worker_run (task, prune_thread, NULL);
}

/* Cancels all requests that have no caller. */
void
ear_documents_stop (EarDocuments *self)
{
  g_cancellable_cancel (self->cancellable);
}

static void
ear_documents_release (EarDocuments *self)
{
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->folder, g_free);
}

static void
ear_documents_class_init (EarDocumentsClass *klass)
{
  ear_class_set_release (klass, ear_documents_release);
}

static void
ear_documents_init (EarDocuments *self)
{
  self->cancellable = g_cancellable_new ();
}

/* @folder: the folder of documents; it need not exist */
EarDocuments *
ear_documents_new (const EarServices *services, const char *folder)
{
  EarDocuments *self = ear_part_new (EAR_TYPE_DOCUMENTS, services);

  self->folder = g_strdup (folder);
  ear_connect (self->downloader, "loaded", loaded_cb, self);
  ear_connect (self->downloader, "moved", moved_cb, self);

  return self;
}
