/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-documents.h"

#include "ear-address.h"
#include "ear-chapters-json.h"
#include "ear-durable.h"
#include "ear-error.h"
#include "ear-thread.h"
#include "ear-transcript-reader.h"
#include "ear-transcript.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* The folders of documents: a cache, which may be cleared at any time, and one for the
 * documents of downloads */
typedef struct
{
  char *cached;
  char *kept;
} EarDocumentFolders;

/* Age after which a document is fetched again, for the next time */
#define STALE_SECONDS (G_GINT64_CONSTANT (7) * 24 * 60 * 60)

/* Maximum number of URLs of a feed that are tried for one document */
#define MOST_PLACES 3

/* Age after which the cache drops a document that was not fetched again */
#define PRUNE_SECONDS (G_GINT64_CONSTANT (90) * 24 * 60 * 60)

/* Documents that a feed names for an episode besides its media and notes: chapters and
 * transcripts.
 * A document is fetched when it is needed, or together with the download of its episode.
 * Documents of downloaded episodes are stored with the downloads, so that they are
 * available offline; all others are in the cache. A stored document is returned at once;
 * if it is older than a week, it is fetched again for the next time. A document is parsed
 * before it is stored or replaces a stored one, because a server, or a network that
 * requires a login, may answer with a web page. If the feed names several, the next best
 * one is used when the best fails. Main thread only. */
struct _EarDocuments
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarHttp *http;
  EarDownloader *downloader;
  EarDocumentFolders folders;
  EarThread *files;          /* (nullable): created when first needed */
  GCancellable *cancellable; /* cancels requests without a caller */
  gboolean stopped;
};

G_DEFINE_FINAL_TYPE (EarDocuments, ear_documents, G_TYPE_OBJECT)

typedef struct _Load Load;
typedef void (*LoadFunc) (Load *load);;

/* A document being loaded. Each step runs on the files thread, then continues on the main
 * thread. */
struct _Load
{
  /* Input, owned */
  EarDocuments *documents;
  EarEpisode *episode;
  GTask *task; /* (nullable): unset for a refresh, which has no caller */
  EarDocumentKind kind;
  GPtrArray *candidates; /* (element-type Candidate): best first */
  gsize least;       /* minimum length of a transcript that is accepted */

  /* In progress, owned */
  LoadFunc work;  /* run on the files thread */
  LoadFunc then;  /* run on the main thread afterwards */
  guint at;       /* index of the current candidate */
  GByteArray *body; /* (nullable): filled by the workers of EarHttp, one after the other */
  GBytes *bytes;
  gpointer document; /* (nullable): the parsed bytes */
  GError *failure;   /* (nullable): why the fetched bytes were rejected */
  GError *error;     /* (nullable): the error of the best candidate */
  gint64 age;
  gboolean paged;   /* a server answered with a web page */
  gboolean keeping; /* the episode is downloaded */
};

typedef struct _Load Load;
typedef void (*LoadFunc) (Load *load);

/* A URL of a document and the name of its local file */
typedef struct
{
  char *address;
  char *mime_type; /* (nullable): its type according to the feed */
  char *name;
} Candidate;

static void
candidate_free (gpointer data)
{
  Candidate *candidate = data;

  g_free (candidate->address);
  g_free (candidate->mime_type);
  g_free (candidate->name);
  g_free (candidate);
}

/* Returns: (transfer full): the file name for the document of an episode at @address */
char *
ear_documents_dup_name (const char *key, const char *address)
{
  g_autofree char *hash = ear_address_hash (address, NULL);

  return g_strconcat (key, "-", hash, NULL);
}

/* Returns: (transfer container) (element-type EarTranscriptLink): the transcripts that
 * the feed names, best first; owned by the episode's facts */
GPtrArray *
ear_transcript_list_links (EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  return ear_transcript_rank (ear_episode_get_facts (episode)->transcripts,
                              podcast != NULL ? ear_podcast_get_facts (podcast)->language : NULL);
}

