/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-property.h"

/* A podcast that is followed or previewed, with its feed's facts and the listener's
 * settings. There is one live object per podcast. The catalogue fills it on the main thread;
 * rows, pages and the player watch it. */
struct _EarPodcast
{
  GObject parent_instance;

  /* Owned */
  char *address;
  char *title;
  char *host;     /* (nullable): of the address */
  char *sort_key;
  char *key;
  char *feed_key;
  char *feed_address;
  char *folder; /* (nullable) */
  gint64 id;
  EarPodcastFacts *facts;
  gint64 checked;
  gint64 newest;
  gboolean refreshing;
  GError *error;
  guint n_episodes;
  guint n_unplayed;
  gboolean has_namesake;
  guint n_new;
  gboolean followed;
  EarPodcastSettings settings;
};

G_DEFINE_FINAL_TYPE (EarPodcast, ear_podcast, G_TYPE_OBJECT)

static const char *
get_author (EarPodcast *self)
{
  return self->facts->author;
}

static const char *
get_image (EarPodcast *self)
{
  return self->facts->image;
}

static void
update_sort_key (EarPodcast *self)
{
  g_autofree char *valid =
      g_utf8_make_valid (self->title != NULL ? self->title : self->address, -1);
  g_autofree char *folded = g_utf8_casefold (valid, -1);

  g_free (self->sort_key);
  self->sort_key = g_utf8_collate_key (folded, -1);
}

static void
title_changed (EarPodcast *self)
{
  update_sort_key (self);
  g_object_notify (G_OBJECT (self), "name");
}

static void
feed_address_changed (EarPodcast *self)
{
  g_free (self->feed_key);
  self->feed_key = ear_address_key (ear_podcast_get_feed_address (self));
}

static void
ear_podcast_finalize (GObject *object)
{
  EarPodcast *self = EAR_PODCAST (object);

  ear_texts_clear (&self->address, &self->folder);
  g_clear_error (&self->error);
  ear_podcast_facts_unref (self->facts);

  G_OBJECT_CLASS (ear_podcast_parent_class)->finalize (object);
}

/* Returns: (transfer full): a read-only property of the setting's name */
static GParamSpec *
create_spec (EarPodcastSetting setting)
{
  const EarValueType *type = &ear_podcast_setting_types[setting];
  const int usual = (int) type->usual;

  if (setting == EAR_PODCAST_SETTING_SERIES)
    return g_param_spec_boolean (type->name, NULL, NULL, FALSE, G_PARAM_READABLE);
  if (type->kind == EAR_VALUE_FLAG)
    return g_param_spec_boolean (type->name, NULL, NULL, usual, G_PARAM_READABLE);
  if (type->kind == EAR_VALUE_WORD)
    return g_param_spec_string (type->name, NULL, NULL, type->words[usual], G_PARAM_READABLE);

  return g_param_spec_int (type->name, NULL, NULL, (int) type->lowest, (int) type->highest, usual,
                           G_PARAM_READABLE);
}

