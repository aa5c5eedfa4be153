/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-episode-row.h"

/*
 * The rows of a view say "Today" until it is tomorrow: a window may be open for weeks.
 */

/* How often their dates are looked at in any case, in seconds: the clock may be set, and the computer sleep. */
#define INTERVAL (15 * 60)

static void
update_date (EarEpisodeView *self, GtkWidget *row)
{
  ear_episode_row_update_date (EAR_EPISODE_ROW (row));
}

static void
update_day (EarEpisodeView *self)
{
  ear_episode_view_foreach_row (self, update_date);
  ear_episode_view_update_days (self);
}

static guint
get_seconds_to_midnight (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  return (guint) (24 * 3600 - (g_date_time_get_hour (now) * 60 + g_date_time_get_minute (now)) * 60 - g_date_time_get_second (now));
}

static void follow (EarEpisodeView *self);

static void
timeout_cb (gpointer user_data)
{
  EarEpisodeView *self = user_data;

  self->day_source = 0;
  follow (self);
}

static void
follow (EarEpisodeView *self)
{
  update_day (self);
  g_clear_handle_id (&self->day_source, g_source_remove);
  self->day_source = g_timeout_add_seconds_once (MIN (get_seconds_to_midnight () + 1, INTERVAL), timeout_cb, self);
}

static void
unmap_cb (EarEpisodeView *self)
{
  g_clear_handle_id (&self->day_source, g_source_remove);
}

/* Who comes back to the window sees the right ones, however long the computer has slept. */
static void
state_flags_changed_cb (EarEpisodeView *self, GtkStateFlags before)
{
  const GtkStateFlags changed = before ^ gtk_widget_get_state_flags (GTK_WIDGET (self));

  if ((changed & GTK_STATE_FLAG_BACKDROP) != 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    update_day (self);
}

/* Keeps the dates of the rows right while they are seen. */
void
ear_episode_view_follow_day (EarEpisodeView *self)
{
  g_signal_connect (self, "map", G_CALLBACK (follow), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (unmap_cb), NULL);
  g_signal_connect (self, "state-flags-changed", G_CALLBACK (state_flags_changed_cb), NULL);
}
