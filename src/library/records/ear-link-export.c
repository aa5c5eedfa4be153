/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-export.h"

#include "ear-ids.h"
#include "ear-link-address.h"
#include "ear-markdown.h"
#include "ear-userdata-export.h"
#include "ear-worker.h"

/* Exports the reading list for other programs. A worker writes it, as it may be long. */

typedef struct
{
  GPtrArray *links; /* (element-type EarLink) (nullable): until they are written */
  GArray *ids[EAR_N_LINK_MARKS]; /* (element-type gint64): marked links, sorted */
  char *heading; /* (nullable) */
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_clear_pointer (&work->links, g_ptr_array_unref);
  for (guint i = 0; i < EAR_N_LINK_MARKS; i++)
    g_array_unref (work->ids[i]);
  g_free (work->heading);
  g_free (work);
}

/* Returns: (transfer full): the link in Markdown */
char *
ear_link_dup_markdown (EarLink *link)
{
  GString *markdown = g_string_new (NULL);

  ear_markdown_append_link (markdown, ear_link_get_words (link), ear_link_get_address (link));

  return g_string_free_and_steal (markdown);
}

/* Writes one heading for adjacent links of the same episode. */
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

static gboolean
has (const Work *work, EarLink *link, EarLinkMark mark)
{
  const gint64 id = ear_link_address_make_id (ear_link_get_key (link));

  return g_array_binary_search (work->ids[mark], &id, ear_ids_compare, NULL);
}

static GBytes *
write_markdown (const Work *work)
{
  GString *markdown = g_string_new ("# ");
  const char *episode = NULL;

  ear_markdown_append_text (markdown, work->heading);
  g_string_append_c (markdown, '\n');
  for (guint i = 0; i < work->links->len; i++)
    {
      EarLink *link = g_ptr_array_index (work->links, i);
      const char *stars = has (work, link, EAR_LINK_STARRED) ? "**" : "";

      if (i == 0 || g_strcmp0 (episode, ear_link_get_episode (link)) != 0)
        append_heading (markdown, link);
      episode = ear_link_get_episode (link);
      g_string_append_printf (markdown, "- [%s] %s", has (work, link, EAR_LINK_READ) ? "x" : " ",
                              stars);
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

static GVariant *
describe (const Work *work, EarLink *link)
{
  GVariantBuilder builder;
  GVariant *description;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  add_text (&builder, "address", ear_link_get_address (link));
  add_text (&builder, "words", ear_link_get_words (link));
  add_text (&builder, "heading", ear_link_get_heading (link));
  add_text (&builder, "kind", ear_link_kind_get_name (ear_link_get_kind (link)));
  add_text (&builder, "title", ear_link_get_title (link));
  add_text (&builder, "podcast", ear_link_get_podcast (link));
  g_variant_builder_add (&builder, "{sv}", "episodes",
                         g_variant_new_int64 (ear_link_get_n_episodes (link)));
  g_variant_builder_add (&builder, "{sv}", "read",
                         g_variant_new_boolean (has (work, link, EAR_LINK_READ)));
  g_variant_builder_add (&builder, "{sv}", "starred",
                         g_variant_new_boolean (has (work, link, EAR_LINK_STARRED)));
  description = g_variant_builder_end (&builder);
  /* Serialized, a description takes a tenth of the memory. */
  g_variant_get_data (description);

  return description;
}

static GBytes *
write_json (const Work *work)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < work->links->len; i++)
    g_variant_builder_add_value (&builder, describe (work, g_ptr_array_index (work->links, i)));

  return ear_userdata_export (g_variant_builder_end (&builder));
}

static void
write_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  GBytes *bytes;

  for (guint i = 0; i < EAR_N_LINK_MARKS; i++)
    g_array_sort (work->ids[i], ear_ids_compare);
  bytes = work->heading != NULL ? write_markdown (work) : write_json (work);

  g_clear_pointer (&work->links, g_ptr_array_unref);
  g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
}

/* Exports links. Markdown has them under the titles of their episodes, those that were
 * read with a check mark as on GitHub, starred ones in bold. JSON has an object for each
 * link.
 * @list: provides the marks
 * @links: (element-type EarLink): the links in order; no longer used by the caller
 * @heading: (nullable): the title of a Markdown document; %NULL for JSON */
void
ear_link_export_async (EarReadingList *list, GPtrArray *links, const char *heading,
                       GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (list, cancellable, callback, user_data);
  Work *work = g_new0 (Work, 1);

  g_task_set_source_tag (task, ear_link_export_async);
  work->links = g_ptr_array_ref (links);
  for (guint i = 0; i < EAR_N_LINK_MARKS; i++)
    work->ids[i] = ear_reading_list_list_ids (list, (EarLinkMark) i);
  work->heading = g_strdup (heading);
  g_task_set_task_data (task, work, work_free);
  ear_worker_run (task, write_thread, (GDestroyNotify) g_bytes_unref);
}

/* Returns: (transfer full) (nullable): the contents of the file */
GBytes *
ear_link_export_finish (EarReadingList *list, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, list), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
