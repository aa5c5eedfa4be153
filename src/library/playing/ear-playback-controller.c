/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playback-controller.h"

#include "ear-download-rules.h"
#include "ear-error.h"
#include "ear-property.h"
#include "ear-time.h"

#include <glib/gi18n-lib.h>

/* Stands for the start of an unplayed episode, after the skipped part */
#define BEGINNING (-1)

/* Minimum part of an episode that is played, whatever is skipped */
#define LEAST_LEFT (30 * G_USEC_PER_SEC)

/* Playback further than this before the position at which it should start has not reached
 * it. */
#define NEAR_START (3 * G_USEC_PER_SEC)

/* An episode left this close to its end restarts at the beginning. */
#define END_ZONE (5 * G_USEC_PER_SEC)

/* A seek in an episode; positions in microseconds */
typedef struct
{
  EarEpisode *episode; /* owned */
  gint64 from;
  gint64 to;
} Jump;

/* Plays episodes for the listener: from their file or from the web, from the stored
 * position, one after the other. Skips their beginning and end as set for the podcast. */
struct _EarPlaybackController
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarEpisode *episode;    /* (nullable): the one in the player, for which the times are */
  GSignalGroup *watch;    /* watches its podcast */
  GCancellable *renewing; /* (nullable): cancels the search for another address */
  char *refused;          /* (nullable): the address that was refused */
  Jump jump;              /* the last one */
  EarMarks *last; /* (nullable): the episode of the last session, until it is restored; its
                   * position has a stamp if it is stored as the episode's own */

  gint64 heard;   /* last heard, in Unix microseconds; -1: now, 0: unknown */
  gint64 left_at; /* its position then */
  gint64 start;   /* microseconds skipped at the beginning; 0: none, or reported */
  gint64 chosen;  /* position chosen by the listener, in microseconds */
  guint return_id; /* source: returns to the beginning */
  guint passing; /* source: skips an episode that cannot be played */
  guint n_passed; /* number of episodes skipped in a row */
  gboolean unheard; /* the episode came up automatically and has not played yet */
  gboolean stops_at_end;
  gboolean stopped;
};

G_DEFINE_FINAL_TYPE (EarPlaybackController, ear_playback_controller, EAR_TYPE_PART)

/* Skipped beginnings and ends. A skipped end counts as played, and the next episode follows.
 * The end is played if the listener seeks into it, resumes in it, or is in it while changing
 * the setting. A notice reports each skipped part, as the listener may have forgotten the
 * setting. */

static gint64
get_setting (EarEpisode *episode, EarPodcastSetting setting)
{
  return ear_podcast_get_setting (ear_episode_get_podcast (episode), setting) * G_USEC_PER_SEC;
}

/* @duration: microseconds; 0: unknown */
static gboolean
leaves_enough (gint64 start, gint64 duration)
{
  return duration <= 0 || duration - start >= LEAST_LEFT;
}

/* @duration: of the episode, in microseconds
 * Returns: the start of the skipped end; the duration if nothing is skipped */
gint64
ear_playback_controller_get_end (EarEpisode *episode, gint64 duration)
{
  const gint64 skipped = get_setting (episode, EAR_PODCAST_SETTING_SKIP_END);

  return duration - skipped - get_setting (episode, EAR_PODCAST_SETTING_SKIP_START) < LEAST_LEFT
             ? duration
             : duration - skipped;
}

/* Returns the position at which an unplayed episode starts, in microseconds. */
static gint64
get_start (EarEpisode *episode)
{
  const gint64 start = get_setting (episode, EAR_PODCAST_SETTING_SKIP_START);

  return leaves_enough (start, ear_episode_get_duration (episode)) ? start : 0;
}

/* Reports the skipped beginning, unless the server did not support starting there. */
static void
report_start (EarPlaybackController *self)
{
  const guint seconds = (guint) (self->start / G_USEC_PER_SEC);
  const gboolean skipped = ear_player_get_position (self->player) >= self->start - G_USEC_PER_SEC;

  self->start = 0;
  if (seconds > 0 && skipped)
    ear_notices_add (
        self->notices, FALSE,
        ngettext ("The first %u second was skipped", "The first %u seconds were skipped", seconds),
        seconds);
}

/* Takes the current position as chosen by the listener. */
static void
set_chosen (EarPlaybackController *self)
{
  g_clear_handle_id (&self->return_id, g_source_remove);
  self->start = 0;
  self->chosen = ear_player_get_position (self->player);
}

/* The player notifies simultaneous changes in no fixed order: each handler first checks which
 * episode they belong to. Reads when a new one was last heard, and drops the search for an
 * address of the former one. */
