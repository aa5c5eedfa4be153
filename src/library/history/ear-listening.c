/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listening.h"

#include "ear-address.h"
#include "ear-property.h"
#include "ear-record.h"
#include "ear-userdata-export.h"

#include <string.h>

/* Records of `state/listening.json`, one for each month, podcast and machine, so that two
 * machines never write the same number; readers add them up.
 *   "2026-11/<hash of the podcast's first URL>/<machine>":
 *     { "address": "https://…", "title": "…",
 *       "days": { "26": { "listened": 1800, "saved-speed": 600, "saved-trim": 40 } } }
 * All values are whole seconds. Time saved before days were counted is in one more record
 * per machine, "before//<machine>", whose value is that of a day. */

#define FORMER "before"

/* Longest day, when clocks are set back */
#define DAY_LIMIT (25 * 60 * 60)

/* Maximum saved time per day: the speed limit is four, and trimmed audio contains at
 * least some speech. */
#define SPARED_LIMIT (DAY_LIMIT * 10)

/* A hundred years of listening without a pause */
#define FORMER_LIMIT (100.0 * 366 * DAY_LIMIT)

/* Members of a day: name, maximum and field */
static const struct
{
  const char *name;
  double limit;
  gsize offset;
} members[] = {
  { "listened", DAY_LIMIT, G_STRUCT_OFFSET (EarListened, time) },
  { "saved-speed", SPARED_LIMIT, G_STRUCT_OFFSET (EarListened, by_speed) },
  { "saved-trim", SPARED_LIMIT, G_STRUCT_OFFSET (EarListened, by_trimming) },
};

static gint64 *
get_member (EarListened *self, gsize i)
{
  return &G_STRUCT_MEMBER (gint64, self, members[i].offset);
}

void
ear_listened_add (EarListened *self, const EarListened *other)
{
  self->time += other->time;
  self->by_speed += other->by_speed;
  self->by_trimming += other->by_trimming;
}

/* @podcast: the hash of its first URL */
static char *
dup_id (const GDate *day, const char *podcast, const char *machine)
{
  return g_strdup_printf ("%04d-%02d/%s/%s", g_date_get_year (day), g_date_get_month (day), podcast,
                          machine);
}

/* Returns: (transfer full) (nullable): the hash of the podcast's URL */
char *
ear_listened_dup_podcast (const char *id)
{
  const char *begin = strchr (id, '/');
  const char *end = begin != NULL ? strchr (begin + 1, '/') : NULL;

  return end != NULL && end > begin + 1 ? g_strndup (begin + 1, (gsize) (end - begin - 1)) : NULL;
}

/* @limit: maximum of each value; 0: the limits of a day */
static EarListened
read_values (GVariant *values, double limit)
{
  EarListened listened = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const double seconds = ear_record_get_number (values, members[i].name, 0);

      *get_member (&listened, i) =
          (gint64) (CLAMP (seconds, 0, limit > 0 ? limit : members[i].limit) * G_USEC_PER_SEC);
    }

  return listened;
}

/* Returns: a number of @length digits; 0 if there are other characters */
static guint
read_number (const char *text, guint length)
{
  guint number = 0;

  for (guint i = 0; i < length; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return 0;
      number = number * 10 + (guint) (text[i] - '0');
    }

  return number;
}

static gboolean
read_month (const char *id, GDateYear *year, GDateMonth *month)
{
  if (strlen (id) < 8 || id[4] != '-' || id[7] != '/')
    return FALSE;
  *year = (GDateYear) read_number (id, 4);
  *month = read_number (id + 5, 2);

  return g_date_valid_year (*year) && g_date_valid_month (*month);
}

/* Calls @func for each day of a record. Invalid parts are skipped.
 * @func: (scope call): the function to call */
void
ear_listened_foreach (const char *id, GVariant *value, EarListenedFunc func, gpointer user_data)
{
  g_autoptr (GVariant) days = g_variant_lookup_value (value, "days", G_VARIANT_TYPE_VARDICT);
  GDateYear year;
  GDateMonth month;
  GVariantIter iter;
  const char *name;
  GVariant *child;

  if (g_str_has_prefix (id, FORMER "/"))
    {
      const EarListened listened = read_values (value, FORMER_LIMIT);

      func (0, &listened, user_data);
      return;
    }
  if (days == NULL || !read_month (id, &year, &month))
    return;

  g_variant_iter_init (&iter, days);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &child))
    {
      const GDateDay day = strlen (name) == 2 ? (GDateDay) read_number (name, 2) : 0;

      if (g_variant_is_of_type (child, G_VARIANT_TYPE_VARDICT) &&
          g_date_valid_dmy (day, month, year))
        {
          const EarListened listened = read_values (child, 0);
          GDate date;

          g_date_clear (&date, 1);
          g_date_set_dmy (&date, day, month, year);
          func (g_date_get_julian (&date), &listened, user_data);
        }
    }
}

static GVariant *
add_values (GVariant *values, const EarListened *listened)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (values);
  EarListened sum = *listened;

  if (values != NULL)
    {
      const EarListened known = read_values (values, 0);

      ear_listened_add (&sum, &known);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    if (*get_member (&sum, i) >= G_USEC_PER_SEC)
      g_variant_dict_insert (&dict, members[i].name, "x", *get_member (&sum, i) / G_USEC_PER_SEC);

  return g_variant_dict_end (&dict);
}

/* @value: (nullable): a record of a month, or %NULL for a new one; unknown members are
 *   kept
 * @day: day of the month
 * @listened: the time to add
 * Returns: (transfer floating): the new record */
static GVariant *
add_day (GVariant *value, const char *address, const char *title, guint day,
         const EarListened *listened)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (value);
  g_autoptr (GVariant) known_days =
      g_variant_dict_lookup_value (&dict, "days", G_VARIANT_TYPE_VARDICT);
  g_auto (GVariantDict) days = G_VARIANT_DICT_INIT (known_days);
  g_autofree char *name = g_strdup_printf ("%02u", day);
  g_autoptr (GVariant) known = g_variant_dict_lookup_value (&days, name, G_VARIANT_TYPE_VARDICT);

  g_variant_dict_insert_value (&days, name, add_values (known, listened));
  g_variant_dict_insert (&dict, "address", "s", address);
  g_variant_dict_insert (&dict, "title", "s", title);
  g_variant_dict_insert_value (&dict, "days", g_variant_dict_end (&days));

  return g_variant_dict_end (&dict);
}

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
steal_seconds (EarListened *waits)
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
  whole = steal_seconds (&self->waits);
  if (whole.time == 0 && whole.by_speed == 0 && whole.by_trimming == 0)
    return;

  machine = dup_machine (self);
  address = ear_podcast_get_address (self->podcast);
  hash = ear_address_hash (address, NULL);
  id = dup_id (&self->day, hash, machine);
  self->keeping = TRUE;
  ear_records_set (self->records, id,
                   add_day (ear_records_lookup (self->records, id), address,
                            ear_podcast_get_name (self->podcast), g_date_get_day (&self->day),
                            &whole));
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
split_at_midnight (EarListened *heard, gint64 since_midnight)
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

  before = split_at_midnight (&rest, get_time_of_day (until));
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
