/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-pane.h"

#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-episode-tabs.h"
#include "ear-play-button.h"
#include "ear-player-bar-layout.h"
#include "ear-property.h"
#include "ear-queue-button.h"
#include "ear-scrubber.h"
#include "ear-sleep-button.h"
#include "ear-speed-button.h"
#include "ear-transport.h"
#include "ear-video-screen.h"
#include "ear-video-view.h"
#include "ear-volume-button.h"
#include "ear-widget.h"

/**
 * EarPlayerPane:
 *
 * What shows the player: the bar below all panes of a wide window; in a narrow one the strip at its foot (cover, title
 * and one button) and the sheet that it opens.
 *
 * What is in it is made when it is first in sight: no window shows all of them, and none of
 * them before something plays.
 */
struct _EarPlayerPane
{
  AdwBin parent_instance;

  /* Owned */
  EarLibrary *library;
  char *content;
  gboolean is_short;

  /* Borrowed */
  EarEpisodeTabs *tabs; /* (nullable): in the sheet, once it was opened */
};

G_DEFINE_FINAL_TYPE (EarPlayerPane, ear_player_pane, ADW_TYPE_BIN)

static void
fill (EarPlayerPane *self)
{
  g_autofree char *path = g_strdup_printf (EAR_RESOURCE_BASE "/ui/%s.ui", self->content);
  g_autoptr (GtkBuilderScope) scope = gtk_builder_cscope_new ();
  g_autoptr (GtkBuilder) builder = gtk_builder_new ();
  g_autoptr (GError) error = NULL;
  GObject *progress;

  ear_closures_add (GTK_BUILDER_CSCOPE (scope));
  gtk_builder_set_scope (builder, scope);
  gtk_builder_set_current_object (builder, G_OBJECT (self));
  gtk_builder_expose_object (builder, "pane", G_OBJECT (self));
  if (!gtk_builder_add_from_resource (builder, path, &error))
    g_error ("%s: %s", path, error->message);

  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (gtk_builder_get_object (builder, "content")));
  /* As the slider that it stands for */
  self->tabs = EAR_EPISODE_TABS (gtk_builder_get_object (builder, "tabs"));
  progress = gtk_builder_get_object (builder, "progress");
  if (progress != NULL)
    gtk_widget_set_direction (GTK_WIDGET (progress), GTK_TEXT_DIR_LTR);
}

static void
ear_player_pane_map (GtkWidget *widget)
{
  EarPlayerPane *self = EAR_PLAYER_PANE (widget);

  if (self->content != NULL && adw_bin_get_child (ADW_BIN (self)) == NULL)
    fill (self);

  GTK_WIDGET_CLASS (ear_player_pane_parent_class)->map (widget);
}

static void
short_changed_cb (EarPlayerPane *self)
{
  ear_set_css_class (GTK_WIDGET (self), "short", self->is_short);
}

static void
ear_player_pane_dispose (GObject *object)
{
  EarPlayerPane *self = EAR_PLAYER_PANE (object);

  self->tabs = NULL;
  adw_bin_set_child (ADW_BIN (self), NULL);
  g_clear_object (&self->library);
  g_clear_pointer (&self->content, g_free);

  G_OBJECT_CLASS (ear_player_pane_parent_class)->dispose (object);
}

static void
ear_player_pane_class_init (EarPlayerPaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Whose player is shown */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayerPane, library) },
    /* The name of the file that it is filled from */
    { "content", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayerPane, content) },
    /* Whether there is no room for more than the controls: the cover of the sheet makes way */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPlayerPane, is_short),
      .changed = G_CALLBACK (short_changed_cb) },
  };

  object_class->dispose = ear_player_pane_dispose;
  GTK_WIDGET_CLASS (klass)->map = ear_player_pane_map;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_COVER_IMAGE);
  g_type_ensure (EAR_TYPE_EPISODE_TABS);
  g_type_ensure (EAR_TYPE_PLAY_BUTTON);
  g_type_ensure (EAR_TYPE_PLAYER_BAR_LAYOUT);
  g_type_ensure (EAR_TYPE_QUEUE_BUTTON);
  g_type_ensure (EAR_TYPE_SCRUBBER);
  g_type_ensure (EAR_TYPE_SLEEP_BUTTON);
  g_type_ensure (EAR_TYPE_SPEED_BUTTON);
  g_type_ensure (EAR_TYPE_TRANSPORT);
  g_type_ensure (EAR_TYPE_VIDEO_SCREEN);
  g_type_ensure (EAR_TYPE_VIDEO_VIEW);
  g_type_ensure (EAR_TYPE_VOLUME_BUTTON);
}

static void
ear_player_pane_init (EarPlayerPane *self)
{
}

/* Returns: (transfer none) (nullable): what there is to read of the episode in the player */
EarEpisodeTabs *
ear_player_pane_get_tabs (EarPlayerPane *self)
{
  g_return_val_if_fail (EAR_IS_PLAYER_PANE (self), NULL);

  return self->tabs;
}