static void
update_episode (EarPlaybackController *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (!g_set_object (&self->episode, episode))
    return;
  set_chosen (self);
  g_signal_group_set_target (self->watch,
                             episode != NULL ? ear_episode_get_podcast (episode) : NULL);
  g_cancellable_cancel (self->renewing);
  self->heard = episode != NULL ? ear_episode_get_heard (episode) : 0;
  self->left_at = ear_player_get_position (self->player);
}

static void
return_cb (gpointer user_data)
{
  EarPlaybackController *self = user_data;

  self->return_id = 0;
  /* The player may have found that there is nothing to play there. */
  if (ear_player_get_position (self->player) > NEAR_START)
    ear_player_seek_unasked (self->player, 0);
}

/* The duration may become known only when playback is about to start behind the skipped
 * beginning. If too little is left then, the player returns to the start, from an idle
 * source after all its signals. */
static void
check_start (EarPlaybackController *self)
{
  if (self->start == 0 || self->start != ear_player_get_position (self->player) ||
      leaves_enough (self->start, ear_player_get_duration (self->player)))
    return;
  self->start = 0;
  self->return_id = g_idle_add_once (return_cb, self);
}

/* Takes the current position as the start after the skipped beginning, which is reported
 * when playback starts. */
static void
set_started (EarPlaybackController *self)
{
  update_episode (self);
  self->start = ear_player_get_position (self->player);
  check_start (self);
}

static const char *
get_address (EarEpisode *episode)
{
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);

  return enclosure != NULL ? enclosure->address : NULL;
}

/* Opens the downloaded file, or else the URL.
 * @position: microseconds, or BEGINNING */
static void
open_media (EarPlaybackController *self, EarEpisode *episode, gint64 position)
{
  g_autofree char *file = ear_downloader_dup_file (self->downloader, episode);
  const gboolean begins = position == BEGINNING;

  if (begins)
    position = get_start (episode);
  ear_player_open (self->player, episode, file, get_address (episode), position);
  if (begins)
    set_started (self);
  ear_logins_notify_player (self->logins);
}

/* Tells the player where to open the media the next time; playback continues
 * unchanged. A downloaded file ends the search for another address. */
static void
update_media (EarPlaybackController *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  g_autofree char *file = NULL;

  if (episode == NULL)
    return;
  file = ear_downloader_dup_file (self->downloader, episode);
  if (file != NULL)
    g_cancellable_cancel (self->renewing);
  ear_player_set_place (self->player, file, get_address (episode));
}

static void
moved_cb (EarPlaybackController *self, const char *key)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  g_autofree char *own = episode != NULL ? ear_episode_dup_key (episode) : NULL;

  if (g_strcmp0 (own, key) == 0)
    update_media (self);
}

/* Returns the stored position of an episode, or BEGINNING if it was not started. */
static gint64
get_stored_position (EarEpisode *episode)
{
  const gint64 position = ear_episode_get_position (episode);

  return position > 0 ? position : BEGINNING;
}

/* Value of the setting if only Up Next follows */
#define NOTHING_FOLLOWS "up-next"

static gboolean
is_queue (EarEpisodeList *list)
{
  const EarEpisodeQuery *query = list != NULL ? ear_episode_list_get_query (list) : NULL;

  return query != NULL && query->filter == EAR_FILTER_QUEUED;
}

/* Returns the playing order of a podcast: later episodes follow, in whatever order they
 * are listed. A series includes those that a filter hides.
 * @shown: (nullable): the query of the list in which the episode was chosen */
static EarEpisodeList *
dup_podcast_order (EarPlaybackController *self, EarPodcast *podcast, const EarEpisodeQuery *shown)
{
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
  const EarEpisodeQuery *shown = list != NULL ? ear_episode_list_get_query (list) : NULL;
  g_autoptr (EarEpisodeList) order = NULL;

  /* The list shows the podcast, not the results of a search in it. */
  if (list == NULL ||
      (shown != NULL && shown->podcast == ear_podcast_get_id (podcast) &&
       shown->terms.podcasts == NULL &&
       (ear_podcast_get_series (podcast) || ear_episode_query_is_whole (shown))))
    order = dup_podcast_order (self, podcast, shown);
  else if (!is_queue (list))
    order = g_object_ref (list);
  follow_list (self, order, episode);
}

