/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-cleaner.h"

#include "ear-download-rules.h"
#include "ear-property.h"

/* Waits for startup to finish, and after a change of the setting, which the listener may
 * change again. */
#define REST_SECONDS 30

#define INTERVAL_SECONDS (60 * 60)

/* Removes downloads after the number of days that the listener has chosen. Episodes that
 * they have liked, queued or put into a list stay, and so does the one in the player. */
struct _EarDownloadCleaner
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarDownloader *downloader;
  EarPlayer *player;
  EarLists *lists;
  GCancellable *cancellable;
  guint source;

  guint days;
};

G_DEFINE_FINAL_TYPE (EarDownloadCleaner, ear_download_cleaner, G_TYPE_OBJECT)

static gboolean
keep (EarEpisode *episode, gpointer user_data)
{
  EarDownloadCleaner *self = user_data;

  return ear_download_rules_keep (self->lists, episode) ||
         (self->player != NULL && ear_player_get_episode (self->player) == episode);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloadCleaner) self = user_data;
  g_autoptr (GArray) ids = ear_catalogue_query_finish (EAR_CATALOGUE (source), result, NULL);

  if (ids != NULL && self->downloader != NULL)
    ear_downloader_remove_old (self->downloader, ids, self->days, keep, self);
}

/* Removes old downloads. */
void
ear_download_cleaner_clean (EarDownloadCleaner *self)
{
  g_autoptr (EarEpisodeQuery) query = NULL;

  g_return_if_fail (EAR_IS_DOWNLOAD_CLEANER (self));

  if (self->days == 0 || !ear_downloader_get_loaded (self->downloader))
    return;
  query = ear_episode_query_new (0, EAR_FILTER_DOWNLOADED, EAR_SORT_NEWEST, NULL);
  ear_catalogue_query_async (self->catalogue, query, 0, self->cancellable, found_cb,
                             g_object_ref (self));
}

static void
clean_cb (gpointer user_data)
{
  EarDownloadCleaner *self = user_data;

  self->source = g_timeout_add_seconds_once (INTERVAL_SECONDS, clean_cb, self);
  ear_download_cleaner_clean (self);
}

static void
days_changed_cb (EarDownloadCleaner *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->days > 0 && !g_cancellable_is_cancelled (self->cancellable))
    self->source = g_timeout_add_seconds_once (REST_SECONDS, clean_cb, self);
}

static void
ear_download_cleaner_dispose (GObject *object)
{
  EarDownloadCleaner *self = EAR_DOWNLOAD_CLEANER (object);

  ear_download_cleaner_stop (self);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->downloader);
  g_clear_object (&self->player);
  g_clear_object (&self->lists);

  G_OBJECT_CLASS (ear_download_cleaner_parent_class)->dispose (object);
}

static void
ear_download_cleaner_finalize (GObject *object)
{
  g_object_unref (EAR_DOWNLOAD_CLEANER (object)->cancellable);

  G_OBJECT_CLASS (ear_download_cleaner_parent_class)->finalize (object);
}

static void
ear_download_cleaner_class_init (EarDownloadCleanerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "days", G_TYPE_UINT, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarDownloadCleaner, days),
      .changed = G_CALLBACK (days_changed_cb) },
  };

  object_class->dispose = ear_download_cleaner_dispose;
  object_class->finalize = ear_download_cleaner_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_download_cleaner_init (EarDownloadCleaner *self)
{
  self->cancellable = g_cancellable_new ();
}

EarDownloadCleaner *
ear_download_cleaner_new (const EarServices *services)
{
  EarDownloadCleaner *self = g_object_new (EAR_TYPE_DOWNLOAD_CLEANER, NULL);

  self->catalogue = g_object_ref (services->catalogue);
  self->downloader = g_object_ref (services->downloader);
  self->player = g_object_ref (services->player);
  self->lists = g_object_ref (services->lists);

  return self;
}

/* Removes no further downloads. */
void
ear_download_cleaner_stop (EarDownloadCleaner *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->source, g_source_remove);
}
