/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-refresh-schedule.h"

#include "ear-library-enums.h"
#include "ear-property.h"

/* Maximum time of a timer, as neither a clock change nor resuming from sleep triggers
 * it */
#define LONGEST_WAIT (5 * 60)

/* Time without scheduled checks after the listener has stopped a refresh */
#define HOLD (30 * 60)

/* Schedules checks of podcasts at the interval in the settings, and retries unreachable
 * ones sooner. On a metered network or in power-saver mode, it checks only new podcasts
 * that were never fetched, as the listener waits for those. */
struct _EarRefreshSchedule
{
  GObject parent_instance;

  /* Owned */
  EarRefresher *refresher;
  GNetworkMonitor *network;
  GPowerProfileMonitor *power;
  guint timer_id;
  guint plan_id;

  guint interval; /* minutes */
  gboolean on_metered;
  gboolean started;
  gint64 held_until; /* Unix seconds */
  EarRefreshPause pause;
};

G_DEFINE_FINAL_TYPE (EarRefreshSchedule, ear_refresh_schedule, G_TYPE_OBJECT)

static EarRefreshPause
find_pause (EarRefreshSchedule *self)
{
  if (g_power_profile_monitor_get_power_saver_enabled (self->power))
    return EAR_REFRESH_PAUSE_POWER;

  return !self->on_metered && g_network_monitor_get_network_metered (self->network)
             ? EAR_REFRESH_PAUSE_METERED
             : EAR_REFRESH_PAUSE_NONE;
}

static gboolean
is_allowed (EarRefreshSchedule *self)
{
  return find_pause (self) == EAR_REFRESH_PAUSE_NONE;
}

/* Returns seconds between scheduled checks of a podcast; 0: none. */
static gint64
get_interval (EarRefreshSchedule *self, EarPodcast *podcast)
{
  const int own = ear_podcast_get_refresh_interval (podcast);

  return (own != EAR_REFRESH_INTERVAL_INHERIT ? own : (gint64) self->interval) * 60;
}

/* Returns the time until which the listener has stopped checks. A clock that was set back
 * does not prolong it. */
static gint64
get_held_until (EarRefreshSchedule *self, gint64 now)
{
  return self->held_until <= now + HOLD ? self->held_until : now;
}

static GListModel *
get_podcasts (EarRefreshSchedule *self)
{
  return ear_catalogue_get_podcasts (ear_refresher_get_catalogue (self->refresher));
}

/* Returns the time of the next check of a podcast; G_MAXINT64: none under the current
 * conditions. */
static gint64
get_time_of (EarRefreshSchedule *self, EarPodcast *podcast, gint64 now)
{
  g_autoptr (EarFeedCheck) check =
      ear_catalogue_dup_check (ear_refresher_get_catalogue (self->refresher), podcast);
  const EarRefreshSubject subject = { check, ear_podcast_get_address (podcast),
                                      ear_podcast_get_facts (podcast)->complete };

  if (ear_podcast_get_refreshing (podcast) || (check->checked > 0 && !is_allowed (self)))
    return G_MAXINT64;

  return MAX (ear_refresh_policy_get_next (&subject, get_interval (self, podcast), now),
              get_held_until (self, now));
}

static void
timer_cb (gpointer user_data)
{
  EarRefreshSchedule *self = user_data;

  self->timer_id = 0;
  ear_refresh_schedule_run (self);
}

static gboolean
plan_cb (gpointer user_data)
{
  EarRefreshSchedule *self = user_data;
  const gint64 next = ear_refresh_schedule_get_next (self);
  const gint64 seconds = next - ear_refresher_get_time (self->refresher);

  self->plan_id = 0;
  g_clear_handle_id (&self->timer_id, g_source_remove);
  if (next != G_MAXINT64)
    self->timer_id =
        g_timeout_add_seconds_once ((guint) CLAMP (seconds, 1, LONGEST_WAIT), timer_cb, self);

  return G_SOURCE_REMOVE;
}

/* Plans the next checks from an idle source, as many refreshes may end together and one
 * look at all podcasts is enough. */
void
ear_refresh_schedule_plan (EarRefreshSchedule *self)
{
  if (self->started && self->plan_id == 0)
    self->plan_id = g_idle_add_full (G_PRIORITY_LOW, plan_cb, self, NULL);
}

static void
conditions_changed_cb (EarRefreshSchedule *self)
{
  if (self->power == NULL)
    return;

  ear_property_set_number (self, "pause", (int) find_pause (self));
  ear_refresh_schedule_plan (self);
}

