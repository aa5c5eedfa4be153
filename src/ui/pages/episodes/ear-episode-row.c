/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ear-closures.h"
#include "ear-cover.h"
#include "ear-format-episode.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-queue.h"
#include "ear-row-action.h"
#include "ear-widget.h"

typedef enum
{
  MARK_NEW,
  MARK_QUEUED,
  MARK_LISTENED,
  MARK_LIKED,
  MARK_WAITING, /* the five of a download */
  MARK_RUNNING,
  MARK_FAILED,
  MARK_DONE,
  MARK_PAUSED,
  MARK_EXPLICIT,
  N_MARKS,
} Mark;

static const struct
{
  const char *icon_name;
  const char *style; /* (nullable): CSS class */
  const char *text;
} marks[N_MARKS] = {
  /* Translators: marks of one episode */
  [MARK_NEW] = { "media-record-symbolic", "accent", NC_("episode", "New") },
  [MARK_QUEUED] = { "ear-queue-symbolic", NULL, NC_("episode", "In Up Next") },
  [MARK_LISTENED] = { "object-select-symbolic", "success", NC_("episode", "Played") },
  [MARK_LIKED] = { "ear-liked-symbolic", "liked", NC_("episode", "Liked") },
  [MARK_WAITING] = { "content-loading-symbolic", NULL, NC_("episode", "Waiting to Be Downloaded") },
  [MARK_RUNNING] = { "folder-download-symbolic", NULL, NC_("episode", "Downloading") },
  [MARK_FAILED] = { "dialog-warning-symbolic", "warning", NC_("episode", "Download Failed") },
  [MARK_DONE] = { "ear-downloaded-symbolic", NULL, NC_("episode", "Downloaded") },
  [MARK_PAUSED] = { "media-playback-pause-symbolic", NULL, NC_("episode", "Download Paused") },
  [MARK_EXPLICIT] = { NULL, "mark", NC_("episode", "Explicit") },
};

/**
 * EarEpisodeRow:
 *
 * An episode in a list: title, podcast where the list is of several, date, length or
 * time left, marks, and buttons that play it and add it to Up Next, by the actions
 * `list.play` and `list.add-to-queue`. While several are selected a check box stands in
 * place of the buttons, which activates `list.tick`. All three have the episode's id.
 * Where a search found it, the row shows the words in its title, and an excerpt of its
 * notes or of what else has them.
 *
 * A list view keeps some two hundred rows, and makes all of them again for another podcast.
 * So one handler fills a row instead of a binding for each of its widgets, and a widget that
 * most rows lack is made when a row first needs it. Assistive technologies find a label with
 * the title.
 */
struct _EarEpisodeRow
{
  GtkWidget parent_instance;

  /* Template children */
  GtkWidget *column;
  GtkLabel *title;
  GtkBox *line; /* below the title */
  GtkCenterBox *texts;
  GtkLabel *facts;
  GtkButton *button;

  /* Borrowed, and %NULL until they are needed */
  GtkWidget *cover;
  GtkWidget *marks[N_MARKS];
  GtkWidget *podcast;
  GtkWidget *progress;
  GtkWidget *snippet;
  GtkWidget *queue_button;
  GtkWidget *check;

  /* Owned */
  EarEpisode *episode;
  GSignalGroup *signals;
  GSignalGroup *podcast_signals; /* of the podcast that the row names */
  char *spoken;

  gint64 found_time; /* position of the excerpt, or -1 */
  gboolean wants_excerpt;
  gboolean heard; /* the list is the history */
  gboolean mixed; /* the list is of several podcasts */
  gboolean tickable;
  gboolean ticked;
};

G_DEFINE_FINAL_TYPE (EarEpisodeRow, ear_episode_row, GTK_TYPE_WIDGET)

/* --- Marks -------------------------------------------------------------------------- */

