/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-playback.h"

#include <math.h>

#include "ear-widget.h"

/**
 * EarPodcastPlayback:
 *
 * How one podcast is played: as all are, or otherwise, and what of its episodes is left out.
 */
struct _EarPodcastPlayback
{
  AdwPreferencesGroup parent_instance;

  /* Template children */
  AdwSwitchRow *series;
  AdwExpanderRow *own;
  GtkSpinButton *speed;
  AdwSwitchRow *trim_silence;
  AdwSwitchRow *level_volume;
  GtkSpinButton *skip_start;
  GtkSpinButton *skip_end;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;

  gboolean filling; /* what the rows tell is not the listener's word */
};

G_DEFINE_FINAL_TYPE (EarPodcastPlayback, ear_podcast_playback, ADW_TYPE_PREFERENCES_GROUP)

static int
get_value (EarPodcastPlayback *self, EarPodcastSetting setting)
{
  return ear_podcast_get_settings (self->podcast)->values[setting];
}

/* Its own, or what is so for all podcasts. */
static int
find_value (EarPodcastPlayback *self, EarPodcastSetting setting)
{
  EarSettings *settings = ear_library_get_settings (self->library);
  const int value = get_value (self, setting);
  gboolean flag;
  double rate;

  if (value != EAR_PLAYBACK_AS_EVERYWHERE)
    return value;
  if (setting == EAR_PODCAST_SETTING_SPEED)
    {
      g_object_get (settings, "rate", &rate, NULL);
      return (int) round (rate * 100);
    }
  g_object_get (settings, ear_podcast_setting_get_name (setting), &flag, NULL);

  return flag;
}

static gboolean
is_own (EarPodcastPlayback *self)
{
  return get_value (self, EAR_PODCAST_SETTING_SPEED) != EAR_PLAYBACK_AS_EVERYWHERE ||
         get_value (self, EAR_PODCAST_SETTING_TRIM_SILENCE) != EAR_PLAYBACK_AS_EVERYWHERE ||
         get_value (self, EAR_PODCAST_SETTING_LEVEL_VOLUME) != EAR_PLAYBACK_AS_EVERYWHERE;
}

static void
fill (EarPodcastPlayback *self)
{
  self->filling = TRUE;
  adw_switch_row_set_active (self->series, ear_podcast_get_series (self->podcast));
  gtk_spin_button_set_value (self->speed, find_value (self, EAR_PODCAST_SETTING_SPEED) / 100.0);
  adw_switch_row_set_active (self->trim_silence, find_value (self, EAR_PODCAST_SETTING_TRIM_SILENCE));
  adw_switch_row_set_active (self->level_volume, find_value (self, EAR_PODCAST_SETTING_LEVEL_VOLUME));
  gtk_spin_button_set_value (self->skip_start, get_value (self, EAR_PODCAST_SETTING_SKIP_START));
  gtk_spin_button_set_value (self->skip_end, get_value (self, EAR_PODCAST_SETTING_SKIP_END));
  if (adw_expander_row_get_enable_expansion (self->own) != is_own (self))
    adw_expander_row_set_enable_expansion (self->own, is_own (self));
  self->filling = FALSE;
}

static void
keep (EarPodcastPlayback *self, EarPodcastSetting setting, int value)
{
  ear_subscriptions_set_setting (ear_library_get_subscriptions (self->library), self->podcast, setting, value);
}

/* One after the other tells of changes in between, which are not the listener's. */
static void
own_changed_cb (EarPodcastPlayback *self)
{
  const gboolean own = adw_expander_row_get_enable_expansion (self->own);
  const int speed = (int) round (gtk_spin_button_get_value (self->speed) * 100);
  const gboolean trim = adw_switch_row_get_active (self->trim_silence);
  const gboolean level = adw_switch_row_get_active (self->level_volume);

  if (self->podcast == NULL || self->filling)
    return;

  self->filling = TRUE;
  keep (self, EAR_PODCAST_SETTING_SPEED, own ? speed : EAR_PLAYBACK_AS_EVERYWHERE);
  keep (self, EAR_PODCAST_SETTING_TRIM_SILENCE, own ? trim : EAR_PLAYBACK_AS_EVERYWHERE);
  keep (self, EAR_PODCAST_SETTING_LEVEL_VOLUME, own ? level : EAR_PLAYBACK_AS_EVERYWHERE);
  fill (self);
}