static void
restore_order (EarPlaybackController *self, EarEpisode *episode)
{
  g_autofree char *source = ear_settings_dup_string (self->settings, "playing-from");
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new_from_text (source);
  g_autoptr (EarEpisodeList) list = NULL;

  if (query != NULL && (query->podcast == 0 ||
                        query->podcast == ear_podcast_get_id (ear_episode_get_podcast (episode))))
    list = ear_episode_list_new_with_query (self->catalogue, query);
  if (list != NULL || g_str_equal (source, NOTHING_FOLLOWS))
    follow_list (self, list, episode);
  else
    set_order (self, episode, NULL);
}

/* Opens the episode of the last session, or of a podcast that was unfollowed and is followed
 * again, paused, once its row is there. */
void
ear_playback_controller_return (EarPlaybackController *self)
{
  const EarEpisodeState *state;
  EarPodcast *podcast;
  g_autoptr (EarEpisode) episode = NULL;

  if (self->stopped || self->last == NULL || ear_player_get_episode (self->player) != NULL)
    return;
  state = &self->last->state;
  podcast = ear_catalogue_find_known (self->catalogue, ear_marks_get_podcast (self->last)->address);
  if (podcast == NULL || !ear_podcast_get_followed (podcast))
    return;
  episode = ear_catalogue_dup_episode_by_guid (self->catalogue, podcast,
                                               ear_marks_get_episode (self->last)->guid);
  if (episode == NULL)
    return;

  if (state->position > 0 && state->position_updated != 0)
    ear_episode_set_position (episode, state->position);
  if (!ear_episode_get_listened (episode))
    {
      restore_order (self, episode);
      open_media (self, episode,
                  state->position > 0 && state->position_updated == 0
                      ? state->position
                      : get_stored_position (episode));
    }
  g_clear_pointer (&self->last, ear_marks_unref);
}

static void
now_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPlaybackController) self = user_data;
  g_autoptr (EarMarks) last =
      ear_userdata_store_finish (EAR_USERDATA_STORE (source), result, NULL);

  if (last == NULL)
    return;
  g_clear_pointer (&self->last, ear_marks_unref);
  self->last = g_steal_pointer (&last);
  ear_playback_controller_return (self);
}

/* Removes the download of a finished episode if the podcast or the defaults ask for it. */
static void
remove_played_download (EarPlaybackController *self, EarEpisode *episode)
{
  if (ear_download_rules_drop_played (self->settings, self->lists, episode))
    ear_downloader_remove (self->downloader, episode);
}

/* @episode: an episode that is not in the player
 * @queued: whether it comes from Up Next, which keeps the current list
 * Returns: whether the player has opened it */
static gboolean
open_episode (EarPlaybackController *self, EarEpisode *episode, EarEpisodeList *list,
              gboolean queued, gint64 position)
{
  g_autofree char *file = ear_downloader_dup_file (self->downloader, episode);
  g_autoptr (EarEpisode) left = NULL;
  gboolean listened;

  /* The position would not be saved: the store is closed. */
  if (self->stopped)
    return FALSE;
  /* An episode without media, such as a blog post, must not replace the one in the player. */
  if (file == NULL && ear_episode_get_enclosure (episode) == NULL)
    {
      /* Translators: %s is the title of an episode whose feed names no audio for it */
      ear_notices_add (self->notices, FALSE, _("“%s” has nothing to play"),
                       ear_episode_get_name (episode));
      return FALSE;
    }
  g_set_object (&left, ear_player_get_episode (self->player));
  listened = ear_history_leave_episode (self->history);
  g_clear_pointer (&self->last, ear_marks_unref);
  if (queued)
    ear_play_order_set_queued (self->order, episode);
  else
    set_order (self, episode, list);
  self->unheard = FALSE;
  open_media (self, episode, position);
  self->heard = 0;
  ear_player_play (self->player);
  if (listened)
    remove_played_download (self, left);

  return TRUE;
}

/* Longer pauses rewind further: after a minute the sentence is forgotten, after a day the
 * subject. Shorter pauses do not rewind. */
static const struct
{
  gint64 pause; /* minimum */
  gint64 rewind;
} rewinds[] = {
  { G_TIME_SPAN_DAY, 20 * G_TIME_SPAN_SECOND },
  { G_TIME_SPAN_HOUR, 15 * G_TIME_SPAN_SECOND },
  { 10 * G_TIME_SPAN_MINUTE, 10 * G_TIME_SPAN_SECOND },
  { G_TIME_SPAN_MINUTE, 5 * G_TIME_SPAN_SECOND },
  { 15 * G_TIME_SPAN_SECOND, 2 * G_TIME_SPAN_SECOND },
};

/* @pause: length of the pause in microseconds; negative if the clock was set back
 * Returns: microseconds to rewind */
gint64
ear_playback_controller_get_rewind (gint64 pause)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rewinds); i++)
    if (pause >= rewinds[i].pause)
      return rewinds[i].rewind;

  return 0;
}