/* The tooltip is set first: for a visible widget, GTK asks the display where the pointer is. */
static GtkWidget *
create_mark (Mark mark)
{
  /* Translators: the mark of an episode with explicit language, one letter */
  const char *letter = C_("explicit", "E");
  GtkWidget *widget = mark == MARK_EXPLICIT
                          ? g_object_new (GTK_TYPE_LABEL, "visible", FALSE, "label", letter,
                                          "valign", GTK_ALIGN_CENTER, NULL)
                          : g_object_new (GTK_TYPE_IMAGE, "visible", FALSE, "icon-name",
                                          marks[mark].icon_name, "pixel-size",
                                          mark == MARK_NEW ? 8 : 12, NULL);

  gtk_widget_set_tooltip_text (widget, g_dpgettext2 (NULL, "episode", marks[mark].text));
  if (marks[mark].style != NULL)
    gtk_widget_add_css_class (widget, marks[mark].style);
  gtk_widget_set_visible (widget, TRUE);

  return widget;
}

/* The last mark is behind the facts, the others before them. */
static void
show_mark (EarEpisodeRow *self, Mark mark, gboolean shown)
{
  GtkWidget **widget = &self->marks[mark];

  if (shown == (*widget != NULL))
    return;
  if (!shown)
    {
      gtk_box_remove (self->line, *widget);
      *widget = NULL;
      return;
    }

  *widget = create_mark (mark);
  if (mark == MARK_EXPLICIT)
    gtk_box_insert_child_after (self->line, *widget, GTK_WIDGET (self->texts));
  else
    {
      GtkWidget *previous = NULL;

      for (Mark i = 0; i < mark; i++)
        previous = self->marks[i] != NULL ? self->marks[i] : previous;
      gtk_box_insert_child_after (self->line, *widget, previous);
    }
}

static void
update_progress (EarEpisodeRow *self)
{
  const gint64 duration = ear_episode_get_duration (self->episode);
  const gint64 position = ear_episode_get_position (self->episode);
  const gboolean begun = !ear_episode_get_listened (self->episode) && duration > 0 && position > 0;

  if (begun && self->progress == NULL)
    {
      self->progress = g_object_new (GTK_TYPE_PROGRESS_BAR, "accessible-role",
                                     GTK_ACCESSIBLE_ROLE_PRESENTATION, "valign", GTK_ALIGN_CENTER,
                                     "width-request", 56, NULL);
      /* As in the player's slider, a recording runs from left to right in every language. */
      gtk_widget_set_direction (self->progress, GTK_TEXT_DIR_LTR);
      gtk_box_append (self->line, self->progress);
    }
  if (self->progress != NULL)
    gtk_widget_set_visible (self->progress, begun);
  if (begun)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                   MIN ((double) position / duration, 1.0));
}

static void
update_marks (EarEpisodeRow *self)
{
  const gboolean listened = ear_episode_get_listened (self->episode);
  const EarDownload download = ear_episode_get_download (self->episode);

  show_mark (self, MARK_NEW, ear_episode_is_new (self->episode));
  show_mark (self, MARK_QUEUED, ear_queue_has (self->episode));
  show_mark (self, MARK_LISTENED, listened);
  show_mark (self, MARK_LIKED, ear_episode_get_liked (self->episode));
  show_mark (self, MARK_WAITING, download == EAR_DOWNLOAD_WAITING);
  show_mark (self, MARK_RUNNING, download == EAR_DOWNLOAD_RUNNING);
  show_mark (self, MARK_FAILED, download == EAR_DOWNLOAD_FAILED);
  show_mark (self, MARK_DONE, download == EAR_DOWNLOAD_DONE);
  show_mark (self, MARK_PAUSED, download == EAR_DOWNLOAD_PAUSED);
  show_mark (self, MARK_EXPLICIT,
             ear_episode_get_facts (self->episode)->explicit_content == EAR_EXPLICIT_YES);
  ear_set_css_class (GTK_WIDGET (self), "listened", listened);
  update_progress (self);
}

/* --- Texts -------------------------------------------------------------------------- */

