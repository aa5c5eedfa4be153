/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-play-control.c and ear-play-control-resume.c share. */

#include "ear-play-control.h"

G_BEGIN_DECLS

/**
 * EarPlayControl:
 *
 * Plays episodes as the listener asks for them: from this machine or from the web, from where he
 * stopped, one after the other.
 */
struct _EarPlayControl
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarPlayOrder *order;
  EarHistory *history;
  EarCatalogue *catalogue;
  EarUserdataStore *state;
  EarSettings *settings;
  EarDownloader *downloader;
  EarLogins *logins;
  GCancellable *cancellable;
  EarEpisode *left;     /* (nullable): was in the player when its podcast was unfollowed */
  char *last_address;   /* what was in the player the last time, until it is there again */
  char *last_guid;
  gint64 last_position;

  gboolean stopped;
};

G_END_DECLS
