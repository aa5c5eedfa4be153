/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "feed-cases.h"

#include "ear-error.h"

#include <string.h>

/* Prints the result of the library as lines of text for tests: for a feed
 * "podcast.title=..." and "0.guid=...", for notes one line per block. */

typedef struct
{
  GString *lines;
  guint n;
} Reader;

static void
add (GString *lines, const char *prefix, const char *name, const char *value)
{
  if (value != NULL)
    g_string_append_printf (lines, "%s.%s=%s\n", prefix, name, value);
}

static void
add_int (GString *lines, const char *prefix, const char *name, gint64 value, gint64 unknown)
{
  if (value != unknown)
    g_string_append_printf (lines, "%s.%s=%" G_GINT64_FORMAT "\n", prefix, name, value);
}

static void
add_persons (GString *lines, const char *prefix, GPtrArray *persons)
{
  for (guint i = 0; i < persons->len; i++)
    {
      EarPerson *person = g_ptr_array_index (persons, i);

      g_string_append_printf (lines, "%s.person=%s|%s|%s|%s\n", prefix, person->name, person->role,
                              person->image != NULL ? person->image : "", person->link != NULL ? person->link : "");
    }
}

static void
add_funding (GString *lines, const char *prefix, GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++)
    {
      EarFunding *funding = g_ptr_array_index (list, i);

      g_string_append_printf (lines, "%s.funding=%s|%s\n", prefix, funding->address, funding->text != NULL ? funding->text : "");
    }
}

static const char *
or_nothing (const char *text)
{
  return text != NULL ? text : "";
}

static void
add_media (GString *lines, const char *prefix, EarEpisodeFacts *facts)
{
  for (guint i = 0; i < facts->enclosures->len; i++)
    {
      EarEnclosure *enclosure = g_ptr_array_index (facts->enclosures, i);

      g_string_append_printf (lines, "%s.enclosure=%s|%s|%" G_GINT64_FORMAT "\n", prefix, enclosure->address,
                              enclosure->mime_type != NULL ? enclosure->mime_type : "", enclosure->size);
    }
  for (guint i = 0; i < facts->chapters->len; i++)
    {
      EarChapter *chapter = g_ptr_array_index (facts->chapters, i);

      g_string_append_printf (lines, "%s.chapter=%" G_GINT64_FORMAT "|%s|%s\n", prefix, chapter->start,
                              chapter->title != NULL ? chapter->title : "", chapter->link != NULL ? chapter->link : "");
    }
  for (guint i = 0; i < facts->transcripts->len; i++)
    {
      EarTranscriptLink *link = g_ptr_array_index (facts->transcripts, i);

      g_string_append_printf (lines, "%s.transcript=%s|%s|%s\n", prefix, link->address,
                              link->mime_type != NULL ? link->mime_type : "", link->language != NULL ? link->language : "");
    }
}

static void
item_cb (EarEpisodeFacts *facts, gpointer user_data)
{
  Reader *reader = user_data;
  GString *lines = reader->lines;
  g_autofree char *prefix = g_strdup_printf ("%u", reader->n++);

  g_string_append_printf (lines, "%s.item\n", prefix);
  add (lines, prefix, "guid", facts->guid);
  add (lines, prefix, "title", facts->title);
  add (lines, prefix, "link", facts->link);
  add (lines, prefix, "author", facts->author);
  add (lines, prefix, "image", facts->image);
  add (lines, prefix, "notes", facts->notes);
  add (lines, prefix, "base", facts->notes_base);
  add (lines, prefix, "subtitle", facts->subtitle);
  add_int (lines, prefix, "published", facts->published, EAR_DATE_UNKNOWN);
  add_int (lines, prefix, "duration", facts->duration, EAR_DURATION_UNKNOWN);
  add_int (lines, prefix, "season", facts->season, 0);
  add (lines, prefix, "number", facts->number);
  add_int (lines, prefix, "type", facts->type, EAR_EPISODE_FULL);
  add_int (lines, prefix, "explicit", facts->explicit_content, EAR_EXPLICIT_UNKNOWN);
  add (lines, prefix, "chapters", facts->chapters_address);
  add (lines, prefix, "season-name", facts->season_name);
  add_media (lines, prefix, facts);
  add_persons (lines, prefix, facts->persons);
  add_funding (lines, prefix, facts->funding);
}

