/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-reference-group.h"

#include <adwaita.h>

#include "ear-closures.h"
#include "ear-episode.h"
#include "ear-format-episode.h"
#include "ear-property.h"

struct _EarReferenceGroup
{
  GtkBox parent_instance;

  /* Template children */
  GtkListBox *list;

  /* Owned */
  char *title;
  GPtrArray *episodes; /* (nullable) (element-type EarEpisode) */

  gboolean queueable;
};

G_DEFINE_FINAL_TYPE (EarReferenceGroup, ear_reference_group, GTK_TYPE_BOX)

static void
row_activated_cb (EarReferenceGroup *self, GtkListBoxRow *row)
{
  const guint index = (guint) gtk_list_box_row_get_index (row);
  g_autofree char *key = ear_episode_dup_key (g_ptr_array_index (self->episodes, index));

  gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", key);
}

/* @podcast: what need not be said to be its own */
static GtkWidget *
create_row (EarEpisode *episode, EarPodcast *podcast)
{
  g_autofree char *facts = ear_episode_get_podcast (episode) == podcast
                           ? ear_format_episode (episode)
                           : ear_format_result (episode, g_get_real_time () / G_USEC_PER_SEC);

  return g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title",
                       ear_episode_get_name (episode), "subtitle", facts, "activatable", TRUE,
                       NULL);
}

static void
ear_reference_group_dispose (GObject *object)
{
  EarReferenceGroup *self = EAR_REFERENCE_GROUP (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_REFERENCE_GROUP);
  g_clear_pointer (&self->episodes, g_ptr_array_unref);
  g_clear_pointer (&self->title, g_free);

  G_OBJECT_CLASS (ear_reference_group_parent_class)->dispose (object);
}

static void
ear_reference_group_class_init (EarReferenceGroupClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "title", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarReferenceGroup, title) },
    { "queueable", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarReferenceGroup, queueable) },
  };

  object_class->dispose = ear_reference_group_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-reference-group.ui");
  gtk_widget_class_bind_template_child (widget_class, EarReferenceGroup, list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  ear_closures_bind (widget_class);
}

static void
ear_reference_group_init (EarReferenceGroup *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @episodes: (nullable) (element-type EarEpisode): none hides it
 * @podcast: (nullable): the podcast of the episode that they belong together with */
void
ear_reference_group_set_episodes (EarReferenceGroup *self, GPtrArray *episodes, EarPodcast *podcast)
{
  g_return_if_fail (EAR_IS_REFERENCE_GROUP (self));

  g_clear_pointer (&self->episodes, g_ptr_array_unref);
  gtk_list_box_remove_all (self->list);
  if (episodes != NULL && episodes->len > 0)
    self->episodes = g_ptr_array_ref (episodes);
  for (guint i = 0; self->episodes != NULL && i < self->episodes->len; i++)
    gtk_list_box_append (self->list, create_row (g_ptr_array_index (self->episodes, i), podcast));
  gtk_widget_set_visible (GTK_WIDGET (self), self->episodes != NULL);
}

/* Returns: (transfer none) (nullable) (element-type EarEpisode): them */
GPtrArray *
ear_reference_group_get_episodes (EarReferenceGroup *self)
{
  g_return_val_if_fail (EAR_IS_REFERENCE_GROUP (self), NULL);

  return self->episodes;
}
