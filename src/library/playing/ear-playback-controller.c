/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller-private.h"

#include "ear-download-rules.h"
#include "ear-listened-rule.h"

#include <glib/gi18n-lib.h>

/* An episode left this close to its end restarts at the beginning. */
#define END_ZONE (5 * G_USEC_PER_SEC)

G_DEFINE_FINAL_TYPE (EarPlaybackController, ear_playback_controller, G_TYPE_OBJECT)

/* Returns: (transfer none) (nullable): the URL of the episode's media */
const char *
ear_playback_controller_get_address (EarEpisode *episode)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);

  return enclosure != NULL ? enclosure->address : NULL;
}

/* Opens the downloaded file, or else the URL.
 * @position: microseconds, or EAR_BEGINNING */
void
ear_playback_controller_open_media (EarPlaybackController *self,
                                    EarEpisode *episode,
                                    gint64 position)
{
  g_autofree char *file = ear_downloader_dup_file (self->downloader, episode);
  const gboolean begins = position == EAR_BEGINNING;

  if (begins)
    position = ear_skip_ends_get_start (episode);
  if (file != NULL)
    ear_player_open_file (self->player, episode, file, position);
  else
    ear_player_open (self->player, episode, ear_playback_controller_get_address (episode),
                     position);
  if (begins)
    ear_skip_ends_note_start (self->skip_ends);
  ear_logins_notify_player (self->logins);
}

/* Tells the player where to open the media the next time; playback continues
 * unchanged. */
static void
notify_place (EarPlaybackController *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  g_autofree char *file = NULL;

  if (episode == NULL)
    return;
  file = ear_downloader_dup_file (self->downloader, episode);
  ear_player_set_place (self->player, file, ear_playback_controller_get_address (episode));
}

static void
moved_cb (EarPlaybackController *self, const char *key)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  g_autofree char *own = episode != NULL ? ear_episode_dup_key (episode) : NULL;

  if (g_strcmp0 (own, key) == 0)
    notify_place (self);
}

/* Returns the stored position of an episode, or EAR_BEGINNING if it was not started. */
static gint64
get_place (EarEpisode *episode)
{
  const gint64 position = ear_episode_get_position (episode);

  return position > 0 ? position : EAR_BEGINNING;
}

/* Value of the setting if only Up Next follows */
#define NOTHING_FOLLOWS "up-next"

static gboolean
is_queue (EarEpisodeList *list)
{
  const EarEpisodeQuery *query = list != NULL ? ear_episode_list_get_query (list) : NULL;

  return query != NULL && query->filter == EAR_FILTER_QUEUED;
}

/* Returns: whether the list shows the podcast, not the results of a search in it */
static gboolean
is_of_podcast (EarEpisodeList *list, EarPodcast *podcast)
{
  const EarEpisodeQuery *query = ear_episode_list_get_query (list);

  return query != NULL && query->podcast == ear_podcast_get_id (podcast) &&
         query->terms.podcasts == NULL &&
         (ear_podcast_get_series (podcast) || ear_episode_query_is_whole (query));
}

/* Returns the playing order of a podcast: later episodes follow, in whatever order they
 * are listed. A series includes those that a filter hides. */
static EarEpisodeList *
dup_podcast_order (EarPlaybackController *self, EarPodcast *podcast, EarEpisodeList *list)
{
  const EarEpisodeQuery *shown = list != NULL ? ear_episode_list_get_query (list) : NULL;
  const EarEpisodeFilter filter =
      shown != NULL && !ear_podcast_get_series (podcast) ? shown->filter : EAR_FILTER_ALL;
  g_autoptr (EarEpisodeQuery) query =
      ear_episode_query_new (ear_podcast_get_id (podcast), filter, EAR_SORT_OLDEST, NULL);
  EarEpisodeList *present = ear_play_order_get_list (self->order);

  /* The existing list is kept from one episode to the next. */
  if (present != NULL && ear_episode_query_equal (ear_episode_list_get_query (present), query))
    return g_object_ref (present);

  return ear_episode_list_new_with_query (self->catalogue, query);
}

