/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-closures.h"
#include "ear-episode-actions.h"
#include "ear-episode-row.h"
#include "ear-pane-layout.h"
#include "ear-property.h"
#include "ear-slide-in.h"
#include "ear-widget.h"

/**
 * EarEpisodeView:
 *
 * A list of episodes of which one is chosen. Where the chosen one is shown beside it,
 * moving through the list chooses, and a double click or Enter plays; where the list is
 * alone, only a click or Enter chooses. Rows have a context menu.
 *
 * Several rows are selected with Ctrl and Shift, or in a mode of its own, for fingers.
 * What is chosen stays as it was meanwhile. Their rows have check boxes then.
 */
G_DEFINE_FINAL_TYPE (EarEpisodeView, ear_episode_view, ADW_TYPE_BIN)

static void
activated_cb (EarEpisodeView *self, guint position)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (episode == NULL)
    return;
  if (self->selecting)
    {
      ear_episode_selection_toggle (self->selection, position);
      return;
    }

  ear_episode_view_take_episode (self, episode);
  if (!self->collapsed && ear_episode_get_enclosure (episode) != NULL)
    ear_play_control_play (ear_library_get_play_control (self->library), episode, self->list);
  g_signal_emit_by_name (self, "activated");
}

static void
toggle_episode (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);
  g_autoptr (EarEpisode) episode = NULL;
  guint position;

  if (self->list == NULL || !ear_episode_list_find (self->list, g_variant_get_int64 (parameter), &position))
    return;

  episode = g_list_model_get_item (G_LIST_MODEL (self->list), position);
  /* It is shown beside the list before it plays, as it may leave that then. */
  if (!self->collapsed && !self->several && ear_episode_get_playback (episode) != EAR_PLAYBACK_PLAYING)
    ear_episode_view_set_episode (self, episode);
  ear_play_control_toggle (ear_library_get_play_control (self->library), episode, self->list);
}

static gboolean
is_mixed (EarEpisodeView *self)
{
  return self->list != NULL && ear_episode_list_get_query (self->list)->podcast == 0;
}

static gboolean
is_heard (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = self->list != NULL ? ear_episode_list_get_query (self->list) : NULL;

  /* Where nothing is looked for, the headings say it. */
  return query != NULL && query->filter == EAR_FILTER_HISTORY && query->search != NULL;
}

static EarEpisode *
get_target (EarEpisodeView *self)
{
  return self->menu_episode != NULL ? self->menu_episode : self->episode;
}

static guint
get_n_selected (EarEpisodeView *self)
{
  return self->selection != NULL ? ear_episode_selection_get_n_selected (self->selection) : 0;
}

/* --- Rows ------------------------------------------------------------------------------ */

static void
item_selected_cb (GtkListItem *item)
{
  ear_episode_row_set_ticked (EAR_EPISODE_ROW (gtk_list_item_get_child (item)), gtk_list_item_get_selected (item));
}

/* Those that there are: some two hundred, also where the list has many more. */
void
ear_episode_view_foreach_row (EarEpisodeView *self, EarEpisodeViewRowFunc func)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (EAR_IS_EPISODE_ROW (row))
        func (self, row);
    }
}

/* What all rows have to know: a row is not bound anew when another list has its episode too. Three bindings each would be the
 * largest part of a row. */
static void
tell_row (EarEpisodeView *self, GtkWidget *row)
{
  g_object_set (row, "mixed", is_mixed (self), "heard", is_heard (self), "tickable", self->several, NULL);
}

static void
tell_rows_cb (EarEpisodeView *self)
{
  ear_episode_view_foreach_row (self, tell_row);
}

static void
row_setup_cb (EarEpisodeView *self, GtkListItem *item)
{
  GtkWidget *row = g_object_new (EAR_TYPE_EPISODE_ROW, NULL);

  gtk_list_item_set_child (item, row);
  g_object_set (row, "snippets", self->snippets, NULL);
  tell_row (self, row);
  g_signal_connect (item, "notify::selected", G_CALLBACK (item_selected_cb), NULL);
  g_object_bind_property (row, "spoken", item, "accessible-label", G_BINDING_SYNC_CREATE);
}

static void
row_bind_cb (EarEpisodeView *self, GtkListItem *item)
{
  ear_episode_row_set_episode (EAR_EPISODE_ROW (gtk_list_item_get_child (item)), gtk_list_item_get_item (item));
  item_selected_cb (item);
  if (self->row_menu != NULL)
    ear_episode_view_mark_menu_row (self, gtk_list_item_get_child (item));
}

static void
row_unbind_cb (EarEpisodeView *self, GtkListItem *item)
{
  ear_episode_row_set_episode (EAR_EPISODE_ROW (gtk_list_item_get_child (item)), NULL);
}

static gboolean
ear_episode_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  if ((direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD) && gtk_widget_get_focus_child (widget) == NULL)
    ear_episode_view_aim_focus (EAR_EPISODE_VIEW (widget));

  return GTK_WIDGET_CLASS (ear_episode_view_parent_class)->focus (widget, direction);
}

static gboolean
ear_episode_view_grab_focus (GtkWidget *widget)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);

  ear_episode_view_aim_focus (self);

  return gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

/* Where a single click opens a row, GTK selects what the pointer comes over: that is not to stay when the listener
 * comes back. */
static void
ear_episode_view_map (GtkWidget *widget)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (widget);

  GTK_WIDGET_CLASS (ear_episode_view_parent_class)->map (widget);
  if (self->collapsed && !self->several)
    ear_episode_view_update_selection (self);
}

