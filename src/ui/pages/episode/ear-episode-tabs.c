/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-tabs.h"

#include "ear-chapters-view.h"
#include "ear-closures.h"
#include "ear-episode-address.h"
#include "ear-episode-links.h"
#include "ear-notes-loader.h"
#include "ear-notes-view.h"
#include "ear-property.h"
#include "ear-sight.h"
#include "ear-reference-group.h"
#include "ear-references.h"
#include "ear-tabs.h"
#include "ear-transcript-link.h"
#include "ear-transcript-view.h"

/* Application pixels: so much of the tabs is to be seen when one is chosen, with the switcher. */
#define LEAST_HEIGHT 200

/**
 * EarEpisodeTabs:
 *
 * The notes, chapters, transcript and links of an episode. They are on the page of the episode and,
 * in a narrow window, in the sheet of the player, and scroll with it.
 */
struct _EarEpisodeTabs
{
  AdwBin parent_instance;

  /* Template children */
  EarTabs *tabs;
  EarReferenceGroup *first_group;
  EarNotesView *notes_view;
  EarReferenceGroup *refers_group;
  EarReferenceGroup *referred_group;
  EarChaptersView *chapters_view;
  EarTranscriptView *transcript_view;
  EarEpisodeLinks *links_view;

  /* Owned */
  EarLibrary *library;
  EarEpisode *episode;
  EarEpisodeList *list; /* (nullable): what it was chosen from */
  GSignalGroup *episode_signals;
  GSignalGroup *podcast_signals;
  GCancellable *cancellable;
  EarNotes *notes; /* (nullable): what is to be shown in the next frame but one */
  guint notes_tick;
  guint sight_tick;       /* a tab was chosen that is to be seen */
  GCancellable *finding;  /* (nullable): of where a search has found its words */
  GCancellable *relating; /* (nullable): of what other episodes have to do with it */
  char *tab_before;       /* (nullable): the chosen tab, before that led to another one */
  gint64 asked_frame;     /* the last one before the episode was shown */
  gint64 chosen_frame;    /* the last one before the tab was chosen */
  gboolean without_notes;
  gboolean has_transcript;
  gboolean narrow;
  gboolean centered;
  gboolean led; /* a search has chosen the tab */
};

G_DEFINE_FINAL_TYPE (EarEpisodeTabs, ear_episode_tabs, ADW_TYPE_BIN)

static void
update_transcript (EarEpisodeTabs *self)
{
  ear_property_set_boolean (self, "has-transcript",
                            self->episode != NULL && ear_transcript_is_named (self->episode));
}

/* Returns: (nullable): what all of it is scrolled with */
static GtkAdjustment *
get_adjustment (EarEpisodeTabs *self)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);

  return scroller != NULL ? gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller))
                          : NULL;
}

static void
show_references (EarEpisodeTabs *self, EarReferences *references)
{
  EarPodcast *podcast = self->episode != NULL ? ear_episode_get_podcast (self->episode) : NULL;

  ear_reference_group_set_episodes (self->first_group,
                                    references != NULL ? references->first : NULL, podcast);
  ear_reference_group_set_episodes (self->refers_group,
                                    references != NULL ? references->refers : NULL, podcast);
  ear_reference_group_set_episodes (self->referred_group,
                                    references != NULL ? references->referred : NULL, podcast);
  ear_notes_view_set_episodes (self->notes_view, references != NULL ? references->links : NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "tabs.queue-first",
                                 references != NULL && references->first->len > 0);
}

static void
references_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeTabs) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarReferences) references = ear_references_load_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->relating);
  show_references (self, references);
}

static void
stop_relating (EarEpisodeTabs *self)
{
  g_cancellable_cancel (self->relating);
  g_clear_object (&self->relating);
}

/* After the notes are there: nobody waits for it. */
static void
load_references (EarEpisodeTabs *self, EarNotes *notes)
{
  stop_relating (self);
  show_references (self, NULL);
  if (notes == NULL)
    return;
  self->relating = g_cancellable_new ();
  ear_references_load_async (ear_library_get_catalogue (self->library), self->episode, notes,
                             self->relating, references_loaded_cb, g_object_ref (self));
}

