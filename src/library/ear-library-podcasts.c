/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: what the listener wants for one podcast. */

#include "ear-library-private.h"

#include "ear-address.h"
#include "ear-feed-identity.h"
#include "ear-feed-probe.h"

static void
settings_changed_cb (EarLibrary *self, const char *address, const EarPodcastSettings *settings)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL && ear_catalogue_set_settings (self->catalogue, podcast, settings) && self->schedule != NULL)
    ear_refresh_schedule_plan (self->schedule);
}

/**
 * ear_library_follow_settings:
 * @self: a library that is being opened
 *
 * From now on takes over what another machine, or a backup, says of podcasts.
 */
void
ear_library_follow_settings (EarLibrary *self)
{
  g_signal_connect_swapped (self->state, "settings-changed", G_CALLBACK (settings_changed_cb), self);
}

/* It was kept elsewhere by an earlier version. When is not known: whatever was said since is newer. */
static void
adopt_arrangement (EarLibrary *self, EarPodcast *podcast)
{
  g_autofree char *filter = NULL;
  g_autofree char *sort = NULL;
  EarPodcastSettings settings;

  if (!ear_settings_steal_arrangement (self->settings, ear_podcast_get_address (podcast), &filter, &sort))
    return;

  ear_podcast_settings_init (&settings);
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_FILTER, filter, &settings.values[EAR_PODCAST_SETTING_FILTER]))
    settings.updated[EAR_PODCAST_SETTING_FILTER] = 1;
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, sort, &settings.values[EAR_PODCAST_SETTING_SORT]))
    settings.updated[EAR_PODCAST_SETTING_SORT] = 1;
  ear_catalogue_set_settings (self->catalogue, podcast, &settings);
  ear_state_store_adopt_settings (self->state, podcast, &settings);
}

/**
 * ear_library_load_podcast:
 * @self: the library
 * @podcast: a podcast that is followed, or has new rows
 *
 * Has what the listener did with its episodes, and wants for it, read from its file.
 */
void
ear_library_load_podcast (EarLibrary *self, EarPodcast *podcast)
{
  ear_state_store_load_podcast (self->state, ear_podcast_get_address (podcast));
  adopt_arrangement (self, podcast);
}

/* What the listener says now replaces what is known, whatever clock that was said by. */
static void
set_value (EarPodcastSettings *settings, EarPodcast *podcast, EarPodcastSetting setting, int value)
{
  const EarPodcastSettings *known = ear_podcast_get_settings (podcast);

  if (known->values[setting] == value)
    return;
  settings->values[setting] = value;
  settings->updated[setting] = MAX (g_get_real_time (), known->updated[setting] + 1);
}

static void
keep (EarLibrary *self, EarPodcast *podcast, const EarPodcastSettings *settings)
{
  if (self->state == NULL || ear_podcast_settings_is_empty (settings))
    return;
  ear_catalogue_set_settings (self->catalogue, podcast, settings);
  ear_state_store_set_settings (self->state, podcast, settings);
}

/**
 * ear_library_set_podcast_notifications:
 * @self: the library
 * @podcast: a podcast
 * @notifications: whether to tell the listener of its new episodes
 *
 * Sets [property@EarPodcast:notifications], and keeps it with the podcast.
 */
void
ear_library_set_podcast_notifications (EarLibrary *self, EarPodcast *podcast, gboolean notifications)
{
  EarPodcastSettings settings;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  ear_podcast_settings_init (&settings);
  set_value (&settings, podcast, EAR_PODCAST_SETTING_NOTIFICATIONS, !!notifications);
  keep (self, podcast, &settings);
}

/**
 * ear_library_set_podcast_refresh_interval:
 * @self: the library
 * @podcast: a podcast
 * @minutes: how often to check it; -1: as all podcasts, 0: only when asked to
 *
 * Sets [property@EarPodcast:refresh-interval], and keeps it with the podcast.
 */
void
ear_library_set_podcast_refresh_interval (EarLibrary *self, EarPodcast *podcast, int minutes)
{
  EarPodcastSettings settings;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (ear_podcast_setting_accepts (EAR_PODCAST_SETTING_REFRESH_INTERVAL, minutes));

  ear_podcast_settings_init (&settings);
  set_value (&settings, podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL, minutes);
  keep (self, podcast, &settings);
  if (self->schedule != NULL)
    ear_refresh_schedule_plan (self->schedule);
}

/**
 * ear_library_set_podcast_arrangement:
 * @self: the library
 * @podcast: a podcast
 * @filter: which of its episodes are listed
 * @sort: in which order
 *
 * Sets [property@EarPodcast:filter] and [property@EarPodcast:sort], and keeps them with the
 * podcast. Words that nobody knows change nothing.
 */
void
ear_library_set_podcast_arrangement (EarLibrary *self, EarPodcast *podcast, const char *filter, const char *sort)
{
  EarPodcastSettings settings;
  int value;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  ear_podcast_settings_init (&settings);
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_FILTER, filter, &value))
    set_value (&settings, podcast, EAR_PODCAST_SETTING_FILTER, value);
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, sort, &value))
    set_value (&settings, podcast, EAR_PODCAST_SETTING_SORT, value);
  keep (self, podcast, &settings);
}