static void
collapsed_changed_cb (EarEpisodeView *self)
{
  gtk_list_view_set_single_click_activate (self->list_view, self->collapsed && !self->selecting);
  if (!self->selecting)
    ear_episode_view_update_selection (self);
}

static void
ear_episode_view_dispose (GObject *object)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  ear_episode_view_clear_seasons (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_VIEW);
  g_clear_object (&self->snippets);
  g_clear_object (&self->list);
  g_clear_object (&self->episode);
  g_clear_object (&self->menu_episode);
  g_clear_object (&self->pressed);
  g_clear_object (&self->moved);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_episode_view_parent_class)->dispose (object);
}

static void
ear_episode_view_class_init (EarEpisodeViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* What plays the episodes */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, library) },
    /* The rows */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, list),
      .set = G_CALLBACK (ear_episode_view_set_list) },
    /* The episode that was chosen; it need not be in the list */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, episode),
      .set = G_CALLBACK (ear_episode_view_set_episode) },
    /* What the actions of an episode work on: that of the context menu */
    { "target", EAR_TYPE_EPISODE, G_PARAM_READABLE, .get = G_CALLBACK (get_target) },
    /* Whether the page of the chosen episode is not beside it */
    { "collapsed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, collapsed),
      .changed = G_CALLBACK (collapsed_changed_cb) },
    /* Whether the rows are of several podcasts */
    { "mixed", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_mixed) },
    /* Whether the list is of what was heard, and has no headings that say when */
    { "heard", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_heard) },
    /* Whether it is about the selected rows, which are ticked then, and not about a single one */
    { "several", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodeView, several) },
    /* Whether a click selects a row beside the others */
    { "selecting", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeView, selecting),
      .set = G_CALLBACK (ear_episode_view_set_selecting) },
    /* How many rows are selected */
    { "n-selected", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (get_n_selected) },
  };

  object_class->dispose = ear_episode_view_dispose;
  widget_class->map = ear_episode_view_map;
  widget_class->focus = ear_episode_view_focus;
  widget_class->grab_focus = ear_episode_view_grab_focus;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* A row was activated: where the episode's page is not beside it, it is wanted now. */
  g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  ear_episode_actions_install (widget_class);
  gtk_widget_class_install_action (widget_class, "list.toggle", "x", toggle_episode);

  g_type_ensure (EAR_TYPE_EPISODE_SELECTION);
  g_type_ensure (EAR_TYPE_PANE_LAYOUT);
  g_type_ensure (EAR_TYPE_SLIDE_IN);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-episode-view.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, episode_menu);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeView, selection_menu);
  gtk_widget_class_bind_template_callback (widget_class, row_setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_bind_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_unbind_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  ear_closures_bind (widget_class);
  ear_episode_view_bind_choice (widget_class);
  ear_episode_view_bind_menu (widget_class);
}

static void
ear_episode_view_init (EarEpisodeView *self)
{
  self->snippets = g_object_new (EAR_TYPE_SNIPPET_QUEUE, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "notify::mixed", G_CALLBACK (tell_rows_cb), NULL);
  g_signal_connect (self, "notify::heard", G_CALLBACK (tell_rows_cb), NULL);
  g_signal_connect (self, "notify::several", G_CALLBACK (tell_rows_cb), NULL);
  ear_episode_view_update_queue (self);
  ear_episode_view_update_menu (self);
  ear_menu_later_set (self->selection_button, self->selection_menu);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self->scroller), "value-changed", G_CALLBACK (ear_episode_view_update_in_sight), self,
                           G_CONNECT_SWAPPED);
  ear_episode_view_follow_day (self);
  ear_episode_view_init_seasons (self);
}

/* Shows other rows, from the first one on. The chosen episode stays, unless
 * [method@EarEpisodeView.choose_anew] was called before.
 * @list: (nullable): the rows */
void
ear_episode_view_set_list (EarEpisodeView *self, EarEpisodeList *list)
{
  gboolean had_focus, was_mixed, was_heard;

  g_return_if_fail (EAR_IS_EPISODE_VIEW (self));

  was_mixed = is_mixed (self);
  was_heard = is_heard (self);
  if (!g_set_object (&self->list, list))
    return;

  had_focus = ear_episode_view_has_focus (self);
  g_clear_object (&self->moved);
  if (is_mixed (self) != was_mixed)
    g_object_notify (G_OBJECT (self), "mixed");
  if (is_heard (self) != was_heard)
    g_object_notify (G_OBJECT (self), "heard");
  ear_episode_selection_set_list (self->selection, list);
  ear_episode_view_update_seasons (self);
  ear_snippet_queue_set_search (self->snippets, self->library, list != NULL ? ear_episode_list_get_query (list)->search : NULL);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
  ear_episode_view_update_in_sight (self);
  ear_episode_view_update_queue (self);
  ear_episode_view_update_menu (self);
  ear_episode_view_set_selecting (self, FALSE);
  g_object_notify (G_OBJECT (self), "list");
  ear_episode_view_update_selection (self);
  if (self->wants_choice)
    ear_episode_view_take_episode (self, NULL);
  if (had_focus)
    ear_episode_view_bring_focus (self);
}

EAR_DEFINE_GET (EarEpisodeView, ear_episode_view, EarEpisode *, episode)

/* Returns: how many rows are ticked, or -1 where it is about a single one */
int
ear_episode_view_get_n_ticked (EarEpisodeView *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_VIEW (self), -1);

  return self->several ? (int) ear_episode_selection_get_n_selected (self->selection) : -1;
}