/* @list: (nullable): the episodes that follow, or %NULL for Up Next only */
static void
follow_list (EarPlaybackController *self, EarEpisodeList *list, EarEpisode *episode)
{
  g_autofree char *source = list != NULL
                                ? ear_episode_query_to_text (ear_episode_list_get_query (list))
                                : g_strdup (NOTHING_FOLLOWS);

  ear_play_order_set (self->order, list, episode);
  g_object_set (self->settings, "playing-from", source != NULL ? source : "", NULL);
}

/* An episode chosen outside of a list, for example in a notification, is followed by
 * others of its podcast; one chosen in Up Next only by the rest of Up Next.
 * @list: (nullable): the list in which the episode was chosen */
static void
set_order (EarPlaybackController *self, EarEpisode *episode, EarEpisodeList *list)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  g_autoptr (EarEpisodeList) order = NULL;

  if (list == NULL || is_of_podcast (list, podcast))
    order = dup_podcast_order (self, podcast, list);
  else if (!is_queue (list))
    order = g_object_ref (list);
  follow_list (self, order, episode);
}

/* Restores the episodes that follow after a restart. */
static void
restore_order (EarPlaybackController *self, EarEpisode *episode)
{
  g_autofree char *source = NULL;
  g_autoptr (EarEpisodeQuery) query = NULL;
  g_autoptr (EarEpisodeList) list = NULL;

  g_object_get (self->settings, "playing-from", &source, NULL);
  query = ear_episode_query_new_from_text (source);
  if (query != NULL && (query->podcast == 0 ||
                        query->podcast == ear_podcast_get_id (ear_episode_get_podcast (episode))))
    list = ear_episode_list_new_with_query (self->catalogue, query);
  if (list != NULL || g_str_equal (source, NOTHING_FOLLOWS))
    follow_list (self, list, episode);
  else
    set_order (self, episode, NULL);
}

/* Opens the episode of the last session, paused, once its row is there. */
static void
restore_last_episode (EarPlaybackController *self)
{
  EarPodcast *podcast;
  g_autoptr (EarEpisode) episode = NULL;

  if (self->stopped || self->last_guid == NULL || ear_player_get_episode (self->player) != NULL)
    return;
  podcast = ear_catalogue_find_known (self->catalogue, self->last_address);
  if (podcast == NULL)
    return;
  episode = ear_catalogue_dup_episode_by_guid (self->catalogue, podcast, self->last_guid);
  if (episode == NULL)
    return;

  if (self->last_position > 0 && self->last_started)
    ear_episode_set_position (episode, self->last_position);
  if (!ear_episode_get_listened (episode))
    {
      restore_order (self, episode);
      ear_playback_controller_open_media (self, episode,
                                          self->last_position > 0 && !self->last_started
                                              ? self->last_position
                                              : get_place (episode));
    }
  g_clear_pointer (&self->last_address, g_free);
  g_clear_pointer (&self->last_guid, g_free);
}

static void
now_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPlaybackController) self = user_data;
  g_autoptr (GError) error = NULL;

  if (ear_userdata_store_load_now_finish (EAR_USERDATA_STORE (source), result, &self->last_address,
                                          &self->last_guid, &self->last_position,
                                          &self->last_started, &error))
    restore_last_episode (self);
}

/* Removes the download of a finished episode if the podcast or the defaults ask for it. */
static void
give_room_back (EarPlaybackController *self, EarEpisode *episode)
{
  gboolean everywhere;

  g_object_get (self->settings, "remove-played", &everywhere, NULL);
  if (ear_download_rules_drop_played (self->lists, episode, everywhere))
    ear_downloader_remove (self->downloader, episode);
}

/* An episode without media, such as a blog post, must not replace the episode in the
 * player. */
static gboolean
has_media (EarPlaybackController *self, EarEpisode *episode)
{
  g_autofree char *file = ear_downloader_dup_file (self->downloader, episode);
  g_autofree char *message = NULL;

  if (file != NULL || ear_episode_get_enclosure (episode) != NULL)
    return TRUE;

  /* Translators: %s is the title of an episode whose feed names no audio for it */
  message = g_strdup_printf (_("“%s” has nothing to play"), ear_episode_get_name (episode));
  ear_notices_add (self->notices, message, FALSE);

  return FALSE;
}

