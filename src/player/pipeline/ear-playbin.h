/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-source.h"
#include "ear-tempo.h"

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

GstElement *ear_playbin_new (EarSource         *source,
                             EarTempo          *tempo,
                             EarPlayerSinkFunc  make_sink,
                             GObject           *sink_owner,
                             GError           **error);
void        ear_playbin_end          (GstElement *playbin);
void        ear_playbin_get_position (GstElement *playbin,
                                      gint64     *position);
gint64      ear_playbin_get_duration (GstElement *playbin);
gboolean    ear_playbin_get_seekable (GstElement *playbin);
void        ear_playbin_get_volume   (GstElement *playbin,
                                      double     *volume,
                                      gboolean   *muted);
void        ear_playbin_set_volume   (GstElement *playbin,
                                      double      volume,
                                      gboolean    muted);

G_END_DECLS