/* Returns the position at which to resume an episode.
 * @position: the stored position, in microseconds
 * @heard: when it was left, in Unix microseconds; 0 if unknown, or if the listener chose
 *   the position */
static gint64
find_resumption (EarPlaybackController *self, EarEpisode *episode, gint64 position, gint64 heard)
{
  /* In an end that is skipped by default, rewinding does not lead out of the end. */
  const gint64 end = ear_playback_controller_get_end (episode, ear_episode_get_duration (episode));

  if (heard <= 0 || !ear_settings_get_boolean (self->settings, "rewind-after-pause"))
    return position;

  return CLAMP (position - ear_playback_controller_get_rewind (g_get_real_time () - heard),
                position >= end ? MAX (end, 0) : 0, position);
}

static gint64
find_resume_position (EarPlaybackController *self, EarEpisode *episode)
{
  gint64 position = get_stored_position (episode);
  gint64 duration = ear_episode_get_duration (episode);

  if (position == BEGINNING)
    return position;
  if (duration > 0 && position > duration - END_ZONE &&
      ear_listened_rule_is_whole (position, ear_episode_get_facts (episode)->duration, 0, 0))
    return BEGINNING;

  return find_resumption (self, episode, position, ear_episode_get_heard (episode));
}

/* Returns: whether another episode plays after the current one */
static gboolean
is_followed (EarPlaybackController *self)
{
  return !self->stops_at_end && (ear_settings_get_boolean (self->settings, "continuous") ||
                                 ear_play_order_is_next_queued (self->order));
}

/* Skips an episode that cannot be played if it came up automatically, with a notice: the
 * listener may be away from the computer and hears the next one. An episode that the
 * listener chose stays in the player with the error. */

/* Maximum number of episodes skipped in a row, so that a server that has lost all its
 * files is not asked for each */
#define MAX_SKIPPED 3

/* Returns: whether the error concerns the episode alone, not the network, a login or the
 * audio output, which the next one would need, too */
static gboolean
is_about_episode (const GError *error)
{
  static const EarError codes[] = {
    EAR_ERROR_NOT_FOUND,      EAR_ERROR_GONE,       EAR_ERROR_FORBIDDEN, EAR_ERROR_NO_MEDIA,
    EAR_ERROR_UNSAFE_ADDRESS, EAR_ERROR_NOT_A_FEED, EAR_ERROR_DAMAGED,   EAR_ERROR_CODEC,
  };

  for (gsize i = 0; error != NULL && error->domain == EAR_ERROR && i < G_N_ELEMENTS (codes); i++)
    if (error->code == (int) codes[i])
      return TRUE;

  return FALSE;
}

static void play_next_automatically (EarPlaybackController *self);

static void
skip_unplayable_cb (gpointer user_data)
{
  EarPlaybackController *self = user_data;
  EarEpisode *episode = ear_player_get_episode (self->player);

  self->passing = 0;
  if (self->stopped || !self->unheard || episode == NULL ||
      ear_player_get_state (self->player) != EAR_PLAYER_FAILED)
    return;
  ear_play_order_pass_over (self->order);
  if (!is_followed (self) || !ear_play_order_get_can_go_next (self->order))
    return;

  /* Translators: %s is the title of an episode; its file may be gone. The next one plays. */
  ear_notices_add (self->notices, TRUE, _("“%s” could not be played"),
                   ear_episode_get_name (episode));
  self->n_passed++;
  play_next_automatically (self);
}

/* Skips the episode from an idle source, as other handlers of the signal are still to
 * run. */
static void
check_state (EarPlaybackController *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);

  if (state == EAR_PLAYER_FAILED && self->unheard && self->passing == 0 &&
      self->n_passed < MAX_SKIPPED && is_about_episode (ear_player_get_error (self->player)))
    self->passing = g_idle_add_once (skip_unplayable_cb, self);
  if (state == EAR_PLAYER_PLAYING)
    self->n_passed = 0;
  if (state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_EMPTY)
    self->unheard = FALSE;
}

static void
play_next_automatically (EarPlaybackController *self)
{
  ear_playback_controller_next (self);
  g_clear_handle_id (&self->passing, g_source_remove);
  self->unheard = TRUE;
  check_state (self);
}

/* The history has marked the episode as played before this handler runs. */
static void
ended_cb (EarPlaybackController *self)
{
  g_autoptr (EarEpisode) episode = NULL;

  g_set_object (&episode, ear_player_get_episode (self->player));
  if (is_followed (self))
    play_next_automatically (self);
  if (episode != NULL)
    remove_played_download (self, episode);
}

