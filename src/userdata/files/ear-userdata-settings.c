/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-settings.h"

#include "ear-stamp.h"
#include "ear-userdata-merge.h"

/*
 * The member "settings" of a podcast's file:
 *
 *   "settings": { "notifications": { "value": false, "updated": "2026-11-21T06:40:12.123456Z" },
 *                 "refresh-interval": { "value": 15, "updated": ... },
 *                 "filter": { "value": "unplayed", "updated": ... }, "sort": ... }
 *
 * An unknown value, maybe from a later version, counts as none and stays in the file
 * until the listener changes the setting.
 */

#define MEMBER "settings"

static gboolean
read_value (EarPodcastSetting setting, JsonNode *node, int *value)
{
  double number;

  if (node == NULL)
    return FALSE;

  switch (ear_podcast_setting_get_kind (setting))
    {
    case EAR_SETTING_FLAG:
      if (json_node_get_value_type (node) != G_TYPE_BOOLEAN)
        return FALSE;
      *value = json_node_get_boolean (node);
      return TRUE;
    case EAR_SETTING_OWN_FLAG:
      if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
        *value = json_node_get_boolean (node);
      else if (ear_json_get_number (node, &number) && number == -1)
        *value = -1;
      else
        return FALSE;
      return TRUE;
    case EAR_SETTING_NUMBER:
      if (!ear_json_get_number (node, &number) || !(number >= G_MININT && number <= G_MAXINT) || number != (int) number)
        return FALSE;
      *value = (int) number;
      return ear_podcast_setting_accepts (setting, *value);
    case EAR_SETTING_WORD:
      return json_node_get_value_type (node) == G_TYPE_STRING &&
             ear_podcast_setting_find_word (setting, json_node_get_string (node), value);
    default:
      g_assert_not_reached ();
    }
}

static JsonNode *
make_value (EarPodcastSetting setting, int value)
{
  JsonNode *node = json_node_alloc ();

  switch (ear_podcast_setting_get_kind (setting))
    {
    case EAR_SETTING_FLAG:
      return json_node_init_boolean (node, value);
    case EAR_SETTING_OWN_FLAG:
      return value < 0 ? json_node_init_int (node, value) : json_node_init_boolean (node, value);
    case EAR_SETTING_NUMBER:
      return json_node_init_int (node, value);
    case EAR_SETTING_WORD:
      return json_node_init_string (node, ear_podcast_setting_get_word (setting, value));
    default:
      g_assert_not_reached ();
    }
}

static void
set_value (JsonObject *root, EarPodcastSetting setting, int value, gint64 stamp)
{
  ear_userdata_shape_set_stamped (ear_json_ensure_object (root, MEMBER), ear_podcast_setting_get_name (setting),
                                  make_value (setting, value), stamp);
}

/* Reads the settings. Missing and invalid ones have their default values and the stamp 0.
 * @now: the clock, Unix microseconds
 * @settings: (out caller-allocates): the settings */
void
ear_userdata_settings_read (JsonObject *root, gint64 now, EarPodcastSettings *settings)
{
  JsonObject *object = ear_json_get_object (root, MEMBER);

  ear_podcast_settings_init (settings);
  for (guint i = 0; object != NULL && i < EAR_N_PODCAST_SETTINGS; i++)
    {
      JsonNode *node;
      const gint64 stamp = ear_userdata_shape_get_stamped (object, ear_podcast_setting_get_name (i), now, &node);
      int value;

      if (!read_value (i, node, &value))
        continue;
      settings->values[i] = value;
      settings->updated[i] = stamp;
    }
}

/* Writes settings that are newer than those in the file.
 * @now: the clock, Unix microseconds */
gboolean
ear_userdata_settings_write (JsonObject *root, const EarPodcastSettings *settings, gint64 now)
{
  EarPodcastSettings before;
  gboolean changed = FALSE;

  ear_userdata_settings_read (root, now, &before);
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (settings->updated[i] > before.updated[i])
      {
        set_value (root, i, settings->values[i], settings->updated[i]);
        changed = TRUE;
      }

  return changed;
}

/* Restores settings, with the present time as stamp.
 * @now: the clock, Unix microseconds */
gboolean
ear_userdata_settings_restore (JsonObject *root, JsonObject *then, gint64 now)
{
  EarPodcastSettings is, was;
  gboolean changed = FALSE;

  ear_userdata_settings_read (root, now, &is);
  ear_userdata_settings_read (then, now, &was);
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (is.values[i] != was.values[i])
      {
        set_value (root, i, was.values[i], MAX (now, is.updated[i] + 1));
        changed = TRUE;
      }

  return changed;
}

/* Corrects stamps after the clock was set back, as ear_episode_state_doubt(). */
void
ear_userdata_settings_doubt (EarPodcastSettings *settings, gint64 now)
{
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    settings->updated[i] = ear_stamp_clamp_future (settings->updated[i], now);
}

/* Applies values changed by hand: different ones with the same
 * stamp, as ear_episode_state_take_edited().
 * @news: (out caller-allocates): the applied settings, all others with the stamp 0 */
gboolean
ear_userdata_settings_take_edited (EarPodcastSettings *into, const EarPodcastSettings *from,
                                   EarPodcastSettings *news)
{
  EarPodcastSettings edited = *from;

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    edited.updated[i] += from->updated[i] == into->updated[i] && from->values[i] != into->values[i];

  return ear_podcast_settings_take_newer (into, &edited, news);
}

/* Decides whether each setting wins, and with which stamp: see ear_userdata_next_stamp().
 * @settings: new settings: those whose stamp is not 0
 * @done: the clock when the listener set them; 0: not set here */
void
ear_userdata_settings_stamp (EarPodcastSettings *settings, gint64 done,
                             const EarPodcastSettings *known, gint64 now)
{
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    settings->updated[i] = ear_userdata_next_stamp (settings->updated[i], done, known->updated[i],
                                                    settings->values[i] == known->values[i], now);
}
