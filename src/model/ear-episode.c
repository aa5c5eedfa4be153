/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-private.h"

#include "ear-address.h"
#include "ear-model-enums.h"

#include <string.h>

/* Of what ear_address_hash() gives. */
#define KEY_LENGTH 32

/**
 * EarEpisode:
 *
 * An episode as rows, pages, the player and MPRIS see it: facts of the feed and what
 * the listener did.
 *
 * There is one live object an episode (the catalogue keeps a weak table by row id),
 * so that all of them watch the same one. Used on the main thread only.
 */
G_DEFINE_FINAL_TYPE (EarEpisode, ear_episode, G_TYPE_OBJECT)

typedef enum
{
  PROP_ID = 1,
  PROP_PODCAST,
  PROP_GUID,
  PROP_TITLE,
  PROP_NAME,
  PROP_SUBTITLE,
  PROP_AUTHOR,
  PROP_LINK,
  PROP_IMAGE,
  PROP_NUMBER,
  PROP_SEASON,
  PROP_KIND,
  PROP_EXPLICIT,
  PROP_PUBLISHED,
  PROP_MEDIA_SIZE,
  PROP_DURATION,
  PROP_PLAYBACK,
  PROP_DOWNLOAD,
  PROP_DOWNLOAD_PROGRESS,
  PROP_DOWNLOAD_ERROR,
  PROP_MARKS, /* one for each EarMark */
} EarEpisodeProperty;

static GParamSpec *props[PROP_MARKS + EAR_N_MARKS];

/* Properties that are a string of the facts, by where it stands there. */
static const struct
{
  EarEpisodeProperty property;
  gsize offset;
} fact_strings[] = {
  { PROP_TITLE, G_STRUCT_OFFSET (EarEpisodeFacts, title) },
  { PROP_SUBTITLE, G_STRUCT_OFFSET (EarEpisodeFacts, subtitle) },
  { PROP_AUTHOR, G_STRUCT_OFFSET (EarEpisodeFacts, author) },
  { PROP_LINK, G_STRUCT_OFFSET (EarEpisodeFacts, link) },
  { PROP_IMAGE, G_STRUCT_OFFSET (EarEpisodeFacts, image) },
  { PROP_NUMBER, G_STRUCT_OFFSET (EarEpisodeFacts, number) },
};

static const char *
get_fact_string (EarEpisodeFacts *facts, guint property_id)
{
  for (gsize i = 0; i < G_N_ELEMENTS (fact_strings); i++)
    if (fact_strings[i].property == property_id)
      return G_STRUCT_MEMBER (const char *, facts, fact_strings[i].offset);

  return NULL;
}

static gint64
get_media_size (EarEpisodeFacts *facts)
{
  return facts->enclosures->len > 0 ? ((EarEnclosure *) g_ptr_array_index (facts->enclosures, 0))->size : 0;
}

static gboolean
is_mark (guint property_id)
{
  return property_id >= PROP_MARKS && property_id < PROP_MARKS + EAR_N_MARKS;
}

static void
get_mark (EarEpisode *self, EarMark mark, GValue *value)
{
  if (ear_mark_get_kind (mark) == EAR_MARK_FLAG)
    g_value_set_boolean (value, self->marks[mark] != 0);
  else
    g_value_set_int64 (value, self->marks[mark]);
}

static void
set_mark (EarEpisode *self, EarMark mark, const GValue *value)
{
  ear_episode_set_mark (self, mark, G_VALUE_HOLDS_BOOLEAN (value) ? g_value_get_boolean (value) : g_value_get_int64 (value));
}

