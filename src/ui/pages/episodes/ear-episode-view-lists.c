/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-list-chooser.h"

/*
 * Putting episodes into lists of the listener's own, and taking them out of the one that is shown.
 */

/* Returns: (transfer none) (nullable): the list whose episodes are shown, all of them, if it is no smart one */
EarList *
ear_episode_view_get_list (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = self->list != NULL ? ear_episode_list_get_query (self->list) : NULL;

  return query != NULL && query->list != NULL && ear_episode_query_is_whole (query) ? ear_lists_find (ear_library_get_lists (self->library), query->list) : NULL;
}

static void
add_selected (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  g_autoptr (GPtrArray) episodes = ear_episode_view_list_selected (self);

  ear_list_chooser_present (self->library, widget, episodes);
}

/* From what is shown, which Delete takes it out of. */
static void
take_out (EarEpisodeView *self, GPtrArray *episodes)
{
  EarList *list = ear_episode_view_get_list (self);

  if (list != NULL)
    ear_lists_take_out (ear_library_get_lists (self->library), list, episodes);
  else
    ear_queue_remove (ear_library_get_queue (self->library), episodes);
}

static void
take_out_selected (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  g_autoptr (GPtrArray) episodes = ear_episode_view_list_selected (self);

  take_out (self, episodes);
  ear_episode_view_end_selecting (self);
}

static void
take_out_one (EarEpisodeView *self, EarEpisode *episode)
{
  g_autoptr (GPtrArray) episodes = g_ptr_array_new ();

  if (episode == NULL)
    return;

  g_ptr_array_add (episodes, episode);
  take_out (self, episodes);
}

/* That of the row whose menu is open. */
static void
take_out_of_menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  take_out_one (EAR_EPISODE_VIEW (widget), EAR_EPISODE_VIEW (widget)->menu_episode);
}

/* All that are selected, or the row that has the focus. */
static void
take_out_focused (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  EarEpisode *episode = ear_episode_view_get_focused (self);

  if (episode != NULL && ear_episode_view_is_one_of_several (self, episode))
    take_out_selected (widget, NULL, NULL);
  else
    take_out_one (self, episode);
}

/* Switches off what makes no sense for the list. */
void
ear_episode_view_update_lists (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = self->list != NULL ? ear_episode_list_get_query (self->list) : NULL;
  const gboolean is_list = ear_episode_view_get_list (self) != NULL;
  const gboolean is_queue = query != NULL && query->filter == EAR_FILTER_QUEUED && ear_episode_query_is_whole (query);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.remove-from-list", is_list);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.remove-this-from-list", is_list);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "list.take-out", is_list || is_queue);
}

void
ear_episode_view_bind_lists (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "list.add-to-list", NULL, add_selected);
  gtk_widget_class_install_action (widget_class, "list.remove-from-list", NULL, take_out_selected);
  gtk_widget_class_install_action (widget_class, "list.remove-this-from-list", NULL, take_out_of_menu);
  gtk_widget_class_install_action (widget_class, "list.take-out", NULL, take_out_focused);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "list.take-out", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Delete, 0, "list.take-out", NULL);
}