/* The view may still show the notes of the previous episode. */
static void
load_pictures (EarEpisodeTabs *self)
{
  if (self->episode != NULL && self->cancellable == NULL && self->notes_tick == 0 &&
      ear_podcast_get_settings (ear_episode_get_podcast (self->episode))
        ->values[EAR_PODCAST_SETTING_NOTES_PICTURES])
    ear_notes_view_load_pictures (self->notes_view);
}

static void
show_notes (EarEpisodeTabs *self, EarNotes *notes)
{
  GtkAdjustment *adjustment = get_adjustment (self);

  ear_notes_view_set_notes (self->notes_view, notes,
                            ear_episode_get_public_address (self->episode));
  load_pictures (self);
  ear_chapters_view_set_episode (self->chapters_view, self->library, self->episode, notes);
  ear_episode_links_set_notes (self->links_view, self->library, self->episode, notes);
  ear_property_set_boolean (self, "without-notes", notes == NULL || notes->blocks->len == 0);
  load_references (self, notes);
  if (adjustment != NULL)
    gtk_adjustment_set_value (adjustment, 0);
}

/* The last frame that was begun, or -1 where none is drawn. */
static gint64
get_frame (EarEpisodeTabs *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self))
         ? gdk_frame_clock_get_frame_counter (gtk_widget_get_frame_clock (GTK_WIDGET (self)))
         : -1;
}

static gboolean
notes_tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarEpisodeTabs *self = EAR_EPISODE_TABS (widget);
  g_autoptr (EarNotes) notes = NULL;

  /* This frame draws the title. */
  if (gdk_frame_clock_get_frame_counter (clock) == self->asked_frame + 1)
    return G_SOURCE_CONTINUE;

  notes = g_steal_pointer (&self->notes);
  self->notes_tick = 0;
  show_notes (self, notes);

  return G_SOURCE_REMOVE;
}

/* Notes that load before the frame with the title come in the frame after it: both in one would
 * take longer than a frame. */
static void
show_notes_soon (EarEpisodeTabs *self, EarNotes *notes)
{
  if (notes == NULL || self->asked_frame < 0 || get_frame (self) != self->asked_frame)
    {
      show_notes (self, notes);
      return;
    }

  self->notes = ear_notes_ref (notes);
  self->notes_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), notes_tick_cb, NULL, NULL);
}

static void
notes_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeTabs) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarNotes) notes = ear_notes_load_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->cancellable);
  if (error != NULL)
    g_debug ("Notes of “%s”: %s", ear_episode_get_title (self->episode), error->message);
  show_notes_soon (self, notes);
}

static void
stop_loading (EarEpisodeTabs *self)
{
  if (self->sight_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->sight_tick);
  self->sight_tick = 0;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->notes_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->notes_tick);
  self->notes_tick = 0;
  g_clear_pointer (&self->notes, ear_notes_unref);
}

/* The notes of before stay until the new ones are there, a frame or two later. */
static void
load_notes (EarEpisodeTabs *self)
{
  stop_loading (self);
  stop_relating (self);
  if (self->episode == NULL || self->library == NULL)
    {
      show_references (self, NULL);
      ear_notes_view_set_notes (self->notes_view, NULL, NULL);
      ear_chapters_view_set_episode (self->chapters_view, self->library, NULL, NULL);
      ear_episode_links_set_notes (self->links_view, self->library, NULL, NULL);
      return;
    }

  self->cancellable = g_cancellable_new ();
  self->asked_frame = get_frame (self);
  ear_notes_load_async (ear_library_get_catalogue (self->library), self->episode, self->cancellable,
                        notes_loaded_cb, g_object_ref (self));
}

static void
stop_finding (EarEpisodeTabs *self)
{
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
}

/* Bookmarks are between the chapters. */
static const char *
find_tab (EarEpisodeTabs *self, const EarSnippet *snippet)
{
  if (snippet->kind == EAR_SNIPPET_CHAPTER || snippet->kind == EAR_SNIPPET_BOOKMARK)
    return "chapters";

  return snippet->kind == EAR_SNIPPET_TRANSCRIPT && self->has_transcript ? "transcript" : NULL;
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeTabs) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarSnippet) snippet =
    ear_catalogue_load_snippet_finish (EAR_CATALOGUE (source), result, &error);
  const char *tab;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->finding);
  tab = snippet != NULL ? find_tab (self, snippet) : NULL;
  if (tab == NULL)
    return;
  g_object_get (self->tabs, "chosen", &self->tab_before, NULL);
  self->led = TRUE;
  ear_episode_tabs_choose (self, tab);
  if (snippet->kind == EAR_SNIPPET_TRANSCRIPT)
    ear_transcript_view_show_at (self->transcript_view, snippet->time);
}

