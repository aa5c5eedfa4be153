/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-directories.h"

#include "ear-test-made.h"

#include <stdlib.h>
#include <string.h>

/* Stand-ins for the two podcast directories, with the same few fictional podcasts. Their
 * JSON has the members, types and quirks of the real ones: Apple's starts with empty
 * lines and claims to be JavaScript. */

typedef struct
{
  const char *title;
  const char *author;
  const char *genre;
  const char *number; /* of the genre, at Apple */
  guint episodes;
  gboolean in_itunes;
  gboolean in_fyyd;
} Podcast;

static const Podcast podcasts[] = {
  { "The Quiet Compiler", "Ada Brook", "Technology", "1318", 42, TRUE, TRUE },
  { "Compiler Weekly", "Bob Linker", "Technology", "1318", 210, TRUE, FALSE },
  { "Ask a Compiler", "Ada Brook", "Technology", "1318", 18, TRUE, TRUE },
  { "Kompilerfunk", "Hans Binder", "Technology", "1318", 77, FALSE, TRUE },
  { "Compilers & Cakes", "Carol Oven", "Leisure", "1502", 31, TRUE, TRUE },
  { "The Night Compiler: Stories About Programs That Would Not End, and Those Who Waited for Them", "Dana Loop", "Fiction", "1483", 9, TRUE, FALSE },
  { "Lighthouse Radio", "Ada Brook", "Science", "1533", 120, TRUE, TRUE },
  { "Garden Hours", "Erin Root", "Leisure", "1502", 64, FALSE, TRUE },
  { "Salt and Iron", "Femi Anchor", "History", "1487", 88, TRUE, FALSE },
  { "The Short Bulletin", "Gita Press", "News", "1489", 365, TRUE, FALSE },
  { "Paper Boats", "Hugo Fold", "Arts", "1301", 27, TRUE, FALSE },
  { "Second Violins", "Ines Bow", "Music", "1310", 54, TRUE, FALSE },
  { "Extra Time", "Jonas Field", "Sports", "1545", 140, TRUE, FALSE },
  { "A Slow Walk", "Kaya Moss", "Health & Fitness", "1512", 33, TRUE, FALSE },
  { "Cold Porridge", "Liam Spoon", "Comedy", "1303", 71, TRUE, FALSE },
};

/* A country without a chart */
#define NO_CHART "/itunes/td/"


static gboolean
has_words (const Podcast *podcast,
           const char    *term,
           gboolean       by_author)
{
  g_autofree char *text = g_strdup_printf ("%s %s", by_author ? "" : podcast->title, podcast->author);
  g_autofree char *lower = g_utf8_strdown (text, -1);
  g_autofree char *folded = g_utf8_strdown (term, -1);
  g_auto (GStrv) words = g_strsplit (folded, " ", -1);

  for (char **word = words; *word != NULL; word++)
    if (strstr (lower, *word) == NULL)
      return FALSE;

  return TRUE;
}

static void
append_string (GString    *json,
               const char *name,
               const char *value)
{
  g_string_append_printf (json, "\"%s\":\"", name);
  for (const char *p = value; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_c (json, '\\');
      g_string_append_c (json, *p);
    }
  g_string_append (json, "\",");
}

static char *
dup_feed (const Podcast *podcast,
          const char    *origin)
{
  g_autofree char *name = g_uri_escape_string (podcast->title, NULL, FALSE);

  return g_strdup_printf ("%s/generated/%s-%u.xml", origin, name, podcast->episodes);
}

static void
append_for_itunes (GString    *json,
                   guint       index,
                   const char *origin)
{
  const Podcast *podcast = &podcasts[index];
  g_autofree char *feed = dup_feed (podcast, origin);
  g_autofree char *cover = g_strdup_printf ("%s/directories/cover/%u.png", origin, index);

  g_string_append (json, "{\"wrapperType\":\"track\",\"kind\":\"podcast\",");
  append_string (json, "artistName", podcast->author);
  append_string (json, "collectionName", podcast->title);
  append_string (json, "trackName", podcast->title);
  append_string (json, "feedUrl", feed);
  append_string (json, "artworkUrl30", cover);
  append_string (json, "artworkUrl600", cover);
  append_string (json, "collectionViewUrl", "https://podcasts.example.org/podcast");
  append_string (json, "primaryGenreName", podcast->genre);
  append_string (json, "collectionExplicitness", "notExplicit");
  g_string_append_printf (json, "\"collectionId\":%u,\"trackId\":%u,\"trackCount\":%u,\"genreIds\":[\"%s\",\"26\"],\"genres\":[\"%s\",\"Podcasts\"]},",
                          1000 + index, 1000 + index, podcast->episodes, podcast->number, podcast->genre);
}

