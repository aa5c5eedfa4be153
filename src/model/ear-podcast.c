/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-private.h"

#include "ear-address.h"

/**
 * EarPodcast:
 *
 * A podcast that is followed or previewed, with its feed's facts and
 * the listener's settings.
 *
 * There is one live object per podcast. The store fills it on the main thread; rows,
 * pages and the player watch it.
 */
G_DEFINE_FINAL_TYPE (EarPodcast, ear_podcast, G_TYPE_OBJECT)

/* Texts of the facts, and the property to notify for each */
static const struct
{
  const char *property;
  gsize offset;
} fact_texts[] = {
  { "author", G_STRUCT_OFFSET (EarPodcastFacts, author) },
  { "description", G_STRUCT_OFFSET (EarPodcastFacts, description) },
  { "link", G_STRUCT_OFFSET (EarPodcastFacts, link) },
  { "image", G_STRUCT_OFFSET (EarPodcastFacts, image) },
  { "facts", G_STRUCT_OFFSET (EarPodcastFacts, language) },
  { "facts", G_STRUCT_OFFSET (EarPodcastFacts, copyright) },
  { "facts", G_STRUCT_OFFSET (EarPodcastFacts, type) },
  { "facts", G_STRUCT_OFFSET (EarPodcastFacts, owner_name) },
  { "facts", G_STRUCT_OFFSET (EarPodcastFacts, generator) },
};

static const char *
get_text (EarPodcastFacts *facts, gsize offset)
{
  return G_STRUCT_MEMBER (const char *, facts, offset);
}

static const char *
get_author (EarPodcast *self)
{
  return self->facts->author;
}

static const char *
get_description (EarPodcast *self)
{
  return self->facts->description;
}

static const char *
get_link (EarPodcast *self)
{
  return self->facts->link;
}

static const char *
get_image (EarPodcast *self)
{
  return self->facts->image;
}

static void
title_changed (EarPodcast *self)
{
  g_clear_pointer (&self->sort_key, g_free);
  g_object_notify (G_OBJECT (self), "name");
}

static void
ear_podcast_finalize (GObject *object)
{
  EarPodcast *self = EAR_PODCAST (object);

  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->host, g_free);
  g_clear_pointer (&self->sort_key, g_free);
  g_clear_pointer (&self->feed_address, g_free);
  g_clear_pointer (&self->folder, g_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->facts, ear_podcast_facts_unref);

  G_OBJECT_CLASS (ear_podcast_parent_class)->finalize (object);
}

static void
ear_podcast_class_init (EarPodcastClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "author", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_author) },
    /* HTML or plain text */
    { "description", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_description) },
    /* Web page */
    { "link", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_link) },
    /* URL of its cover */
    { "image", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_image) },
    /* The feed's facts; notifies of changes that have no other property */
    { "facts", EAR_TYPE_PODCAST_FACTS, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, facts) },
    /* Until the first refresh, the title in the subscription, if any */
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, title), .changed = G_CALLBACK (title_changed) },
    /* Display name: the title, or else the host of its address, whose other parts
     * may be secret */
    { "name", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (ear_podcast_get_name) },
    /* Present address of the feed; differs from the followed address once the
     * feed has moved */
    { "feed-address", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, feed_address),
      .get = G_CALLBACK (ear_podcast_get_feed_address) },
    /* Unix seconds of the last successful refresh; 0 for never */
    { "checked", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, checked) },
    /* Unix seconds when its newest episode was published, or came; 0 without episodes */
    { "newest", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, newest) },
    /* Whether its feed is being fetched */
    { "refreshing", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, refreshing) },
    /* Why the last refresh failed, or NULL */
    { "error", G_TYPE_ERROR, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, error) },
    /* Whether no further episodes will come: the feed is marked complete, or is gone
     * for good (410) */
    { "ended", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_podcast_get_ended) },
    /* Whether its server requires a user name and password, or rejected them */
    { "needs-password", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_podcast_get_needs_password) },
    /* Number of its episodes in the catalogue, and of those not played */
    { "n-episodes", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, n_episodes) },
    { "n-unplayed", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, n_unplayed) },
    /* Number of its episodes in New; updated only while the podcast is followed */
    { "n-new", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, n_new) },
    /* Whether another followed podcast has the same name */
    { "has-namesake", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, has_namesake) },
    /* Whether it is followed, not only previewed */
    { "followed", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, followed) },
    /* The listener's folder, names joined by "/"; %NULL for none */
    { "folder", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcast, folder) },
    /* The listener's settings: see EarPodcastSettings */
    { .spec = g_param_spec_boolean ("notifications", NULL, NULL, TRUE, G_PARAM_READABLE),
      .get = G_CALLBACK (ear_podcast_get_notifications) },
    { .spec = g_param_spec_int ("refresh-interval", NULL, NULL, EAR_REFRESH_INTERVAL_INHERIT, EAR_REFRESH_INTERVAL_LIMIT,
                                EAR_REFRESH_INTERVAL_INHERIT, G_PARAM_READABLE),
      .get = G_CALLBACK (ear_podcast_get_refresh_interval) },
    { .spec = g_param_spec_string ("filter", NULL, NULL, "all", G_PARAM_READABLE), .get = G_CALLBACK (ear_podcast_get_filter) },
    { .spec = g_param_spec_string ("sort", NULL, NULL, "newest", G_PARAM_READABLE), .get = G_CALLBACK (ear_podcast_get_sort) },
    { .spec = g_param_spec_int ("place", NULL, NULL, 0, G_MAXINT, 0, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_PLACE]) },
    { "series", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_podcast_get_series) },
    { .spec = g_param_spec_int ("speed", NULL, NULL, EAR_PLAYBACK_INHERIT, EAR_PLAYBACK_FASTEST, EAR_PLAYBACK_INHERIT,
                                G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_SPEED]) },
    { .spec = g_param_spec_int ("trim-silence", NULL, NULL, EAR_PLAYBACK_INHERIT, TRUE, EAR_PLAYBACK_INHERIT,
                                G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_TRIM_SILENCE]) },
    { .spec = g_param_spec_int ("level-volume", NULL, NULL, EAR_PLAYBACK_INHERIT, TRUE, EAR_PLAYBACK_INHERIT,
                                G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_LEVEL_VOLUME]) },
    { .spec = g_param_spec_int ("skip-start", NULL, NULL, 0, EAR_SKIP_LIMIT, 0, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_SKIP_START]) },
    { .spec = g_param_spec_int ("skip-end", NULL, NULL, 0, EAR_SKIP_LIMIT, 0, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_SKIP_END]) },
    { .spec = g_param_spec_int ("queue-new", NULL, NULL, EAR_QUEUE_NEW_INHERIT, TRUE,
                                EAR_QUEUE_NEW_INHERIT, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_QUEUE_NEW]) },
    { .spec = g_param_spec_int ("download-newest", NULL, NULL, EAR_DOWNLOAD_NEWEST_INHERIT,
                                EAR_DOWNLOAD_NEWEST_LIMIT,
                                EAR_DOWNLOAD_NEWEST_INHERIT, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_DOWNLOAD_NEWEST]) },
    { .spec = g_param_spec_int ("remove-played", NULL, NULL, EAR_REMOVE_PLAYED_INHERIT, TRUE, EAR_REMOVE_PLAYED_INHERIT,
                                G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_REMOVE_PLAYED]) },
    { .spec = g_param_spec_boolean ("notes-pictures", NULL, NULL, FALSE, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_NOTES_PICTURES]) },
    { .spec = g_param_spec_boolean ("separate", NULL, NULL, FALSE, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarPodcast, settings.values[EAR_PODCAST_SETTING_SEPARATE]) },
  };

  object_class->finalize = ear_podcast_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_podcast_init (EarPodcast *self)
{
  self->facts = ear_podcast_facts_new ();
  ear_podcast_settings_init (&self->settings);
}

