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
} EarUserdataChange;

void ear_userdata_change_free (EarUserdataChange *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataChange, ear_userdata_change_free)

/* What the listener wants for a podcast, on the same way. */
typedef struct
{
  char *address;
  char *feed_address; /* (nullable) */
  char *title;        /* (nullable) */
  EarPodcastSettings settings;
  gint64 done; /* as in EarUserdataChange */
} EarSettingsChange;

void ear_settings_change_free (EarSettingsChange *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSettingsChange, ear_settings_change_free)

G_END_DECLS
