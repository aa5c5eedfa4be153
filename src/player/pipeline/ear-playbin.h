/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-source.h"
#include "ear-tempo.h"

G_BEGIN_DECLS

/**
 * EarPlayerSinkFunc:
 * @owner: the argument set with the function
 *
 * Creates the sound output of one pipeline. Runs in a worker thread.
 *
 * Returns: (transfer floating): an audio sink
 */
typedef GstElement *(*EarPlayerSinkFunc) (GObject *owner);

void                 ear_playbin_prepare       (void);
GstElement          *ear_playbin_new           (EarSource         *source,
                                                EarTempo          *tempo,
                                                EarPlayerSinkFunc  make_sink,
                                                GObject           *sink_owner,
                                                GError           **error);
void                 ear_playbin_begin_at_once (GstElement        *playbin);
void                 ear_playbin_wait          (GstElement        *playbin);
int                  ear_playbin_get_buffering (GstElement        *playbin);
GstStateChangeReturn ear_playbin_set_playing   (GstElement        *playbin,
                                                gboolean           playing);
void                 ear_playbin_end           (GstElement        *playbin);

G_END_DECLS