/* The tab that the listener has chosen is that of the next episode, if a search has not led here
 * for another reason. */
static void
look_for_words (EarEpisodeTabs *self)
{
  const char *search = self->list != NULL ? ear_episode_list_get_query (self->list)->search : NULL;

  stop_finding (self);
  if (self->led)
    ear_episode_tabs_choose (self, self->tab_before != NULL ? self->tab_before : "notes");
  self->led = FALSE;
  g_clear_pointer (&self->tab_before, g_free);
  if (search == NULL || self->episode == NULL || self->library == NULL)
    return;
  self->finding = g_cancellable_new ();
  ear_catalogue_load_snippet_async (ear_library_get_catalogue (self->library), self->episode,
                                    search, self->finding, found_cb, g_object_ref (self));
}

/* A low window has the tabs at its lower edge, with nothing of the page in sight. The transcript
 * scrolls itself into sight. */
static void
come_into_sight (EarEpisodeTabs *self)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t bounds;

  if (gtk_widget_get_mapped (GTK_WIDGET (self->transcript_view)) ||
      (gtk_widget_get_mapped (GTK_WIDGET (self->chapters_view)) &&
       ear_chapters_view_come_into_sight (self->chapters_view)))
    return;
  if (scroller != NULL && gtk_widget_compute_bounds (GTK_WIDGET (self), scroller, &bounds) &&
      (float) gtk_widget_get_height (scroller) - bounds.origin.y <
        MIN (bounds.size.height, LEAST_HEIGHT))
    ear_sight_bring (GTK_WIDGET (self), 0);
}

/* The page has no bounds before the first frame with it was laid out. */
static gboolean
sight_tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarEpisodeTabs *self = EAR_EPISODE_TABS (widget);

  if (gdk_frame_clock_get_frame_counter (clock) <= self->chosen_frame + 1)
    return G_SOURCE_CONTINUE;
  self->sight_tick = 0;
  come_into_sight (self);

  return G_SOURCE_REMOVE;
}

/* An episode that is just being chosen begins at the top, whatever tab of it is shown. */
static void
come_into_sight_soon (EarEpisodeTabs *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->cancellable != NULL ||
      self->notes_tick != 0)
    return;
  self->chosen_frame = get_frame (self);
  if (self->sight_tick == 0)
    self->sight_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), sight_tick_cb, NULL, NULL);
}

/* Another tab starts at its top. */
static void
tab_changed_cb (EarEpisodeTabs *self)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  graphene_point_t top;

  if (scroller != NULL &&
      gtk_widget_compute_point (GTK_WIDGET (self), scroller, graphene_point_zero (), &top) &&
      top.y < 0)
    {
      GtkAdjustment *adjustment = get_adjustment (self);

      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + top.y);
    }
  come_into_sight_soon (self);
}

static void
seek_cb (EarEpisodeTabs *self, gint64 time)
{
  if (self->episode != NULL)
    ear_play_control_seek (ear_library_get_play_control (self->library), self->episode, self->list,
                           time);
}

/* Marks the words of a search in the notes. */
static void
list_changed_cb (EarEpisodeTabs *self)
{
  ear_notes_view_set_search (
    self->notes_view, self->list != NULL ? ear_episode_list_get_query (self->list)->search : NULL);
}

static void
set_episode (EarEpisodeTabs *self, EarEpisode *episode)
{
  if (!g_set_object (&self->episode, episode))
    return;

  g_signal_group_set_target (self->episode_signals, episode);
  g_signal_group_set_target (self->podcast_signals,
                             episode != NULL ? ear_episode_get_podcast (episode) : NULL);
  update_transcript (self);
  ear_property_set_boolean (self, "without-notes", FALSE);
  load_notes (self);
  g_object_notify (G_OBJECT (self), "episode");
  look_for_words (self);
}

static void
queue_first (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_episode_tabs_queue_first (EAR_EPISODE_TABS (widget));
}

