/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-downloads-folder.h"

#include "ear-property.h"

#include <glib/gi18n-lib.h>

/* The downloads folder, and moving downloads to another one: all files are copied to the
 * new folder, the settings name it, then the files in the old folder are removed. If
 * Earmark is interrupted in between, the folder in the settings is complete; the leftover
 * files of the old one are removed at the next start. */
struct _EarDownloadsFolder
{
  GObject parent_instance;

  /* Owned */
  EarSettings *settings;
  EarNotices *notices;
  EarDownloader *downloader; /* (nullable) */
  char *default_path;
  char *path;
  GCancellable *cancellable;

  gboolean chosen;
  gboolean moving;
};

G_DEFINE_FINAL_TYPE (EarDownloadsFolder, ear_downloads_folder, G_TYPE_OBJECT)

/* The settings hold a URI, as a path need not be valid UTF-8. */
static char *
dup_setting (EarDownloadsFolder *self, const char *name)
{
  g_autofree char *uri = NULL;

  g_object_get (self->settings, name, &uri, NULL);

  return *uri != '\0' ? g_filename_from_uri (uri, NULL, NULL) : NULL;
}

static void
store_setting (EarDownloadsFolder *self, const char *name, const char *path)
{
  g_autofree char *uri = path != NULL ? g_filename_to_uri (path, NULL, NULL) : NULL;

  g_object_set (self->settings, name, uri != NULL ? uri : "", NULL);
}

static void
set_path (EarDownloadsFolder *self, const char *chosen)
{
  ear_property_set_string (self, "path", chosen != NULL ? chosen : self->default_path);
  ear_property_set_boolean (self, "chosen", chosen != NULL);
}

static void
ear_downloads_folder_dispose (GObject *object)
{
  EarDownloadsFolder *self = EAR_DOWNLOADS_FOLDER (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->settings);
  g_clear_object (&self->notices);
  g_clear_object (&self->downloader);

  G_OBJECT_CLASS (ear_downloads_folder_parent_class)->dispose (object);
}

static void
ear_downloads_folder_finalize (GObject *object)
{
  EarDownloadsFolder *self = EAR_DOWNLOADS_FOLDER (object);

  g_free (self->default_path);
  g_free (self->path);
  g_object_unref (self->cancellable);

  G_OBJECT_CLASS (ear_downloads_folder_parent_class)->finalize (object);
}

static void
ear_downloads_folder_class_init (EarDownloadsFolderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "path", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloadsFolder, path) },
    { "chosen", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloadsFolder, chosen) },
    { "moving", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDownloadsFolder, moving) },
  };

  object_class->dispose = ear_downloads_folder_dispose;
  object_class->finalize = ear_downloads_folder_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_downloads_folder_init (EarDownloadsFolder *self)
{
  self->cancellable = g_cancellable_new ();
}

/* @default_path: the default folder */
EarDownloadsFolder *
ear_downloads_folder_new (EarSettings *settings, EarNotices *notices, const char *default_path)
{
  EarDownloadsFolder *self = g_object_new (EAR_TYPE_DOWNLOADS_FOLDER, NULL);
  g_autofree char *chosen = NULL;

  self->settings = g_object_ref (settings);
  self->notices = g_object_ref (notices);
  self->default_path = g_strdup (default_path);
  chosen = dup_setting (self, "downloads-folder");
  set_path (self, chosen);

  return self;
}

EAR_DEFINE_GET (EarDownloadsFolder, ear_downloads_folder, const char *, path)
EAR_DEFINE_GET (EarDownloadsFolder, ear_downloads_folder, gboolean, chosen)
EAR_DEFINE_GET (EarDownloadsFolder, ear_downloads_folder, gboolean, moving)

static void
clear_left (EarDownloadsFolder *self)
{
  g_autofree char *left = dup_setting (self, "downloads-folder-left");

  /* The old files stay until the settings with the new folder are written. */
  if (left == NULL || self->moving)
    return;
  if (!g_str_equal (left, self->path))
    ear_downloader_clear_folder (self->downloader, left);
  store_setting (self, "downloads-folder-left", NULL);
}

/* @downloader: a downloader that uses the folder and is not started yet */
void
ear_downloads_folder_set_downloader (EarDownloadsFolder *self, EarDownloader *downloader)
{
  g_return_if_fail (EAR_IS_DOWNLOADS_FOLDER (self));

  self->downloader = g_object_ref (downloader);
  g_signal_connect_object (downloader, "loaded", G_CALLBACK (clear_left), self, G_CONNECT_SWAPPED);
}

static void
report_failure (EarDownloadsFolder *self, const GError *error)
{
  g_message ("Downloads could not be moved: %s", error->message);
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    ear_notices_add (self->notices,
                     _("Downloads were not moved: the new folder is full or read-only."), TRUE);
  else
    ear_notices_add (self->notices, _("Downloads could not be moved to the new folder."), TRUE);
}

/* The move is complete once the settings are written to the disk. */
static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDownloadsFolder) self = user_data;

  if (self->downloader == NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  ear_property_set_boolean (self, "moving", FALSE);
  clear_left (self);
}

typedef struct
{
  EarDownloadsFolder *self;
  char *chosen; /* (nullable): %NULL for the default folder */
} Moving;

static void
moved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Moving *moving = user_data;
  g_autoptr (EarDownloadsFolder) self = moving->self;
  g_autofree char *chosen = moving->chosen;
  g_autoptr (GError) error = NULL;

  if (!ear_downloader_move_folder_finish (EAR_DOWNLOADER (source), result, &error))
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        report_failure (self, error);
      ear_property_set_boolean (self, "moving", FALSE);
      return;
    }
  if (self->settings == NULL)
    return;

  store_setting (self, "downloads-folder-left", self->path);
  store_setting (self, "downloads-folder", chosen);
  set_path (self, chosen);
  ear_settings_flush_async (self->settings, flushed_cb, g_object_ref (self));
}

/* Moves all downloads to a folder. On failure a notice says why, and the downloads stay
 * where they were.
 * @path: (nullable): a folder, or %NULL for the default one */
void
ear_downloads_folder_choose (EarDownloadsFolder *self, const char *path)
{
  Moving *moving;

  g_return_if_fail (EAR_IS_DOWNLOADS_FOLDER (self));
  g_return_if_fail (self->downloader != NULL);

  /* Choosing the same folder again creates it if it is missing. */
  if (self->moving || (g_str_equal (path != NULL ? path : self->default_path, self->path) &&
                       ear_downloader_get_available (self->downloader)))
    return;

  ear_property_set_boolean (self, "moving", TRUE);
  moving = g_new0 (Moving, 1);
  moving->self = g_object_ref (self);
  moving->chosen = g_strcmp0 (path, self->default_path) != 0 ? g_strdup (path) : NULL;
  ear_downloader_move_folder_async (self->downloader, path != NULL ? path : self->default_path,
                                    moving->chosen != NULL, self->cancellable, moved_cb, moving);
}

/* Cancels a move in progress. */
void
ear_downloads_folder_stop (EarDownloadsFolder *self)
{
  g_return_if_fail (EAR_IS_DOWNLOADS_FOLDER (self));

  g_cancellable_cancel (self->cancellable);
}
