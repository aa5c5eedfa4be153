/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-document.h"

#include "ear-address.h"
#include "ear-userdata-merge.h"
#include "ear-userdata-settings.h"


/* The file of one podcast. Only the states by guid are kept in memory, not the JSON
 * tree: that suffices to find the news in a file changed from outside, and to write
 * back lost values. */

/* Limits the file's size for feeds that give their episodes new guids each time. */
#define ALIASES_LIMIT 16

typedef struct
{
  char *alias;
  char *title;
  char *enclosure;
} Facts;

struct _EarUserdataDocument
{
  /* Owned */
  EarUserdataFile *file;
  char *address;
  char *feed_address;
  char *title;
  GHashTable *known; /* (element-type utf8 EarEpisodeState): by guid */
  GHashTable *news;  /* (element-type utf8 EarEpisodeState): learned and not reported yet */
  GHashTable *facts; /* (element-type utf8 Facts): of unwritten episodes */
  EarPodcastSettings settings;
  EarPodcastSettings settings_news; /* learned and not reported yet */
  gboolean is_behind; /* the file, as last read, lacked a known value */
  gboolean dirty;
};

void
ear_settings_change_free (EarSettingsChange *self)
{
  g_free (self->address);
  g_free (self->feed_address);
  g_free (self->title);
  g_free (self);
}

static void
facts_free (Facts *facts)
{
  g_free (facts->alias);
  g_free (facts->title);
  g_free (facts->enclosure);
  g_free (facts);
}

static GHashTable *
new_states (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static EarEpisodeState *
ensure_state (GHashTable *states, const char *guid)
{
  EarEpisodeState *state = g_hash_table_lookup (states, guid);

  if (state == NULL)
    {
      state = g_new0 (EarEpisodeState, 1);
      g_hash_table_insert (states, g_strdup (guid), state);
    }

  return state;
}

char *
ear_userdata_document_dup_name (const char *address)
{
  g_autofree char *hash = ear_address_hash (address, NULL);

  return g_strconcat (hash, ".json", NULL);
}

/* @folder: the folder of its file; must outlive it
 * Returns: (transfer full): the podcast's document, not read yet; for use
 * on one thread */
EarUserdataDocument *
ear_userdata_document_new (EarJsonFolder *folder, const char *address)
{
  EarUserdataDocument *self = g_new0 (EarUserdataDocument, 1);
  g_autofree char *name = ear_userdata_document_dup_name (address);

  self->file = ear_userdata_file_new (folder, name, EAR_USERDATA_KIND_PODCAST);
  self->address = g_strdup (address);
  self->known = new_states ();
  self->news = new_states ();
  self->facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) facts_free);
  ear_podcast_settings_init (&self->settings);
  ear_podcast_settings_init (&self->settings_news);

  return self;
}

/* Frees a document; unwritten changes are lost. */
void
ear_userdata_document_free (EarUserdataDocument *self)
{
  ear_userdata_file_free (self->file);
  g_free (self->address);
  g_free (self->feed_address);
  g_free (self->title);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->news);
  g_hash_table_unref (self->facts);
  g_free (self);
}

const char *
ear_userdata_document_get_address (EarUserdataDocument *self)
{
  return self->address;
}

/* Whether something is not written yet. */
gboolean
ear_userdata_document_is_dirty (EarUserdataDocument *self)
{
  return self->dirty;
}

/* Makes sure that all known values will be in the file. */
void
ear_userdata_document_set_dirty (EarUserdataDocument *self)
{
  self->dirty = TRUE;
}

static void
learn (EarUserdataDocument *self, const char *guid, const EarEpisodeState *found)
{
  EarEpisodeState *known;
  EarEpisodeState news, ignored;

  if (ear_episode_state_is_empty (found) || !ear_userdata_shape_is_name (guid, EAR_USERDATA_GUID_LIMIT))
    return;

  known = ensure_state (self->known, guid);
  if (ear_episode_state_take_edited (known, found, &news))
    ear_episode_state_take_newer (ensure_state (self->news, guid), &news, &ignored);
}

/* Learns an episode's values from the file, under each of its names; @names maps other
 * names to the guid. */
static void
learn_episode (EarUserdataDocument *self, const char *guid, JsonObject *episode, GHashTable *names,
               gint64 now)
{
  JsonArray *aliases = ear_json_get_array (episode, "aliases");
  EarEpisodeState found;

  ear_userdata_shape_read_episode (episode, now, &found);
  learn (self, guid, &found);
  for (guint i = 0; aliases != NULL && i < json_array_get_length (aliases); i++)
    {
      const char *alias = ear_json_get_item (aliases, i);

      if (alias == NULL)
        continue;
      g_hash_table_insert (names, (gpointer) alias, episode);
      learn (self, alias, &found);
    }
}

