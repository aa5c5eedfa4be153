/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listening.h"

#include "ear-address.h"
#include "ear-property.h"
#include "ear-userdata-export.h"

/* Counts the time listened by day and podcast, in one record for each month, podcast and
 * machine (`ear-listened.c`). Added time stays in memory until ear_listening_keep() is
 * called or another podcast or day begins. Main thread only.
 * Days are those of the local time zone at the time of listening. After a change of the
 * clock or the zone, new time is added to the new day, and counted time is kept. */
struct _EarListening
{
  GObject parent_instance;

  /* Owned */
  EarRecords *records;
  EarSettings *settings;
  EarPodcast *podcast; /* (nullable): podcast of @waits */

  GDate day;          /* day of @waits */
  EarListened waits;  /* not in the records yet; fractions of seconds carry over */
  gint64 by_trimming; /* total of all records */
  gboolean keeping;   /* the records are being changed by this object */
};

G_DEFINE_FINAL_TYPE (EarListening, ear_listening, G_TYPE_OBJECT)

static void
sum_day (guint32 julian, const EarListened *listened, gpointer user_data)
{
  ear_listened_add (user_data, listened);
}

static void
sum_record (const char *id, GVariant *value, gpointer user_data)
{
  ear_listened_foreach (id, value, sum_day, user_data);
}

static void
records_loaded_cb (EarListening *self)
{
  g_object_notify (G_OBJECT (self), "loaded");
}

static void
records_changed_cb (EarListening *self)
{
  EarListened sum = { 0 };

  if (self->keeping)
    return;
  ear_records_foreach (self->records, sum_record, &sum);
  ear_property_set_int64 (self, "by-trimming", sum.by_trimming + self->waits.by_trimming);
  g_signal_emit_by_name (self, "changed");
}

/* Stores the waiting time and adds up the records of all machines.
 * @now: the current local time
 * Returns: (transfer full): the statistics */
EarStatistics *
ear_listening_create_statistics (EarListening *self, GDateTime *now)
{
  g_return_val_if_fail (EAR_IS_LISTENING (self), NULL);

  ear_listening_keep (self);

  return ear_statistics_new (self->records, now);
}

/* Returns: (transfer full): the statistics as JSON, for other programs */
GBytes *
ear_listening_export (EarListening *self, GDateTime *now)
{
  g_autoptr (EarStatistics) statistics = ear_listening_create_statistics (self, now);

  return ear_userdata_export (ear_statistics_to_variant (statistics));
}

/* Returns: (transfer full): a random name of this machine, which is created once and
 * stored in its settings only */
static char *
dup_machine (EarListening *self)
{
  char *machine;

  g_object_get (self->settings, "machine", &machine, NULL);
  if (*machine != '\0')
    return machine;

  g_free (machine);
  machine = g_strdup_printf ("%08x", g_random_int ());
  g_object_set (self->settings, "machine", machine, NULL);

  return machine;
}

/* Returns the whole seconds and leaves the fractions in @waits. */
static EarListened
take_seconds (EarListened *waits)
{
  const EarListened rest = { waits->time % G_USEC_PER_SEC, waits->by_speed % G_USEC_PER_SEC,
                             waits->by_trimming % G_USEC_PER_SEC };
  const EarListened whole = { waits->time - rest.time, waits->by_speed - rest.by_speed,
                              waits->by_trimming - rest.by_trimming };

  *waits = rest;

  return whole;
}

/* Writes the waiting time to the records. Does nothing before the records are loaded, as
 * the time must be added to them. */
void
ear_listening_keep (EarListening *self)
{
  g_autofree char *machine = NULL;
  g_autofree char *hash = NULL;
  g_autofree char *id = NULL;
  const char *address;
  EarListened whole;

  g_return_if_fail (EAR_IS_LISTENING (self));

  if (self->podcast == NULL || !ear_records_is_loaded (self->records))
    return;
  whole = take_seconds (&self->waits);
  if (whole.time == 0 && whole.by_speed == 0 && whole.by_trimming == 0)
    return;

  machine = dup_machine (self);
  address = ear_podcast_get_address (self->podcast);
  hash = ear_address_hash (address, NULL);
  id = ear_listened_dup_id (&self->day, hash, machine);
  self->keeping = TRUE;
  ear_records_set (self->records, id,
                   ear_listened_add_day (ear_records_lookup (self->records, id), address,
                                         ear_podcast_get_name (self->podcast),
                                         g_date_get_day (&self->day), &whole));
  self->keeping = FALSE;
  g_signal_emit_by_name (self, "changed");
}

