/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover.h"

#include <adwaita.h>

#include "ear-cover-files.h"
#include "ear-cover-picture.h"
#include "ear-property.h"

#define DEFAULT_SIZE 32

/* Part of the text color in the outline */
#define OUTLINE_ALPHA 0.15f

#define COVERS_KEY "ear-covers"

static EarCoverSize
find_cover_size (int side)
{
  return side <= ear_cover_size_get_pixels (EAR_COVER_SMALL) ? EAR_COVER_SMALL : EAR_COVER_LARGE;
}

/* The renderer without a graphics card draws GDK_MEMORY_DEFAULT as it is; it would
 * convert other formats for each frame. */
static GdkTexture *
create_texture (EarImage *image, int side)
{
  g_autoptr (EarImage) square = ear_cover_square_new (image, side);
  const GdkMemoryFormat format = square->has_alpha ? GDK_MEMORY_R8G8B8A8 : GDK_MEMORY_R8G8B8;
  g_autoptr (GdkTexture) source = gdk_memory_texture_new (square->width, square->height, format,
                                                          square->pixels, square->stride);
  const gsize stride = (gsize) square->width * 4;
  const gsize size = stride * (gsize) square->height;
  guchar *pixels = g_malloc (size);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, size);

  gdk_texture_download (source, pixels, stride);

  return gdk_memory_texture_new (square->width, square->height, GDK_MEMORY_DEFAULT, bytes, stride);
}

/* --- The widget --------------------------------------------------------------------- */

/* A picture by its address, while the widget is in sight */
typedef struct
{
  EarCover *cover; /* whose picture it is */
  char *address;
  GdkTexture *texture;
  GCancellable *cancellable; /* (nullable): set while it is loaded */
} Picture;

/**
 * EarCover:
 *
 * A square cover with rounded corners and an outline. A letter of the title on a color
 * made from the title is drawn where there is no picture. The widget has its size from
 * the start, so that nothing moves when the picture comes.
 *
 * The picture is loaded when the widget comes in sight, from the covers that
 * ear_cover_provide() gave the window.
 */
struct _EarCover
{
  GtkWidget parent_instance;

  /* Owned */
  Picture main;
  Picture override; /* drawn in place of the main one, once it is loaded */
  char *title;
  int size;
  EarCoverCache *covers; /* (nullable): of the window, while the widget is in sight */
  GSignalGroup *covers_signals;
};

G_DEFINE_FINAL_TYPE (EarCover, ear_cover, GTK_TYPE_WIDGET)

static void
set_texture (Picture *picture, GdkTexture *texture)
{
  if (g_set_object (&picture->texture, texture))
    gtk_widget_queue_draw (GTK_WIDGET (picture->cover));
}

static int
get_side (EarCover *self)
{
  return self->size * gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Picture *picture = user_data;
  g_autoptr (EarCover) self = picture->cover;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarImage) image = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  image = ear_cover_cache_load_finish (EAR_COVER_CACHE (object), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&picture->cancellable);
  /* A cover that cannot be loaded is no news to the listener: the letter stays. */
  if (image != NULL)
    texture = create_texture (image, get_side (self));
  set_texture (picture, texture);
}

static void
load (EarCover *self, Picture *picture)
{
  const int side = get_side (self);
  EarImage *image;

  ear_cancellable_clear (&picture->cancellable);
  if (picture->address == NULL || self->covers == NULL)
    {
      set_texture (picture, NULL);
      return;
    }

  image = ear_cover_cache_peek (self->covers, picture->address, find_cover_size (side));
  if (image != NULL)
    {
      g_autoptr (GdkTexture) texture = create_texture (image, side);

      set_texture (picture, texture);
      return;
    }

  /* The picture of the chapter before stays until the next one is loaded. */
  if (picture == &self->main)
    set_texture (picture, NULL);
  picture->cancellable = g_cancellable_new ();
  g_object_ref (self);
  ear_cover_cache_load_async (self->covers, picture->address, find_cover_size (side),
                              picture->cancellable, loaded_cb, picture);
}

