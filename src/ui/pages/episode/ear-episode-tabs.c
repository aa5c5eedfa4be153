/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-tabs.h"

#include "ear-chapters-view.h"
#include "ear-links.h"
#include "ear-episode.h"
#include "ear-format-episode.h"
#include "ear-notes-loader.h"
#include "ear-notes-view.h"
#include "ear-property.h"
#include "ear-references.h"
#include "ear-sight.h"
#include "ear-documents.h"
#include "ear-transcript-view.h"
#include "ear-widget.h"

/* Application pixels of the tabs, with the switcher, that are in sight
 * when a tab is chosen */
#define LEAST_HEIGHT 200

/**
 * EarEpisodeTabs:
 *
 * Tabs with the notes, chapters, transcript and links of an episode, on its page and, in
 * a narrow window, in the sheet of the player. The tabs scroll with the page. A tab is
 * visible while it has content; a single one has no switcher. The tab that the listener
 * chose is shown whenever it is visible, and else the notes.
 */
struct _EarEpisodeTabs
{
  AdwBin parent_instance;

  /* Template children */
  GtkWidget *switcher;
  AdwViewStack *stack;
  GtkListBox *first_list;
  EarNotesView *notes_view;
  GtkListBox *refers_list;
  GtkListBox *referred_list;
  EarChaptersView *chapters_view;
  EarTranscriptView *transcript_view;
  EarEpisodeLinks *links_view;
  GtkWidget *no_notes;

  /* Owned */
  EarLibrary *library;
  EarEpisode *episode;
  EarEpisodeList *list; /* (nullable): the list that it was chosen from */
  GPtrArray *first;     /* (nullable) (element-type EarEpisode): to be heard before it */
  GSignalGroup *podcast_signals;
  GCancellable *cancellable; /* for all that is loaded of the episode */
  char *chosen;              /* (nullable): the tab that the listener chose */
  char *led;                 /* (nullable): the tab that a search led to in this episode */

  gboolean loading; /* the notes */
  gboolean narrow;
  gboolean centered;
};

G_DEFINE_FINAL_TYPE (EarEpisodeTabs, ear_episode_tabs, ADW_TYPE_BIN)

/* --- The tabs ----------------------------------------------------------------------- */

static gboolean
is_visible (EarEpisodeTabs *self, GtkWidget *tab)
{
  return adw_view_stack_page_get_visible (adw_view_stack_get_page (self->stack, tab));
}

/* Returns: (nullable): the wanted tab, if it is visible */
static GtkWidget *
find_wanted (EarEpisodeTabs *self)
{
  const char *name = self->led != NULL ? self->led : self->chosen;
  GtkWidget *child = name != NULL ? adw_view_stack_get_child_by_name (self->stack, name) : NULL;

  return child != NULL && is_visible (self, child) ? child : NULL;
}

static void
update_tabs (EarEpisodeTabs *self)
{
  GtkWidget *wanted = find_wanted (self);
  guint n_visible = 0;

  for (GtkWidget *tab = gtk_widget_get_first_child (GTK_WIDGET (self->stack)); tab != NULL;
       tab = gtk_widget_get_next_sibling (tab))
    n_visible += is_visible (self, tab);
  gtk_widget_set_visible (self->switcher, n_visible > 1);
  if (wanted != NULL)
    adw_view_stack_set_visible_child (self->stack, wanted);
}

/* A low window has the tabs at its lower edge, with nothing of the page in sight. The
 * transcript scrolls itself into sight. An episode that is just being chosen begins at the
 * top, whatever tab of it is shown. */
static void
come_into_sight (EarEpisodeTabs *self)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t bounds;

  if (self->loading || !gtk_widget_get_mapped (GTK_WIDGET (self)) ||
      gtk_widget_get_mapped (GTK_WIDGET (self->transcript_view)) ||
      (gtk_widget_get_mapped (GTK_WIDGET (self->chapters_view)) &&
       ear_chapters_view_come_into_sight (self->chapters_view)))
    return;
  if (scroller != NULL && gtk_widget_compute_bounds (GTK_WIDGET (self), scroller, &bounds) &&
      (float) gtk_widget_get_height (scroller) - bounds.origin.y <
        MIN (bounds.size.height, LEAST_HEIGHT))
    ear_sight_bring (GTK_WIDGET (self), 0);
}

