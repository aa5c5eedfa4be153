/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view.h"

#include <glib/gi18n.h>

#include "ear-cover.h"
#include "ear-format.h"
#include "ear-library.h"
#include "ear-library-enums.h"
#include "ear-property.h"
#include "ear-refresher.h"
#include "ear-series.h"
#include "ear-widget.h"

/* Seconds after which "Checked 2 hours ago" is written again */
#define FACTS_INTERVAL 60

/**
 * EarPodcastHead:
 *
 * A podcast above its episodes: cover, title, author, the number of episodes and
 * the time of the last check; of a series, also the listener's progress and the
 * button to continue.
 */
struct _EarPodcastHead
{
  AdwBin parent_instance;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
  EarSeries *series; /* (nullable): without a library */
  GSignalGroup *podcast_signals;
  char *facts;
  EarRefreshPause pause;
  guint facts_source;
};

G_DEFINE_FINAL_TYPE (EarPodcastHead, ear_podcast_head, ADW_TYPE_BIN)

/* A pause matters only to podcasts that are checked automatically. */
static const char *
describe_pause (EarPodcast *podcast, EarRefreshPause pause)
{
  if (ear_podcast_get_ended (podcast) || ear_podcast_get_refreshing (podcast) ||
      ear_podcast_get_setting (podcast, EAR_PODCAST_SETTING_REFRESH_INTERVAL) == 0)
    return "";

  if (pause == EAR_REFRESH_PAUSE_POWER)
    /* Translators: of a podcast that is not checked for new episodes by itself for now */
    return _("Automatic checks paused to save power");

  /* Translators: of a podcast that is not checked for new episodes by itself for now; the
   * network is paid by the amount of data */
  return pause == EAR_REFRESH_PAUSE_METERED ? _("Automatic checks paused on a metered network")
                                            : "";
}

static char *
describe (EarPodcast *podcast, EarRefreshPause pause)
{
  const guint n_episodes = ear_podcast_get_n_episodes (podcast);
  g_autofree char *count = n_episodes > 0 ? ear_format_episodes (n_episodes) : NULL;
  g_autofree char *checked =
      ear_podcast_get_ended (podcast)
          /* Translators: of a podcast: no new episodes will come */
          ? g_strdup (_("Has ended"))
          : ear_format_ago (ear_podcast_get_checked (podcast), g_get_real_time () / G_USEC_PER_SEC);
  g_autofree char *distinction = ear_podcast_dup_distinction (podcast);

  return ear_format_join (distinction, count, checked, describe_pause (podcast, pause));
}

/* Returns: `G_SOURCE_CONTINUE`, for the timer */
static gboolean
update_facts (EarPodcastHead *self)
{
  g_autofree char *facts = self->podcast != NULL ? describe (self->podcast, self->pause) : NULL;

  ear_property_set_string (self, "facts", facts);

  return G_SOURCE_CONTINUE;
}

static void
podcast_changed_cb (EarPodcastHead *self)
{
  g_signal_group_set_target (self->podcast_signals, self->podcast);
  update_facts (self);
}

static void
library_changed_cb (EarPodcastHead *self)
{
  self->series = ear_library_create_series (self->library);
  g_object_bind_property (self, "podcast", self->series, "podcast", G_BINDING_SYNC_CREATE);
  g_object_notify (G_OBJECT (self), "series");
}

static void
map_cb (EarPodcastHead *self)
{
  update_facts (self);
  self->facts_source = g_timeout_add_seconds (FACTS_INTERVAL, G_SOURCE_FUNC (update_facts), self);
}

static void
unmap_cb (EarPodcastHead *self)
{
  g_clear_handle_id (&self->facts_source, g_source_remove);
}

static void
ear_podcast_head_dispose (GObject *object)
{
  EarPodcastHead *self = EAR_PODCAST_HEAD (object);

  g_clear_object (&self->podcast_signals);
  ear_properties_clear (self);

  G_OBJECT_CLASS (ear_podcast_head_parent_class)->dispose (object);
}

static void
ear_podcast_head_class_init (EarPodcastHeadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPodcastHead, library),
      .changed = G_CALLBACK (library_changed_cb) },
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPodcastHead, podcast),
      .changed = G_CALLBACK (podcast_changed_cb) },
    /* Progress in the podcast, if it is a series */
    { "series", EAR_TYPE_SERIES, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcastHead, series) },
    /* The line below the author */
    { "facts", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPodcastHead, facts) },
    /* Why podcasts are not checked automatically */
    { "pause", EAR_TYPE_REFRESH_PAUSE, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarPodcastHead, pause),
      .changed = G_CALLBACK (update_facts) },
  };

  object_class->dispose = ear_podcast_head_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_COVER);
  ear_widget_set_template (widget_class, "ear-podcast-head");
  gtk_widget_class_bind_template_callback (widget_class, map_cb);
  gtk_widget_class_bind_template_callback (widget_class, unmap_cb);
}

static void
ear_podcast_head_init (EarPodcastHead *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify", G_CALLBACK (update_facts), self);
}
