/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapter-row.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-episode-actions.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarChapterRow:
 *
 * A chapter of an episode: when it begins, its title, its length or, while it plays, the time left.
 */
struct _EarChapterRow
{
  GtkListBoxRow parent_instance;

  /* Template children */
  GMenuModel *menu;

  /* Borrowed */
  GtkWidget *popover; /* (nullable): a child, made when it first opens */

  /* Owned */
  char *title;
  char *link;  /* (nullable) */
  char *image; /* (nullable) */
  char *time;
  char *note;          /* (nullable): how long it is */
  gint64 start;        /* microseconds */
  gint64 end;          /* -1: nobody knows */
  gint64 shown_second; /* of the time left, or -1 */
  gboolean titled;
  gboolean current;
  gboolean skipped;
};

G_DEFINE_FINAL_TYPE (EarChapterRow, ear_chapter_row, GTK_TYPE_LIST_BOX_ROW)

/* A screen reader reads the row, without its buttons, in one go. */
static void
update_label (EarChapterRow *self)
{
  g_autofree char *start = ear_format_clock_spoken (self->start);
  g_autofree char *length =
    self->end > self->start ? ear_format_duration_spoken (self->end - self->start) : NULL;
  const char *const parts[] = { self->title, start, length,
                                self->current ? C_("chapter", "playing") : NULL,
                                self->skipped ? C_("chapter", "always skipped") : NULL };
  g_autoptr (GString) label = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      g_string_append_printf (label, "%s%s", label->len > 0 ? ", " : "", parts[i]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label->str,
                                  -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, self->current,
                               -1);
}

static void
update_note (EarChapterRow *self, gint64 left)
{
  g_autofree char *length =
    self->end > self->start ? ear_format_duration (self->end - self->start) : NULL;
  g_autofree char *clock = left >= 0 ? ear_format_clock (left) : NULL;
  /* Translators: what is still to be heard of the chapter that plays: "1:20 left" */
  g_autofree char *rest = clock != NULL ? g_strdup_printf (C_("chapter", "%s left"), clock) : NULL;

  ear_property_set_string (self, "note", rest != NULL ? rest : length);
}

static void
play (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate (widget);
}

static void
open_link (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_open_address (widget, EAR_CHAPTER_ROW (widget)->link);
}

static void
open_menu (EarChapterRow *self, double x, double y)
{
  if (self->popover == NULL)
    {
      self->popover = gtk_popover_menu_new_from_model (self->menu);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
      gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
      gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover),
                               &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

/* Not "pressed": the menu takes the release away, and GTK (4.18) shows the row as pressed for ever.
 */
static void
right_released_cb (EarChapterRow *self, int n_press, double x, double y)
{
  open_menu (self, x, y);
}

static void
long_pressed_cb (EarChapterRow *self, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu (self, x, y);
}

static void
menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  open_menu (EAR_CHAPTER_ROW (widget), gtk_widget_get_width (widget) / 2.0,
             gtk_widget_get_height (widget));
}

/* The chapter control stores what the button asks for. */
static void
skipped_changed_cb (EarChapterRow *self)
{
  ear_set_css_class (GTK_WIDGET (self), "skipped", self->skipped);
  update_label (self);
}

static void
ear_chapter_row_dispose (GObject *object)
{
  EarChapterRow *self = EAR_CHAPTER_ROW (object);

  g_clear_pointer (&self->popover, gtk_widget_unparent);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_CHAPTER_ROW);

  G_OBJECT_CLASS (ear_chapter_row_parent_class)->dispose (object);
}

static void
ear_chapter_row_finalize (GObject *object)
{
  EarChapterRow *self = EAR_CHAPTER_ROW (object);

  g_free (self->title);
  g_free (self->link);
  g_free (self->image);
  g_free (self->time);
  g_free (self->note);

  G_OBJECT_CLASS (ear_chapter_row_parent_class)->finalize (object);
}