static void
ear_episode_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarEpisode *self = EAR_EPISODE (object);

  switch ((EarEpisodeProperty) property_id)
    {
    case PROP_ID:
      g_value_set_int64 (value, self->id);
      break;
    case PROP_PODCAST:
      g_value_set_object (value, self->podcast);
      break;
    case PROP_GUID:
      g_value_set_string (value, self->guid);
      break;
    case PROP_DURATION:
      g_value_set_int64 (value, self->duration);
      break;
    case PROP_PLAYBACK:
      g_value_set_enum (value, self->playback);
      break;
    case PROP_DOWNLOAD:
      g_value_set_enum (value, self->download);
      break;
    case PROP_DOWNLOAD_PROGRESS:
      g_value_set_double (value, self->download_progress);
      break;
    case PROP_DOWNLOAD_ERROR:
      g_value_set_boxed (value, self->download_error);
      break;
    case PROP_NAME:
      g_value_set_string (value, ear_episode_get_name (self));
      break;
    case PROP_SEASON:
      g_value_set_int (value, self->facts->season);
      break;
    case PROP_KIND:
      g_value_set_enum (value, self->facts->type);
      break;
    case PROP_EXPLICIT:
      g_value_set_boolean (value, self->facts->explicit_content == EAR_EXPLICIT_YES);
      break;
    case PROP_PUBLISHED:
      g_value_set_int64 (value, self->facts->published);
      break;
    case PROP_MEDIA_SIZE:
      g_value_set_int64 (value, get_media_size (self->facts));
      break;
    case PROP_TITLE:
    case PROP_SUBTITLE:
    case PROP_AUTHOR:
    case PROP_LINK:
    case PROP_IMAGE:
    case PROP_NUMBER:
      g_value_set_string (value, get_fact_string (self->facts, property_id));
      break;
    case PROP_MARKS:
    default:
      if (is_mark (property_id))
        get_mark (self, (EarMark) (property_id - PROP_MARKS), value);
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarEpisode *self = EAR_EPISODE (object);

  switch (property_id)
    {
    case PROP_ID:
      self->id = g_value_get_int64 (value);
      break;
    case PROP_PODCAST:
      self->podcast = g_value_dup_object (value);
      break;
    case PROP_GUID:
      self->guid = g_value_dup_string (value);
      break;
    case PROP_DURATION:
      ear_episode_set_duration (self, g_value_get_int64 (value));
      break;
    case PROP_PLAYBACK:
      ear_episode_set_playback (self, g_value_get_enum (value));
      break;
    default:
      if (is_mark (property_id))
        set_mark (self, (EarMark) (property_id - PROP_MARKS), value);
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_finalize (GObject *object)
{
  EarEpisode *self = EAR_EPISODE (object);

  g_clear_object (&self->podcast);
  g_clear_pointer (&self->guid, g_free);
  g_clear_pointer (&self->facts, ear_episode_facts_unref);
  g_clear_error (&self->download_error);

  G_OBJECT_CLASS (ear_episode_parent_class)->finalize (object);
}

static void
make_fact_properties (void)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * EarEpisode:title:
   *
   * Title; feeds need not give their episodes one.
   */
  props[PROP_TITLE] =
    g_param_spec_string ("title", NULL, NULL, NULL, readable);
  /**
   * EarEpisode:name:
   *
   * What to call it: its title, or else its podcast's name.
   */
  props[PROP_NAME] =
    g_param_spec_string ("name", NULL, NULL, NULL, readable);
  /**
   * EarEpisode:subtitle:
   *
   * First words of the notes or the subtitle, one plain line.
   */
  props[PROP_SUBTITLE] =
    g_param_spec_string ("subtitle", NULL, NULL, NULL, readable);
  /**
   * EarEpisode:author:
   *
   * Who made this episode.
   */
  props[PROP_AUTHOR] =
    g_param_spec_string ("author", NULL, NULL, NULL, readable);
  /**
   * EarEpisode:link:
   *
   * Its web page.
   */
  props[PROP_LINK] =
    g_param_spec_string ("link", NULL, NULL, NULL, readable);
  /**
   * EarEpisode:image:
   *
   * Address of its own cover, if it has one.
   */
  props[PROP_IMAGE] =
    g_param_spec_string ("image", NULL, NULL, NULL, readable);
  /**
   * EarEpisode:number:
   *
   * Number within the podcast or season, as written.
   */
  props[PROP_NUMBER] =
    g_param_spec_string ("number", NULL, NULL, NULL, readable);
  /**
   * EarEpisode:season:
   *
   * Season, 0 for none.
   */
  props[PROP_SEASON] =
    g_param_spec_int ("season", NULL, NULL, 0, G_MAXINT, 0, readable);
  /**
   * EarEpisode:kind:
   *
   * Full episode, trailer or bonus.
   */
  props[PROP_KIND] =
    g_param_spec_enum ("kind", NULL, NULL, EAR_TYPE_EPISODE_TYPE, EAR_EPISODE_FULL, readable);
  /**
   * EarEpisode:explicit:
   *
   * Whether the feed marks it as explicit.
   */
  props[PROP_EXPLICIT] =
    g_param_spec_boolean ("explicit", NULL, NULL, FALSE, readable);
  /**
   * EarEpisode:published:
   *
   * When it was published, Unix seconds, or `EAR_DATE_UNKNOWN`.
   */
  props[PROP_PUBLISHED] =
    g_param_spec_int64 ("published", NULL, NULL, G_MININT64, G_MAXINT64, EAR_DATE_UNKNOWN, readable);
  /**
   * EarEpisode:media-size:
   *
   * Size of the enclosure in bytes, 0 when unknown.
   */
  props[PROP_MEDIA_SIZE] =
    g_param_spec_int64 ("media-size", NULL, NULL, G_MININT64, G_MAXINT64, 0, readable);
}

static void
make_listener_properties (void)
{
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * EarEpisode:duration:
   *
   * Length in microseconds, 0 when unknown; of the feed until the player knows better.
   */
  props[PROP_DURATION] =
    g_param_spec_int64 ("duration", NULL, NULL, G_MININT64, G_MAXINT64, 0, writable);
  /**
   * EarEpisode:playback:
   *
   * What the player does with it now; not kept.
   */
  props[PROP_PLAYBACK] =
    g_param_spec_enum ("playback", NULL, NULL, EAR_TYPE_PLAYBACK, EAR_PLAYBACK_NONE, writable);
}

/* EarEpisode:position, EarEpisode:listened and so on: see EarMark. */
static void
make_mark_properties (void)
{
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (ear_mark_get_kind (i) == EAR_MARK_FLAG)
      props[PROP_MARKS + i] = g_param_spec_boolean (ear_mark_get_name (i), NULL, NULL, FALSE, writable);
    else
      props[PROP_MARKS + i] = g_param_spec_int64 (ear_mark_get_name (i), NULL, NULL, G_MININT64, G_MAXINT64, 0, writable);
}

static void
make_download_properties (void)
{
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * EarEpisode:download:
   *
   * How far its media is on this machine.
   */
  props[PROP_DOWNLOAD] =
    g_param_spec_enum ("download", NULL, NULL, EAR_TYPE_DOWNLOAD, EAR_DOWNLOAD_NONE, readable);
  /**
   * EarEpisode:download-progress:
   *
   * How much of it is there while it is being fetched, 0 to 1; -1 where its size is not known.
   */
  props[PROP_DOWNLOAD_PROGRESS] =
    g_param_spec_double ("download-progress", NULL, NULL, -1, 1, 0, readable);
  /**
   * EarEpisode:download-error:
   *
   * Why it could not be fetched, an #EarError; %NULL unless that failed.
   */
  props[PROP_DOWNLOAD_ERROR] =
    g_param_spec_boxed ("download-error", NULL, NULL, G_TYPE_ERROR, readable);
}

static void
ear_episode_class_init (EarEpisodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags constructed = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_episode_get_property;
  object_class->set_property = ear_episode_set_property;
  object_class->finalize = ear_episode_finalize;

  /**
   * EarEpisode:id:
   *
   * Row id in the catalogue; not known outside the process.
   */
  props[PROP_ID] =
    g_param_spec_int64 ("id", NULL, NULL, G_MININT64, G_MAXINT64, 0, constructed);
  /**
   * EarEpisode:podcast:
   *
   * The podcast that it belongs to.
   */
  props[PROP_PODCAST] =
    g_param_spec_object ("podcast", NULL, NULL, EAR_TYPE_PODCAST, constructed);
  /**
   * EarEpisode:guid:
   *
   * Identity within the feed: its guid, else what stands in for one.
   */
  props[PROP_GUID] =
    g_param_spec_string ("guid", NULL, NULL, NULL, constructed);
  make_fact_properties ();
  make_listener_properties ();
  make_download_properties ();
  make_mark_properties ();
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_episode_init (EarEpisode *self)
{
  self->facts = ear_episode_facts_new ();
}

/**
 * ear_episode_new:
 * @id: row id in the catalogue; not known outside the process
 * @podcast: the podcast that it belongs to
 * @guid: identity within the feed: its guid, else what stands in for one
 *
 * Returns: (transfer full): the object, without facts yet
 */
EarEpisode *
ear_episode_new (gint64 id, EarPodcast *podcast, const char *guid)
{
  return g_object_new (EAR_TYPE_EPISODE,
                       "id", id,
                       "podcast", podcast,
                       "guid", guid,
                       NULL);
}

gint64
ear_episode_get_id (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), 0);

  return self->id;
}

