/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: following, reading, playing. */

#include "ear-library-private.h"

#include "ear-address.h"
#include "ear-notes-loader.h"

#include <glib/gi18n-lib.h>

/* An episode that stopped this near to its end starts at the beginning the next time. */
#define END_ZONE (5 * G_USEC_PER_SEC)

/**
 * ear_library_follow:
 * @self: the library
 * @address: what was typed, pasted or handed over: see [func@ear_address_clean]
 * @title: (nullable): what to call the podcast until its feed has come
 *
 * Follows a podcast and begins to fetch it.
 *
 * Returns: (transfer none) (nullable): the podcast; %NULL if that is no web address
 */
EarPodcast *
ear_library_follow (EarLibrary *self, const char *address, const char *title)
{
  g_autofree char *clean = NULL;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  clean = ear_address_clean (address);
  if (clean == NULL)
    return NULL;

  return ear_subscriptions_follow (self->subscriptions, clean, title);
}

typedef struct
{
  EarLibrary *library;
  EarPodcast *podcast;
} Added;

static void
added_free (gpointer data)
{
  Added *added = data;

  g_object_unref (added->library);
  g_object_unref (added->podcast);
  g_free (added);
}

static void
take_adding_back (gpointer user_data)
{
  Added *added = user_data;

  if (added->library->subscriptions != NULL && ear_podcast_get_followed (added->podcast))
    ear_subscriptions_unfollow (added->library->subscriptions, added->podcast);
}

/**
 * ear_library_add:
 * @self: the library
 * @address: as for [method@EarLibrary.follow]
 * @title: (nullable): what to call the podcast until its feed has come
 *
 * Follows a podcast for somebody who does not see the window, such as another program: what
 * happened is told there, and can be taken back.
 *
 * Returns: (transfer none) (nullable): the podcast, also if it was followed already
 */
EarPodcast *
ear_library_add (EarLibrary *self, const char *address, const char *title)
{
  g_autofree char *clean = NULL;
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;
  EarPodcast *podcast;
  Added *added;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  clean = ear_address_clean (address);
  podcast = clean != NULL ? ear_library_find_podcast (self, clean) : NULL;
  if (podcast != NULL)
    return podcast;
  podcast = ear_library_follow (self, address, title);
  if (podcast == NULL)
    return NULL;

  added = g_new0 (Added, 1);
  added->library = g_object_ref (self);
  added->podcast = g_object_ref (podcast);
  /* Translators: %s is the title of a podcast */
  message = g_strdup_printf (_("Followed “%s”"), title != NULL ? title : _("a podcast"));
  undo = ear_undo_new (message, take_adding_back, added, added_free);
  ear_notices_offer_undo (self->notices, undo);

  return podcast;
}

/**
 * ear_library_create_list:
 * @self: the library
 * @query: which episodes, in which order
 *
 * Returns: (transfer full): a list that keeps itself up to date
 */
EarEpisodeList *
ear_library_create_list (EarLibrary *self, const EarEpisodeQuery *query)
{
  EarEpisodeList *list;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  list = ear_episode_list_new (self->catalogue);
  ear_episode_list_set_query (list, query);

  return list;
}

/**
 * ear_library_load_notes_async:
 * @self: the library
 * @episode: the episode
 * @cancellable: (nullable): a cancellable
 * @callback: called when the notes are there
 * @user_data: data of the caller
 *
 * Reads and parses the show notes of an episode, both on worker threads.
 */
void
ear_library_load_notes_async (EarLibrary *self, EarEpisode *episode, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  ear_notes_load_async (self, self->catalogue, episode, cancellable, callback, user_data);
}

/**
 * ear_library_load_description_async:
 * @self: the library
 * @podcast: the podcast
 * @cancellable: (nullable): a cancellable
 * @callback: called when the description is there
 * @user_data: data of the caller
 *
 * Parses the description of a podcast on a worker thread. Finished by
 * [method@EarLibrary.load_notes_finish].
 */
void
ear_library_load_description_async (EarLibrary *self, EarPodcast *podcast, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  ear_notes_parse_async (self, ear_podcast_get_facts (podcast)->description, ear_podcast_get_feed_address (podcast),
                         cancellable, callback, user_data);
}

/**
 * ear_library_load_notes_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the notes, without a block where there are none
 */
EarNotes *
ear_library_load_notes_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  return ear_notes_load_finish (result, error);
}

static void
snippet_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  EarSnippet *snippet = ear_catalogue_load_snippet_finish (EAR_CATALOGUE (source), result, &error);

  if (snippet != NULL)
    g_task_return_pointer (task, snippet, (GDestroyNotify) ear_snippet_free);
  else
    g_task_return_error (task, error);
}

/**
 * ear_library_load_snippet_async:
 * @self: the library
 * @episode: an episode that a search has found
 * @search: the words
 * @cancellable: (nullable): a cancellable
 * @callback: called when the snippet is there
 * @user_data: data of the caller
 *
 * Finds out where the words of a search are in an episode, on a thread of the catalogue.
 */
void
ear_library_load_snippet_async (EarLibrary *self, EarEpisode *episode, const char *search, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
  g_return_if_fail (search != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_library_load_snippet_async);
  ear_catalogue_load_snippet_async (self->catalogue, episode, search, cancellable, snippet_loaded_cb, task);
}

/**
 * ear_library_load_snippet_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full): where the words are, or %NULL
 */