static void
ear_chapter_row_class_init (EarChapterRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterRow, title) },
    /* Whether that is its title, and not only its number: chapters are skipped by their titles */
    { "titled", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterRow, titled) },
    /* When it begins */
    { "time", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterRow, time) },
    /* Its length, or the time left */
    { "note", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterRow, note) },
    /* The address that it refers to */
    { "link", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterRow, link) },
    /* The address of its picture */
    { "image", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterRow, image) },
    /* Whether it is never played */
    { "skipped", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarChapterRow, skipped),
      .changed = G_CALLBACK (skipped_changed_cb) },
    /* Whether it plays */
    { "current", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterRow, current) },
  };

  object_class->dispose = ear_chapter_row_dispose;
  object_class->finalize = ear_chapter_row_finalize;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_install_action (widget_class, "chapter.open-link", NULL, open_link);
  gtk_widget_class_install_property_action (widget_class, "chapter.skip", "skipped");
  /* Assistive technologies hear of no other way to do what a click does. */
  gtk_widget_class_install_action (widget_class, "chapter.play", NULL, play);

  gtk_widget_class_install_action (widget_class, "chapter.menu", NULL, menu);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "chapter.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "chapter.menu",
                                       NULL);

  g_type_ensure (EAR_TYPE_COVER_IMAGE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-chapter-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarChapterRow, menu);
  gtk_widget_class_bind_template_callback (widget_class, right_released_cb);
  gtk_widget_class_bind_template_callback (widget_class, long_pressed_cb);
  ear_closures_bind (widget_class);
}

static void
ear_chapter_row_init (EarChapterRow *self)
{
  self->shown_second = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @duration: of the episode; microseconds, or %EAR_DURATION_UNKNOWN */
EarChapterRow *
ear_chapter_row_new (EarChapters *chapters, guint index, gint64 duration)
{
  EarChapterRow *self = g_object_new (EAR_TYPE_CHAPTER_ROW, NULL);
  const EarChapter *chapter = ear_chapters_get (chapters, index);
  /* Translators: a chapter without a title: %u is its number */
  g_autofree char *number = g_strdup_printf (_("Chapter %u"), index + 1);
  g_autofree char *time = ear_format_clock (chapter->start);

  self->start = chapter->start;
  self->end = ear_chapters_get_end (chapters, index, duration);
  ear_property_set_string (self, "title", chapter->title != NULL ? chapter->title : number);
  ear_property_set_boolean (self, "titled", chapter->title != NULL);
  ear_property_set_string (self, "time", time);
  ear_property_set_string (self, "link", chapter->link);
  ear_property_set_string (self, "image", chapter->image);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chapter.open-link", chapter->link != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chapter.skip", self->titled);
  update_note (self, -1);
  update_label (self);

  return self;
}

/* Returns: where it begins, in microseconds */
gint64
ear_chapter_row_get_start (EarChapterRow *self)
{
  g_return_val_if_fail (EAR_IS_CHAPTER_ROW (self), 0);

  return self->start;
}

/* Returns: (nullable): what it is called, where it has a title */
const char *
ear_chapter_row_get_title (EarChapterRow *self)
{
  g_return_val_if_fail (EAR_IS_CHAPTER_ROW (self), NULL);

  return self->titled ? self->title : NULL;
}

/* Returns: whether what is at @position, behind its beginning and before the next, is a part of it:
 * what follows one that is over and skipped is not */
gboolean
ear_chapter_row_has (EarChapterRow *self, gint64 position)
{
  g_return_val_if_fail (EAR_IS_CHAPTER_ROW (self), FALSE);

  return !self->skipped || self->end < 0 || position < self->end;
}

void
ear_chapter_row_set_skipped (EarChapterRow *self, gboolean skipped)
{
  g_return_if_fail (EAR_IS_CHAPTER_ROW (self));

  g_object_set (self, "skipped", skipped, NULL);
}

/* @end: where the chapter ends, in microseconds; -1 if unknown. The next
 * ear_chapter_row_set_place() updates the time left. */
void
ear_chapter_row_set_end (EarChapterRow *self, gint64 end)
{
  g_return_if_fail (EAR_IS_CHAPTER_ROW (self));

  if (self->end == end)
    return;
  self->end = end;
  self->shown_second = -1;
  update_note (self, -1);
  update_label (self);
}

/* @position: the position of the player in this chapter, or -1 @speed: of the player: the time left
 * is in hours of listening */
void
ear_chapter_row_set_place (EarChapterRow *self, gint64 position, double speed)
{
  const gint64 left =
    position >= 0 && self->end > position ? (gint64) ((double) (self->end - position) / speed) : -1;
  const gint64 second = left >= 0 ? left / G_TIME_SPAN_SECOND : -1;

  g_return_if_fail (EAR_IS_CHAPTER_ROW (self));

  if (self->current != (position >= 0))
    {
      ear_property_set_boolean (self, "current", position >= 0);
      ear_set_css_class (GTK_WIDGET (self), "current", self->current);
      update_label (self);
    }
  if (self->shown_second == second)
    return;
  self->shown_second = second;
  update_note (self, left);
}
