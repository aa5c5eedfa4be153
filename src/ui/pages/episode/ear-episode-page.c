/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-page.h"

#include "ear-chapters-view.h"
#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-download-icon.h"
#include "ear-episode-actions.h"
#include "ear-format-episode.h"
#include "ear-format.h"
#include "ear-notes-loader.h"
#include "ear-notes-view.h"
#include "ear-pane-layout.h"
#include "ear-people.h"
#include "ear-player-pane.h"
#include "ear-property.h"
#include "ear-tabs.h"
#include "ear-text-layout.h"
#include "ear-transcript-link.h"
#include "ear-transcript-view.h"
#include "ear-widget.h"

/**
 * EarEpisodePage:
 *
 * The third pane: everything about one episode, and its notes.
 */
struct _EarEpisodePage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  GtkScrolledWindow *scroller;
  EarTabs *tabs;
  EarNotesView *notes_view;
  EarChaptersView *chapters_view;
  EarTranscriptView *transcript_view;
  GtkWidget *play_button;
  GtkWidget *listened_button;
  GtkWidget *download_button;
  GtkMenuButton *menu_button;
  GMenuModel *episode_menu;

  /* Owned */
  EarLibrary *library;
  EarEpisode *episode;
  EarEpisodeList *list; /* (nullable): what it was chosen from */
  GSignalGroup *episode_signals;
  GCancellable *cancellable;
  EarNotes *notes; /* (nullable): what is to be shown in the next frame but one */
  guint notes_tick;
  GCancellable *finding; /* (nullable): of where a search has found its words */
  char *tab_before;      /* (nullable): the chosen tab, before that led to another one */
  gint64 asked_frame; /* the last one before the episode was shown */
  char *facts;
  char *people;
  char *download_text;
  char *podcast_action;
  gboolean listened;
  gboolean liked;
  gboolean narrow;
  gboolean is_short;
  gboolean choosable;
  gboolean without_notes;
  gboolean pictured;
  gboolean has_transcript;
  gboolean led; /* a search has chosen the tab */
  int n_ticked;      /* episodes in the list, or -1 */
  int download_step; /* tenths that were told, or -1 */
};

G_DEFINE_FINAL_TYPE (EarEpisodePage, ear_episode_page, ADW_TYPE_NAVIGATION_PAGE)

static void
update_facts (EarEpisodePage *self)
{
  g_autofree char *facts = self->episode != NULL ? ear_format_episode (self->episode) : NULL;
  g_autofree char *people = self->episode != NULL ? ear_people_format_of_episode (self->episode) : NULL;

  ear_property_set_string (self, "facts", facts);
  ear_property_set_string (self, "people", people);
}

static void
update_tabs (EarEpisodePage *self)
{
  ear_property_set_boolean (self, "has-transcript", self->episode != NULL && ear_transcript_find_link (self->episode) != NULL);
}

/* The button that toggles it has a state of its own, which follows the episode's. */
static void
listened_changed_cb (EarEpisodePage *self)
{
  if (self->episode != NULL && self->library != NULL && ear_episode_get_listened (self->episode) != self->listened)
    ear_history_set_mark (ear_library_get_history (self->library), self->episode, EAR_MARK_LISTENED, self->listened);
}

static void
liked_changed_cb (EarEpisodePage *self)
{
  if (self->episode != NULL && self->library != NULL && ear_episode_get_liked (self->episode) != self->liked)
    ear_history_set_mark (ear_library_get_history (self->library), self->episode, EAR_MARK_LIKED, self->liked);
}

/* That it failed is said at length below. */
static void
update_download_text (EarEpisodePage *self)
{
  const gboolean running = self->episode != NULL && ear_episode_get_download (self->episode) == EAR_DOWNLOAD_RUNNING;
  g_autofree char *text = running ? ear_format_download (self->episode) : NULL;

  ear_property_set_string (self, "download-text", text);
}

