/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sound that contains its own time. The frequencies of three tones give the position of
 * each moment in the recording, however it was encoded, stretched or cut:
 * - a pilot of 300 Hz: shows whether the pitch was kept
 * - a glide from 600 Hz up to 2600 Hz in ten seconds and down again in the next ten
 * - a step of 60 Hz every ten seconds, from 3000 Hz: identifies the ten seconds
 * The recording lasts up to EAR_TIME_TONE_LIMIT seconds. */
#define EAR_TIME_TONE_LIMIT 1000

/**
 * EarTimeToneReading:
 * @time: seconds, at the middle of the sound
 * @pitch: 1.0 as recorded, 2.0 an octave higher
 * @level: root mean square, full scale 1.0; silence is below 0.01
 *
 * A moment of sound.
 */
typedef struct
{
  double time;
  double pitch;
  double level;
} EarTimeToneReading;

/* Samples for a reading, at 44100 or 48000 Hz. */
#define EAR_TIME_TONE_WINDOW 2048

void     ear_time_tone_write (gint16             *samples,
                              gsize               n,
                              guint64             first,
                              guint               sample_rate);
gboolean ear_time_tone_read  (const float        *samples,
                              gsize               n,
                              guint               sample_rate,
                              EarTimeToneReading *reading);

G_END_DECLS
