/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode.h"

#include "ear-address.h"
#include "ear-model-enums.h"
#include "ear-property.h"

/* An episode for rows, pages, the player and MPRIS: the feed's facts and the listener's
 * marks. There is one live object per episode (the catalogue has a weak table by row id), so
 * that all users share it. Used on the main thread only. */
struct _EarEpisode
{
  GObject parent_instance;

  /* Owned */
  gint64 id;
  EarPodcast *podcast;
  char *guid;
  EarEpisodeFacts *facts;
  gint64 duration;
  gint64 marks[EAR_N_MARKS];
  gboolean fresh;
  EarPlayback playback;
  EarDownload download;
  gint64 heard;
  gint64 download_received;
  gint64 download_total;
  GError *download_error; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (EarEpisode, ear_episode, G_TYPE_OBJECT)

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

  ear_properties_clear (self);
  g_free (self->guid);

  G_OBJECT_CLASS (ear_episode_parent_class)->finalize (object);
}

static void
ear_episode_class_init (EarEpisodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  EarProperty marks[EAR_N_MARKS];
  const EarProperty properties[] = {
    EAR_READABLE (EarEpisode, podcast, EAR_TYPE_PODCAST),
    /* Optional in feeds */
    { "title", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_get_title) },
    /* Display name: the title, or else the podcast's name */
    { "name", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (ear_episode_get_name) },
    /* URL of the episode's own cover, if any */
    { "image", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_image) },
    { "explicit", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_explicit) },
    /* The feed's facts; notifies of changes that have no other property */
    EAR_READABLE (EarEpisode, facts, EAR_TYPE_EPISODE_FACTS),
    /* In microseconds, 0 if unknown; from the feed until the player measures it */
    EAR_READABLE (EarEpisode, duration, G_TYPE_INT64),
    /* Whether it came while its podcast was followed, or was the newest one then */
    EAR_READABLE (EarEpisode, fresh, G_TYPE_BOOLEAN),
    /* Its present state in the player; not stored */
    EAR_READABLE (EarEpisode, playback, EAR_TYPE_PLAYBACK),
    /* State of its download on this machine */
    EAR_READABLE (EarEpisode, download, EAR_TYPE_DOWNLOAD),
    /* Part downloaded so far, 0 to 1; -1 if the size is unknown */
    { "download-progress", G_TYPE_DOUBLE, G_PARAM_READABLE,
      .get = G_CALLBACK (ear_episode_get_download_progress) },
    /* Why the download failed, an EarError; otherwise NULL */
    EAR_READABLE (EarEpisode, download_error, G_TYPE_ERROR),
  };

  object_class->finalize = ear_episode_finalize;

  ear_class_add_properties (klass, properties);
  /* EarEpisode:position, EarEpisode:listened and so on */
  for (guint i = 0; i < EAR_N_MARKS; i++)
    {
      const char *name = ear_mark_types[i].name;

      marks[i] = (EarProperty){ name, G_TYPE_INT64, G_PARAM_READWRITE,
                                G_STRUCT_OFFSET (EarEpisode, marks[i]) };
      if (ear_mark_types[i].kind == EAR_VALUE_FLAG)
        marks[i].spec = g_param_spec_boolean (name, NULL, NULL, FALSE, G_PARAM_READWRITE);
    }
  ear_class_add_properties (klass, marks);
}

static void
ear_episode_init (EarEpisode *self)
{
  self->facts = ear_episode_facts_new ();
}

/* @id: row id in the catalogue; unknown outside the process
 * @podcast: (nullable): its podcast
 * @guid: identity within the feed: its guid, or else a substitute
 * Returns: (transfer full): the object, without facts yet */
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

/* Returns: (transfer none): the feed's facts; never changed in place, so that other
 * threads may hold a reference */
EAR_DEFINE_GET (EarEpisode, ear_episode, EarEpisodeFacts *, facts)

/* Replaces the facts, once the feed has changed them. A duration that the new facts lack
 * stays. */
