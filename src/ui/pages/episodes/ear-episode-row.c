/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-row-private.h"

#include <glib/gi18n.h>

#include "ear-cover-image.h"
#include "ear-format-episode.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-widget.h"

/**
 * EarEpisodeRow:
 *
 * An episode in a list: title, date, length or what is left of it, marks, and, where there is
 * something to play, a button that plays it, which activates `list.toggle` with the episode's id. While several are selected,
 * a check box stands in its place, which activates `list.tick` with that. In a list of
 * several podcasts, also the podcast and its cover; in what a search found, also where
 * its words are, if that is not only in the title.
 *
 * A list view keeps some two hundred rows and scrolling binds them all the time, so one
 * handler fills the row instead of a binding for each of its widgets, and it has as few of
 * those as can be: it draws title, facts and the button's icon itself, and what few rows show,
 * or only those in sight, is made when it is needed. Assistive technologies find a label.
 */
G_DEFINE_FINAL_TYPE (EarEpisodeRow, ear_episode_row, GTK_TYPE_WIDGET)

static void
update_spoken (EarEpisodeRow *self)
{
  g_autofree char *spoken = self->episode != NULL ? ear_format_row_spoken (self->episode, self->mixed, self->heard) : NULL;

  ear_property_set_string (self, "spoken", spoken);
}

static void
update_title (EarEpisodeRow *self)
{
  if (!g_set_str (&self->title, ear_episode_get_name (self->episode)))
    return;

  g_clear_object (&self->title_layout);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->title, -1);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
set_pale (EarEpisodeRow *self, gboolean pale)
{
  if (self->pale == pale)
    return;

  self->pale = pale;
  g_clear_object (&self->title_layout);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
update_facts (EarEpisodeRow *self)
{
  g_autofree char *facts = ear_format_row (self->episode, self->heard, g_get_real_time () / G_USEC_PER_SEC);
  const gboolean moved = g_set_str (&self->podcast, self->mixed ? ear_format_row_podcast (self->episode) : NULL);

  if (!g_set_str (&self->facts, facts) && !moved)
    return;

  g_clear_object (&self->podcast_layout);
  g_clear_object (&self->facts_layout);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  g_object_notify (G_OBJECT (self), "facts");
}

static void
update_text (EarEpisodeRow *self)
{
  update_title (self);
  update_facts (self);
  ear_episode_row_show_explicit (self, ear_episode_get_facts (self->episode)->explicit_content == EAR_EXPLICIT_YES);
}

static const char *
get_button_label (EarEpisodeRow *self)
{
  return self->active ? _("Pause") : _("Play");
}

static void
update_button_label (EarEpisodeRow *self)
{
  if (self->button != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, get_button_label (self), -1);
}

static void
set_active (EarEpisodeRow *self, gboolean active)
{
  if (self->active == active)
    return;

  self->active = active;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  update_button_label (self);
}

/* The episode in the player has media, even if its feed no longer names any. */
static void
set_playable (EarEpisodeRow *self, gboolean playable)
{
  if (self->playable == playable)
    return;

  self->playable = playable;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "row.play", playable);
  if (self->button != NULL)
    gtk_widget_set_visible (self->button, playable);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
update_button (EarEpisodeRow *self)
{
  const EarPlayback playback = ear_episode_get_playback (self->episode);

  set_playable (self, playback != EAR_PLAYBACK_NONE || ear_episode_get_enclosure (self->episode) != NULL);
  /* Its colour is the title's, also in the first frame. */
  if (playback != EAR_PLAYBACK_NONE)
    ear_episode_row_make_button (self);
  set_active (self, playback == EAR_PLAYBACK_PLAYING || playback == EAR_PLAYBACK_LOADING);
  ear_set_css_class (GTK_WIDGET (self), "current", playback != EAR_PLAYBACK_NONE);
}

static void
update_all (EarEpisodeRow *self)
{
  update_text (self);
  ear_episode_row_update_marks (self);
  set_pale (self, ear_episode_get_listened (self->episode));
  update_button (self);
  update_spoken (self);
}

static void
episode_notify_cb (EarEpisodeRow *self, GParamSpec *pspec)
{
  /* The position comes every second while playing, and this four times as often. */
  if (g_str_equal (pspec->name, "download-progress"))
    {
      ear_episode_row_update_download (self);
      update_facts (self);
    }
  else if (g_str_equal (pspec->name, "playback"))
    {
      update_button (self);
      update_spoken (self);
    }
  else
    update_all (self);
}

static void
button_clicked_cb (EarEpisodeRow *self)
{
  if (self->episode != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "list.toggle", "x", ear_episode_get_id (self->episode));
}

static void
play_row (GtkWidget *widget, const char *name, GVariant *parameter)
{
  button_clicked_cb (EAR_EPISODE_ROW (widget));
}

/* Makes the Play button, where there is something to play. A row that has not been in sight does without. */
void
ear_episode_row_make_button (EarEpisodeRow *self)
{
  if (self->button != NULL || !self->playable)
    return;

  self->button = gtk_button_new ();
  gtk_widget_set_valign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_widget_add_css_class (self->button, "circular");
  gtk_widget_add_css_class (self->button, "image-button");
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (button_clicked_cb), self);
  update_button_label (self);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  gtk_widget_set_child_visible (self->button, !self->tickable);
}