static void
ear_podcast_class_init (EarPodcastClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  EarProperty settings[EAR_N_PODCAST_SETTINGS];
  const EarProperty properties[] = {
    { "author", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_author) },
    /* URL of its cover */
    { "image", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_image) },
    /* The feed's facts; notifies of changes that have no other property */
    EAR_READABLE (EarPodcast, facts, EAR_TYPE_PODCAST_FACTS),
    /* Until the first refresh, the title in the subscription, if any */
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, title),
      .changed = G_CALLBACK (title_changed) },
    /* Display name: the title, or else the host of its address, whose other parts
     * may be secret */
    { "name", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (ear_podcast_get_name) },
    /* Present address of the feed; differs from the followed address once the
     * feed has moved */
    { "feed-address", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, feed_address),
      .changed = G_CALLBACK (feed_address_changed),
      .get = G_CALLBACK (ear_podcast_get_feed_address) },
    /* Unix seconds of the last successful refresh; 0 for never */
    EAR_READABLE (EarPodcast, checked, G_TYPE_INT64),
    /* Unix seconds when its newest episode was published, or came; 0 without episodes */
    EAR_READABLE (EarPodcast, newest, G_TYPE_INT64),
    /* Whether its feed is being fetched */
    EAR_READABLE (EarPodcast, refreshing, G_TYPE_BOOLEAN),
    /* Why the last refresh failed, or NULL */
    EAR_READABLE (EarPodcast, error, G_TYPE_ERROR),
    /* Whether no further episodes will come: the feed is marked complete, or is gone
     * for good (410) */
    { "ended", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_podcast_get_ended) },
    /* Whether its server requires a user name and password, or rejected them */
    { "needs-password", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      .get = G_CALLBACK (ear_podcast_get_needs_password) },
    /* Number of its episodes in the catalogue, and of those not played */
    EAR_READABLE (EarPodcast, n_episodes, G_TYPE_UINT),
    EAR_READABLE (EarPodcast, n_unplayed, G_TYPE_UINT),
    /* Number of its episodes in New; updated only while the podcast is followed */
    EAR_READABLE (EarPodcast, n_new, G_TYPE_UINT),
    /* Whether another followed podcast has the same name */
    EAR_READABLE (EarPodcast, has_namesake, G_TYPE_BOOLEAN),
    /* Whether it is followed, not only previewed */
    EAR_READABLE (EarPodcast, followed, G_TYPE_BOOLEAN),
    /* The listener's folder, names joined by "/"; %NULL for none */
    EAR_READABLE (EarPodcast, folder, G_TYPE_STRING),
  };

  object_class->finalize = ear_podcast_finalize;

  ear_class_add_properties (klass, properties);
  /* A property for each of the listener's settings */
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    settings[i] = (EarProperty) { .spec = create_spec (i),
                                  .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[i]) };
  settings[EAR_PODCAST_SETTING_FILTER].get = G_CALLBACK (ear_podcast_get_filter);
  settings[EAR_PODCAST_SETTING_SORT].get = G_CALLBACK (ear_podcast_get_sort);
  settings[EAR_PODCAST_SETTING_SERIES].get = G_CALLBACK (ear_podcast_get_series);
  ear_class_add_properties (klass, settings);
}

static void
ear_podcast_init (EarPodcast *self)
{
  self->facts = ear_podcast_facts_new ();
  ear_podcast_settings_init (&self->settings);
}

/* @id: row id in the catalogue; unknown outside the process
 * @address: address that the podcast was first followed at; names its state file
 * Returns: (transfer full): the object, without facts yet */
EarPodcast *
ear_podcast_new (gint64 id, const char *address)
{
  EarPodcast *self = g_object_new (EAR_TYPE_PODCAST, NULL);

  self->id = id;
  self->address = g_strdup (address);
  self->host = ear_address_dup_host (address);
  self->key = ear_address_key (address);
  self->feed_key = g_strdup (self->key);
  update_sort_key (self);

  return self;
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, gint64, id)
EAR_DEFINE_GET (EarPodcast, ear_podcast, const char *, address)

/* Returns: (transfer none): the feed's facts; never changed in place, so that other
 * threads may hold a reference */
EAR_DEFINE_GET (EarPodcast, ear_podcast, EarPodcastFacts *, facts)

/* Notifies of the properties that depend on both the feed and the settings, if
 * they have changed. */
static void
notify_series (EarPodcast *self, gboolean series, const char *sort)
{
  if (ear_podcast_get_series (self) != series)
    g_object_notify (G_OBJECT (self), "series");
  if (!g_str_equal (ear_podcast_get_sort (self), sort))
    g_object_notify (G_OBJECT (self), "sort");
}

/* Replaces the facts, once the feed has changed them. A title that the new facts lack
 * stays. */
void
ear_podcast_set_facts (EarPodcast *self, EarPodcastFacts *facts)
{
  static const char *const properties[] = { "author", "image", "facts", "ended" };
  const gboolean series = ear_podcast_get_series (self);
  const char *sort = ear_podcast_get_sort (self);
  g_autoptr (EarPodcastFacts) before = g_steal_pointer (&self->facts);

  self->facts = ear_podcast_facts_ref (facts);
  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    g_object_notify (G_OBJECT (self), properties[i]);
  notify_series (self, series, sort);
  if (facts->title != NULL)
    ear_podcast_set_title (self, facts->title);
  g_object_thaw_notify (G_OBJECT (self));
}

EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, const char *, title, string)

const char *
ear_podcast_get_name (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->title != NULL ? self->title : self->host;
}

/* Returns: (transfer none): a key for sorting by title with strcmp() */
EAR_DEFINE_GET (EarPodcast, ear_podcast, const char *, sort_key)

const char *
ear_podcast_get_feed_address (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  /* Before the first refresh, only the followed address is known. */
  return self->feed_address != NULL ? self->feed_address : self->address;
}

/* Returns: (transfer none): ear_address_key() of the address that it was first followed at */
EAR_DEFINE_GET (EarPodcast, ear_podcast, const char *, key)

/* Returns: (transfer none): ear_address_key() of the present address of its feed */
EAR_DEFINE_GET (EarPodcast, ear_podcast, const char *, feed_key)

