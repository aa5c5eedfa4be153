/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapter-finder.h"

#include "ear-comment-chapters.h"
#include "ear-id3.h"
#include "ear-media-head.h"
#include "ear-media-tag.h"
#include "ear-notes-loader.h"
#include "ear-property.h"
#include "ear-thread.h"

/* Feeds round durations, and those of some MP3 files are estimates. A larger difference
 * means that the media differs from what the feed describes, for example by inserted
 * advertisements. */
#define SAME_LENGTH (5 * G_TIME_SPAN_SECOND)

/* Milliseconds after which sources still loading are not waited for */
#define PATIENCE 250

/* Sources of chapters, best first: structured data is better than times in a text. */
typedef enum
{
  SOURCE_DOCUMENT, /* Podcasting 2.0 */
  SOURCE_FEED,     /* Podlove */
  SOURCE_MEDIA,
  SOURCE_NOTES,
  N_SOURCES,
} Source;

/* Collects the chapters of an episode from all sources and merges them into one list.
 * Main thread only; workers read files. */
struct _EarChapterFinder
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarEpisode *episode; /* (nullable) */
  GPtrArray *sources[N_SOURCES]; /* (nullable elements): %NULL while unknown */
  GPtrArray *chapters;           /* (element-type EarChapter): merged */
  GSignalGroup *episode_signals;
  GCancellable *cancellable;
  guint n_pending; /* number of sources being read */
  guint patience;  /* timeout source */
  gint64 duration; /* microseconds; that of the episode, if known */
  gboolean settled;
  gboolean knows_notes;
};

G_DEFINE_FINAL_TYPE (EarChapterFinder, ear_chapter_finder, EAR_TYPE_PART)

/* Adds the pictures embedded in the media to the cover cache, or removes them.
 * @gives: whether to add them */
static void
register_pictures (EarChapterFinder *self, gboolean gives)
{
  for (guint i = 0; i < self->chapters->len; i++)
    {
      const EarChapter *chapter = ear_chapters_get (self->chapters, i);

      if (chapter->picture != NULL && gives)
        ear_cover_cache_give (self->covers, chapter->image, chapter->picture);
      else if (chapter->picture != NULL)
        ear_cover_cache_take_back (self->covers, chapter->image);
    }
}

/* Returns: whether the length of the media differs from that in the feed, so that the
 * positions of the feed's chapters are wrong */
static gboolean
is_shifted (EarChapterFinder *self, gint64 measured)
{
  const gint64 claimed = self->episode != NULL ? ear_episode_get_facts (self->episode)->duration
                                               : EAR_DURATION_UNKNOWN;
  GPtrArray *own = self->sources[SOURCE_MEDIA];
  const guint count = own != NULL ? own->len : 0;

  if (claimed <= 0 || own == NULL)
    return FALSE;
  if (measured > 0)
    return ABS (measured - claimed) > SAME_LENGTH;

  return count > 0 && ear_chapters_get (own, count - 1)->end > claimed + SAME_LENGTH;
}

/* Only a measured length removes chapters beyond it; a length in the feed is less
 * reliable than the chapters.
 * Returns: whether the merged list has changed */
static gboolean
update (EarChapterFinder *self)
{
  const gint64 measured =
      self->episode != NULL ? ear_episode_get_measured (self->episode) : EAR_DURATION_UNKNOWN;
  GPtrArray *own[] = { self->sources[SOURCE_MEDIA], self->sources[SOURCE_DOCUMENT],
                         self->sources[SOURCE_FEED], self->sources[SOURCE_NOTES] };
  g_autoptr (GPtrArray) merged =
      ear_chapters_merge (is_shifted (self, measured) ? own : self->sources, N_SOURCES, measured);

  if (ear_chapters_equal (self->chapters, merged))
    return FALSE;

  register_pictures (self, FALSE);
  g_ptr_array_unref (self->chapters);
  self->chapters = g_steal_pointer (&merged);
  register_pictures (self, TRUE);
  ear_notify (self, "chapters");

  return TRUE;
}

/* Adds the chapters to the search index once all sources are read. */
static void
store (EarChapterFinder *self)
{
  if (self->n_pending == 0 && self->knows_notes && self->chapters->len > 0)
    ear_catalogue_store_chapters (self->catalogue, self->episode, self->chapters);
}

/* The sources were read, or were waited for long enough. */
static void
settle (gpointer user_data)
{
  EarChapterFinder *self = user_data;

  g_clear_handle_id (&self->patience, g_source_remove);
  ear_property_set_boolean (self, "settled", TRUE);
}