static void
add_on_day (EarListening *self, EarPodcast *podcast, const GDate *day, const EarListened *heard)
{
  if (self->podcast != podcast || g_date_compare (&self->day, day) != 0)
    {
      ear_listening_keep (self);
      g_set_object (&self->podcast, podcast);
      self->day = *day;
    }
  ear_listened_add (&self->waits, heard);
  ear_property_set_int64 (self, "by-trimming", self->by_trimming + heard->by_trimming);
}

static gint64
get_time_of_day (GDateTime *date)
{
  return (g_date_time_get_hour (date) * 60 + g_date_time_get_minute (date)) * G_TIME_SPAN_MINUTE +
         g_date_time_get_second (date) * G_TIME_SPAN_SECOND + g_date_time_get_microsecond (date);
}

/* Splits off the part that was played before midnight. */
static EarListened
take_before_midnight (EarListened *heard, gint64 since_midnight)
{
  const double part = heard->time > since_midnight
                          ? (double) (heard->time - since_midnight) / (double) heard->time
                          : 0;
  const EarListened before = { (gint64) (heard->time * part), (gint64) (heard->by_speed * part),
                               (gint64) (heard->by_trimming * part) };

  heard->time -= before.time;
  heard->by_speed -= before.by_speed;
  heard->by_trimming -= before.by_trimming;

  return before;
}

/* Adds time listened without a pause.
 * @podcast: the podcast
 * @until: local time at the end
 * @heard: the time listened, less than a day */
void
ear_listening_add (EarListening *self, EarPodcast *podcast, GDateTime *until,
                   const EarListened *heard)
{
  EarListened rest = *heard;
  EarListened before;
  GDate day;

  g_return_if_fail (EAR_IS_LISTENING (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  before = take_before_midnight (&rest, get_time_of_day (until));
  g_date_clear (&day, 1);
  g_date_set_dmy (&day, (GDateDay) g_date_time_get_day_of_month (until),
                  g_date_time_get_month (until), (GDateYear) g_date_time_get_year (until));
  if (before.time > 0)
    {
      GDate yesterday = day;

      g_date_subtract_days (&yesterday, 1);
      add_on_day (self, podcast, &yesterday, &before);
    }
  add_on_day (self, podcast, &day, &rest);
}

/* Stores the total of an earlier version, which did not count days. Only the first call
 * has an effect. */
void
ear_listening_keep_former (EarListening *self, gint64 by_trimming)
{
  g_autofree char *machine = NULL;
  g_autofree char *id = NULL;

  g_return_if_fail (EAR_IS_LISTENING (self));

  machine = dup_machine (self);
  id = ear_listened_dup_former_id (machine);
  if (ear_records_lookup (self->records, id) == NULL)
    ear_records_set (self->records, id, ear_listened_new_former (by_trimming));
}

static void
ear_listening_dispose (GObject *object)
{
  EarListening *self = EAR_LISTENING (object);

  g_clear_object (&self->podcast);
  g_clear_object (&self->settings);
  g_clear_object (&self->records);

  G_OBJECT_CLASS (ear_listening_parent_class)->dispose (object);
}

static void
ear_listening_class_init (EarListeningClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "loaded", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_listening_is_loaded) },
    { "by-trimming", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarListening, by_trimming) },
  };

  object_class->dispose = ear_listening_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
ear_listening_init (EarListening *self)
{
  g_date_clear (&self->day, 1);
  g_date_set_julian (&self->day, 1);
}

/* @records: the records of type `EAR_RECORD_LISTENING`
 * @settings: stores the name of this machine */
EarListening *
ear_listening_new (EarRecords *records, EarSettings *settings)
{
  EarListening *self = g_object_new (EAR_TYPE_LISTENING, NULL);

  self->records = g_object_ref (records);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (records, "changed", G_CALLBACK (records_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (records, "notify::loaded", G_CALLBACK (records_loaded_cb), self,
                           G_CONNECT_SWAPPED);
  records_changed_cb (self);

  return self;
}

gboolean
ear_listening_is_loaded (EarListening *self)
{
  g_return_val_if_fail (EAR_IS_LISTENING (self), FALSE);

  return self->records != NULL && ear_records_is_loaded (self->records);
}
