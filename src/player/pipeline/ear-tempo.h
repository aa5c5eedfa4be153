/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define EAR_TYPE_TEMPO (ear_tempo_get_type ())
G_DECLARE_FINAL_TYPE (EarTempo, ear_tempo, EAR, TEMPO, GObject)

EarTempo   *ear_tempo_new        (void);
GstElement *ear_tempo_get_filter (EarTempo *self);
void        ear_tempo_set_rate   (EarTempo *self,
                                  double    rate);
void        ear_tempo_set_speech (EarTempo *self,
                                  gboolean  trim,
                                  gboolean  level);
gboolean    ear_tempo_find_place (EarTempo     *self,
                                  GstClockTime  running,
                                  GstClockTime *place);
void        ear_tempo_begin_at   (EarTempo *self,
                                  GstClockTime start);
guint       ear_tempo_get_beginnings (EarTempo *self);
void        ear_tempo_read_on_to (EarTempo *self,
                                  GstClockTime start);
GstClockTime ear_tempo_get_landed (EarTempo *self);

G_END_DECLS
