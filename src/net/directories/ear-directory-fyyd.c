/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-directory-service.h"

/* The open podcast directory fyyd.de, API 0.2. */

#define N_RESULTS 30
#define TITLE_LIMIT 300

static char *
build (const char *base, const char *country, EarDirectoryQuestion question, const char *text)
{
  g_autofree char *escaped = g_uri_escape_string (text, NULL, FALSE);

  switch (question)
    {
    case EAR_DIRECTORY_WORDS:
    case EAR_DIRECTORY_AUTHOR:
      return g_strdup_printf ("%s/search/podcast?term=%s&count=%d", base, escaped, N_RESULTS);
    case EAR_DIRECTORY_CHART:
    case EAR_DIRECTORY_ID:
      return NULL;
    default:
      g_assert_not_reached ();
    }
}

static const char *const image_names[] = { "layoutImageURL", "imgURL", "thumbImageURL", "smallImageURL", NULL };

static void
read_podcast (JsonObject *object, EarDirectoryEntry *entry)
{
  /* HTTP status of the directory's last fetch of the feed */
  guint status = ear_directory_json_get_count (object, "status");

  if (status != 404 && status != 410)
    entry->address = ear_directory_json_dup_address (object, "xmlURL");
  entry->title = ear_directory_json_dup_line (object, "title", TITLE_LIMIT);
  entry->author = ear_directory_json_dup_line (object, "author", TITLE_LIMIT);
  entry->image = ear_directory_json_dup_first_address (object, image_names);
  entry->n_episodes = ear_directory_json_get_count (object, "episode_count");
}

static GPtrArray *
read_answer (JsonNode *root, EarDirectoryQuestion question, char **ids)
{
  JsonArray *data = ear_directory_json_get_array (root, "data");

  return data != NULL ? ear_directory_json_read_podcasts (data, 4 * N_RESULTS, read_podcast) : NULL;
}

const EarDirectoryService ear_directory_fyyd = {
  .name = "fyyd",
  .base = "https://api.fyyd.de/0.2",
  .per_minute = 30,
  .build = build,
  .read = read_answer,
};
