/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-announcer.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-error-text.h"
#include "ear-property.h"
#include "ear-widget.h"

/* Milliseconds until the number of results is announced: words are typed letter by
 * letter, and results come a few at a time. */
#define SETTLE_MS 600

/**
 * EarAnnouncer:
 *
 * Announces changes outside the focus to screen readers: playing, paused, failed; the
 * sleep timer; another chapter; the end of a check for new episodes; the number of search
 * results; the download of the episode that is shown. Toasts announce themselves.
 */
struct _EarAnnouncer
{
  GObject parent_instance;

  /* Owned */
  EarLibrary *library;
  GSignalGroup *list_signals;
  GSignalGroup *episode_signals;
  EarDownload download;  /* last state of the episode that is shown */
  char *title;           /* (nullable): of the episode announced as playing */
  EarPlayerState state;  /* last announced */
  guint n_new;           /* before the check for new episodes */
  guint n_failed;        /* podcasts of the check */
  guint settle;          /* source */
  char *searched;        /* (nullable): last announced words, with the number of results */
  guint n_found;

  /* Borrowed */
  GtkAccessible *speaker;
  EarEpisodesPage *page;
};

G_DEFINE_FINAL_TYPE (EarAnnouncer, ear_announcer, G_TYPE_OBJECT)

static void
say (EarAnnouncer *self, const char *message, GtkAccessibleAnnouncementPriority priority)
{
  if (message != NULL)
    ear_announce (self->speaker, message, priority);
}

/* @before: the last announced state; passing ones, such as loading, are not announced
 * @title: (nullable): of the episode, if another one was announced before
 * Returns: (transfer full) (nullable): the announcement */
char *
ear_announcer_describe_player (EarPlayerState state, EarPlayerState before, const char *title,
                               const GError *error)
{
  if (state == EAR_PLAYER_FAILED)
    return g_strdup (ear_error_text_body (error, EAR_ERROR_ABOUT_MEDIA));
  if (state == EAR_PLAYER_PLAYING && title != NULL)
    /* Translators: a screen reader says it when an episode begins to sound; %s is its title */
    return g_strdup_printf (_("Playing “%s”"), title);
  if (state == EAR_PLAYER_PLAYING && before != EAR_PLAYER_PLAYING)
    /* Translators: a screen reader says it when the sound goes on */
    return g_strdup (_("Playing"));

  /* Translators: a screen reader says it when the sound has stopped */
  return g_strdup (state == EAR_PLAYER_PAUSED && before == EAR_PLAYER_PLAYING ? _("Paused") : NULL);
}

