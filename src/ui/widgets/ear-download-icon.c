/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-icon.h"

#include <math.h>

#include "ear-episode.h"
#include "ear-model-enums.h"
#include "ear-property.h"
#include "ear-widget.h"

/* What of the ring is not done yet, beside what is */
#define TRACK_ALPHA 0.25f

/* A ring of which nothing is done, or nobody knows how much */
#define WAITING_ALPHA 0.4f
#define UNKNOWN_ALPHA 0.6f

/**
 * EarDownloadIcon:
 *
 * How far an episode is on this machine, as small as an icon: while it is fetched a ring that closes.
 * What changes is only drawn anew, so that nothing around it is laid out four times a second.
 */
struct _EarDownloadIcon
{
  GtkWidget parent_instance;

  EarDownload download;
  double progress;
  int size;
  gboolean pressable;
};

G_DEFINE_FINAL_TYPE (EarDownloadIcon, ear_download_icon, GTK_TYPE_WIDGET)

/* What it is, and what a press does with it. What is on its way has a ring. */
static const char *const icon_names[][2] = {
  [EAR_DOWNLOAD_NONE] = { "folder-download-symbolic", "folder-download-symbolic" },
  [EAR_DOWNLOAD_FAILED] = { "dialog-warning-symbolic", "view-refresh-symbolic" },
  [EAR_DOWNLOAD_PAUSED] = { "media-playback-pause-symbolic", "folder-download-symbolic" },
  [EAR_DOWNLOAD_DONE] = { "ear-downloaded-symbolic", "user-trash-symbolic" },
};

static void
append_icon (EarDownloadIcon *self, GtkSnapshot *snapshot, const char *name, const GdkRGBA *color)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gtk_widget_get_display (widget));
  g_autoptr (GtkIconPaintable) icon =
    gtk_icon_theme_lookup_icon (theme, name, NULL, self->size, gtk_widget_get_scale_factor (widget),
                                gtk_widget_get_direction (widget), GTK_ICON_LOOKUP_FORCE_SYMBOLIC);

  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon), snapshot, self->size, self->size, color, 1);
}

/* From the top, as a clock runs in every language */
static GskPath *
create_arc (float middle, float radius, double part)
{
  GskPathBuilder *builder = gsk_path_builder_new ();
  const double angle = part * 2 * G_PI;

  if (part >= 1)
    gsk_path_builder_add_circle (builder, &GRAPHENE_POINT_INIT (middle, middle), radius);
  else
    {
      gsk_path_builder_move_to (builder, middle, middle - radius);
      gsk_path_builder_svg_arc_to (builder, radius, radius, 0, part > 0.5, TRUE,
                                   middle + radius * (float) sin (angle), middle - radius * (float) cos (angle));
    }

  return gsk_path_builder_free_to_path (builder);
}

static void
append_arc (EarDownloadIcon *self, GtkSnapshot *snapshot, double part, const GdkRGBA *color, float alpha)
{
  const float middle = self->size / 2.0f;
  const float width = self->size / 8.0f;
  g_autoptr (GskPath) path = create_arc (middle, middle - width / 2 - self->size / 16.0f, part);
  g_autoptr (GskStroke) stroke = gsk_stroke_new (width);
  GdkRGBA faded = *color;

  faded.alpha *= alpha;
  gtk_snapshot_append_stroke (snapshot, path, stroke, &faded);
}

static float
get_track_alpha (EarDownloadIcon *self)
{
  if (self->download == EAR_DOWNLOAD_WAITING)
    return WAITING_ALPHA;

  return self->progress < 0 ? UNKNOWN_ALPHA : TRACK_ALPHA;
}

static void
append_ring (EarDownloadIcon *self, GtkSnapshot *snapshot, const GdkRGBA *color)
{
  const float side = self->size / 4.0f;

  append_arc (self, snapshot, 1, color, get_track_alpha (self));
  if (self->download == EAR_DOWNLOAD_RUNNING && self->progress > 0)
    append_arc (self, snapshot, self->progress, color, 1);
  /* What a press does: it stops. */
  if (self->pressable)
    gtk_snapshot_append_color (snapshot, color,
                               &GRAPHENE_RECT_INIT ((self->size - side) / 2, (self->size - side) / 2, side, side));
}

static void
ear_download_icon_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarDownloadIcon *self = EAR_DOWNLOAD_ICON (widget);
  const char *name = icon_names[self->download][self->pressable ? 1 : 0];
  GdkRGBA color;

  gtk_widget_get_color (widget, &color);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (floorf ((gtk_widget_get_width (widget) - self->size) / 2.0f),
                                                          floorf ((gtk_widget_get_height (widget) - self->size) / 2.0f)));
  if (name != NULL)
    append_icon (self, snapshot, name, &color);
  else
    append_ring (self, snapshot, &color);
  gtk_snapshot_restore (snapshot);
}

static GtkSizeRequestMode
ear_download_icon_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
ear_download_icon_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  *minimum = *natural = EAR_DOWNLOAD_ICON (widget)->size;
}

static void
download_changed_cb (EarDownloadIcon *self)
{
  ear_set_css_class (GTK_WIDGET (self), "done", self->download == EAR_DOWNLOAD_DONE);
  ear_set_css_class (GTK_WIDGET (self), "failed", self->download == EAR_DOWNLOAD_FAILED);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ear_download_icon_class_init (EarDownloadIconClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* The state of the episode's download */
    { "download", EAR_TYPE_DOWNLOAD, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarDownloadIcon, download),
      .changed = G_CALLBACK (download_changed_cb) },
    /* How much of it is there, 0 to 1; -1 where its length is not known */
    { .spec = g_param_spec_double ("progress", NULL, NULL, -1, 1, 0, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarDownloadIcon, progress), .changed = G_CALLBACK (gtk_widget_queue_draw) },
    /* Length of a side in application pixels */
    { .spec = g_param_spec_int ("size", NULL, NULL, 1, G_MAXINT16, 16, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY),
      .offset = G_STRUCT_OFFSET (EarDownloadIcon, size) },
    /* Whether it is a button's, and tells what a press does: stop, or try again */
    { "pressable", G_TYPE_BOOLEAN, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY, G_STRUCT_OFFSET (EarDownloadIcon, pressable) },
  };

  widget_class->get_request_mode = ear_download_icon_get_request_mode;
  widget_class->measure = ear_download_icon_measure;
  widget_class->snapshot = ear_download_icon_snapshot;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_css_name (widget_class, "download");
  /* Its row, or its button, tells it in words. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ear_download_icon_init (EarDownloadIcon *self)
{
}
