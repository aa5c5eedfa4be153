/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-widgets.h"

#include <glib/gi18n.h>

#include "ear-widget.h"

/*
 * A picture of the notes: a link that says what it shows, and below it the picture, once the listener has clicked on that, or if he wants
 * all of the podcast. Whoever sees a picture tells the server that has it what is read, and when.
 */

#define LOADING "ear-notes-loading"

GtkWidget *
ear_notes_picture_new (GtkWidget *label)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *picture = g_object_new (GTK_TYPE_PICTURE,
                                     "content-fit", GTK_CONTENT_FIT_SCALE_DOWN,
                                     "halign", GTK_ALIGN_START,
                                     "overflow", GTK_OVERFLOW_HIDDEN,
                                     "visible", FALSE,
                                     NULL);

  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), picture);
  gtk_widget_add_css_class (box, "notes-image");

  return box;
}

static void
stop (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  g_object_unref (cancellable);
}

static void
set_loading (GtkWidget *widget, GCancellable *cancellable)
{
  g_object_set_data_full (G_OBJECT (widget), LOADING, cancellable, stop);
  ear_set_css_class (gtk_widget_get_first_child (widget), "dimmed", cancellable != NULL);
}

/* Shows no picture yet.
 * @description: what it shows, maybe empty */
void
ear_notes_picture_fill (GtkWidget *widget, const char *description)
{
  GtkPicture *picture = GTK_PICTURE (gtk_widget_get_last_child (widget));

  set_loading (widget, NULL);
  gtk_picture_set_paintable (picture, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_LABEL, *description != '\0' ? description : _("Picture"), -1);
  gtk_widget_set_visible (GTK_WIDGET (picture), FALSE);
}

static void
show (GtkWidget *widget, EarImage *image)
{
  GtkWidget *picture = gtk_widget_get_last_child (widget);
  g_autoptr (GdkTexture) texture =
    gdk_memory_texture_new (image->width, image->height, image->has_alpha ? GDK_MEMORY_R8G8B8A8 : GDK_MEMORY_R8G8B8, image->pixels, image->stride);

  gtk_picture_set_paintable (GTK_PICTURE (picture), GDK_PAINTABLE (texture));
  gtk_widget_set_visible (picture, TRUE);
}

/* Returns: %FALSE if there is no picture */
static gboolean
take (GtkWidget *widget, EarCoverCache *covers, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarImage) image = ear_cover_cache_load_finish (covers, result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return TRUE;

  set_loading (widget, NULL);
  if (image != NULL)
    show (widget, image);

  return image != NULL;
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;

  if (!take (widget, EAR_COVER_CACHE (object), result))
    gtk_widget_activate_action (widget, "win.notify", "s", _("The picture could not be loaded."));
}

static void
loaded_unasked_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;

  take (widget, EAR_COVER_CACHE (object), result);
}

/* Loads the picture, if it is not there.
 * @asked: whether the listener has asked for this one, and is told where it cannot be had
 * Returns: %FALSE if it is */
gboolean
ear_notes_picture_load (GtkWidget *widget, EarCoverCache *covers, const char *address, gboolean asked)
{
  GCancellable *cancellable;

  if (gtk_widget_get_visible (gtk_widget_get_last_child (widget)))
    return FALSE;
  cancellable = g_cancellable_new ();
  set_loading (widget, cancellable);
  ear_cover_cache_load_async (covers, address, EAR_COVER_LARGE, cancellable, asked ? loaded_cb : loaded_unasked_cb, g_object_ref (widget));

  return TRUE;
}
