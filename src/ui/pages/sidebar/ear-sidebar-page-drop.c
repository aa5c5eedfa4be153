/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sidebar-page-private.h"

#include "ear-collection-row.h"
#include "ear-row-action.h"

/*
 * Episodes that are dropped on Up Next.
 */

static void
mark_drop (EarSidebarPage *self, GtkWidget *row)
{
  ear_row_mark (GTK_WIDGET (self->list_view), row, "drop-into");
}

static GtkWidget *
find_queue (EarSidebarPage *self, double x, double y)
{
  GtkWidget *row = ear_row_at (GTK_WIDGET (self->list_view), x, y, EAR_TYPE_COLLECTION_ROW);
  EarCollection *collection = row != NULL ? ear_collection_row_get_collection (EAR_COLLECTION_ROW (row)) : NULL;

  return collection != NULL && ear_collection_get_kind (collection) == EAR_COLLECTION_QUEUE ? row : NULL;
}

static GdkDragAction
drop_motion_cb (EarSidebarPage *self, double x, double y)
{
  GtkWidget *row = find_queue (self, x, y);

  mark_drop (self, row);

  return row != NULL ? GDK_ACTION_COPY : 0;
}

static void
drop_leave_cb (EarSidebarPage *self)
{
  mark_drop (self, NULL);
}

static gboolean
drop_cb (EarSidebarPage *self, const GValue *value, double x, double y)
{
  const gboolean meant = find_queue (self, x, y) != NULL;

  mark_drop (self, NULL);
  if (meant)
    ear_queue_add_last (ear_library_get_queue (self->library), g_value_get_boxed (value));

  return meant;
}

void
ear_sidebar_page_bind_drop (GtkWidgetClass *widget_class)
{
  g_type_ensure (G_TYPE_PTR_ARRAY);
  gtk_widget_class_bind_template_callback (widget_class, drop_motion_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_leave_cb);
  gtk_widget_class_bind_template_callback (widget_class, drop_cb);
}
