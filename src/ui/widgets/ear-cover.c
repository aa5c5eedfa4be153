/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-cover.h"

#include <adwaita.h>

#include "ear-texture-cache.h"

/* How much of the color of the text the line around a cover has */
#define OUTLINE_ALPHA 0.15f

/* By which a widget knows the cache that it was given */
#define TEXTURES_KEY "ear-texture-cache"

/* Milliseconds for which a picture stands for the next one */
#define LAST_FOR 1000

/**
 * EarCover:
 *
 * A square cover with rounded corners, which a widget draws. Until there is a picture, and
 * where there is none, the first letter of the title stands on a colour made from the title.
 *
 * The picture is asked for when the widget is shown, from the cache that an ancestor
 * was given by [func@cover_provide].
 */
struct _EarCover
{
  GObject parent_instance;

  /* Owned */
  char *address;
  char *title;
  int size;
  GSignalGroup *textures; /* of the cache where the picture is asked for */
  GdkTexture *texture;
  GCancellable *cancellable;
  guint farewell; /* source: what is drawn is of another address than the one that is loaded, and goes soon */
  gboolean lasting;
  gboolean shown;

  /* Borrowed: who draws it, and owns it; %NULL when a picture comes too late */
  GtkWidget *widget;
};

G_DEFINE_FINAL_TYPE (EarCover, ear_cover, G_TYPE_OBJECT)

static EarTextureCache *
find_textures (EarCover *self)
{
  for (GtkWidget *widget = self->widget; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      EarTextureCache *textures = g_object_get_data (G_OBJECT (widget), TEXTURES_KEY);

      if (textures != NULL)
        return textures;
    }

  return NULL;
}

static void
take_texture (EarCover *self, GdkTexture *texture)
{
  if (g_set_object (&self->texture, texture) && self->widget != NULL)
    gtk_widget_queue_draw (self->widget);
}

/* What was there before stands for the next one only as long as that may come at any moment. */
static void
farewell_cb (gpointer user_data)
{
  EarCover *self = user_data;

  self->farewell = 0;
  take_texture (self, NULL);
}

static void
texture_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarCover) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = ear_texture_cache_load_finish (EAR_TEXTURE_CACHE (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->farewell, g_source_remove);
  /* Without a picture the letter stays: a missing cover is no news to the listener. */
  take_texture (self, texture);
}

static void
stop_loading (EarCover *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->farewell, g_source_remove);
}

static void
load (EarCover *self)
{
  EarTextureCache *textures = find_textures (self);
  const int side = self->size * gtk_widget_get_scale_factor (self->widget);
  g_autoptr (GdkTexture) texture = NULL;

  stop_loading (self);
  g_signal_group_set_target (self->textures, textures);
  if (self->address == NULL || textures == NULL)
    {
      take_texture (self, NULL);
      return;
    }

  texture = ear_texture_cache_lookup (textures, self->address, side);
  if (texture != NULL || !self->lasting)
    take_texture (self, texture);
  if (texture != NULL)
    return;

  if (self->texture != NULL)
    self->farewell = g_timeout_add_once (LAST_FOR, farewell_cb, self);
  self->cancellable = g_cancellable_new ();
  ear_texture_cache_load_async (textures, self->address, side, self->cancellable, texture_loaded_cb, g_object_ref (self));
}

/* A list maps the rows that it makes, and unmaps those that are not in sight without having given
 * them a place. */
static gboolean
is_seen (EarCover *self)
{
  return self->widget != NULL && gtk_widget_get_mapped (self->widget) && gtk_widget_get_width (self->widget) > 0;
}

/* Else when it comes in sight. */
static void
load_if_seen (EarCover *self)
{
  if (is_seen (self))
    load (self);
  else
    take_texture (self, NULL);
}

static void
changed_cb (EarCover *self, const char *address)
{
  if (g_strcmp0 (self->address, address) == 0)
    load_if_seen (self);
}

static void
choose_colors (EarCover *self, GdkRGBA *background, GdkRGBA *letter)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_for_display (gtk_widget_get_display (self->widget)));
  const guint hash = self->title != NULL ? g_str_hash (self->title) : 0;
  const AdwAccentColor accent = (AdwAccentColor) (hash % (ADW_ACCENT_COLOR_SLATE + 1));

  adw_accent_color_to_standalone_rgba (accent, dark, letter);
  *background = *letter;
  background->alpha = 0.18f;
}

static void
snapshot_placeholder (EarCover *self, GtkSnapshot *snapshot, int size)
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
  layout = gtk_widget_create_pango_layout (self->widget, letter);
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
snapshot_texture (EarCover *self, GtkSnapshot *snapshot, int size)
{
  const double width = gdk_texture_get_width (self->texture);
  const double height = gdk_texture_get_height (self->texture);
  const double scale = size / MIN (width, height);
  const graphene_rect_t area = GRAPHENE_RECT_INIT ((float) ((size - width * scale) / 2), (float) ((size - height * scale) / 2),
                                                   (float) (width * scale), (float) (height * scale));

  gtk_snapshot_append_texture (snapshot, self->texture, &area);
}

