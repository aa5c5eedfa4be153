/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Declarations shared by ear-episode.c and ear-episode-listener.c */

#include "ear-episode.h"
#include "ear-property.h"

G_BEGIN_DECLS

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

G_END_DECLS