/* --- Where the feed is ----------------------------------------------------------------- */

typedef struct
{
  EarPodcast *podcast;
  char *address;
  char *other; /* (nullable): title of another podcast that is there */
} Trial;

static void
trial_free (gpointer data)
{
  Trial *trial = data;

  g_object_unref (trial->podcast);
  g_free (trial->address);
  g_free (trial->other);
  g_free (trial);
}

static gboolean
is_taken (EarLibrary *self, EarPodcast *podcast, const char *address)
{
  EarPodcast *known = ear_catalogue_find_podcast (self->catalogue, address);

  return known != NULL && known != podcast;
}

static void
return_taken (GTask *task)
{
  g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_FOLLOWED, "Another podcast has that address");
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarProbe) probe = ear_feed_probe_finish (result, NULL, &error);
  EarLibrary *self = g_task_get_source_object (task);
  Trial *trial = g_task_get_task_data (task);
  const char *title = ear_podcast_get_title (trial->podcast);
  EarDirectoryEntry *entry;

  if (probe == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  /* Of a page that links to several, nobody knows which one is meant. */
  if (probe->entries->len != 1)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_NOT_A_FEED, "There is more than one feed, or none");
      return;
    }
  entry = g_ptr_array_index (probe->entries, 0);
  if (self->catalogue == NULL || is_taken (self, trial->podcast, entry->address))
    {
      return_taken (task);
      return;
    }

  if (entry->title != NULL && title != NULL && !ear_feed_identity_is_title_equal (entry->title, title))
    trial->other = g_strdup (entry->title);
  g_task_return_pointer (task, g_strdup (entry->address), g_free);
}

/**
 * ear_library_try_podcast_address_async:
 * @self: the library
 * @podcast: a podcast
 * @address: what the listener has written
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is known what is there
 * @user_data: data of the caller
 *
 * Looks whether a podcast can be fetched from an address, which may also be that of a web page
 * with a link to its feed. Nothing is changed.
 */
void
ear_library_try_podcast_address_async (EarLibrary *self, EarPodcast *podcast, const char *address, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Trial *trial;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (address != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_library_try_podcast_address_async);
  trial = g_new0 (Trial, 1);
  trial->podcast = g_object_ref (podcast);
  trial->address = ear_address_clean (address);
  g_task_set_task_data (task, trial, trial_free);
  if (trial->address == NULL)
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "That is no web address");
  else if (is_taken (self, podcast, trial->address))
    return_taken (task);
  else
    ear_feed_probe_async (self->http, trial->address, cancellable, probed_cb, g_steal_pointer (&task));
}

/**
 * ear_library_try_podcast_address_finish:
 * @self: the library
 * @result: what the callback got
 * @other: (out) (transfer full) (nullable): the title of what is there, where it is not the podcast's
 * @error: return location for an `EAR_ERROR`
 *
 * Returns: (transfer full) (nullable): the address of the feed, for [method@EarLibrary.set_podcast_address]
 */
char *
ear_library_try_podcast_address_finish (EarLibrary *self, GAsyncResult *result, char **other, GError **error)
{
  Trial *trial;
  char *address;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  trial = g_task_get_task_data (G_TASK (result));
  address = g_task_propagate_pointer (G_TASK (result), error);
  *other = address != NULL ? g_steal_pointer (&trial->other) : NULL;

  return address;
}

/**
 * ear_library_set_podcast_address:
 * @self: the library
 * @podcast: a followed podcast
 * @address: where its feed is, as [method@EarLibrary.try_podcast_address_finish] gave it
 *
 * Fetches a podcast from another address from now on. It is known by its first one all the same.
 */
void
ear_library_set_podcast_address (EarLibrary *self, EarPodcast *podcast, const char *address)
{
  const EarFeedCheck check = { .feed_address = (char *) address };

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (ear_address_is_web (address));

  if (self->subscriptions == NULL)
    return;
  ear_catalogue_store_check (self->catalogue, ear_podcast_get_id (podcast), NULL, &check);
  if (ear_podcast_get_followed (podcast))
    ear_subscriptions_set_feed_address (self->subscriptions, podcast, address);
  /* What is being fetched comes from elsewhere. */
  ear_refresher_cancel (self->refresher, podcast);
  ear_library_refresh (self, podcast);
}

/**
 * ear_library_get_latest_date:
 * @self: the library
 * @podcast: a podcast
 *
 * Returns: when the latest of its episodes was published, or came, if that is not known; %EAR_DATE_UNKNOWN
 *   where there is none. What the feed says of itself is the date of the feed, which some make anew every day
 */
gint64
ear_library_get_latest_date (EarLibrary *self, EarPodcast *podcast)
{
  g_autoptr (EarFeedCheck) check = NULL;

  g_return_val_if_fail (EAR_IS_LIBRARY (self), EAR_DATE_UNKNOWN);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), EAR_DATE_UNKNOWN);

  check = ear_catalogue_dup_check (self->catalogue, podcast);

  return check->newest > 0 ? check->newest : EAR_DATE_UNKNOWN;
}
