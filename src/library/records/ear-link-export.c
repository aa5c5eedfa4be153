/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-export.h"

#include "ear-markdown.h"
#include "ear-userdata-export.h"

/* The reading list for other programs. */

/* Returns: (transfer full): the link in Markdown */
char *
ear_link_dup_markdown (EarLink *link)
{
  GString *markdown = g_string_new (NULL);

  ear_markdown_append_link (markdown, ear_link_get_words (link), ear_link_get_address (link));

  return g_string_free_and_steal (markdown);
}

/* Those that stand below one another are most often of one episode. */
static void
append_heading (GString *markdown, EarLink *link)
{
  g_string_append (markdown, "\n## ");
  if (ear_link_get_title (link) != NULL)
    ear_markdown_append_text (markdown, ear_link_get_title (link));
  if (ear_link_get_title (link) != NULL && ear_link_get_podcast (link) != NULL)
    g_string_append (markdown, " – ");
  if (ear_link_get_podcast (link) != NULL)
    ear_markdown_append_text (markdown, ear_link_get_podcast (link));
  g_string_append (markdown, "\n\n");
}

/**
 * ear_link_export_markdown:
 * @links: (element-type EarLink): in their order
 * @list: knows which of them were read
 * @heading: what stands above all
 *
 * Returns: (transfer full): a list of what is to be read, under the titles of the episodes, with what was read ticked, as GitHub's
 *   Markdown has it; what is starred is bold
 */
GBytes *
ear_link_export_markdown (GPtrArray *links, EarReadingList *list, const char *heading)
{
  GString *markdown = g_string_new ("# ");
  const char *episode = NULL;

  ear_markdown_append_text (markdown, heading);
  g_string_append_c (markdown, '\n');
  for (guint i = 0; i < links->len; i++)
    {
      EarLink *link = g_ptr_array_index (links, i);
      const char *stars = ear_reading_list_has (list, link, EAR_LINK_STARRED) ? "**" : "";

      if (i == 0 || g_strcmp0 (episode, ear_link_get_episode (link)) != 0)
        append_heading (markdown, link);
      episode = ear_link_get_episode (link);
      g_string_append_printf (markdown, "- [%s] %s", ear_reading_list_has (list, link, EAR_LINK_READ) ? "x" : " ", stars);
      ear_markdown_append_link (markdown, ear_link_get_words (link), ear_link_get_address (link));
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

/* Returns: (transfer full): a list of objects with what is known of each link */
GBytes *
ear_link_export_json (GPtrArray *links, EarReadingList *list)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < links->len; i++)
    {
      EarLink *link = g_ptr_array_index (links, i);

      g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
      add_text (&builder, "address", ear_link_get_address (link));
      add_text (&builder, "words", ear_link_get_words (link));
      add_text (&builder, "heading", ear_link_get_heading (link));
      add_text (&builder, "kind", ear_link_kind_get_name (ear_link_get_kind (link)));
      add_text (&builder, "title", ear_link_get_title (link));
      add_text (&builder, "podcast", ear_link_get_podcast (link));
      g_variant_builder_add (&builder, "{sv}", "episodes", g_variant_new_int64 (ear_link_get_n_episodes (link)));
      g_variant_builder_add (&builder, "{sv}", "read", g_variant_new_boolean (ear_reading_list_has (list, link, EAR_LINK_READ)));
      g_variant_builder_add (&builder, "{sv}", "starred", g_variant_new_boolean (ear_reading_list_has (list, link, EAR_LINK_STARRED)));
      g_variant_builder_close (&builder);
    }

  return ear_userdata_export (g_variant_builder_end (&builder));
}
