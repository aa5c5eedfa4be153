/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-closures.h"
#include "ear-episode-actions.h"
#include "ear-episode-row.h"
#include "ear-menu-later.h"
#include "ear-pane-layout.h"
#include "ear-slide-in.h"

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

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_LIST,
  PROP_EPISODE,
  PROP_TARGET,
  PROP_COLLAPSED,
  PROP_MIXED,
  PROP_HEARD,
  PROP_SEVERAL,
  PROP_SELECTING,
  PROP_N_SELECTED,
} EarEpisodeViewProperty;

static GParamSpec *props[PROP_N_SELECTED + 1];

enum
{
  SIGNAL_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

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
  if (!self->collapsed)
    ear_play_control_play (ear_library_get_play_control (self->library), episode, self->list);
  g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0);
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
is_mixed (EarEpisodeList *list)
{
  return list != NULL && ear_episode_list_get_query (list)->podcast == 0;
}

static gboolean
is_heard (EarEpisodeList *list)
{
  return list != NULL && ear_episode_list_get_query (list)->filter == EAR_FILTER_HISTORY;
}

/* --- Rows ------------------------------------------------------------------------------ */

static void
item_selected_cb (GtkListItem *item)
{
  ear_episode_row_set_ticked (EAR_EPISODE_ROW (gtk_list_item_get_child (item)), gtk_list_item_get_selected (item));
}

static void
row_setup_cb (EarEpisodeView *self, GtkListItem *item)
{
  GtkWidget *row = g_object_new (EAR_TYPE_EPISODE_ROW, NULL);

  gtk_list_item_set_child (item, row);
  /* What all rows have to know: a row is not bound anew when another list has its episode too. */
  g_object_set (row, "snippets", self->snippets, NULL);
  g_object_bind_property (self, "mixed", row, "mixed", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self, "heard", row, "heard", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self, "several", row, "tickable", G_BINDING_SYNC_CREATE);
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
set_collapsed (EarEpisodeView *self, gboolean collapsed)
{
  if (self->collapsed == collapsed)
    return;

  self->collapsed = collapsed;
  gtk_list_view_set_single_click_activate (self->list_view, collapsed && !self->selecting);
  if (!self->selecting)
    ear_episode_view_update_selection (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COLLAPSED]);
}