/* Checks the podcasts that could not be reached without the network. */
static void
network_changed_cb (EarRefreshSchedule *self, gboolean available)
{
  const gint64 now = ear_refresher_get_time (self->refresher);
  GListModel *podcasts = get_podcasts (self);

  if (!self->started || !available || !is_allowed (self) || get_held_until (self, now) > now)
    return;
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_refresh_policy_is_unreached (ear_podcast_get_error (podcast)))
        ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_SCHEDULED);
    }
}

static void
ear_refresh_schedule_dispose (GObject *object)
{
  EarRefreshSchedule *self = EAR_REFRESH_SCHEDULE (object);

  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_clear_handle_id (&self->plan_id, g_source_remove);
  self->started = FALSE;
  g_clear_object (&self->refresher);
  g_clear_object (&self->network);
  g_clear_object (&self->power);

  G_OBJECT_CLASS (ear_refresh_schedule_parent_class)->dispose (object);
}

static void
ear_refresh_schedule_class_init (EarRefreshScheduleClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Minutes between checks; 0: only on request */
    { "interval", G_TYPE_UINT, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarRefreshSchedule, interval),
      .changed = G_CALLBACK (conditions_changed_cb) },
    /* Whether to check podcasts on a metered network */
    { "on-metered", G_TYPE_BOOLEAN, G_PARAM_READWRITE,
      G_STRUCT_OFFSET (EarRefreshSchedule, on_metered),
      .changed = G_CALLBACK (conditions_changed_cb) },
    /* Why there are no scheduled checks at the moment */
    { "pause", EAR_TYPE_REFRESH_PAUSE, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarRefreshSchedule, pause) },
  };

  object_class->dispose = ear_refresh_schedule_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_refresh_schedule_init (EarRefreshSchedule *self)
{
}

/* @network: reports metered networks
 * @power: reports power-saver mode */
EarRefreshSchedule *
ear_refresh_schedule_new (EarRefresher *refresher, GNetworkMonitor *network,
                          GPowerProfileMonitor *power)
{
  EarRefreshSchedule *self = g_object_new (EAR_TYPE_REFRESH_SCHEDULE, NULL);

  self->refresher = g_object_ref (refresher);
  self->network = g_object_ref (network);
  self->power = g_object_ref (power);
  g_signal_connect_object (refresher, "refreshed", G_CALLBACK (ear_refresh_schedule_plan), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (network, "network-changed", G_CALLBACK (network_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (network, "notify::network-metered", G_CALLBACK (conditions_changed_cb),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (power, "notify::power-saver-enabled", G_CALLBACK (conditions_changed_cb),
                           self, G_CONNECT_SWAPPED);
  self->pause = find_pause (self);

  return self;
}

/* Checks all due podcasts at startup at once, as the listener is present, then starts the
 * schedule. New podcasts are always checked, as the listener waits for them. */
void
ear_refresh_schedule_start (EarRefreshSchedule *self)
{
  GListModel *podcasts = get_podcasts (self);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if ((ear_podcast_get_checked (podcast) <= 0 || is_allowed (self)) &&
          ear_refresher_is_due (self->refresher, podcast, EAR_REFRESH_START,
                                get_interval (self, podcast)))
        ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_START);
    }
  ear_refresh_schedule_begin (self);
}

/* Starts the schedule in the background, without checks at startup. */
void
ear_refresh_schedule_begin (EarRefreshSchedule *self)
{
  self->started = TRUE;
  ear_refresh_schedule_plan (self);
}

/* Stops all running checks for the listener. Stored episodes are kept; the next scheduled
 * check is half an hour later. */
void
ear_refresh_schedule_stop (EarRefreshSchedule *self)
{
  g_return_if_fail (EAR_IS_REFRESH_SCHEDULE (self));

  self->held_until = ear_refresher_get_time (self->refresher) + HOLD;
  ear_refresh_schedule_plan (self);
  ear_refresher_cancel (self->refresher, NULL);
}

/* Returns: Unix seconds of the next check, which may be in the past; %G_MAXINT64 for none
 * under the current conditions */
gint64
ear_refresh_schedule_get_next (EarRefreshSchedule *self)
{
  const gint64 now = ear_refresher_get_time (self->refresher);
  GListModel *podcasts = get_podcasts (self);
  gint64 next = G_MAXINT64;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      next = MIN (next, get_time_of (self, podcast, now));
    }

  return next;
}

/* Starts the checks that are due.
 * Returns: the number of checks started */
guint
ear_refresh_schedule_run (EarRefreshSchedule *self)
{
  const gint64 now = ear_refresher_get_time (self->refresher);
  GListModel *podcasts = get_podcasts (self);
  guint n_started = 0;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (get_time_of (self, podcast, now) > now)
        continue;
      ear_refresher_refresh (self->refresher, podcast, EAR_REFRESH_SCHEDULED);
      n_started++;
    }
  ear_refresh_schedule_plan (self);

  return n_started;
}
