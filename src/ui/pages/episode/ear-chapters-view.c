/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters-view.h"

#include <glib/gi18n.h>

#include "ear-bookmarks-view.h"
#include "ear-cover.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-share.h"
#include "ear-sight.h"
#include "ear-widget.h"

/**
 * EarChapterRow:
 *
 * A chapter of an episode: its start, its title, and its length or, while it
 * plays, the time left.
 */
struct _EarChapterRow
{
  EarItemRow parent_instance;

  /* Template children */
  EarCover *picture;
  GtkWidget *link_button;
  GtkWidget *skip_button;

  /* Owned */
  EarChapterControl *control;
  EarPodcast *podcast;
  GPtrArray *chapters; /* (element-type EarChapter) */

  guint index;
  gint64 end;         /* microseconds, or -1 */
  gint64 second_left; /* while it plays, or -1 */
  gboolean is_current;
  gboolean is_skipped;
};

#define EAR_TYPE_CHAPTER_ROW (ear_chapter_row_get_type ())
G_DECLARE_FINAL_TYPE (EarChapterRow, ear_chapter_row, EAR, CHAPTER_ROW, EarItemRow)
G_DEFINE_FINAL_TYPE (EarChapterRow, ear_chapter_row, EAR_TYPE_ITEM_ROW)

static const EarChapter *
get_chapter (EarChapterRow *self)
{
  return ear_chapters_get (self->chapters, self->index);
}

/* Chapters are skipped by their titles. */
static gboolean
is_skipped (EarChapterRow *self)
{
  return get_chapter (self)->title != NULL &&
         ear_chapter_control_skips (self->control, self->podcast, get_chapter (self)->title);
}

static void
skipped_changed_cb (EarChapterRow *self)
{
  if (self->chapters != NULL && is_skipped (self) != self->is_skipped)
    ear_chapter_control_set_skips (self->control, self->podcast, get_chapter (self)->title,
                                   self->is_skipped);
}

static void
update_row (EarChapterRow *self)
{
  const EarChapter *chapter = get_chapter (self);
  const gint64 length = self->end > chapter->start ? self->end - chapter->start : -1;
  /* Translators: a chapter without a title: %u is its number */
  g_autofree char *number = g_strdup_printf (_("Chapter %u"), self->index + 1);
  const char *title = chapter->title != NULL ? chapter->title : number;
  g_autofree char *start = ear_format_clock_spoken (chapter->start);
  g_autofree char *spoken = length >= 0 ? ear_format_duration_spoken (length) : NULL;
  g_autofree char *detail = length >= 0 ? ear_format_duration (length) : NULL;
  g_autofree char *name = NULL;

  if (self->second_left >= 0)
    {
      g_autofree char *clock = ear_format_clock (self->second_left * G_TIME_SPAN_SECOND);

      g_free (detail);
      /* Translators: the time left of the playing chapter: "1:20 left" */
      detail = g_strdup_printf (C_("chapter", "%s left"), clock);
    }
  ear_property_set_boolean (self, "skipped", is_skipped (self));
  name = ear_format_speak (title, start, spoken,
                           self->is_current ? C_("chapter", "playing") : NULL,
                           self->is_skipped ? C_("chapter", "always skipped") : NULL);
  ear_item_row_set_texts (EAR_ITEM_ROW (self), title, detail, NULL, name);
  ear_set_css_class (GTK_WIDGET (self), "current", self->is_current);
  ear_set_css_class (GTK_WIDGET (self), "skipped", self->is_skipped);
}

static void
open_link (EarChapterRow *self)
{
  ear_open_address (GTK_WIDGET (self), get_chapter (self)->link);
}

static void
ear_chapter_row_dispose (GObject *object)
{
  EarChapterRow *self = EAR_CHAPTER_ROW (object);

  g_clear_object (&self->control);
  g_clear_object (&self->podcast);
  g_clear_pointer (&self->chapters, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_chapter_row_parent_class)->dispose (object);
}

static void
ear_chapter_row_class_init (EarChapterRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty skipped = { "skipped", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
                                G_STRUCT_OFFSET (EarChapterRow, is_skipped),
                                .changed = G_CALLBACK (skipped_changed_cb) };

  G_OBJECT_CLASS (klass)->dispose = ear_chapter_row_dispose;
  ear_properties_install (G_OBJECT_CLASS (klass), &skipped, 1);

  ear_action_install (widget_class, "chapter.open-link", NULL, open_link);
  gtk_widget_class_install_property_action (widget_class, "chapter.skip", "skipped");
  g_type_ensure (EAR_TYPE_COVER);
  ear_widget_set_template (widget_class, "ear-chapter-row");
  gtk_widget_class_bind_template_child (widget_class, EarChapterRow, picture);
  gtk_widget_class_bind_template_child (widget_class, EarChapterRow, link_button);
  gtk_widget_class_bind_template_child (widget_class, EarChapterRow, skip_button);
}

