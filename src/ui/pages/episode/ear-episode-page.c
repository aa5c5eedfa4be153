/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-page.h"

#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-download-icon.h"
#include "ear-episode-actions.h"
#include "ear-format-episode.h"
#include "ear-format.h"
#include "ear-menu-later.h"
#include "ear-notes-loader.h"
#include "ear-notes-view.h"
#include "ear-pane-layout.h"
#include "ear-people.h"
#include "ear-text-layout.h"

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
  EarNotesView *notes_view;
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
  int n_ticked;      /* episodes in the list, or -1 */
  int download_step; /* tenths that were told, or -1 */
};

G_DEFINE_FINAL_TYPE (EarEpisodePage, ear_episode_page, ADW_TYPE_NAVIGATION_PAGE)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_EPISODE,
  PROP_TARGET,
  PROP_LIST,
  PROP_LISTENED,
  PROP_LIKED,
  PROP_FACTS,
  PROP_PEOPLE,
  PROP_DOWNLOAD_TEXT,
  PROP_PODCAST_ACTION,
  PROP_NARROW,
  PROP_SHORT,
  PROP_CHOOSABLE,
  PROP_WITHOUT_NOTES,
  PROP_N_TICKED,
} EarEpisodePageProperty;

static GParamSpec *props[PROP_N_TICKED + 1];

static void
update_facts (EarEpisodePage *self)
{
  g_autofree char *facts = self->episode != NULL ? ear_format_episode (self->episode) : NULL;
  g_autofree char *people = self->episode != NULL ? ear_people_format_of_episode (self->episode) : NULL;

  if (g_set_str (&self->facts, facts))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FACTS]);
  if (g_set_str (&self->people, people))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PEOPLE]);
}

/* The button that toggles it has a state of its own, which follows the episode's. */
static void
set_listened (EarEpisodePage *self, gboolean listened)
{
  if (self->listened == listened)
    return;

  self->listened = listened;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LISTENED]);
  if (self->episode != NULL && self->library != NULL && ear_episode_get_listened (self->episode) != listened)
    ear_history_set_mark (ear_library_get_history (self->library), self->episode, EAR_MARK_LISTENED, listened);
}

static void
set_liked (EarEpisodePage *self, gboolean liked)
{
  if (self->liked == liked)
    return;

  self->liked = liked;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIKED]);
  if (self->episode != NULL && self->library != NULL && ear_episode_get_liked (self->episode) != liked)
    ear_history_set_mark (ear_library_get_history (self->library), self->episode, EAR_MARK_LIKED, liked);
}

/* That it failed is said at length below. */
static void
update_download_text (EarEpisodePage *self)
{
  const gboolean running = self->episode != NULL && ear_episode_get_download (self->episode) == EAR_DOWNLOAD_RUNNING;
  g_autofree char *text = running ? ear_format_download (self->episode) : NULL;

  if (g_set_str (&self->download_text, text))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_DOWNLOAD_TEXT]);
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
  update_actions (self);
  set_listened (self, ear_episode_get_listened (self->episode));
  set_liked (self, ear_episode_get_liked (self->episode));
}

static void
set_without_notes (EarEpisodePage *self, gboolean without_notes)
{
  if (self->without_notes == without_notes)
    return;

  self->without_notes = without_notes;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_WITHOUT_NOTES]);
}

static void
show_notes (EarEpisodePage *self, EarNotes *notes)
{
  ear_notes_view_set_notes (self->notes_view, notes, ear_episode_get_public_address (self->episode));
  set_without_notes (self, notes == NULL || notes->blocks->len == 0);
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
      return;
    }

  self->cancellable = g_cancellable_new ();
  self->asked_frame = get_frame (self);
  ear_notes_load_async (ear_library_get_catalogue (self->library), self->episode, self->cancellable, notes_loaded_cb,
                        g_object_ref (self));
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

