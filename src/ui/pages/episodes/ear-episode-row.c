/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-row.h"

#include <glib/gi18n.h>

#include "ear-format.h"

/**
 * EarEpisodeRow:
 *
 * An episode in a list: title, date, length or what is left of it, marks, and a button
 * that plays it, which activates `list.toggle` with the episode's id.
 *
 * A list view keeps some two hundred rows and scrolling binds them all the time, so one
 * handler fills the row instead of a binding for each of its widgets.
 */
struct _EarEpisodeRow
{
  GtkWidget parent_instance;

  /* Template children */
  GtkWidget *content; /* bound, so that disposing of the template takes it away */
  GtkLabel *title;
  GtkLabel *facts;
  GtkProgressBar *progress;
  GtkWidget *listened;
  GtkWidget *explicit_mark;
  GtkButton *button;

  /* Owned */
  EarEpisode *episode;
  GSignalGroup *signals;
  char *spoken;
};

G_DEFINE_FINAL_TYPE (EarEpisodeRow, ear_episode_row, GTK_TYPE_WIDGET)

typedef enum
{
  PROP_EPISODE = 1,
  PROP_SPOKEN,
} EarEpisodeRowProperty;

static GParamSpec *props[PROP_SPOKEN + 1];

static void
update_spoken (EarEpisodeRow *self)
{
  g_autofree char *spoken = self->episode != NULL ? ear_format_row_spoken (self->episode) : NULL;

  if (g_set_str (&self->spoken, spoken))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SPOKEN]);
}

static void
update_text (EarEpisodeRow *self)
{
  g_autofree char *facts = ear_format_row (self->episode, g_get_real_time () / G_USEC_PER_SEC);

  gtk_label_set_label (self->title, ear_episode_get_title (self->episode));
  gtk_label_set_label (self->facts, facts);
  gtk_widget_set_visible (self->explicit_mark, ear_episode_get_facts (self->episode)->explicit_content == EAR_EXPLICIT_YES);
}

static void
update_marks (EarEpisodeRow *self)
{
  const gint64 duration = ear_episode_get_duration (self->episode);
  const gint64 position = ear_episode_get_position (self->episode);
  const gboolean listened = ear_episode_get_listened (self->episode);
  const gboolean begun = !listened && duration > 0 && position > 0;

  gtk_widget_set_visible (self->listened, listened);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), begun);
  if (begun)
    gtk_progress_bar_set_fraction (self->progress, MIN ((double) position / duration, 1.0));
  if (listened)
    gtk_widget_add_css_class (GTK_WIDGET (self), "listened");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "listened");
}

static void
update_button (EarEpisodeRow *self)
{
  const EarPlayback playback = ear_episode_get_playback (self->episode);
  const gboolean active = playback == EAR_PLAYBACK_PLAYING || playback == EAR_PLAYBACK_LOADING;
  const char *label = active ? _("Pause") : _("Play");

  gtk_button_set_icon_name (self->button, active ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (playback != EAR_PLAYBACK_NONE)
    gtk_widget_add_css_class (GTK_WIDGET (self), "current");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "current");
}

static void
update_all (EarEpisodeRow *self)
{
  update_text (self);
  update_marks (self);
  update_button (self);
  update_spoken (self);
}

static void
episode_notify_cb (EarEpisodeRow *self, GParamSpec *pspec)
{
  /* The position comes every second while playing. */
  if (g_str_equal (pspec->name, "playback"))
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
set_episode (EarEpisodeRow *self, EarEpisode *episode)
{
  if (!g_set_object (&self->episode, episode))
    return;

  g_signal_group_set_target (self->signals, episode);
  if (episode != NULL)
    update_all (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_EPISODE]);
}

static void
ear_episode_row_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (object);

  switch ((EarEpisodeRowProperty) property_id)
    {
    case PROP_EPISODE:
      g_value_set_object (value, self->episode);
      break;
    case PROP_SPOKEN:
      g_value_set_string (value, self->spoken);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_row_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (object);

  switch (property_id)
    {
    case PROP_EPISODE:
      set_episode (self, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_row_dispose (GObject *object)
{
  EarEpisodeRow *self = EAR_EPISODE_ROW (object);

  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_ROW);
  g_clear_object (&self->episode);

  G_OBJECT_CLASS (ear_episode_row_parent_class)->dispose (object);
}

static void
ear_episode_row_finalize (GObject *object)
{
  g_clear_pointer (&EAR_EPISODE_ROW (object)->spoken, g_free);

  G_OBJECT_CLASS (ear_episode_row_parent_class)->finalize (object);
}

static void
ear_episode_row_class_init (EarEpisodeRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ear_episode_row_get_property;
  object_class->set_property = ear_episode_row_set_property;
  object_class->dispose = ear_episode_row_dispose;
  object_class->finalize = ear_episode_row_finalize;

  /**
   * EarEpisodeRow:episode:
   *
   * What the row shows.
   */
  props[PROP_EPISODE] =
    g_param_spec_object ("episode", NULL, NULL, EAR_TYPE_EPISODE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarEpisodeRow:spoken:
   *
   * The row as a screen reader says it.
   */
  props[PROP_SPOKEN] =
    g_param_spec_string ("spoken", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-episode-row.ui");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "episode");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, content);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, title);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, facts);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, progress);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, listened);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, explicit_mark);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeRow, button);
  gtk_widget_class_bind_template_callback (widget_class, button_clicked_cb);
}

static void
ear_episode_row_init (EarEpisodeRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->signals = g_signal_group_new (EAR_TYPE_EPISODE);
  g_signal_group_connect_swapped (self->signals, "notify", G_CALLBACK (episode_notify_cb), self);
}

/**
 * ear_episode_row_get_episode:
 * @self: the row
 *
 * Returns: (transfer none) (nullable): what the row shows
 */
EarEpisode *
ear_episode_row_get_episode (EarEpisodeRow *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_ROW (self), NULL);

  return self->episode;
}
