/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-parser.h"
#include "ear-show-notes.h"
#include "inspect-json.h"

#include <stdio.h>
#include <string.h>

/*
 * Prints what the feed library makes of a file, as JSON, for comparison with other programs:
 *
 *   earmark-inspect FILE ADDRESS    a feed; $FEED_HEADERS holds HTTP headers as a JSON object
 *   earmark-inspect --batch         the same for each line {"file", "base_url", "headers"} read
 *   earmark-inspect --notes BASE SECONDS    show notes from standard input
 */

static void
add_enclosure (JsonBuilder *json, gpointer entry)
{
  EarEnclosure *enclosure = entry;

  inspect_add_strings (json, "url", enclosure->address, "type", enclosure->mime_type, NULL);
  inspect_add_number (json, "length", enclosure->size);
}

static void
add_chapter (JsonBuilder *json, gpointer entry)
{
  EarChapter *chapter = entry;

  inspect_add_number (json, "start", chapter->start / (double) G_USEC_PER_SEC);
  inspect_add_strings (json, "title", chapter->title, "link", chapter->link, "image", chapter->image, NULL);
}

static void
add_transcript (JsonBuilder *json, gpointer entry)
{
  EarTranscriptLink *link = entry;

  inspect_add_strings (json, "url", link->address, "type", link->mime_type, "language", link->language, NULL);
}

static void
add_funding (JsonBuilder *json, gpointer entry)
{
  EarFunding *funding = entry;

  inspect_add_strings (json, "url", funding->address, "text", funding->text, NULL);
}

static void
item_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  static const char *const types[] = { "full", "trailer", "bonus" };
  guint *n = user_data;
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autofree char *text = inspect_text_of (facts->notes);
  g_autofree char *date = inspect_date (facts->published);
  const char *number = facts->number != NULL ? strpbrk (facts->number, "0123456789") : NULL;

  json_builder_begin_object (json);
  inspect_add_strings (json, "guid", facts->guid, "title", facts->title, "link", facts->link, "published", date,
                       "description", text, "image", facts->image, "author", facts->author, "episode_type", types[facts->type],
                       "chapters_url", facts->chapters_address,
                       "explicit", facts->explicit_content == EAR_EXPLICIT_YES ? "yes" : NULL, NULL);
  inspect_add_number (json, "duration", facts->duration / G_USEC_PER_SEC);
  inspect_add_number (json, "season", facts->season);
  if (number != NULL)
    inspect_add_number (json, "episode", g_ascii_strtod (number, NULL));
  inspect_add_list (json, "enclosures", facts->enclosures, add_enclosure);
  inspect_add_list (json, "chapters", facts->chapters, add_chapter);
  inspect_add_list (json, "transcripts", facts->transcripts, add_transcript);
  json_builder_end_object (json);
  inspect_print (json, (*n)++ == 0 ? "{\"items\":[" : ",");
}

static void
print_podcast (EarFeedParser *parser)
{
  EarPodcastFacts *facts = ear_feed_parser_get_podcast (parser);
  g_autoptr (JsonBuilder) json = json_builder_new ();
  g_autofree char *text = inspect_text_of (facts->description);

  json_builder_begin_object (json);
  inspect_add_strings (json, "title", facts->title, "link", facts->link, "description", text, "image", facts->image,
                       "language", facts->language, "author", facts->author, "next", facts->next_address,
                       "new_feed_url", facts->new_address, "type", ear_feed_parser_get_format (parser),
                       "explicit", facts->explicit_content == EAR_EXPLICIT_YES ? "yes" : NULL,
                       "complete", facts->complete ? "yes" : NULL, "block", facts->blocked ? "yes" : NULL, NULL);
  inspect_add_list (json, "funding", facts->funding, add_funding);
  json_builder_end_object (json);
  inspect_print (json, ear_feed_parser_get_n_items (parser) == 0 ? "{\"items\":[],\"feed\":" : "],\"feed\":");
  puts ("}");
  fflush (stdout);
}

static gboolean
read_file (EarFeedParser *parser, const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autofree guint8 *buffer = g_malloc (65536);
  gssize size = 0;

  while (stream != NULL && (size = g_input_stream_read (G_INPUT_STREAM (stream), buffer, 65536, NULL, error)) > 0)
    if (!ear_feed_parser_push (parser, buffer, size, error))
      return FALSE;

  return stream != NULL && size == 0 && ear_feed_parser_finish (parser, error);
}

static gboolean
inspect_feed (const char *path, const char *address, JsonNode *headers)
{
  g_autofree char *content_type = inspect_find_header (headers, "content-type");
  guint n = 0;
  g_autoptr (EarFeedParser) parser = ear_feed_parser_new (address, content_type, item_cb, &n);
  g_autoptr (JsonBuilder) failure = NULL;
  g_autoptr (GError) error = NULL;

  if (read_file (parser, path, &error))
    {
      print_podcast (parser);
      return TRUE;
    }
  /* No error comes after an episode has: nothing has been printed. */
  failure = json_builder_new ();
  json_builder_begin_object (failure);
  inspect_add_strings (failure, "error", error->message, NULL);
  json_builder_end_object (failure);
  inspect_print (failure, "");
  puts ("");
  fflush (stdout);

  return FALSE;
}

static int
inspect_batch (void)
{
  char *line = NULL;
  size_t size = 0;

  while (getline (&line, &size, stdin) > 0)
    {
      g_autoptr (JsonNode) node = json_from_string (line, NULL);
      JsonObject *object = node != NULL ? json_node_get_object (node) : NULL;

      if (object != NULL)
        inspect_feed (json_object_get_string_member (object, "file"), json_object_get_string_member (object, "base_url"),
                      json_object_get_member (object, "headers"));
    }
  free (line);

  return 0;
}

static int
inspect_notes (const char *base, const char *seconds)
{
  g_autoptr (GString) source = g_string_new (NULL);
  g_autoptr (EarNotes) notes = NULL;
  g_autoptr (JsonBuilder) json = NULL;
  char buffer[4096];
  size_t n;

  while ((n = fread (buffer, 1, sizeof buffer, stdin)) > 0)
    g_string_append_len (source, buffer, n);
  notes = ear_show_notes_parse (source->str, base, g_ascii_strtod (seconds, NULL) * G_USEC_PER_SEC);
  json = inspect_build_notes (notes);
  inspect_print (json, "");
  puts ("");

  return 0;
}

int
main (int argc, char *argv[])
{
  const char *headers = g_getenv ("FEED_HEADERS");
  g_autoptr (JsonNode) node = headers != NULL ? json_from_string (headers, NULL) : NULL;

  if (argc == 2 && g_str_equal (argv[1], "--batch"))
    return inspect_batch ();
  if (argc == 4 && g_str_equal (argv[1], "--notes"))
    return inspect_notes (argv[2], argv[3]);
  if (argc == 3)
    return inspect_feed (argv[1], argv[2], node) ? 0 : 1;
  g_printerr ("earmark-inspect FILE ADDRESS | --batch | --notes BASE SECONDS\n");

  return 2;
}
