/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-private.h"

#include "ear-address.h"

/**
 * EarPodcast:
 *
 * A podcast that is followed or looked at, as its feed and the listener left it.
 *
 * There is one live object a podcast. The store fills it on the main thread; rows,
 * pages and the player watch it.
 */
G_DEFINE_FINAL_TYPE (EarPodcast, ear_podcast, G_TYPE_OBJECT)

typedef enum
{
  PROP_ID = 1,
  PROP_ADDRESS,
  PROP_AUTHOR,
  PROP_DESCRIPTION,
  PROP_LINK,
  PROP_IMAGE,
  PROP_LANGUAGE,
  PROP_COPYRIGHT,
  PROP_KIND,
  PROP_OWNER,
  PROP_GENERATOR,
  PROP_EXPLICIT,
  PROP_TITLE,
  PROP_NAME,
  PROP_FEED_ADDRESS,
  PROP_CHECKED,
  PROP_REFRESHING,
  PROP_ERROR,
  PROP_ENDED,
  PROP_NEEDS_PASSWORD,
  PROP_N_EPISODES,
  PROP_HAS_NAMESAKE,
  PROP_N_UNPLAYED,
  PROP_N_NEW,
  PROP_FOLLOWED,
  PROP_NOTIFICATIONS,
  PROP_REFRESH_INTERVAL,
  PROP_FILTER,
  PROP_SORT,
} EarPodcastProperty;

static GParamSpec *props[PROP_SORT + 1];

/* Properties that are a string of the facts, by where it stands there. */
static const struct
{
  EarPodcastProperty property;
  gsize offset;
} fact_strings[] = {
  { PROP_AUTHOR, G_STRUCT_OFFSET (EarPodcastFacts, author) },
  { PROP_DESCRIPTION, G_STRUCT_OFFSET (EarPodcastFacts, description) },
  { PROP_LINK, G_STRUCT_OFFSET (EarPodcastFacts, link) },
  { PROP_IMAGE, G_STRUCT_OFFSET (EarPodcastFacts, image) },
  { PROP_LANGUAGE, G_STRUCT_OFFSET (EarPodcastFacts, language) },
  { PROP_COPYRIGHT, G_STRUCT_OFFSET (EarPodcastFacts, copyright) },
  { PROP_KIND, G_STRUCT_OFFSET (EarPodcastFacts, type) },
  { PROP_OWNER, G_STRUCT_OFFSET (EarPodcastFacts, owner_name) },
  { PROP_GENERATOR, G_STRUCT_OFFSET (EarPodcastFacts, generator) },
};

static const char *
get_fact_string (EarPodcastFacts *facts, guint property_id)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fact_strings); i++)
    if (fact_strings[i].property == property_id)
      return G_STRUCT_MEMBER (const char *, facts, fact_strings[i].offset);

  return NULL;
}

