/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters-json.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-feed-json.h"
#include "ear-text-decoder.h"
#include "ear-text-line.h"

/* Podcasting 2.0 chapters,
 *
 * https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/chapters/jsonChapters.md */

/* Longer files are cut; this is enough for more chapters than are kept. */
#define MAX_BYTES (4 * 1024 * 1024)

static const EarJsonBounds bounds = { .depth = 16, .containers = 20000, .values = 200000 };

static char *
get_address (JsonObject *object, const char *name, const char *base)
{
  const char *reference = ear_feed_json_get_text (object, name);

  return reference != NULL ? ear_address_resolve (base, reference) : NULL;
}

static void
add_chapter (GPtrArray *chapters, JsonObject *object, const char *base)
{
  const char *text = ear_feed_json_get_text (object, "title");
  g_autofree char *title = text != NULL ? ear_text_line (text, EAR_TEXT_LITERAL, EAR_CHAPTER_TITLE_LIMIT) : NULL;
  JsonNode *listed = json_object_get_member (object, "toc");
  EarChapter *chapter;
  gint64 start;
  gint64 end;

  if (!ear_feed_json_get_time (object, "startTime", G_TIME_SPAN_SECOND, &start))
    return;
  chapter = ear_chapters_add (chapters, start, title);
  if (chapter == NULL)
    return;

  if (ear_feed_json_get_time (object, "endTime", G_TIME_SPAN_SECOND, &end))
    ear_chapter_set_end (chapter, end);
  chapter->link = get_address (object, "url", base);
  chapter->image = get_address (object, "img", base);
  chapter->hidden = listed != NULL && json_node_get_value_type (listed) == G_TYPE_BOOLEAN && !json_node_get_boolean (listed);
}

/* A hidden chapter without title, link and picture only marks the end of the chapter
 * before it. */
static void
end_at_marks (GPtrArray *chapters)
{
  for (guint i = 1; i < chapters->len; i++)
    {
      const EarChapter *mark = ear_chapters_get (chapters, i);
      EarChapter *before = ear_chapters_get (chapters, i - 1);

      if (mark->hidden && mark->title == NULL && mark->link == NULL && mark->image == NULL && before->end == 0)
        ear_chapter_set_end (before, mark->start);
    }
}

/* Some files have only the list, without the object around it. */
static JsonArray *
find_list (JsonNode *root)
{
  JsonNode *node = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_object_get_member (json_node_get_object (root), "chapters") : root;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/**
 * ear_chapters_parse_json:
 * @text: a Podcasting 2.0 chapters file
 * @length: its length in bytes
 * @base: (nullable): the base of relative URLs
 *
 * Returns: (transfer full) (nullable): its chapters, maybe none; %NULL if it is not a
 *   chapters file
 */
GPtrArray *
ear_chapters_parse_json (const char *text, gsize length, const char *base, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GString) decoded = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *valid = NULL;
  gsize read = MIN (length, MAX_BYTES);
  GPtrArray *chapters;
  JsonArray *list;

  /* Not inside a character */
  while (length > MAX_BYTES && read > 0 && ((guchar) text[read] & 0xc0) == 0x80)
    read--;
  bytes = g_bytes_new (text, read);
  decoded = ear_text_decode (bytes, NULL);
  valid = g_utf8_make_valid (decoded->str, (gssize) decoded->len);
  root = ear_feed_json_parse (&bounds, valid, length > MAX_BYTES ? NULL : error);
  list = find_list (root);
  if (list == NULL)
    {
      if (length > MAX_BYTES)
        g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "A file of chapters that is too large");
      else if (error != NULL && *error == NULL)
        g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "No chapters in JSON");
      return NULL;
    }

  chapters = ear_chapters_new ();
  for (guint i = 0; i < json_array_get_length (list); i++)
    if (JSON_NODE_HOLDS_OBJECT (json_array_get_element (list, i)))
      add_chapter (chapters, json_array_get_object_element (list, i), base);
  ear_chapters_sort (chapters);
  end_at_marks (chapters);

  return chapters;
}
