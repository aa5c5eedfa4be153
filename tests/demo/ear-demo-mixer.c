/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Mixes an episode of the demo podcast: ear-demo-mixer SCORE OUT.wav
 *
 * Each line of the score is one sound, with times in seconds:
 *
 *   length SECONDS              first line: the length of the episode
 *   speech START PAN FILE.wav   a sentence, mono; PAN from -1 (left) to 1
 *   bed START END               soft background music with fades
 *   sting START                 three notes between two chapters
 *
 * All of it is mixed with a little room noise. The result is 44.1 kHz stereo. */

#define RATE 44100
#define SPEECH_LEVEL 0.11 /* RMS of a voice while it speaks */

typedef struct
{
  gsize frames;
  float *left;
  float *right;
} Mix;

static void
mix_clear (Mix *mix)
{
  g_free (mix->left);
  g_free (mix->right);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Mix, mix_clear)

static void
add_sample (Mix   *mix,
            gssize frame,
            double sample,
            double pan)
{
  double angle = (pan + 1) * G_PI / 4;

  if (frame < 0 || (gsize) frame >= mix->frames)
    return;

  mix->left[frame] += (float) (sample * cos (angle) * G_SQRT2);
  mix->right[frame] += (float) (sample * sin (angle) * G_SQRT2);
}

static guint32
read_le32 (const guint8 *p)
{
  return p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 | (guint32) p[3] << 24;
}

/* Loads 16 bit mono, the output of espeak-ng. */
static float *
load_wav (const char *path,
          gsize      *frames,
          guint      *rate,
          GError    **error)
{
  g_autofree char *contents = NULL;
  const guint8 *p, *end;
  gsize size;
  float *samples;

  if (!g_file_get_contents (path, &contents, &size, error))
    return NULL;

  p = (const guint8 *) contents + 12;
  end = (const guint8 *) contents + size;
  *rate = 0;
  while (p + 8 <= end && memcmp (p, "data", 4) != 0)
    {
      if (memcmp (p, "fmt ", 4) == 0 && p + 24 <= end)
        *rate = read_le32 (p + 12);
      p += 8 + MIN (read_le32 (p + 4), size);
    }
  if (p + 8 > end || *rate == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: not a WAV file", path);
      return NULL;
    }

  p += 8;
  *frames = (end - p) / 2;
  samples = g_new (float, *frames + 1);
  for (gsize i = 0; i < *frames; i++)
    samples[i] = (gint16) (p[2 * i] | p[2 * i + 1] << 8) / 32768.0f;

  return samples;
}

/* Returns: the level without pauses */
static double
measure_level (const float *samples,
               gsize        frames)
{
  double sum = 0;
  gsize count = 1;

  for (gsize i = 0; i < frames; i++)
    if (fabsf (samples[i]) > 0.01f)
      {
        sum += samples[i] * samples[i];
        count++;
      }

  return sqrt (sum / count) + 1e-6;
}

/* Catmull-Rom interpolation through four samples */
static double
interpolate (const float *samples,
             gsize        frames,
             double       position)
{
  gssize i = (gssize) position;
  double t = position - i;
  double p0 = samples[MAX (i - 1, 0)];
  double p1 = samples[i];
  double p2 = (gsize) i + 1 < frames ? samples[i + 1] : 0;
  double p3 = (gsize) i + 2 < frames ? samples[i + 2] : 0;

  return p1 + 0.5 * t * (p2 - p0 + t * (2 * p0 - 5 * p1 + 4 * p2 - p3 + t * (3 * (p1 - p2) + p3 - p0)));
}

/* Adds a few early reflections, so that the dry voice sounds as in a room. */
static void
add_speech_sample (Mix   *mix,
                   gssize frame,
                   double sample,
                   double pan)
{
  static const struct
  {
    int delay;
    double gain;
    double pan;
  } reflections[] = {
    { 487, 0.16, -0.8 }, { 743, 0.13, 0.9 }, { 1381, 0.08, -0.5 }, { 1993, 0.06, 0.6 }, { 2927, 0.04, 0.0 },
  };

  add_sample (mix, frame, sample, pan);
  for (guint i = 0; i < G_N_ELEMENTS (reflections); i++)
    add_sample (mix, frame + reflections[i].delay, sample * reflections[i].gain, reflections[i].pan);
}

