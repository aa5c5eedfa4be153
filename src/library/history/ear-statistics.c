/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-statistics.h"

#include "ear-address.h"

/* Less time is only a short test, and does not make a day of listening. */
#define LEAST_OF_A_DAY G_TIME_SPAN_MINUTE

static void
podcast_free (gpointer data)
{
  EarListenedPodcast *podcast = data;

  g_free (podcast->hash);
  g_free (podcast->address);
  g_free (podcast->title);
  g_free (podcast->id);
  g_free (podcast);
}

typedef struct
{
  EarStatistics *self;
  GHashTable *podcasts; /* by hash; owned by @self */
  EarListened record;
} Sum;

static int
count_months (const GDate *date)
{
  return g_date_get_year (date) * 12 + (int) g_date_get_month (date);
}

static void
add_to_day (EarStatistics *self, guint32 julian, const EarListened *listened)
{
  EarListened *day = g_hash_table_lookup (self->all, GUINT_TO_POINTER (julian));
  const gint64 days_ago = (gint64) g_date_get_julian (&self->today) - julian;
  GDate date;
  int months_ago;

  if (day == NULL)
    {
      day = g_new0 (EarListened, 1);
      g_hash_table_insert (self->all, GUINT_TO_POINTER (julian), day);
    }
  ear_listened_add (day, listened);
  if (days_ago >= 0 && days_ago < EAR_STATISTICS_DAYS)
    ear_listened_add (&self->days[EAR_STATISTICS_DAYS - 1 - days_ago], listened);
  g_date_clear (&date, 1);
  g_date_set_julian (&date, julian);
  months_ago = count_months (&self->today) - count_months (&date);
  if (months_ago >= 0 && months_ago < EAR_STATISTICS_MONTHS)
    ear_listened_add (&self->months[EAR_STATISTICS_MONTHS - 1 - months_ago], listened);
}

static void
add_day (guint32 julian, const EarListened *listened, gpointer user_data)
{
  Sum *sum = user_data;

  ear_listened_add (&sum->record, listened);
  ear_listened_add (&sum->self->total, listened);
  if (julian != 0)
    add_to_day (sum->self, julian, listened);
}

/* Takes the title and URL from the newest record, as record ids begin with the month. */
static void
set_name (EarListenedPodcast *podcast, const char *id, GVariant *value)
{
  const char *title = NULL;
  const char *address = NULL;

  if (podcast->id != NULL && g_strcmp0 (podcast->id, id) > 0)
    return;
  g_variant_lookup (value, "title", "&s", &title);
  g_variant_lookup (value, "address", "&s", &address);
  g_set_str (&podcast->id, id);
  if (title != NULL && *title != '\0')
    g_set_str (&podcast->title, title);
  if (ear_address_is_web (address))
    g_set_str (&podcast->address, address);
}

static void
add_record (const char *id, GVariant *value, gpointer user_data)
{
  Sum *sum = user_data;
  g_autofree char *hash = ear_listened_dup_podcast (id);
  EarListenedPodcast *podcast;

  sum->record = (EarListened) { 0 };
  ear_listened_foreach (id, value, add_day, sum);
  if (hash == NULL || sum->record.time == 0)
    return;

  podcast = g_hash_table_lookup (sum->podcasts, hash);
  if (podcast == NULL)
    {
      podcast = g_new0 (EarListenedPodcast, 1);
      podcast->hash = g_steal_pointer (&hash);
      g_ptr_array_add (sum->self->podcasts, podcast);
      g_hash_table_insert (sum->podcasts, podcast->hash, podcast);
    }
  ear_listened_add (&podcast->listened, &sum->record);
  set_name (podcast, id, value);
}

static int
compare_podcasts (gconstpointer a, gconstpointer b)
{
  const EarListenedPodcast *one = *(EarListenedPodcast *const *) a;
  const EarListenedPodcast *other = *(EarListenedPodcast *const *) b;

  if (one->listened.time != other->listened.time)
    return one->listened.time > other->listened.time ? -1 : 1;

  return g_strcmp0 (one->hash, other->hash);
}

static int
compare_days (gconstpointer a, gconstpointer b)
{
  const guint32 one = *(const guint32 *) a;
  const guint32 other = *(const guint32 *) b;

  return one < other ? -1 : one > other;
}

/* @least: minimum time of a day
 * Returns: (transfer full): the Julian days of listening, in order */
static GArray *
list_days (EarStatistics *self, gint64 least)
{
  GArray *days = g_array_new (FALSE, FALSE, sizeof (guint32));
  GHashTableIter iter;
  gpointer julian, listened;

  g_hash_table_iter_init (&iter, self->all);
  while (g_hash_table_iter_next (&iter, &julian, &listened))
    if (((const EarListened *) listened)->time >= least)
      {
        const guint32 day = GPOINTER_TO_UINT (julian);

        g_array_append_val (days, day);
      }
  g_array_sort (days, compare_days);

  return days;
}