static void
values_changed_cb (EarPodcastPlayback *self)
{
  if (self->podcast != NULL && !self->filling && adw_expander_row_get_enable_expansion (self->own))
    own_changed_cb (self);
}

static void
series_changed_cb (EarPodcastPlayback *self)
{
  if (self->podcast != NULL && !self->filling)
    ear_subscriptions_set_series (ear_library_get_subscriptions (self->library), self->podcast, adw_switch_row_get_active (self->series));
}

static void
skips_changed_cb (EarPodcastPlayback *self)
{
  const int start = gtk_spin_button_get_value_as_int (self->skip_start);
  const int end = gtk_spin_button_get_value_as_int (self->skip_end);

  if (self->podcast == NULL || self->filling)
    return;

  self->filling = TRUE;
  keep (self, EAR_PODCAST_SETTING_SKIP_START, start);
  keep (self, EAR_PODCAST_SETTING_SKIP_END, end);
  self->filling = FALSE;
}

/* Somebody else has set it, as the player's own menu does. */
static void
podcast_changed_cb (EarPodcastPlayback *self)
{
  if (!self->filling)
    fill (self);
}

static void
ear_podcast_playback_dispose (GObject *object)
{
  EarPodcastPlayback *self = EAR_PODCAST_PLAYBACK (object);

  gtk_widget_dispose_template (GTK_WIDGET (object), EAR_TYPE_PODCAST_PLAYBACK);
  g_clear_object (&self->podcast);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_podcast_playback_parent_class)->dispose (object);
}

static void
ear_podcast_playback_class_init (EarPodcastPlaybackClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ear_podcast_playback_dispose;

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-podcast-playback.ui");
  gtk_widget_class_bind_template_child (widget_class, EarPodcastPlayback, series);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastPlayback, own);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastPlayback, speed);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastPlayback, trim_silence);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastPlayback, level_volume);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastPlayback, skip_start);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastPlayback, skip_end);
}

static void
ear_podcast_playback_init (EarPodcastPlayback *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->series, "notify::active", G_CALLBACK (series_changed_cb), self);
  g_signal_connect_swapped (self->own, "notify::enable-expansion", G_CALLBACK (own_changed_cb), self);
  g_signal_connect_swapped (self->speed, "value-changed", G_CALLBACK (values_changed_cb), self);
  g_signal_connect_swapped (self->trim_silence, "notify::active", G_CALLBACK (values_changed_cb), self);
  g_signal_connect_swapped (self->level_volume, "notify::active", G_CALLBACK (values_changed_cb), self);
  g_signal_connect_swapped (self->skip_start, "value-changed", G_CALLBACK (skips_changed_cb), self);
  g_signal_connect_swapped (self->skip_end, "value-changed", G_CALLBACK (skips_changed_cb), self);
}

/* Shows and sets how it is played.
 * @self: one that shows no podcast yet */
void
ear_podcast_playback_set_podcast (EarPodcastPlayback *self, EarLibrary *library, EarPodcast *podcast)
{
  static const EarPodcastSetting shown[] = { EAR_PODCAST_SETTING_SPEED, EAR_PODCAST_SETTING_TRIM_SILENCE,
                                             EAR_PODCAST_SETTING_LEVEL_VOLUME, EAR_PODCAST_SETTING_SKIP_START,
                                             EAR_PODCAST_SETTING_SKIP_END, EAR_PODCAST_SETTING_SERIES };

  g_return_if_fail (EAR_IS_PODCAST_PLAYBACK (self));

  self->library = g_object_ref (library);
  self->podcast = g_object_ref (podcast);
  for (gsize i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      g_autofree char *signal = g_strconcat ("notify::", ear_podcast_setting_get_name (shown[i]), NULL);

      g_signal_connect_object (podcast, signal, G_CALLBACK (podcast_changed_cb), self, G_CONNECT_SWAPPED);
    }
  fill (self);
  /* Closed, as there is no need to look. */
  adw_expander_row_set_expanded (self->own, FALSE);
}