EarSnippet *
ear_library_load_snippet_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
found_in_notes_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GArray *marks = ear_catalogue_find_in_notes_finish (EAR_CATALOGUE (source), result, &error);

  if (marks != NULL)
    g_task_return_pointer (task, marks, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

/**
 * ear_library_find_in_notes_async:
 * @self: the library
 * @notes: show notes
 * @search: the words of a search
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is known
 * @user_data: data of the caller
 *
 * Finds out where the words are in notes, on a thread of the catalogue.
 */
void
ear_library_find_in_notes_async (EarLibrary *self, EarNotes *notes, const char *search, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (search != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_library_find_in_notes_async);
  ear_catalogue_find_in_notes_async (self->catalogue, notes, search, cancellable, found_in_notes_cb, task);
}

/**
 * ear_library_find_in_notes_finish:
 * @self: the library
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (element-type EarNotesMark): where the words are, block by block, or %NULL
 */
GArray *
ear_library_find_in_notes_finish (EarLibrary *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Where an episode was chosen on no list, in a notification say, what follows is its podcast's, in the order that the
 * listener has it in. */
static void
set_order (EarLibrary *self, EarEpisode *episode, EarEpisodeList *list)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  g_autoptr (EarEpisodeQuery) query = NULL;
  g_autoptr (EarEpisodeList) own = NULL;

  if (list == NULL)
    {
      query = ear_episode_query_new (ear_podcast_get_id (podcast), EAR_FILTER_ALL,
                                     ear_episode_sort_from_name (ear_podcast_get_sort (podcast)), NULL);
      list = own = ear_library_create_list (self, query);
    }
  ear_play_order_set (self->order, list, episode);
}

static void
open_episode (EarLibrary *self, EarEpisode *episode, EarEpisodeList *list, gint64 position)
{
  /* The library is being closed: nobody would keep the place. */
  if (!ear_history_is_open (self->history))
    return;
  ear_history_save_position (self->history);
  g_clear_pointer (&self->last_guid, g_free);
  set_order (self, episode, list);
  if (ear_player_get_episode (self->player) != episode)
    ear_library_open_media (self, episode, position);
  else
    ear_player_seek (self->player, position);
  ear_player_play (self->player);
}

static gint64
get_resume_position (EarEpisode *episode)
{
  gint64 position = ear_episode_get_position (episode);
  gint64 duration = ear_episode_get_duration (episode);

  return duration > 0 && position > duration - END_ZONE ? 0 : position;
}

/**
 * ear_library_play:
 * @self: the library
 * @episode: the episode to play
 * @list: (nullable): the list it was chosen from: next and previous follow it
 *
 * Plays an episode from where the listener stopped. What was playing keeps its place.
 */
void
ear_library_play (EarLibrary *self, EarEpisode *episode, EarEpisodeList *list)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (ear_player_get_episode (self->player) == episode)
    {
      if (list != NULL || ear_play_order_get_list (self->order) == NULL)
        set_order (self, episode, list);
      ear_player_play (self->player);
    }
  else
    open_episode (self, episode, list, get_resume_position (episode));
}

/**
 * ear_library_toggle:
 * @self: the library
 * @episode: (nullable): an episode, or %NULL for the one in the player
 * @list: (nullable): as in [method@EarLibrary.play]
 *
 * Pauses the episode if it plays, and plays it if not.
 */
void
ear_library_toggle (EarLibrary *self, EarEpisode *episode, EarEpisodeList *list)
{
  EarEpisode *current = ear_library_get_episode (self);
  EarPlayerState state = ear_player_get_state (self->player);

  if (episode == NULL)
    episode = current;
  if (episode == NULL)
    return;

  if (episode == current && (state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING))
    ear_player_pause (self->player);
  else
    ear_library_play (self, episode, list);
}

/**
 * ear_library_seek:
 * @self: the library
 * @episode: an episode
 * @list: (nullable): as in [method@EarLibrary.play]
 * @position: where to, in microseconds
 *
 * Goes to a place in an episode: within the player if it is there, else by playing it
 * from that place.
 */
void
ear_library_seek (EarLibrary *self, EarEpisode *episode, EarEpisodeList *list, gint64 position)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (ear_player_get_episode (self->player) == episode)
    ear_player_seek (self->player, position);
  else
    open_episode (self, episode, list, position);
}

static void
skip (EarLibrary *self, const char *setting, int direction)
{
  guint seconds;

  g_object_get (self->settings, setting, &seconds, NULL);
  ear_player_skip (self->player, (gint64) direction * seconds * G_TIME_SPAN_SECOND);
}

/**
 * ear_library_skip_back:
 * @self: the library
 *
 * Goes back in what plays, as far as the listener likes to.
 */
void
ear_library_skip_back (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  skip (self, "skip-back", -1);
}

/**
 * ear_library_skip_forward:
 * @self: the library
 *
 * Goes on in what plays, as far as the listener likes to.
 */
void
ear_library_skip_forward (EarLibrary *self)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));

  skip (self, "skip-forward", 1);
}

/**
 * ear_library_next:
 * @self: the library
 *
 * Plays the episode that follows in the list that is played from.
 */
void
ear_library_next (EarLibrary *self)
{
  g_autoptr (EarEpisode) episode = NULL;

  g_return_if_fail (EAR_IS_LIBRARY (self));

  episode = ear_play_order_dup_next (self->order);
  if (episode != NULL)
    ear_library_play (self, episode, ear_play_order_get_list (self->order));
}

/**
 * ear_library_previous:
 * @self: the library
 *
 * Plays the episode before in the list that is played from.
 */
void
ear_library_previous (EarLibrary *self)
{
  g_autoptr (EarEpisode) episode = NULL;

  g_return_if_fail (EAR_IS_LIBRARY (self));

  episode = ear_play_order_dup_previous (self->order);
  if (episode != NULL)
    ear_library_play (self, episode, ear_play_order_get_list (self->order));
}