gboolean
ear_transcript_is_named (EarEpisode *episode)
{
  return ear_episode_get_facts (episode)->transcripts->len > 0;
}

static void
add_candidate (GPtrArray *candidates, EarEpisode *episode, const char *address,
               const char *mime_type)
{
  g_autofree char *key = ear_episode_dup_key (episode);
  Candidate *candidate = g_new0 (Candidate, 1);

  candidate->address = g_strdup (address);
  candidate->mime_type = g_strdup (mime_type);
  candidate->name = ear_documents_dup_name (key, address);
  g_ptr_array_add (candidates, candidate);
}

static GPtrArray *
list_candidates (EarEpisode *episode, EarDocumentKind kind)
{
  GPtrArray *candidates = g_ptr_array_new_with_free_func (candidate_free);
  const char *chapters = ear_episode_get_facts (episode)->chapters_address;
  g_autoptr (GPtrArray) transcripts = ear_transcript_list_links (episode);

  if (kind == EAR_DOCUMENT_CHAPTERS && chapters != NULL)
    add_candidate (candidates, episode, chapters, NULL);
  for (guint i = 0; kind == EAR_DOCUMENT_TRANSCRIPT && i < MIN (transcripts->len, MOST_PLACES); i++)
    {
      const EarTranscriptLink *link = g_ptr_array_index (transcripts, i);

      add_candidate (candidates, episode, link->address, link->mime_type);
    }

  return candidates;
}

/* Returns: the function that frees a parsed document */
static GDestroyNotify
get_destroy (EarDocumentKind kind)
{
  return kind == EAR_DOCUMENT_CHAPTERS ? (GDestroyNotify) ear_chapters_unref
                                       : (GDestroyNotify) ear_transcript_unref;
}

static void
load_free (Load *load)
{
  g_object_unref (load->documents);
  g_object_unref (load->episode);
  g_clear_object (&load->task);
  g_ptr_array_unref (load->candidates);
  g_clear_pointer (&load->body, g_byte_array_unref);
  g_clear_pointer (&load->bytes, g_bytes_unref);
  g_clear_pointer (&load->document, get_destroy (load->kind));
  g_clear_error (&load->failure);
  g_clear_error (&load->error);
  g_free (load);
}

static Load *
load_new (EarDocuments *self, EarEpisode *episode, EarDocumentKind kind, GTask *task)
{
  Load *load = g_new0 (Load, 1);

  load->documents = g_object_ref (self);
  load->episode = g_object_ref (episode);
  load->task = task;
  load->kind = kind;
  load->candidates = list_candidates (episode, kind);

  return load;
}

/* Length of a hash from ear_address_hash() */
#define HASH_LENGTH 32

/* Returns: whether Earmark made the file. Other files in the folders are left alone. */
static gboolean
is_name (const char *name)
{
  return strlen (name) == 2 * HASH_LENGTH + 1 && name[HASH_LENGTH] == '-' &&
         strspn (name, "0123456789abcdef") == HASH_LENGTH &&
         strspn (name + HASH_LENGTH + 1, "0123456789abcdef") == HASH_LENGTH;
}

/* Removes documents last fetched before @oldest from the cache. Documents in use are
 * fetched again from time to time.
 * @oldest: Unix seconds */
static void
files_prune (const EarDocumentFolders *folders, gint64 oldest)
{
  g_autoptr (GDir) dir = g_dir_open (folders->cached, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folders->cached, name, NULL);
      GStatBuf info;

      if (is_name (name) && g_lstat (path, &info) == 0 && info.st_mtime < oldest)
        g_unlink (path);
    }
}

static void
prune_once (gpointer data)
{
  EarDocuments *self = data;

  files_prune (&self->folders, g_get_real_time () / G_USEC_PER_SEC - PRUNE_SECONDS);
}

static void
push (EarDocuments *self, GSourceOnceFunc func, gpointer data)
{
  if (self->files == NULL)
    {
      self->files = ear_thread_new ("earmark-documents", EAR_WORKER_ANSWERS);
      ear_thread_push (self->files, prune_once, self);
    }
  ear_thread_push (self->files, func, data);
}

