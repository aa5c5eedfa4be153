/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover-image.h"

#include <adwaita.h>

#include "ear-texture-cache.h"

/**
 * EarCoverImage:
 *
 * A square cover with rounded corners, as large on the screen as it is told to be from
 * the start, so that nothing moves when the picture comes. Until then, and where there
 * is none, the first letter of the title stands on a colour made from the title.
 *
 * The picture is asked for when the widget is shown, from the cache that an ancestor
 * was given by [func@cover_image_provide].
 */
struct _EarCoverImage
{
  GtkWidget parent_instance;

  /* Owned */
  char *address;
  char *title;
  int size;
  EarTextureCache *textures; /* (nullable): where the picture is asked for */
  GdkTexture *texture;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (EarCoverImage, ear_cover_image, GTK_TYPE_WIDGET)

typedef enum
{
  PROP_ADDRESS = 1,
  PROP_TITLE,
  PROP_SIZE,
} EarCoverImageProperty;

static GParamSpec *props[PROP_SIZE + 1];

#define TEXTURES_KEY "ear-texture-cache"

static EarTextureCache *
find_textures (EarCoverImage *self)
{
  for (GtkWidget *widget = GTK_WIDGET (self); widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      EarTextureCache *textures = g_object_get_data (G_OBJECT (widget), TEXTURES_KEY);

      if (textures != NULL)
        return textures;
    }

  return NULL;
}

static void
take_texture (EarCoverImage *self, GdkTexture *texture)
{
  if (g_set_object (&self->texture, texture))
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
texture_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarCoverImage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = ear_texture_cache_load_finish (EAR_TEXTURE_CACHE (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->cancellable);
  /* Without a picture the letter stays: a missing cover is no news to the listener. */
  take_texture (self, texture);
}

static void
stop_loading (EarCoverImage *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void load_if_seen (EarCoverImage *self);

static void
changed_cb (EarCoverImage *self, const char *address)
{
  if (g_strcmp0 (self->address, address) == 0)
    load_if_seen (self);
}

static void
follow_textures (EarCoverImage *self, EarTextureCache *textures)
{
  if (self->textures == textures)
    return;

  if (self->textures != NULL)
    g_signal_handlers_disconnect_by_data (self->textures, self);
  g_set_object (&self->textures, textures);
  if (textures != NULL)
    g_signal_connect_object (textures, "changed", G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
}

static void
load (EarCoverImage *self)
{
  EarTextureCache *textures = find_textures (self);
  const int side = self->size * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autoptr (GdkTexture) texture = NULL;

  stop_loading (self);
  follow_textures (self, textures);
  if (self->address == NULL || textures == NULL)
    {
      take_texture (self, NULL);
      return;
    }

  texture = ear_texture_cache_lookup (textures, self->address, side);
  take_texture (self, texture);
  if (texture != NULL)
    return;

  self->cancellable = g_cancellable_new ();
  ear_texture_cache_load_async (textures, self->address, side, self->cancellable, texture_loaded_cb, g_object_ref (self));
}

/* Else when it comes in sight. */
static void
load_if_seen (EarCoverImage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self);
  else
    take_texture (self, NULL);
}

static void
ear_cover_image_map (GtkWidget *widget)
{
  EarCoverImage *self = EAR_COVER_IMAGE (widget);

  GTK_WIDGET_CLASS (ear_cover_image_parent_class)->map (widget);
  if (self->texture == NULL)
    load (self);
}

static void
ear_cover_image_unmap (GtkWidget *widget)
{
  stop_loading (EAR_COVER_IMAGE (widget));
  GTK_WIDGET_CLASS (ear_cover_image_parent_class)->unmap (widget);
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
choose_colors (EarCoverImage *self, GdkRGBA *background, GdkRGBA *letter)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_for_display (gtk_widget_get_display (GTK_WIDGET (self))));
  const guint hash = self->title != NULL ? g_str_hash (self->title) : 0;
  const AdwAccentColor accent = (AdwAccentColor) (hash % (ADW_ACCENT_COLOR_SLATE + 1));

  adw_accent_color_to_standalone_rgba (accent, dark, letter);
  *background = *letter;
  background->alpha = 0.18f;
}

static void
snapshot_placeholder (EarCoverImage *self, GtkSnapshot *snapshot, int size)
{
  g_autoptr (PangoLayout) layout = NULL;
  PangoFontDescription *font;
  char letter[8] = "";
  GdkRGBA background, color;
  int width, height;

  choose_colors (self, &background, &color);
  gtk_snapshot_append_color (snapshot, &background, &GRAPHENE_RECT_INIT (0, 0, size, size));
  if (self->title == NULL || *self->title == '\0')
    return;

  letter[g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (self->title)), letter)] = '\0';
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), letter);
  font = pango_font_description_copy (pango_context_get_font_description (pango_layout_get_context (layout)));
  pango_font_description_set_absolute_size (font, size * 0.5 * PANGO_SCALE);
  pango_font_description_set_weight (font, PANGO_WEIGHT_HEAVY);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((size - width) / 2.0f, (size - height) / 2.0f));
  gtk_snapshot_append_layout (snapshot, layout, &color);
}

