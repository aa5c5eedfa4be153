/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-place.h"

#include "ear-stamp.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/*
 * The position line: the current position, in case the program is killed between two
 * writes of now.json. The line is written every second and never waits for the disk, so
 * that it outlives the program but not a power cut. All lines have one length, and each
 * overwrites the last one: there is never a partial line. The line has the time, the
 * position, and a digest of both and the episode at its end: a digest, because an address
 * may be a secret.
 *
 * The file lies beside the folder of the state files, not in it: several machines may
 * share that folder, each with its own position.
 */

#define NUMBERS_LENGTH 34 /* two numbers of 16 digits, and a space after each */
#define DIGEST_LENGTH 64
#define LINE_LENGTH (NUMBERS_LENGTH + DIGEST_LENGTH + 1)

/* Returns the line for an episode. A line read from the file is valid only if it equals
 * the line for that episode. */
static char *
dup_line (const char *address, const char *guid, gint64 updated, gint64 position)
{
  g_autofree char *numbers = g_strdup_printf ("%016" G_GINT64_MODIFIER "x %016" G_GINT64_MODIFIER "x ", updated, position);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const guchar *) numbers, -1);
  g_checksum_update (checksum, (const guchar *) address, (gssize) strlen (address) + 1);
  g_checksum_update (checksum, (const guchar *) guid, -1);

  return g_strconcat (numbers, g_checksum_get_string (checksum), "\n", NULL);
}

/* @directory: folder of the state files */
char *
ear_userdata_place_dup_path (const char *directory)
{
  return g_strconcat (directory, ".place", NULL);
}

/* Opens the file; creates its folder if it is the listener's first file. */
static int
open_line (const char *path)
{
  const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  g_autofree char *folder = NULL;
  const int file = open (path, flags, 0600);

  if (file >= 0 || errno != ENOENT)
    return file;

  folder = g_path_get_dirname (path);

  return g_mkdir_with_parents (folder, 0700) == 0 ? open (path, flags, 0600) : -1;
}

/* Writes the line. After a failure, now.json has the position a few seconds later, or
 * reports the error.
 * @address: the first address of the podcast */
void
ear_userdata_place_write (const char *path, const char *address, const char *guid,
                          const EarEpisodeState *state)
{
  g_autofree char *line = dup_line (address, guid, state->position_updated, state->position);
  const int file = open_line (path);

  if (file < 0)
    return;
  if (pwrite (file, line, LINE_LENGTH, 0) != LINE_LENGTH)
    g_debug ("the place cannot be written");
  close (file);
}

static gboolean
read_line (const char *path, char line[LINE_LENGTH + 1])
{
  const int file = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  gssize length;

  if (file < 0)
    return FALSE;
  length = read (file, line, LINE_LENGTH);
  close (file);
  line[LINE_LENGTH] = '\0';

  return length == LINE_LENGTH;
}

/* Reads the position, if it is that episode's.
 * @state: (out caller-allocates): the position and its stamp
 * Returns: %TRUE if it is known */
gboolean
ear_userdata_place_read (const char *path, const char *address, const char *guid,
                         EarEpisodeState *state)
{
  char line[LINE_LENGTH + 1];
  g_autofree char *expected = NULL;
  char *end;

  *state = (EarEpisodeState) { 0 };
  if (!read_line (path, line))
    return FALSE;
  state->position_updated = (gint64) g_ascii_strtoull (line, &end, 16);
  state->position = (gint64) g_ascii_strtoull (end, NULL, 16);
  expected = dup_line (address, guid, state->position_updated, state->position);

  return memcmp (line, expected, LINE_LENGTH) == 0 && state->position >= 0 && state->position <= EAR_POSITION_LIMIT &&
         state->position_updated > 0 && state->position_updated <= ear_stamp_latest (g_get_real_time ());
}