static void
player_state_cb (EarAnnouncer *self, GParamSpec *pspec, EarPlayer *player)
{
  const EarPlayerState state = ear_player_get_state (player);
  EarEpisode *episode = ear_player_get_episode (player);
  const char *title = episode != NULL ? ear_episode_get_name (episode) : NULL;
  const gboolean is_other = g_strcmp0 (title, self->title) != 0;
  g_autofree char *message = ear_announcer_describe_player (
      state, self->state, is_other ? title : NULL, ear_player_get_error (player));

  say (self, message,
       state == EAR_PLAYER_FAILED ? GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH
                                  : GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  if (state == EAR_PLAYER_PLAYING)
    g_set_str (&self->title, title);
  /* Playing after a slow connection is no news. */
  if (state != EAR_PLAYER_LOADING)
    self->state = state;
}

/* The end of the timer is not announced: it would wake the listener. */
static void
sleep_cb (EarAnnouncer *self, GParamSpec *pspec, EarSleepTimer *timer)
{
  const char *choice = ear_sleep_timer_get_choice (timer);
  g_autofree char *message =
      ear_closure_sleep_words (NULL, choice, ear_sleep_timer_get_remaining (timer));

  if (!g_str_equal (choice, EAR_SLEEP_OFF))
    say (self, message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
chapter_cb (EarAnnouncer *self, guint index, EarChapterControl *control)
{
  const EarChapter *chapter = ear_chapters_get (ear_chapter_control_get_chapters (control), index);
  g_autofree char *number = g_strdup_printf (_("Chapter %u"), index + 1);

  say (self, chapter->title != NULL ? chapter->title : number,
       GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
refreshing_cb (EarAnnouncer *self, GParamSpec *pspec, EarRefresher *refresher)
{
  if (ear_refresher_get_refreshing (refresher))
    self->n_new = ear_catalogue_get_n_new (ear_library_get_catalogue (self->library));
}

/* Announces the end of a check. The last podcast of a check is refreshed after
 * notify::refreshing. */
static void
refreshed_cb (EarAnnouncer *self, EarPodcast *podcast, const GError *error,
              EarRefresher *refresher)
{
  g_autofree char *message = NULL;
  const guint n_new = ear_catalogue_get_n_new (ear_library_get_catalogue (self->library));

  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->n_failed++;
  if (ear_refresher_get_refreshing (refresher))
    return;

  if (n_new > self->n_new)
    message = g_strdup_printf (ngettext ("%u new episode", "%u new episodes", n_new - self->n_new),
                               n_new - self->n_new);
  else if (self->n_failed > 0)
    message = g_strdup_printf (ngettext ("%'u podcast could not be loaded",
                                         "%'u podcasts could not be loaded", self->n_failed),
                               self->n_failed);
  else
    message = g_strdup (_("No new episodes"));
  self->n_failed = 0;
  say (self, message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_LOW);
}

static void
settled_cb (gpointer user_data)
{
  EarAnnouncer *self = user_data;
  EarEpisodeList *list = ear_episodes_page_get_list (self->page);
  const guint n_found = list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (list)) : 0;
  const char *trouble = ear_episodes_page_get_trouble (self->page);
  g_autofree char *message = NULL;

  self->settle = 0;
  if (list == NULL || ear_episodes_page_get_search (self->page) == NULL ||
      ear_episode_list_get_asking (list))
    return;
  /* The list notifies about its order and marks as well. */
  if (!g_set_str (&self->searched, ear_episodes_page_get_search (self->page)) &&
      self->n_found == n_found)
    return;

  self->n_found = n_found;
  if (n_found > 0)
    message =
        g_strdup_printf (ngettext ("%u episode found", "%u episodes found", n_found), n_found);
  else
    message = g_strdup (trouble != NULL ? trouble : _("No episodes found"));
  say (self, message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
list_notify_cb (EarAnnouncer *self)
{
  EarEpisodeList *list = ear_episodes_page_get_list (self->page);

  g_clear_handle_id (&self->settle, g_source_remove);
  if (list == NULL || ear_episodes_page_get_search (self->page) == NULL)
    g_clear_pointer (&self->searched, g_free);
  else
    self->settle = g_timeout_add_once (SETTLE_MS, settled_cb, self);
}

static void
list_changed_cb (EarAnnouncer *self)
{
  g_signal_group_set_target (self->list_signals, ear_episodes_page_get_list (self->page));
  list_notify_cb (self);
}

/* A toast announces a removed download.
 * Returns: (transfer full) (nullable): the announcement */
char *
ear_announcer_describe_download (EarDownload download, EarDownload before, const GError *error)
{
  static const char *const texts[] = {
    /* Translators: the state of an episode’s download; so are the next ones */
    [EAR_DOWNLOAD_WAITING] = NC_("episode", "Downloading"),
    [EAR_DOWNLOAD_RUNNING] = NC_("episode", "Downloading"),
    [EAR_DOWNLOAD_DONE] = NC_("episode", "Downloaded"),
    [EAR_DOWNLOAD_PAUSED] = NC_("episode", "Download Paused"),
  };

  if (download == EAR_DOWNLOAD_FAILED)
    return g_strdup (ear_error_text_body (error, EAR_ERROR_ABOUT_DOWNLOAD));
  if (texts[download] == NULL || g_strcmp0 (texts[download], texts[before]) == 0)
    return NULL;

  return g_strdup (g_dpgettext2 (NULL, "episode", texts[download]));
}

static void
download_cb (EarAnnouncer *self, GParamSpec *pspec, EarEpisode *episode)
{
  const EarDownload download = ear_episode_get_download (episode);
  g_autofree char *message = ear_announcer_describe_download (
      download, self->download, ear_episode_get_download_error (episode));

  self->download = download;
  say (self, message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
episode_cb (EarAnnouncer *self)
{
  EarEpisode *episode = ear_episodes_page_get_episode (self->page);

  g_signal_group_set_target (self->episode_signals, episode);
  self->download = episode != NULL ? ear_episode_get_download (episode) : EAR_DOWNLOAD_NONE;
}

static void
ear_announcer_dispose (GObject *object)
{
  EarAnnouncer *self = EAR_ANNOUNCER (object);

  g_clear_handle_id (&self->settle, g_source_remove);
  g_clear_object (&self->list_signals);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->library);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->searched, g_free);

  G_OBJECT_CLASS (ear_announcer_parent_class)->dispose (object);
}

static void
ear_announcer_class_init (EarAnnouncerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_announcer_dispose;
}

static void
ear_announcer_init (EarAnnouncer *self)
{
  self->list_signals = g_signal_group_new (EAR_TYPE_EPISODE_LIST);
  g_signal_group_connect_swapped (self->list_signals, "notify", G_CALLBACK (list_notify_cb), self);
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify::download",
                                  G_CALLBACK (download_cb), self);
}

/* @speaker: the widget that announces; outlives this
 * @page: its searches and its episode are announced; outlives this */
EarAnnouncer *
ear_announcer_new (GtkAccessible *speaker, EarLibrary *library, EarEpisodesPage *page)
{
  EarAnnouncer *self = g_object_new (EAR_TYPE_ANNOUNCER, NULL);

  self->speaker = speaker;
  self->library = g_object_ref (library);
  self->page = page;
  self->state = ear_player_get_state (ear_library_get_player (library));
  /* A check may have begun before there was a window. */
  self->n_new = ear_catalogue_get_n_new (ear_library_get_catalogue (library));
  ear_connect (ear_library_get_player (library), "notify::state", player_state_cb, self);
  ear_connect (ear_library_get_sleep_timer (library), "notify::choice", sleep_cb, self);
  ear_connect (ear_library_get_chapter_control (library), "moved", chapter_cb, self);
  ear_connect (ear_library_get_refresher (library), "notify::refreshing", refreshing_cb, self);
  ear_connect (ear_library_get_refresher (library), "refreshed", refreshed_cb, self);
  ear_connect (page, "notify::episode", episode_cb, self);
  ear_connect (page, "notify::list", list_changed_cb, self);

  return self;
}