/**
 * ear_episode_get_podcast:
 * @self: the episode
 *
 * Returns: (transfer none) (nullable): the value of [property@EarEpisode:podcast]
 */
EarPodcast *
ear_episode_get_podcast (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return self->podcast;
}

/**
 * ear_episode_get_guid:
 * @self: the episode
 *
 * Returns: (transfer none) (nullable): the value of [property@EarEpisode:guid]
 */
const char *
ear_episode_get_guid (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return self->guid;
}

/**
 * ear_episode_get_facts:
 * @self: the episode
 *
 * Returns: (transfer none): what the feed says; never changed in place, so that a
 *   reference to it may go to another thread
 */
EarEpisodeFacts *
ear_episode_get_facts (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return self->facts;
}

/**
 * ear_episode_set_facts:
 * @self: the episode
 * @facts: what its feed says now
 *
 * Takes over what the feed says. Only properties whose value is another one notify. A length that
 * the feed does not tell is kept as it was.
 */
void
ear_episode_set_facts (EarEpisode *self, EarEpisodeFacts *facts)
{
  g_autoptr (EarEpisodeFacts) before = NULL;

  g_return_if_fail (EAR_IS_EPISODE (self));
  g_return_if_fail (facts != NULL);

  before = g_steal_pointer (&self->facts);
  self->facts = ear_episode_facts_ref (facts);

  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (fact_strings); i++)
    if (g_strcmp0 (get_fact_string (before, fact_strings[i].property), get_fact_string (facts, fact_strings[i].property)) != 0)
      g_object_notify_by_pspec (G_OBJECT (self), props[fact_strings[i].property]);
  if (g_strcmp0 (before->title, facts->title) != 0)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NAME]);
  if (before->season != facts->season)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SEASON]);
  if (before->type != facts->type)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_KIND]);
  if (before->explicit_content != facts->explicit_content)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_EXPLICIT]);
  if (before->published != facts->published)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PUBLISHED]);
  if (get_media_size (before) != get_media_size (facts))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MEDIA_SIZE]);
  if (facts->duration != EAR_DURATION_UNKNOWN)
    ear_episode_set_duration (self, facts->duration);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * ear_episode_get_title:
 * @self: the episode
 *
 * Returns: (transfer none) (nullable): the value of [property@EarEpisode:title]
 */