/* The ring and the words show it; a screen reader is told in steps that can be listened to. */
static void
update_download_progress (EarEpisodePage *self)
{
  GtkAccessible *button = GTK_ACCESSIBLE (self->download_button);
  const double progress = self->episode != NULL ? ear_episode_get_download_progress (self->episode) : 0;
  int step = -1;
  g_autofree char *text = NULL;

  if (self->episode != NULL && ear_episode_get_download (self->episode) == EAR_DOWNLOAD_RUNNING && progress >= 0)
    step = (int) (progress * 10);
  update_download_text (self);
  if (self->download_step == step)
    return;

  self->download_step = step;
  if (step < 0)
    {
      gtk_accessible_reset_property (button, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
      return;
    }
  text = ear_format_percent (step * 10);
  gtk_accessible_update_property (button, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* What this episode cannot do has no button. */
static void
update_actions (EarEpisodePage *self)
{
  ear_episode_actions_update (GTK_WIDGET (self), self->episode);
  gtk_widget_set_visible (self->play_button, self->episode != NULL && ear_episode_get_enclosure (self->episode) != NULL);
  gtk_widget_set_visible (self->download_button, ear_episode_actions_can_download (self->episode));
}

static void
episode_notify_cb (EarEpisodePage *self, GParamSpec *pspec)
{
  /* This one comes four times a second, and all else stays. */
  update_download_progress (self);
  if (g_str_equal (pspec->name, "download-progress"))
    return;

  update_facts (self);
  update_tabs (self);
  update_actions (self);
  ear_property_set_boolean (self, "listened", ear_episode_get_listened (self->episode));
  ear_property_set_boolean (self, "liked", ear_episode_get_liked (self->episode));
}

static void
show_notes (EarEpisodePage *self, EarNotes *notes)
{
  ear_notes_view_set_notes (self->notes_view, notes, ear_episode_get_public_address (self->episode));
  ear_chapters_view_set_episode (self->chapters_view, self->library, self->episode, notes);
  ear_property_set_boolean (self, "without-notes", notes == NULL || notes->blocks->len == 0);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
}

/* The last frame that was begun, or -1 where none is drawn. */
static gint64
get_frame (EarEpisodePage *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self)) ? gdk_frame_clock_get_frame_counter (gtk_widget_get_frame_clock (GTK_WIDGET (self))) : -1;
}

static gboolean
notes_tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (widget);
  g_autoptr (EarNotes) notes = NULL;

  /* This one has the title. */
  if (gdk_frame_clock_get_frame_counter (clock) == self->asked_frame + 1)
    return G_SOURCE_CONTINUE;

  notes = g_steal_pointer (&self->notes);
  self->notes_tick = 0;
  show_notes (self, notes);

  return G_SOURCE_REMOVE;
}

/* Where they are there before the frame with the title is drawn, they come in the one after it:
 * both in one would take longer than a frame. */
static void
show_notes_soon (EarEpisodePage *self, EarNotes *notes)
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
  g_autoptr (EarEpisodePage) self = user_data;
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
stop_loading (EarEpisodePage *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->notes_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->notes_tick);
  self->notes_tick = 0;
  g_clear_pointer (&self->notes, ear_notes_unref);
}

/* The notes of before stay until the new ones are there, a frame or two later. */
static void
load_notes (EarEpisodePage *self)
{
  stop_loading (self);
  if (self->episode == NULL || self->library == NULL)
    {
      ear_notes_view_set_notes (self->notes_view, NULL, NULL);
      ear_chapters_view_set_episode (self->chapters_view, self->library, NULL, NULL);
      return;
    }

  self->cancellable = g_cancellable_new ();
  self->asked_frame = get_frame (self);
  ear_notes_load_async (ear_library_get_catalogue (self->library), self->episode, self->cancellable, notes_loaded_cb,
                        g_object_ref (self));
}

static void
stop_finding (EarEpisodePage *self)
{
  g_cancellable_cancel (self->finding);
  g_clear_object (&self->finding);
}

/* What a search has found by what is said in it is read there. */
static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodePage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarSnippet) snippet = ear_catalogue_load_snippet_finish (EAR_CATALOGUE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->finding);
  if (snippet == NULL || snippet->time < 0)
    return;
  g_object_get (self->tabs, "chosen", &self->tab_before, NULL);
  self->led = TRUE;
  ear_episode_page_choose_tab (self, "transcript");
  ear_transcript_view_show_at (self->transcript_view, snippet->time);
}