static void
ear_playback_controller_release (EarPlaybackController *self)
{
  g_clear_handle_id (&self->passing, g_source_remove);
  g_clear_handle_id (&self->return_id, g_source_remove);
  g_clear_object (&self->renewing);
  g_clear_object (&self->episode);
  g_clear_object (&self->watch);
  g_clear_object (&self->jump.episode);
  g_clear_pointer (&self->refused, g_free);
  g_clear_pointer (&self->last, ear_marks_unref);
}

static void
ear_playback_controller_class_init (EarPlaybackControllerClass *klass)
{
  ear_class_set_release (klass, ear_playback_controller_release);
}

/* A listener who changes the setting while in the skipped part continues to hear it. */
static void
skipping_changed_cb (EarPlaybackController *self)
{
  self->chosen = MAX (self->chosen, ear_player_get_position (self->player));
}

static void
ear_playback_controller_init (EarPlaybackController *self)
{
  self->watch = g_signal_group_new (EAR_TYPE_PODCAST);
  /* The beginning affects the end, too: a minimum part of the episode is played. */
  g_signal_group_connect_swapped (self->watch, "notify::skip-start",
                                  G_CALLBACK (skipping_changed_cb), self);
  g_signal_group_connect_swapped (self->watch, "notify::skip-end",
                                  G_CALLBACK (skipping_changed_cb), self);
}

/* Value of @heard during playback */
#define HEARD_NOW (-1)

static void
state_changed_cb (EarPlaybackController *self)
{
  update_episode (self);
  if (ear_player_get_state (self->player) == EAR_PLAYER_PLAYING)
    {
      report_start (self);
      self->heard = HEARD_NOW;
    }
  else if (self->heard == HEARD_NOW)
    {
      self->heard = g_get_real_time ();
      self->left_at = ear_player_get_position (self->player);
    }
  check_state (self);
}

static void
seeked_cb (EarPlaybackController *self)
{
  update_episode (self);
  set_chosen (self);
}

static void
duration_changed_cb (EarPlaybackController *self)
{
  update_episode (self);
  check_start (self);
}

/* Skips the end once playback reaches it. */
static void
position_changed_cb (EarPlaybackController *self)
{
  const gint64 position = ear_player_get_position (self->player);
  const gint64 duration = ear_player_get_duration (self->player);
  gint64 end;
  guint seconds;

  update_episode (self);
  if (ear_player_get_jumping (self->player))
    self->chosen = position;
  if (ear_player_get_jumping (self->player) ||
      ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;
  if (position < self->chosen - NEAR_START)
    self->chosen = position;
  end = ear_playback_controller_get_end (self->episode, duration);
  /* Servers that do not support seeking allow no skipping. */
  if (duration <= 0 || end >= duration || position < end || self->chosen >= end ||
      !ear_player_get_jumps_fast (self->player))
    return;
  seconds = (guint) ((duration - end) / G_USEC_PER_SEC);
  ear_notices_add (
      self->notices, FALSE,
      ngettext ("The last %u second was skipped", "The last %u seconds were skipped", seconds),
      seconds);
  ear_player_seek_unasked (self->player, duration);
}

/* Finds another address for media that a server refuses.
 * GStreamer gets a Location header from libsoup, which has replaced bytes that are not
 * UTF-8 in it. So EarHttp follows the redirects of an address that was not found, and
 * playing continues where they lead. That address is not stored: redirects often lead to
 * one that expires.
 * Signed addresses expire, and an episode may be played for days. So the feed is fetched
 * for the present address after that. */

/* Returns: whether another episode was opened, a file has arrived, or another address is
 * searched for */
static gboolean
is_outdated (GAsyncResult *result)
{
  return g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)));
}

static void
renewed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPlaybackController) self = user_data;
  g_autofree char *address = ear_refresher_renew_address_finish (EAR_REFRESHER (source), result);

  if (is_outdated (result))
    return;
  if (address != NULL)
    ear_player_set_place (self->player, NULL, address);
  ear_player_give_up_address (self->player);
}

static void
renew_address (EarPlaybackController *self)
{
  ear_refresher_renew_address_async (self->refresher, ear_player_get_episode (self->player),
                                     self->refused, self->renewing, renewed_cb,
                                     g_object_ref (self));
}

static void
followed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPlaybackController) self = user_data;
  g_autoptr (EarHttpResponse) response = ear_http_stream_finish (EAR_HTTP (source), result, NULL);

  if (is_outdated (result))
    return;
  if (response != NULL && !g_str_equal (response->final_address, self->refused))
    ear_player_set_redirect (self->player, self->refused, response->final_address);
  else
    renew_address (self);
}

