/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-facts.h"
#include "ear-mark.h"
#include "ear-podcast.h"

G_BEGIN_DECLS

/* State of an episode in the player. */
typedef enum
{
  EAR_PLAYBACK_NONE, /* not in the player */
  EAR_PLAYBACK_LOADING, /* in the player, which waits for data */
  EAR_PLAYBACK_PLAYING, /* playing */
  EAR_PLAYBACK_PAUSED, /* paused in the player */
} EarPlayback;

/* State of an episode's download on this machine. */
typedef enum
{
  EAR_DOWNLOAD_NONE, /* not wanted: it is streamed */
  EAR_DOWNLOAD_WAITING, /* waiting for its turn, for a network, or for another attempt */
  EAR_DOWNLOAD_RUNNING, /* being fetched */
  EAR_DOWNLOAD_FAILED, /* wanted, but failed with [property@EarEpisode:download-error] */
  EAR_DOWNLOAD_DONE, /* on this machine, and played from there */
  EAR_DOWNLOAD_PAUSED, /* wanted, but not now */
} EarDownload;

#define EAR_TYPE_EPISODE (ear_episode_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisode, ear_episode, EAR, EPISODE, GObject)

EarEpisode *ear_episode_new (gint64 id, EarPodcast *podcast, const char *guid);
gint64 ear_episode_get_id (EarEpisode *self);
EarPodcast *ear_episode_get_podcast (EarEpisode *self);
const char *ear_episode_get_guid (EarEpisode *self);
EarEpisodeFacts *ear_episode_get_facts (EarEpisode *self);
void ear_episode_set_facts (EarEpisode *self, EarEpisodeFacts *facts);
gint64 ear_episode_get_duration (EarEpisode *self);
gint64 ear_episode_get_measured (EarEpisode *self);
void ear_episode_set_duration (EarEpisode *self, gint64 duration);
gint64 ear_episode_get_mark (EarEpisode *self, EarMark mark);
void ear_episode_set_mark (EarEpisode *self, EarMark mark, gint64 value);
EarMarks *ear_episode_make_marks (EarEpisode *self, const EarEpisodeState *state);
gint64 ear_episode_get_position (EarEpisode *self);
void ear_episode_set_position (EarEpisode *self, gint64 position);
gboolean ear_episode_get_listened (EarEpisode *self);
gboolean ear_episode_get_liked (EarEpisode *self);
gboolean ear_episode_get_removed (EarEpisode *self);
void ear_episode_set_fresh (EarEpisode *self, gboolean fresh);
gboolean ear_episode_is_new (EarEpisode *self);
EarPlayback ear_episode_get_playback (EarEpisode *self);
void ear_episode_set_playback (EarEpisode *self, EarPlayback playback);
EarDownload ear_episode_get_download (EarEpisode *self);
void ear_episode_set_download (EarEpisode *self, EarDownload download, const GError *error);
gboolean ear_episode_has_download (EarEpisode *self);
gint64 ear_episode_get_heard (EarEpisode *self);
void ear_episode_set_heard (EarEpisode *self, gint64 heard);
double ear_episode_get_download_progress (EarEpisode *self);
void ear_episode_set_download_bytes (EarEpisode *self, gint64 received, gint64 total);
gint64 ear_episode_get_download_received (EarEpisode *self);
gint64 ear_episode_get_download_total (EarEpisode *self);
const GError *ear_episode_get_download_error (EarEpisode *self);
const char *ear_episode_get_title (EarEpisode *self);
const char *ear_episode_get_name (EarEpisode *self);
EarEnclosure *ear_episode_get_enclosure (EarEpisode *self);
gboolean ear_episode_is_video (EarEpisode *self);
char *ear_episode_dup_key (EarEpisode *self);

/* Addresses of an episode for sharing. */
typedef enum
{
  EAR_ADDRESS_LINK, /* the web page; without one, the media file */
  EAR_ADDRESS_MEDIA, /* the media file */
} EarAddressKind;

const char *ear_episode_get_address (EarEpisode *self, EarAddressKind kind);
gboolean ear_episode_is_address_private (EarEpisode *self, EarAddressKind kind);
const char *ear_episode_get_public_address (EarEpisode *self);

G_END_DECLS