void
ear_episode_set_facts (EarEpisode *self, EarEpisodeFacts *facts)
{
  static const char *const properties[] = { "title", "name", "image", "explicit", "facts" };
  g_autoptr (EarEpisodeFacts) before = g_steal_pointer (&self->facts);

  self->facts = ear_episode_facts_ref (facts);
  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    g_object_notify (G_OBJECT (self), properties[i]);
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

/* Returns: (transfer none) (nullable): the media file to play, or %NULL if the feed has
 * none */
EarEnclosure *
ear_episode_get_enclosure (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), NULL);

  return self->facts->enclosures->len > 0 ? g_ptr_array_index (self->facts->enclosures, 0) : NULL;
}

/* Returns: whether it is a video, according to the feed. A picture track in an audio
 * file is a cover or a mistake. */
gboolean
ear_episode_is_video (EarEpisode *self)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (self);

  return enclosure != NULL && enclosure->mime_type != NULL &&
         g_ascii_strncasecmp (enclosure->mime_type, "video/", 6) == 0;
}

/* Names the episode outside the process (MPRIS, notifications, links): a hash of the
 * feed's first address and the guid, which a restart does not change.
 * Returns: (transfer full): 32 hexadecimal digits */
char *
ear_episode_dup_key (EarEpisode *self)
{
  return ear_address_hash (ear_podcast_get_address (self->podcast), self->guid);
}

/* The listener's marks of an episode, its playback, and its download */

EAR_DEFINE_PROPERTY (EarEpisode, ear_episode, gint64, duration, int64)
EAR_DEFINE_SET (EarEpisode, ear_episode, gboolean, fresh, boolean)

/* Returns: the duration of its media; %EAR_DURATION_UNKNOWN if only the
 * feed's is known */
gint64
ear_episode_get_measured (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), EAR_DURATION_UNKNOWN);

  return self->duration != self->facts->duration ? self->duration : EAR_DURATION_UNKNOWN;
}

/* Returns: whether the episode is in New. The catalogue has the same condition in SQL. */
gboolean
ear_episode_is_new (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), FALSE);

  return self->fresh && !ear_episode_get_listened (self) && !ear_episode_get_removed (self) &&
         ear_episode_get_position (self) == 0;
}

gint64
ear_episode_get_mark (EarEpisode *self, EarMark mark)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), 0);

  return self->marks[mark];
}

/* Sets the property with the mark's name. */
void
ear_episode_set_mark (EarEpisode *self, EarMark mark, gint64 value)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  ear_property_set_int64 (self, ear_mark_types[mark].name, ear_mark_bound (mark, value));
}

gint64
ear_episode_get_position (EarEpisode *self)
{
  return ear_episode_get_mark (self, EAR_MARK_POSITION);
}

void
ear_episode_set_position (EarEpisode *self, gint64 position)
{
  ear_episode_set_mark (self, EAR_MARK_POSITION, position);
}

/* @state: marks set by the listener now, or earlier, according to their stamps
 * Returns: (transfer full): the marks of this episode */
EarMarks *
ear_episode_make_marks (EarEpisode *self, const EarEpisodeState *state)
{
  EarMarks *marks = ear_marks_new (state, g_get_real_time ());
  EarPodcast *podcast = self->podcast;
  EarEnclosure *enclosure = ear_episode_get_enclosure (self);
  const EarMarkedEpisode marked = {
    .guid = self->guid,
    .alias = self->facts->guid,
    .title = self->facts->title,
    .enclosure = enclosure != NULL ? enclosure->address : NULL,
  };

  ear_marks_add_podcast (marks, ear_podcast_get_address (podcast),
                         ear_podcast_get_feed_address (podcast), ear_podcast_get_title (podcast));
  ear_marks_add (marks, self->id, marked);

  return marks;
}

#define DEFINE_FLAG(name, mark) \
  gboolean \
  ear_episode_get_##name (EarEpisode *self) \
  { \
    return ear_episode_get_mark (self, mark) != 0; \
  }

DEFINE_FLAG (listened, EAR_MARK_LISTENED)
DEFINE_FLAG (liked, EAR_MARK_LIKED)
DEFINE_FLAG (removed, EAR_MARK_REMOVED)

EAR_DEFINE_PROPERTY (EarEpisode, ear_episode, EarPlayback, playback, number)

EAR_DEFINE_GET (EarEpisode, ear_episode, EarDownload, download)

/* Returns: Unix microseconds of the last playback, 0 for never */
EAR_DEFINE_GET (EarEpisode, ear_episode, gint64, heard)

