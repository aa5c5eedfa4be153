/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-directory-service.h"

/* The open podcast directory fyyd.de, API 0.2. */

#define N_RESULTS 30
#define TITLE_LIMIT 300
#define DESCRIPTION_LIMIT 500

static char *
build (const char *base, EarDirectoryQuestion question, const char *text)
{
  g_autofree char *escaped = g_uri_escape_string (text, NULL, FALSE);

  switch (question)
    {
    case EAR_DIRECTORY_WORDS:
    case EAR_DIRECTORY_AUTHOR:
      return g_strdup_printf ("%s/search/podcast?term=%s&count=%d", base, escaped, N_RESULTS);
    case EAR_DIRECTORY_CATEGORY:
    case EAR_DIRECTORY_ID:
      return NULL;
    default:
      g_assert_not_reached ();
    }
}

static const char *const image_names[] = { "layoutImageURL", "imgURL", "thumbImageURL", "smallImageURL", NULL };

static void
read_podcast (JsonObject *object, GPtrArray *entries)
{
  g_autoptr (EarDirectoryEntry) entry = ear_directory_entry_new ();
  /* What its own last attempt to fetch the feed gave */
  guint status = ear_directory_json_get_count (object, "status");

  entry->address = ear_directory_json_dup_address (object, "xmlURL");
  entry->title = ear_directory_json_dup_line (object, "title", TITLE_LIMIT);
  if (entry->address == NULL || entry->title == NULL || status == 404 || status == 410)
    return;

  entry->author = ear_directory_json_dup_line (object, "author", TITLE_LIMIT);
  entry->image = ear_directory_json_dup_first_address (object, image_names);
  entry->link = ear_directory_json_dup_address (object, "htmlURL");
  entry->description = ear_directory_json_dup_line (object, "description", DESCRIPTION_LIMIT);
  entry->n_episodes = ear_directory_json_get_count (object, "episode_count");
  g_ptr_array_add (entries, g_steal_pointer (&entry));
}

static GPtrArray *
read_answer (JsonNode *root, EarDirectoryQuestion question, char **ids)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_directory_entry_unref);
  JsonArray *data = ear_directory_json_get_array (root, "data");

  if (data == NULL)
    return NULL;
  for (guint i = 0; i < MIN (json_array_get_length (data), 4 * N_RESULTS); i++)
    {
      JsonNode *node = json_array_get_element (data, i);

      if (JSON_NODE_HOLDS_OBJECT (node))
        read_podcast (json_node_get_object (node), entries);
    }

  return g_steal_pointer (&entries);
}

const EarDirectoryService ear_directory_fyyd = {
  .name = "fyyd",
  .base = "https://api.fyyd.de/0.2",
  .per_minute = 30,
  .build = build,
  .read = read_answer,
};
