/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark-export.h"

#include "ear-clock.h"
#include "ear-markdown.h"
#include "ear-userdata-export.h"

#include <string.h>

/* Exports bookmarks for other programs. */

/* Returns: (transfer full): the bookmark in a few lines of plain text: the quoted
 *   sentence, its episode, and the URL with the time */
char *
ear_bookmark_dup_quotation (EarBookmark *bookmark)
{
  GString *text = g_string_new (NULL);
  g_autofree char *clock = ear_clock_format (ear_bookmark_get_time (bookmark));
  g_autofree char *link = ear_bookmark_dup_link (bookmark);

  if (ear_bookmark_get_text (bookmark) != NULL)
    g_string_append_printf (text, "“%s”\n", ear_bookmark_get_text (bookmark));
  if (ear_bookmark_get_note (bookmark) != NULL)
    g_string_append_printf (text, "%s\n", ear_bookmark_get_note (bookmark));
  g_string_append_printf (text, "%s, %s, %s", ear_bookmark_get_title (bookmark),
                          ear_bookmark_get_podcast (bookmark), clock);
  if (link != NULL)
    g_string_append_printf (text, "\n%s", link);

  return g_string_free_and_steal (text);
}

static void
append_bookmark (GString *markdown, EarBookmark *bookmark)
{
  g_autofree char *clock = ear_clock_format (ear_bookmark_get_time (bookmark));
  g_autofree char *link = ear_bookmark_dup_link (bookmark);

  if (link != NULL)
    g_string_append_printf (markdown, "- [%s](<%s>)", clock, link);
  else
    g_string_append_printf (markdown, "- %s", clock);
  if (ear_bookmark_get_text (bookmark) != NULL)
    {
      g_string_append (markdown, " “");
      ear_markdown_append_text (markdown, ear_bookmark_get_text (bookmark));
      g_string_append (markdown, "”");
    }
  if (ear_bookmark_get_note (bookmark) != NULL)
    {
      g_string_append (markdown, ear_bookmark_get_text (bookmark) != NULL ? "  \n  " : " ");
      ear_markdown_append_text (markdown, ear_bookmark_get_note (bookmark));
    }
  g_string_append_c (markdown, '\n');
}

/* Sorts by podcast, episode and position. */
static int
compare (gconstpointer a, gconstpointer b)
{
  EarBookmark *one = EAR_BOOKMARK ((gpointer) a);
  EarBookmark *other = EAR_BOOKMARK ((gpointer) b);
  g_autofree char *key = ear_bookmark_dup_key (one);
  g_autofree char *other_key = ear_bookmark_dup_key (other);
  int order = g_utf8_collate (ear_bookmark_get_podcast (one), ear_bookmark_get_podcast (other));

  if (order == 0)
    order = g_utf8_collate (ear_bookmark_get_title (one), ear_bookmark_get_title (other));
  if (order == 0)
    order = strcmp (key, other_key);
  if (order == 0)
    order = (ear_bookmark_get_time (one) > ear_bookmark_get_time (other)) -
            (ear_bookmark_get_time (one) < ear_bookmark_get_time (other));

  return order;
}

static void
append_heading (GString *markdown, const char *mark, const char *text)
{
  g_string_append_printf (markdown, "\n%s ", mark);
  ear_markdown_append_text (markdown, text);
  g_string_append_c (markdown, '\n');
}

/* @bookmarks: a list of [class@EarBookmark]
 * @heading: the title of the document
 * Returns: (transfer full): a Markdown document with a heading for each podcast and each
 *   episode */
GBytes *
ear_bookmark_export_markdown (GListModel *bookmarks, const char *heading)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new_with_free_func (g_object_unref);
  GString *markdown = g_string_new ("# ");
  EarBookmark *before = NULL;

  ear_markdown_append_text (markdown, heading);
  g_string_append_c (markdown, '\n');
  for (guint i = 0; i < g_list_model_get_n_items (bookmarks); i++)
    g_ptr_array_add (sorted, g_list_model_get_item (bookmarks, i));
  g_ptr_array_sort_values (sorted, compare);
  for (guint i = 0; i < sorted->len; i++)
    {
      EarBookmark *bookmark = g_ptr_array_index (sorted, i);
      const gboolean same_podcast =
          before != NULL &&
          g_str_equal (ear_bookmark_get_podcast (before), ear_bookmark_get_podcast (bookmark));

      if (!same_podcast)
        append_heading (markdown, "##", ear_bookmark_get_podcast (bookmark));
      if (!same_podcast ||
          !g_str_equal (ear_bookmark_get_title (before), ear_bookmark_get_title (bookmark)))
        {
          append_heading (markdown, "###", ear_bookmark_get_title (bookmark));
          g_string_append_c (markdown, '\n');
        }
      append_bookmark (markdown, bookmark);
      before = bookmark;
    }

  return g_string_free_to_bytes (markdown);
}

/* @bookmarks: a list of [class@EarBookmark]
 * Returns: (transfer full): a JSON array of objects with the members of the records */
GBytes *
ear_bookmark_export_json (GListModel *bookmarks)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < g_list_model_get_n_items (bookmarks); i++)
    {
      g_autoptr (EarBookmark) bookmark = g_list_model_get_item (bookmarks, i);

      g_variant_builder_add_value (&builder, ear_bookmark_change_value (bookmark, NULL));
    }

  return ear_userdata_export (g_variant_builder_end (&builder));
}