static void
update_title (EarEpisodeRow *self)
{
  const char *title = ear_episode_get_name (self->episode);

  if (g_strcmp0 (gtk_label_get_label (self->title), title) == 0)
    return;

  gtk_label_set_label (self->title, title);
  gtk_label_set_justify (self->title, ear_closure_title_justify (NULL, title));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

static void
update_podcast (EarEpisodeRow *self)
{
  const char *name = self->mixed ? ear_format_row_podcast (self->episode) : NULL;
  EarPodcast *podcast = self->mixed ? ear_episode_get_podcast (self->episode) : NULL;

  if (self->mixed && self->cover == NULL)
    {
      self->cover = g_object_new (EAR_TYPE_COVER, "size", 44, "valign", GTK_ALIGN_CENTER,
                                  "margin-end", 12, NULL);
      gtk_widget_insert_after (self->cover, GTK_WIDGET (self), NULL);
      self->podcast = g_object_new (GTK_TYPE_LABEL, "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_PRESENTATION, "margin-end", 3, "ellipsize",
                                    PANGO_ELLIPSIZE_END, NULL);
      gtk_center_box_set_start_widget (self->texts, self->podcast);
    }
  if (self->cover == NULL)
    return;

  gtk_widget_set_visible (self->cover, self->mixed);
  gtk_widget_set_visible (self->podcast, name != NULL);
  gtk_label_set_label (GTK_LABEL (self->podcast), name != NULL ? name : "");
  if (podcast != NULL)
    g_object_set (self->cover, "title", ear_podcast_get_name (podcast), "address",
                  ear_podcast_get_facts (podcast)->image, NULL);
}

static void
update_facts (EarEpisodeRow *self)
{
  const gboolean named = self->mixed && ear_format_row_podcast (self->episode) != NULL;
  const gboolean last = !named && self->progress == NULL && self->marks[MARK_EXPLICIT] == NULL;
  g_autofree char *facts =
      ear_format_row (self->episode, self->heard, g_get_real_time () / G_USEC_PER_SEC);
  g_autofree char *text = g_strconcat (named && *facts != '\0' ? "· " : "", facts, NULL);

  gtk_label_set_label (self->facts, text);
  /* At the end of the line, the label need not know its text's width, which takes two more layouts. */
  gtk_label_set_max_width_chars (self->facts, last ? 0 : -1);
  gtk_widget_set_hexpand (GTK_WIDGET (self->texts), last);
  /* A row without facts and marks has no second line, so that its title is centered. */
  gtk_widget_set_visible (GTK_WIDGET (self->facts), *text != '\0');
}

/* --- Buttons ------------------------------------------------------------------------ */

/* Returns: whether the pointer is over the row, or the keys in it */
static gboolean
is_in_use (EarEpisodeRow *self)
{
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (self));
  const GtkStateFlags flags = item != NULL ? gtk_widget_get_state_flags (item) : 0;

  /* While the button is pressed, the row is active, and has lost its prelight. */
  return (flags & (GTK_STATE_FLAG_PRELIGHT | GTK_STATE_FLAG_ACTIVE |
                   GTK_STATE_FLAG_FOCUS_VISIBLE)) != 0 ||
         (flags & (GTK_STATE_FLAG_FOCUS_WITHIN | GTK_STATE_FLAG_FOCUSED)) ==
             GTK_STATE_FLAG_FOCUS_WITHIN;
}

/* Appears on hover and focus above the end of the texts, so that nothing moves. */
static void
update_queue_button (EarEpisodeRow *self, gboolean possible)
{
  const gboolean in_use = is_in_use (self);

  if (possible && in_use && self->queue_button == NULL)
    {
      self->queue_button =
          g_object_new (GTK_TYPE_BUTTON, "visible", FALSE, "valign", GTK_ALIGN_CENTER, "icon-name",
                        "ear-queue-add-symbolic", "tooltip-text", _("Add to Up Next"),
                        "action-name", "row.add-to-queue", NULL);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->queue_button),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL, _("Add to Up Next"), -1);
      gtk_widget_add_css_class (self->queue_button, "circular");
      gtk_widget_add_css_class (self->queue_button, "queue");
      gtk_widget_insert_after (self->queue_button, GTK_WIDGET (self), self->column);
    }
  if (self->queue_button == NULL)
    return;

  gtk_widget_set_visible (self->queue_button, possible);
  /* Not being visible for a moment would end a click on it. A finger presses the text below. */
  gtk_widget_set_opacity (self->queue_button, in_use ? 1 : 0);
  gtk_widget_set_can_target (self->queue_button, in_use);
}