static void
then_once (gpointer data)
{
  Load *load = data;

  load->then (load);
}

static void
work_once (gpointer data)
{
  Load *load = data;

  load->work (load);
  ear_context_push (NULL, then_once, load, NULL);
}

static void
run (Load *load, LoadFunc work, LoadFunc then)
{
  load->work = work;
  load->then = then;
  load->keeping = ear_episode_get_download (load->episode) == EAR_DOWNLOAD_DONE;
  push (load->documents, work_once, load);
}

static const Candidate *
get_candidate (Load *load)
{
  return g_ptr_array_index (load->candidates, load->at);
}

/* @address: the document's URL
 * @mime_type: (nullable): its type according to the feed
 * Returns: (transfer full) (nullable): the parsed document; %NULL if it is something
 * else, such as the login page of a hotel's network. It may be read from any thread. */
static gpointer
parse_document (EarDocumentKind kind, GBytes *bytes, const char *address, const char *mime_type,
                GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  if (kind == EAR_DOCUMENT_CHAPTERS)
    return ear_chapters_parse_json (text, length, address, error);

  return ear_transcript_read (bytes, mime_type, error);
}

static gpointer
read_bytes (Load *load, GError **error)
{
  return parse_document (load->kind, load->bytes, get_candidate (load)->address,
                         get_candidate (load)->mime_type, error);
}

static gint64
now (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

/* @age: (out): seconds since it was fetched */
static GBytes *
read_file (const char *folder, const char *name, gint64 *age)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GStatBuf info;
  char *text;
  gsize length;

  if (g_lstat (path, &info) != 0 || !S_ISREG (info.st_mode) || info.st_size > EAR_DOCUMENT_LIMIT ||
      !g_file_get_contents (path, &text, &length, NULL))
    return NULL;
  /* A file dated in the future, after the clock was set back, must not count as fresh for
   * years. */
  *age = ABS (now () - (gint64) info.st_mtime);

  return g_bytes_new_take (text, length);
}

/* The file may be lost in a power cut, as it can be fetched again, but must never be
 * incomplete. */
static gboolean
write_file (const char *folder, const char *name, GBytes *bytes, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      ear_durable_set_error (error, errno, folder);
      return FALSE;
    }

  return g_file_set_contents_full (path, text != NULL ? text : "", (gssize) length,
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

static void
remove_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_unlink (path);
}

/* Copies and deletes, as the folders may be on two disks. A file that cannot be moved
 * stays. */
static void
move_file (const char *from, const char *to, const char *name)
{
  gint64 age;
  g_autoptr (GBytes) bytes = read_file (from, name, &age);
  g_autoptr (GError) error = NULL;

  if (bytes == NULL || write_file (to, name, bytes, &error))
    remove_file (from, name);
  else
    g_info ("A document could not be moved: %s", error->message);
}

/* @keeping: whether the document belongs to a download from now on
 * @age: (out): seconds since it was fetched
 * Returns: (transfer full) (nullable): the document, if there is a file of it */
static GBytes *
files_read (const EarDocumentFolders *folders, const char *name, gboolean keeping, gint64 *age)
{
  GBytes *bytes = read_file (folders->kept, name, age);

  if (bytes != NULL)
    return bytes;
  bytes = read_file (folders->cached, name, age);
  if (bytes != NULL && keeping)
    move_file (folders->cached, folders->kept, name);

  return bytes;
}

static void
files_discard (const EarDocumentFolders *folders, const char *name)
{
  remove_file (folders->kept, name);
  remove_file (folders->cached, name);
}

/* Reads the best document that is stored. A file that cannot be parsed, stored by an
 * earlier version that did not check, is discarded and fetched again. */
static void
read_work (Load *load)
{
  for (load->at = 0; load->at < load->candidates->len; load->at++)
    {
      g_clear_pointer (&load->bytes, g_bytes_unref);
      load->bytes = files_read (&load->documents->folders, get_candidate (load)->name,
                                load->keeping, &load->age);
      if (load->bytes == NULL)
        continue;
      load->document = read_bytes (load, NULL);
      if (load->document != NULL)
        return;
      files_discard (&load->documents->folders, get_candidate (load)->name);
    }
}