static gboolean
describe_podcast (EarUserdataDocument *self, JsonObject *root)
{
  gboolean changed = ear_json_add_to_array (root, "addresses", self->address);

  if (self->feed_address != NULL)
    changed |= ear_json_add_to_array (root, "addresses", self->feed_address);
  changed |= ear_json_set_string (root, "title", self->title);
  if (!json_object_has_member (root, "settings"))
    {
      ear_json_ensure_object (root, "settings");
      changed = TRUE;
    }

  return changed;
}

static gboolean
reconcile_settings (EarUserdataDocument *self, JsonObject *root, gint64 now)
{
  EarPodcastSettings found, news, ignored;

  ear_userdata_settings_read (root, now, &found);
  if (ear_userdata_settings_take_edited (&self->settings, &found, &news))
    ear_podcast_settings_take_newer (&self->settings_news, &news, &ignored);

  return ear_userdata_settings_write (root, &self->settings, now);
}

static guint
count_aliases (JsonObject *episode)
{
  JsonArray *aliases = ear_json_get_array (episode, "aliases");

  return aliases != NULL ? json_array_get_length (aliases) : 0;
}

static gboolean
describe_episode (JsonObject *episode, const Facts *facts)
{
  gboolean changed = FALSE;

  if (facts->alias != NULL && count_aliases (episode) < ALIASES_LIMIT)
    changed = ear_json_add_to_array (episode, "aliases", facts->alias);
  changed |= ear_json_set_string (episode, "title", facts->title);
  changed |= ear_json_set_string (episode, "enclosure", facts->enclosure);

  return changed;
}

static gboolean
put_known (EarUserdataDocument *self, JsonObject *episodes, GHashTable *names, gint64 now)
{
  GHashTableIter iter;
  gpointer guid, state;
  gboolean changed = FALSE;

  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    {
      JsonObject *episode = ear_json_get_object (episodes, guid);
      const Facts *facts = g_hash_table_lookup (self->facts, guid);

      if (ear_episode_state_is_empty (state))
        continue;
      if (episode == NULL)
        episode = g_hash_table_lookup (names, guid);
      if (episode == NULL)
        episode = ear_json_ensure_object (episodes, guid);
      if (facts != NULL)
        changed |= describe_episode (episode, facts);
      changed |= ear_userdata_shape_write_episode (episode, state, now);
    }

  return changed;
}

/* Corrects future stamps of known values. Unwritten values are left alone: they
 * would be lost. */
static void
doubt_known (EarUserdataDocument *self, gint64 now)
{
  GHashTableIter iter;
  gpointer state;

  if (self->dirty)
    return;
  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, NULL, &state))
    ear_episode_state_doubt (state, now);
  ear_userdata_settings_doubt (&self->settings, now);
}

static gboolean
reconcile (JsonObject *root, gpointer user_data)
{
  EarUserdataDocument *self = user_data;
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  const gint64 now = g_get_real_time ();
  gboolean changed = describe_podcast (self, root);
  JsonObject *episodes = ear_json_ensure_object (root, "episodes");
  JsonObjectIter iter;
  const char *guid;
  JsonNode *node;

  doubt_known (self, now);
  json_object_iter_init_ordered (&iter, episodes);
  while (json_object_iter_next_ordered (&iter, &guid, &node))
    if (JSON_NODE_HOLDS_OBJECT (node))
      learn_episode (self, guid, json_node_get_object (node), names, now);

  self->is_behind = put_known (self, episodes, names, now);
  self->is_behind |= reconcile_settings (self, root, now);

  return self->is_behind || changed;
}

static gboolean
learn_file (JsonObject *root, gpointer user_data)
{
  EarUserdataDocument *self = user_data;

  reconcile (root, self);
  self->dirty |= self->is_behind;

  return self->is_behind;
}

/* Reads the file if it was never read, or was changed from outside. Newer values
 * in it are learned (see ear_userdata_document_steal_news()); older ones make
 * the document dirty.
 * Returns: %TRUE unless the file could not be read */
gboolean
ear_userdata_document_refresh (EarUserdataDocument *self, GError **error)
{
  return ear_userdata_file_refresh (self->file, learn_file, self, error);
}

static void
set_podcast (EarUserdataDocument *self, const char *feed_address, const char *title)
{
  if (feed_address != NULL)
    g_set_str (&self->feed_address, feed_address);
  if (title != NULL)
    g_set_str (&self->title, title);
}

static void
set_facts (EarUserdataDocument *self, const EarMarkedEpisode *episode)
{
  Facts *facts = g_new0 (Facts, 1);

  facts->alias = g_strcmp0 (episode->alias, episode->guid) != 0 ? g_strdup (episode->alias) : NULL;
  facts->title = g_strdup (episode->title);
  facts->enclosure = g_strdup (episode->enclosure);
  g_hash_table_insert (self->facts, g_strdup (episode->guid), facts);
}

/* Applies newer values. The caller uses ear_userdata_document_set_dirty() to
 * have them written.
 * @marks: the listener's marks of @episode of @podcast
 * Returns: %TRUE if that changed something */