static void
append_for_fyyd (GString    *json,
                 guint       index,
                 const char *origin)
{
  const Podcast *podcast = &podcasts[index];
  g_autofree char *plain = dup_feed (podcast, origin);
  /* The same feed often has several spellings. */
  g_autofree char *feed = g_strconcat (plain, "?", NULL);
  g_autofree char *cover = g_strdup_printf ("%s/directories/cover/%u.png", origin, index);

  g_string_append_c (json, '{');
  append_string (json, "title", podcast->title);
  append_string (json, "author", podcast->author);
  append_string (json, "xmlURL", feed);
  append_string (json, "htmlURL", "https://fyyd.example.org/podcast");
  append_string (json, "imgURL", cover);
  append_string (json, "layoutImageURL", cover);
  append_string (json, "description", "A podcast that a stand-in made up.");
  append_string (json, "language", "en");
  append_string (json, "lastpub", "2026-03-01T06:00:00+01:00");
  g_string_append_printf (json, "\"id\":%u,\"rank\":%u,\"status\":200,\"episode_count\":%u,\"categories\":[5]},",
                          2000 + index, index, podcast->episodes);
}

static void
end_list (GString    *json,
          const char *end)
{
  if (json->str[json->len - 1] == ',')
    g_string_truncate (json, json->len - 1);
  g_string_append (json, end);
}

/* @ids: numbers separated by commas, as in a lookup */
static gboolean
has_number (const char *ids,
            guint       index)
{
  g_auto (GStrv) numbers = g_strsplit (ids, ",", -1);
  g_autofree char *wanted = g_strdup_printf ("%u", 1000 + index);

  return g_strv_contains ((const char *const *) numbers, wanted);
}

static char *
answer_itunes (GHashTable *params,
               const char *origin)
{
  GString *json = g_string_new ("\n\n\n{\"resultCount\":0,\"results\":[");
  const char *term = g_hash_table_lookup (params, "term");
  const char *ids = g_hash_table_lookup (params, "id");
  gboolean by_author = g_strcmp0 (g_hash_table_lookup (params, "attribute"), "artistTerm") == 0;

  for (guint i = 0; i < G_N_ELEMENTS (podcasts); i++)
    if (podcasts[i].in_itunes && (term != NULL ? has_words (&podcasts[i], term, by_author) : ids != NULL && has_number (ids, i)))
      append_for_itunes (json, i, origin);
  end_list (json, "]}\n");

  return g_string_free (json, FALSE);
}

static char *
answer_fyyd (GHashTable *params,
             const char *origin)
{
  GString *json = g_string_new ("{\"status\":1,\"msg\":\"ok\",\"meta\":{\"paging\":{\"count\":30,\"page\":0,\"first_page\":0,"
                                "\"last_page\":0,\"next_page\":null,\"prev_page\":null},\"API_INFO\":{\"API_VERSION\":0.2}},\"data\":[");
  const char *term = g_hash_table_lookup (params, "term");

  for (guint i = 0; i < G_N_ELEMENTS (podcasts); i++)
    if (podcasts[i].in_fyyd && term != NULL && has_words (&podcasts[i], term, FALSE))
      append_for_fyyd (json, i, origin);
  end_list (json, "]}");

  return g_string_free (json, FALSE);
}

static char *
answer_chart (const char *path)
{
  GString *json = g_string_new ("{\"feed\":{\"author\":{\"name\":{\"label\":\"iTunes Store\"}},\"entry\":[");
  const char *genre = strstr (path, "/genre=");

  for (guint i = 0; i < G_N_ELEMENTS (podcasts); i++)
    if (podcasts[i].in_itunes &&
        (genre == NULL || g_str_has_prefix (genre + strlen ("/genre="), podcasts[i].number)))
      {
        g_string_append_c (json, '{');
        g_string_append_printf (json, "\"im:name\":{\"label\":\"%s\"},", podcasts[i].genre);
        g_string_append_printf (json, "\"id\":{\"label\":\"x\",\"attributes\":{\"im:id\":\"%u\"}}},", 1000 + i);
      }
  end_list (json, "]}}");

  return g_string_free (json, FALSE);
}

/**
 * ear_test_directories_answer:
 * @path: an unescaped path
 * @query: (nullable): the query, escaped
 * @origin: start of the addresses in the response
 * @type: (out): the Content-Type
 *
 * Returns: (transfer full) (nullable): the response of a directory
 */
GBytes *
ear_test_directories_answer (const char  *path,
                             const char  *query,
                             const char  *origin,
                             const char **type)
{
  g_autoptr (GHashTable) params = g_uri_parse_params (query != NULL ? query : "", -1, "&", G_URI_PARAMS_WWW_FORM, NULL);
  char *json = NULL;

  if (params == NULL)
    return NULL;
  *type = "text/javascript; charset=utf-8";
  if (g_str_has_prefix (path, "/directories/cover/"))
    {
      *type = "image/png";
      return ear_test_made_picture (300, (guint) atoi (path + strlen ("/directories/cover/")));
    }
  if (g_str_equal (path, "/itunes/search") || g_str_equal (path, "/itunes/lookup"))
    json = answer_itunes (params, origin);
  else if (g_str_has_prefix (path, "/itunes/") && strstr (path, "/rss/toppodcasts/") != NULL &&
           !g_str_has_prefix (path, NO_CHART))
    json = answer_chart (path);
  else if (g_str_equal (path, "/fyyd/search/podcast"))
    {
      *type = "application/json";
      json = answer_fyyd (params, origin);
    }

  return json != NULL ? g_bytes_new_take (json, strlen (json)) : NULL;
}
