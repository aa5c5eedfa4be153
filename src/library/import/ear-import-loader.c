/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-loader.h"

#include "ear-error.h"
#include "ear-feed-parser.h"
#include "ear-import-source.h"
#include "ear-opml.h"

/* A list of ten thousand podcasts has 5 MB. */
#define FILE_LIMIT (32 * 1024 * 1024)

/* Rejects devices and pipes, which may never end. Does not trust the reported length: files
 * in /proc have none, and a file may grow. */
static GBytes *
read_file (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE,
                                                  G_FILE_QUERY_INFO_NONE, cancellable, error);
  g_autoptr (GFileInputStream) stream = NULL;
  g_autofree guint8 *data = NULL;
  gsize length;

  if (info == NULL)
    return NULL;
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NOT_XML, "No file");
      return NULL;
    }
  stream = g_file_read (file, cancellable, error);
  if (stream == NULL)
    return NULL;
  data = g_malloc (FILE_LIMIT + 1);
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), data, FILE_LIMIT + 1, &length, cancellable,
                                error))
    return NULL;
  if (length > FILE_LIMIT)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE,
                           "Too long for a list of podcasts");
      return NULL;
    }

  return g_bytes_new_take (g_realloc (g_steal_pointer (&data), length), length);
}

/* Reads a saved feed as a list of one podcast, if it names its own URL. */
static GPtrArray *
read_feed (GBytes *bytes, GError **error)
{
  g_autoptr (EarFeedParser) parser = ear_feed_parser_new (NULL, NULL, NULL, NULL);
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);
  GPtrArray *podcasts;
  EarPodcastFacts *facts;
  EarListedPodcast *podcast;
  const char *address;

  if (!ear_feed_parser_push (parser, data, length, NULL) || !ear_feed_parser_finish (parser, NULL))
    return NULL;

  facts = ear_feed_parser_get_podcast (parser);
  address = facts->new_address != NULL ? facts->new_address : facts->self_address;
  if (address == NULL)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NO_ADDRESS,
                           "A feed without an address of its own");
      return NULL;
    }

  podcasts = ear_listed_podcasts_new ();
  podcast = ear_listed_podcast_new ();
  podcast->address = g_strdup (address);
  podcast->title = g_strdup (facts->title);
  g_ptr_array_add (podcasts, podcast);

  return podcasts;
}

static void
load_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GFile *file = task_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) no_list = NULL;
  g_autoptr (GBytes) bytes = NULL;
  GPtrArray *podcasts = ear_import_source_read (file, cancellable, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    {
      g_clear_error (&error);
      bytes = read_file (file, cancellable, &error);
    }
  if (bytes != NULL)
    podcasts = ear_opml_parse (bytes, &no_list);
  if (bytes != NULL && podcasts == NULL)
    podcasts = read_feed (bytes, &error);
  if (podcasts == NULL && error == NULL)
    error = g_steal_pointer (&no_list);

  if (podcasts != NULL)
    g_task_return_pointer (task, podcasts, (GDestroyNotify) g_ptr_array_unref);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_FOUND, error->message);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Reads the podcasts in a file on a worker thread: an OPML list, the database of another
 * program, or a feed that names its own URL. */
void
ear_import_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, ear_import_load_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, load_thread);
}

/* Returns: (transfer full) (element-type EarListedPodcast): the podcasts, or %NULL */
GPtrArray *
ear_import_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