static void
ear_episode_page_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (object);

  switch ((EarEpisodePageProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_EPISODE:
    case PROP_TARGET:
      g_value_set_object (value, self->episode);
      break;
    case PROP_LIST:
      g_value_set_object (value, self->list);
      break;
    case PROP_LISTENED:
      g_value_set_boolean (value, self->listened);
      break;
    case PROP_LIKED:
      g_value_set_boolean (value, self->liked);
      break;
    case PROP_FACTS:
      g_value_set_string (value, self->facts);
      break;
    case PROP_PODCAST_ACTION:
      g_value_set_string (value, self->podcast_action);
      break;
    case PROP_PEOPLE:
      g_value_set_string (value, self->people);
      break;
    case PROP_DOWNLOAD_TEXT:
      g_value_set_string (value, self->download_text);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    case PROP_SHORT:
      g_value_set_boolean (value, self->is_short);
      break;
    case PROP_CHOOSABLE:
      g_value_set_boolean (value, self->choosable);
      break;
    case PROP_WITHOUT_NOTES:
      g_value_set_boolean (value, self->without_notes);
      break;
    case PROP_N_TICKED:
      g_value_set_int (value, self->n_ticked);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

/* What a search has found is read for the words that it looked for. */
static void
set_list (EarEpisodePage *self, EarEpisodeList *list)
{
  if (!g_set_object (&self->list, list))
    return;

  ear_notes_view_set_search (self->notes_view, self->library, list != NULL ? ear_episode_list_get_query (list)->search : NULL);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LIST]);
}

static void
set_flag (EarEpisodePage *self, gboolean *flag, const GValue *value, GParamSpec *pspec)
{
  if (*flag == g_value_get_boolean (value))
    return;

  *flag = g_value_get_boolean (value);
  g_object_notify_by_pspec (G_OBJECT (self), pspec);
}

static void
ear_episode_page_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (object);

  switch (property_id)
    {
    case PROP_LIBRARY:
      if (g_set_object (&self->library, g_value_get_object (value)))
        g_object_notify_by_pspec (object, pspec);
      break;
    case PROP_EPISODE:
      ear_episode_page_set_episode (self, g_value_get_object (value));
      break;
    case PROP_LIST:
      set_list (self, g_value_get_object (value));
      break;
    case PROP_LISTENED:
      set_listened (self, g_value_get_boolean (value));
      break;
    case PROP_LIKED:
      set_liked (self, g_value_get_boolean (value));
      break;
    case PROP_PODCAST_ACTION:
      if (g_set_str (&self->podcast_action, g_value_get_string (value)))
        g_object_notify_by_pspec (object, pspec);
      break;
    case PROP_NARROW:
      set_flag (self, &self->narrow, value, pspec);
      break;
    case PROP_SHORT:
      set_flag (self, &self->is_short, value, pspec);
      break;
    case PROP_CHOOSABLE:
      set_flag (self, &self->choosable, value, pspec);
      break;
    case PROP_N_TICKED:
      if (self->n_ticked != g_value_get_int (value))
        {
          self->n_ticked = g_value_get_int (value);
          g_object_notify_by_pspec (object, pspec);
        }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_page_dispose (GObject *object)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (object);

  stop_loading (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_PAGE);
  g_clear_object (&self->episode_signals);
  g_clear_object (&self->episode);
  g_clear_object (&self->list);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_episode_page_parent_class)->dispose (object);
}

static void
ear_episode_page_finalize (GObject *object)
{
  EarEpisodePage *self = EAR_EPISODE_PAGE (object);

  g_clear_pointer (&self->facts, g_free);
  g_clear_pointer (&self->people, g_free);
  g_clear_pointer (&self->download_text, g_free);
  g_clear_pointer (&self->podcast_action, g_free);

  G_OBJECT_CLASS (ear_episode_page_parent_class)->finalize (object);
}

