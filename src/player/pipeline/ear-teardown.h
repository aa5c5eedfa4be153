/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-tempo.h"

G_BEGIN_DECLS

void ear_teardown_begin  (GstElement *playbin,
                          EarTempo   *tempo,
                          guint       beginnings,
                          gint64      patience);
void ear_teardown_finish (void);

G_END_DECLS
