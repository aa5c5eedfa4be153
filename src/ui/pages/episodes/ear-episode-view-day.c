/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-episode-row.h"

/*
 * The rows of a view say "Today" until it is tomorrow: a window may be open for weeks.
 */

/* How often their dates are looked at, in seconds. The computer may have slept until then, so that nothing can be put off
 * to midnight. */
#define INTERVAL 60

static void
update_dates (EarEpisodeView *self)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (EAR_IS_EPISODE_ROW (row))
        ear_episode_row_update_date (EAR_EPISODE_ROW (row));
    }
}

static gboolean
timeout_cb (gpointer user_data)
{
  update_dates (user_data);

  return G_SOURCE_CONTINUE;
}

static void
map_cb (EarEpisodeView *self)
{
  update_dates (self);
  self->day_source = g_timeout_add_seconds (INTERVAL, timeout_cb, self);
}

static void
unmap_cb (EarEpisodeView *self)
{
  g_clear_handle_id (&self->day_source, g_source_remove);
}

/* Keeps the dates of the rows right while they are seen. */
void
ear_episode_view_follow_day (EarEpisodeView *self)
{
  g_signal_connect (self, "map", G_CALLBACK (map_cb), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (unmap_cb), NULL);
}
