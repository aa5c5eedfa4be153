/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-icon.h"

#include <math.h>

#include "ear-model-enums.h"

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

typedef enum
{
  PROP_DOWNLOAD = 1,
  PROP_PROGRESS,
  PROP_SIZE,
  PROP_PRESSABLE,
} EarDownloadIconProperty;

static GParamSpec *props[PROP_PRESSABLE + 1];

static const char *
get_icon_name (EarDownloadIcon *self)
{
  switch (self->download)
    {
    case EAR_DOWNLOAD_DONE:
      return self->pressable ? "user-trash-symbolic" : "ear-downloaded-symbolic";
    case EAR_DOWNLOAD_FAILED:
      return self->pressable ? "view-refresh-symbolic" : "dialog-warning-symbolic";
    case EAR_DOWNLOAD_NONE:
      return "folder-download-symbolic";
    case EAR_DOWNLOAD_WAITING:
    case EAR_DOWNLOAD_RUNNING:
    default:
      return NULL;
    }
}

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
  const char *name = get_icon_name (self);
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
set_css_class (EarDownloadIcon *self, const char *css_class, gboolean set)
{
  if (set)
    gtk_widget_add_css_class (GTK_WIDGET (self), css_class);
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), css_class);
}

static void
ear_download_icon_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarDownloadIcon *self = EAR_DOWNLOAD_ICON (object);

  switch ((EarDownloadIconProperty) property_id)
    {
    case PROP_DOWNLOAD:
      g_value_set_enum (value, self->download);
      break;
    case PROP_PROGRESS:
      g_value_set_double (value, self->progress);
      break;
    case PROP_SIZE:
      g_value_set_int (value, self->size);
      break;
    case PROP_PRESSABLE:
      g_value_set_boolean (value, self->pressable);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_download_icon_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarDownloadIcon *self = EAR_DOWNLOAD_ICON (object);

  switch ((EarDownloadIconProperty) property_id)
    {
    case PROP_DOWNLOAD:
      ear_download_icon_set_download (self, g_value_get_enum (value));
      break;
    case PROP_PROGRESS:
      ear_download_icon_set_progress (self, g_value_get_double (value));
      break;
    case PROP_SIZE:
      self->size = g_value_get_int (value);
      break;
    case PROP_PRESSABLE:
      self->pressable = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_download_icon_class_init (EarDownloadIconClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags constructed = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_download_icon_get_property;
  object_class->set_property = ear_download_icon_set_property;
  widget_class->get_request_mode = ear_download_icon_get_request_mode;
  widget_class->measure = ear_download_icon_measure;
  widget_class->snapshot = ear_download_icon_snapshot;

  /**
   * EarDownloadIcon:download:
   *
   * The state of the episode's download.
   */
  props[PROP_DOWNLOAD] = g_param_spec_enum ("download", NULL, NULL, EAR_TYPE_DOWNLOAD, EAR_DOWNLOAD_NONE, flags);
  /**
   * EarDownloadIcon:progress:
   *
   * How much of it is there, 0 to 1; -1 where its length is not known.
   */
  props[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, -1, 1, 0, flags);
  /**
   * EarDownloadIcon:size:
   *
   * Length of a side in application pixels.
   */
  props[PROP_SIZE] = g_param_spec_int ("size", NULL, NULL, 1, G_MAXINT16, 16, constructed);
  /**
   * EarDownloadIcon:pressable:
   *
   * Whether it is a button's, and tells what a press does: stop, or try again.
   */
  props[PROP_PRESSABLE] = g_param_spec_boolean ("pressable", NULL, NULL, FALSE, constructed);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  gtk_widget_class_set_css_name (widget_class, "download");
  /* Its row, or its button, tells it in words. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ear_download_icon_init (EarDownloadIcon *self)
{
}

/**
 * ear_download_icon_new:
 * @size: length of a side in application pixels
 *
 * Returns: (transfer floating): a mark, in nobody's button
 */
GtkWidget *
ear_download_icon_new (int size)
{
  return g_object_new (EAR_TYPE_DOWNLOAD_ICON, "size", size, NULL);
}

void
ear_download_icon_set_download (EarDownloadIcon *self, EarDownload download)
{
  g_return_if_fail (EAR_IS_DOWNLOAD_ICON (self));

  if (self->download == download)
    return;

  self->download = download;
  set_css_class (self, "done", download == EAR_DOWNLOAD_DONE);
  set_css_class (self, "failed", download == EAR_DOWNLOAD_FAILED);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DOWNLOAD]);
}

void
ear_download_icon_set_progress (EarDownloadIcon *self, double progress)
{
  g_return_if_fail (EAR_IS_DOWNLOAD_ICON (self));

  if (self->progress == progress)
    return;

  self->progress = progress;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PROGRESS]);
}