/* Shows the tab of that name in the template, as soon as it is visible, from its top. */
void
ear_episode_tabs_choose (EarEpisodeTabs *self, const char *name)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  graphene_point_t top;

  g_clear_pointer (&self->led, g_free);
  g_set_str (&self->chosen, name);
  update_tabs (self);
  if (scroller == NULL || self->loading)
    return;
  if (gtk_widget_compute_point (GTK_WIDGET (self), scroller, graphene_point_zero (), &top) &&
      top.y < 0)
    {
      GtkAdjustment *page =
        gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

      gtk_adjustment_set_value (page, gtk_adjustment_get_value (page) + top.y);
    }
  /* The page has no bounds before the first frame with it was laid out. */
  ear_run_after_frames (GTK_WIDGET (self), 2, G_CALLBACK (come_into_sight));
}

/* The stack itself shows the notes when the wanted tab becomes invisible. */
static void
shown_changed_cb (EarEpisodeTabs *self)
{
  GtkWidget *shown = adw_view_stack_get_visible_child (self->stack);
  GtkWidget *wanted = find_wanted (self);

  if (shown != NULL && shown != wanted &&
      (wanted != NULL || shown != gtk_widget_get_first_child (GTK_WIDGET (self->stack))))
    ear_episode_tabs_choose (self, adw_view_stack_get_visible_child_name (self->stack));
}

/* Shows another tab that the episode has.
 * @step: 1 for the next tab, -1 for the one before; wraps around */
void
ear_episode_tabs_move (EarEpisodeTabs *self, int step)
{
  GtkWidget *stack = GTK_WIDGET (self->stack);
  GtkWidget *tab = adw_view_stack_get_visible_child (self->stack);

  do
    {
      tab = step > 0 ? gtk_widget_get_next_sibling (tab) : gtk_widget_get_prev_sibling (tab);
      if (tab == NULL)
        tab = step > 0 ? gtk_widget_get_first_child (stack) : gtk_widget_get_last_child (stack);
    }
  while (!is_visible (self, tab));
  adw_view_stack_set_visible_child (self->stack, tab);
}

/* --- Their content ------------------------------------------------------------------ */

static gboolean
has_transcript (gpointer object, EarEpisodeFacts *facts)
{
  return facts->transcripts->len > 0;
}

/* Shows a list below its heading, unless it is empty.
 * @episodes: (nullable) (element-type EarEpisode)
 * @podcast: (nullable): the podcast that the rows need not name */
static void
set_episodes (GtkListBox *list, GPtrArray *episodes, EarPodcast *podcast)
{
  gtk_list_box_remove_all (list);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (list)),
                          episodes != NULL && episodes->len > 0);
  for (guint i = 0; episodes != NULL && i < episodes->len; i++)
    {
      EarEpisode *episode = g_ptr_array_index (episodes, i);
      g_autofree char *facts = ear_episode_get_podcast (episode) == podcast
                               ? ear_format_episode (episode)
                               : ear_format_result (episode, g_get_real_time () / G_USEC_PER_SEC);
      g_autofree char *key = ear_episode_dup_key (episode);

      gtk_list_box_append (list,
                           g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title",
                                         ear_episode_get_name (episode), "subtitle", facts,
                                         "activatable", TRUE, "action-name", "app.show-episode",
                                         "action-target", g_variant_new_string (key), NULL));
    }
}

