/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-directory-service.h"

#include <string.h>

/* Apple's podcast directory by the iTunes Search API: search, lookup by number, and the
 * charts of a country, for all categories or for one, which list only numbers. */

#define N_RESULTS 50
#define N_CHART 25
#define TITLE_LIMIT 300

/* Apple's numbers of the main categories, with the names in older feeds */
static const struct
{
  const char *name;
  const char *number;
} genres[] = {
  { "Arts", "1301" },
  { "Business", "1321" },
  { "Comedy", "1303" },
  { "Education", "1304" },
  { "Fiction", "1483" },
  { "Government", "1511" },
  { "Health & Fitness", "1512" },
  { "Health", "1512" },
  { "History", "1487" },
  { "Kids & Family", "1305" },
  { "Leisure", "1502" },
  { "Games & Hobbies", "1502" },
  { "Music", "1310" },
  { "News", "1489" },
  { "News & Politics", "1489" },
  { "Religion & Spirituality", "1314" },
  { "Science", "1533" },
  { "Science & Medicine", "1533" },
  { "Society & Culture", "1324" },
  { "Sports", "1545" },
  { "Sports & Recreation", "1545" },
  { "TV & Film", "1309" },
  { "Technology", "1318" },
  { "True Crime", "1488" },
};

static const char *
find_genre (const char *category)
{
  for (gsize i = 0; i < G_N_ELEMENTS (genres); i++)
    if (g_ascii_strcasecmp (genres[i].name, category) == 0)
      return genres[i].number;

  return NULL;
}

static gboolean
is_number_list (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789,") == strlen (text);
}

static char *
build_chart (const char *base, const char *country, const char *category)
{
  const char *genre = find_genre (category);

  if (*category != '\0' && genre == NULL)
    return NULL;

  return g_strdup_printf ("%s/%s/rss/toppodcasts/limit=%d%s%s/explicit=true/json", base, country, N_CHART,
                          genre != NULL ? "/genre=" : "", genre != NULL ? genre : "");
}

static char *
build (const char *base, const char *country, EarDirectoryQuestion question, const char *text)
{
  g_autofree char *escaped = g_uri_escape_string (text, NULL, FALSE);

  switch (question)
    {
    case EAR_DIRECTORY_WORDS:
      return g_strdup_printf ("%s/search?media=podcast&entity=podcast&term=%s&country=%s&limit=%d",
                              base, escaped, country, N_RESULTS);
    case EAR_DIRECTORY_AUTHOR:
      return g_strdup_printf ("%s/search?media=podcast&entity=podcast&attribute=artistTerm&term=%s&country=%s&limit=%d",
                              base, escaped, country, N_RESULTS);
    case EAR_DIRECTORY_CHART:
      return build_chart (base, country, text);
    case EAR_DIRECTORY_ID:
      return is_number_list (text)
               ? g_strdup_printf ("%s/lookup?id=%s&entity=podcast&country=%s", base, text, country) : NULL;
    default:
      g_assert_not_reached ();
    }
}

/* Largest first: covers of all sizes are made from one file. */
static const char *const artwork_names[] = { "artworkUrl600", "artworkUrl100", "artworkUrl60", "artworkUrl30", NULL };

static void
read_podcast (JsonObject *object, EarDirectoryEntry *entry)
{
  /* Podcasts exclusive to Apple's app have no feed URL. */
  entry->address = ear_directory_json_dup_address (object, "feedUrl");
  entry->title = ear_directory_json_dup_line (object, "collectionName", TITLE_LIMIT);
  if (entry->title == NULL)
    entry->title = ear_directory_json_dup_line (object, "trackName", TITLE_LIMIT);
  entry->author = ear_directory_json_dup_line (object, "artistName", TITLE_LIMIT);
  entry->image = ear_directory_json_dup_first_address (object, artwork_names);
  entry->n_episodes = ear_directory_json_get_count (object, "trackCount");
}

static char *
read_chart (JsonNode *root)
{
  g_autoptr (JsonNode) found = json_path_query ("$.feed.entry[*].id.attributes['im:id']", root, NULL);
  JsonArray *numbers = json_node_get_array (found);
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < MIN (json_array_get_length (numbers), N_CHART); i++)
    {
      JsonNode *node = json_array_get_element (numbers, i);
      const char *number = json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : "";

      if (is_number_list (number) && strlen (number) <= 20)
        g_string_append_printf (ids, "%s%s", ids->len > 0 ? "," : "", number);
    }

  return ids->len > 0 ? g_string_free (g_steal_pointer (&ids), FALSE) : NULL;
}

static GPtrArray *
read_answer (JsonNode *root, EarDirectoryQuestion question, char **ids)
{
  JsonArray *results = ear_directory_json_get_array (root, "results");

  if (question == EAR_DIRECTORY_CHART)
    *ids = read_chart (root);
  if (results != NULL)
    return ear_directory_json_read_podcasts (results, 4 * N_RESULTS, read_podcast);

  return question == EAR_DIRECTORY_CHART ? g_ptr_array_new () : NULL;
}

const EarDirectoryService ear_directory_itunes = {
  .name = "Apple Podcasts",
  .base = "https://itunes.apple.com",
  .per_minute = 20,
  .build = build,
  .read = read_answer,
};