static gboolean
add_speech (Mix        *mix,
            double      start,
            double      pan,
            const char *path,
            GError    **error)
{
  gsize frames, length;
  guint rate;
  g_autofree float *samples = load_wav (path, &frames, &rate, error);
  double gain, low = 0;

  if (samples == NULL)
    return FALSE;

  gain = SPEECH_LEVEL / measure_level (samples, frames);
  length = (gsize) ((double) frames * RATE / rate);
  for (gsize i = 0; i < length; i++)
    {
      double sample = interpolate (samples, frames, (double) i * rate / RATE) * gain;

      /* Low-pass and soft clipping make the synthetic voice less harsh. */
      low += 0.62 * (sample - low);
      add_speech_sample (mix, (gssize) (start * RATE) + i, tanh (low * 1.6) / 1.4, pan);
    }

  return TRUE;
}

static double
note_frequency (int note)
{
  return 440.0 * pow (2, (note - 69) / 12.0);
}

/* Adds a plucked note: a few partials, of which the higher ones decay faster. */
static void
add_pluck (Mix   *mix,
           double start,
           int    note,
           double gain,
           double pan)
{
  double frequency = note_frequency (note);

  for (gsize i = 0; i < RATE * 5 / 2; i++)
    {
      double time = (double) i / RATE;
      double sample = 0;

      for (int partial = 1; partial <= 4; partial++)
        sample += exp (-time * (1.8 + 1.7 * partial)) * sin (2 * G_PI * frequency * partial * time) / (partial * partial);
      sample *= MIN (1, time * 300) * MIN (1, (2.5 - time) * 10);
      add_sample (mix, (gssize) (start * RATE) + i, sample * gain, pan);
    }
}

/* Returns: the gain of the music: loud alone, quiet under the voices from 3.5 s on, 0 at
 *   the end */
static double
bed_level (double time,
           double length)
{
  double level = 1 - 0.72 * CLAMP ((time - 3) / 1.2, 0, 1);

  level *= MIN (1, time / 0.6);
  return level * CLAMP ((length - time) / 4, 0, 1);
}

static void
add_pad (Mix   *mix,
         double start,
         double from,
         double to,
         int    note,
         double length)
{
  double frequency = note_frequency (note);

  for (gsize i = (gsize) (from * RATE); i < (gsize) (to * RATE); i++)
    {
      double time = (double) i / RATE;
      double swell = MIN (1, (time - from) / 0.9) * MIN (1, (to - time) / 0.9);
      double slow = 1 + 0.1 * sin (2 * G_PI * 0.4 * time);
      double level = 0.016 * swell * slow * bed_level (time, length);
      gssize frame = (gssize) (start * RATE) + i;

      add_sample (mix, frame, level * sin (2 * G_PI * frequency * 0.9985 * time), -0.7);
      add_sample (mix, frame, level * sin (2 * G_PI * frequency * 1.0015 * time), 0.7);
      add_sample (mix, frame, 0.4 * level * sin (4 * G_PI * frequency * time), 0);
    }
}

static void
add_bed (Mix   *mix,
         double start,
         double end)
{
  static const int chords[][4] = {
    { 53, 60, 64, 69 }, { 50, 57, 65, 72 }, { 55, 59, 62, 71 }, { 48, 55, 64, 67 },
  };
  const double bar = 2.8;
  double length = end - start;

  for (guint number = 0; number * bar < length; number++)
    {
      const int *chord = chords[number % G_N_ELEMENTS (chords)];
      double from = number * bar;

      for (guint voice = 0; voice < 4; voice++)
        add_pad (mix, start, MAX (0, from - 0.4), MIN (length, from + bar + 0.5), chord[voice], length);
      for (guint beat = 0; beat < 8; beat++)
        {
          double time = from + beat * bar / 8;

          if (time < length)
            add_pluck (mix, start + time, chord[(beat * 3) % 4] + 12, 0.05 * bed_level (time, length),
                       beat % 2 == 0 ? -0.4 : 0.4);
        }
    }
}