/* @references: (nullable) */
static void
show_references (EarEpisodeTabs *self, EarReferences *references)
{
  EarPodcast *podcast = self->episode != NULL ? ear_episode_get_podcast (self->episode) : NULL;

  g_clear_pointer (&self->first, g_ptr_array_unref);
  if (references != NULL && references->first->len > 0)
    self->first = g_ptr_array_ref (references->first);
  set_episodes (self->first_list, self->first, podcast);
  set_episodes (self->refers_list, references != NULL ? references->refers : NULL, podcast);
  set_episodes (self->referred_list, references != NULL ? references->referred : NULL, podcast);
  ear_notes_view_set_episodes (self->notes_view, references != NULL ? references->links : NULL);
}

static void
references_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeTabs) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarReferences) references = ear_references_load_finish (result, &error);

  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_references (self, references);
}

/* The view may still show the notes of the previous episode. */
static void
load_pictures (EarEpisodeTabs *self)
{
  if (self->episode != NULL && !self->loading &&
      ear_podcast_get_settings (ear_episode_get_podcast (self->episode))
        ->values[EAR_PODCAST_SETTING_NOTES_PICTURES])
    ear_notes_view_load_pictures (self->notes_view);
}

/* @notes: (nullable) */
static void
show_notes (EarEpisodeTabs *self, EarNotes *notes)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);

  ear_notes_view_set_notes (self->notes_view, notes,
                            self->episode != NULL ? ear_episode_get_public_address (self->episode)
                                                  : NULL);
  load_pictures (self);
  ear_chapters_view_set_episode (self->chapters_view, self->episode, notes);
  ear_episode_links_set_notes (self->links_view, self->episode, notes);
  gtk_widget_set_visible (self->no_notes, self->episode != NULL &&
                                            (notes == NULL || notes->blocks->len == 0));
  show_references (self, NULL);
  if (scroller != NULL)
    gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)), 0);
}

static void
notes_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeTabs) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarNotes) notes = ear_notes_load_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  self->loading = FALSE;
  if (error != NULL)
    g_debug ("Notes of “%s”: %s", ear_episode_get_title (self->episode), error->message);
  show_notes (self, notes);
  if (notes != NULL)
    ear_references_load_async (ear_library_get_catalogue (self->library), self->episode, notes,
                               self->cancellable, references_loaded_cb, g_object_ref (self));
}

static void
snippet_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeTabs) self = user_data;
  g_autoptr (EarSnippet) snippet = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, NULL);

  if (snippet == NULL)
    return;
  /* Bookmarks are between the chapters. */
  if (snippet->kind == EAR_SNIPPET_CHAPTER || snippet->kind == EAR_SNIPPET_BOOKMARK)
    g_set_str (&self->led, "chapters");
  else if (snippet->kind == EAR_SNIPPET_TRANSCRIPT && ear_transcript_is_named (self->episode))
    {
      g_set_str (&self->led, "transcript");
      ear_transcript_view_show_at (self->transcript_view, snippet->time);
    }
  update_tabs (self);
}

/* Keeps the previous notes until the new ones are there, a frame or two later. */
static void
load (EarEpisodeTabs *self)
{
  const char *search = self->list != NULL ? ear_episode_list_get_query (self->list)->search : NULL;

  self->loading = FALSE;
  ear_cancellable_clear (&self->cancellable);
  if (self->led != NULL)
    {
      g_clear_pointer (&self->led, g_free);
      if (find_wanted (self) == NULL)
        adw_view_stack_set_visible_child_name (self->stack, "notes");
      update_tabs (self);
    }
  gtk_widget_set_visible (self->no_notes, FALSE);
  if (self->episode == NULL || self->library == NULL)
    {
      show_notes (self, NULL);
      return;
    }

  self->loading = TRUE;
  self->cancellable = g_cancellable_new ();
  ear_notes_load_async (ear_library_get_catalogue (self->library), self->episode, self->cancellable,
                        notes_loaded_cb, g_object_ref (self));
  if (search != NULL)
    ear_catalogue_read_async (ear_library_get_catalogue (self->library),
                              ear_read_snippet (self->episode, search), self->cancellable,
                              snippet_loaded_cb, g_object_ref (self));
}

static void
centered_changed_cb (EarEpisodeTabs *self)
{
  gtk_widget_set_halign (self->switcher, self->centered ? GTK_ALIGN_CENTER : GTK_ALIGN_START);
}

