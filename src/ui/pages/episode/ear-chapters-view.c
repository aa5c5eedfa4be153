/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapters-view.h"

#include "ear-bookmark-row.h"
#include "ear-chapter-row.h"
#include "ear-property.h"
#include "ear-sight.h"

/**
 * EarChaptersView:
 *
 * The chapters of an episode, and the listener's bookmarks between them. The playing chapter shows
 * the time left; a click seeks.
 *
 * The rows are made when they come into sight, so that another episode's notes do not wait for
 * them.
 */
struct _EarChaptersView
{
  AdwBin parent_instance;

  /* Template children */
  GtkListBox *list;

  /* Owned */
  EarLibrary *library;      /* (nullable) */
  EarChapterFinder *finder; /* (nullable) */
  EarChapters *chapters;    /* those that are shown */
  GPtrArray *rows;      /* (element-type EarChapterRow): of the chapters; borrowed from the list */
  GPtrArray *bookmarks; /* (element-type EarBookmark): those that are shown */
  EarEpisode *episode;  /* (nullable): that they are of */
  GSignalGroup *bookmark_signals;
  GSignalGroup *player_signals;
  GSignalGroup *control_signals;

  /* Borrowed */
  EarChapterRow *current; /* (nullable): the row of the chapter that plays */

  guint n_chapters;
  guint n_rows;
  gboolean filled;  /* the rows are those of the chapters */
  gboolean unheard; /* none of them has played since */
};

G_DEFINE_FINAL_TYPE (EarChaptersView, ear_chapters_view, ADW_TYPE_BIN)

static gboolean
is_playing (EarChaptersView *self)
{
  return self->library != NULL && self->episode != NULL &&
         ear_player_get_episode (ear_library_get_player (self->library)) == self->episode;
}

/* Scrolls to the playing chapter while the previous one is in sight, and when playback starts. */
static void
set_current (EarChaptersView *self, EarChapterRow *row)
{
  const gboolean followed =
    self->current != NULL ? ear_sight_has (GTK_WIDGET (self->current)) : self->unheard;

  if (self->current != NULL)
    ear_chapter_row_set_place (self->current, -1, 1);
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
  EarPlayer *player = is_playing (self) ? ear_library_get_player (self->library) : NULL;
  const gint64 position = player != NULL ? ear_player_get_position (player) : -1;
  const int index = position >= 0 ? ear_chapters_find (self->chapters, position) : -1;
  EarChapterRow *row = index >= 0 && self->filled ? g_ptr_array_index (self->rows, index) : NULL;

  if (!self->filled)
    return;
  if (row != NULL && !ear_chapter_row_has (row, position))
    row = NULL;
  if (self->current != row)
    set_current (self, row);
  if (self->current != NULL)
    ear_chapter_row_set_place (self->current, position, ear_player_get_rate (player));
}

/* --- Those that are never played --------------------------------------------------------- */

static EarPodcast *
get_podcast (EarChaptersView *self)
{
  return self->episode != NULL ? ear_episode_get_podcast (self->episode) : NULL;
}

static void
show_skip (EarChaptersView *self, EarChapterRow *row)
{
  EarChapterControl *control = ear_library_get_chapter_control (self->library);
  EarPodcast *podcast = get_podcast (self);
  const char *title = ear_chapter_row_get_title (row);

  if (podcast != NULL && title != NULL)
    ear_chapter_row_set_skipped (row, ear_chapter_control_skips (control, podcast, title));
}

static void
show_skips (EarChaptersView *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    show_skip (self, g_ptr_array_index (self->rows, i));
}

static void
skipped_changed_cb (EarChaptersView *self, GParamSpec *pspec, EarChapterRow *row)
{
  gboolean skipped;

  g_object_get (row, "skipped", &skipped, NULL);
  if (get_podcast (self) != NULL)
    ear_chapter_control_set_skips (ear_library_get_chapter_control (self->library),
                                   get_podcast (self), ear_chapter_row_get_title (row), skipped);
}