/* @chapters: (nullable) (transfer full): the chapters of the source
 * @error: (nullable): why there are none */
static void
end (EarChapterFinder *self, Source source, GPtrArray *chapters, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_pointer (&self->sources[source], g_ptr_array_unref);
  self->sources[source] = chapters;
  self->knows_notes = self->knows_notes || source == SOURCE_NOTES;
  update (self);
  if (--self->n_pending > 0)
    return;
  settle (self);
  store (self);
}

static void
document_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarChapterFinder) self = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *chapters = ear_documents_load_finish (result, &error);

  end (self, SOURCE_DOCUMENT, chapters, error);
}

static void
read_media_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GFile) file = g_file_new_for_path (task_data);
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, NULL);
  g_autoptr (EarMediaHead) head =
      stream != NULL ? ear_media_head_read (G_INPUT_STREAM (stream), cancellable) : NULL;

  g_task_return_pointer (task, head != NULL ? g_ptr_array_ref (head->chapters) : NULL,
                         (GDestroyNotify) g_ptr_array_unref);
}

static void
media_read_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  EarChapterFinder *self = EAR_CHAPTER_FINDER (object);
  g_autoptr (GError) error = NULL;
  GPtrArray *chapters = g_task_propagate_pointer (G_TASK (result), &error);

  /* Keep the longer list of the file and of the stream's tags. */
  if (chapters != NULL && self->sources[SOURCE_MEDIA] != NULL &&
      chapters->len < self->sources[SOURCE_MEDIA]->len)
    {
      g_ptr_array_unref (chapters);
      chapters = g_ptr_array_ref (self->sources[SOURCE_MEDIA]);
    }
  end (self, SOURCE_MEDIA, chapters, error);
}

/* @data: (transfer full): the data of the worker's function */
static void
read_on_worker (EarChapterFinder *self, GTaskThreadFunc func, gpointer data, GDestroyNotify destroy)
{
  GTask *task = g_task_new (self, self->cancellable, media_read_cb, NULL);

  self->n_pending++;
  g_task_set_source_tag (task, read_on_worker);
  g_task_set_task_data (task, data, destroy);
  ear_worker_run (task, func, (GDestroyNotify) g_ptr_array_unref);
}

static void
read_media (EarChapterFinder *self)
{
  char *file = ear_downloader_dup_file (self->downloader, self->episode);

  if (file != NULL)
    read_on_worker (self, read_media_thread, file, g_free);
}

static void
read_tags_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GPtrArray *tags = task_data;
  g_autoptr (EarCommentChapters) comments = ear_comment_chapters_new ();
  g_autoptr (GPtrArray) frames = ear_chapters_new ();
  GPtrArray *chapters;

  for (guint i = 0; i < tags->len; i++)
    {
      const EarMediaTag *tag = g_ptr_array_index (tags, i);
      gsize length;
      const char *bytes = g_bytes_get_data (tag->bytes, &length);
      g_autofree char *comment = tag->version == 0 ? g_strndup (bytes, length) : NULL;

      if (comment != NULL)
        ear_comment_chapters_add (comments, comment);
      else
        ear_id3_read_frame ((const guint8 *) bytes, length, tag->version, frames);
    }
  ear_chapters_sort (frames);
  chapters = frames->len > 0 ? g_ptr_array_ref (frames) : ear_comment_chapters_list (comments);
  g_task_return_pointer (task, chapters, (GDestroyNotify) g_ptr_array_unref);
}

static GPtrArray *
dup_chapters (EarNotes *notes)
{
  return notes != NULL && notes->chapters != NULL ? g_ptr_array_ref (notes->chapters) : NULL;
}

static void
notes_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarChapterFinder) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarNotes) notes = ear_notes_load_finish (result, &error);

  end (self, SOURCE_NOTES, dup_chapters (notes), error);
}

/* The length of the media was measured or has changed. */
static void
duration_changed_cb (EarChapterFinder *self)
{
  ear_property_set_int64 (self, "duration", ear_episode_get_duration (self->episode));
  if (update (self))
    store (self);
}

/* A finished download may have chapters that other sources lack. */
static void
download_changed_cb (EarChapterFinder *self)
{
  if (ear_episode_get_download (self->episode) == EAR_DOWNLOAD_DONE)
    read_media (self);
}