/* Plays the episode from a time of its notes, chapters or transcript. */
static void
seek (EarEpisodeTabs *self, const char *name, GVariant *parameter)
{
  if (self->episode != NULL)
    ear_playback_controller_seek (ear_library_get_playback_controller (self->library),
                                  self->episode, self->list, g_variant_get_int64 (parameter));
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

  g_signal_group_set_target (self->podcast_signals,
                             episode != NULL ? ear_episode_get_podcast (episode) : NULL);
  g_object_notify (G_OBJECT (self), "episode");
  /* Without an episode, the binding to its facts keeps the former value. */
  if (episode == NULL)
    adw_view_stack_page_set_visible (
      adw_view_stack_get_page (self->stack, GTK_WIDGET (self->transcript_view)), FALSE);
  load (self);
}

/* Adds the unplayed "Listen First" episodes to Up Next in their order, or all of them
 * where all were played. */
static void
queue_first (EarEpisodeTabs *self)
{
  g_autoptr (GPtrArray) unplayed = g_ptr_array_new ();

  if (self->first == NULL)
    return;
  for (guint i = 0; i < self->first->len; i++)
    if (!ear_episode_get_listened (g_ptr_array_index (self->first, i)))
      g_ptr_array_add (unplayed, g_ptr_array_index (self->first, i));
  ear_queue_add_next (ear_library_get_queue (self->library),
                      unplayed->len > 0 ? unplayed : self->first);
}

static void
ear_episode_tabs_dispose (GObject *object)
{
  EarEpisodeTabs *self = EAR_EPISODE_TABS (object);

  ear_cancellable_clear (&self->cancellable);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_TABS);
  g_clear_object (&self->podcast_signals);
  ear_properties_clear (self);
  g_clear_pointer (&self->first, g_ptr_array_unref);
  g_clear_pointer (&self->chosen, g_free);
  g_clear_pointer (&self->led, g_free);

  G_OBJECT_CLASS (ear_episode_tabs_parent_class)->dispose (object);
}

static void
ear_episode_tabs_class_init (EarEpisodeTabsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, library),
      .changed = G_CALLBACK (load) },
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, episode),
      .set = G_CALLBACK (set_episode) },
    /* The list that the episode was chosen from, and that plays on after it */
    { "list", EAR_TYPE_EPISODE_LIST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, list),
      .changed = G_CALLBACK (list_changed_cb) },
    /* Whether the switcher is centered, like the other content of the player's sheet */
    { "centered", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, centered),
      .changed = G_CALLBACK (centered_changed_cb) },
    /* Whether there is little room for the names of the tabs */
    { "narrow", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeTabs, narrow) },
  };

  object_class->dispose = ear_episode_tabs_dispose;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_CHAPTERS_VIEW);
  g_type_ensure (EAR_TYPE_EPISODE_LINKS);
  g_type_ensure (EAR_TYPE_NOTES_VIEW);
  g_type_ensure (EAR_TYPE_TRANSCRIPT_VIEW);
  ear_widget_set_template (widget_class, "ear-episode-tabs");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, switcher);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, stack);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, first_list);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, notes_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, refers_list);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, referred_list);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, chapters_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, transcript_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, no_notes);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeTabs, links_view);
  gtk_widget_class_bind_template_callback (widget_class, has_transcript);
  gtk_widget_class_bind_template_callback (widget_class, shown_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, update_tabs);
  ear_action_install (widget_class, "tabs.queue-first", NULL, queue_first);
  ear_action_install (widget_class, "tabs.seek", "x", seek);
}

static void
ear_episode_tabs_init (EarEpisodeTabs *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::notes-pictures",
                                  G_CALLBACK (load_pictures), self);
}

/* Opens the search of the transcript, if that is shown.
 * Returns: %FALSE if another part of the window should search */
gboolean
ear_episode_tabs_find (EarEpisodeTabs *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self->transcript_view)) &&
         ear_transcript_view_find (self->transcript_view);
}