/* @episode: an episode that is not in the player
 * @list: (nullable): the list in which it was chosen
 * @queued: whether it comes from Up Next, which keeps the current list
 * Returns: whether the player has opened it */
static gboolean
open_episode (EarPlaybackController *self,
              EarEpisode *episode,
              EarEpisodeList *list,
              gboolean queued,
              gint64 position)
{
  g_autoptr (EarEpisode) left = NULL;
  gboolean listened;

  /* The position would not be saved: the store is closed. */
  if (self->stopped || !has_media (self, episode))
    return FALSE;
  g_set_object (&left, ear_player_get_episode (self->player));
  listened = ear_history_leave_episode (self->history);
  g_clear_pointer (&self->last_guid, g_free);
  if (queued)
    ear_play_order_set_queued (self->order, episode);
  else
    set_order (self, episode, list);
  self->unheard = FALSE;
  ear_playback_controller_open_media (self, episode, position);
  self->heard = 0;
  ear_player_play (self->player);
  if (listened)
    give_room_back (self, left);

  return TRUE;
}

static gint64
find_resume_position (EarPlaybackController *self, EarEpisode *episode)
{
  gint64 position = get_place (episode);
  gint64 duration = ear_episode_get_duration (episode);

  if (position == EAR_BEGINNING)
    return position;
  if (duration > 0 && position > duration - END_ZONE &&
      ear_listened_rule_is_whole (position, ear_episode_get_facts (episode)->duration, 0, 0))
    return EAR_BEGINNING;

  return ear_playback_controller_find_resumption (self, episode, position,
                                                  ear_episode_get_heard (episode));
}

/* Returns: whether another episode plays after the current one */
gboolean
ear_playback_controller_goes_on (EarPlaybackController *self)
{
  gboolean continuous;

  g_object_get (self->settings, "continuous", &continuous, NULL);

  return (continuous || ear_play_order_is_next_queued (self->order)) && !self->stops_at_end;
}

/* The history has marked the episode as played before this handler runs. */
static void
ended_cb (EarPlaybackController *self)
{
  EarEpisode *current = ear_player_get_episode (self->player);
  g_autoptr (EarEpisode) episode = current != NULL ? g_object_ref (current) : NULL;

  if (ear_playback_controller_goes_on (self))
    ear_playback_controller_next_by_itself (self);
  if (episode != NULL)
    give_room_back (self, episode);
}

static void
ear_playback_controller_dispose (GObject *object)
{
  EarPlaybackController *self = EAR_PLAYBACK_CONTROLLER (object);

  self->stopped = TRUE;
  g_clear_handle_id (&self->ahead, g_source_remove);
  g_clear_handle_id (&self->passing, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_cancellable_cancel (self->following);
  g_clear_object (&self->jumped);
  g_clear_object (&self->left);
  g_clear_object (&self->player);
  g_clear_object (&self->order);
  g_clear_object (&self->history);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->state);
  g_clear_object (&self->settings);
  g_clear_object (&self->downloader);
  g_clear_object (&self->logins);
  g_clear_object (&self->chapters);
  g_clear_object (&self->lists);
  g_clear_object (&self->skip_ends);
  g_clear_object (&self->notices);
  g_clear_object (&self->refresher);
  g_clear_object (&self->http);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->following);
  g_clear_pointer (&self->last_address, g_free);
  g_clear_pointer (&self->last_guid, g_free);

  G_OBJECT_CLASS (ear_playback_controller_parent_class)->dispose (object);
}

static void
ear_playback_controller_class_init (EarPlaybackControllerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_playback_controller_dispose;
}

static void
ear_playback_controller_init (EarPlaybackController *self)
{
  self->cancellable = g_cancellable_new ();
}