/* Returns: the length of a transcript's text in bytes; 0 for chapters, which cannot be
 * confused with another document */
static gsize
weigh_document (EarDocumentKind kind, gpointer document)
{
  gsize weight = 0;

  for (guint i = 0; kind == EAR_DOCUMENT_TRANSCRIPT && i < ear_transcript_get_length (document);
       i++)
    weight += strlen (ear_transcript_get (document, i)->text);

  return weight;
}

/* Returns: whether a fetched document is plausible. A feed may name an HTML page as
 * transcript, so any page would be one: reject pages after another URL has answered with
 * a page, and texts far shorter than the stored one. */
static gboolean
is_believed (Load *load)
{
  const char *text = g_bytes_get_data (load->bytes, NULL);

  return weigh_document (load->kind, load->document) >= load->least &&
         !(load->paged && *text == '<');
}

static gboolean
files_write (const EarDocumentFolders *folders, const char *name, gboolean keeping, GBytes *bytes,
             GError **error)
{
  if (!write_file (keeping ? folders->kept : folders->cached, name, bytes, error))
    return FALSE;
  remove_file (keeping ? folders->cached : folders->kept, name);

  return TRUE;
}

/* A document that cannot be written is returned all the same. */
static void
write_work (Load *load)
{
  g_autoptr (GError) error = NULL;

  load->document = read_bytes (load, &load->failure);
  if (load->document == NULL)
    return;
  if (!is_believed (load))
    {
      g_clear_pointer (&load->document, get_destroy (load->kind));
      g_set_error_literal (&load->failure, EAR_ERROR, EAR_ERROR_WEB_PAGE,
                           "A page, or far less than what there is");
      return;
    }
  if (!files_write (&load->documents->folders, get_candidate (load)->name, load->keeping,
                    load->bytes, &error))
    g_info ("A document is not kept: %s", error->message);
}

static void
give_out (Load *load)
{
  if (load->task != NULL)
    g_task_return_pointer (load->task, g_steal_pointer (&load->document),
                           get_destroy (load->kind));
  load_free (load);
}

static void take_failure (Load *load, GError *error);
static void fetch (Load *load);

static void
written (Load *load)
{
  if (load->document != NULL)
    give_out (load);
  else
    take_failure (load, g_steal_pointer (&load->failure));
}

/* On a worker thread */
static gboolean
take_chunk (EarHttpResponse *response, const guint8 *data, gsize length, gpointer user_data,
            GError **error)
{
  g_byte_array_append (((Load *) user_data)->body, data, (guint) length);

  return TRUE;
}

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Load *load = user_data;
  GError *error = NULL;
  g_autoptr (EarHttpResponse) response = ear_http_stream_finish (EAR_HTTP (source), result, &error);

  g_clear_pointer (&load->bytes, g_bytes_unref);
  load->bytes = g_byte_array_free_to_bytes (g_steal_pointer (&load->body));
  if (response != NULL)
    run (load, write_work, written);
  else
    take_failure (load, error);
}

static void
fetch (Load *load)
{
  EarDocuments *self = load->documents;
  g_autoptr (EarHttpRequest) request = ear_http_request_new (get_candidate (load)->address);

  request->podcast = g_strdup (ear_podcast_get_address (ear_episode_get_podcast (load->episode)));
  request->max_bytes = EAR_DOCUMENT_LIMIT;
  load->body = g_byte_array_new ();
  ear_http_stream_async (
      self->http, request, take_chunk, load,
      load->task != NULL ? g_task_get_cancellable (load->task) : self->cancellable, fetched_cb,
      load);
}

/* Tries the next best candidate. If there is none, returns the error of the best one.
 * @error: (transfer full): the error of the current candidate */
