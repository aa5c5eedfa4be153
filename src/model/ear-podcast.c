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
  PROP_AUTHOR = 1,
  PROP_DESCRIPTION,
  PROP_LINK,
  PROP_IMAGE,
  PROP_FACTS,
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

/* Texts of the facts, and the property that tells of a change of each. */
static const struct
{
  EarPodcastProperty property;
  gsize offset;
} fact_texts[] = {
  { PROP_AUTHOR, G_STRUCT_OFFSET (EarPodcastFacts, author) },
  { PROP_DESCRIPTION, G_STRUCT_OFFSET (EarPodcastFacts, description) },
  { PROP_LINK, G_STRUCT_OFFSET (EarPodcastFacts, link) },
  { PROP_IMAGE, G_STRUCT_OFFSET (EarPodcastFacts, image) },
  { PROP_FACTS, G_STRUCT_OFFSET (EarPodcastFacts, language) },
  { PROP_FACTS, G_STRUCT_OFFSET (EarPodcastFacts, copyright) },
  { PROP_FACTS, G_STRUCT_OFFSET (EarPodcastFacts, type) },
  { PROP_FACTS, G_STRUCT_OFFSET (EarPodcastFacts, owner_name) },
  { PROP_FACTS, G_STRUCT_OFFSET (EarPodcastFacts, generator) },
};

static const char *
get_text (EarPodcastFacts *facts, gsize offset)
{
  return G_STRUCT_MEMBER (const char *, facts, offset);
}

static void
ear_podcast_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarPodcast *self = EAR_PODCAST (object);

  switch ((EarPodcastProperty) property_id)
    {
    case PROP_AUTHOR:
      g_value_set_string (value, self->facts->author);
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, self->facts->description);
      break;
    case PROP_LINK:
      g_value_set_string (value, self->facts->link);
      break;
    case PROP_IMAGE:
      g_value_set_string (value, self->facts->image);
      break;
    case PROP_FACTS:
      g_value_set_boxed (value, self->facts);
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
  g_clear_pointer (&self->sort_key, g_free);
  g_clear_pointer (&self->feed_address, g_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->facts, ear_podcast_facts_unref);

  G_OBJECT_CLASS (ear_podcast_parent_class)->finalize (object);
}

