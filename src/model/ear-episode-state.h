/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* What the listener did with an episode; a member is valid when its stamp is not 0. */
typedef struct
{
  gint64 position; /* microseconds */
  gboolean listened;
  gboolean liked;
  gint64 position_updated; /* Unix microseconds */
  gint64 listened_updated;
  gint64 liked_updated;
} EarEpisodeState;

G_END_DECLS