/* Sets the time of the last playback. No signal: the position changes with it, and
 * notifies.
 * @heard: Unix microseconds */
void
ear_episode_set_heard (EarEpisode *self, gint64 heard)
{
  self->heard = heard;
}

/* Sets [property@EarEpisode:download] and [property@EarEpisode:download-error]; resets
 * the progress of a download that starts. */
void
ear_episode_set_download (EarEpisode *self, EarDownload download, const GError *error)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  g_object_freeze_notify (G_OBJECT (self));
  if (self->download_error != NULL || error != NULL)
    {
      g_clear_error (&self->download_error);
      self->download_error = error != NULL ? g_error_copy (error) : NULL;
      g_object_notify (G_OBJECT (self), "download-error");
    }
  if (self->download != download)
    {
      self->download = download;
      ear_episode_set_download_bytes (self, 0, 0);
      g_object_notify (G_OBJECT (self), "download");
    }
  g_object_thaw_notify (G_OBJECT (self));
}

/* A failed or paused download does not count: requesting it again is another attempt.
 * Returns: whether it is downloaded, or on its way */
gboolean
ear_episode_has_download (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), FALSE);

  return self->download != EAR_DOWNLOAD_NONE && self->download != EAR_DOWNLOAD_FAILED &&
         self->download != EAR_DOWNLOAD_PAUSED;
}

double
ear_episode_get_download_progress (EarEpisode *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE (self), 0);

  if (self->download_total <= 0)
    return self->download_total < 0 ? -1 : 0;

  return CLAMP ((double) self->download_received / (double) self->download_total, 0, 1);
}

/* Sets [property@EarEpisode:download-progress].
 * @received: bytes received so far
 * @total: size in bytes, or -1 if the server does not report it */
void
ear_episode_set_download_bytes (EarEpisode *self, gint64 received, gint64 total)
{
  g_return_if_fail (EAR_IS_EPISODE (self));

  if (self->download_received == received && self->download_total == total)
    return;

  self->download_received = received;
  self->download_total = total;
  g_object_notify (G_OBJECT (self), "download-progress");
}

/* Returns: bytes received so far, during the download */
EAR_DEFINE_GET (EarEpisode, ear_episode, gint64, download_received)

/* Returns: size in bytes, during the download; -1 if the server does not report it, 0
 * before the first bytes */
EAR_DEFINE_GET (EarEpisode, ear_episode, gint64, download_total)

EAR_DEFINE_GET (EarEpisode, ear_episode, const GError *, download_error)

/* Public addresses of an episode, and which of them are private */

static const char *
get_media (EarEpisode *self)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (self);

  return enclosure != NULL && ear_address_is_web (enclosure->address) ? enclosure->address : NULL;
}

static const char *
get_page (EarEpisode *self)
{
  const char *link = ear_episode_get_facts (self)->link;

  return ear_address_is_web (link) ? link : NULL;
}

/* Returns: (transfer none) (nullable): the address; %NULL if the feed has none */
const char *
ear_episode_get_address (EarEpisode *self, EarAddressKind kind)
{
  const char *page = kind == EAR_ADDRESS_LINK ? get_page (self) : NULL;

  return page != NULL ? page : get_media (self);
}

/* Returns: whether sharing the address needs the listener's confirmation: it has a
 * secret in it, or is a media file for members only */
gboolean
ear_episode_is_address_private (EarEpisode *self, EarAddressKind kind)
{
  EarPodcast *podcast = ear_episode_get_podcast (self);

  if (ear_address_has_secret (ear_episode_get_address (self, kind)))
    return TRUE;
  if (kind == EAR_ADDRESS_LINK && get_page (self) != NULL)
    return FALSE;

  return podcast != NULL && ear_podcast_is_private (podcast);
}

/* Finds an address to share: the media file, or else the web page. Media files of
 * private podcasts are often for members only.
 * Returns: (transfer none) (nullable): an address that needs no confirmation */
const char *
ear_episode_get_public_address (EarEpisode *self)
{
  const char *media = get_media (self);
  const char *page = get_page (self);

  if (media != NULL && !ear_episode_is_address_private (self, EAR_ADDRESS_MEDIA))
    return media;

  return page != NULL && !ear_address_has_secret (page) ? page : NULL;
}