static void
update_buttons (EarEpisodeRow *self)
{
  EarPlayback playback;
  gboolean active, playable;
  const char *icon_name;

  if (self->episode == NULL)
    return;

  playback = ear_episode_get_playback (self->episode);
  active = playback == EAR_PLAYBACK_PLAYING || playback == EAR_PLAYBACK_LOADING;
  icon_name = active ? "media-playback-pause-symbolic" : "media-playback-start-symbolic";
  /* The episode in the player has media, even if its feed no longer names any. */
  playable = playback != EAR_PLAYBACK_NONE || ear_episode_get_enclosure (self->episode) != NULL;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "row.play", playable);
  gtk_widget_set_visible (GTK_WIDGET (self->button), playable && !self->tickable);
  update_queue_button (self, playable && !self->tickable && !ear_queue_has (self->episode));
  ear_set_css_class (GTK_WIDGET (self), "current", playback != EAR_PLAYBACK_NONE);
  if (!g_str_equal (gtk_button_get_icon_name (self->button), icon_name))
    {
      const char *label = active ? _("Pause") : _("Play");

      gtk_button_set_icon_name (self->button, icon_name);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), label);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      label, -1);
    }
}

/* Passes the row's action on to the list, with the id of the episode. */
static void
activate_list_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);
  g_autofree char *list_action = g_strconcat ("list.", name + strlen ("row."), NULL);

  if (self->episode == NULL)
    return;
  /* The button is hidden after the episode was added: move the focus to the row. */
  if (self->queue_button != NULL && gtk_widget_has_focus (self->queue_button))
    gtk_widget_grab_focus (gtk_widget_get_parent (widget));
  gtk_widget_activate_action (widget, list_action, "x", ear_episode_get_id (self->episode));
}

static void
check_toggled_cb (EarEpisodeRow *self)
{
  /* Not if it only follows the selection. */
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check)) != self->ticked)
    activate_list_action (GTK_WIDGET (self), "row.tick", NULL);
}

/* Replaces the buttons while several rows are selected. Keys tick the row itself. */
static void
update_check (EarEpisodeRow *self)
{
  if (self->tickable && self->check == NULL)
    {
      /* Translators: the name of the check box of one episode in a list */
      const char *name = C_("episode", "Select");

      self->check = g_object_new (GTK_TYPE_CHECK_BUTTON, "active", self->ticked, "focusable", FALSE,
                                  "margin-start", 6, "valign", GTK_ALIGN_CENTER, NULL);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      name, -1);
      gtk_widget_add_css_class (self->check, "selection-mode");
      g_signal_connect_swapped (self->check, "toggled", G_CALLBACK (check_toggled_cb), self);
      gtk_widget_insert_before (self->check, GTK_WIDGET (self), NULL);
    }
  if (self->check != NULL)
    {
      gtk_widget_set_visible (self->check, self->tickable);
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), self->ticked);
    }
  update_buttons (self);
}

/* --- Excerpt of a search ------------------------------------------------------------ */

/* @lead: number of bytes before the text */
static PangoAttrList *
embolden (GArray *ranges, guint lead)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  for (guint i = 0; i < ranges->len; i++)
    {
      const EarNotesMark *range = &g_array_index (ranges, EarNotesMark, i);
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

      bold->start_index = lead + range->start;
      bold->end_index = lead + range->end;
      pango_attr_list_insert (attributes, bold);
    }

  return attributes;
}

static const char *const snippet_kinds[] = {
  [EAR_SNIPPET_NOTES] = N_("Notes"),       [EAR_SNIPPET_LINK] = N_("Link"),
  [EAR_SNIPPET_CHAPTER] = N_("Chapter"),   [EAR_SNIPPET_BOOKMARK] = N_("Bookmark"),
  [EAR_SNIPPET_TRANSCRIPT] = N_("Transcript"),
};