EarPlaybackController *
ear_playback_controller_new (EarPlayer *player,
                             EarPlayOrder *order,
                             EarHistory *history,
                             EarCatalogue *catalogue,
                             EarUserdataStore *state,
                             EarSettings *settings,
                             EarDownloader *downloader,
                             EarLogins *logins,
                             EarChapterControl *chapters,
                             EarLists *lists,
                             EarSkipEnds *skip_ends,
                             EarNotices *notices,
                             EarRefresher *refresher,
                             EarHttp *http)
{
  EarPlaybackController *self = g_object_new (EAR_TYPE_PLAYBACK_CONTROLLER, NULL);

  self->player = g_object_ref (player);
  self->order = g_object_ref (order);
  self->history = g_object_ref (history);
  self->catalogue = g_object_ref (catalogue);
  self->state = g_object_ref (state);
  self->settings = g_object_ref (settings);
  self->downloader = g_object_ref (downloader);
  self->logins = g_object_ref (logins);
  self->chapters = g_object_ref (chapters);
  self->lists = g_object_ref (lists);
  self->skip_ends = g_object_ref (skip_ends);
  self->notices = g_object_ref (notices);
  self->refresher = g_object_ref (refresher);
  self->http = g_object_ref (http);
  g_signal_connect_object (downloader, "loaded", G_CALLBACK (notify_place), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (downloader, "moved", G_CALLBACK (moved_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (catalogue, "episodes-inserted", G_CALLBACK (restore_last_episode), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "ended", G_CALLBACK (ended_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  ear_playback_controller_watch_pauses (self);
  ear_playback_controller_watch_end (self);
  ear_playback_controller_watch_failures (self);
  ear_playback_controller_watch_refusals (self);

  return self;
}

/* Opens the episode of the last session, paused, once its row is there. */
void
ear_playback_controller_restore (EarPlaybackController *self)
{
  ear_userdata_store_load_now_async (self->state, self->cancellable, now_loaded_cb,
                                     g_object_ref (self));
}

/* Stores the position and opens nothing more. */
void
ear_playback_controller_stop (EarPlaybackController *self)
{
  if (self->stopped)
    return;
  ear_history_save_position (self->history);
  self->stopped = TRUE;
  g_cancellable_cancel (self->cancellable);
  g_cancellable_cancel (self->following);
}

/* Removes an episode of the podcast from the player. */
void
ear_playback_controller_leave (EarPlaybackController *self, EarPodcast *podcast)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (episode == NULL || ear_episode_get_podcast (episode) != podcast)
    {
      if (self->left != NULL && ear_episode_get_podcast (self->left) == podcast)
        g_clear_object (&self->left);
      return;
    }
  g_set_object (&self->left, episode);
  ear_history_save_position (self->history);
  ear_player_stop (self->player);
  ear_play_order_set (self->order, NULL, NULL);
}

/* Reopens the episode that was removed from the player, paused at its position; if the
 * rows of the podcast were deleted meanwhile, once they are fetched again.
 * @podcast: a podcast that was unfollowed and is followed again */
void
ear_playback_controller_return (EarPlaybackController *self, EarPodcast *podcast)
{
  g_autoptr (EarEpisode) episode = NULL;
  const char *address;

  if (self->left == NULL)
    return;
  address = ear_podcast_get_address (ear_episode_get_podcast (self->left));
  if (!g_str_equal (address, ear_podcast_get_address (podcast)))
    return;
  episode = g_steal_pointer (&self->left);
  if (self->stopped || ear_player_get_episode (self->player) != NULL)
    return;
  if (ear_episode_get_podcast (episode) != podcast)
    {
      g_set_str (&self->last_address, address);
      g_set_str (&self->last_guid, ear_episode_get_guid (episode));
      self->last_position = ear_episode_get_position (episode);
      self->last_started = TRUE;
      return;
    }
  set_order (self, episode, NULL);
  ear_playback_controller_open_media (self, episode, get_place (episode));
}

/* Plays an episode from its stored position. The position of the current one is stored.
 * @episode: the episode to play
 * @list: (nullable): the list it was chosen from, which Next and Previous follow */
void
ear_playback_controller_play (EarPlaybackController *self,
                              EarEpisode *episode,
                              EarEpisodeList *list)
{
  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (ear_player_get_episode (self->player) == episode)
    {
      if (list != NULL && !is_queue (list))
        set_order (self, episode, list);
      ear_playback_controller_go_on (self);
    }
  else
    open_episode (self, episode, list, FALSE, find_resume_position (self, episode));
}

/* Pauses the episode if it plays, or else plays it.
 * @episode: (nullable): an episode, or %NULL for the one in the player
 * @list: (nullable): as in [method@EarPlaybackController.play] */
void
ear_playback_controller_toggle (EarPlaybackController *self,
                                EarEpisode *episode,
                                EarEpisodeList *list)
{
  EarEpisode *current = ear_player_get_episode (self->player);
  EarPlayerState state = ear_player_get_state (self->player);

  if (episode == NULL)
    episode = current;
  if (episode == NULL)
    return;

  if (episode == current && (state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING))
    ear_player_pause (self->player);
  else
    ear_playback_controller_play (self, episode, list);
}

/* Plays an episode from a position, even if it is in the player and paused, so that a
 * click always has the same effect.
 * @list: (nullable): as in [method@EarPlaybackController.play]
 * @position: the position, in microseconds */
void
ear_playback_controller_seek (EarPlaybackController *self,
                              EarEpisode *episode,
                              EarEpisodeList *list,
                              gint64 position)
{
  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (ear_player_get_episode (self->player) == episode)
    {
      ear_playback_controller_jump (self, position);
      ear_player_play (self->player);
    }
  else if (open_episode (self, episode, list, FALSE, position))
    {
      if (position > 0)
        ear_player_note_move (self->player);
      ear_chapter_control_note_choice (self->chapters);
    }
}

/* Sets whether playback stops after the current episode, overriding the settings. */
void
ear_playback_controller_set_stops_at_end (EarPlaybackController *self, gboolean stops)
{
  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  self->stops_at_end = stops;
}

static void
skip (EarPlaybackController *self, const char *setting, int direction)
{
  guint seconds;

  g_object_get (self->settings, setting, &seconds, NULL);
  ear_player_skip (self->player, (gint64) direction * seconds * G_TIME_SPAN_SECOND);
}

/* Skips back by the interval in the settings. */
void
ear_playback_controller_skip_back (EarPlaybackController *self)
{
  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  skip (self, "skip-back", -1);
}

/* Skips forward by the interval in the settings. */
void
ear_playback_controller_skip_forward (EarPlaybackController *self)
{
  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  skip (self, "skip-forward", 1);
}

/* Plays the next episode of Up Next, or else the next one of the list. The Next button
 * and autoplay lead to the same episode: neither a played nor a removed one. */
void
ear_playback_controller_next (EarPlaybackController *self)
{
  g_autoptr (EarEpisode) next = NULL;
  gboolean queued;

  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  queued = ear_play_order_is_next_queued (self->order);
  next = ear_play_order_dup_next (self->order);
  if (next != NULL)
    open_episode (self, next, ear_play_order_get_list (self->order), queued,
                  find_resume_position (self, next));
}

/* Plays the previous episode, even a played one, as it may have ended a moment ago. */
void
ear_playback_controller_previous (EarPlaybackController *self)
{
  g_autoptr (EarEpisode) previous = NULL;

  g_return_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self));

  previous = ear_play_order_dup_previous (self->order);
  if (previous != NULL)
    open_episode (self, previous, ear_play_order_get_list (self->order), FALSE,
                  find_resume_position (self, previous));
}

/* Returns: the position in an episode in microseconds, from the player or as stored */
gint64
ear_playback_controller_get_time (EarPlaybackController *self, EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_PLAYBACK_CONTROLLER (self), 0);
  g_return_val_if_fail (EAR_IS_EPISODE (episode), 0);

  if (ear_player_get_episode (self->player) == episode && ear_player_get_restored (self->player))
    return ear_player_get_position (self->player);

  return ear_episode_get_position (episode);
}
