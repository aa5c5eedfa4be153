/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-documents.h"

#include "ear-document-fetch.h"
#include "ear-document-files.h"
#include "ear-thread.h"
#include "ear-transcript-link.h"
#include "ear-transcript.h"

/* After so many seconds the server is asked again, for the next time. */
#define STALE_SECONDS (G_GINT64_CONSTANT (7) * 24 * 60 * 60)

/* Of what a feed names for an episode, so many are asked for, until one is what it should be. */
#define MOST_PLACES 3

/* What nobody has looked at for that long, in seconds, is thrown away, unless it belongs to a download. */
#define PRUNE_SECONDS (G_GINT64_CONSTANT (90) * 24 * 60 * 60)

/**
 * EarDocuments:
 *
 * What an episode names beside its sound and its notes: files with its chapters or its transcript.
 *
 * A document is fetched when it is wanted, or with the download of its episode. It is kept in the cache, or, as long
 * as its episode is downloaded, with what is the listener's: it is there without a network as the sound is. What we
 * have is given out at once; when it is older than a week, it is fetched again for the next time. Nothing is kept, or takes
 * the place of what is, before it was read: a server, or a network that wants a login, may answer with a page of its own.
 * Where the feed names several, the next best one will do. Main thread only.
 */
struct _EarDocuments
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarHttp *http;
  EarKeyring *keyring;
  EarDownloader *downloader;
  EarDocumentFolders folders;
  EarThread *files;          /* (nullable): until it is needed */
  GCancellable *cancellable; /* of what nobody waits for */
  gboolean stopped;
};

G_DEFINE_FINAL_TYPE (EarDocuments, ear_documents, G_TYPE_OBJECT)

/* --- The files -------------------------------------------------------------------------- */

typedef struct _Load Load;
typedef void (*LoadFunc) (Load *load);

/* Where a document is, and what our file of it is called */
typedef struct
{
  char *address;
  char *mime_type; /* (nullable): what the feed says that it is */
  char *name;
} Place;

/* One document on its way. Each step is done by one thread, and then by the other. */
struct _Load
{
  /* Input, owned */
  EarDocuments *documents;
  EarEpisode *episode;
  GTask *task; /* (nullable): nobody waits for what is fetched for the next time */
  EarDocumentKind kind;
  GPtrArray *places; /* (element-type Place): the best first */
  gsize least;       /* what is fetched must say so much */

  /* In progress, owned */
  LoadFunc work;  /* on the thread of the files */
  LoadFunc then;  /* on the main thread */
  guint at;       /* the place that it is read or fetched from */
  GBytes *bytes;
  gpointer document; /* (nullable): what they tell */
  GError *failure;   /* (nullable): why what was just fetched is of no use */
  GError *error;     /* (nullable): why the best one cannot be had */
  gint64 age;
  gboolean paged;   /* a page came in place of another one */
  gboolean keeping; /* it belongs to a download */
};

static void
place_free (gpointer data)
{
  Place *place = data;

  g_free (place->address);
  g_free (place->mime_type);
  g_free (place->name);
  g_free (place);
}

static void
add_place (GPtrArray *places, EarEpisode *episode, const char *address, const char *mime_type)
{
  g_autofree char *key = ear_episode_dup_key (episode);
  Place *place = g_new0 (Place, 1);

  place->address = g_strdup (address);
  place->mime_type = g_strdup (mime_type);
  place->name = ear_document_files_dup_name (key, address);
  g_ptr_array_add (places, place);
}

static GPtrArray *
list_places (EarEpisode *episode, EarDocumentKind kind)
{
  GPtrArray *places = g_ptr_array_new_with_free_func (place_free);
  const char *chapters = ear_episode_get_facts (episode)->chapters_address;
  g_autoptr (GPtrArray) transcripts = ear_transcript_list_links (episode);

  if (kind == EAR_DOCUMENT_CHAPTERS && chapters != NULL)
    add_place (places, episode, chapters, NULL);
  for (guint i = 0; kind == EAR_DOCUMENT_TRANSCRIPT && i < MIN (transcripts->len, MOST_PLACES); i++)
    {
      const EarTranscriptLink *link = g_ptr_array_index (transcripts, i);

      add_place (places, episode, link->address, link->mime_type);
    }

  return places;
}

