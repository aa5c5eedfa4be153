/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-state.h"
#include "ear-episode.h"
#include "ear-podcast.h"
#include "ear-podcast-settings.h"

G_BEGIN_DECLS

/* What the listener did with an episode, as it goes from the main thread to the one of the files. */
typedef struct
{
  char *address;       /* the podcast's first */
  char *feed_address;  /* (nullable) */
  char *podcast_title; /* (nullable) */
  char *guid;
  char *alias;     /* (nullable): another name of the episode */
  char *title;     /* (nullable) */
  char *enclosure; /* (nullable) */
  EarEpisodeState state;
  gint64 done; /* when, Unix microseconds; 0: somewhere else, only the stamps tell */
} EarStateDeed;

void ear_state_deed_free (EarStateDeed *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStateDeed, ear_state_deed_free)

/* What the listener wants for a podcast, on the same way. */
typedef struct
{
  char *address;
  char *feed_address; /* (nullable) */
  char *title;        /* (nullable) */
  EarPodcastSettings settings;
  gint64 done; /* as in EarStateDeed */
} EarSettingsDeed;

void ear_settings_deed_free (EarSettingsDeed *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSettingsDeed, ear_settings_deed_free)

G_END_DECLS
