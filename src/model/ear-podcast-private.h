/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Declarations shared by ear-podcast.c and ear-podcast-state.c */

#include "ear-podcast.h"
#include "ear-property.h"

G_BEGIN_DECLS

struct _EarPodcast
{
  GObject parent_instance;

  /* Owned */
  gint64 id;
  char *address;
  EarPodcastFacts *facts;
  char *title;
  char *host;     /* (nullable): of the address; computed on demand */
  char *sort_key; /* (nullable): computed on demand */
  char *feed_address;
  char *folder; /* (nullable) */
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

void ear_podcast_notify_series (EarPodcast *self, gboolean series, const char *sort);

G_END_DECLS
