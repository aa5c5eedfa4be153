/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-private.h"

#include "ear-address.h"
#include "ear-model-enums.h"

#include <string.h>

/* Digits of ear_address_hash() */
#define KEY_LENGTH 32

/**
 * EarEpisode:
 *
 * An episode for rows, pages, the player and MPRIS: the feed's facts and
 * the listener's marks.
 *
 * There is one live object per episode (the catalogue has a weak table by row id), so
 * that all users share it. Used on the main thread only.
 */
G_DEFINE_FINAL_TYPE (EarEpisode, ear_episode, G_TYPE_OBJECT)

/* Texts of the facts, and the property to notify for each */
static const struct
{
  const char *property;
  gsize offset;
} fact_texts[] = {
  { "title", G_STRUCT_OFFSET (EarEpisodeFacts, title) },
  { "name", G_STRUCT_OFFSET (EarEpisodeFacts, title) },
  { "image", G_STRUCT_OFFSET (EarEpisodeFacts, image) },
  { "facts", G_STRUCT_OFFSET (EarEpisodeFacts, subtitle) },
  { "facts", G_STRUCT_OFFSET (EarEpisodeFacts, author) },
  { "facts", G_STRUCT_OFFSET (EarEpisodeFacts, link) },
  { "facts", G_STRUCT_OFFSET (EarEpisodeFacts, number) },
};

/* Returns: bytes; 0 if the feed has no size, -1 if there is no media */
static gint64
get_media_size (EarEpisodeFacts *facts)
{
  return facts->enclosures->len > 0 ? ((EarEnclosure *) g_ptr_array_index (facts->enclosures, 0))->size : -1;
}

static const char *
get_text (EarEpisodeFacts *facts, gsize offset)
{
  return G_STRUCT_MEMBER (const char *, facts, offset);
}

static const char *
get_image (EarEpisode *self)
{
  return self->facts->image;
}

static gboolean
is_explicit (EarEpisode *self)
{
  return self->facts->explicit_content == EAR_EXPLICIT_YES;
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

/* Creates EarEpisode:position, EarEpisode:listened and so on: see EarMark. */
static EarProperty
create_mark_property (EarMark mark)
{
  EarProperty property = { ear_mark_get_name (mark), G_TYPE_INT64, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisode, marks[mark]) };

  if (ear_mark_get_kind (mark) == EAR_MARK_FLAG)
    property.spec = g_param_spec_boolean (property.name, NULL, NULL, FALSE, property.flags);

  return property;
}

static void
ear_episode_class_init (EarEpisodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  EarProperty marks[EAR_N_MARKS];
  const EarProperty properties[] = {
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisode, podcast) },
    /* Optional in feeds */
    { "title", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_get_title) },
    /* Display name: the title, or else the podcast's name */
    { "name", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_get_name) },
    /* URL of the episode's own cover, if any */
    { "image", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_image) },
    { "explicit", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_explicit) },
    /* The feed's facts; notifies of changes that have no other property */
    { "facts", EAR_TYPE_EPISODE_FACTS, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisode, facts) },
    /* In microseconds, 0 if unknown; from the feed until the player measures it */
    { "duration", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisode, duration) },
    /* Whether it came while its podcast was followed, or was the newest one then */
    { "fresh", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisode, fresh) },
    /* Its present state in the player; not stored */
    { "playback", EAR_TYPE_PLAYBACK, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisode, playback) },
    /* State of its download on this machine */
    { "download", EAR_TYPE_DOWNLOAD, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisode, download) },
    /* Part downloaded so far, 0 to 1; -1 if the size is unknown */
    { "download-progress", G_TYPE_DOUBLE, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_get_download_progress) },
    /* Why the download failed, an EarError; otherwise NULL */
    { "download-error", G_TYPE_ERROR, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisode, download_error) },
  };

  object_class->finalize = ear_episode_finalize;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    marks[i] = create_mark_property (i);
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
  ear_properties_install (object_class, marks, G_N_ELEMENTS (marks));
}