static void
take_failure (Load *load, GError *error)
{
  const gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_info ("A document is not to be had: %s", error->message);
  load->paged = load->paged || g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
  if (load->error == NULL)
    load->error = g_steal_pointer (&error);
  g_clear_error (&error);
  if (!cancelled && load->at + 1 < load->candidates->len)
    {
      load->at++;
      fetch (load);
      return;
    }
  if (load->task != NULL)
    g_task_return_error (load->task, g_steal_pointer (&load->error));
  load_free (load);
}

/* Fetches the document again, for the next time. */
static void
refresh (Load *load)
{
  Load *next = load_new (load->documents, load->episode, load->kind, NULL);

  next->least = weigh_document (load->kind, load->document) / 2;
  if (next->candidates->len > 0)
    fetch (next);
  else
    load_free (next);
}

static void
looked (Load *load)
{
  if (load->task != NULL && g_task_return_error_if_cancelled (load->task))
    {
      load_free (load);
      return;
    }
  if (load->document == NULL)
    {
      load->at = 0;
      fetch (load);
      return;
    }
  if (load->age > STALE_SECONDS && !load->documents->stopped)
    refresh (load);
  give_out (load);
}

/* Reads a document from its file, or else fetches it: 8 MB at most, with a known login if
 * the server requires one. If the feed names several of a kind, the best available one is
 * loaded.
 * @episode: an episode
 * @kind: the kind of document
 * @callback: called when the document is loaded */
void
ear_documents_load_async (EarDocuments *self, EarEpisode *episode, EarDocumentKind kind,
                          GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task;
  Load *load;

  g_return_if_fail (EAR_IS_DOCUMENTS (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_documents_load_async);
  load = load_new (self, episode, kind, task);
  if (load->candidates->len > 0)
    {
      run (load, read_work, looked);
      return;
    }
  g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_FOUND, "The feed names none");
  load_free (load);
}

/* @error: return location for an `EAR_ERROR`
 * Returns: (transfer full) (nullable): EarChapters or an EarTranscript */
gpointer
ear_documents_load_finish (EarDocuments *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_documents_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

typedef struct
{
  EarDocuments *documents; /* borrowed: stops the files thread before it is freed */
  char *key;               /* (nullable): the episode to release */
  GHashTable *keys;        /* (nullable): the episodes to keep */
} Sweep;

/* Moves the kept documents of an episode to the cache.
 * @key: the episode's key */
static void
files_release (const EarDocumentFolders *folders, const char *key)
{
  g_autoptr (GDir) dir = g_dir_open (folders->kept, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_name (name) && g_str_has_prefix (name, key))
      move_file (folders->kept, folders->cached, name);
}

/* Moves the kept documents of all other episodes to the cache.
 * @keys: (element-type utf8 utf8): a set of episode keys */
static void
files_sweep (const EarDocumentFolders *folders, GHashTable *keys)
{
  g_autoptr (GDir) dir = g_dir_open (folders->kept, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *key = g_strndup (name, HASH_LENGTH);

      if (is_name (name) && !g_hash_table_contains (keys, key))
        move_file (folders->kept, folders->cached, name);
    }
}

static void
sweep_once (gpointer data)
{
  Sweep *sweep = data;

  if (sweep->key != NULL)
    files_release (&sweep->documents->folders, sweep->key);
  else
    files_sweep (&sweep->documents->folders, sweep->keys);
  g_clear_pointer (&sweep->keys, g_hash_table_unref);
  g_free (sweep->key);
  g_free (sweep);
}

static void
push_sweep (EarDocuments *self, const char *key, GHashTable *keys)
{
  Sweep *sweep = g_new0 (Sweep, 1);

  sweep->documents = self;
  sweep->key = g_strdup (key);
  sweep->keys = keys;
  push (self, sweep_once, sweep);
}

static void
transcript_kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisode) episode = user_data;
  g_autoptr (EarTranscript) transcript =
      ear_documents_load_finish (EAR_DOCUMENTS (source), result, NULL);

  if (transcript != NULL && !EAR_DOCUMENTS (source)->stopped)
    g_signal_emit_by_name (source, "transcript-kept", episode);
}

