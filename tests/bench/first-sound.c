/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Detects when a program's sound starts: preloaded (LD_PRELOAD) into Earmark and into
 * gst-play-1.0, it wraps libpulse for GStreamer's pulsesink. For each stream that starts,
 * or continues after a pause, it appends a line to the file named by EARMARK_BENCH_SOUND:
 * the monotonic microseconds at which the sound server had the first sample that is not
 * silence and could play it. */

#define START_CORKED 1

/* Declarations of libpulse, whose headers are not needed otherwise. */
typedef struct pa_stream pa_stream;
typedef struct pa_operation pa_operation;
typedef void (*pa_free_cb_t) (void *data);
typedef void (*pa_stream_success_cb_t) (pa_stream *stream, int success, void *user_data);

int           pa_stream_connect_playback (pa_stream *stream, const char *device, const void *attributes, int flags,
                                          const void *volume, pa_stream *sync_stream);
pa_operation *pa_stream_cork             (pa_stream *stream, int corked, pa_stream_success_cb_t callback, void *user_data);
int           pa_stream_write            (pa_stream *stream, const void *data, size_t size, pa_free_cb_t free_data,
                                          gint64 offset, int seek);

static struct
{
  int file;
  pa_stream *stream; /* last stream started */
  gboolean corked;
  gboolean filled;   /* the server has sound */
  gboolean told;
} sound = { .file = -1 };

G_LOCK_DEFINE_STATIC (sound);

static gpointer
find_function (const char *name)
{
  /* GStreamer has loaded libpulse only for its plugin, so RTLD_NEXT does not find it. */
  gpointer library = dlopen ("libpulse.so.0", RTLD_LAZY | RTLD_NOLOAD);

  return library != NULL ? dlsym (library, name) : NULL;
}

static void
tell_if_heard (void)
{
  char line[32];
  int length;

  if (sound.file < 0 || sound.told || sound.corked || !sound.filled)
    return;

  sound.told = TRUE;
  length = snprintf (line, sizeof line, "%" G_GINT64_FORMAT "\n", g_get_monotonic_time ());
  if (write (sound.file, line, (size_t) length) != length)
    sound.file = -1;
}

static gboolean
is_silence (const char *data, size_t size)
{
  return size == 0 || (data[0] == 0 && memcmp (data, data + 1, size - 1) == 0);
}

int
pa_stream_connect_playback (pa_stream *stream, const char *device, const void *attributes, int flags, const void *volume,
                            pa_stream *sync_stream)
{
  int (*connect_playback) (pa_stream *, const char *, const void *, int, const void *, pa_stream *) =
      (int (*) (pa_stream *, const char *, const void *, int, const void *, pa_stream *)) find_function (__func__);

  G_LOCK (sound);
  sound.stream = stream;
  sound.corked = (flags & START_CORKED) != 0;
  sound.filled = sound.told = FALSE;
  G_UNLOCK (sound);

  return connect_playback (stream, device, attributes, flags, volume, sync_stream);
}

pa_operation *
pa_stream_cork (pa_stream *stream, int corked, pa_stream_success_cb_t callback, void *user_data)
{
  pa_operation *(*cork) (pa_stream *, int, pa_stream_success_cb_t, void *) =
      (pa_operation *(*) (pa_stream *, int, pa_stream_success_cb_t, void *)) find_function (__func__);
  pa_operation *operation = cork (stream, corked, callback, user_data);

  G_LOCK (sound);
  if (stream == sound.stream)
    {
      sound.corked = corked != 0;
      if (sound.corked)
        sound.told = FALSE;
      tell_if_heard ();
    }
  G_UNLOCK (sound);

  return operation;
}

int
pa_stream_write (pa_stream *stream, const void *data, size_t size, pa_free_cb_t free_data, gint64 offset, int seek)
{
  static int (*write_sound) (pa_stream *, const void *, size_t, pa_free_cb_t, gint64, int);
  const gboolean silence = is_silence (data, size);
  int code;

  if (write_sound == NULL)
    write_sound = (int (*) (pa_stream *, const void *, size_t, pa_free_cb_t, gint64, int)) find_function (__func__);
  code = write_sound (stream, data, size, free_data, offset, seek);

  G_LOCK (sound);
  if (stream == sound.stream && !silence)
    {
      sound.filled = TRUE;
      tell_if_heard ();
    }
  G_UNLOCK (sound);

  return code;
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *path = g_getenv ("EARMARK_BENCH_SOUND");

  if (path != NULL)
    sound.file = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}