static void
add_chapter (EarChaptersView *self, guint index, gint64 duration)
{
  EarChapterRow *row = ear_chapter_row_new (self->chapters, index, duration);

  gtk_list_box_append (self->list, GTK_WIDGET (row));
  g_ptr_array_add (self->rows, row);
  show_skip (self, row);
  g_signal_connect_object (row, "notify::skipped", G_CALLBACK (skipped_changed_cb), self,
                           G_CONNECT_SWAPPED);
}

static void
name_row_cb (EarBookmarkRow *content, GParamSpec *pspec, GtkWidget *row)
{
  g_autofree char *spoken = NULL;

  g_object_get (content, "spoken", &spoken, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
add_bookmark (EarChaptersView *self, EarBookmark *bookmark)
{
  GtkWidget *row = gtk_list_box_row_new ();
  EarBookmarkRow *content = ear_bookmark_row_new (ear_library_get_bookmarks (self->library), TRUE);

  g_signal_connect_object (content, "notify::spoken", G_CALLBACK (name_row_cb), row,
                           G_CONNECT_DEFAULT);
  ear_bookmark_row_set_bookmark (content, bookmark);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), GTK_WIDGET (content));
  gtk_list_box_append (self->list, row);
}

/* When what a row stands for begins. */
static gint64
get_time (GtkListBoxRow *row)
{
  return EAR_IS_CHAPTER_ROW (row) ? ear_chapter_row_get_start (EAR_CHAPTER_ROW (row))
                                  : ear_bookmark_get_time (ear_bookmark_row_get_bookmark (
                                      EAR_BOOKMARK_ROW (gtk_list_box_row_get_child (row))));
}