static void
ear_chapter_row_init (EarChapterRow *self)
{
  self->end = self->second_left = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
}

static GtkWidget *
create_chapter_row (EarChapterControl *control, EarPodcast *podcast, GPtrArray *chapters,
                    guint index, gint64 duration)
{
  EarChapterRow *self = g_object_new (EAR_TYPE_CHAPTER_ROW, NULL);
  const EarChapter *chapter = ear_chapters_get (chapters, index);

  self->control = g_object_ref (control);
  self->podcast = g_object_ref (podcast);
  self->chapters = g_ptr_array_ref (chapters);
  self->index = index;
  self->end = ear_chapters_get_end (chapters, index, duration);
  g_object_set (self->picture, "address", chapter->image, "title", chapter->title, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->picture), chapter->image != NULL);
  gtk_widget_set_visible (self->link_button, chapter->link != NULL);
  gtk_widget_set_tooltip_text (self->link_button, chapter->link);
  gtk_widget_set_visible (self->skip_button, chapter->title != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chapter.open-link", chapter->link != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "chapter.skip", chapter->title != NULL);
  ear_item_row_set_time (EAR_ITEM_ROW (self), chapter->start);
  update_row (self);

  return GTK_WIDGET (self);
}

/* @position: of the player in this chapter, or -1
 * @speed: of the player: the time left is that of listening */
static void
set_position (EarChapterRow *self, gint64 position, double speed)
{
  const gboolean is_current = position >= 0;
  const gint64 second_left =
    is_current && self->end > position
      ? (gint64) ((double) (self->end - position) / speed) / G_TIME_SPAN_SECOND
      : -1;

  if (self->is_current == is_current && self->second_left == second_left)
    return;
  self->is_current = is_current;
  self->second_left = second_left;
  update_row (self);
  gtk_accessible_update_state (GTK_ACCESSIBLE (gtk_widget_get_parent (GTK_WIDGET (self))),
                               GTK_ACCESSIBLE_STATE_SELECTED, is_current, -1);
}

/**
 * EarChaptersView:
 *
 * The chapters of an episode, and the listener's bookmarks between them. The playing
 * chapter shows the time left; a click seeks.
 *
 * The rows are made when they come into sight, so that another episode's notes do
 * not wait for them.
 */
struct _EarChaptersView
{
  AdwBin parent_instance;

  /* Template children */
  GtkListBox *list;

  /* Owned */
  EarLibrary *library;      /* (nullable) */
  EarChapterFinder *finder; /* (nullable) */
  GPtrArray *chapters;    /* (element-type EarChapter): those that are shown */
  GPtrArray *rows;          /* (element-type EarChapterRow): borrowed from the list */
  GPtrArray *bookmarks;     /* (element-type EarBookmark): those that are shown */
  EarEpisode *episode;      /* (nullable): the episode of both */

  /* Borrowed */
  EarChapterRow *current; /* (nullable): the row of the chapter that plays */

  gboolean filled;  /* the rows are those of the chapters */
  gboolean unheard; /* no chapter has played since */
};

G_DEFINE_FINAL_TYPE (EarChaptersView, ear_chapters_view, ADW_TYPE_BIN)

/* The title above the view asks for both numbers, also after the view is disposed of. */
static guint
get_n_chapters (EarChaptersView *self)
{
  return self->chapters != NULL ? self->chapters->len : 0;
}

static guint
get_n_rows (EarChaptersView *self)
{
  return get_n_chapters (self) + (self->bookmarks != NULL ? self->bookmarks->len : 0);
}

/* Scrolls to the playing chapter while the previous one is in sight, and when
 * playback starts. */
static void
set_current (EarChaptersView *self, EarChapterRow *row)
{
  const gboolean followed =
    self->current != NULL ? ear_sight_has (GTK_WIDGET (self->current)) : self->unheard;

  if (self->current != NULL)
    set_position (self->current, -1, 1);
  self->current = row;
  if (row == NULL)
    return;
  self->unheard = FALSE;
  if (followed && !ear_sight_has (GTK_WIDGET (row)))
    ear_sight_bring (GTK_WIDGET (row), EAR_SIGHT_NOW);
}