static void
count_rows (EarStatistics *self)
{
  g_autoptr (GArray) days = list_days (self, LEAST_OF_A_DAY);
  const guint32 today = g_date_get_julian (&self->today);
  guint length = 0;

  for (guint i = 0; i < days->len; i++)
    {
      const guint32 day = g_array_index (days, guint32, i);

      length = i > 0 && g_array_index (days, guint32, i - 1) == day - 1 ? length + 1 : 1;
      self->most_in_a_row = MAX (self->most_in_a_row, length);
      if (day == today || day == today - 1)
        self->days_in_a_row = length;
    }
}

/* @records: the records of type `EAR_RECORD_LISTENING`
 * @now: the current local time */
EarStatistics *
ear_statistics_new (EarRecords *records, GDateTime *now)
{
  EarStatistics *self = g_new0 (EarStatistics, 1);
  g_autoptr (GHashTable) podcasts = g_hash_table_new (g_str_hash, g_str_equal);
  Sum sum = { .self = self, .podcasts = podcasts };

  g_date_clear (&self->today, 1);
  g_date_set_dmy (&self->today, (GDateDay) g_date_time_get_day_of_month (now),
                  g_date_time_get_month (now), (GDateYear) g_date_time_get_year (now));
  self->podcasts = g_ptr_array_new_with_free_func (podcast_free);
  self->all = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  ear_records_foreach (records, add_record, &sum);
  g_ptr_array_sort (self->podcasts, compare_podcasts);
  count_rows (self);

  return self;
}

void
ear_statistics_free (EarStatistics *self)
{
  g_ptr_array_unref (self->podcasts);
  g_hash_table_unref (self->all);
  g_free (self);
}

/* Returns: whether the total is below a minute */
gboolean
ear_statistics_is_empty (EarStatistics *self)
{
  return self->total.time < G_TIME_SPAN_MINUTE;
}

static void
insert_values (GVariantDict *dict, const EarListened *listened)
{
  g_variant_dict_insert (dict, "listened", "x", listened->time / G_USEC_PER_SEC);
  g_variant_dict_insert (dict, "saved-speed", "x", listened->by_speed / G_USEC_PER_SEC);
  g_variant_dict_insert (dict, "saved-trim", "x", listened->by_trimming / G_USEC_PER_SEC);
}

static GVariant *
create_values (const EarListened *listened)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  insert_values (&dict, listened);

  return g_variant_dict_end (&dict);
}

static GVariant *
create_days (EarStatistics *self)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  g_autoptr (GArray) days = list_days (self, 0);

  for (guint i = 0; i < days->len; i++)
    {
      const guint32 day = g_array_index (days, guint32, i);
      g_autofree char *name = NULL;
      GDate date;

      g_date_clear (&date, 1);
      g_date_set_julian (&date, day);
      name = g_strdup_printf ("%04d-%02d-%02d", g_date_get_year (&date), g_date_get_month (&date),
                              g_date_get_day (&date));
      g_variant_builder_add (
          &builder, "{sv}", name,
          create_values (g_hash_table_lookup (self->all, GUINT_TO_POINTER (day))));
    }

  return g_variant_builder_end (&builder);
}

/* A URL that contains a secret is not exported. */
static GVariant *
create_podcasts (EarStatistics *self)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));

  for (guint i = 0; i < self->podcasts->len; i++)
    {
      const EarListenedPodcast *podcast = g_ptr_array_index (self->podcasts, i);
      g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

      if (podcast->title != NULL)
        g_variant_dict_insert (&dict, "title", "s", podcast->title);
      if (podcast->address != NULL && !ear_address_has_secret (podcast->address))
        g_variant_dict_insert (&dict, "address", "s", podcast->address);
      insert_values (&dict, &podcast->listened);
      g_variant_builder_add_value (&builder, g_variant_dict_end (&dict));
    }

  return g_variant_builder_end (&builder);
}

/* Returns: (transfer floating): the statistics for other programs, in whole seconds */
GVariant *
ear_statistics_to_variant (EarStatistics *self)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&builder, "{sv}", "version", g_variant_new_int64 (1));
  g_variant_builder_add (&builder, "{sv}", "unit", g_variant_new_string ("seconds"));
  g_variant_builder_add (&builder, "{sv}", "total", create_values (&self->total));
  g_variant_builder_add (&builder, "{sv}", "days-in-a-row",
                         g_variant_new_int64 (self->days_in_a_row));
  g_variant_builder_add (&builder, "{sv}", "most-days-in-a-row",
                         g_variant_new_int64 (self->most_in_a_row));
  g_variant_builder_add (&builder, "{sv}", "days", create_days (self));
  g_variant_builder_add (&builder, "{sv}", "podcasts", create_podcasts (self));

  return g_variant_builder_end (&builder);
}
