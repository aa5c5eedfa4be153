/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Sound that tells its own time. Three tones at once, whose frequencies say where in the
 * recording a moment belongs, however it was coded, stretched or cut out:
 *   - a pilot of 300 Hz: tells whether the pitch was kept
 *   - a glide, 600 Hz up to 2600 Hz in ten seconds and down again in the next ten
 *   - a step of 60 Hz every ten seconds, from 3000 Hz on: which ten seconds
 * It lasts up to EAR_TIME_TONE_LIMIT seconds.
 */
#define EAR_TIME_TONE_LIMIT 1000

/**
 * EarTimeToneReading:
 * @time: seconds, of the middle of what was heard
 * @pitch: 1.0 where the pitch is as recorded, 2.0 an octave higher
 * @level: root mean square, full scale 1.0; silence is below 0.01
 *
 * What was heard.
 */
typedef struct
{
  double time;
  double pitch;
  double level;
} EarTimeToneReading;

/* As many samples are enough for a reading, at 44100 or 48000 Hz. */
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