/* Keeps the documents of a download, so that they can be read offline. */
static void
keep_all (EarDocuments *self, EarEpisode *episode)
{
  ear_documents_load_async (self, episode, EAR_DOCUMENT_CHAPTERS, self->cancellable, NULL, NULL);
  ear_documents_load_async (self, episode, EAR_DOCUMENT_TRANSCRIPT, self->cancellable,
                            transcript_kept_cb, g_object_ref (episode));
}

typedef struct
{
  EarDocuments *documents;
  char *key;
} Moving;

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Moving *moving = user_data;
  g_autoptr (EarDocuments) self = moving->documents;
  g_autofree char *key = moving->key;
  g_autoptr (EarEpisode) episode =
      ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, NULL);

  if (self->stopped)
    return;
  if (episode != NULL && ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE)
    keep_all (self, episode);
  else
    push_sweep (self, key, NULL);
}

/* A download was completed or removed. */
static void
moved_cb (EarDocuments *self, const char *key)
{
  Moving *moving;

  if (self->stopped)
    return;
  moving = g_new0 (Moving, 1);
  moving->documents = g_object_ref (self);
  moving->key = g_strdup (key);
  ear_catalogue_find_key_async (self->catalogue, key, self->cancellable, found_cb, moving);
}

/* Downloads may have been removed while Earmark was not running. */
static void
loaded_cb (EarDocuments *self)
{
  if (!self->stopped && g_file_test (self->folders.kept, G_FILE_TEST_IS_DIR))
    push_sweep (self, NULL, ear_downloader_dup_keys (self->downloader));
}

/* Cancels all requests that have no caller. */
void
ear_documents_stop (EarDocuments *self)
{
  g_return_if_fail (EAR_IS_DOCUMENTS (self));

  self->stopped = TRUE;
  g_cancellable_cancel (self->cancellable);
}

static void
ear_documents_dispose (GObject *object)
{
  EarDocuments *self = EAR_DOCUMENTS (object);

  ear_documents_stop (self);
  g_clear_pointer (&self->files, ear_thread_stop);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->http);
  g_clear_object (&self->downloader);

  G_OBJECT_CLASS (ear_documents_parent_class)->dispose (object);
}

static void
ear_documents_finalize (GObject *object)
{
  EarDocuments *self = EAR_DOCUMENTS (object);

  g_free (self->folders.cached);
  g_free (self->folders.kept);
  g_object_unref (self->cancellable);

  G_OBJECT_CLASS (ear_documents_parent_class)->finalize (object);
}

static void
ear_documents_class_init (EarDocumentsClass *klass)
{
  g_signal_new ("transcript-kept", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 1, EAR_TYPE_EPISODE);

  G_OBJECT_CLASS (klass)->dispose = ear_documents_dispose;
  G_OBJECT_CLASS (klass)->finalize = ear_documents_finalize;
}

static void
ear_documents_init (EarDocuments *self)
{
  self->cancellable = g_cancellable_new ();
}

/* @cache: folder of documents that may be lost; it need not exist
 * @kept: folder of the documents of downloads
 * Returns: (transfer full): the documents */
EarDocuments *
ear_documents_new (const EarServices *services, const char *cache, const char *kept)
{
  EarDocuments *self = g_object_new (EAR_TYPE_DOCUMENTS, NULL);

  self->catalogue = g_object_ref (services->catalogue);
  self->http = g_object_ref (services->http);
  self->downloader = g_object_ref (services->downloader);
  self->folders.cached = g_strdup (cache);
  self->folders.kept = g_strdup (kept);
  g_signal_connect_object (self->downloader, "loaded", G_CALLBACK (loaded_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->downloader, "moved", G_CALLBACK (moved_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}

/* Returns: (transfer none): the catalogue of the episodes */
EarCatalogue *
ear_documents_get_catalogue (EarDocuments *self)
{
  g_return_val_if_fail (EAR_IS_DOCUMENTS (self), NULL);

  return self->catalogue;
}
