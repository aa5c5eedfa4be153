/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-queue-button.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-property.h"

/* As many as are seen at a glance */
#define N_EPISODES 5

/**
 * EarQueueButton:
 *
 * Tells what is up next, and plays one of it; is not there where nothing is.
 */
struct _EarQueueButton
{
  AdwBin parent_instance;

  /* Template children */
  GtkMenuButton *button;

  /* Owned */
  EarQueue *queue;
};

G_DEFINE_FINAL_TYPE (EarQueueButton, ear_queue_button, ADW_TYPE_BIN)

/* Each by what it is called, and not by its place: another one may leave while the menu is open. */
static GMenuModel *
create_episodes (EarQueueButton *self)
{
  GListModel *list = G_LIST_MODEL (ear_queue_get_list (self->queue));
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < MIN (N_EPISODES, g_list_model_get_n_items (list)); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (list, i);
      g_autoptr (GMenuItem) item = NULL;
      g_autoptr (GString) label = NULL;
      g_autofree char *key = NULL;

      if (episode == NULL)
        continue;
      label = g_string_new (ear_episode_get_name (episode));
      /* It is no key. */
      g_string_replace (label, "_", "__", 0);
      item = g_menu_item_new (label->str, NULL);
      key = ear_episode_dup_key (episode);
      g_menu_item_set_action_and_target (item, "app.play-episode", "s", key);
      g_menu_append_item (menu, item);
    }

  return G_MENU_MODEL (menu);
}

/* Made when it is opened: what is up next may be another one each time. */
static void
create_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  EarQueueButton *self = EAR_QUEUE_BUTTON (user_data);
  g_autoptr (GMenuModel) episodes = create_episodes (self);
  g_autoptr (GMenu) all = g_menu_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (all, _("_Show All"), "win.show-up-next");
  g_menu_append_section (menu, NULL, episodes);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
ear_queue_button_dispose (GObject *object)
{
  EarQueueButton *self = EAR_QUEUE_BUTTON (object);

  if (self->button != NULL)
    gtk_menu_button_set_create_popup_func (self->button, NULL, NULL, NULL);
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
    /* What is up next */
    { "queue", EAR_TYPE_QUEUE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarQueueButton, queue) },
  };

  object_class->dispose = ear_queue_button_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-queue-button.ui");
  gtk_widget_class_bind_template_child (widget_class, EarQueueButton, button);
  ear_closures_bind (widget_class);
}

static void
ear_queue_button_init (EarQueueButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->button, create_menu_cb, self, NULL);
}