static gboolean
refused_cb (EarPlaybackController *self, const GError *error, const char *address)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  g_autoptr (EarHttpRequest) request = NULL;

  if (self->stopped || episode == NULL || address == NULL ||
      !ear_download_policy_may_have_moved (error, address))
    return FALSE;

  ear_cancellable_clear (&self->renewing);
  self->renewing = g_cancellable_new ();
  g_set_str (&self->refused, address);
  /* An address is followed once: its target may be refused, too. */
  if (!g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_FOUND) ||
      ear_player_get_redirect (self->player) != NULL)
    {
      renew_address (self);
      return TRUE;
    }
  request = ear_http_request_new (address);
  request->podcast = g_strdup (ear_podcast_get_address (ear_episode_get_podcast (episode)));
  request->head_only = TRUE;
  request->identity = TRUE;
  ear_http_stream_async (self->http, request, NULL, NULL, self->renewing, followed_cb,
                         g_object_ref (self));

  return TRUE;
}

EarPlaybackController *
ear_playback_controller_new (const EarServices *services)
{
  EarPlaybackController *self = ear_part_new (EAR_TYPE_PLAYBACK_CONTROLLER, services);

  g_object_connect (self->downloader, "swapped-object-signal::loaded", update_media, self,
                    "swapped-object-signal::moved", moved_cb, self, NULL);
  ear_connect (self->catalogue, "episodes-changed::inserted", ear_playback_controller_return, self);
  g_object_connect (self->player,
                    "swapped-object-signal-after::ended", ended_cb, self,
                    "swapped-object-signal::notify::state", state_changed_cb, self,
                    "swapped-object-signal::notify::episode", update_episode, self,
                    "swapped-object-signal::notify::duration", duration_changed_cb, self,
                    "swapped-object-signal::notify::position", position_changed_cb, self,
                    "swapped-object-signal::seeked", seeked_cb, self,
                    "swapped-object-signal::refused", refused_cb, self, NULL);

  return self;
}

/* Opens the episode of the last session, paused, once its row is there. */
void
ear_playback_controller_restore (EarPlaybackController *self)
{
  ear_userdata_store_ask_async (self->state, EAR_USERDATA_NOW, now_loaded_cb, g_object_ref (self));
}

/* Opens nothing more. */
void
ear_playback_controller_stop (EarPlaybackController *self)
{
  self->stopped = TRUE;
  g_cancellable_cancel (self->renewing);
}

/* Removes an episode of the podcast from the player. The episode returns to the player when
 * the podcast is followed again. */
void
ear_playback_controller_leave (EarPlaybackController *self, EarPodcast *podcast)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  EarEpisodeState state;

  if (episode == NULL || ear_episode_get_podcast (episode) != podcast)
    return;
  ear_history_save_position (self->history);
  state = ear_episode_state_new_mark (EAR_MARK_POSITION, ear_episode_get_position (episode));
  g_clear_pointer (&self->last, ear_marks_unref);
  self->last = ear_episode_make_marks (episode, &state);
  ear_player_stop (self->player);
  ear_play_order_set (self->order, NULL, NULL);
}

/* Rewinds a little when playback resumes after a pause. */

/* A position further than this from where playback was paused was chosen by the
 * listener. */
#define SAME_POSITION G_TIME_SPAN_SECOND

/* Resumes the episode in the player, after a pause from a little earlier. */
static void
resume_current (EarPlaybackController *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);
  EarEpisode *episode = ear_player_get_episode (self->player);
  const gint64 position = ear_player_get_position (self->player);
  const gint64 heard = ABS (position - self->left_at) <= SAME_POSITION ? self->heard : 0;

  if ((state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_FAILED) &&
      ear_player_get_jumps_fast (self->player))
    {
      const gint64 resumption = find_resumption (self, episode, position, heard);

      self->heard = 0;
      /* Before the restoring seek is done, the media is opened at the new position instead:
       * a seek would be lost if the server does not support seeking. */
      if (resumption < position && ear_player_get_restored (self->player))
        ear_player_seek_unasked (self->player, resumption);
      else if (resumption < position)
        open_media (self, episode, resumption);
    }
  else if (state == EAR_PLAYER_ENDED)
    {
      /* Parts are skipped as the first time. */
      ear_player_seek_unasked (self->player, get_start (episode));
      set_started (self);
      ear_chapter_control_begin_anew (self->chapter_control);
    }
  ear_player_play (self->player);
}

/* Plays an episode from its stored position. The position of the current one is stored.
 * @list: (nullable): the list it was chosen from, which Next and Previous follow */
