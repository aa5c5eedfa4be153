/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mpris-metadata.h"

#define TRACK_PREFIX EAR_RESOURCE_BASE "/episode/"

static void
add_string (GVariantDict *dict, const char *key, const char *value)
{
  if (!ear_is_empty (value))
    g_variant_dict_insert (dict, key, "s", value);
}

static void
add_strings (GVariantDict *dict, const char *key, const char *value)
{
  const char *values[] = { value, NULL };

  if (!ear_is_empty (value))
    g_variant_dict_insert_value (dict, key, g_variant_new_strv (values, 1));
}

static void
add_created (GVariantDict *dict, EarEpisodeFacts *facts)
{
  g_autoptr (GDateTime) date = NULL;
  g_autofree char *text = NULL;

  if (facts->published == EAR_DATE_UNKNOWN)
    return;
  date = g_date_time_new_from_unix_utc (facts->published);
  if (date == NULL)
    return;
  text = g_date_time_format_iso8601 (date);
  add_string (dict, "xesam:contentCreated", text);
}

static void
add_track_number (GVariantDict *dict, EarEpisodeFacts *facts)
{
  guint64 number;

  if (facts->number != NULL && g_ascii_string_to_unsigned (facts->number, 10, 1, G_MAXINT32, &number, NULL))
    g_variant_dict_insert (dict, "xesam:trackNumber", "i", (gint32) number);
}

/* Returns: (transfer full): the episode's object path, the same in every session */
char *
ear_mpris_metadata_dup_track_id (EarEpisode *episode)
{
  g_autofree char *key = ear_episode_dup_key (episode);

  return g_strconcat (TRACK_PREFIX, key, NULL);
}

/* Builds the metadata of an episode, following the MPRIS metadata guidelines. Empty
 * without an episode.
 * @episode: (nullable): the loaded episode
 * @duration: its length in microseconds, 0 if unknown
 * @cover_path: (nullable): a picture file
 * Returns: (transfer floating): an `a{sv}` */
GVariant *
ear_mpris_metadata_new (EarEpisode *episode, gint64 duration, const char *cover_path)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  if (episode != NULL)
    {
      EarEpisodeFacts *facts = ear_episode_get_facts (episode);
      EarPodcast *podcast = ear_episode_get_podcast (episode);
      const char *author = facts->author != NULL ? facts->author : ear_podcast_get_facts (podcast)->author;
      g_autofree char *track_id = ear_mpris_metadata_dup_track_id (episode);
      g_autofree char *art = cover_path != NULL ? g_filename_to_uri (cover_path, NULL, NULL) : NULL;

      g_variant_dict_insert (&dict, "mpris:trackid", "o", track_id);
      if (duration > 0)
        g_variant_dict_insert (&dict, "mpris:length", "x", duration);
      add_string (&dict, "mpris:artUrl", art);
      add_string (&dict, "xesam:title", ear_episode_get_name (episode));
      add_string (&dict, "xesam:album", ear_podcast_get_title (podcast));
      add_strings (&dict, "xesam:artist", author != NULL ? author : ear_podcast_get_title (podcast));
      add_strings (&dict, "xesam:genre", "Podcast");
      add_string (&dict, "xesam:url", facts->link);
      add_created (&dict, facts);
      add_track_number (&dict, facts);
    }

  return g_variant_dict_end (&dict);
}
