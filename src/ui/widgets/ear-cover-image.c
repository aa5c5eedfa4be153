/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-image.h"

#include "ear-cover.h"
#include "ear-property.h"

#define USUAL_SIZE 32

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
  EarCover *instead; /* (nullable): made once there is such a picture */
  char *address;
  char *picture;
  char *title;
  int size;
};

G_DEFINE_FINAL_TYPE (EarCoverImage, ear_cover_image, GTK_TYPE_WIDGET)

static void
show_covers (EarCoverImage *self)
{
  ear_cover_show (self->cover);
  if (self->instead != NULL)
    ear_cover_show (self->instead);
}

static void
hide_covers (EarCoverImage *self)
{
  ear_cover_hide (self->cover);
  if (self->instead != NULL)
    ear_cover_hide (self->instead);
}

static void
ear_cover_image_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ear_cover_image_parent_class)->map (widget);
  show_covers (EAR_COVER_IMAGE (widget));
}

static void
ear_cover_image_unmap (GtkWidget *widget)
{
  hide_covers (EAR_COVER_IMAGE (widget));
  GTK_WIDGET_CLASS (ear_cover_image_parent_class)->unmap (widget);
}

static void
ear_cover_image_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  show_covers (EAR_COVER_IMAGE (widget));
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
  *minimum = *natural = EAR_COVER_IMAGE (widget)->size;
}

static void
ear_cover_image_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarCoverImage *self = EAR_COVER_IMAGE (widget);
  EarCover *cover = self->instead != NULL && ear_cover_has_picture (self->instead) ? self->instead : self->cover;
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  const int size = MIN (width, height);

  ear_cover_snapshot (cover, snapshot, (width - size) / 2.0f, (height - size) / 2.0f, size);
}

static void
update_cover (EarCoverImage *self)
{
  ear_cover_set (self->cover, self->title, self->address, self->size);
  if (self->instead != NULL)
    ear_cover_set (self->instead, NULL, self->picture, self->size);
}

static void
picture_changed_cb (EarCoverImage *self)
{
  if (self->instead == NULL)
    {
      self->instead = ear_cover_new (GTK_WIDGET (self), self->size);
      ear_cover_set_lasting (self->instead, TRUE);
    }
  update_cover (self);
}

static void
size_changed_cb (EarCoverImage *self)
{
  update_cover (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
ear_cover_image_dispose (GObject *object)
{
  hide_covers (EAR_COVER_IMAGE (object));

  G_OBJECT_CLASS (ear_cover_image_parent_class)->dispose (object);
}

static void
ear_cover_image_finalize (GObject *object)
{
  EarCoverImage *self = EAR_COVER_IMAGE (object);

  g_clear_object (&self->cover);
  g_clear_object (&self->instead);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->picture, g_free);
  g_clear_pointer (&self->title, g_free);

  G_OBJECT_CLASS (ear_cover_image_parent_class)->finalize (object);
}

static void
ear_cover_image_class_init (EarCoverImageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Where the picture is */
    { "address", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarCoverImage, address),
      .changed = G_CALLBACK (update_cover) },
    /* Where another one is that is drawn in its place, once it has come */
    { "picture", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarCoverImage, picture),
      .changed = G_CALLBACK (picture_changed_cb) },
    /* What the letter is taken from */
    { "title", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarCoverImage, title), .changed = G_CALLBACK (update_cover) },
    /* Length of a side in application pixels */
    { .spec = g_param_spec_int ("size", NULL, NULL, 1, G_MAXINT16, USUAL_SIZE, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarCoverImage, size), .changed = G_CALLBACK (size_changed_cb) },
  };

  object_class->dispose = ear_cover_image_dispose;
  object_class->finalize = ear_cover_image_finalize;
  widget_class->map = ear_cover_image_map;
  widget_class->unmap = ear_cover_image_unmap;
  widget_class->get_request_mode = ear_cover_image_get_request_mode;
  widget_class->measure = ear_cover_image_measure;
  widget_class->size_allocate = ear_cover_image_size_allocate;
  widget_class->snapshot = ear_cover_image_snapshot;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_css_name (widget_class, "cover");
  /* The title stands beside every cover, so a screen reader need not hear of it twice. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ear_cover_image_init (EarCoverImage *self)
{
  self->size = USUAL_SIZE;
  self->cover = ear_cover_new (GTK_WIDGET (self), USUAL_SIZE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}