const char *
ear_episode_get_title (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return self->facts->title;
}

/**
 * ear_episode_get_name:
 * @self: the episode
 *
 * Returns: (transfer none) (nullable): the value of [property@EarEpisode:name]
 */
const char *
ear_episode_get_name (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  if (self->facts->title != NULL)
    return self->facts->title;

  return self->podcast != NULL ? ear_podcast_get_name (self->podcast) : NULL;
}

/**
 * ear_episode_get_enclosure:
 * @self: the episode
 *
 * Returns: (transfer none) (nullable): the media file to play, or %NULL when the feed names none
 */
EarEnclosure *
ear_episode_get_enclosure (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return self->facts->enclosures->len > 0 ? g_ptr_array_index (self->facts->enclosures, 0) : NULL;
}

/**
 * ear_episode_get_public_address:
 * @self: the episode
 *
 * Where others find it: its media file, or else, as that of a private podcast is often nobody else's to
 * have, its web page.
 *
 * Returns: (transfer none) (nullable): an address that can be handed on without a question
 */
const char *
ear_episode_get_public_address (EarEpisode *self)
{
  EarEnclosure *enclosure;

  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  enclosure = ear_episode_get_enclosure (self);
  if (enclosure != NULL && !ear_address_has_secret (enclosure->address) &&
      (self->podcast == NULL || !ear_podcast_is_private (self->podcast)))
    return enclosure->address;

  return ear_address_has_secret (self->facts->link) ? NULL : self->facts->link;
}

/**
 * ear_episode_dup_key:
 * @self: the episode
 *
 * What the episode is called outside the process (MPRIS, notifications, links): a
 * hash of the feed's first address and the guid, the same after a restart.
 *
 * Returns: (transfer full): 32 hexadecimal digits
 */
char *
ear_episode_dup_key (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return ear_address_hash (ear_podcast_get_address (self->podcast), self->guid);
}

/**
 * ear_episode_is_key:
 * @text: what another program has sent
 *
 * Returns: whether it could be what [method@EarEpisode.dup_key] gives
 */
gboolean
ear_episode_is_key (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);

  return strlen (text) == KEY_LENGTH && strspn (text, "0123456789abcdef") == KEY_LENGTH;
}
