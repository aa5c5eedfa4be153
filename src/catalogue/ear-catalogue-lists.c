/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Main thread: members of the listener's own lists. The catalogue does not store them: a
 * query gets the members of its list, and finds their rows by podcast and guid, whenever
 * the episodes came. */

static void
append_text (GString *json, const char *text)
{
  g_string_append_c (json, '"');
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\' || (guchar) *text < ' ')
      g_string_append_printf (json, "\\u%04x", *text);
    else
      g_string_append_c (json, *text);
  g_string_append_c (json, '"');
}

static char *
print_members (GPtrArray *members)
{
  g_autoptr (GString) json = g_string_new ("[");

  for (guint i = 0; i < members->len; i++)
    {
      const EarListMember *member = g_ptr_array_index (members, i);

      g_string_append_printf (json, "%s[%" G_GINT64_FORMAT ",", i > 0 ? "," : "", member->podcast);
      append_text (json, member->guid);
      if (member->alias != NULL)
        {
          g_string_append_c (json, ',');
          append_text (json, member->alias);
        }
      g_string_append_c (json, ']');
    }
  g_string_append_c (json, ']');

  return g_ref_string_new (json->str);
}

/**
 * ear_catalogue_set_list:
 * @list: name of the list in queries
 * @members: (nullable) (element-type EarListMember): its members, in order, each once;
 *   %NULL if the list was deleted
 *
 * Sets the members of one of the listener's own lists.
 */
void
ear_catalogue_set_list (EarCatalogue *self, const char *list, GPtrArray *members)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (list != NULL);

  if (members != NULL)
    g_hash_table_replace (self->lists, g_strdup (list), print_members (members));
  else
    g_hash_table_remove (self->lists, list);
  g_signal_emit_by_name (self, "list-changed", list);
}

/* Returns: (transfer full): the query, with the members of its list, and the
 * bookmarks to search */
EarEpisodeQuery *
ear_catalogue_complete_query (EarCatalogue *self, const EarEpisodeQuery *query)
{
  EarEpisodeQuery *complete = ear_episode_query_copy (query);
  char *members = query->list != NULL ? g_hash_table_lookup (self->lists, query->list) : NULL;

  g_clear_pointer (&complete->members, g_ref_string_release);
  complete->members = members != NULL ? g_ref_string_acquire (members) : NULL;
  g_clear_pointer (&complete->bookmarks, g_ptr_array_unref);
  complete->bookmarks = query->search != NULL && self->bookmarks != NULL ? g_ptr_array_ref (self->bookmarks) : NULL;

  return complete;
}