static void
load_free (Load *load)
{
  g_object_unref (load->documents);
  g_object_unref (load->episode);
  g_clear_object (&load->task);
  g_ptr_array_unref (load->places);
  g_clear_pointer (&load->bytes, g_bytes_unref);
  g_clear_pointer (&load->document, ear_document_get_destroy (load->kind));
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
  load->places = list_places (episode, kind);

  return load;
}

static void
prune_once (gpointer data)
{
  EarDocuments *self = data;

  ear_document_files_prune (&self->folders, g_get_real_time () / G_USEC_PER_SEC - PRUNE_SECONDS);
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

static const Place *
get_place (Load *load)
{
  return g_ptr_array_index (load->places, load->at);
}

static gpointer
read_bytes (Load *load, GError **error)
{
  return ear_document_read (load->kind, load->bytes, get_place (load)->address, get_place (load)->mime_type, error);
}

/* The best of those that we have. What an earlier version has kept unseen may be of no use: it is fetched again. */
static void
read_work (Load *load)
{
  for (load->at = 0; load->at < load->places->len; load->at++)
    {
      g_clear_pointer (&load->bytes, g_bytes_unref);
      load->bytes = ear_document_files_read (&load->documents->folders, get_place (load)->name, load->keeping, &load->age);
      if (load->bytes == NULL)
        continue;
      load->document = read_bytes (load, NULL);
      if (load->document != NULL)
        return;
      ear_document_files_discard (&load->documents->folders, get_place (load)->name);
    }
}

/* Any page is a transcript where the feed says that this one is written as a page. What came in place of another one is none,
 * nor what says far less than what we have. */
static gboolean
is_believed (Load *load)
{
  const char *text = g_bytes_get_data (load->bytes, NULL);

  return ear_document_weigh (load->kind, load->document) >= load->least && !(load->paged && *text == '<');
}

/* What cannot be written is given out all the same. */
static void
write_work (Load *load)
{
  g_autoptr (GError) error = NULL;

  load->document = read_bytes (load, &load->failure);
  if (load->document == NULL)
    return;
  if (!is_believed (load))
    {
      g_clear_pointer (&load->document, ear_document_get_destroy (load->kind));
      g_set_error_literal (&load->failure, EAR_ERROR, EAR_ERROR_WEB_PAGE, "A page, or far less than what there is");
      return;
    }
  if (!ear_document_files_write (&load->documents->folders, get_place (load)->name, load->keeping, load->bytes, &error))
    g_info ("A document is not kept: %s", error->message);
}

/* --- Loading ---------------------------------------------------------------------------- */

static void
give_out (Load *load)
{
  if (load->task != NULL)
    g_task_return_pointer (load->task, g_steal_pointer (&load->document), ear_document_get_destroy (load->kind));
  load_free (load);
}

static void fetch (Load *load);

/* Goes on with the next best one. If there is none, what is wrong with the best is told.
 * @error: (transfer full): why this one cannot be had */
static void
take_failure (Load *load, GError *error)
{
  const gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_info ("A document is not to be had: %s", error->message);
  load->paged = load->paged || g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE);
  if (load->error == NULL)
    load->error = g_steal_pointer (&error);
  g_clear_error (&error);
  if (!cancelled && load->at + 1 < load->places->len)
    {
      load->at++;
      fetch (load);
      return;
    }
  if (load->task != NULL)
    g_task_return_error (load->task, g_steal_pointer (&load->error));
  load_free (load);
}

static void
written (Load *load)
{
  if (load->document != NULL)
    give_out (load);
  else
    take_failure (load, g_steal_pointer (&load->failure));
}

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Load *load = user_data;
  GError *error = NULL;

  g_clear_pointer (&load->bytes, g_bytes_unref);
  load->bytes = ear_document_fetch_finish (result, &error);
  if (load->bytes != NULL)
    run (load, write_work, written);
  else
    take_failure (load, error);
}

static void
fetch (Load *load)
{
  EarDocuments *self = load->documents;
  EarPodcast *podcast = ear_episode_get_podcast (load->episode);

  ear_document_fetch_async (self->http, self->keyring, ear_podcast_get_address (podcast), get_place (load)->address,
                            load->task != NULL ? g_task_get_cancellable (load->task) : self->cancellable, fetched_cb, load);
}

