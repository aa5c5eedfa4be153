/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Filters for voices: shortens pauses and levels the loudness. Frames (one sample
 * per channel) go in and come out, later or never, each with its index among those
 * that went in. */
typedef struct _EarSpeech EarSpeech;

EarSpeech *ear_speech_new       (guint        channels,
                                 guint        sample_rate);
void       ear_speech_free      (EarSpeech   *self);
void       ear_speech_set_trim  (EarSpeech   *self,
                                 gboolean     trim);
void       ear_speech_set_level (EarSpeech   *self,
                                 gboolean     level);
gboolean   ear_speech_is_idle   (EarSpeech   *self);
void       ear_speech_reset     (EarSpeech   *self);
void       ear_speech_pass       (EarSpeech   *self);
void       ear_speech_push      (EarSpeech   *self,
                                 const float *samples,
                                 gsize        n);
void       ear_speech_drain     (EarSpeech   *self);
gsize      ear_speech_peek      (EarSpeech    *self,
                                 gsize         most,
                                 const float **samples,
                                 guint64      *first,
                                 gsize        *cut);
void       ear_speech_take      (EarSpeech   *self,
                                 gsize        n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSpeech, ear_speech_free)

G_END_DECLS