/* The kind, the time and the text of an excerpt. The text may be written in
 * another direction. */
static char *
make_markup (const EarSnippet *snippet)
{
  g_autofree char *kind = g_markup_escape_text (_(snippet_kinds[snippet->kind]), -1);
  g_autofree char *clock = snippet->time >= 0 ? ear_format_clock (snippet->time) : NULL;
  /* Translators: the tooltip of a time stamp: Play from 12:03 */
  g_autofree char *tooltip = clock != NULL ? g_strdup_printf (_("Play From %s"), clock) : NULL;
  g_autofree char *link =
      clock != NULL ? g_markup_printf_escaped (" <a href='play' title='%s'>%s</a>", tooltip, clock)
                    : g_strdup ("");
  g_autofree char *text = g_markup_escape_text (snippet->text, -1);

  return g_strconcat (kind, link, " · " EAR_FIRST_STRONG_ISOLATE, text, EAR_POP_ISOLATE, NULL);
}

/* Plays the episode from the position of the excerpt, if it has one. */
static void
play_found (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);
  g_autofree char *key = self->episode != NULL ? ear_episode_dup_key (self->episode) : NULL;

  if (key != NULL && self->found_time >= 0)
    gtk_widget_activate_action (widget, "app.play-episode-at", "(sx)", key, self->found_time);
}

static gboolean
link_activated_cb (EarEpisodeRow *self)
{
  play_found (GTK_WIDGET (self), NULL, NULL);

  return TRUE;
}

/* The label stays from search to search: its link may have the focus. */
static void
show_snippet (EarEpisodeRow *self, const EarSnippet *snippet)
{
  g_autofree char *markup = make_markup (snippet);
  g_autoptr (PangoAttrList) attributes = NULL;
  gsize lead;

  if (self->snippet == NULL)
    {
      self->snippet = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "yalign", 0.0, "wrap", TRUE,
                                    "wrap-mode", PANGO_WRAP_WORD_CHAR, "lines", 2, "ellipsize",
                                    PANGO_ELLIPSIZE_END, NULL);
      gtk_widget_add_css_class (self->snippet, "snippet");
      g_signal_connect_swapped (self->snippet, "activate-link", G_CALLBACK (link_activated_cb),
                                self);
      gtk_box_append (GTK_BOX (self->column), self->snippet);
    }
  gtk_label_set_markup (GTK_LABEL (self->snippet), markup);
  lead = strlen (gtk_label_get_text (GTK_LABEL (self->snippet))) - strlen (snippet->text) -
         strlen (EAR_POP_ISOLATE);
  attributes = embolden (snippet->ranges, (guint) lead);
  gtk_label_set_attributes (GTK_LABEL (self->snippet), attributes);
}

static void
remove_snippet (EarEpisodeRow *self)
{
  self->found_time = -1;
  g_clear_pointer (&self->snippet, gtk_widget_unparent);
}

/* @wanted: whether to show an excerpt. Until it is loaded, the row shows the one for the
 * previous words of the search. */
void
ear_episode_row_want_excerpt (EarEpisodeRow *self, gboolean wanted)
{
  self->wants_excerpt = wanted && self->episode != NULL;
  if (wanted)
    return;

  remove_snippet (self);
  gtk_label_set_attributes (self->title, NULL);
}

gboolean
ear_episode_row_wants_excerpt (EarEpisodeRow *self)
{
  return self->wants_excerpt;
}

/* @excerpt: (nullable): %NULL leaves the row as it was: the text could not be read */
void
ear_episode_row_set_excerpt (EarEpisodeRow *self, const EarSnippet *excerpt)
{
  g_autoptr (PangoAttrList) title = NULL;

  self->wants_excerpt = FALSE;
  if (excerpt == NULL)
    return;

  title = embolden (excerpt->title_ranges, 0);
  gtk_label_set_attributes (self->title, title);
  if (excerpt->text == NULL)
    {
      remove_snippet (self);
      return;
    }
  show_snippet (self, excerpt);
  self->found_time = excerpt->time;
}

/* --- Class -------------------------------------------------------------------------- */

