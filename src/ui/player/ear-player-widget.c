/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-widget.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-format.h"
#include "ear-format-episode.h"
#include "ear-property.h"
#include "ear-scrubber.h"
#include "ear-video.h"
#include "ear-widget.h"

/* The popover of the speed sets multiples of 1/20. */
#define SPEED_STEPS 20

/**
 * EarPlayerWidget:
 *
 * A part of the player, filled from the .ui file that #EarPlayerWidget:content names:
 * the bar of a wide window, the strip and the sheet of a narrow one, and the buttons in
 * them, which are EarPlayerWidgets as well. In the file, the parts of the library have
 * the names of its properties (`player`, `settings`, `sleep-timer`...), and `pane` is
 * the widget itself.
 *
 * The content is made when the widget is first mapped: no window shows all parts, and
 * none of them before an episode is played.
 */
struct _EarPlayerWidget
{
  AdwBin parent_instance;

  /* Owned */
  EarLibrary *library;
  char *content;
  gboolean is_short;
};

G_DEFINE_FINAL_TYPE (EarPlayerWidget, ear_player_widget, ADW_TYPE_BIN)

/* --- Callbacks of the .ui files ----------------------------------------------------- */

/* A button with a short label (the sleep timer's "12 min") is named by its tooltip. */
static void
tooltip_changed_cb (GtkWidget *button)
{
  const char *tooltip = gtk_widget_get_tooltip_text (button);

  if (tooltip != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                    -1);
}

/* GTK would name the button after all texts in its popover once that is open. */
static void
speed_changed_cb (GtkWidget *scale)
{
  GtkWidget *button = gtk_widget_get_ancestor (scale, GTK_TYPE_MENU_BUTTON);
  g_autofree char *text = ear_format_rate (gtk_range_get_value (GTK_RANGE (scale)));
  g_autofree char *name = g_strconcat (_("Speed"), C_("spoken separator", ", "), text, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* A dragged slider stops at the same speeds as the keys and buttons do. */
static gboolean
round_speed_cb (GtkRange *scale, GtkScrollType scroll, double value)
{
  gtk_range_set_value (scale, round (value * SPEED_STEPS) / SPEED_STEPS);

  return GDK_EVENT_STOP;
}

static void
volume_changed_cb (GtkWidget *scale)
{
  const double volume = gtk_range_get_value (GTK_RANGE (scale));
  g_autofree char *text = ear_format_percent ((int) (volume * 100 + 0.5));

  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  -1);
}

/* The wheel changes the volume without opening the popover. In the sheet it
 * scrolls the sheet. */
static gboolean
volume_scrolled_cb (GtkWidget *button, double dx, double dy)
{
  if (dy == 0 || gtk_widget_get_ancestor (button, GTK_TYPE_SCROLLED_WINDOW) != NULL)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action (button, dy < 0 ? "app.volume-up" : "app.volume-down", NULL);

  return GDK_EVENT_STOP;
}

/* Time runs from left to right in every language, as does a tape. */
static void
set_left_to_right (GtkWidget *widget)
{
  ear_set_direction (widget, GTK_TEXT_DIR_LTR);
}

/* --- Callbacks of Up Next ----------------------------------------------------------- */

/* The list has rows, and reads episodes, only while the popover is open. */
static GListModel *
list_while_open (gpointer object, gboolean open, EarQueue *queue)
{
  return open ? G_LIST_MODEL (g_object_ref (ear_queue_get_list (queue))) : NULL;
}

static char *
format_queued (GtkListItem *item, EarEpisode *episode)
{
  return episode != NULL ? ear_format_result (episode, 0) : NULL;
}

/* The row for screen readers */
static char *
format_queued_spoken (GtkListItem *item, EarEpisode *episode)
{
  g_autofree char *facts = format_queued (item, episode);

  if (episode == NULL)
    return NULL;

  return g_strconcat (ear_episode_get_name (episode), C_("spoken separator", ", "), facts, NULL);
}

static void
queued_activated_cb (GtkListView *list, guint position)
{
  g_autoptr (EarEpisode) episode =
      g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (list)), position);
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (list), GTK_TYPE_POPOVER);
  g_autofree char *key = ear_episode_dup_key (episode);

  gtk_widget_activate_action (GTK_WIDGET (list), "app.play-episode", "s", key);
  gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
remove_queued_cb (GtkListItem *item, GtkWidget *button)
{
  EarPlayerWidget *self =
      EAR_PLAYER_WIDGET (gtk_widget_get_ancestor (button, EAR_TYPE_PLAYER_WIDGET));
  g_autoptr (GPtrArray) removed = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (removed, g_object_ref (gtk_list_item_get_item (item)));
  /* The focused button is removed with its row. */
  gtk_widget_grab_focus (gtk_widget_get_ancestor (button, GTK_TYPE_LIST_VIEW));
  ear_queue_remove (ear_library_get_queue (self->library), removed);
}

