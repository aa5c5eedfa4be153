/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-now.h"

#include "ear-address.h"

/* now.json: the current episode and its position. Written every few seconds during
 * playback, so it is small and separate from the podcast's file, which may be long.
 * Unlike other state files it is not merged but replaced, and another instance's content
 * is returned to the caller. */

/* The title is for people who read the file; the podcast's file has the whole title. */
#define TITLE_LENGTH 100

/* Position of an episode that is not started, in seconds; replaces "position" */
#define UNSTARTED "unstarted"
#define UNSTARTED_LIMIT (24.0 * 60 * 60)

typedef struct
{
  const EarMarks *marks; /* the current episode */
  const EarEpisodeState *state; /* its position */
  EarMarks *found;       /* (nullable): content of the replaced file */
} Replacement;

static EarMarks *
decode (JsonObject *root, gint64 now)
{
  const char *address = ear_json_get_string (root, "address", G_MAXSIZE);
  const char *title = ear_json_get_string (root, "title", EAR_USERDATA_TITLE_LIMIT);
  EarMarkedEpisode episode = { .guid = ear_json_get_string (root, "guid", EAR_USERDATA_GUID_LIMIT) };
  EarEpisodeState state = { 0 };
  double seconds;
  EarMarks *marks;

  state.position_updated = ear_userdata_shape_get_position (root, "position", now, &state.position);
  /* An episode that is not started has a position in this file only. */
  if (!json_object_has_member (root, "position") &&
      ear_json_get_number (json_object_get_member (root, UNSTARTED), &seconds) &&
      seconds >= 0 && seconds <= UNSTARTED_LIMIT)
    state.position = (gint64) (seconds * G_TIME_SPAN_SECOND);
  if (!ear_address_is_web (address) || episode.guid == NULL ||
      (state.position_updated == 0 && json_object_has_member (root, "position")))
    return NULL;
  /* A truncated title must not replace the whole one. */
  if (title != NULL && g_utf8_strlen (title, -1) < TITLE_LENGTH)
    episode.title = title;
  marks = ear_marks_new (&state, 0);
  ear_marks_add_podcast (marks, 0, address, NULL, NULL);
  ear_marks_add (marks, 0, 0, episode);

  return marks;
}

/* Removes the member if there is no value: the old one may be another episode's. */
static void
put_string (JsonObject *root, const char *name, const char *value)
{
  if (value != NULL)
    json_object_set_string_member (root, name, value);
  else if (json_object_has_member (root, name))
    json_object_remove_member (root, name);
}

static gboolean
replace (JsonObject *root, gpointer user_data)
{
  Replacement *self = user_data;
  const EarMarkedPodcast *podcast = g_ptr_array_index (self->marks->podcasts, 0);
  const EarMarkedEpisode *episode = &g_array_index (podcast->episodes, EarMarkedEpisode, 0);
  g_autofree char *title = episode->title != NULL ? g_utf8_truncate_middle (episode->title, TITLE_LENGTH) : NULL;

  self->found = decode (root, g_get_real_time ());
  put_string (root, "address", podcast->address);
  put_string (root, "guid", episode->guid);
  put_string (root, "title", title);
  json_object_remove_member (root, self->state->position_updated != 0 ? UNSTARTED : "position");
  if (self->state->position_updated != 0)
    ear_userdata_shape_set_position (root, "position", self->state->position,
                                     self->state->position_updated);
  else
    json_object_set_double_member (root, UNSTARTED,
                                   (double) self->state->position / G_TIME_SPAN_SECOND);

  return TRUE;
}

/* Reads the episode played last.
 * @file: now.json, or a copy of it
 * Returns: (transfer full) (nullable): the episode and its position; %NULL without an
 * error if unknown */
EarMarks *
ear_userdata_now_read (EarUserdataFile *file, GError **error)
{
  g_autoptr (JsonObject) root = ear_userdata_file_read (file, error);

  return root != NULL ? decode (root, g_get_real_time ()) : NULL;
}

/* Replaces the file.
 * @marks: the current episode
 * @state: its position
 * @found: (out) (transfer full) (nullable): content that another instance
 * wrote in between
 * Returns: %TRUE if it is on the disk */
gboolean
ear_userdata_now_write (EarUserdataFile *file, const EarMarks *marks, const EarEpisodeState *state,
                        EarMarks **found, GError **error)
{
  const gboolean foreign = ear_userdata_file_is_changed (file);
  Replacement replacement = { .marks = marks, .state = state };
  const gboolean ok = ear_userdata_file_update (file, replace, &replacement, error);

  if (!ok || !foreign)
    g_clear_pointer (&replacement.found, ear_marks_unref);
  *found = replacement.found;

  return ok;
}