static void
ear_podcast_class_init (EarPodcastClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_podcast_get_property;
  object_class->finalize = ear_podcast_finalize;

  /**
   * EarPodcast:author:
   *
   * Who makes it.
   */
  props[PROP_AUTHOR] = g_param_spec_string ("author", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:description:
   *
   * What it is about, as HTML or plain text.
   */
  props[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:link:
   *
   * Its web page.
   */
  props[PROP_LINK] = g_param_spec_string ("link", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:image:
   *
   * Address of its cover.
   */
  props[PROP_IMAGE] = g_param_spec_string ("image", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:facts:
   *
   * What the feed says; tells of changes that no other property tells of.
   */
  props[PROP_FACTS] = g_param_spec_boxed ("facts", NULL, NULL, EAR_TYPE_PODCAST_FACTS, readable);
  /**
   * EarPodcast:title:
   *
   * Title; until the first refresh as the subscription had it, if it had one.
   */
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:name:
   *
   * What to call it: its title, or else the host of its address, for the rest of that may be a secret.
   */
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:feed-address:
   *
   * Address that the feed is fetched from now; not that of [method@EarPodcast.get_address] once the feed has moved.
   */
  props[PROP_FEED_ADDRESS] = g_param_spec_string ("feed-address", NULL, NULL, NULL, readable);
  /**
   * EarPodcast:checked:
   *
   * When the feed was last checked with success, Unix seconds; 0 for never.
   */
  props[PROP_CHECKED] = g_param_spec_int64 ("checked", NULL, NULL, G_MININT64, G_MAXINT64, 0, readable);
  /**
   * EarPodcast:refreshing:
   *
   * Whether its feed is being fetched now.
   */
  props[PROP_REFRESHING] = g_param_spec_boolean ("refreshing", NULL, NULL, FALSE, readable);
  /**
   * EarPodcast:error:
   *
   * Why the last refresh failed, or %NULL.
   */
  props[PROP_ERROR] = g_param_spec_boxed ("error", NULL, NULL, G_TYPE_ERROR, readable);
  /**
   * EarPodcast:ended:
   *
   * Whether no more episodes are to be expected: the feed says that it is complete, or
   * was taken down for good (410).
   */
  props[PROP_ENDED] = g_param_spec_boolean ("ended", NULL, NULL, FALSE, readable);
  /**
   * EarPodcast:needs-password:
   *
   * Whether its server wants to know who asks, and was not told, or not to its liking.
   */
  props[PROP_NEEDS_PASSWORD] = g_param_spec_boolean ("needs-password", NULL, NULL, FALSE, readable);
  /**
   * EarPodcast:n-episodes:
   *
   * How many episodes the catalogue has of it.
   */
  props[PROP_N_EPISODES] = g_param_spec_uint ("n-episodes", NULL, NULL, 0, G_MAXUINT, 0, readable);
  /**
   * EarPodcast:has-namesake:
   *
   * Whether another podcast that is followed has the same name.
   */
  props[PROP_HAS_NAMESAKE] = g_param_spec_boolean ("has-namesake", NULL, NULL, FALSE, readable);
  /**
   * EarPodcast:n-unplayed:
   *
   * How many of them are not listened.
   */
  props[PROP_N_UNPLAYED] = g_param_spec_uint ("n-unplayed", NULL, NULL, 0, G_MAXUINT, 0, readable);
  /**
   * EarPodcast:n-new:
   *
   * How many of them the view New shows; only told while the podcast is followed.
   */
  props[PROP_N_NEW] = g_param_spec_uint ("n-new", NULL, NULL, 0, G_MAXUINT, 0, readable);
  /**
   * EarPodcast:followed:
   *
   * Whether it is one of the listener's podcasts; not so while it is only looked at.
   */
  props[PROP_FOLLOWED] = g_param_spec_boolean ("followed", NULL, NULL, FALSE, readable);
  /**
   * EarPodcast:notifications:
   *
   * Whether the listener wants to be told of its new episodes.
   */
  props[PROP_NOTIFICATIONS] = g_param_spec_boolean ("notifications", NULL, NULL, TRUE, readable);
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
  props[PROP_FILTER] = g_param_spec_string ("filter", NULL, NULL, "all", readable);
  /**
   * EarPodcast:sort:
   *
   * In which order: `newest`, `oldest`, `title` or `longest`.
   */
  props[PROP_SORT] = g_param_spec_string ("sort", NULL, NULL, "newest", readable);

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
  EarPodcast *self = g_object_new (EAR_TYPE_PODCAST, NULL);

  self->id = id;
  self->address = g_strdup (address);

  return self;
}

gint64
ear_podcast_get_id (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), 0);

  return self->id;
}

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
  for (gsize i = 0; i < G_N_ELEMENTS (fact_texts); i++)
    if (g_strcmp0 (get_text (before, fact_texts[i].offset), get_text (facts, fact_texts[i].offset)) != 0)
      g_object_notify_by_pspec (G_OBJECT (self), props[fact_texts[i].property]);
  if (before->explicit_content != facts->explicit_content)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FACTS]);
  if (ear_podcast_get_ended (self) != ended)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ENDED]);
  if (facts->title != NULL)
    ear_podcast_set_title (self, facts->title);
  g_object_thaw_notify (G_OBJECT (self));
}

const char *
ear_podcast_get_title (EarPodcast *self)
{
  g_return_val_if_fail (EAR_IS_PODCAST (self), NULL);

  return self->title;
}

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

  if (!g_set_str (&self->title, title))
    return;

  g_clear_pointer (&self->sort_key, g_free);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NAME]);
}

/**
 * ear_podcast_get_sort_key:
 * @self: the podcast
 *
 * Returns: (transfer none): what strcmp() puts it in its place in a list by, by its title
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