void
ear_playback_controller_play (EarPlaybackController *self, EarEpisode *episode,
                              EarEpisodeList *list)
{
  if (ear_player_get_episode (self->player) == episode)
    {
      if (list != NULL && !is_queue (list))
        set_order (self, episode, list);
      resume_current (self);
    }
  else
    open_episode (self, episode, list, FALSE, find_resume_position (self, episode));
}

/* Pauses the episode if it plays, or else plays it.
 * @episode: (nullable): an episode, or %NULL for the one in the player */
void
ear_playback_controller_toggle (EarPlaybackController *self, EarEpisode *episode,
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
 * click always has the same effect. */
void
ear_playback_controller_seek (EarPlaybackController *self, EarEpisode *episode,
                              EarEpisodeList *list, gint64 position)
{
  if (ear_player_get_episode (self->player) == episode)
    {
      ear_playback_controller_jump (self, position);
      ear_player_play (self->player);
    }
  else if (open_episode (self, episode, list, FALSE, position))
    {
      if (position > 0)
        ear_player_note_move (self->player);
      ear_chapter_control_set_chosen (self->chapter_control);
    }
}

/* Sets whether playback stops after the current episode, overriding the settings. */
void
ear_playback_controller_set_stops_at_end (EarPlaybackController *self, gboolean stops)
{
  self->stops_at_end = stops;
}

static void
skip (EarPlaybackController *self, const char *setting, int direction)
{
  const guint seconds = ear_settings_get_uint (self->settings, setting);

  ear_player_skip (self->player, (gint64) direction * seconds * G_TIME_SPAN_SECOND);
}

void
ear_playback_controller_skip_back (EarPlaybackController *self)
{
  skip (self, "skip-back", -1);
}

void
ear_playback_controller_skip_forward (EarPlaybackController *self)
{
  skip (self, "skip-forward", 1);
}

/* @episode: (nullable): an episode of the list being played from, or of Up Next */
static void
open_in_turn (EarPlaybackController *self, EarEpisode *episode, gboolean queued)
{
  if (episode != NULL)
    open_episode (self, episode, ear_play_order_get_list (self->order), queued,
                  find_resume_position (self, episode));
}

/* Plays the next episode of Up Next, or else the next one of the list. The Next button
 * and autoplay lead to the same episode: neither a played nor a removed one. */
void
ear_playback_controller_next (EarPlaybackController *self)
{
  const gboolean queued = ear_play_order_is_next_queued (self->order);
  g_autoptr (EarEpisode) next = ear_play_order_dup_next (self->order);

  open_in_turn (self, next, queued);
}

/* Plays the previous episode, even a played one, as it may have ended a moment ago. */
void
ear_playback_controller_previous (EarPlaybackController *self)
{
  g_autoptr (EarEpisode) previous = ear_play_order_dup_previous (self->order);

  open_in_turn (self, previous, FALSE);
}

/* Returns: the position in an episode in microseconds, from the player or as stored */
gint64
ear_playback_controller_get_time (EarPlaybackController *self, EarEpisode *episode)
{
  if (ear_player_get_episode (self->player) == episode && ear_player_get_restored (self->player))
    return ear_player_get_position (self->player);

  return ear_episode_get_position (episode);
}

/* For tests: makes the pause longer. */
void
ear_playback_controller_lengthen_pause (EarPlaybackController *self, gint64 length)
{
  self->heard -= length;
}

/* Pauses and moves to an earlier position, which counts as that of the pause. */
void
ear_playback_controller_pause_at (EarPlaybackController *self, gint64 position)
{
  ear_player_pause (self->player);
  ear_player_seek_unasked (self->player, position);
  self->left_at = ear_player_get_position (self->player);
}

/* Undo for long seeks in the current episode: a click on the slider or a sentence can be
 * accidental, and the former position is hard to find again. */

/* Shorter distances can be reversed with the skip buttons. */
#define MIN_UNDO_DISTANCE (45 * G_TIME_SPAN_SECOND)

/* A seek starting this close to the last target continues a search: Undo leads to the
 * position before the first seek. */
#define SEARCH_DISTANCE (20 * G_TIME_SPAN_SECOND)

/* Undo has no effect once this much was played at the new position. */
#define UNDO_DISTANCE (5 * G_TIME_SPAN_MINUTE)

static void
jump_free (gpointer data)
{
  g_object_unref (((Jump *) data)->episode);
  g_free (data);
}

static void
undo_jump (gpointer owner, gpointer data)
{
  EarPlaybackController *self = EAR_PLAYBACK_CONTROLLER (owner);
  const Jump *jump = data;
  const gint64 since = ear_player_get_position (self->player) - jump->to;

  if (ear_player_get_episode (self->player) == jump->episode && ABS (since) < UNDO_DISTANCE)
    ear_player_seek (self->player, jump->from);
}

/* Seeks in the current episode. Undo is offered for long distances. */
void
ear_playback_controller_jump (EarPlaybackController *self, gint64 position)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const gint64 from = ear_player_get_position (self->player);
  Jump *jump = &self->jump;
  g_autofree char *clock = ear_clock_format (position);
  g_autofree char *message = NULL;

  ear_player_seek (self->player, position);
  if (episode == NULL)
    return;

  if (jump->episode != episode || ABS (from - jump->to) >= SEARCH_DISTANCE)
    jump->from = from;
  g_set_object (&jump->episode, episode);
  jump->to = position;
  if (ABS (position - jump->from) < MIN_UNDO_DISTANCE)
    return;

  /* Translators: shown after a jump within the current episode; %s is a time: 24:10 */
  message = g_strdup_printf (_("Jumped to %s"), clock);
  g_object_ref (episode);
  ear_notices_offer (self->notices, message, undo_jump, self, g_memdup2 (jump, sizeof *jump),
                     jump_free);
}

