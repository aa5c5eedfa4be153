/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notifier.h"

#include <glib/gi18n-lib.h>

#include "ear-address.h"
#include "ear-news.h"
#include "ear-notification-text.h"

/* Characters of a podcast's or an episode's title. */
#define TITLE_LIMIT 100

/* Podcasts named in one notification. */
#define NAMED 4

/* Milliseconds between two requests, also after the start: requests sent in quick
 * succession may overtake each other. */
#define BREATH 1000

/* Seconds to wait for the end of a check, so that it makes one notification. */
#define PATIENCE 20

/* An update that follows sooner has low priority. */
#define QUIET (60 * G_TIME_SPAN_SECOND)

/**
 * EarNotifier:
 *
 * Shows one notification for all new episodes, replaces it when more arrive, and
 * withdraws it once the listener has seen them. Episodes in the view that the listener
 * looks at cause none.
 */
struct _EarNotifier
{
  GObject parent_instance;

  /* Owned */
  EarLibrary *library;
  GApplication *application;
  EarNews *news;
  GCancellable *cancellable;
  char *watched;          /* (nullable): view that the listener looks at */
  char *offered;          /* (nullable): key of the episode that the Play button plays */
  guint breath_id;
  guint breath; /* milliseconds */
  guint patience_id;
  guint update_id;

  gboolean telling;       /* a notification is being prepared */
  gboolean looks_for_activatable;
  gboolean changed;       /* the notification has to be sent again */
  gboolean quiet;         /* with low priority: no episode was added */
  gboolean outdated;      /* the notification has to be withdrawn */
  gint64 called;          /* monotonic time of the last one with normal priority, or 0 */
};

G_DEFINE_FINAL_TYPE (EarNotifier, ear_notifier, G_TYPE_OBJECT)

static void update_later (EarNotifier *self);

static char *
describe_podcasts (EarNotifier *self)
{
  const guint n_podcasts = ear_news_get_n_podcasts (self->news);
  const guint n_named = n_podcasts > NAMED + 1 ? NAMED : n_podcasts;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n_named; i++)
    {
      g_autofree char *title =
        ear_notification_text_clean (ear_podcast_get_title (ear_news_get_podcast (self->news, i)), TITLE_LIMIT);
      const guint n = ear_news_get_n_of_podcast (self->news, i);

      if (i > 0)
        g_string_append_c (text, '\n');
      /* Translators: a line of a notification: the title of a podcast, and its number of new episodes. */
      g_string_append_printf (text, ngettext ("%s: %u new", "%s: %u new", n), title, n);
    }
  if (n_named < n_podcasts)
    {
      g_string_append_c (text, '\n');
      g_string_append_printf (text, ngettext ("and %u more podcast", "and %u more podcasts", n_podcasts - n_named),
                              n_podcasts - n_named);
    }

  return g_string_free_and_steal (g_steal_pointer (&text));
}

static void
add_play (EarNotifier *self, GNotification *notification, EarEpisode *episode)
{
  g_free (self->offered);
  self->offered = ear_episode_dup_key (episode);
  g_notification_add_button_with_target (notification, _("Play"), "app.play-episode", "s", self->offered);
}

static GNotification *
create_for_episode (EarNotifier *self, EarEpisode *episode)
{
  g_autofree char *title = ear_notification_text_clean (ear_episode_get_title (episode), TITLE_LIMIT);
  g_autofree char *body = ear_notification_text_clean (ear_podcast_get_title (ear_episode_get_podcast (episode)), TITLE_LIMIT);
  g_autofree char *key = ear_episode_dup_key (episode);
  GNotification *notification = g_notification_new (*title != '\0' ? title : body);

  g_notification_set_body (notification, body);
  g_notification_set_default_action_and_target (notification, "app.show-episode", "s", key);
  add_play (self, notification, episode);

  return notification;
}

/* The Play button plays the newest episode. */
static GNotification *
create_for_several (EarNotifier *self)
{
  const guint n_episodes = ear_news_get_n_episodes (self->news);
  EarEpisode *newest = ear_news_get_newest (self->news);
  g_autofree char *count = g_strdup_printf (ngettext ("%u New Episode", "%u New Episodes", n_episodes), n_episodes);
  g_autofree char *body = NULL;
  GNotification *notification = g_notification_new (count);

  if (ear_news_get_n_podcasts (self->news) == 1)
    body = ear_notification_text_clean (ear_podcast_get_title (ear_news_get_podcast (self->news, 0)), TITLE_LIMIT);
  else
    body = describe_podcasts (self);
  g_notification_set_body (notification, body);
  g_notification_set_default_action (notification, "app.show-new");
  if (newest != NULL)
    add_play (self, notification, newest);

  return notification;
}

static void
breath_cb (gpointer user_data)
{
  EarNotifier *self = user_data;

  self->breath_id = 0;
  update_later (self);
}

static void
take_breath (EarNotifier *self)
{
  g_clear_handle_id (&self->breath_id, g_source_remove);
  self->breath_id = g_timeout_add_once (self->breath, breath_cb, self);
}

