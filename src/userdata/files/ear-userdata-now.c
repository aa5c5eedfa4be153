/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-now.h"

#include "ear-address.h"

/*
 * now.json: what is being played, and where. Saved every few seconds while playing, so it is kept
 * small and apart from the podcast's file, which may be long. It is one thing: unlike the other
 * files it is not merged but replaced, and what another one had left there is handed out.
 */

/* For people who look into the file; the whole title is in the podcast's. */
#define TITLE_LENGTH 100

/* Seconds, in place of "position": where an episode that is not started was left. */
#define UNSTARTED "unstarted"
#define UNSTARTED_LIMIT (24.0 * 60 * 60)

typedef struct
{
  const EarMarks *marks; /* what is played here, one episode */
  const EarEpisodeState *state; /* where it is */
  EarMarks *found;       /* (nullable): what the file had */
} Replacement;

static EarMarks *
decode (JsonObject *root, gint64 now)
{
  const char *address = ear_userdata_shape_get_string (root, "address", G_MAXSIZE);
  const char *title = ear_userdata_shape_get_string (root, "title", EAR_USERDATA_TITLE_LIMIT);
  EarMarkedEpisode episode = { .guid = ear_userdata_shape_get_string (root, "guid", EAR_USERDATA_GUID_LIMIT) };
  EarEpisodeState state = { 0 };
  double seconds;
  EarMarks *marks;

  state.position_updated = ear_userdata_shape_get_position (root, "position", now, &state.position);
  /* An episode that is not started has a position in this file only. */
  if (!json_object_has_member (root, "position") &&
      ear_userdata_shape_get_number (json_object_get_member (root, UNSTARTED), &seconds) &&
      seconds >= 0 && seconds <= UNSTARTED_LIMIT)
    state.position = (gint64) (seconds * G_TIME_SPAN_SECOND);
  if (!ear_address_is_web (address) || episode.guid == NULL ||
      (state.position_updated == 0 && json_object_has_member (root, "position")))
    return NULL;
  /* A title that was cut must not replace the whole one. */
  if (title != NULL && g_utf8_strlen (title, -1) < TITLE_LENGTH)
    episode.title = title;
  marks = ear_marks_new (&state, 0);
  ear_marks_add_podcast (marks, 0, address, NULL, NULL);
  ear_marks_add (marks, 0, 0, episode);

  return marks;
}

/* The names that were there are those of another episode, perhaps. */
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

/* Reads what was played last.
 * @file: now.json, or a copy of it
 * Returns: (transfer full) (nullable): what and where; %NULL without an error when that is not known */
EarMarks *
ear_userdata_now_read (EarUserdataFile *file, GError **error)
{
  g_autoptr (JsonObject) root = ear_userdata_file_read (file, error);

  return root != NULL ? decode (root, g_get_real_time ()) : NULL;
}

/* Replaces the file.
 * @marks: what is played
 * @state: where
 * @found: (out) (transfer full) (nullable): what another one had written there in between
 * Returns: %TRUE if it is on the disk */
gboolean
ear_userdata_now_write (EarUserdataFile *file, const EarMarks *marks, const EarEpisodeState *state, EarMarks **found,
                        GError **error)
{
  const gboolean foreign = ear_userdata_file_is_changed (file);
  Replacement replacement = { .marks = marks, .state = state };
  const gboolean ok = ear_userdata_file_update (file, replace, &replacement, error);

  if (!ok || !foreign)
    g_clear_pointer (&replacement.found, ear_marks_unref);
  *found = replacement.found;

  return ok;
}