/* Playback without a chosen episode, for example by a media key */

/* Maximum number of episodes of each kind that are checked for media */
#define MAX_CHECKED 50

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarPlaybackController *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  /* The listener may have started another episode. */
  for (guint i = 0; ids != NULL && i < ids->len && !self->stopped &&
                    ear_player_get_episode (self->player) == NULL;
       i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode (self->catalogue, g_array_index (ids, gint64, i));

      if (episode == NULL || ear_episode_get_enclosure (episode) == NULL)
        continue;
      /* The first one, heard last, is continued only if it was not finished. */
      if (i > 0 || (ear_episode_get_position (episode) > 0 && !ear_episode_get_listened (episode)))
        ear_playback_controller_play (self, episode, NULL);
    }
  if (ids == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (!self->stopped && ear_player_get_episode (self->player) == NULL)
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NO_MEDIA,
                                     "There is no episode to play");
  else
    g_task_return_boolean (task, TRUE);
}

/* Searches once the writer has stored the position of an episode that was just stopped. */
static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ear_catalogue_write_finish (EAR_CATALOGUE (source), result, NULL);
  ear_catalogue_read_async (EAR_CATALOGUE (source), ear_read_resumable (MAX_CHECKED), NULL,
                            found_cb, user_data);
}

/* Plays without a chosen episode: the one in the player; else the last heard one from its
 * position; if that is finished, the first one of Up Next, or else the newest unplayed
 * one. */
void
ear_playback_controller_resume_async (EarPlaybackController *self, GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_playback_controller_resume_async);
  if (ear_player_get_episode (self->player) != NULL)
    {
      resume_current (self);
      g_task_return_boolean (task, TRUE);
    }
  else if (self->stopped)
    g_task_return_new_error_literal (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "The library is closed");
  else
    ear_catalogue_flush_async (self->catalogue, NULL, flushed_cb, g_steal_pointer (&task));
}

static void
series_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarPlaybackController *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autofree EarSeriesProgress *progress =
      ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  g_autoptr (EarEpisode) episode = progress != NULL && progress->next != 0
                                       ? ear_catalogue_dup_episode (self->catalogue, progress->next)
                                       : NULL;

  if (progress == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (episode == NULL)
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NO_MEDIA,
                                     "All of the series was heard");
  else
    {
      ear_playback_controller_play (self, episode, NULL);
      g_task_return_boolean (task, TRUE);
    }
}

/* Continues a podcast: with the last heard episode or, if that is finished, with the next
 * unplayed one after it. */
void
ear_playback_controller_continue_async (EarPlaybackController *self, EarPodcast *podcast,
                                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  EarEpisode *current = ear_player_get_episode (self->player);

  g_task_set_source_tag (task, ear_playback_controller_continue_async);
  /* The position of the current episode may not be written yet. */
  if (current != NULL && ear_episode_get_podcast (current) == podcast &&
      !ear_episode_get_listened (current))
    {
      ear_playback_controller_play (self, current, NULL);
      g_task_return_boolean (task, TRUE);
    }
  else
    ear_catalogue_read_async (self->catalogue, ear_read_series (podcast), NULL, series_read_cb,
                              g_steal_pointer (&task));
}

/* Ends both ear_playback_controller_resume_async() and
 * ear_playback_controller_continue_async(). */
gboolean
ear_playback_controller_resume_finish (EarPlaybackController *self, GAsyncResult *result,
                                       GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