static void
ear_episode_view_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (object);

  switch ((EarEpisodeViewProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_LIST:
      g_value_set_object (value, self->list);
      break;
    case PROP_EPISODE:
      g_value_set_object (value, self->episode);
      break;
    case PROP_TARGET:
      g_value_set_object (value, self->menu_episode != NULL ? self->menu_episode : self->episode);
      break;
    case PROP_COLLAPSED:
      g_value_set_boolean (value, self->collapsed);
      break;
    case PROP_MIXED:
      g_value_set_boolean (value, is_mixed (self->list));
      break;
    case PROP_HEARD:
      g_value_set_boolean (value, is_heard (self->list));
      break;
    case PROP_SEVERAL:
      g_value_set_boolean (value, self->several);
      break;
    case PROP_SELECTING:
      g_value_set_boolean (value, self->selecting);
      break;
    case PROP_N_SELECTED:
      g_value_set_uint (value, self->selection != NULL ? ear_episode_selection_get_n_selected (self->selection) : 0);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_view_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (object);

  switch (property_id)
    {
    case PROP_LIBRARY:
      if (g_set_object (&self->library, g_value_get_object (value)))
        g_object_notify_by_pspec (object, pspec);
      break;
    case PROP_LIST:
      ear_episode_view_set_list (self, g_value_get_object (value));
      break;
    case PROP_EPISODE:
      ear_episode_view_set_episode (self, g_value_get_object (value));
      break;
    case PROP_COLLAPSED:
      set_collapsed (self, g_value_get_boolean (value));
      break;
    case PROP_SELECTING:
      ear_episode_view_set_selecting (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_view_dispose (GObject *object)
{
  EarEpisodeView *self = EAR_EPISODE_VIEW (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_VIEW);
  g_clear_object (&self->snippets);
  g_clear_object (&self->list);
  g_clear_object (&self->episode);
  g_clear_object (&self->menu_episode);
  g_clear_object (&self->pressed);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_episode_view_parent_class)->dispose (object);
}

static void
ear_episode_view_class_init (EarEpisodeViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_episode_view_get_property;
  object_class->set_property = ear_episode_view_set_property;
  object_class->dispose = ear_episode_view_dispose;
  widget_class->map = ear_episode_view_map;
  widget_class->focus = ear_episode_view_focus;
  widget_class->grab_focus = ear_episode_view_grab_focus;

  /**
   * EarEpisodeView:library:
   *
   * What plays the episodes.
   */
  props[PROP_LIBRARY] = g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY, flags);
  /**
   * EarEpisodeView:list:
   *
   * The rows.
   */
  props[PROP_LIST] = g_param_spec_object ("list", NULL, NULL, EAR_TYPE_EPISODE_LIST, flags);
  /**
   * EarEpisodeView:episode:
   *
   * The episode that was chosen; it need not be in the list.
   */
  props[PROP_EPISODE] = g_param_spec_object ("episode", NULL, NULL, EAR_TYPE_EPISODE, flags);
  /**
   * EarEpisodeView:target:
   *
   * What the actions of an episode work on: that of the context menu.
   */
  props[PROP_TARGET] =
    g_param_spec_object ("target", NULL, NULL, EAR_TYPE_EPISODE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarEpisodeView:collapsed:
   *
   * Whether the page of the chosen episode is not beside it.
   */
  props[PROP_COLLAPSED] = g_param_spec_boolean ("collapsed", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodeView:mixed:
   *
   * Whether the rows are of several podcasts.
   */
  props[PROP_MIXED] =
    g_param_spec_boolean ("mixed", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarEpisodeView:heard:
   *
   * Whether the list is of what was heard.
   */
  props[PROP_HEARD] =
    g_param_spec_boolean ("heard", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarEpisodeView:several:
   *
   * Whether it is about the selected rows, which are ticked then, and not about a single one.
   */
  props[PROP_SEVERAL] =
    g_param_spec_boolean ("several", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarEpisodeView:selecting:
   *
   * Whether a click selects a row beside the others.
   */
  props[PROP_SELECTING] = g_param_spec_boolean ("selecting", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodeView:n-selected:
   *
   * How many rows are selected.
   */
  props[PROP_N_SELECTED] =
    g_param_spec_uint ("n-selected", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  /**
   * EarEpisodeView::activated:
   * @self: the view
   *
   * A row was activated: where the episode's page is not beside it, it is wanted now.
   */
  signals[SIGNAL_ACTIVATED] =
    g_signal_new ("activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  ear_episode_actions_install (widget_class);
  gtk_widget_class_install_action (widget_class, "list.toggle", "x", toggle_episode);

  g_type_ensure (EAR_TYPE_EPISODE_ROW);
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
  ear_menu_later_set (self->selection_button, self->selection_menu);
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self->scroller), "value-changed", G_CALLBACK (ear_episode_view_update_in_sight), self,
                           G_CONNECT_SWAPPED);
  ear_episode_view_follow_day (self);
}

/**
 * ear_episode_view_set_list:
 * @list: (nullable): the rows
 *
 * Shows other rows, from the first one on. The chosen episode stays, unless
 * [method@EarEpisodeView.choose_anew] was called before.
 */
void
ear_episode_view_set_list (EarEpisodeView *self, EarEpisodeList *list)
{
  gboolean had_focus, was_mixed, was_heard;

  g_return_if_fail (EAR_IS_EPISODE_VIEW (self));

  was_mixed = is_mixed (self->list);
  was_heard = is_heard (self->list);
  if (!g_set_object (&self->list, list))
    return;

  had_focus = ear_episode_view_has_focus (self);
  if (is_mixed (list) != was_mixed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MIXED]);
  if (is_heard (list) != was_heard)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_HEARD]);
  ear_episode_selection_set_list (self->selection, list);
  ear_snippet_queue_set_search (self->snippets, self->library, list != NULL ? ear_episode_list_get_query (list)->search : NULL);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
  ear_episode_view_update_in_sight (self);
  ear_episode_view_set_selecting (self, FALSE);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIST]);
  ear_episode_view_update_selection (self);
  if (self->wants_choice)
    ear_episode_view_take_episode (self, NULL);
  if (had_focus)
    ear_episode_view_bring_focus (self);
}

/**
 * ear_episode_view_get_episode:
 *
 * Returns: (transfer none) (nullable): the episode that was chosen
 */
EarEpisode *
ear_episode_view_get_episode (EarEpisodeView *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_VIEW (self), NULL);

  return self->episode;
}

/**
 * ear_episode_view_get_n_ticked:
 *
 * Returns: how many rows are ticked, or -1 where it is about a single one
 */
int
ear_episode_view_get_n_ticked (EarEpisodeView *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_VIEW (self), -1);

  return self->several ? (int) ear_episode_selection_get_n_selected (self->selection) : -1;
}