static void
ear_episode_init (EarEpisode *self)
{
  self->facts = ear_episode_facts_new ();
}

/**
 * ear_episode_new:
 * @id: row id in the catalogue; unknown outside the process
 * @podcast: (nullable): its podcast
 * @guid: identity within the feed: its guid, or else a substitute
 *
 * Returns: (transfer full): the object, without facts yet
 */
EarEpisode *
ear_episode_new (gint64 id, EarPodcast *podcast, const char *guid)
{
  EarEpisode *self = g_object_new (EAR_TYPE_EPISODE, NULL);

  self->id = id;
  g_set_object (&self->podcast, podcast);
  self->guid = g_strdup (guid);

  return self;
}

EAR_DEFINE_GET (EarEpisode, ear_episode, gint64, id)
EAR_DEFINE_GET (EarEpisode, ear_episode, EarPodcast *, podcast)
EAR_DEFINE_GET (EarEpisode, ear_episode, const char *, guid)

/**
 * ear_episode_get_facts:
 * @self: the episode
 *
 * Returns: (transfer none): the feed's facts; never changed in place, so that other
 *   threads may hold a reference
 */
EAR_DEFINE_GET (EarEpisode, ear_episode, EarEpisodeFacts *, facts)

/**
 * ear_episode_set_facts:
 * @self: the episode
 * @facts: the feed's present facts
 *
 * Replaces the facts. Only properties whose value has changed notify. A duration that the
 * new facts lack stays.
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
  for (gsize i = 0; i < G_N_ELEMENTS (fact_texts); i++)
    if (g_strcmp0 (get_text (before, fact_texts[i].offset), get_text (facts, fact_texts[i].offset)) != 0)
      g_object_notify (G_OBJECT (self), fact_texts[i].property);
  if (before->explicit_content != facts->explicit_content)
    g_object_notify (G_OBJECT (self), "explicit");
  if (before->season != facts->season || before->type != facts->type || before->published != facts->published ||
      get_media_size (before) != get_media_size (facts))
    g_object_notify (G_OBJECT (self), "facts");
  if (facts->duration != EAR_DURATION_UNKNOWN)
    ear_episode_set_duration (self, facts->duration);
  g_object_thaw_notify (G_OBJECT (self));
}

const char *
ear_episode_get_title (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return self->facts->title;
}

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
 * Returns: (transfer none) (nullable): the media file to play, or %NULL if the
 *   feed has none
 */
EarEnclosure *
ear_episode_get_enclosure (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return self->facts->enclosures->len > 0 ? g_ptr_array_index (self->facts->enclosures, 0) : NULL;
}

/**
 * ear_episode_is_video:
 * @self: the episode
 *
 * Returns: whether it is a video, according to the feed. A picture track in an audio file
 *   is a cover or a mistake.
 */
gboolean
ear_episode_is_video (EarEpisode *self)
{
  EarEnclosure *enclosure;

  g_return_val_if_fail (EAR_IS_EPISODE (self), FALSE);

  enclosure = ear_episode_get_enclosure (self);

  return enclosure != NULL && enclosure->mime_type != NULL &&
         g_ascii_strncasecmp (enclosure->mime_type, "video/", 6) == 0;
}

/**
 * ear_episode_dup_key:
 * @self: the episode
 *
 * Names the episode outside the process (MPRIS, notifications, links): a hash of the
 * feed's first address and the guid, which a restart does not change.
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
 * @text: text from another program
 *
 * Returns: whether it has the form of [method@EarEpisode.dup_key]
 */
gboolean
ear_episode_is_key (const char *text)
{
  g_return_val_if_fail (text != NULL, FALSE);

  return strlen (text) == KEY_LENGTH && strspn (text, "0123456789abcdef") == KEY_LENGTH;
}
