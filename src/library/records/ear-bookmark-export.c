/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark-export.h"

#include "ear-link.h"
#include "ear-list-store.h"
#include "ear-time.h"
#include "ear-userdata-store.h"

#include <string.h>

/* Writes Markdown (CommonMark 0.31) of untrusted texts. */

/* Escapes the characters that have a meaning in Markdown, and replaces line breaks by
 * spaces. */
static void
append_text (GString *markdown, const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '\n' || *c == '\r')
      g_string_append_c (markdown, ' ');
    else
      {
        if (strchr ("\\`*_{}[]<>()#+-!|~&", *c) != NULL)
          g_string_append_c (markdown, '\\');
        g_string_append_c (markdown, *c);
      }
}

/* @address: an http or https URL without angle brackets and spaces */
static void
append_link (GString *markdown, const char *words, const char *address)
{
  g_string_append_c (markdown, '[');
  append_text (markdown, words);
  g_string_append_printf (markdown, "](<%s>)", address);
}

/* Exports bookmarks for other programs. */

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
      append_text (markdown, ear_bookmark_get_text (bookmark));
      g_string_append (markdown, "”");
    }
  if (ear_bookmark_get_note (bookmark) != NULL)
    {
      g_string_append (markdown, ear_bookmark_get_text (bookmark) != NULL ? "  \n  " : " ");
      append_text (markdown, ear_bookmark_get_note (bookmark));
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
    order = ear_compare (ear_bookmark_get_time (one), ear_bookmark_get_time (other));

  return order;
}

static void
append_heading (GString *markdown, const char *mark, const char *text)
{
  g_string_append_printf (markdown, "\n%s ", mark);
  append_text (markdown, text);
  g_string_append_c (markdown, '\n');
}

/* Returns: (transfer full): a Markdown document with a heading for each podcast and each
 *   episode */
GBytes *
ear_bookmark_export_markdown (GListModel *bookmarks, const char *heading)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new_with_free_func (g_object_unref);
  GString *markdown = g_string_new ("# ");
  EarBookmark *before = NULL;

  append_text (markdown, heading);
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

/* Returns: (transfer full): a JSON array of objects with the members of the records */
GBytes *
ear_bookmark_export_json (GListModel *bookmarks)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));
  EarBookmark *bookmark;

  for (guint i = 0; (bookmark = ear_list_peek (bookmarks, i)) != NULL; i++)
    g_variant_builder_add_value (&builder, ear_bookmark_change_value (bookmark, NULL));

  return ear_userdata_export (g_variant_builder_end (&builder));
}

/* Exports the reading list for other programs. */

char *
ear_link_dup_markdown (EarLink *link)
{
  GString *markdown = g_string_new (NULL);

  append_link (markdown, link->words, link->address);

  return g_string_free_and_steal (markdown);
}

/* Writes one heading for adjacent links of the same episode. */
static void
append_group_heading (GString *markdown, EarLink *link)
{
  g_string_append (markdown, "\n## ");
  if (link->title != NULL)
    append_text (markdown, link->title);
  if (link->title != NULL && link->podcast != NULL)
    g_string_append (markdown, " – ");
  if (link->podcast != NULL)
    append_text (markdown, link->podcast);
  g_string_append (markdown, "\n\n");
}

static GBytes *
write_markdown (EarReadingList *list, GPtrArray *links, const char *heading)
{
  GString *markdown = g_string_new ("# ");
  const char *episode = NULL;

  append_text (markdown, heading);
  g_string_append_c (markdown, '\n');
  for (guint i = 0; i < links->len; i++)
    {
      EarLink *link = g_ptr_array_index (links, i);
      const char *stars = ear_reading_list_has (list, link, EAR_LINK_STARRED) ? "**" : "";

      if (i == 0 || g_strcmp0 (episode, link->episode) != 0)
        append_group_heading (markdown, link);
      episode = link->episode;
      g_string_append_printf (markdown, "- [%s] %s",
                              ear_reading_list_has (list, link, EAR_LINK_READ) ? "x" : " ", stars);
      append_link (markdown, link->words, link->address);
      g_string_append_printf (markdown, "%s\n", stars);
    }

  return g_string_free_to_bytes (markdown);
}

static void
add_text (GVariantBuilder *builder, const char *name, const char *text)
{
  if (text != NULL)
    g_variant_builder_add (builder, "{sv}", name, g_variant_new_string (text));
}

static GVariant *
describe (EarReadingList *list, EarLink *link)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  GVariant *description;

  add_text (&builder, "address", link->address);
  add_text (&builder, "words", link->words);
  add_text (&builder, "heading", link->heading);
  add_text (&builder, "kind", ear_link_kind_names[link->kind]);
  add_text (&builder, "title", link->title);
  add_text (&builder, "podcast", link->podcast);
  g_variant_builder_add (&builder, "{sv}", "episodes", g_variant_new_int64 (link->n_episodes));
  g_variant_builder_add (&builder, "{sv}", "read",
                         g_variant_new_boolean (ear_reading_list_has (list, link, EAR_LINK_READ)));
  g_variant_builder_add (
      &builder, "{sv}", "starred",
      g_variant_new_boolean (ear_reading_list_has (list, link, EAR_LINK_STARRED)));
  description = g_variant_builder_end (&builder);
  /* Serialized, a description takes a tenth of the memory. */
  g_variant_get_data (description);

  return description;
}

/* Exports links. Markdown has them under the titles of their episodes, those that were
 * read with a check mark as on GitHub, starred ones in bold. JSON has an object for each
 * link.
 * @heading: (nullable): the title of a Markdown document; %NULL for JSON */
GBytes *
ear_link_export (EarReadingList *list, GPtrArray *links, const char *heading)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  if (heading != NULL)
    return write_markdown (list, links, heading);
  for (guint i = 0; i < links->len; i++)
    g_variant_builder_add_value (&builder, describe (list, g_ptr_array_index (links, i)));

  return ear_userdata_export (g_variant_builder_end (&builder));
}