gboolean
ear_userdata_document_apply (EarUserdataDocument *self, const EarMarks *marks,
                             const EarMarkedPodcast *podcast, const EarMarkedEpisode *episode)
{
  const gint64 now = g_get_real_time ();
  EarEpisodeState *known;
  EarEpisodeState news = marks->state;
  EarEpisodeState taken;

  if (!ear_userdata_shape_is_name (episode->guid, EAR_USERDATA_GUID_LIMIT))
    return FALSE;

  known = ensure_state (self->known, episode->guid);
  ear_episode_state_doubt (known, now);
  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      news.values[i] = ear_mark_bound (i, news.values[i]);
      news.updated[i] = ear_userdata_next_stamp (news.updated[i], marks->updated, known->updated[i],
                                                 news.values[i] == known->values[i], now);
    }
  if (!ear_episode_state_take_newer (known, &news, &taken))
    return FALSE;

  set_facts (self, episode);
  set_podcast (self, podcast->feed_address, podcast->title);

  return TRUE;
}

/* Applies newer settings, as ear_userdata_document_apply().
 * @change: settings of the podcast
 * Returns: %TRUE if that changed something */
gboolean
ear_userdata_document_apply_settings (EarUserdataDocument *self, const EarSettingsChange *change)
{
  const gint64 now = g_get_real_time ();
  EarPodcastSettings news = change->settings;
  EarPodcastSettings taken;

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (!ear_podcast_setting_accepts (i, news.values[i]))
      news.updated[i] = 0;
  ear_userdata_settings_doubt (&self->settings, now);
  ear_userdata_settings_stamp (&news, change->done, &self->settings, now);
  if (!ear_podcast_settings_take_newer (&self->settings, &news, &taken))
    return FALSE;

  set_podcast (self, change->feed_address, change->title);

  return TRUE;
}

/* Adds a name of an episode.
 * Returns: whether the episode has marks, so that the name is worth writing */
gboolean
ear_userdata_document_add_name (EarUserdataDocument *self, const char *guid, const char *name)
{
  const EarEpisodeState *known = g_hash_table_lookup (self->known, guid);
  Facts *facts = g_hash_table_lookup (self->facts, guid);

  if (known == NULL || ear_episode_state_is_empty (known) || !ear_userdata_shape_is_name (name, EAR_USERDATA_GUID_LIMIT))
    return FALSE;
  if (facts == NULL)
    {
      facts = g_new0 (Facts, 1);
      g_hash_table_insert (self->facts, g_strdup (guid), facts);
    }
  g_set_str (&facts->alias, name);

  return TRUE;
}

/* Merges all known values into the file.
 * Returns: %TRUE if it is on the disk; otherwise the document stays dirty */
gboolean
ear_userdata_document_write (EarUserdataDocument *self, GError **error)
{
  if (!ear_userdata_file_update (self->file, reconcile, self, error))
    return FALSE;

  self->dirty = FALSE;
  g_hash_table_remove_all (self->facts);

  return TRUE;
}

/* Returns: (transfer none) (nullable): the known state */
const EarEpisodeState *
ear_userdata_document_lookup (EarUserdataDocument *self, const char *guid)
{
  return g_hash_table_lookup (self->known, guid);
}

/* Returns all known states, and clears the news.
 * Returns: (transfer full) (element-type utf8 EarEpisodeState): the states by guid */
GHashTable *
ear_userdata_document_dup_states (EarUserdataDocument *self)
{
  GHashTable *states = new_states ();
  GHashTableIter iter;
  gpointer guid, state;

  g_hash_table_remove_all (self->news);
  g_hash_table_iter_init (&iter, self->known);
  while (g_hash_table_iter_next (&iter, &guid, &state))
    if (!ear_episode_state_is_empty (state))
      *ensure_state (states, guid) = *(EarEpisodeState *) state;

  return states;
}

/* Returns values changed from outside since the last call.
 * Returns: (transfer full) (nullable) (element-type utf8 EarEpisodeState): newer members
 * by guid, %NULL if there are none */
GHashTable *
ear_userdata_document_steal_news (EarUserdataDocument *self)
{
  GHashTable *news;

  if (g_hash_table_size (self->news) == 0)
    return NULL;
  news = g_steal_pointer (&self->news);
  self->news = new_states ();

  return news;
}

/* Returns all known settings, and clears the news.
 * @settings: (out caller-allocates): the podcast's settings
 * Returns: %TRUE if any are set */
gboolean
ear_userdata_document_read_settings (EarUserdataDocument *self, EarPodcastSettings *settings)
{
  *settings = self->settings;
  ear_podcast_settings_init (&self->settings_news);

  return !ear_podcast_settings_is_empty (settings);
}

/* @news: (out caller-allocates): settings changed from outside since the last call
 * Returns: %TRUE if there are any */
gboolean
ear_userdata_document_take_settings_news (EarUserdataDocument *self, EarPodcastSettings *news)
{
  *news = self->settings_news;
  ear_podcast_settings_init (&self->settings_news);

  return !ear_podcast_settings_is_empty (news);
}