static void
update_current (EarChaptersView *self)
{
  EarPlayer *player = ear_library_get_player (self->library);
  const gboolean is_playing = ear_player_get_episode (player) == self->episode;
  const gint64 position = is_playing ? ear_player_get_position (player) : -1;
  const int index = position >= 0 ? ear_chapters_find (self->chapters, position) : -1;
  EarChapterRow *row;

  if (!self->filled)
    return;
  row = index >= 0 ? g_ptr_array_index (self->rows, index) : NULL;
  /* The part behind a skipped chapter belongs to none. */
  if (row != NULL && row->is_skipped && row->end >= 0 && position >= row->end)
    row = NULL;
  if (self->current != row)
    set_current (self, row);
  if (self->current != NULL)
    set_position (self->current, position, ear_player_get_rate (player));
}

static void
update_skips (EarChaptersView *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    update_row (g_ptr_array_index (self->rows, i));
}

static EarItemRow *
get_item_row (GtkListBoxRow *row)
{
  return EAR_ITEM_ROW (gtk_list_box_row_get_child (row));
}

/* A bookmark follows the chapter that begins with it. */
static int
compare_rows (GtkListBoxRow *a, GtkListBoxRow *b, gpointer user_data)
{
  EarItemRow *first = get_item_row (a);
  EarItemRow *second = get_item_row (b);
  const gint64 difference = ear_item_row_get_time (first) - ear_item_row_get_time (second);

  return difference != 0 ? (difference > 0) - (difference < 0)
                         : EAR_IS_BOOKMARK_ROW (first) - EAR_IS_BOOKMARK_ROW (second);
}

/* The focus stays at its row, or goes to the last one. */
static void
fill (EarChaptersView *self)
{
  GtkWidget *focused = ear_row_with_focus (GTK_WIDGET (self->list), EAR_TYPE_ITEM_ROW);
  const int index =
    focused != NULL
      ? gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (gtk_widget_get_parent (focused)))
      : -1;

  self->current = NULL;
  g_ptr_array_set_size (self->rows, 0);
  gtk_list_box_remove_all (self->list);
  for (guint i = 0; i < get_n_chapters (self); i++)
    {
      GtkWidget *row =
        create_chapter_row (ear_library_get_chapter_control (self->library),
                            ear_episode_get_podcast (self->episode), self->chapters, i,
                            ear_episode_get_duration (self->episode));

      gtk_list_box_append (self->list, row);
      g_ptr_array_add (self->rows, row);
    }
  for (guint i = 0; i < self->bookmarks->len; i++)
    gtk_list_box_append (self->list,
                         ear_bookmark_row_new (ear_library_get_bookmarks (self->library),
                                               g_ptr_array_index (self->bookmarks, i), TRUE));
  self->filled = self->unheard = TRUE;
  if (index >= 0 && get_n_rows (self) > 0)
    gtk_widget_grab_focus (GTK_WIDGET (
      gtk_list_box_get_row_at_index (self->list, MIN (index, (int) get_n_rows (self) - 1))));
  update_current (self);
}

/* The player may know chapters that the feed does not. */
static GPtrArray *
get_best (EarChaptersView *self)
{
  GPtrArray *found = ear_chapter_finder_get_chapters (self->finder);
  EarEpisode *episode = ear_chapter_finder_get_episode (self->finder);
  GPtrArray *heard;

  if (ear_player_get_episode (ear_library_get_player (self->library)) != episode)
    return found;
  heard = ear_chapter_control_get_chapters (ear_library_get_chapter_control (self->library));

  return heard->len > 0 ? heard : found;
}

static void
show (EarChaptersView *self)
{
  self->filled = FALSE;
  g_object_notify (G_OBJECT (self), "n-chapters");
  g_object_notify (G_OBJECT (self), "n-rows");
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill (self);
}

static void
find_bookmarks (EarChaptersView *self)
{
  g_ptr_array_unref (self->bookmarks);
  self->bookmarks = self->episode != NULL
                    ? ear_bookmarks_find (ear_library_get_bookmarks (self->library), self->episode)
                    : g_ptr_array_new ();
}

/* Bookmarks come and go one at a time, mostly those of other episodes. */
static void
bookmarks_changed_cb (EarChaptersView *self)
{
  const guint n_before = self->bookmarks->len;

  find_bookmarks (self);
  if (self->bookmarks->len != n_before)
    show (self);
}

/* The last chapter ends with the episode, whose length may become known only now. */
static void
update_end (EarChaptersView *self)
{
  EarChapterRow *last =
    self->rows->len > 0 ? g_ptr_array_index (self->rows, self->rows->len - 1) : NULL;

  if (!self->filled || last == NULL)
    return;
  last->end = ear_chapters_get_end (self->chapters, last->index,
                                    ear_chapter_finder_get_duration (self->finder));
  update_row (last);
  update_current (self);
}