static void
ear_cover_dispose (GObject *object)
{
  EarCover *self = EAR_COVER (object);

  stop_loading (self);
  g_clear_object (&self->textures);
  g_clear_object (&self->texture);
  g_clear_weak_pointer (&self->widget);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->title, g_free);

  G_OBJECT_CLASS (ear_cover_parent_class)->dispose (object);
}

static void
ear_cover_class_init (EarCoverClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_cover_dispose;
}

static void
ear_cover_init (EarCover *self)
{
  self->textures = g_signal_group_new (EAR_TYPE_TEXTURE_CACHE);
  g_signal_group_connect_swapped (self->textures, "changed", G_CALLBACK (changed_cb), self);
}

/* @widget: what draws the cover; it calls [method@Cover.hide] before it drops the cover
 * @size: length of a side in application pixels */
EarCover *
ear_cover_new (GtkWidget *widget, int size)
{
  EarCover *self = g_object_new (EAR_TYPE_COVER, NULL);

  g_set_weak_pointer (&self->widget, widget);
  /* On another monitor it may be of other pixels. */
  g_signal_connect_object (widget, "notify::scale-factor", G_CALLBACK (load_if_seen), self, G_CONNECT_SWAPPED);
  self->size = size;

  return self;
}

/* @title: (nullable): what the letter is taken from
 * @address: (nullable): where the picture is
 * @size: length of a side in application pixels */
void
ear_cover_set (EarCover *self, const char *title, const char *address, int size)
{
  gboolean is_other;

  g_return_if_fail (EAR_IS_COVER (self));

  is_other = g_set_str (&self->address, address) || self->size != size;
  self->size = size;
  if (g_set_str (&self->title, title))
    gtk_widget_queue_draw (self->widget);
  if (is_other)
    load_if_seen (self);
}

/* @lasting: whether a picture stays, for a second at the most, until that of another address has come in its place */
void
ear_cover_set_lasting (EarCover *self, gboolean lasting)
{
  g_return_if_fail (EAR_IS_COVER (self));

  self->lasting = lasting;
}

/* Returns: whether a picture is drawn, and not the letter */
gboolean
ear_cover_has_picture (EarCover *self)
{
  g_return_val_if_fail (EAR_IS_COVER (self), FALSE);

  return self->texture != NULL;
}

/* Asks for the picture, if it has not come yet and can be seen: the widget was mapped, or given a place. */
void
ear_cover_show (EarCover *self)
{
  g_return_if_fail (EAR_IS_COVER (self));

  if (self->shown || !is_seen (self))
    return;

  self->shown = TRUE;
  if (self->texture == NULL)
    load (self);
}

/* Asks no more: the widget is not mapped any longer. */
void
ear_cover_hide (EarCover *self)
{
  g_return_if_fail (EAR_IS_COVER (self));

  self->shown = FALSE;
  /* What is still drawn then is not what was to come. */
  if (self->cancellable != NULL)
    take_texture (self, NULL);
  stop_loading (self);
}

/* A white cover would have no edge in a light window, nor a black one in a dark window. */
static void
snapshot_outline (EarCover *self, GtkSnapshot *snapshot, const GskRoundedRect *outline)
{
  const float widths[4] = { 1, 1, 1, 1 };
  GdkRGBA color;

  gtk_widget_get_color (self->widget, &color);
  color.alpha *= OUTLINE_ALPHA;
  gtk_snapshot_append_border (snapshot, outline, widths, (GdkRGBA[4]) { color, color, color, color });
}

void
ear_cover_snapshot (EarCover *self, GtkSnapshot *snapshot, float x, float y, int size)
{
  GskRoundedRect outline;

  g_return_if_fail (EAR_IS_COVER (self));

  gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT (0, 0, size, size), size < 64 ? 6 : size < 128 ? 9 : 12);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  if (self->texture != NULL)
    snapshot_texture (self, snapshot, size);
  else
    snapshot_placeholder (self, snapshot, size);
  gtk_snapshot_pop (snapshot);
  snapshot_outline (self, snapshot, &outline);
  gtk_snapshot_restore (snapshot);
}

/* Lets every cover below @ancestor load its picture from @covers. */
void
ear_cover_provide (GtkWidget *ancestor, EarCoverCache *covers)
{
  g_return_if_fail (GTK_IS_WIDGET (ancestor));

  g_object_set_data_full (G_OBJECT (ancestor), TEXTURES_KEY,
                          covers != NULL ? ear_texture_cache_new (covers) : NULL, g_object_unref);
}