static void
ear_podcast_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarPodcast *self = EAR_PODCAST (object);

  switch ((EarPodcastProperty) property_id)
    {
    case PROP_ID:
      g_value_set_int64 (value, self->id);
      break;
    case PROP_ADDRESS:
      g_value_set_string (value, self->address);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_NAME:
      g_value_set_string (value, ear_podcast_get_name (self));
      break;
    case PROP_FEED_ADDRESS:
      g_value_set_string (value, ear_podcast_get_feed_address (self));
      break;
    case PROP_CHECKED:
      g_value_set_int64 (value, self->checked);
      break;
    case PROP_REFRESHING:
      g_value_set_boolean (value, self->refreshing);
      break;
    case PROP_ERROR:
      g_value_set_boxed (value, self->error);
      break;
    case PROP_ENDED:
      g_value_set_boolean (value, ear_podcast_get_ended (self));
      break;
    case PROP_NEEDS_PASSWORD:
      g_value_set_boolean (value, ear_podcast_get_needs_password (self));
      break;
    case PROP_N_EPISODES:
      g_value_set_uint (value, self->n_episodes);
      break;
    case PROP_HAS_NAMESAKE:
      g_value_set_boolean (value, self->has_namesake);
      break;
    case PROP_N_UNPLAYED:
      g_value_set_uint (value, self->n_unplayed);
      break;
    case PROP_N_NEW:
      g_value_set_uint (value, self->n_new);
      break;
    case PROP_FOLLOWED:
      g_value_set_boolean (value, self->followed);
      break;
    case PROP_NOTIFICATIONS:
      g_value_set_boolean (value, ear_podcast_get_notifications (self));
      break;
    case PROP_REFRESH_INTERVAL:
      g_value_set_int (value, ear_podcast_get_refresh_interval (self));
      break;
    case PROP_FILTER:
      g_value_set_string (value, ear_podcast_get_filter (self));
      break;
    case PROP_SORT:
      g_value_set_string (value, ear_podcast_get_sort (self));
      break;
    case PROP_EXPLICIT:
      g_value_set_boolean (value, self->facts->explicit_content == EAR_EXPLICIT_YES);
      break;
    case PROP_AUTHOR:
    case PROP_DESCRIPTION:
    case PROP_LINK:
    case PROP_IMAGE:
    case PROP_LANGUAGE:
    case PROP_COPYRIGHT:
    case PROP_KIND:
    case PROP_OWNER:
    case PROP_GENERATOR:
      g_value_set_string (value, get_fact_string (self->facts, property_id));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_podcast_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarPodcast *self = EAR_PODCAST (object);

  switch (property_id)
    {
    case PROP_ID:
      self->id = g_value_get_int64 (value);
      break;
    case PROP_ADDRESS:
      self->address = g_value_dup_string (value);
      break;
    case PROP_TITLE:
      ear_podcast_set_title (self, g_value_get_string (value));
      break;
    case PROP_FEED_ADDRESS:
      ear_podcast_set_feed_address (self, g_value_get_string (value));
      break;
    case PROP_CHECKED:
      ear_podcast_set_checked (self, g_value_get_int64 (value));
      break;
    case PROP_REFRESHING:
      ear_podcast_set_refreshing (self, g_value_get_boolean (value));
      break;
    case PROP_ERROR:
      ear_podcast_set_error (self, g_value_get_boxed (value));
      break;
    case PROP_N_EPISODES:
      ear_podcast_set_n_episodes (self, g_value_get_uint (value));
      break;
    case PROP_HAS_NAMESAKE:
      ear_podcast_set_has_namesake (self, g_value_get_boolean (value));
      break;
    case PROP_N_UNPLAYED:
      ear_podcast_set_n_unplayed (self, g_value_get_uint (value));
      break;
    case PROP_N_NEW:
      ear_podcast_set_n_new (self, g_value_get_uint (value));
      break;
    case PROP_FOLLOWED:
      ear_podcast_set_followed (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_podcast_finalize (GObject *object)
{
  EarPodcast *self = EAR_PODCAST (object);

  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->host, g_free);
  g_clear_pointer (&self->feed_address, g_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->facts, ear_podcast_facts_unref);

  G_OBJECT_CLASS (ear_podcast_parent_class)->finalize (object);
}

static void
make_fact_properties (void)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * EarPodcast:author:
   *
   * Who makes it.
   */
  props[PROP_AUTHOR] =
    g_param_spec_string ("author", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:description:
   *
   * What it is about, as HTML or plain text.
   */
  props[PROP_DESCRIPTION] =
    g_param_spec_string ("description", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:link:
   *
   * Its web page.
   */
  props[PROP_LINK] =
    g_param_spec_string ("link", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:image:
   *
   * Address of its cover.
   */
  props[PROP_IMAGE] =
    g_param_spec_string ("image", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:language:
   *
   * Language tag, as the feed has it.
   */
  props[PROP_LANGUAGE] =
    g_param_spec_string ("language", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:copyright:
   *
   * Copyright line.
   */
  props[PROP_COPYRIGHT] =
    g_param_spec_string ("copyright", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:kind:
   *
   * "episodic" or "serial".
   */
  props[PROP_KIND] =
    g_param_spec_string ("kind", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:owner:
   *
   * Name of the owner.
   */
  props[PROP_OWNER] =
    g_param_spec_string ("owner", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:generator:
   *
   * Program that made the feed.
   */
  props[PROP_GENERATOR] =
    g_param_spec_string ("generator", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:explicit:
   *
   * Whether the feed marks it as explicit.
   */
  props[PROP_EXPLICIT] =
    g_param_spec_boolean ("explicit", NULL, NULL, FALSE, readable);
}

static void
make_check_properties (void)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * EarPodcast:title:
   *
   * Title; until the first refresh as the subscription had it, if it had one.
   */
  props[PROP_TITLE] =
    g_param_spec_string ("title", NULL, NULL, NULL, writable);
  /**
   * EarPodcast:name:
   *
   * What to call it: its title, or else the host of its address, for the rest of that may be a secret.
   */
  props[PROP_NAME] =
    g_param_spec_string ("name", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:feed-address:
   *
   * Address that the feed is fetched from now; not `address` once the feed has moved.
   */
  props[PROP_FEED_ADDRESS] =
    g_param_spec_string ("feed-address", NULL, NULL, NULL, writable);
  /**
   * EarPodcast:checked:
   *
   * When the feed was last checked with success, Unix seconds; 0 for never.
   */
  props[PROP_CHECKED] =
    g_param_spec_int64 ("checked", NULL, NULL, G_MININT64, G_MAXINT64, 0, writable);
  /**
   * EarPodcast:refreshing:
   *
   * Whether its feed is being fetched now.
   */
  props[PROP_REFRESHING] =
    g_param_spec_boolean ("refreshing", NULL, NULL, FALSE, writable);
  /**
   * EarPodcast:error:
   *
   * Why the last refresh failed, or %NULL.
   */
  props[PROP_ERROR] =
    g_param_spec_boxed ("error", NULL, NULL, G_TYPE_ERROR, writable);
  /**
   * EarPodcast:ended:
   *
   * Whether no more episodes are to be expected: the feed says that it is complete, or
   * was taken down for good (410).
   */
  props[PROP_ENDED] =
    g_param_spec_boolean ("ended", NULL, NULL, FALSE, readable);
  /**
   * EarPodcast:needs-password:
   *
   * Whether its server wants to know who asks, and was not told, or not to its liking.
   */
  props[PROP_NEEDS_PASSWORD] =
    g_param_spec_boolean ("needs-password", NULL, NULL, FALSE, readable);
}

static void
make_listener_properties (void)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * EarPodcast:n-episodes:
   *
   * How many episodes the catalogue has of it.
   */
  props[PROP_N_EPISODES] =
    g_param_spec_uint ("n-episodes", NULL, NULL, 0, G_MAXUINT, 0, writable);
  /**
   * EarPodcast:has-namesake:
   *
   * Whether another podcast that is followed has the same name.
   */
  props[PROP_HAS_NAMESAKE] =
    g_param_spec_boolean ("has-namesake", NULL, NULL, FALSE, writable);
  /**
   * EarPodcast:n-unplayed:
   *
   * How many of them are not listened.
   */
  props[PROP_N_UNPLAYED] =
    g_param_spec_uint ("n-unplayed", NULL, NULL, 0, G_MAXUINT, 0, writable);
  /**
   * EarPodcast:n-new:
   *
   * How many of them the view New shows; only told while the podcast is followed.
   */
  props[PROP_N_NEW] =
    g_param_spec_uint ("n-new", NULL, NULL, 0, G_MAXUINT, 0, writable);
  /**
   * EarPodcast:followed:
   *
   * Whether it is one of the listener's podcasts; not so while it is only looked at.
   */
  props[PROP_FOLLOWED] =
    g_param_spec_boolean ("followed", NULL, NULL, FALSE, writable);
  /**
   * EarPodcast:notifications:
   *
   * Whether the listener wants to be told of its new episodes.
   */
  props[PROP_NOTIFICATIONS] =
    g_param_spec_boolean ("notifications", NULL, NULL, TRUE, readable);
  /**
   * EarPodcast:refresh-interval:
   *
   * How often it is checked, in minutes; -1: as all are, 0: only when somebody asks.
   */
  props[PROP_REFRESH_INTERVAL] =
    g_param_spec_int ("refresh-interval", NULL, NULL, EAR_REFRESH_INTERVAL_AS_EVERYWHERE, EAR_REFRESH_INTERVAL_LIMIT,
                      EAR_REFRESH_INTERVAL_AS_EVERYWHERE, readable);
  /**
   * EarPodcast:filter:
   *
   * Which of its episodes are listed: `all`, `unplayed`, `in-progress` or `liked`.
   */
  props[PROP_FILTER] =
    g_param_spec_string ("filter", NULL, NULL, "all", readable);
  /**
   * EarPodcast:sort:
   *
   * In which order: `newest`, `oldest`, `title` or `longest`.
   */
  props[PROP_SORT] =
    g_param_spec_string ("sort", NULL, NULL, "newest", readable);
}

static void
ear_podcast_class_init (EarPodcastClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags constructed = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_podcast_get_property;
  object_class->set_property = ear_podcast_set_property;
  object_class->finalize = ear_podcast_finalize;

  /**
   * EarPodcast:id:
   *
   * Row id in the catalogue; not known outside the process.
   */
  props[PROP_ID] =
    g_param_spec_int64 ("id", NULL, NULL, G_MININT64, G_MAXINT64, 0, constructed);
  /**
   * EarPodcast:address:
   *
   * Address that the podcast was first followed at; names its state file.
   */
  props[PROP_ADDRESS] =
    g_param_spec_string ("address", NULL, NULL, NULL, constructed);
  make_fact_properties ();
  make_check_properties ();
  make_listener_properties ();
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_podcast_init (EarPodcast *self)
{
  self->facts = ear_podcast_facts_new ();
  ear_podcast_settings_init (&self->settings);
}

/**
 * ear_podcast_new:
 * @id: row id in the catalogue; not known outside the process
 * @address: address that the podcast was first followed at; names its state file
 *
 * Returns: (transfer full): the object, without facts yet
 */
EarPodcast *
ear_podcast_new (gint64 id, const char *address)
{
  return g_object_new (EAR_TYPE_PODCAST,
                       "id", id,
                       "address", address,
                       NULL);
}

gint64
ear_podcast_get_id (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), 0);

  return self->id;
}

/**
 * ear_podcast_get_address:
 * @self: the podcast
 *
 * Returns: (transfer none) (nullable): the value of [property@EarPodcast:address]
 */
const char *
ear_podcast_get_address (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->address;
}

/**
 * ear_podcast_get_facts:
 * @self: the podcast
 *
 * Returns: (transfer none): what the feed says; never changed in place, so that a
 *   reference to it may go to another thread
 */
EarPodcastFacts *
ear_podcast_get_facts (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->facts;
}

/**
 * ear_podcast_set_facts:
 * @self: the podcast
 * @facts: what its feed says now
 *
 * Takes over what the feed says. Only properties whose value is another one notify. A title that the
 * feed does not tell is kept as it was.
 */
void
ear_podcast_set_facts (EarPodcast *self, EarPodcastFacts *facts)
{
  g_autoptr (EarPodcastFacts) before = NULL;
  gboolean ended;

  g_return_if_fail (EAR_IS_PODCAST (self));
  g_return_if_fail (facts != NULL);

  ended = ear_podcast_get_ended (self);
  before = g_steal_pointer (&self->facts);
  self->facts = ear_podcast_facts_ref (facts);

  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (fact_strings); i++)
    if (g_strcmp0 (get_fact_string (before, fact_strings[i].property), get_fact_string (facts, fact_strings[i].property)) != 0)
      g_object_notify_by_pspec (G_OBJECT (self), props[fact_strings[i].property]);
  if (before->explicit_content != facts->explicit_content)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_EXPLICIT]);
  if (ear_podcast_get_ended (self) != ended)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ENDED]);
  if (facts->title != NULL)
    ear_podcast_set_title (self, facts->title);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * ear_podcast_get_title:
 * @self: the podcast
 *
 * Returns: (transfer none) (nullable): the value of [property@EarPodcast:title]
 */
const char *
ear_podcast_get_title (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->title;
}

/**
 * ear_podcast_get_name:
 * @self: the podcast
 *
 * Returns: (transfer none) (nullable): the value of [property@EarPodcast:name]
 */
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

/**
 * ear_podcast_set_title:
 * @self: the podcast
 * @title: (nullable): the new value
 *
 * Sets [property@EarPodcast:title].
 */
void
ear_podcast_set_title (EarPodcast *self, const char *title)
{
  g_return_if_fail (EAR_IS_PODCAST (self));

  if (!g_set_str (&self->title, title))
    return;

  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NAME]);
}
