/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listened-row.h"

#include <glib/gi18n.h>

#include "ear-cover.h"
#include "ear-format.h"

/**
 * EarListenedRow:
 *
 * A podcast, and for how long it was heard, also as a part of that of the one that was heard most.
 */
struct _EarListenedRow
{
  GtkListBoxRow parent_instance;

  /* Template children */
  EarCover *cover;
  GtkLabel *title;
  GtkLabel *time;
  GtkProgressBar *bar;
};

G_DEFINE_FINAL_TYPE (EarListenedRow, ear_listened_row, GTK_TYPE_LIST_BOX_ROW)

static void
ear_listened_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_LISTENED_ROW);

  G_OBJECT_CLASS (ear_listened_row_parent_class)->dispose (object);
}

static void
ear_listened_row_class_init (EarListenedRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_listened_row_dispose;

  g_type_ensure (EAR_TYPE_COVER);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-listened-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarListenedRow, cover);
  gtk_widget_class_bind_template_child (widget_class, EarListenedRow, title);
  gtk_widget_class_bind_template_child (widget_class, EarListenedRow, time);
  gtk_widget_class_bind_template_child (widget_class, EarListenedRow, bar);
}

static void
ear_listened_row_init (EarListenedRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @podcast: (nullable): the podcast, as long as it is followed; afterwards it has the name that it had
 * @most: for how long the one was heard that was heard most, microseconds
 * Returns: (transfer floating): a row */
GtkWidget *
ear_listened_row_new (const EarListenedPodcast *listened, EarPodcast *podcast, gint64 most)
{
  EarListenedRow *self = g_object_new (EAR_TYPE_LISTENED_ROW, NULL);
  const char *name = podcast != NULL ? ear_podcast_get_name (podcast) : listened->title;
  g_autofree char *time = ear_format_duration (listened->listened.time);
  g_autofree char *spoken = ear_format_duration_spoken (listened->listened.time);
  g_autofree char *words = NULL;

  if (name == NULL)
    name = _("Untitled podcast");
  words = g_strjoin (C_("spoken separator", ", "), name, spoken, NULL);
  g_object_set (self->cover, "title", name, NULL);
  if (podcast != NULL)
    g_object_bind_property (podcast, "image", self->cover, "address", G_BINDING_SYNC_CREATE);
  gtk_label_set_label (self->title, name);
  gtk_label_set_label (self->time, time);
  gtk_progress_bar_set_fraction (self->bar, CLAMP ((double) listened->listened.time / (double) MAX (1, most), 0, 1));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);

  return GTK_WIDGET (self);
}