/* Returns: (nullable): the row that the keys go to */
static GtkListBoxRow *
get_focused (EarChaptersView *self)
{
  const gboolean focused =
    (gtk_widget_get_state_flags (GTK_WIDGET (self->list)) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;

  return focused ? GTK_LIST_BOX_ROW (gtk_widget_get_focus_child (GTK_WIDGET (self->list))) : NULL;
}

/* The last row of this type, a chapter or a bookmark, that begins until then; or else the first
 * one. */
static void
focus_at (EarChaptersView *self, GType type, gint64 time)
{
  GtkListBoxRow *found = gtk_list_box_get_row_at_index (self->list, 0);
  GtkListBoxRow *row;

  for (int i = 0;
       (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL && get_time (row) <= time; i++)
    if (G_OBJECT_TYPE (row) == type)
      found = row;
  if (found != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (found));
}

/* Sorted by time; a bookmark follows the chapter that begins with it. The focus keeps its time:
 * playback may find other chapters. */
static void
fill (EarChaptersView *self)
{
  GtkListBoxRow *focused = get_focused (self);
  const GType type = focused != NULL ? G_OBJECT_TYPE (focused) : G_TYPE_NONE;
  const gint64 time = focused != NULL ? get_time (focused) : -1;
  const gint64 duration =
    self->episode != NULL ? ear_episode_get_duration (self->episode) : EAR_DURATION_UNKNOWN;
  guint n = 0;

  self->current = NULL;
  g_ptr_array_set_size (self->rows, 0);
  gtk_list_box_remove_all (self->list);
  for (guint i = 0; i <= self->n_chapters; i++)
    {
      const gint64 start =
        i < self->n_chapters ? ear_chapters_get (self->chapters, i)->start : G_MAXINT64;

      while (n < self->bookmarks->len &&
             ear_bookmark_get_time (g_ptr_array_index (self->bookmarks, n)) < start)
        add_bookmark (self, g_ptr_array_index (self->bookmarks, n++));
      if (i < self->n_chapters)
        add_chapter (self, i, duration);
    }
  self->filled = self->unheard = TRUE;
  if (time >= 0)
    focus_at (self, type, time);
  update_current (self);
}

/* The player may know chapters that the feed does not. */
static EarChapters *
get_best (EarChaptersView *self)
{
  EarChapters *found = ear_chapter_finder_get_chapters (self->finder);
  EarEpisode *episode = ear_chapter_finder_get_episode (self->finder);
  EarChapters *heard;

  if (episode == NULL || ear_player_get_episode (ear_library_get_player (self->library)) != episode)
    return found;
  heard = ear_chapter_control_get_chapters (ear_library_get_chapter_control (self->library));

  return ear_chapters_get_count (heard) > 0 ? heard : found;
}

static gboolean
bookmarks_equal (GPtrArray *a, GPtrArray *b)
{
  gboolean equal = a->len == b->len;

  for (guint i = 0; equal && i < a->len; i++)
    equal = g_ptr_array_index (a, i) == g_ptr_array_index (b, i);

  return equal;
}

static void
show (EarChaptersView *self)
{
  self->filled = FALSE;
  ear_property_set_number (self, "n-chapters", (int) ear_chapters_get_count (self->chapters));
  ear_property_set_number (self, "n-rows", (int) (self->n_chapters + self->bookmarks->len));
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill (self);
}

/* Returns: whether they are others now */
static gboolean
find_bookmarks (EarChaptersView *self)
{
  g_autoptr (GPtrArray) bookmarks = NULL;

  if (self->episode != NULL)
    bookmarks = ear_bookmarks_find (ear_library_get_bookmarks (self->library), self->episode);
  else
    bookmarks = g_ptr_array_new ();
  if (bookmarks_equal (self->bookmarks, bookmarks))
    return FALSE;

  g_ptr_array_unref (self->bookmarks);
  self->bookmarks = g_steal_pointer (&bookmarks);

  return TRUE;
}

static void
bookmarks_changed_cb (EarChaptersView *self)
{
  if (find_bookmarks (self))
    show (self);
}

/* The last one ends with the episode: how long that is may become known only now. */
static void
update_end (EarChaptersView *self)
{
  guint last;

  if (!self->filled || self->rows->len == 0)
    return;
  last = self->rows->len - 1;
  ear_chapter_row_set_end (
    g_ptr_array_index (self->rows, last),
    ear_chapters_get_end (self->chapters, last, ear_chapter_finder_get_duration (self->finder)));
  update_current (self);
}

/* Keeps the chapters of the previous episode until those of this one are known. */
static void
update_chapters (EarChaptersView *self)
{
  EarEpisode *episode;
  EarChapters *chapters;

  if (self->finder == NULL || !ear_chapter_finder_get_settled (self->finder))
    return;
  episode = ear_chapter_finder_get_episode (self->finder);
  chapters = get_best (self);
  if (self->episode == episode && ear_chapters_equal (self->chapters, chapters))
    {
      update_end (self);
      return;
    }

  g_set_object (&self->episode, episode);
  ear_chapters_unref (self->chapters);
  self->chapters = ear_chapters_ref (chapters);
  find_bookmarks (self);
  show (self);
}

static void
episode_changed_cb (EarChaptersView *self)
{
  update_chapters (self);
  update_current (self);
}

/* Ignore rows that still show the chapters of the previous episode. */
static void
row_activated_cb (EarChaptersView *self, GtkListBoxRow *row)
{
  if (ear_chapter_finder_get_episode (self->finder) != self->episode)
    return;

  g_signal_emit_by_name (self, "seek", get_time (row));
}

static void
ear_chapters_view_map (GtkWidget *widget)
{
  EarChaptersView *self = EAR_CHAPTERS_VIEW (widget);

  if (!self->filled)
    fill (self);
  GTK_WIDGET_CLASS (ear_chapters_view_parent_class)->map (widget);
}

static void
ear_chapters_view_dispose (GObject *object)
{
  EarChaptersView *self = EAR_CHAPTERS_VIEW (object);

  g_clear_object (&self->player_signals);
  g_clear_object (&self->control_signals);
  g_clear_object (&self->bookmark_signals);
  g_clear_object (&self->finder);
  g_clear_object (&self->episode);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_chapters_view_parent_class)->dispose (object);
}

static void
ear_chapters_view_finalize (GObject *object)
{
  EarChaptersView *self = EAR_CHAPTERS_VIEW (object);

  ear_chapters_unref (self->chapters);
  g_ptr_array_unref (self->bookmarks);
  g_ptr_array_unref (self->rows);

  G_OBJECT_CLASS (ear_chapters_view_parent_class)->finalize (object);
}

static void
ear_chapters_view_class_init (EarChaptersViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* How many there are */
    { "n-chapters", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChaptersView, n_chapters) },
    /* And with the bookmarks */
    { "n-rows", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChaptersView, n_rows) },
  };

  object_class->dispose = ear_chapters_view_dispose;
  object_class->finalize = ear_chapters_view_finalize;
  widget_class->map = ear_chapters_view_map;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* A chapter was clicked. */
  g_signal_new ("seek", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_INT64);

  g_type_ensure (EAR_TYPE_CHAPTER_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-chapters-view.ui");
  gtk_widget_class_bind_template_child (widget_class, EarChaptersView, list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
ear_chapters_view_init (EarChaptersView *self)
{
  self->chapters = ear_chapters_new ();
  self->bookmarks = g_ptr_array_new ();
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  self->player_signals = g_signal_group_new (EAR_TYPE_PLAYER);
  g_signal_group_connect_swapped (self->player_signals, "notify::position",
                                  G_CALLBACK (update_current), self);
  g_signal_group_connect_swapped (self->player_signals, "notify::rate", G_CALLBACK (update_current),
                                  self);
  g_signal_group_connect_swapped (self->player_signals, "notify::episode",
                                  G_CALLBACK (episode_changed_cb), self);
  self->control_signals = g_signal_group_new (EAR_TYPE_CHAPTER_CONTROL);
  g_signal_group_connect_swapped (self->control_signals, "notify::chapters",
                                  G_CALLBACK (update_chapters), self);
  g_signal_group_connect_swapped (self->control_signals, "skips-changed", G_CALLBACK (show_skips),
                                  self);
  self->bookmark_signals = g_signal_group_new (EAR_TYPE_BOOKMARKS);
  g_signal_group_connect_swapped (self->bookmark_signals, "notify::n-bookmarks",
                                  G_CALLBACK (bookmarks_changed_cb), self);
}

static void
set_library (EarChaptersView *self, EarLibrary *library)
{
  if (!g_set_object (&self->library, library))
    return;

  g_clear_object (&self->finder);
  if (library != NULL)
    {
      self->finder = ear_library_create_chapter_finder (library);
      g_signal_connect_object (self->finder, "notify", G_CALLBACK (update_chapters), self,
                               G_CONNECT_SWAPPED);
    }
  g_signal_group_set_target (self->player_signals,
                             library != NULL ? ear_library_get_player (library) : NULL);
  g_signal_group_set_target (self->bookmark_signals,
                             library != NULL ? ear_library_get_bookmarks (library) : NULL);
  g_signal_group_set_target (self->control_signals,
                             library != NULL ? ear_library_get_chapter_control (library) : NULL);
}

/* Shows the chapters of an episode, as soon as they are found.
 * @library: (nullable): who finds them
 * @episode: (nullable): an episode
 * @notes: (nullable): its notes, in which some may stand */
void
ear_chapters_view_set_episode (EarChaptersView *self,
                               EarLibrary *library,
                               EarEpisode *episode,
                               EarNotes *notes)
{
  g_return_if_fail (EAR_IS_CHAPTERS_VIEW (self));

  set_library (self, library);
  if (self->finder == NULL)
    return;

  g_object_freeze_notify (G_OBJECT (self->finder));
  ear_chapter_finder_set_episode (self->finder, episode);
  ear_chapter_finder_take_notes (self->finder, notes);
  g_object_thaw_notify (G_OBJECT (self->finder));
}

/* Scrolls to the chapter that plays, if that is one of them and is out of sight.
 * Returns: whether it is one of them */
gboolean
ear_chapters_view_come_into_sight (EarChaptersView *self)
{
  g_return_val_if_fail (EAR_IS_CHAPTERS_VIEW (self), FALSE);

  if (self->current != NULL && !ear_sight_has (GTK_WIDGET (self->current)))
    ear_sight_bring (GTK_WIDGET (self->current), EAR_SIGHT_NOW);

  return self->current != NULL;
}