static void
send (EarNotifier *self, GBytes *cover)
{
  EarEpisode *only = ear_news_get_only_episode (self->news);
  g_autoptr (GNotification) notification = NULL;
  const gint64 now = g_get_monotonic_time ();

  /* The listener may have played all of them meanwhile. */
  if (ear_news_get_n_episodes (self->news) == 0)
    return;

  notification = only != NULL ? create_for_episode (self, only) : create_for_several (self);
  if (cover != NULL && ear_news_get_n_podcasts (self->news) == 1)
    {
      g_autoptr (GIcon) icon = g_bytes_icon_new (cover);

      g_notification_set_icon (notification, icon);
    }
  if (self->quiet || (self->called != 0 && now - self->called < QUIET))
    g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_LOW);
  else
    self->called = now;
  g_application_send_notification (self->application, EAR_NOTIFIER_ID, notification);
}

static void
finish_telling (EarNotifier *self, GBytes *cover)
{
  self->telling = FALSE;
  send (self, cover);
  take_breath (self);
}

static void
cover_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) cover = g_file_load_bytes_finish (G_FILE (source), result, NULL, &error);

  /* Otherwise the object was disposed. */
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    finish_telling (EAR_NOTIFIER (user_data), cover);
}

static void
tell (EarNotifier *self)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;

  if (ear_news_get_n_podcasts (self->news) == 1)
    path = ear_cover_cache_dup_path (ear_library_get_covers (self->library),
                                     ear_podcast_get_facts (ear_news_get_podcast (self->news, 0))->image);
  if (path == NULL)
    {
      finish_telling (self, NULL);
      return;
    }
  file = g_file_new_for_path (path);
  g_file_load_bytes_async (file, self->cancellable, cover_read_cb, self);
}

/* The services that GIO uses: the portal in a sandbox, else GNOME Shell's or
 * the freedesktop.org one. */
static gboolean
contains_service (const char *const *names)
{
  if (g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS) || g_strcmp0 (g_getenv ("GTK_USE_PORTAL"), "1") == 0)
    return g_strv_contains (names, "org.freedesktop.portal.Desktop");

  return g_strv_contains (names, "org.gtk.Notifications") || g_strv_contains (names, "org.freedesktop.Notifications");
}

static void names_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data);

/* Looks for a service first, because GIO logs a warning if no
 * notification service exists. */
static void
find_service (EarNotifier *self, gboolean activatable)
{
  self->looks_for_activatable = activatable;
  g_dbus_connection_call (g_application_get_dbus_connection (self->application), "org.freedesktop.DBus", "/org/freedesktop/DBus",
                          "org.freedesktop.DBus", activatable ? "ListActivatableNames" : "ListNames", NULL, G_VARIANT_TYPE ("(as)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, self->cancellable, names_listed_cb, self);
}

static void
names_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EarNotifier *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  g_autofree const char **names = NULL;

  /* The object was disposed. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  if (reply != NULL)
    g_variant_get (reply, "(^a&s)", &names);
  if (names != NULL && contains_service (names))
    tell (self);
  /* Try services that run first, then those that the bus can start. */
  else if (!self->looks_for_activatable)
    find_service (self, TRUE);
  else
    self->telling = FALSE;
}

static void
begin_telling (EarNotifier *self)
{
  self->changed = FALSE;
  self->outdated = FALSE;
  self->telling = g_application_get_dbus_connection (self->application) != NULL;
  if (self->telling)
    find_service (self, FALSE);
}

static gboolean
update_cb (gpointer user_data)
{
  EarNotifier *self = user_data;

  self->update_id = 0;
  if (self->telling || self->breath_id != 0)
    return G_SOURCE_REMOVE;

  if (ear_news_get_n_episodes (self->news) == 0)
    {
      if (self->outdated)
        g_application_withdraw_notification (self->application, EAR_NOTIFIER_ID);
      self->changed = self->outdated = FALSE;
    }
  else if (self->changed && self->patience_id == 0)
    begin_telling (self);

  return G_SOURCE_REMOVE;
}

/* Merges changes that happen in one iteration of the main loop. */
static void
update_later (EarNotifier *self)
{
  if (self->update_id == 0)
    self->update_id = g_idle_add_full (G_PRIORITY_LOW, update_cb, self, NULL);
}

static void
patience_cb (gpointer user_data)
{
  EarNotifier *self = user_data;

  self->patience_id = 0;
  update_later (self);
}

static gboolean
is_refreshing (EarNotifier *self)
{
  return ear_refresher_get_refreshing (ear_library_get_refresher (self->library));
}

static void
refreshing_cb (EarNotifier *self)
{
  if (is_refreshing (self))
    return;

  g_clear_handle_id (&self->patience_id, g_source_remove);
  update_later (self);
}

static gboolean
is_wanted (EarNotifier *self)
{
  gboolean wanted;

  g_object_get (ear_library_get_settings (self->library), "notifications", &wanted, NULL);

  return wanted;
}

static gboolean
is_watched (EarNotifier *self, EarPodcast *podcast)
{
  g_autofree char *name = ear_address_hash (ear_podcast_get_address (podcast), NULL);

  return g_strcmp0 (self->watched, "new") == 0 || g_strcmp0 (self->watched, name) == 0;
}

static void
arrived_cb (EarNotifier *self, EarPodcast *podcast, GPtrArray *episodes, guint n_episodes)
{
  g_autoptr (GPtrArray) named = NULL;

  if (!is_wanted (self) || is_watched (self, podcast) ||
      !ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_NOTIFICATIONS))
    return;

  named = g_ptr_array_new ();
  for (guint i = 0; i < MIN (episodes->len, EAR_REFRESHER_NAMED); i++)
    g_ptr_array_add (named, g_ptr_array_index (episodes, i));
  ear_news_add (self->news, podcast, named, n_episodes);
  self->changed = TRUE;
  self->quiet = FALSE;
  if (is_refreshing (self) && self->patience_id == 0)
    self->patience_id = g_timeout_add_seconds_once (PATIENCE, patience_cb, self);
  update_later (self);
}