static void
ear_episode_page_class_init (EarEpisodePageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_episode_page_get_property;
  object_class->set_property = ear_episode_page_set_property;
  object_class->dispose = ear_episode_page_dispose;
  object_class->finalize = ear_episode_page_finalize;
  ADW_NAVIGATION_PAGE_CLASS (klass)->shown = ear_episode_page_shown;

  /**
   * EarEpisodePage:library:
   *
   * Where notes come from and what plays.
   */
  props[PROP_LIBRARY] = g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY, flags);
  /**
   * EarEpisodePage:episode:
   *
   * What the page shows.
   */
  props[PROP_EPISODE] = g_param_spec_object ("episode", NULL, NULL, EAR_TYPE_EPISODE, flags);
  /**
   * EarEpisodePage:target:
   *
   * What the actions of an episode work on: the same.
   */
  props[PROP_TARGET] = g_param_spec_object ("target", NULL, NULL, EAR_TYPE_EPISODE, readable);
  /**
   * EarEpisodePage:list:
   *
   * What the episode was chosen from, and what is played after it.
   */
  props[PROP_LIST] = g_param_spec_object ("list", NULL, NULL, EAR_TYPE_EPISODE_LIST, flags);
  /**
   * EarEpisodePage:listened:
   *
   * Whether the listener has listened to the episode.
   */
  props[PROP_LISTENED] = g_param_spec_boolean ("listened", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodePage:liked:
   *
   * Whether the listener likes the episode.
   */
  props[PROP_LIKED] = g_param_spec_boolean ("liked", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodePage:facts:
   *
   * The line below the title.
   */
  props[PROP_FACTS] = g_param_spec_string ("facts", NULL, NULL, NULL, readable);
  /**
   * EarEpisodePage:podcast-action:
   *
   * The action that the podcast's name has: it leads to the list of its episodes.
   */
  props[PROP_PODCAST_ACTION] = g_param_spec_string ("podcast-action", NULL, NULL, NULL, flags);
  /**
   * EarEpisodePage:people:
   *
   * Who is heard in the episode, where the feed tells.
   */
  props[PROP_PEOPLE] = g_param_spec_string ("people", NULL, NULL, NULL, readable);
  /**
   * EarEpisodePage:download-text:
   *
   * How much of the episode is there while it is downloaded: "42 % of 16 MB".
   */
  props[PROP_DOWNLOAD_TEXT] = g_param_spec_string ("download-text", NULL, NULL, NULL, readable);
  /**
   * EarEpisodePage:narrow:
   *
   * Whether there is only room for one column.
   */
  props[PROP_NARROW] = g_param_spec_boolean ("narrow", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodePage:short:
   *
   * Whether there is no room for more than the words: the cover makes way.
   */
  props[PROP_SHORT] = g_param_spec_boolean ("short", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodePage:choosable:
   *
   * Whether there are episodes to choose from: where there are none, nothing is said of choosing.
   */
  props[PROP_CHOOSABLE] = g_param_spec_boolean ("choosable", NULL, NULL, FALSE, flags);
  /**
   * EarEpisodePage:without-notes:
   *
   * Whether it is known that there are no notes.
   */
  props[PROP_WITHOUT_NOTES] = g_param_spec_boolean ("without-notes", NULL, NULL, FALSE, readable);
  /**
   * EarEpisodePage:n-ticked:
   *
   * How many episodes are ticked beside it, in whose place none is shown; or -1.
   */
  props[PROP_N_TICKED] = g_param_spec_int ("n-ticked", NULL, NULL, -1, G_MAXINT, -1, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  ear_episode_actions_install (widget_class);
  gtk_widget_class_install_property_action (widget_class, "episode.listened", "listened");
  gtk_widget_class_install_property_action (widget_class, "episode.liked", "liked");
  gtk_widget_class_install_action (widget_class, "episode.toggle-playing", NULL, toggle_playing);

  g_type_ensure (EAR_TYPE_COVER_IMAGE);
  g_type_ensure (EAR_TYPE_DOWNLOAD_ICON);
  g_type_ensure (EAR_TYPE_NOTES_VIEW);
  g_type_ensure (EAR_TYPE_PANE_LAYOUT);
  g_type_ensure (EAR_TYPE_TEXT_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-episode-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, notes_view);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, play_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, download_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, listened_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodePage, episode_menu);
  gtk_widget_class_bind_template_callback (widget_class, seek_cb);
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

/**
 * ear_episode_page_set_episode:
 * @episode: (nullable): what to show
 *
 * Shows an episode, and its notes as soon as they are read.
 */
void
ear_episode_page_set_episode (EarEpisodePage *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_EPISODE_PAGE (self));

  if (!g_set_object (&self->episode, episode))
    return;

  g_signal_group_set_target (self->episode_signals, episode);
  update_facts (self);
  set_listened (self, episode != NULL && ear_episode_get_listened (episode));
  set_liked (self, episode != NULL && ear_episode_get_liked (episode));
  set_without_notes (self, FALSE);
  update_download_progress (self);
  update_actions (self);
  load_notes (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_EPISODE]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TARGET]);
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