/* Covers are square; those that are not, and too small for a square of their own, show their middle. */
static void
snapshot_texture (EarCoverImage *self, GtkSnapshot *snapshot, int size)
{
  const double width = gdk_texture_get_width (self->texture);
  const double height = gdk_texture_get_height (self->texture);
  const double scale = size / MIN (width, height);
  const graphene_rect_t area = GRAPHENE_RECT_INIT ((float) ((size - width * scale) / 2), (float) ((size - height * scale) / 2),
                                                   (float) (width * scale), (float) (height * scale));

  gtk_snapshot_append_texture (snapshot, self->texture, &area);
}

static void
ear_cover_image_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarCoverImage *self = EAR_COVER_IMAGE (widget);
  const int size = MIN (gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (0, 0, size, size), size < 64 ? 6 : size < 128 ? 9 : 12);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((gtk_widget_get_width (widget) - size) / 2.0f,
                                                          (gtk_widget_get_height (widget) - size) / 2.0f));
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  if (self->texture != NULL)
    snapshot_texture (self, snapshot, size);
  else
    snapshot_placeholder (self, snapshot, size);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

static void
set_size (EarCoverImage *self, int size)
{
  if (self->size == size)
    return;

  self->size = size;
  load_if_seen (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SIZE]);
}

static void
set_address (EarCoverImage *self, const char *address)
{
  if (!g_set_str (&self->address, address))
    return;

  load_if_seen (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ADDRESS]);
}

static void
set_title (EarCoverImage *self, const char *title)
{
  if (!g_set_str (&self->title, title))
    return;

  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TITLE]);
}

static void
ear_cover_image_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarCoverImage *self = EAR_COVER_IMAGE (object);

  switch ((EarCoverImageProperty) property_id)
    {
    case PROP_ADDRESS:
      g_value_set_string (value, self->address);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SIZE:
      g_value_set_int (value, self->size);
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

/* On another monitor it may be of other pixels. */
static void
ear_cover_image_notify (GObject *object, GParamSpec *pspec)
{
  if (g_str_equal (pspec->name, "scale-factor"))
    load_if_seen (EAR_COVER_IMAGE (object));
  if (G_OBJECT_CLASS (ear_cover_image_parent_class)->notify != NULL)
    G_OBJECT_CLASS (ear_cover_image_parent_class)->notify (object, pspec);
}

static void
ear_cover_image_dispose (GObject *object)
{
  EarCoverImage *self = EAR_COVER_IMAGE (object);

  stop_loading (self);
  follow_textures (self, NULL);
  g_clear_object (&self->texture);

  G_OBJECT_CLASS (ear_cover_image_parent_class)->dispose (object);
}

static void
ear_cover_image_finalize (GObject *object)
{
  EarCoverImage *self = EAR_COVER_IMAGE (object);

  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->title, g_free);

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
  object_class->notify = ear_cover_image_notify;
  object_class->dispose = ear_cover_image_dispose;
  object_class->finalize = ear_cover_image_finalize;
  widget_class->map = ear_cover_image_map;
  widget_class->unmap = ear_cover_image_unmap;
  widget_class->get_request_mode = ear_cover_image_get_request_mode;
  widget_class->measure = ear_cover_image_measure;
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
  self->size = 32;
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * ear_cover_image_provide:
 * @ancestor: a widget
 * @covers: (nullable): where pictures come from
 *
 * Lets every cover below @ancestor load its picture from @covers.
 */
void
ear_cover_image_provide (GtkWidget *ancestor, EarCoverCache *covers)
{
  g_return_if_fail (GTK_IS_WIDGET (ancestor));

  g_object_set_data_full (G_OBJECT (ancestor), TEXTURES_KEY,
                          covers != NULL ? ear_texture_cache_new (covers) : NULL, g_object_unref);
}