static void
add_further_podcast (GString *lines, EarPodcastFacts *facts)
{
  add (lines, "podcast", "license", facts->license);
  add (lines, "podcast", "location", facts->location);
  add (lines, "podcast", "update", facts->update_text);
  for (guint i = 0; i < facts->podroll->len; i++)
    {
      EarRemoteItem *item = g_ptr_array_index (facts->podroll, i);

      g_string_append_printf (lines, "podcast.podroll=%s|%s|%s|%s|%s\n", or_nothing (item->feed_guid), or_nothing (item->feed_address),
                              or_nothing (item->item_guid), or_nothing (item->medium), or_nothing (item->title));
    }
}

static void
add_podcast (GString *lines, EarPodcastFacts *facts)
{
  add (lines, "podcast", "title", facts->title);
  add (lines, "podcast", "link", facts->link);
  add (lines, "podcast", "description", facts->description);
  add (lines, "podcast", "image", facts->image);
  add (lines, "podcast", "language", facts->language);
  add (lines, "podcast", "author", facts->author);
  add (lines, "podcast", "copyright", facts->copyright);
  add (lines, "podcast", "generator", facts->generator);
  add (lines, "podcast", "owner", facts->owner_name);
  add (lines, "podcast", "email", facts->owner_email);
  add (lines, "podcast", "type", facts->type);
  add (lines, "podcast", "new", facts->new_address);
  add (lines, "podcast", "next", facts->next_address);
  add (lines, "podcast", "guid", facts->guid);
  add_int (lines, "podcast", "published", facts->published, EAR_DATE_UNKNOWN);
  add_int (lines, "podcast", "explicit", facts->explicit_content, EAR_EXPLICIT_UNKNOWN);
  add_int (lines, "podcast", "complete", facts->complete, 0);
  add_int (lines, "podcast", "blocked", facts->blocked, 0);
  for (guint i = 0; i < facts->categories->len; i++)
    add (lines, "podcast", "category", g_ptr_array_index (facts->categories, i));
  for (guint i = 0; i < facts->keywords->len; i++)
    add (lines, "podcast", "keyword", g_ptr_array_index (facts->keywords, i));
  add_funding (lines, "podcast", facts->funding);
  add_persons (lines, "podcast", facts->persons);
  add_further_podcast (lines, facts);
}

static gboolean
push_all (EarFeedParser *parser, const char *data, gsize length, gsize chunk, GError **error)
{
  for (gsize at = 0; at < length; at += chunk)
    if (!ear_feed_parser_push (parser, (const guint8 *) data + at, MIN (chunk, length - at), error))
      return FALSE;

  return ear_feed_parser_finish (parser, error);
}

static const char *
name_error (const GError *error)
{
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE))
    return "WEB_PAGE";
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_A_FEED))
    return "NOT_A_FEED";
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_XML))
    return "NOT_XML";

  return g_error_matches (error, EAR_ERROR, EAR_ERROR_INCOMPLETE) ? "INCOMPLETE" : error->message;
}