static void
load_both (EarCover *self)
{
  load (self, &self->main);
  load (self, &self->override);
}

/* The cache has another picture of an address. */
static void
covers_changed_cb (EarCover *self, const char *address)
{
  if (g_strcmp0 (self->main.address, address) == 0)
    load (self, &self->main);
  if (g_strcmp0 (self->override.address, address) == 0)
    load (self, &self->override);
}

/* --- Drawing ------------------------------------------------------------------------ */

static void
choose_colors (EarCover *self, GdkRGBA *background, GdkRGBA *letter)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (self));
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_for_display (display));
  const guint hash = self->title != NULL ? g_str_hash (self->title) : 0;
  const AdwAccentColor accent = (AdwAccentColor) (hash % (ADW_ACCENT_COLOR_SLATE + 1));

  adw_accent_color_to_standalone_rgba (accent, dark, letter);
  *background = *letter;
  background->alpha = 0.18f;
}

static void
snapshot_letter (EarCover *self, GtkSnapshot *snapshot, int size)
{
  g_autoptr (PangoLayout) layout = NULL;
  PangoFontDescription *font;
  char letter[8] = "";
  GdkRGBA background, color;
  int width, height;

  choose_colors (self, &background, &color);
  gtk_snapshot_append_color (snapshot, &background, &GRAPHENE_RECT_INIT (0, 0, size, size));
  if (ear_is_empty (self->title))
    return;

  letter[g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (self->title)), letter)] = '\0';
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), letter);
  font = pango_font_description_copy (
      pango_context_get_font_description (pango_layout_get_context (layout)));
  pango_font_description_set_absolute_size (font, size * 0.5 * PANGO_SCALE);
  pango_font_description_set_weight (font, PANGO_WEIGHT_HEAVY);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT ((float) (size - width) / 2, (float) (size - height) / 2));
  gtk_snapshot_append_layout (snapshot, layout, &color);
}

/* A picture that is not square, and too small to be cut to one, shows its middle. */
static void
snapshot_texture (GdkTexture *texture, GtkSnapshot *snapshot, int size)
{
  const float width = (float) gdk_texture_get_width (texture);
  const float height = (float) gdk_texture_get_height (texture);
  const float scale = (float) size / MIN (width, height);
  const float x = ((float) size - width * scale) / 2;
  const float y = ((float) size - height * scale) / 2;

  gtk_snapshot_append_texture (snapshot, texture,
                               &GRAPHENE_RECT_INIT (x, y, width * scale, height * scale));
}

/* A white cover would have no edge in a light window, nor a black one
 * in a dark window. */
static void
snapshot_outline (EarCover *self, GtkSnapshot *snapshot, const GskRoundedRect *outline)
{
  const float widths[4] = { 1, 1, 1, 1 };
  GdkRGBA color;

  gtk_widget_get_color (GTK_WIDGET (self), &color);
  color.alpha *= OUTLINE_ALPHA;
  gtk_snapshot_append_border (snapshot, outline, widths,
                              (GdkRGBA[4]) { color, color, color, color });
}

static void
ear_cover_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EarCover *self = EAR_COVER (widget);
  GdkTexture *texture =
      self->override.texture != NULL ? self->override.texture : self->main.texture;
  const int width = gtk_widget_get_width (widget);
  const int height = gtk_widget_get_height (widget);
  const int size = MIN (width, height);
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (0, 0, size, size),
                                   size < 64 ? 6 : size < 128 ? 9 : 12);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT ((float) (width - size) / 2, (float) (height - size) / 2));
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_save (snapshot);
  if (texture != NULL)
    snapshot_texture (texture, snapshot, size);
  else
    snapshot_letter (self, snapshot, size);
  gtk_snapshot_restore (snapshot);
  gtk_snapshot_pop (snapshot);
  snapshot_outline (self, snapshot, &outline);
}