static void
ear_episode_tabs_dispose (GObject *object)
{
  EarEpisodeTabs *self = EAR_EPISODE_TABS (object);

  stop_loading (self);
  stop_finding (self);
  stop_relating (self);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_TABS);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->podcast_signals);
  g_clear_object (&self->episode);
  g_clear_object (&self->list);
  g_clear_object (&self->library);
  g_clear_pointer (&self->tab_before, g_free);

  G_OBJECT_CLASS (ear_episode_tabs_parent_class)->dispose (object);
}

static void
ear_episode_tabs_class_init (EarEpisodeTabsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, library),
      .changed = G_CALLBACK (load_notes) },
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, episode),
      .set = G_CALLBACK (set_episode) },
    /* The list that the episode was chosen from, and that plays on after it */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, list),
      .changed = G_CALLBACK (list_changed_cb) },
    /* Whether it is known that there are no notes */
    { "without-notes", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarEpisodeTabs, without_notes) },
    /* Whether the switcher stands in the middle, as all else in the sheet of the player does */
    { "centered", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, centered) },
    /* Whether there is little room for the names of the tabs */
    { "narrow", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, narrow) },
    /* Whether there is a transcript of the episode */
    { "has-transcript", G_TYPE_BOOLEAN, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarEpisodeTabs, has_transcript) },
  };

  object_class->dispose = ear_episode_tabs_dispose;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_CHAPTERS_VIEW);
  g_type_ensure (EAR_TYPE_EPISODE_LINKS);
  g_type_ensure (EAR_TYPE_NOTES_VIEW);
  g_type_ensure (EAR_TYPE_REFERENCE_GROUP);
  g_type_ensure (EAR_TYPE_TABS);
  g_type_ensure (EAR_TYPE_TRANSCRIPT_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-episode-tabs.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, tabs);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, first_group);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, notes_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, refers_group);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, referred_group);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, chapters_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, transcript_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, links_view);
  gtk_widget_class_bind_template_callback (widget_class, seek_cb);
  gtk_widget_class_bind_template_callback (widget_class, tab_changed_cb);
  gtk_widget_class_install_action (widget_class, "tabs.queue-first", NULL, queue_first);
  ear_closures_bind (widget_class);
}

static void
ear_episode_tabs_init (EarEpisodeTabs *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify", G_CALLBACK (update_transcript),
                                  self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::notes-pictures",
                                  G_CALLBACK (load_pictures), self);
}

/**
 * ear_episode_tabs_move:
 * @step: 1 for the next tab, -1 for the one before
 *
 * Shows another of the tabs that the episode has.
 */
void
ear_episode_tabs_move (EarEpisodeTabs *self, int step)
{
  g_return_if_fail (EAR_IS_EPISODE_TABS (self));

  ear_tabs_move (self->tabs, step);
}

/**
 * ear_episode_tabs_choose:
 * @name: the name that it has in the template
 *
 * Shows that tab, as soon as it is there.
 */
void
ear_episode_tabs_choose (EarEpisodeTabs *self, const char *name)
{
  g_return_if_fail (EAR_IS_EPISODE_TABS (self));

  g_object_set (self->tabs, "chosen", name, NULL);
}

/**
 * ear_episode_tabs_find:
 *
 * Opens the search of the transcript, if that is shown.
 *
 * Returns: %FALSE if another part of the window should search
 */
gboolean
ear_episode_tabs_find (EarEpisodeTabs *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_TABS (self), FALSE);

  return gtk_widget_get_mapped (GTK_WIDGET (self->transcript_view)) &&
         ear_transcript_view_find (self->transcript_view);
}

/* Adds the unplayed "Listen First" episodes to Up Next in their order, or all of them where all
 * were played. */
void
ear_episode_tabs_queue_first (EarEpisodeTabs *self)
{
  GPtrArray *first;
  g_autoptr (GPtrArray) unheard = NULL;

  g_return_if_fail (EAR_IS_EPISODE_TABS (self));

  first = ear_reference_group_get_episodes (self->first_group);
  if (first == NULL || self->library == NULL)
    return;
  unheard = g_ptr_array_new ();
  for (guint i = 0; i < first->len; i++)
    if (!ear_episode_get_listened (g_ptr_array_index (first, i)))
      g_ptr_array_add (unheard, g_ptr_array_index (first, i));
  ear_queue_add_next (ear_library_get_queue (self->library), unheard->len > 0 ? unheard : first);
}