static void
play_found (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_episode_row_play_found (EAR_EPISODE_ROW (widget));
}

static void
tick_row (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);

  if (self->episode != NULL)
    gtk_widget_activate_action (widget, "list.tick", "x", ear_episode_get_id (self->episode));
}

static void
check_toggled_cb (EarEpisodeRow *self)
{
  /* Not if it only follows what is selected. */
  if (gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check)) != self->ticked)
    tick_row (GTK_WIDGET (self), NULL, NULL);
}

/* Gives the row its check box, if it has none. Keys tick the row itself. */
void
ear_episode_row_make_check (EarEpisodeRow *self)
{
  if (self->check != NULL)
    return;

  self->check = gtk_check_button_new ();
  gtk_widget_set_valign (self->check, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (self->check, GTK_ALIGN_CENTER);
  gtk_widget_set_focusable (self->check, FALSE);
  gtk_widget_add_css_class (self->check, "selection-mode");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  /* Translators: the name of the check box of one episode in a list */
                                  C_("episode", "Select"), -1);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), self->ticked);
  g_signal_connect_swapped (self->check, "toggled", G_CALLBACK (check_toggled_cb), self);
  gtk_widget_set_parent (self->check, GTK_WIDGET (self));
}

/* The box is made when the row is in sight, and goes when it is not needed any more. */
static void
tickable_changed_cb (EarEpisodeRow *self)
{
  g_clear_pointer (&self->check, gtk_widget_unparent);
  if (self->button != NULL)
    gtk_widget_set_child_visible (self->button, !self->tickable);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
update_cover (EarEpisodeRow *self)
{
  EarPodcast *podcast;

  if (self->mixed && self->cover == NULL)
    {
      self->cover = g_object_new (EAR_TYPE_COVER_IMAGE, "size", 44, "valign", GTK_ALIGN_CENTER, "margin-end", 6, NULL);
      gtk_widget_set_parent (self->cover, GTK_WIDGET (self));
    }
  if (self->cover == NULL)
    return;

  gtk_widget_set_visible (self->cover, self->mixed);
  podcast = self->mixed ? ear_episode_get_podcast (self->episode) : NULL;
  if (podcast != NULL)
    g_object_set (self->cover,
                  "title", ear_podcast_get_name (podcast),
                  "address", ear_podcast_get_facts (podcast)->image,
                  NULL);
}

/* Its feed gives it another name, or a cover, when the row is there already. */
static void
podcast_changed_cb (EarEpisodeRow *self)
{
  if (self->episode == NULL)
    return;

  update_cover (self);
  update_text (self);
  update_spoken (self);
}

static void
follow_podcast (EarEpisodeRow *self)
{
  if (self->podcast_signals == NULL && self->mixed)
    {
      self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
      g_signal_group_connect_swapped (self->podcast_signals, "notify::name", G_CALLBACK (podcast_changed_cb), self);
      g_signal_group_connect_swapped (self->podcast_signals, "notify::image", G_CALLBACK (podcast_changed_cb), self);
    }
  if (self->podcast_signals != NULL)
    g_signal_group_set_target (self->podcast_signals,
                               self->mixed && self->episode != NULL ? ear_episode_get_podcast (self->episode) : NULL);
}

static void
mixed_changed_cb (EarEpisodeRow *self)
{
  follow_podcast (self);
  podcast_changed_cb (self);
}

static void
heard_changed_cb (EarEpisodeRow *self)
{
  if (self->episode != NULL)
    update_facts (self);
  update_spoken (self);
}

/* A tooltip that is set makes GTK ask the display where the pointer is, each time and
 * for every row: it is told when it is wanted instead. */
static gboolean
ear_episode_row_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (widget);
  GtkWidget *at = keyboard ? NULL : gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT);
  const char *text = at != NULL && at == self->button ? get_button_label (self) : ear_episode_row_describe_mark (self, at);

  if (text != NULL)
    gtk_tooltip_set_text (tooltip, text);

  return text != NULL;
}