static void
add_sting (Mix   *mix,
           double start)
{
  add_pluck (mix, start, 72, 0.05, -0.3);
  add_pluck (mix, start + 0.16, 76, 0.05, 0.3);
  add_pluck (mix, start + 0.32, 79, 0.06, 0);
}

/* Adds dull, quiet noise of about -58 dB, the same in every build. */
static void
add_room_noise (Mix *mix)
{
  guint32 state = 20260302;
  double low[2] = { 0, 0 };

  for (gsize i = 0; i < mix->frames; i++)
    for (guint channel = 0; channel < 2; channel++)
      {
        state = state * 1664525 + 1013904223;
        low[channel] += 0.06 * ((gint32) state / 2147483648.0 - low[channel]);
        (channel == 0 ? mix->left : mix->right)[i] += (float) (low[channel] * 0.0125);
      }
}

static void
put_le (GByteArray *wav,
        guint32     value,
        guint       bytes)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (wav, (const guint8 *) &value, bytes);
}

static gboolean
write_wav (Mix        *mix,
           const char *path,
           GError    **error)
{
  guint32 size = (guint32) mix->frames * 4;
  g_autoptr (GByteArray) wav = g_byte_array_sized_new (44 + size);

  g_byte_array_append (wav, (const guint8 *) "RIFF", 4);
  put_le (wav, 36 + size, 4);
  g_byte_array_append (wav, (const guint8 *) "WAVEfmt ", 8);
  put_le (wav, 16, 4);
  put_le (wav, 1, 2);
  put_le (wav, 2, 2);
  put_le (wav, RATE, 4);
  put_le (wav, RATE * 4, 4);
  put_le (wav, 4, 2);
  put_le (wav, 16, 2);
  g_byte_array_append (wav, (const guint8 *) "data", 4);
  put_le (wav, size, 4);
  for (gsize i = 0; i < mix->frames; i++)
    {
      put_le (wav, (guint32) (gint32) (CLAMP (mix->left[i], -0.99f, 0.99f) * 32767), 2);
      put_le (wav, (guint32) (gint32) (CLAMP (mix->right[i], -0.99f, 0.99f) * 32767), 2);
    }

  return g_file_set_contents (path, (const char *) wav->data, wav->len, error);
}

static gboolean
play_line (Mix        *mix,
           const char *line,
           GError    **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 4);
  guint count = g_strv_length (words);
  double start = count > 1 ? g_ascii_strtod (words[1], NULL) : 0;

  if (count == 4 && g_str_equal (words[0], "speech"))
    return add_speech (mix, start, g_ascii_strtod (words[2], NULL), words[3], error);
  if (count == 3 && g_str_equal (words[0], "bed"))
    add_bed (mix, start, g_ascii_strtod (words[2], NULL));
  else if (count == 2 && g_str_equal (words[0], "sting"))
    add_sting (mix, start);
  else
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "not understood: %s", line);
      return FALSE;
    }

  return TRUE;
}

static gboolean
play_score (const char *score,
            const char *output,
            GError    **error)
{
  g_auto (Mix) mix = { 0 };
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  double length;

  if (!g_file_get_contents (score, &text, NULL, error))
    return FALSE;

  lines = g_strsplit (g_strchomp (text), "\n", -1);
  length = g_str_has_prefix (text, "length ") ? g_ascii_strtod (text + strlen ("length "), NULL) : 0;
  if (!(length > 0 && length < 3600))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: the first line has to say the length", score);
      return FALSE;
    }

  mix.frames = (gsize) (length * RATE);
  mix.left = g_new0 (float, mix.frames);
  mix.right = g_new0 (float, mix.frames);
  add_room_noise (&mix);
  for (guint i = 1; lines[i] != NULL; i++)
    if (!play_line (&mix, lines[i], error))
      return FALSE;

  return write_wav (&mix, output, error);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc != 3)
    {
      g_printerr ("usage: ear-demo-mixer SCORE OUT.wav\n");
      return 2;
    }
  if (!play_score (argv[1], argv[2], &error))
    {
      g_printerr ("ear-demo-mixer: %s\n", error->message);
      return 1;
    }

  return 0;
}