/**
 * ear_podcast_new:
 * @id: row id in the catalogue; unknown outside the process
 * @address: address that the podcast was first followed at; names its state file
 *
 * Returns: (transfer full): the object, without facts yet
 */
EarPodcast *
ear_podcast_new (gint64 id, const char *address)
{
  EarPodcast *self = g_object_new (EAR_TYPE_PODCAST, NULL);

  self->id = id;
  self->address = g_strdup (address);

  return self;
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, gint64, id)
EAR_DEFINE_GET (EarPodcast, ear_podcast, const char *, address)

/**
 * ear_podcast_get_facts:
 * @self: the podcast
 *
 * Returns: (transfer none): the feed's facts; never changed in place, so that other
 *   threads may hold a reference
 */
EAR_DEFINE_GET (EarPodcast, ear_podcast, EarPodcastFacts *, facts)

/**
 * ear_podcast_set_facts:
 * @self: the podcast
 * @facts: the feed's present facts
 *
 * Replaces the facts. Only properties whose value has changed notify. A title that the
 * new facts lack stays.
 */
void
ear_podcast_set_facts (EarPodcast *self, EarPodcastFacts *facts)
{
  g_autoptr (EarPodcastFacts) before = NULL;
  gboolean ended, series;
  const char *sort;

  g_return_if_fail (EAR_IS_PODCAST (self));
  g_return_if_fail (facts != NULL);

  ended = ear_podcast_get_ended (self);
  series = ear_podcast_get_series (self);
  sort = ear_podcast_get_sort (self);
  before = g_steal_pointer (&self->facts);
  self->facts = ear_podcast_facts_ref (facts);

  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (fact_texts); i++)
    if (g_strcmp0 (get_text (before, fact_texts[i].offset), get_text (facts, fact_texts[i].offset)) != 0)
      g_object_notify (G_OBJECT (self), fact_texts[i].property);
  if (before->explicit_content != facts->explicit_content)
    g_object_notify (G_OBJECT (self), "facts");
  if (ear_podcast_get_ended (self) != ended)
    g_object_notify (G_OBJECT (self), "ended");
  ear_podcast_notify_series (self, series, sort);
  if (facts->title != NULL)
    ear_podcast_set_title (self, facts->title);
  g_object_thaw_notify (G_OBJECT (self));
}

EAR_DEFINE_GET (EarPodcast, ear_podcast, const char *, title)

const char *
ear_podcast_get_name (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  if (self->title != NULL)
    return self->title;
  if (self->host == NULL && self->address != NULL)
    self->host = ear_address_dup_host (self->address);

  return self->host;
}

void
ear_podcast_set_title (EarPodcast *self, const char *title)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  ear_property_set_string (self, "title", title);
}

/**
 * ear_podcast_get_sort_key:
 * @self: the podcast
 *
 * Returns: (transfer none): a key for sorting by title with strcmp()
 */
const char *
ear_podcast_get_sort_key (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  if (self->sort_key == NULL)
    {
      g_autofree char *folded = g_utf8_casefold (self->title != NULL ? self->title : self->address, -1);

      self->sort_key = g_utf8_collate_key (folded, -1);
    }

  return self->sort_key;
}