static void
ear_episode_row_unmap (GtkWidget *widget)
{
  ear_episode_row_drop_layouts (EAR_EPISODE_ROW (widget));
  GTK_WIDGET_CLASS (ear_episode_row_parent_class)->unmap (widget);
}

static void
ear_episode_row_dispose (GObject *object)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (object);
  GtkWidget *child;

  ear_episode_row_follow_snippets (self, NULL);
  g_clear_object (&self->signals);
  g_clear_object (&self->podcast_signals);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  ear_episode_row_drop_layouts (self);
  g_clear_object (&self->episode);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->found, pango_attr_list_unref);
  g_clear_pointer (&self->podcast, g_free);
  g_clear_pointer (&self->facts, g_free);
  g_clear_pointer (&self->spoken, g_free);

  G_OBJECT_CLASS (ear_episode_row_parent_class)->dispose (object);
}

static void
ear_episode_row_class_init (EarEpisodeRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* What the row shows */
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, episode),
      .set = G_CALLBACK (ear_episode_row_set_episode) },
    /* Whether the list is of several podcasts, so that the row says which one it is */
    { "mixed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, mixed),
      .changed = G_CALLBACK (mixed_changed_cb) },
    /* Whether the list is of what was heard, so that the row says when that was */
    { "heard", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, heard),
      .changed = G_CALLBACK (heard_changed_cb) },
    /* Whether a check box stands in the place of the button */
    { "tickable", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, tickable),
      .changed = G_CALLBACK (tickable_changed_cb) },
    /* What knows where the words of a search are */
    { "snippets", EAR_TYPE_SNIPPET_QUEUE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeRow, snippets),
      .set = G_CALLBACK (ear_episode_row_follow_snippets) },
    /* The row as a screen reader says it */
    { "spoken", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodeRow, spoken) },
    /* The line below the title, after the podcast: date, length or time left */
    { "facts", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarEpisodeRow, facts) },
  };

  object_class->dispose = ear_episode_row_dispose;
  widget_class->query_tooltip = ear_episode_row_query_tooltip;
  widget_class->unmap = ear_episode_row_unmap;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  ear_row_action_install (widget_class);
  ear_row_action_install_menu (widget_class);
  /* What the button does: assistive technologies find rows that are not in sight, too. */
  gtk_widget_class_install_action (widget_class, "row.play", NULL, play_row);
  /* What the link in the words that were found does */
  gtk_widget_class_install_action (widget_class, "row.play-found", NULL, play_found);
  /* What the check box does, of which GTK tells them only what it is. */
  gtk_widget_class_install_action (widget_class, "row.tick", NULL, tick_row);
  ear_episode_row_bind_layout (widget_class);
  gtk_widget_class_set_css_name (widget_class, "episode");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
ear_episode_row_init (EarEpisodeRow *self)
{
  self->playable = TRUE;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
  self->signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->signals, "notify", G_CALLBACK (episode_notify_cb), self);
}

EAR_DEFINE_GET (EarEpisodeRow, ear_episode_row, EarEpisode *, episode)

void
ear_episode_row_set_episode (EarEpisodeRow *self, EarEpisode *episode)
{
  g_return_if_fail (EAR_IS_EPISODE_ROW (self));

  if (!g_set_object (&self->episode, episode))
    return;

  g_signal_group_set_target (self->signals, episode);
  follow_podcast (self);
  ear_episode_row_forget_snippet (self);
  if (episode != NULL)
    {
      update_cover (self);
      update_all (self);
      ear_episode_row_update_snippet (self);
    }
  g_object_notify (G_OBJECT (self), "episode");
}

/* Tells the check box, where there is one. */
void
ear_episode_row_set_ticked (EarEpisodeRow *self, gboolean ticked)
{
  g_return_if_fail (EAR_IS_EPISODE_ROW (self));

  self->ticked = ticked;
  if (self->check != NULL)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), ticked);
}

/* Says anew when the episode was published: yesterday, once that is no longer today. */
void
ear_episode_row_update_date (EarEpisodeRow *self)
{
  g_return_if_fail (EAR_IS_EPISODE_ROW (self));

  if (self->episode != NULL)
    update_text (self);
}