/* For the next time */
static void
refresh (Load *load)
{
  Load *next = load_new (load->documents, load->episode, load->kind, NULL);

  next->least = ear_document_weigh (load->kind, load->document) / 2;
  if (next->places->len > 0)
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

/**
 * ear_documents_load_async:
 * @episode: an episode
 * @kind: which of the documents that its feed names
 * @callback: called when it is there
 *
 * Reads a document from our files, or else fetches it: 8 MB at most, with the name and the password that its server was
 * told before, if it asks for them. Where there are several of a kind, it is the best one that can be had.
 */
void
ear_documents_load_async (EarDocuments *self, EarEpisode *episode, EarDocumentKind kind,
                          GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;
  Load *load;

  g_return_if_fail (EAR_IS_DOCUMENTS (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_documents_load_async);
  load = load_new (self, episode, kind, task);
  if (load->places->len > 0)
    {
      run (load, read_work, looked);
      return;
    }
  g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_FOUND, "The feed names none");
  load_free (load);
}

/**
 * ear_documents_load_finish:
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: (transfer full) (nullable): what the document tells: EarChapters, or an EarTranscript
 */
gpointer
ear_documents_load_finish (EarDocuments *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_documents_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- Downloads -------------------------------------------------------------------------- */

typedef struct
{
  EarDocuments *documents; /* borrowed: its thread ends before it does */
  char *key;               /* (nullable) */
  GHashTable *keys;        /* (nullable) */
} Sweep;

static void
sweep_once (gpointer data)
{
  Sweep *sweep = data;

  if (sweep->key != NULL)
    ear_document_files_release (&sweep->documents->folders, sweep->key);
  else
    ear_document_files_sweep (&sweep->documents->folders, sweep->keys);
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
  g_autoptr (EarTranscript) transcript = ear_documents_load_finish (EAR_DOCUMENTS (source), result, NULL);

  if (transcript != NULL && !EAR_DOCUMENTS (source)->stopped)
    g_signal_emit_by_name (source, "transcript-kept", episode);
}

/* What can be read without a network, as the sound can be heard */
static void
keep_all (EarDocuments *self, EarEpisode *episode)
{
  ear_documents_load_async (self, episode, EAR_DOCUMENT_CHAPTERS, self->cancellable, NULL, NULL);
  ear_documents_load_async (self, episode, EAR_DOCUMENT_TRANSCRIPT, self->cancellable, transcript_kept_cb, g_object_ref (episode));
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
  g_autoptr (EarEpisode) episode = ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, NULL);

  if (self->stopped)
    return;
  if (episode != NULL && ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE)
    keep_all (self, episode);
  else
    push_sweep (self, key, NULL);
}

/* A download has come, or was removed. */
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

/* Some may have been removed while we were not there. */
static void
loaded_cb (EarDocuments *self)
{
  if (!self->stopped && g_file_test (self->folders.kept, G_FILE_TEST_IS_DIR))
    push_sweep (self, NULL, ear_downloader_dup_keys (self->downloader));
}

/* --- The object ------------------------------------------------------------------------- */

/* Fetches nothing any more that nobody waits for. */
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
  g_clear_object (&self->keyring);
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
  g_signal_new ("transcript-kept", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, EAR_TYPE_EPISODE);

  G_OBJECT_CLASS (klass)->dispose = ear_documents_dispose;
  G_OBJECT_CLASS (klass)->finalize = ear_documents_finalize;
}

static void
ear_documents_init (EarDocuments *self)
{
  self->cancellable = g_cancellable_new ();
}

/* @cache: a folder for what can be had again, which need not be there yet
 * @kept: a folder for what belongs to downloads
 * Returns: (transfer full): the documents */
EarDocuments *
ear_documents_new (EarCatalogue *catalogue, EarHttp *http, EarKeyring *keyring, EarDownloader *downloader,
                   const char *cache, const char *kept)
{
  EarDocuments *self = g_object_new (EAR_TYPE_DOCUMENTS, NULL);

  self->catalogue = g_object_ref (catalogue);
  self->http = g_object_ref (http);
  self->keyring = g_object_ref (keyring);
  self->downloader = g_object_ref (downloader);
  self->folders.cached = g_strdup (cache);
  self->folders.kept = g_strdup (kept);
  g_signal_connect_object (downloader, "loaded", G_CALLBACK (loaded_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (downloader, "moved", G_CALLBACK (moved_cb), self, G_CONNECT_SWAPPED);

  return self;
}

/* Returns: (transfer none): what knows the episodes */
EarCatalogue *
ear_documents_get_catalogue (EarDocuments *self)
{
  g_return_val_if_fail (EAR_IS_DOCUMENTS (self), NULL);

  return self->catalogue;
}