/* --- Class -------------------------------------------------------------------------- */

static void
show (EarCover *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  /* GtkListView maps the rows that it makes, and unmaps those out of sight without
   * allocating them. */
  if (self->covers != NULL || !gtk_widget_get_mapped (widget) || gtk_widget_get_width (widget) == 0)
    return;

  g_set_object (&self->covers,
                g_object_get_data (G_OBJECT (gtk_widget_get_root (widget)), COVERS_KEY));
  g_signal_group_set_target (self->covers_signals, self->covers);
  load_both (self);
}

static void
hide (EarCover *self)
{
  Picture *const pictures[] = { &self->main, &self->override };

  g_clear_object (&self->covers);
  g_signal_group_set_target (self->covers_signals, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      /* The texture is of the address before. */
      if (pictures[i]->cancellable != NULL)
        set_texture (pictures[i], NULL);
      ear_cancellable_clear (&pictures[i]->cancellable);
    }
}

static void
ear_cover_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  show (EAR_COVER (widget));
}

static GtkSizeRequestMode
ear_cover_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
ear_cover_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                   int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = EAR_COVER (widget)->size;
}

static void
address_changed_cb (EarCover *self)
{
  load (self, &self->main);
}

static void
picture_address_changed_cb (EarCover *self)
{
  load (self, &self->override);
}

static void
size_changed_cb (EarCover *self)
{
  load_both (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
ear_cover_dispose (GObject *object)
{
  EarCover *self = EAR_COVER (object);

  ear_cancellable_clear (&self->main.cancellable);
  ear_cancellable_clear (&self->override.cancellable);
  g_clear_object (&self->covers);
  g_clear_object (&self->covers_signals);
  g_clear_object (&self->main.texture);
  g_clear_object (&self->override.texture);
  ear_properties_clear (self);

  G_OBJECT_CLASS (ear_cover_parent_class)->dispose (object);
}

static void
ear_cover_class_init (EarCoverClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "address", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarCover, main.address),
      .changed = G_CALLBACK (address_changed_cb) },
    /* Address of a picture (a chapter's) that is drawn in place of the cover,
     * once it is loaded */
    { "picture", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarCover, override.address),
      .changed = G_CALLBACK (picture_address_changed_cb) },
    /* The letter is the first one of the title. */
    { "title", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarCover, title),
      .changed = G_CALLBACK (gtk_widget_queue_draw) },
    /* Length of a side in application pixels */
    { .spec = g_param_spec_int ("size", NULL, NULL, 1, G_MAXINT16, DEFAULT_SIZE, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarCover, size), .changed = G_CALLBACK (size_changed_cb) },
  };

  object_class->dispose = ear_cover_dispose;
  widget_class->get_request_mode = ear_cover_get_request_mode;
  widget_class->measure = ear_cover_measure;
  widget_class->size_allocate = ear_cover_size_allocate;
  widget_class->snapshot = ear_cover_snapshot;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_css_name (widget_class, "cover");
  /* The title is beside every cover: a screen reader need not read it twice. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ear_cover_init (EarCover *self)
{
  self->size = DEFAULT_SIZE;
  self->main.cover = self->override.cover = self;
  self->covers_signals = g_signal_group_new (EAR_TYPE_COVER_CACHE);
  g_signal_group_connect_swapped (self->covers_signals, "changed", G_CALLBACK (covers_changed_cb),
                                  self);
  /* Another monitor may have other pixels. */
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (load_both), NULL);
  g_signal_connect (self, "map", G_CALLBACK (show), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (hide), NULL);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/* Lets the covers in a window load their pictures from @covers; %NULL for no more. */
void
ear_cover_provide (GtkWidget *root, EarCoverCache *covers)
{
  g_object_set_data_full (G_OBJECT (root), COVERS_KEY,
                          covers != NULL ? g_object_ref (covers) : NULL,
                          g_object_unref);
}
