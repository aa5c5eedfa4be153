/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-row-private.h"

#include <glib/gi18n.h>

/* The marks of a row, each made for the first episode that has it: few have any. */

/* What a mark is as high and as wide as */
#define MARK_SIZE 12

static GtkWidget *
make_icon (const char *icon_name, const char *css_class)
{
  GtkWidget *icon = gtk_image_new_from_icon_name (icon_name);

  gtk_image_set_pixel_size (GTK_IMAGE (icon), MARK_SIZE);
  gtk_widget_add_css_class (icon, css_class);

  return icon;
}

static void
show_listened (EarEpisodeRow *self, gboolean listened)
{
  if (self->listened == NULL && listened)
    {
      self->listened = make_icon ("object-select-symbolic", "success");
      gtk_widget_insert_after (self->listened, GTK_WIDGET (self), self->cover);
    }
  if (self->listened != NULL)
    gtk_widget_set_visible (self->listened, listened);
}

static void
show_liked (EarEpisodeRow *self, gboolean liked)
{
  if (self->liked == NULL && liked)
    {
      self->liked = make_icon ("ear-liked-symbolic", "liked");
      gtk_widget_insert_after (self->liked, GTK_WIDGET (self), self->listened != NULL ? self->listened : self->cover);
    }
  if (self->liked != NULL)
    gtk_widget_set_visible (self->liked, liked);
}

static GtkWidget *
get_before_download (EarEpisodeRow *self)
{
  if (self->liked != NULL)
    return self->liked;

  return self->listened != NULL ? self->listened : self->cover;
}

/* Shows how far its episode is on this machine. */
void
ear_episode_row_update_download (EarEpisodeRow *self)
{
  const EarDownload download = ear_episode_get_download (self->episode);

  if (self->download == NULL && download != EAR_DOWNLOAD_NONE)
    {
      self->download = EAR_DOWNLOAD_ICON (ear_download_icon_new (MARK_SIZE));
      gtk_widget_insert_after (GTK_WIDGET (self->download), GTK_WIDGET (self), get_before_download (self));
    }
  if (self->download == NULL)
    return;

  gtk_widget_set_visible (GTK_WIDGET (self->download), download != EAR_DOWNLOAD_NONE);
  ear_download_icon_set_download (self->download, download);
  ear_download_icon_set_progress (self->download, ear_episode_get_download_progress (self->episode));
}

/* What comes after the line of facts and marks */
static GtkWidget *
get_after_line (EarEpisodeRow *self)
{
  return self->snippet != NULL ? GTK_WIDGET (self->snippet) : self->button;
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
      gtk_widget_insert_before (GTK_WIDGET (self->progress), GTK_WIDGET (self), get_after_line (self));
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

  show_listened (self, listened);
  show_liked (self, ear_episode_get_liked (self->episode));
  ear_episode_row_update_download (self);
  show_progress (self, begun, begun ? (double) position / duration : 0);
}

/**
 * ear_episode_row_show_explicit:
 * @is_explicit: whether its episode is marked so
 *
 * Shows the mark of explicit language, or does not.
 */
void
ear_episode_row_show_explicit (EarEpisodeRow *self, gboolean is_explicit)
{
  if (self->explicit_mark == NULL && is_explicit)
    {
      /* Translators: the mark of an episode with explicit language, one letter */
      self->explicit_mark = gtk_label_new (C_("explicit", "E"));
      gtk_widget_set_valign (self->explicit_mark, GTK_ALIGN_CENTER);
      gtk_widget_add_css_class (self->explicit_mark, "mark");
      gtk_widget_insert_before (self->explicit_mark, GTK_WIDGET (self),
                                self->progress != NULL ? GTK_WIDGET (self->progress) : get_after_line (self));
    }
  if (self->explicit_mark != NULL)
    gtk_widget_set_visible (self->explicit_mark, is_explicit);
}

static const char *
describe_download (EarEpisodeRow *self)
{
  switch (ear_episode_get_download (self->episode))
    {
    case EAR_DOWNLOAD_WAITING:
      return C_("episode", "Waiting to Be Downloaded");
    case EAR_DOWNLOAD_RUNNING:
      return C_("episode", "Downloading");
    case EAR_DOWNLOAD_FAILED:
      return C_("episode", "Could Not Be Downloaded");
    case EAR_DOWNLOAD_DONE:
      return C_("episode", "Downloaded");
    case EAR_DOWNLOAD_NONE:
    default:
      return NULL;
    }
}

/**
 * ear_episode_row_describe_mark:
 * @at: (nullable): a child of it
 *
 * Returns: (transfer none) (nullable): what it means, if it is a mark
 */
const char *
ear_episode_row_describe_mark (EarEpisodeRow *self, GtkWidget *at)
{
  if (at == NULL)
    return NULL;
  if (at == self->listened)
    /* Translators: marks of one episode */
    return C_("episode", "Played");
  if (at == self->liked)
    return C_("episode", "Liked");
  if (self->download != NULL && at == GTK_WIDGET (self->download))
    return describe_download (self);

  return at == self->explicit_mark ? C_("episode", "Explicit") : NULL;
}