/* --- Content ------------------------------------------------------------------------ */

static GtkBuilderScope *
create_scope (void)
{
  GtkBuilderScope *scope = gtk_builder_cscope_new ();

  ear_closures_add (GTK_BUILDER_CSCOPE (scope));
  gtk_builder_cscope_add_callback (scope, tooltip_changed_cb);
  gtk_builder_cscope_add_callback (scope, speed_changed_cb);
  gtk_builder_cscope_add_callback (scope, round_speed_cb);
  gtk_builder_cscope_add_callback (scope, volume_changed_cb);
  gtk_builder_cscope_add_callback (scope, volume_scrolled_cb);
  gtk_builder_cscope_add_callback (scope, ear_playback_settings_begin_change);
  gtk_builder_cscope_add_callback (scope, ear_playback_settings_end_change);
  gtk_builder_cscope_add_callback (scope, set_left_to_right);
  gtk_builder_cscope_add_callback (scope, gtk_widget_grab_focus);
  gtk_builder_cscope_add_callback (scope, list_while_open);
  gtk_builder_cscope_add_callback (scope, format_queued);
  gtk_builder_cscope_add_callback (scope, format_queued_spoken);
  gtk_builder_cscope_add_callback (scope, queued_activated_cb);
  gtk_builder_cscope_add_callback (scope, remove_queued_cb);
  gtk_builder_cscope_add_callback (scope, gtk_popover_popdown);

  return scope;
}

static void
expose_parts (EarPlayerWidget *self, GtkBuilder *builder)
{
  const char *const parts[] = { "player", "settings", "playback-settings", "listening",
                                "playback-controller", "chapter-control", "sleep-timer", "queue" };

  gtk_builder_expose_object (builder, "pane", G_OBJECT (self));
  gtk_builder_expose_object (builder, "library", G_OBJECT (self->library));
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GObject) part = NULL;

      g_object_get (self->library, parts[i], &part, NULL);
      gtk_builder_expose_object (builder, parts[i], part);
    }
}

static void
fill (EarPlayerWidget *self)
{
  g_autofree char *path = g_strdup_printf (EAR_RESOURCE_BASE "/ui/%s.ui", self->content);
  g_autoptr (GtkBuilderScope) scope = create_scope ();
  g_autoptr (GtkBuilder) builder = gtk_builder_new ();
  g_autoptr (GError) error = NULL;

  gtk_builder_set_scope (builder, scope);
  gtk_builder_set_current_object (builder, G_OBJECT (self));
  expose_parts (self, builder);
  if (!gtk_builder_add_from_resource (builder, path, &error))
    g_error ("%s: %s", path, error->message);

  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (gtk_builder_get_object (builder, "content")));
}

static void
ear_player_widget_map (GtkWidget *widget)
{
  EarPlayerWidget *self = EAR_PLAYER_WIDGET (widget);

  if (self->library != NULL && adw_bin_get_child (ADW_BIN (self)) == NULL)
    fill (self);

  GTK_WIDGET_CLASS (ear_player_widget_parent_class)->map (widget);
}

static void
short_changed_cb (EarPlayerWidget *self)
{
  ear_set_css_class (GTK_WIDGET (self), "short", self->is_short);
}

static void
ear_player_widget_class_init (EarPlayerWidgetClass *klass)
{
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayerWidget, library) },
    /* Name of the .ui file, without its extension */
    { "content", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayerWidget, content) },
    /* Whether the window is too low for the cover of the sheet */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayerWidget, is_short),
      .changed = G_CALLBACK (short_changed_cb) },
  };

  GTK_WIDGET_CLASS (klass)->map = ear_player_widget_map;
  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_COVER);
  g_type_ensure (EAR_TYPE_EPISODE_TABS);
  g_type_ensure (EAR_TYPE_SCRUBBER);
  g_type_ensure (EAR_TYPE_VIDEO_SCREEN);
  g_type_ensure (EAR_TYPE_VIDEO_VIEW);
}

static void
ear_player_widget_init (EarPlayerWidget *self)
{
}

static gboolean
is_tabs (GtkWidget *widget)
{
  return EAR_IS_EPISODE_TABS (widget);
}

/* Returns: (transfer none) (nullable): the tabs of the episode in the player; %NULL
 * outside the sheet, and before the sheet was opened */
EarEpisodeTabs *
ear_player_widget_get_tabs (EarPlayerWidget *self)
{
  GtkWidget *tabs = ear_find_within (GTK_WIDGET (self), is_tabs);

  return tabs != NULL ? EAR_EPISODE_TABS (tabs) : NULL;
}