/* Whether the episode of the Play button was played meanwhile. */
static gboolean
offers_old (EarNotifier *self)
{
  EarEpisode *newest = ear_news_get_newest (self->news);
  g_autofree char *key = newest != NULL ? ear_episode_dup_key (newest) : NULL;

  return self->offered != NULL && g_strcmp0 (key, self->offered) != 0;
}

/* Some episodes are no longer new. Update the notification only when none is left or its
 * Play button is outdated; otherwise wait for the next new episode. */
static void
news_changed_cb (gpointer user_data)
{
  EarNotifier *self = user_data;
  const gboolean nothing_left = ear_news_get_n_episodes (self->news) == 0;

  if (!nothing_left && !offers_old (self))
    return;

  if (nothing_left)
    self->outdated = TRUE;
  else
    {
      /* Keep the normal priority of new episodes that were not shown yet. */
      self->quiet = self->quiet || !self->changed;
      self->changed = TRUE;
    }
  update_later (self);
}

static void
forget (EarNotifier *self)
{
  ear_news_clear (self->news);
  self->outdated = TRUE;
  update_later (self);
}

static void
n_new_cb (EarNotifier *self)
{
  if (ear_catalogue_get_n_new (ear_library_get_catalogue (self->library)) == 0)
    forget (self);
}

static void
settings_cb (EarNotifier *self)
{
  if (!is_wanted (self))
    forget (self);
}

static void
ear_notifier_dispose (GObject *object)
{
  EarNotifier *self = EAR_NOTIFIER (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->breath_id, g_source_remove);
  g_clear_handle_id (&self->patience_id, g_source_remove);
  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_pointer (&self->news, ear_news_free);
  g_clear_object (&self->library);
  g_clear_object (&self->application);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->watched, g_free);
  g_clear_pointer (&self->offered, g_free);

  G_OBJECT_CLASS (ear_notifier_parent_class)->dispose (object);
}

static void
ear_notifier_class_init (EarNotifierClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_notifier_dispose;
}

static void
ear_notifier_init (EarNotifier *self)
{
  self->breath = BREATH;
  self->cancellable = g_cancellable_new ();
  self->news = ear_news_new (news_changed_cb, self);
}

/**
 * ear_notifier_new:
 * @library: the library to watch
 * @application: a registered application, with the actions `show-episode`,
 *   `play-episode` and `show-new`
 *
 * Returns: (transfer full): an active notifier
 */
EarNotifier *
ear_notifier_new (EarLibrary *library, GApplication *application)
{
  EarNotifier *self = g_object_new (EAR_TYPE_NOTIFIER, NULL);

  self->library = g_object_ref (library);
  self->application = g_object_ref (application);
  g_signal_connect_object (ear_library_get_refresher (library), "episodes-arrived", G_CALLBACK (arrived_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_refresher (library), "notify::refreshing", G_CALLBACK (refreshing_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_catalogue (library), "notify::n-new", G_CALLBACK (n_new_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_library_get_settings (library), "notify::notifications", G_CALLBACK (settings_cb), self,
                           G_CONNECT_SWAPPED);
  take_breath (self);

  return self;
}

/**
 * ear_notifier_set_watched:
 * @collection: (nullable): the view in a focused window: the hash of a podcast's first
 *   address, `new`, or another view
 *
 * Suppresses notifications about episodes in this view, and withdraws earlier ones.
 */
void
ear_notifier_set_watched (EarNotifier *self, const char *collection)
{
  g_return_if_fail (EAR_IS_NOTIFIER (self));

  if (!g_set_str (&self->watched, collection) || collection == NULL)
    return;

  /* Withdraw a notification of an earlier session too. */
  if (g_str_equal (collection, "new"))
    forget (self);
  else
    ear_news_forget_podcast (self->news, collection);
}

/* Shortens the interval for tests. */
void
ear_notifier_set_breath (EarNotifier *self, guint milliseconds)
{
  g_return_if_fail (EAR_IS_NOTIFIER (self));

  self->breath = milliseconds;
  take_breath (self);
}