/* The tab that the listener has chosen is that of the next episode, if a search has not led here for another reason. */
static void
look_for_words (EarEpisodePage *self)
{
  const char *search = self->list != NULL ? ear_episode_list_get_query (self->list)->search : NULL;

  stop_finding (self);
  if (self->led)
    ear_episode_page_choose_tab (self, self->tab_before != NULL ? self->tab_before : "notes");
  self->led = FALSE;
  g_clear_pointer (&self->tab_before, g_free);
  if (search == NULL || !self->has_transcript || self->library == NULL)
    return;
  self->finding = g_cancellable_new ();
  ear_catalogue_load_snippet_async (ear_library_get_catalogue (self->library), self->episode, search, self->finding, found_cb,
                                    g_object_ref (self));
}

/* Whoever has scrolled down in a long one begins at the top of the other. */
static void
tab_changed_cb (EarEpisodePage *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  graphene_point_t top;

  if (gtk_widget_compute_point (GTK_WIDGET (self->tabs), GTK_WIDGET (self->scroller), graphene_point_zero (), &top) && top.y < 0)
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + top.y);
}

static void
seek_cb (EarEpisodePage *self, gint64 time)
{
  if (self->episode != NULL)
    ear_play_control_seek (ear_library_get_play_control (self->library), self->episode, self->list, time);
}

/* The episode of this page, which need not be the one that is chosen in the window. */
static void
toggle_playing (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (widget);

  if (self->episode != NULL && self->library != NULL)
    ear_play_control_toggle (ear_library_get_play_control (self->library), self->episode, self->list);
}

/* Where it comes alone the keys begin at what plays it, and not in its title, which can be selected. */
static void
ear_episode_page_shown (AdwNavigationPage *page)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (page);

  if (self->narrow)
    ear_episode_page_enter (self);
}

/* What a search has found is read for the words that it looked for. */
static void
list_changed_cb (EarEpisodePage *self)
{
  ear_notes_view_set_search (self->notes_view, self->library,
                             self->list != NULL ? ear_episode_list_get_query (self->list)->search : NULL);
}

static void
ear_episode_page_dispose (GObject *object)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (object);

  stop_loading (self);
  stop_finding (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_PAGE);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->episode);
  g_clear_object (&self->list);
  g_clear_object (&self->library);
  g_clear_pointer (&self->facts, g_free);
  g_clear_pointer (&self->people, g_free);
  g_clear_pointer (&self->download_text, g_free);
  g_clear_pointer (&self->podcast_action, g_free);
  g_clear_pointer (&self->tab_before, g_free);

  G_OBJECT_CLASS (ear_episode_page_parent_class)->dispose (object);
}

static void
ear_episode_page_class_init (EarEpisodePageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Where notes come from and what plays */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, library) },
    /* What the page shows */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, episode),
      .set = G_CALLBACK (ear_episode_page_set_episode) },
    /* What the actions of an episode work on: the same */
    { "target", EAR_TYPE_EPISODE, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, episode) },
    /* What the episode was chosen from, and what is played after it */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, list),
      .changed = G_CALLBACK (list_changed_cb) },
    /* Whether the listener has listened to the episode */
    { "listened", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, listened),
      .changed = G_CALLBACK (listened_changed_cb) },
    /* Whether the listener likes the episode */
    { "liked", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, liked),
      .changed = G_CALLBACK (liked_changed_cb) },
    /* The line below the title */
    { "facts", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, facts) },
    /* The action that the podcast's name has: it leads to the list of its episodes */
    { "podcast-action", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, podcast_action) },
    /* Who is heard in the episode, where the feed tells */
    { "people", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, people) },
    /* How much of the episode is there while it is downloaded: "42 % of 16 MB" */
    { "download-text", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, download_text) },
    /* Whether there is only room for one column */
    { "narrow", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, narrow) },
    /* Whether there is no room for more than the words: the cover makes way */
    { "short", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, is_short) },
    /* Whether there are episodes to choose from: where there are none, nothing is said of choosing */
    { "choosable", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, choosable) },
    /* Whether it is known that there are no notes */
    { "without-notes", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, without_notes) },
    /* Whether the picture of the episode, which plays, is shown */
    { "pictured", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodePage, pictured) },
    /* How many episodes are ticked beside it, in whose place none is shown; or -1 */
    { .spec = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarEpisodePage, n_ticked) },
    /* Whether there is a transcript of the episode */
    { "has-transcript", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodePage, has_transcript) },
  };

  object_class->dispose = ear_episode_page_dispose;
  ADW_NAVIGATION_PAGE_CLASS (klass)->shown = ear_episode_page_shown;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  ear_episode_actions_install (widget_class);
  gtk_widget_class_install_property_action (widget_class, "episode.listened", "listened");
  gtk_widget_class_install_property_action (widget_class, "episode.liked", "liked");
  gtk_widget_class_install_action (widget_class, "episode.toggle-playing", NULL, toggle_playing);

  g_type_ensure (EAR_TYPE_CHAPTERS_VIEW);
  g_type_ensure (EAR_TYPE_COVER_IMAGE);
  g_type_ensure (EAR_TYPE_DOWNLOAD_ICON);
  g_type_ensure (EAR_TYPE_NOTES_VIEW);
  g_type_ensure (EAR_TYPE_PANE_LAYOUT);
  g_type_ensure (EAR_TYPE_PLAYER_PANE);
  g_type_ensure (EAR_TYPE_TABS);
  g_type_ensure (EAR_TYPE_TEXT_LAYOUT);
  g_type_ensure (EAR_TYPE_TRANSCRIPT_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-episode-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, notes_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, chapters_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, transcript_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, tabs);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, play_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, download_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, listened_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, episode_menu);
  gtk_widget_class_bind_template_callback (widget_class, seek_cb);
  gtk_widget_class_bind_template_callback (widget_class, tab_changed_cb);
  ear_closures_bind (widget_class);
}