/* Clears the data of the previous episode. */
static void
forget (EarChapterFinder *self)
{
  ear_cancellable_clear (&self->cancellable);
  g_clear_handle_id (&self->patience, g_source_remove);
  for (guint i = 0; i < N_SOURCES; i++)
    g_clear_pointer (&self->sources[i], g_ptr_array_unref);
  self->n_pending = 0;
  self->knows_notes = FALSE;
}

static void
ear_chapter_finder_release (EarChapterFinder *self)
{
  forget (self);
  if (self->chapters != NULL)
    register_pictures (self, FALSE);
  g_clear_pointer (&self->chapters, g_ptr_array_unref);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->episode);
}

static void
ear_chapter_finder_class_init (EarChapterFinderClass *klass)
{
  const EarProperty properties[] = {
    /* Merged from the sources read so far */
    EAR_READABLE (EarChapterFinder, chapters, G_TYPE_PTR_ARRAY),
    /* Duration of the episode as far as known, which ends the last chapter */
    EAR_READABLE (EarChapterFinder, duration, G_TYPE_INT64),
    /* Whether the sources were read or have timed out; until then, views keep showing the
     * previous chapters */
    EAR_READABLE (EarChapterFinder, settled, G_TYPE_BOOLEAN),
  };

  ear_class_set_release (klass, ear_chapter_finder_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_chapter_finder_init (EarChapterFinder *self)
{
  self->chapters = ear_chapters_new ();
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify::duration",
                                  G_CALLBACK (duration_changed_cb), self);
  g_signal_group_connect_swapped (self->episode_signals, "notify::download",
                                  G_CALLBACK (download_changed_cb), self);
}

EarChapterFinder *
ear_chapter_finder_new (const EarServices *services)
{
  return ear_part_new (EAR_TYPE_CHAPTER_FINDER, services);
}

/* Loads the chapters of an episode, except those in its notes, which
 * [method@EarChapterFinder.read_notes] and [method@EarChapterFinder.set_notes] find. */
void
ear_chapter_finder_set_episode (EarChapterFinder *self, EarEpisode *episode)
{
  forget (self);
  g_set_object (&self->episode, episode);
  g_signal_group_set_target (self->episode_signals, episode);
  ear_property_set_boolean (self, "settled", FALSE);
  ear_property_set_int64 (self, "duration",
                          episode != NULL ? ear_episode_get_duration (episode)
                                          : EAR_DURATION_UNKNOWN);
  self->cancellable = g_cancellable_new ();
  if (episode != NULL)
    {
      self->sources[SOURCE_FEED] = g_ptr_array_ref (ear_episode_get_facts (episode)->chapters);
      self->patience = g_timeout_add_once (PATIENCE, settle, self);
      if (ear_episode_get_facts (episode)->chapters_address != NULL)
        {
          self->n_pending++;
          ear_documents_load_async (self->documents, episode, EAR_DOCUMENT_CHAPTERS,
                                    self->cancellable, document_loaded_cb, g_object_ref (self));
        }
      read_media (self);
    }
  update (self);
  if (self->n_pending == 0)
    settle (self);
}

/* Loads the notes for their chapters, if no caller passes them in. */
void
ear_chapter_finder_read_notes (EarChapterFinder *self)
{
  if (self->episode == NULL)
    return;

  self->n_pending++;
  ear_notes_load_async (self->catalogue, self->episode, self->cancellable, notes_loaded_cb,
                        g_object_ref (self));
}

/* @notes: (nullable): the episode's notes, loaded by the caller */
void
ear_chapter_finder_set_notes (EarChapterFinder *self, EarNotes *notes)
{
  self->n_pending++;
  end (self, SOURCE_NOTES, dup_chapters (notes), NULL);
}

/* @tags: (nullable) (element-type EarMediaTag): tags of the stream being played; must not
 * change afterwards */
void
ear_chapter_finder_set_tags (EarChapterFinder *self, GPtrArray *tags)
{
  if (tags != NULL && self->episode != NULL)
    read_on_worker (self, read_tags_thread, g_ptr_array_ref (tags),
                    (GDestroyNotify) g_ptr_array_unref);
}

EAR_DEFINE_GET (EarChapterFinder, ear_chapter_finder, EarEpisode *, episode)
EAR_DEFINE_GET (EarChapterFinder, ear_chapter_finder, GPtrArray *, chapters)
EAR_DEFINE_GET (EarChapterFinder, ear_chapter_finder, gboolean, settled)
EAR_DEFINE_GET (EarChapterFinder, ear_chapter_finder, gint64, duration)