/* Keeps the chapters of the previous episode until those of this one are known. */
static void
update_chapters (EarChaptersView *self)
{
  EarEpisode *episode;
  GPtrArray *chapters;

  if (!ear_chapter_finder_get_settled (self->finder))
    return;
  episode = ear_chapter_finder_get_episode (self->finder);
  chapters = get_best (self);
  if (self->episode == episode && ear_chapters_equal (self->chapters, chapters))
    {
      update_end (self);
      return;
    }

  g_set_object (&self->episode, episode);
  g_ptr_array_unref (self->chapters);
  self->chapters = g_ptr_array_ref (chapters);
  find_bookmarks (self);
  show (self);
}

static void
library_changed_cb (EarChaptersView *self)
{
  EarPlayer *player = ear_library_get_player (self->library);
  EarChapterControl *control = ear_library_get_chapter_control (self->library);

  self->finder = ear_library_create_chapter_finder (self->library);
  ear_connect (self->finder, "notify", update_chapters, self);
  ear_connect (player, "notify::position", update_current, self);
  ear_connect (player, "notify::rate", update_current, self);
  ear_connect (player, "notify::episode", update_chapters, self);
  ear_connect (player, "notify::episode", update_current, self);
  ear_connect (control, "notify::chapters", update_chapters, self);
  ear_connect (control, "skips-changed", update_skips, self);
  ear_connect (ear_library_get_bookmarks (self->library), "notify::n-bookmarks",
               bookmarks_changed_cb, self);
}

/* Ignore rows that still show the chapters of the previous episode. */
static void
row_activated_cb (EarChaptersView *self, GtkListBoxRow *row)
{
  if (ear_chapter_finder_get_episode (self->finder) != self->episode)
    return;

  gtk_widget_activate_action (GTK_WIDGET (self), "tabs.seek", "x",
                              ear_item_row_get_time (get_item_row (row)));
}

static void
map_cb (EarChaptersView *self)
{
  if (!self->filled && self->library != NULL)
    fill (self);
}

static void
ear_chapters_view_dispose (GObject *object)
{
  EarChaptersView *self = EAR_CHAPTERS_VIEW (object);

  g_clear_object (&self->finder);
  g_clear_object (&self->episode);
  g_clear_object (&self->library);
  g_clear_pointer (&self->chapters, g_ptr_array_unref);
  g_clear_pointer (&self->bookmarks, g_ptr_array_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_chapters_view_parent_class)->dispose (object);
}

static void
ear_chapters_view_class_init (EarChaptersViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Set once */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarChaptersView, library),
      .changed = G_CALLBACK (library_changed_cb) },
    { "n-chapters", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (get_n_chapters) },
    /* With the bookmarks */
    { "n-rows", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (get_n_rows) },
  };

  object_class->dispose = ear_chapters_view_dispose;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  ear_item_row_add_key (widget_class, GDK_KEY_Menu, 0, "row.menu");
  ear_item_row_add_key (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "row.menu");
  ear_widget_set_template (widget_class, "ear-chapters-view");
  gtk_widget_class_bind_template_child (widget_class, EarChaptersView, list);
  gtk_widget_class_bind_template_callback (widget_class, map_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
ear_chapters_view_init (EarChaptersView *self)
{
  self->chapters = ear_chapters_new ();
  self->bookmarks = g_ptr_array_new ();
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_list_box_set_sort_func (self->list, compare_rows, NULL, NULL);
}

/* Shows the chapters of an episode, as soon as they are found.
 * @episode: (nullable): an episode
 * @notes: (nullable): its notes, which may list chapters */
void
ear_chapters_view_set_episode (EarChaptersView *self, EarEpisode *episode, EarNotes *notes)
{
  if (self->finder == NULL)
    return;

  g_object_freeze_notify (G_OBJECT (self->finder));
  ear_chapter_finder_set_episode (self->finder, episode);
  ear_chapter_finder_set_notes (self->finder, notes);
  g_object_thaw_notify (G_OBJECT (self->finder));
}

/* Scrolls to the playing chapter, if it is shown here but out of sight.
 * Returns: whether it is shown here */
gboolean
ear_chapters_view_come_into_sight (EarChaptersView *self)
{
  if (self->current != NULL && !ear_sight_has (GTK_WIDGET (self->current)))
    ear_sight_bring (GTK_WIDGET (self->current), EAR_SIGHT_NOW);

  return self->current != NULL;
}