char *
feed_reader_dump (const char *data, gsize length, gsize chunk, const char *content_type)
{
  g_autoptr (GString) lines = g_string_new ("\n");
  Reader reader = { lines, 0 };
  g_autoptr (EarFeedParser) parser = ear_feed_parser_new ("https://example.org/feeds/1.xml", content_type, item_cb, &reader);
  g_autoptr (GError) error = NULL;

  if (!push_all (parser, data, length, chunk, &error))
    {
      g_string_append_printf (lines, "error=%s\n", name_error (error));
    }
  else
    {
      add_podcast (lines, ear_feed_parser_get_podcast (parser));
      g_string_append_printf (lines, "format=%s\n", ear_feed_parser_get_format (parser));
    }
  g_assert_cmpuint (ear_feed_parser_get_n_items (parser), ==, reader.n);
  g_string_append_printf (lines, "items=%u\ndamaged=%d\n", reader.n, ear_feed_parser_get_damaged (parser));

  return g_string_free (g_steal_pointer (&lines), FALSE);
}

static void
add_span (GString *line, EarNotesSpan *span)
{
  static const char letters[] = "bicsu";

  if (span->style != EAR_NOTES_STYLE_NONE)
    {
      g_string_append_c (line, '<');
      for (guint i = 0; i < strlen (letters); i++)
        if (span->style & (1 << i))
          g_string_append_c (line, letters[i]);
      g_string_append_c (line, '>');
    }
  if (span->link != NULL)
    g_string_append_printf (line, "[%s](%s)", span->text, span->link);
  else if (span->time >= 0)
    g_string_append_printf (line, "{%s=%" G_GINT64_FORMAT "}", span->text, span->time / G_USEC_PER_SEC);
  else
    g_string_append (line, span->text);
  if (span->style != EAR_NOTES_STYLE_NONE)
    g_string_append (line, "</>");
}

char *
feed_reader_dump_notes (EarNotes *notes)
{
  static const char *const names[] = { "P", "H", "L", "Q", "PRE", "HR", "IMG" };
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < notes->blocks->len; i++)
    {
      EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);

      g_string_append_printf (lines, "%s%s", i > 0 ? "\n" : "", names[block->type]);
      if (block->level > 0)
        g_string_append_printf (lines, "%u", block->level);
      if (block->number > 0)
        g_string_append_printf (lines, "#%u", block->number);
      if (block->spans->len > 0)
        g_string_append_c (lines, ' ');
      for (guint j = 0; j < block->spans->len; j++)
        add_span (lines, g_ptr_array_index (block->spans, j));
    }

  return g_string_free (g_steal_pointer (&lines), FALSE);
}

static void
check_lines (const char *name, const char *dump, const char *expected)
{
  g_auto (GStrv) lines = g_strsplit (expected, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      gboolean absent = **line == '!';
      g_autofree char *wanted = g_strconcat ("\n", *line + absent, absent ? NULL : "\n", NULL);

      if ((strstr (dump, wanted) != NULL) == absent)
        {
          g_test_message ("%s: %s\n%s", name, *line, dump);
          g_test_fail ();
        }
    }
}

/**
 * feed_reader_check:
 * @name: the name of the case
 * @data: (array length=length): a feed
 * @length: its length in bytes
 * @content_type: (nullable): the Content-Type header
 * @expected: lines that must be in the result; those that begin with "!" must not be
 *
 * Pushes the feed whole, in pieces of seven bytes and byte by byte; all three results
 * must be the same.
 */
void
feed_reader_check (const char *name, const char *data, gsize length, const char *content_type, const char *expected)
{
  static const gsize chunks[] = { 7, 1 };
  g_autofree char *whole = feed_reader_dump (data, length, MAX (length, 1), content_type);

  check_lines (name, whole, expected);
  for (gsize i = 0; i < G_N_ELEMENTS (chunks); i++)
    {
      g_autofree char *dump = feed_reader_dump (data, length, chunks[i], content_type);

      if (strcmp (whole, dump) != 0)
        {
          g_test_message ("%s differs in chunks of %zu:\n%s", name, chunks[i], dump);
          g_test_fail ();
        }
    }
}

void
feed_reader_check_cases (const FeedCase *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    feed_reader_check (cases[i].name, cases[i].source, strlen (cases[i].source), NULL, cases[i].expected);
}
