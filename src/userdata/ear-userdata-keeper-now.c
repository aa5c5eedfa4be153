/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-keeper-private.h"

#include "ear-userdata-place.h"

#include <string.h>

/* The current episode and its position: now.json, the position line, and their transfer
 * to the podcast's file */

static const EarMarkedPodcast *
get_podcast (const EarMarks *marks)
{
  return g_ptr_array_index (marks->podcasts, 0);
}

static const char *
get_guid (const EarMarks *marks)
{
  return g_array_index (get_podcast (marks)->episodes, EarMarkedEpisode, 0).guid;
}

/* Merges the position from another machine's copy of now.json into the podcast's file.
 * Returns: %TRUE if the copy was set aside */
gboolean
ear_userdata_keeper_absorb_now (EarUserdataKeeper *self, const char *copy, GError **error)
{
  g_autoptr (EarUserdataFile) file = ear_userdata_file_new (self->folder, copy, EAR_USERDATA_KIND_NOW);
  g_autoptr (GError) local = NULL;
  g_autoptr (EarMarks) marks = ear_userdata_now_read (file, &local);
  g_autofree char *aside = NULL;
  EarUserdataDocument *document;
  int lock;

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (marks == NULL)
    return TRUE;
  ear_userdata_keeper_apply (self, marks);
  document = ear_userdata_keeper_ensure_document (self, get_podcast (marks)->address);
  if (ear_userdata_document_is_dirty (document) && !ear_userdata_document_write (document, error))
    return FALSE;
  lock = ear_json_folder_lock (self->folder, error);
  if (lock < 0)
    return FALSE;
  aside = ear_json_folder_set_aside (self->folder, copy, "merged", error);
  ear_json_folder_unlock (lock);

  return aside != NULL;
}

/* Queues a document that has to be written before now.json gets another episode. */
static void
leave (EarUserdataKeeper *self, const char *address)
{
  EarUserdataDocument *document = ear_userdata_keeper_ensure_document (self, address);

  if (!g_ptr_array_find (self->left, document, NULL))
    g_ptr_array_add (self->left, document);
}

/* Stores the current episode and position in memory until they are written to now.json.
 * The previous episode, if it is another one, will be written to its podcast's file.
 * @marks: the current episode and its position; without a stamp the episode is not
 * started, and its known position does not change */
void
ear_userdata_keeper_set_now (EarUserdataKeeper *self, EarMarks *marks)
{
  const EarMarkedPodcast *podcast = get_podcast (marks);
  EarUserdataDocument *document = ear_userdata_keeper_ensure_document (self, podcast->address);
  const EarEpisodeState *known;

  ear_userdata_keeper_notify_news (self, document);
  if (self->now != NULL &&
      (strcmp (get_guid (self->now), get_guid (marks)) != 0 || strcmp (get_podcast (self->now)->address, podcast->address) != 0))
    {
      ear_userdata_keeper_settle (self);
      leave (self, get_podcast (self->now)->address);
    }

  if (marks->state.position_updated != 0)
    ear_userdata_document_apply (document, marks, podcast,
                                 &g_array_index (podcast->episodes, EarMarkedEpisode, 0));
  known = ear_userdata_document_lookup (document, get_guid (marks));
  g_clear_pointer (&self->now, ear_marks_unref);
  self->now = ear_marks_ref (marks);
  self->now_state = known != NULL && marks->state.position_updated != 0 ? *known : marks->state;
  self->is_now_dirty = TRUE;
}

/* Writes the position line, at once and without waiting for the disk. Its stamp is later
 * than that of now.json, even if the clock was set back.
 * @marks: the current episode and its position */
void
ear_userdata_keeper_set_place (EarUserdataKeeper *self, EarMarks *marks)
{
  EarEpisodeState state = marks->state;

  if (self->now != NULL)
    state.position_updated = MAX (state.position_updated, self->now_state.position_updated + G_TIME_SPAN_MILLISECOND);
  ear_userdata_place_write (self->place_path, get_podcast (marks)->address, get_guid (marks), &state);
}

/* Applies the position line, which is newer than now.json after a crash. */
static void
apply_place (EarUserdataKeeper *self, const EarMarks *now)
{
  const EarMarkedPodcast *podcast = get_podcast (now);
  const EarMarkedEpisode episode = { .guid = get_guid (now) };
  g_autoptr (EarMarks) marks = NULL;
  EarEpisodeState state;

  if (!ear_userdata_place_read (self->place_path, podcast->address, episode.guid, &state))
    return;
  marks = ear_marks_new (&state, 0);
  ear_marks_add_podcast (marks, 0, podcast->address, NULL, NULL);
  ear_marks_add (marks, 0, 0, episode);
  ear_userdata_keeper_apply (self, marks);
}

/* Loads the last episode and its position: from now.json or, if that is newer, from the
 * position line or the podcast's file.
 * @reply: gets the address, the guid and the position */
void
ear_userdata_keeper_load_now (EarUserdataKeeper *self, EarUserdataEvent *reply)
{
  g_autoptr (EarMarks) marks = ear_userdata_now_read (self->now_file, &reply->error);
  const EarEpisodeState *known;

  if (marks == NULL)
    return;

  ear_userdata_keeper_apply (self, marks);
  apply_place (self, marks);
  reply->address = g_strdup (get_podcast (marks)->address);
  reply->guid = g_strdup (get_guid (marks));
  leave (self, reply->address);
  known = ear_userdata_document_lookup (ear_userdata_keeper_ensure_document (self, reply->address), reply->guid);
  reply->started = marks->state.position_updated != 0 || (known != NULL && known->position > 0);
  reply->position = known != NULL && reply->started ? known->position : marks->state.position;
}

/* Makes sure that the current position will be in the podcast's file, too. */
void
ear_userdata_keeper_settle (EarUserdataKeeper *self)
{
  if (self->now != NULL)
    ear_userdata_document_set_dirty (ear_userdata_keeper_ensure_document (self, get_podcast (self->now)->address));
}

static void
save_left (EarUserdataKeeper *self, GError **first)
{
  g_autoptr (EarMarks) found =
      ear_userdata_file_is_changed (self->now_file) ? ear_userdata_now_read (self->now_file, NULL) : NULL;

  if (found != NULL)
    {
      ear_userdata_keeper_apply (self, found);
      leave (self, get_podcast (found)->address);
    }
  for (guint i = self->left->len; i > 0; i--)
    {
      EarUserdataDocument *document = g_ptr_array_index (self->left, i - 1);

      if (ear_userdata_document_is_dirty (document) && !ear_userdata_document_write (document, *first == NULL ? first : NULL))
        continue;
      ear_userdata_keeper_notify_news (self, document);
      g_ptr_array_remove_index_fast (self->left, i - 1);
    }
}

/* Writes the current episode, unless now.json has it. First, in case of a kill in
 * between, writes the previous episode, and another instance's content of now.json, to
 * the podcasts' files.
 * Returns: %TRUE if all of that is on the disk */
gboolean
ear_userdata_keeper_write_now (EarUserdataKeeper *self, GError **error)
{
  g_autoptr (EarMarks) found = NULL;
  g_autoptr (GError) first = NULL;

  if (!self->is_now_dirty)
    return TRUE;
  save_left (self, &first);
  self->is_now_dirty =
      !ear_userdata_now_write (self->now_file, self->now, &self->now_state, &found, first == NULL ? &first : NULL);
  if (found != NULL)
    ear_userdata_keeper_apply (self, found);
  if (first == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}
