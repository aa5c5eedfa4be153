/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-now.h"

#include "ear-address.h"
#include "ear-durable.h"
#include "ear-userdata-file.h"
#include "ear-time.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* now.json: the current episode and its position when it became the current one, or when
 * everything was last written. Unlike other state files it is not merged but replaced. */

/* Position of an episode that is not started, in seconds; replaces "position" */
#define UNSTARTED "unstarted"
#define UNSTARTED_LIMIT (24.0 * 60 * 60)

static EarMarks *
decode (JsonObject *root, gint64 now)
{
  const char *address = ear_json_get_string (root, "address", G_MAXSIZE);
  const char *guid = ear_json_get_string (root, "guid", EAR_USERDATA_NAME_LIMIT);
  EarEpisodeState state = { 0 };
  g_autoptr (GVariant) value = NULL;
  const double seconds = ear_json_get_number (json_object_get_member (root, UNSTARTED));

  state.position_updated = ear_entry_read (ear_entry_tables_find (EAR_USERDATA_KIND_PODCAST), root,
                                           NULL, EAR_MARK_POSITION, now, &value);
  if (value != NULL)
    state.position = g_variant_get_int64 (value);
  /* An episode that is not started has a position in this file only. */
  if (!json_object_has_member (root, "position") && seconds >= 0 && seconds <= UNSTARTED_LIMIT)
    state.position = (gint64) (seconds * G_TIME_SPAN_SECOND);
  if (!ear_address_is_web (address) || guid == NULL ||
      (state.position_updated == 0 && json_object_has_member (root, "position")))
    return NULL;

  return ear_marks_new_single (address, guid, &state);
}

/* Reads the episode played last.
 * Returns: (transfer full) (nullable): the episode and its position; %NULL without an
 * error if unknown */
EarMarks *
ear_userdata_now_read (EarUserdataFile *file, GError **error)
{
  g_autoptr (JsonObject) root = ear_userdata_file_read (file, error);

  return root != NULL ? decode (root, g_get_real_time ()) : NULL;
}

/* Replaces the file.
 * @marks: the current episode and its position
 * @replaced: (out) (transfer full) (nullable): the episode that was in the file, maybe of another
 * instance
 * Returns: %TRUE if it is on the disk */
gboolean
ear_userdata_now_write (EarUserdataFile *file, const EarMarks *marks, EarMarks **replaced,
                        GError **error)
{
  const EarEpisodeState *state = &marks->state;
  const EarMarkedEpisode *episode = ear_marks_get_episode (marks);
  g_autoptr (JsonObject) root = ear_userdata_file_open (file, error);

  if (root == NULL)
    return FALSE;
  *replaced = decode (root, g_get_real_time ());
  json_object_set_string_member (root, "address", ear_marks_get_podcast (marks)->address);
  json_object_set_string_member (root, "guid", episode->guid);
  /* For people who read the file */
  json_object_remove_member (root, "title");
  if (episode->title != NULL)
    json_object_set_string_member (root, "title", episode->title);
  json_object_remove_member (root, state->position_updated != 0 ? UNSTARTED : "position");
  if (state->position_updated != 0)
    {
      g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_int64 (state->position));

      ear_entry_put (ear_entry_tables_find (EAR_USERDATA_KIND_PODCAST), root, NULL,
                     EAR_MARK_POSITION, value, state->position_updated);
    }
  else
    json_object_set_double_member (root, UNSTARTED, (double) state->position / G_TIME_SPAN_SECOND);

  return ear_userdata_file_close (file, root, TRUE, error);
}

/*
 * The position line: the position while an episode plays. The line is written every second
 * without waiting for the disk, which outlives the program, and every few seconds it is
 * synced, which outlives a power cut. All lines have one length, and each overwrites the last
 * one: there is never a partial line. The line has the time, the position, and a digest of
 * both and the episode at its end: a digest, because an address may be a secret.
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
  g_autofree char *numbers =
      g_strdup_printf ("%016" G_GINT64_MODIFIER "x %016" G_GINT64_MODIFIER "x ", updated, position);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const guchar *) numbers, -1);
  g_checksum_update (checksum, (const guchar *) address, (gssize) strlen (address) + 1);
  g_checksum_update (checksum, (const guchar *) guid, -1);

  return g_strconcat (numbers, g_checksum_get_string (checksum), "\n", NULL);
}

/* Writes the line. After a failure, now.json gets the position a few seconds later, or
 * reports the error.
 * Returns: whether the line was written */
gboolean
ear_position_line_write (const char *path, const EarMarks *marks, gboolean sync)
{
  g_autofree char *line =
      dup_line (ear_marks_get_podcast (marks)->address, ear_marks_get_episode (marks)->guid,
                marks->state.position_updated, marks->state.position);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofd int file = -1;

  /* Before the first state file there is no folder. */
  g_mkdir_with_parents (folder, 0700);
  file = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);

  return file >= 0 && pwrite (file, line, LINE_LENGTH, 0) == LINE_LENGTH &&
         (!sync || (fdatasync (file) == 0 && ear_durable_sync (folder, NULL)));
}

/* Returns: (transfer full) (nullable): the position, if the line is of that episode */
EarMarks *
ear_position_line_read (const char *path, const char *address, const char *guid)
{
  g_autofd int file = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  char line[LINE_LENGTH + 1] = { 0 };
  g_autofree char *expected = NULL;
  EarEpisodeState state = { 0 };
  char *end;

  if (file < 0 || read (file, line, LINE_LENGTH) != LINE_LENGTH)
    return NULL;
  state.position_updated = (gint64) g_ascii_strtoull (line, &end, 16);
  state.position = (gint64) g_ascii_strtoull (end, NULL, 16);
  expected = dup_line (address, guid, state.position_updated, state.position);
  if (memcmp (line, expected, LINE_LENGTH) != 0 || state.position < 0 ||
      state.position > EAR_POSITION_LIMIT || state.position_updated <= 0 ||
      state.position_updated > ear_stamp_latest (g_get_real_time ()))
    return NULL;

  return ear_marks_new_single (address, guid, &state);
}
