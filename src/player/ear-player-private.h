/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What tests need beyond ear-player.h: other sound outputs, and less patience. */

#include "ear-player.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/**
 * EarPlayerSinkFunc:
 * @owner: what was given with the function
 *
 * Makes the sound output of one pipeline. Called in a thread of its own.
 *
 * Returns: (transfer floating): an audio sink
 */
typedef GstElement *(*EarPlayerSinkFunc) (GObject *owner);

void ear_player_set_sink    (EarPlayer         *self,
                             EarPlayerSinkFunc  make_sink,
                             GObject           *owner);
void ear_player_set_timeout (EarPlayer         *self,
                             guint              seconds);

G_END_DECLS