static void
ear_episode_page_init (EarEpisodePage *self)
{
  self->n_ticked = -1;
  self->download_step = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_menu_later_set (self->menu_button, self->episode_menu);
  self->episode_signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->episode_signals, "notify", G_CALLBACK (episode_notify_cb), self);
  update_actions (self);
}

/* Shows an episode, and its notes as soon as they are read. */
void
ear_episode_page_set_episode (EarEpisodePage *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_EPISODE_PAGE (self));

  if (!g_set_object (&self->episode, episode))
    return;

  g_signal_group_set_target (self->episode_signals, episode);
  update_facts (self);
  update_tabs (self);
  ear_property_set_boolean (self, "listened", episode != NULL && ear_episode_get_listened (episode));
  ear_property_set_boolean (self, "liked", episode != NULL && ear_episode_get_liked (episode));
  ear_property_set_boolean (self, "without-notes", FALSE);
  update_download_progress (self);
  update_actions (self);
  load_notes (self);
  g_object_notify (G_OBJECT (self), "episode");
  g_object_notify (G_OBJECT (self), "target");
  look_for_words (self);
}

/* Puts the focus on what plays the episode, or else on the first thing that can be done with it; its notes follow. */
gboolean
ear_episode_page_enter (EarEpisodePage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_PAGE (self), FALSE);

  if (self->episode == NULL)
    return FALSE;

  return gtk_widget_grab_focus (gtk_widget_get_visible (self->play_button) ? self->play_button : self->listened_button);
}

/**
 * ear_episode_page_move_tab:
 * @step: 1 for the next tab, -1 for the one before
 *
 * Shows another of the tabs that the episode has.
 */
void
ear_episode_page_move_tab (EarEpisodePage *self, int step)
{
  g_return_if_fail (EAR_IS_EPISODE_PAGE (self));

  ear_tabs_move (self->tabs, step);
}

/**
 * ear_episode_page_choose_tab:
 * @name: the name that it has in the template
 *
 * Shows that tab, as soon as it is there.
 */
void
ear_episode_page_choose_tab (EarEpisodePage *self, const char *name)
{
  g_return_if_fail (EAR_IS_EPISODE_PAGE (self));

  g_object_set (self->tabs, "chosen", name, NULL);
}

/**
 * ear_episode_page_find:
 *
 * Lets the listener look for words in the transcript, if that is what is read, and it is not done already.
 *
 * Returns: %FALSE if words are to be looked for elsewhere
 */
gboolean
ear_episode_page_find (EarEpisodePage *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_PAGE (self), FALSE);

  return gtk_widget_get_mapped (GTK_WIDGET (self->transcript_view)) && ear_transcript_view_find (self->transcript_view);
}