EAR_DEFINE_SET (EarPodcast, ear_podcast, const char *, feed_address, string)
EAR_DEFINE_SET (EarPodcast, ear_podcast, gboolean, has_namesake, boolean)

/* Returns: (transfer full) (nullable): the host of its feed, if another podcast has the
 * same name */
char *
ear_podcast_dup_distinction (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->has_namesake ? ear_address_dup_host (ear_podcast_get_feed_address (self)) : NULL;
}

EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, gint64, checked, int64)
EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, gint64, newest, int64)
EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, gboolean, refreshing, boolean)
EAR_DEFINE_GET (EarPodcast, ear_podcast, const GError *, error)

void
ear_podcast_set_error (EarPodcast *self, const GError *error)
{
  static const char *const properties[] = { "error", "ended", "needs-password" };

  if (self->error == error)
    return;
  g_clear_error (&self->error);
  self->error = error != NULL ? g_error_copy (error) : NULL;
  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    g_object_notify (G_OBJECT (self), properties[i]);
  g_object_thaw_notify (G_OBJECT (self));
}

gboolean
ear_podcast_get_ended (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return self->facts->complete || g_error_matches (self->error, EAR_ERROR, EAR_ERROR_GONE);
}

/* Whether its addresses give access by themselves; see [func@ear_address_has_secret].
 * Returns: %TRUE if sharing them needs the listener's confirmation */
gboolean
ear_podcast_is_private (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return ear_address_has_secret (self->address) || ear_address_has_secret (self->feed_address);
}

gboolean
ear_podcast_get_needs_password (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  return ear_error_wants_login (self->error);
}

EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, guint, n_episodes, number)
EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, guint, n_unplayed, number)
EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, guint, n_new, number)
EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, gboolean, followed, boolean)
EAR_DEFINE_PROPERTY (EarPodcast, ear_podcast, const char *, folder, string)

/* Returns: (transfer none): the listener's settings for it, with their stamps */
const EarPodcastSettings *
ear_podcast_get_settings (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return &self->settings;
}

/* Whether it is played oldest first: as the listener has set, or else the feed. A
 * completed podcast is no series for that alone: its order would change for listeners who
 * have followed it. */
gboolean
ear_podcast_get_series (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  if (self->settings.values[EAR_PODCAST_SETTING_SERIES] != EAR_SERIES_AS_FEED_SAYS)
    return self->settings.values[EAR_PODCAST_SETTING_SERIES];

  return self->facts->type != NULL && g_ascii_strcasecmp (self->facts->type, "serial") == 0;
}

/* Applies newer settings. Only properties whose value has changed notify.
 * Returns: whether something was newer */
gboolean
ear_podcast_take_settings (EarPodcast *self, const EarPodcastSettings *settings)
{
  EarPodcastSettings before;
  gboolean series;
  const char *sort;

  g_return_val_if_fail (EAR_IS_PODCAST (self), FALSE);

  before = self->settings;
  series = ear_podcast_get_series (self);
  sort = ear_podcast_get_sort (self);
  if (!ear_podcast_settings_take_newer (&self->settings, settings))
    return FALSE;

  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (self->settings.values[i] != before.values[i] && i != EAR_PODCAST_SETTING_SERIES &&
        i != EAR_PODCAST_SETTING_SORT)
      /* The property has the setting's name in files. */
      g_object_notify (G_OBJECT (self), ear_podcast_setting_types[i].name);
  notify_series (self, series, sort);
  g_object_thaw_notify (G_OBJECT (self));

  return TRUE;
}

int
ear_podcast_get_setting (EarPodcast *self, EarPodcastSetting setting)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), ear_podcast_setting_types[setting].usual);

  return self->settings.values[setting];
}

const char *
ear_podcast_get_filter (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return ear_podcast_setting_get_word (EAR_PODCAST_SETTING_FILTER,
                                       self->settings.values[EAR_PODCAST_SETTING_FILTER]);
}

/* Returns: (transfer none): the order of its episodes; the default for a series is
 * oldest first */
const char *
ear_podcast_get_sort (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  if (self->settings.updated[EAR_PODCAST_SETTING_SORT] == 0 && ear_podcast_get_series (self))
    return ear_podcast_setting_get_word (EAR_PODCAST_SETTING_SORT, EAR_PODCAST_SORT_OLDEST);

  return ear_podcast_setting_get_word (EAR_PODCAST_SETTING_SORT,
                                       self->settings.values[EAR_PODCAST_SETTING_SORT]);
}
