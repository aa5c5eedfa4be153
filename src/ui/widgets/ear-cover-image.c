/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-image.h"

#include "ear-cover.h"

/**
 * EarCoverImage:
 *
 * A [class@Cover] as a widget, as large on the screen as it is told to be from the start, so
 * that nothing moves when the picture comes. What is made two hundred times draws the cover itself.
 */
struct _EarCoverImage
{
  GtkWidget parent_instance;

  /* Owned */
  EarCover *cover;
};

G_DEFINE_FINAL_TYPE (EarCoverImage, ear_cover_image, GTK_TYPE_WIDGET)

typedef enum
{
  PROP_ADDRESS = 1,
  PROP_TITLE,
  PROP_SIZE,
} EarCoverImageProperty;

static GParamSpec *props[PROP_SIZE + 1];

static void
ear_cover_image_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ear_cover_image_parent_class)->map (widget);
  ear_cover_show (EAR_COVER_IMAGE (widget)->cover);
}

static void
ear_cover_image_unmap (GtkWidget *widget)
{
  ear_cover_hide (EAR_COVER_IMAGE (widget)->cover);
  GTK_WIDGET_CLASS (ear_cover_image_parent_class)->unmap (widget);
}

static void
ear_cover_image_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ear_cover_show (EAR_COVER_IMAGE (widget)->cover);
}

static GtkSizeRequestMode
ear_cover_image_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
ear_cover_image_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  *minimum = *natural = ear_cover_get_size (EAR_COVER_IMAGE (widget)->cover);
}

static void
ear_cover_image_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  const int size = MIN (width, height);

  ear_cover_snapshot (EAR_COVER_IMAGE (widget)->cover, snapshot, (width - size) / 2.0f, (height - size) / 2.0f, size);
}

static void
set_size (EarCoverImage *self, int size)
{
  if (ear_cover_get_size (self->cover) == size)
    return;

  ear_cover_set_size (self->cover, size);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SIZE]);
}

static void
set_address (EarCoverImage *self, const char *address)
{
  if (ear_cover_set_address (self->cover, address))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ADDRESS]);
}

static void
set_title (EarCoverImage *self, const char *title)
{
  if (ear_cover_set_title (self->cover, title))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
}

static void
ear_cover_image_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarCoverImage *self = EAR_COVER_IMAGE (object);

  switch ((EarCoverImageProperty) property_id)
    {
    case PROP_ADDRESS:
      g_value_set_string (value, ear_cover_get_address (self->cover));
      break;
    case PROP_TITLE:
      g_value_set_string (value, ear_cover_get_title (self->cover));
      break;
    case PROP_SIZE:
      g_value_set_int (value, ear_cover_get_size (self->cover));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_cover_image_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarCoverImage *self = EAR_COVER_IMAGE (object);

  switch ((EarCoverImageProperty) property_id)
    {
    case PROP_ADDRESS:
      set_address (self, g_value_get_string (value));
      break;
    case PROP_TITLE:
      set_title (self, g_value_get_string (value));
      break;
    case PROP_SIZE:
      set_size (self, g_value_get_int (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_cover_image_dispose (GObject *object)
{
  ear_cover_hide (EAR_COVER_IMAGE (object)->cover);

  G_OBJECT_CLASS (ear_cover_image_parent_class)->dispose (object);
}

static void
ear_cover_image_finalize (GObject *object)
{
  g_clear_object (&EAR_COVER_IMAGE (object)->cover);

  G_OBJECT_CLASS (ear_cover_image_parent_class)->finalize (object);
}

static void
ear_cover_image_class_init (EarCoverImageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_cover_image_get_property;
  object_class->set_property = ear_cover_image_set_property;
  object_class->dispose = ear_cover_image_dispose;
  object_class->finalize = ear_cover_image_finalize;
  widget_class->map = ear_cover_image_map;
  widget_class->unmap = ear_cover_image_unmap;
  widget_class->get_request_mode = ear_cover_image_get_request_mode;
  widget_class->measure = ear_cover_image_measure;
  widget_class->size_allocate = ear_cover_image_size_allocate;
  widget_class->snapshot = ear_cover_image_snapshot;

  /**
   * EarCoverImage:address:
   *
   * Where the picture is.
   */
  props[PROP_ADDRESS] = g_param_spec_string ("address", NULL, NULL, NULL, flags);
  /**
   * EarCoverImage:title:
   *
   * What the letter is taken from.
   */
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  /**
   * EarCoverImage:size:
   *
   * Length of a side in application pixels.
   */
  props[PROP_SIZE] = g_param_spec_int ("size", NULL, NULL, 1, G_MAXINT16, 32, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  gtk_widget_class_set_css_name (widget_class, "cover");
  /* The title stands beside every cover, so a screen reader need not hear of it twice. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ear_cover_image_init (EarCoverImage *self)
{
  self->cover = ear_cover_new (GTK_WIDGET (self), 32);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}
