/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-qr-code.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ear-property.h"
#include "ear-qr-modules.h"

/* Application pixels. What is around it scrolls before it is smaller than a camera likes it. */
#define MINIMUM_SIZE 160
#define LEAST_MODULE 2
#define NATURAL_SIZE 296
#define RADIUS 12

struct _EarQrCode
{
  GtkWidget parent_instance;

  /* Owned */
  char *text;          /* (nullable) */
  GdkTexture *texture; /* (nullable): a pixel a module */

  int side; /* in modules, with the light zone around it */
};

G_DEFINE_FINAL_TYPE (EarQrCode, ear_qr_code, GTK_TYPE_WIDGET)

static void
text_changed_cb (EarQrCode *self)
{
  guint side = 0;
  g_autoptr (GBytes) modules = self->text != NULL ? ear_qr_modules_encode (self->text, &side) : NULL;

  g_clear_object (&self->texture);
  self->side = (int) side;
  if (modules != NULL)
    self->texture = gdk_memory_texture_new (self->side, self->side, GDK_MEMORY_G8, modules, side);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->text != NULL ? self->text : "", -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
ear_qr_code_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                     int *natural_baseline)
{
  EarQrCode *self = EAR_QR_CODE (widget);

  *minimum = MAX (MINIMUM_SIZE, self->side * LEAST_MODULE);
  *natural = MAX (*minimum, NATURAL_SIZE);
  *minimum_baseline = *natural_baseline = -1;
}

/* With edges between the screen's pixels a camera would see grey ones. */
static void
ear_qr_code_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarQrCode *self = EAR_QR_CODE (widget);
  GtkNative *native = gtk_widget_get_native (widget);
  GdkSurface *surface = native != NULL ? gtk_native_get_surface (native) : NULL;
  const double scale = surface != NULL ? gdk_surface_get_scale (surface) : 1;
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  double size;
  GskRoundedRect outline;

  if (self->texture == NULL)
    return;

  size = MAX (1, floor (MIN (width, height) * scale / self->side)) * self->side / scale;
  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT ((float) (floor ((width - size) / 2 * scale) / scale),
                                                        (float) (floor ((height - size) / 2 * scale) / scale), (float) size, (float) size),
                                   RADIUS);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_scaled_texture (snapshot, self->texture, GSK_SCALING_FILTER_NEAREST, &outline.bounds);
  gtk_snapshot_pop (snapshot);
}

static void
ear_qr_code_finalize (GObject *object)
{
  EarQrCode *self = EAR_QR_CODE (object);

  g_clear_object (&self->texture);
  g_free (self->text);

  G_OBJECT_CLASS (ear_qr_code_parent_class)->finalize (object);
}

static void
ear_qr_code_class_init (EarQrCodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "text", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarQrCode, text), .changed = G_CALLBACK (text_changed_cb) },
  };

  object_class->finalize = ear_qr_code_finalize;
  widget_class->measure = ear_qr_code_measure;
  widget_class->snapshot = ear_qr_code_snapshot;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "qrcode");
}

static void
ear_qr_code_init (EarQrCode *self)
{
  /* Translators: a picture of squares that the camera of a phone can read */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("QR code"), -1);
}