/* Fills the row again, as when “Today” becomes “Yesterday”. */
void
ear_episode_row_update (EarEpisodeRow *self)
{
  g_autofree char *spoken = NULL;

  if (self->episode == NULL)
    return;

  spoken = ear_format_row_spoken (self->episode, self->mixed, self->heard);
  update_podcast (self);
  update_title (self);
  update_marks (self);
  update_facts (self);
  update_buttons (self);
  ear_property_set_string (self, "spoken", spoken);
}

static void
episode_notify_cb (EarEpisodeRow *self, GParamSpec *pspec)
{
  /* The position comes every second while playing, and this four times as often. */
  if (g_str_equal (pspec->name, "download-progress"))
    update_facts (self);
  else
    ear_episode_row_update (self);
}

static void
mixed_changed_cb (EarEpisodeRow *self)
{
  g_signal_group_set_target (self->podcast_signals, self->mixed && self->episode != NULL
                                                        ? ear_episode_get_podcast (self->episode)
                                                        : NULL);
  ear_episode_row_update (self);
}

/* The pointer and the keys are in the list's own row around this one, which keeps it. */
static void
parent_changed_cb (EarEpisodeRow *self)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));

  if (parent != NULL)
    g_signal_connect_object (parent, "state-flags-changed", G_CALLBACK (update_buttons), self,
                             G_CONNECT_SWAPPED);
}

static void
ear_episode_row_dispose (GObject *object)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->podcast_signals);
  g_clear_pointer (&self->cover, gtk_widget_unparent);
  g_clear_pointer (&self->queue_button, gtk_widget_unparent);
  g_clear_pointer (&self->check, gtk_widget_unparent);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_ROW);
  g_clear_object (&self->episode);
  g_clear_pointer (&self->spoken, g_free);

  G_OBJECT_CLASS (ear_episode_row_parent_class)->dispose (object);
}

static void
ear_episode_row_class_init (EarEpisodeRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Whether the list is of several podcasts */
    { "mixed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, mixed),
      .changed = G_CALLBACK (mixed_changed_cb) },
    /* Whether the row has the date of listening, in the history */
    { "heard", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, heard),
      .changed = G_CALLBACK (ear_episode_row_update) },
    /* Whether a check box replaces the buttons */
    { "tickable", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, tickable),
      .changed = G_CALLBACK (update_check) },
    /* Whether the check box is checked */
    { "ticked", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, ticked),
      .changed = G_CALLBACK (update_check) },
    /* The row as a screen reader reads it */
    { "spoken", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodeRow, spoken) },
  };

  object_class->dispose = ear_episode_row_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* For assistive technologies, which find rows that are not in sight, too */
  ear_row_action_install (widget_class);
  ear_row_action_install_menu (widget_class);
  gtk_widget_class_install_action (widget_class, "row.play", NULL, activate_list_action);
  gtk_widget_class_install_action (widget_class, "row.tick", NULL, activate_list_action);
  gtk_widget_class_install_action (widget_class, "row.add-to-queue", NULL, activate_list_action);
  gtk_widget_class_install_action (widget_class, "row.play-found", NULL, play_found);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-episode-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, column);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, title);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, line);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, texts);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, facts);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, button);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "episode");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
ear_episode_row_init (EarEpisodeRow *self)
{
  self->found_time = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
  g_signal_connect (self, "notify::parent", G_CALLBACK (parent_changed_cb), NULL);
  self->signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->signals, "notify", G_CALLBACK (episode_notify_cb), self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::name",
                                  G_CALLBACK (ear_episode_row_update), self);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::image",
                                  G_CALLBACK (ear_episode_row_update), self);
}

EAR_DEFINE_GET (EarEpisodeRow, ear_episode_row, EarEpisode *, episode)

void
ear_episode_row_set_episode (EarEpisodeRow *self, EarEpisode *episode)
{
  if (!g_set_object (&self->episode, episode))
    return;

  g_signal_group_set_target (self->signals, episode);
  ear_episode_row_want_excerpt (self, FALSE);
  mixed_changed_cb (self);
}
