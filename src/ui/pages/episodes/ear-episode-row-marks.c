/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-row-private.h"

#include "ear-download-icon.h"
#include "ear-queue.h"

#include <glib/gi18n.h>

/* The marks of a row, each made for the first episode that has it: few have any. */

/* Width and height of a mark, and of the dot of a new episode */
#define MARK_SIZE 12
#define DOT_SIZE 8

/* @css_class: (nullable): its color */
static void
show_icon (EarEpisodeRow *self, GtkWidget **icon, gboolean shown, const char *icon_name, int size, const char *css_class)
{
  if (*icon == NULL && shown)
    {
      *icon = gtk_image_new_from_icon_name (icon_name);
      gtk_image_set_pixel_size (GTK_IMAGE (*icon), size);
      if (css_class != NULL)
        gtk_widget_add_css_class (*icon, css_class);
      gtk_widget_set_parent (*icon, GTK_WIDGET (self));
    }
  if (*icon != NULL)
    gtk_widget_set_visible (*icon, shown);
}

/* Shows how far its episode is on this machine. */
void
ear_episode_row_update_download (EarEpisodeRow *self)
{
  const EarDownload download = ear_episode_get_download (self->episode);

  if (self->download == NULL && download != EAR_DOWNLOAD_NONE)
    {
      self->download = g_object_new (EAR_TYPE_DOWNLOAD_ICON, "size", MARK_SIZE, NULL);
      gtk_widget_set_parent (self->download, GTK_WIDGET (self));
    }
  if (self->download != NULL)
    g_object_set (self->download,
                  "visible", download != EAR_DOWNLOAD_NONE,
                  "download", download,
                  "progress", ear_episode_get_download_progress (self->episode),
                  NULL);
}

static void
show_progress (EarEpisodeRow *self, gboolean begun, double fraction)
{
  if (self->progress == NULL && begun)
    {
      self->progress = g_object_new (GTK_TYPE_PROGRESS_BAR,
                                     "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION,
                                     "valign", GTK_ALIGN_CENTER,
                                     "width-request", 56,
                                     NULL);
      /* As the player's slider: a recording runs from left to right in every language. */
      gtk_widget_set_direction (GTK_WIDGET (self->progress), GTK_TEXT_DIR_LTR);
      gtk_widget_set_parent (GTK_WIDGET (self->progress), GTK_WIDGET (self));
    }
  if (self->progress == NULL)
    return;

  gtk_widget_set_visible (GTK_WIDGET (self->progress), begun);
  if (begun)
    gtk_progress_bar_set_fraction (self->progress, MIN (fraction, 1.0));
}

/* Shows what the listener did with its episode. */
void
ear_episode_row_update_marks (EarEpisodeRow *self)
{
  const gint64 duration = ear_episode_get_duration (self->episode);
  const gint64 position = ear_episode_get_position (self->episode);
  const gboolean listened = ear_episode_get_listened (self->episode);
  const gboolean begun = !listened && duration > 0 && position > 0;

  show_icon (self, &self->new_mark, ear_episode_is_new (self->episode), "media-record-symbolic", DOT_SIZE, "accent");
  show_icon (self, &self->queued, ear_queue_has (self->episode), "ear-queue-symbolic", MARK_SIZE, NULL);
  show_icon (self, &self->listened, listened, "object-select-symbolic", MARK_SIZE, "success");
  show_icon (self, &self->liked, ear_episode_get_liked (self->episode), "ear-liked-symbolic", MARK_SIZE, "liked");
  ear_episode_row_update_download (self);
  show_progress (self, begun, begun ? (double) position / duration : 0);
}

void
ear_episode_row_show_explicit (EarEpisodeRow *self, gboolean is_explicit)
{
  if (self->explicit_mark == NULL && is_explicit)
    {
      /* Translators: the mark of an episode with explicit language, one letter */
      self->explicit_mark = gtk_label_new (C_("explicit", "E"));
      gtk_widget_set_valign (self->explicit_mark, GTK_ALIGN_CENTER);
      gtk_widget_add_css_class (self->explicit_mark, "mark");
      gtk_widget_set_parent (self->explicit_mark, GTK_WIDGET (self));
    }
  if (self->explicit_mark != NULL)
    gtk_widget_set_visible (self->explicit_mark, is_explicit);
}

static const char *const downloads[] = {
  [EAR_DOWNLOAD_WAITING] = NC_("episode", "Waiting to Be Downloaded"),
  [EAR_DOWNLOAD_RUNNING] = NC_("episode", "Downloading"),
  [EAR_DOWNLOAD_FAILED] = NC_("episode", "Download Failed"),
  [EAR_DOWNLOAD_DONE] = NC_("episode", "Downloaded"),
  [EAR_DOWNLOAD_PAUSED] = NC_("episode", "Download Paused"),
};

/* Returns: (nullable): what it means, if it is a mark */
const char *
ear_episode_row_describe_mark (EarEpisodeRow *self, GtkWidget *at)
{
  const char *download = self->episode != NULL ? downloads[ear_episode_get_download (self->episode)] : NULL;

  if (at == NULL)
    return NULL;
  if (at == self->new_mark)
    /* Translators: marks of one episode */
    return C_("episode", "New");
  if (at == self->queued)
    return C_("episode", "In Up Next");
  if (at == self->listened)
    return C_("episode", "Played");
  if (at == self->liked)
    return C_("episode", "Liked");
  if (at == self->download)
    return download != NULL ? g_dpgettext2 (NULL, "episode", download) : NULL;

  return at == self->explicit_mark ? C_("episode", "Explicit") : NULL;
}
