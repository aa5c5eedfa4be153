/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-queue-button.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-format-episode.h"
#include "ear-property.h"

/**
 * EarQueueButton:
 *
 * Opens a popover with the first episodes of Up Next, which can be played and removed
 * there. Hidden while Up Next is empty.
 */
struct _EarQueueButton
{
  AdwBin parent_instance;

  /* Template children */
  GtkMenuButton *button;
  GtkListView *list_view;
  GtkNoSelection *episodes;
  GtkSliceListModel *first;

  /* Owned */
  EarQueue *queue;
};

G_DEFINE_FINAL_TYPE (EarQueueButton, ear_queue_button, ADW_TYPE_BIN)

static GVariant *
make_target (GtkListItem *item, guint position)
{
  return g_variant_ref_sink (g_variant_new_uint32 (position));
}

static char *
format_facts (GtkListItem *item, EarEpisode *episode)
{
  return episode != NULL ? ear_format_result (episode, 0) : NULL;
}

/* The row for screen readers */
static char *
format_spoken (GtkListItem *item, EarEpisode *episode)
{
  g_autofree char *facts = format_facts (item, episode);

  if (episode == NULL)
    return NULL;

  return g_strconcat (ear_episode_get_name (episode), C_("spoken separator", ", "), facts, NULL);
}

static void
activated_cb (EarQueueButton *self, guint position)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->episodes), position);
  g_autofree char *key = episode != NULL ? ear_episode_dup_key (episode) : NULL;

  if (key == NULL)
    return;

  gtk_menu_button_popdown (self->button);
  gtk_widget_activate_action (GTK_WIDGET (self), "app.play-episode", "s", key);
}

static void
remove_episode (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarQueueButton *self = EAR_QUEUE_BUTTON (widget);
  const guint position = g_variant_get_uint32 (parameter);
  EarEpisode *episode = g_list_model_get_item (G_LIST_MODEL (self->episodes), position);
  g_autoptr (GPtrArray) removed = g_ptr_array_new_with_free_func (g_object_unref);

  if (episode == NULL)
    return;

  g_ptr_array_add (removed, episode);
  /* The focused button is removed with its row. */
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
  ear_queue_remove (self->queue, removed);
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_menu_button_popdown (EAR_QUEUE_BUTTON (widget)->button);
  gtk_widget_activate_action (widget, "win.show-up-next", NULL);
}

/* The list has rows, and reads episodes, only while the popover is open. */
static void
opened_cb (EarQueueButton *self)
{
  if (self->queue != NULL)
    gtk_slice_list_model_set_model (self->first, G_LIST_MODEL (ear_queue_get_list (self->queue)));
}

static void
closed_cb (EarQueueButton *self)
{
  if (self->first != NULL)
    gtk_slice_list_model_set_model (self->first, NULL);
}

static void
ear_queue_button_dispose (GObject *object)
{
  EarQueueButton *self = EAR_QUEUE_BUTTON (object);

  /* Closes the popover while the template still exists. */
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_QUEUE_BUTTON);
  g_clear_object (&self->queue);

  G_OBJECT_CLASS (ear_queue_button_parent_class)->dispose (object);
}

static void
ear_queue_button_class_init (EarQueueButtonClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "queue", EAR_TYPE_QUEUE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarQueueButton, queue) },
  };

  object_class->dispose = ear_queue_button_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_COVER);
  gtk_widget_class_install_action (widget_class, "up-next.remove", "u", remove_episode);
  gtk_widget_class_install_action (widget_class, "up-next.show-all", NULL, show_all);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-queue-button.ui");
  gtk_widget_class_bind_template_child (widget_class, EarQueueButton, button);
  gtk_widget_class_bind_template_child (widget_class, EarQueueButton, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarQueueButton, episodes);
  gtk_widget_class_bind_template_child (widget_class, EarQueueButton, first);
  gtk_widget_class_bind_template_callback (widget_class, make_target);
  gtk_widget_class_bind_template_callback (widget_class, format_facts);
  gtk_widget_class_bind_template_callback (widget_class, format_spoken);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, opened_cb);
  gtk_widget_class_bind_template_callback (widget_class, closed_cb);
  ear_closures_bind (widget_class);
}

static void
ear_queue_button_init (EarQueueButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
