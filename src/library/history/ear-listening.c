/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-listening.h"

#include "ear-address.h"
#include "ear-property.h"
#include "ear-record.h"
#include "ear-userdata-store.h"

/* Records of `state/listening.json`, one for each month, podcast and machine, so that two
 * machines never write the same number; readers add them up.
 *   "2026-11/<hash of the podcast's first URL>/<machine>":
 *     { "address": "https://…", "title": "…",
 *       "days": { "26": { "listened": 1800, "saved-speed": 600, "saved-trim": 40 } } }
 * All values are whole seconds. */

/* Longest day, when clocks are set back */
#define DAY_LIMIT (25 * 60 * 60)

/* Maximum saved time per day: the speed limit is four, and trimmed audio contains at
 * least some speech. */
#define SPARED_LIMIT (DAY_LIMIT * 10)

/* Seconds between writes during playback; a crash loses this much. */
#define KEEP_INTERVAL 60

/* Longer gaps mean that the process was suspended, so nothing was heard. */
#define LONGEST (2 * KEEP_INTERVAL * G_TIME_SPAN_SECOND)

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
get_member (const EarListened *self, gsize i)
{
  return (gint64 *) G_STRUCT_MEMBER_P (self, members[i].offset);
}

static void
listened_add (EarListened *self, const EarListened *other)
{
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    *get_member (self, i) += *get_member (other, i);
}

static EarListened
read_values (GVariant *values)
{
  EarListened listened = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const double seconds = ear_record_get_number (values, members[i].name, 0);

      *get_member (&listened, i) =
          (gint64) (CLAMP (seconds, 0, members[i].limit) * G_USEC_PER_SEC);
    }

  return listened;
}

/* @least: the lowest value, in seconds, that is inserted */
static void
insert_values (GVariantDict *dict, const EarListened *listened, gint64 least)
{
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    if (*get_member (listened, i) / G_USEC_PER_SEC >= least)
      g_variant_dict_insert (dict, members[i].name, "x",
                             *get_member (listened, i) / G_USEC_PER_SEC);
}

static void
set_date (GDate *date, GDateTime *now)
{
  g_date_set_dmy (date, (GDateDay) g_date_time_get_day_of_month (now), g_date_time_get_month (now),
                  (GDateYear) g_date_time_get_year (now));
}

static int
count_months (const GDate *date)
{
  return g_date_get_year (date) * 12 + (int) g_date_get_month (date);
}

static void
add_to_day (EarStatistics *self, const GDate *date, const EarListened *listened)
{
  const guint32 julian = g_date_get_julian (date);
  EarListened *day = g_tree_lookup (self->all, GUINT_TO_POINTER (julian));
  const int days_ago = g_date_days_between (date, &self->today);
  const int months_ago = count_months (&self->today) - count_months (date);

  if (day == NULL)
    {
      day = g_new0 (EarListened, 1);
      g_tree_insert (self->all, GUINT_TO_POINTER (julian), day);
    }
  listened_add (day, listened);
  if (days_ago >= 0 && days_ago < EAR_STATISTICS_DAYS)
    listened_add (&self->days[EAR_STATISTICS_DAYS - 1 - days_ago], listened);
  if (months_ago >= 0 && months_ago < EAR_STATISTICS_MONTHS)
    listened_add (&self->months[EAR_STATISTICS_MONTHS - 1 - months_ago], listened);
}

/* Adds the days of a month. Invalid ones are skipped.
 * @name: the month, such as 2026-11
 * @sum: receives the time of the month */
static void
add_month (EarStatistics *self, const char *name, GVariant *value, EarListened *sum)
{
  g_autoptr (GVariant) days = g_variant_lookup_value (value, "days", G_VARIANT_TYPE_VARDICT);
  GVariantIter iter;
  const char *day;
  GVariant *child;

  if (days == NULL)
    return;
  g_variant_iter_init (&iter, days);
  while (g_variant_iter_loop (&iter, "{&sv}", &day, &child))
    {
      g_autofree char *text = g_strdup_printf ("%s-%sT00:00:00Z", name, day);
      g_autoptr (GDateTime) start = g_date_time_new_from_iso8601 (text, NULL);

      if (start != NULL && g_variant_is_of_type (child, G_VARIANT_TYPE_VARDICT))
        {
          const EarListened listened = read_values (child);
          GDate date;

          set_date (&date, start);
          add_to_day (self, &date, &listened);
          listened_add (sum, &listened);
        }
    }
}

/* @value: (nullable): a record of a month, or %NULL for a new one; unknown members are
 *   kept
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
  g_auto (GVariantDict) values = G_VARIANT_DICT_INIT (known);
  EarListened sum = *listened;

  if (known != NULL)
    {
      const EarListened before = read_values (known);

      listened_add (&sum, &before);
    }
  insert_values (&values, &sum, 1);
  g_variant_dict_insert_value (&days, name, g_variant_dict_end (&values));
  g_variant_dict_insert (&dict, "address", "s", address);
  g_variant_dict_insert (&dict, "title", "s", title);
  g_variant_dict_insert_value (&dict, "days", g_variant_dict_end (&days));

  return g_variant_dict_end (&dict);
}

/* Time listened to a podcast on a day */
typedef struct
{
  EarPodcast *podcast; /* owned */
  GDate day;
  EarListened time;
} Wait;

static void
clear_wait (gpointer data)
{
  g_object_unref (((Wait *) data)->podcast);
}

/* Counts the time listened by day and podcast, in one record for each month, podcast and
 * machine (above): the time during which sound plays, wherever seeks lead. Time saved by
 * speed is the additional time at normal speed. Time saved by trimming is the length of the
 * trimmed silence at the current speed: at twice the speed, half a second per second of the
 * recording. Added time stays in memory for a minute, or until playback stops or another
 * podcast or day begins. Main thread only.
 * Days are those of the local time zone at the time of listening. After a change of the
 * clock or the zone, new time is added to the new day, and counted time is kept. */
struct _EarListening
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarRecords *records;
  GArray *waits; /* (element-type Wait): not in the records yet; several until those are loaded */
  EarPodcast *playing; /* (nullable): podcast being heard; %NULL during silence */
  guint timer;         /* set during playback */

  gint64 by_trimming; /* total of all records */
  gint64 of_episode;  /* time saved by trimming in the current episode */
  gint64 left_out;    /* trimmed silence reported by the player, when last read */
  gint64 since;       /* monotonic time up to which listening was counted */
  double rate;        /* speed since then */
  gboolean keeping;   /* the records are being changed by this object */
};

G_DEFINE_FINAL_TYPE (EarListening, ear_listening, EAR_TYPE_PART)

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
  if (!ear_is_empty (title))
    g_set_str (&podcast->title, title);
  if (ear_address_is_web (address))
    g_set_str (&podcast->address, address);
}

static void
add_record (EarStatistics *self, const char *id, GVariant *value)
{
  g_auto (GStrv) parts = g_strsplit (id, "/", 3);
  EarListened sum = { 0 };
  EarListenedPodcast *podcast;

  if (g_strv_length (parts) < 3)
    return;
  add_month (self, parts[0], value, &sum);
  listened_add (&self->total, &sum);
  if (*parts[1] == '\0' || sum.time == 0)
    return;

  podcast = g_hash_table_lookup (self->by_hash, parts[1]);
  if (podcast == NULL)
    {
      podcast = g_new0 (EarListenedPodcast, 1);
      podcast->hash = g_strdup (parts[1]);
      g_hash_table_insert (self->by_hash, podcast->hash, podcast);
    }
  listened_add (&podcast->listened, &sum);
  set_name (podcast, id, value);
}

static int
compare_podcasts (gconstpointer a, gconstpointer b)
{
  const EarListenedPodcast *one = a;
  const EarListenedPodcast *other = b;

  if (one->listened.time != other->listened.time)
    return one->listened.time > other->listened.time ? -1 : 1;

  return g_strcmp0 (one->hash, other->hash);
}

/* Less time is only a short test, and does not make a day of listening. */
#define LEAST_OF_A_DAY G_TIME_SPAN_MINUTE

static int
compare_days (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return GPOINTER_TO_INT (a) - GPOINTER_TO_INT (b);
}

static void
count_rows (EarStatistics *self)
{
  const guint32 today = g_date_get_julian (&self->today);
  guint32 before = 0;
  guint length = 0;

  for (GTreeNode *node = g_tree_node_first (self->all); node != NULL;
       node = g_tree_node_next (node))
    {
      const guint32 day = GPOINTER_TO_UINT (g_tree_node_key (node));
      const EarListened *listened = g_tree_node_value (node);

      if (listened->time < LEAST_OF_A_DAY)
        continue;
      length = day == before + 1 ? length + 1 : 1;
      before = day;
      self->most_in_a_row = MAX (self->most_in_a_row, length);
      if (day == today || day == today - 1)
        self->days_in_a_row = length;
    }
}

/* @records: the records of type `EAR_RECORD_LISTENING` */
static EarStatistics *
statistics_new (EarRecords *records, GDateTime *now)
{
  EarStatistics *self = g_new0 (EarStatistics, 1);
  GHashTableIter iter;
  gpointer id, value;

  set_date (&self->today, now);
  self->by_hash = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, podcast_free);
  self->all = g_tree_new_full (compare_days, NULL, NULL, g_free);
  g_hash_table_iter_init (&iter, ear_records_get_values (records));
  while (g_hash_table_iter_next (&iter, &id, &value))
    add_record (self, id, value);
  self->podcasts = g_hash_table_get_values_as_ptr_array (self->by_hash);
  g_ptr_array_sort_values (self->podcasts, compare_podcasts);
  count_rows (self);

  return self;
}

/* Records were changed by another computer, or loaded. */
static void
records_changed_cb (EarListening *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (EarStatistics) statistics = NULL;

  if (self->keeping)
    return;
  statistics = statistics_new (self->records, now);
  for (guint i = 0; i < self->waits->len; i++)
    listened_add (&statistics->total, &g_array_index (self->waits, Wait, i).time);
  ear_property_set_int64 (self, "by-trimming", statistics->total.by_trimming);
  g_signal_emit_by_name (self, "changed");
}

/* Returns: (transfer full): a random name of this machine, which is created once and
 * stored in its settings only */
static char *
dup_machine (EarListening *self)
{
  char *machine = ear_settings_dup_string (self->settings, "machine");

  if (*machine != '\0')
    return machine;

  g_free (machine);
  machine = g_strdup_printf ("%08x", g_random_int ());
  g_object_set (self->settings, "machine", machine, NULL);

  return machine;
}

static void
write_wait (EarListening *self, const Wait *wait, const EarListened *whole)
{
  g_autofree char *machine = dup_machine (self);
  const char *address = ear_podcast_get_address (wait->podcast);
  g_autofree char *hash = ear_address_hash (address, NULL);
  g_autofree char *id = g_strdup_printf ("%04d-%02d/%s/%s", g_date_get_year (&wait->day),
                                         g_date_get_month (&wait->day), hash, machine);

  self->keeping = TRUE;
  ear_records_set (self->records, id,
                   add_day (ear_records_lookup (self->records, id), address,
                            ear_podcast_get_name (wait->podcast), g_date_get_day (&wait->day),
                            whole));
  self->keeping = FALSE;
}

/* Writes the whole seconds of the waiting times to the records; fractions carry over. Does
 * nothing before the records are loaded, as the times must be added to them. */
static void
write_waits (EarListening *self)
{
  EarListened rest = { 0 };
  gboolean changed = FALSE;

  if (self->waits->len == 0 || !ear_records_is_loaded (self->records))
    return;
  for (guint i = 0; i < self->waits->len; i++)
    {
      Wait *wait = &g_array_index (self->waits, Wait, i);
      EarListened whole = wait->time;

      listened_add (&whole, &rest);
      for (gsize j = 0; j < G_N_ELEMENTS (members); j++)
        {
          *get_member (&rest, j) = *get_member (&whole, j) % G_USEC_PER_SEC;
          *get_member (&whole, j) -= *get_member (&rest, j);
        }
      wait->time = rest;
      if (whole.time == 0 && whole.by_speed == 0 && whole.by_trimming == 0)
        continue;
      write_wait (self, wait, &whole);
      changed = TRUE;
    }
  g_array_remove_range (self->waits, 0, self->waits->len - 1);
  if (changed)
    g_signal_emit_by_name (self, "changed");
}

/* Returns: (nullable): the entry that time is added to */
static Wait *
get_last_wait (EarListening *self)
{
  return self->waits->len > 0 ? &g_array_index (self->waits, Wait, self->waits->len - 1) : NULL;
}

/* Adds time listened without a pause.
 * @until: local time at the end, whose day it counts for
 * @heard: the time listened, some minutes at most */
void
ear_listening_add (EarListening *self, EarPodcast *podcast, GDateTime *until,
                   const EarListened *heard)
{
  Wait *wait = get_last_wait (self);
  GDate day;

  set_date (&day, until);
  if (wait == NULL || wait->podcast != podcast || g_date_compare (&wait->day, &day) != 0)
    {
      const Wait next = { g_object_ref (podcast), day, { 0 } };

      write_waits (self);
      g_array_append_val (self->waits, next);
      wait = get_last_wait (self);
    }
  listened_add (&wait->time, heard);
  ear_property_set_int64 (self, "by-trimming", self->by_trimming + heard->by_trimming);
}

static void
add_now (EarListening *self, const EarListened *heard)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  if (self->playing != NULL)
    ear_listening_add (self, self->playing, now, heard);
}

/* Adds the time since the last call, at the speed of that time. */
static void
count (EarListening *self)
{
  const gint64 now = g_get_monotonic_time ();
  EarListened heard = { .time = MIN (now - self->since, LONGEST) };

  self->since = now;
  heard.by_speed = (gint64) ((double) heard.time * MAX (0, self->rate - 1));
  add_now (self, &heard);
}

/* Counts and stores the time until now. */
void
ear_listening_keep (EarListening *self)
{
  count (self);
  write_waits (self);
}

static gboolean
timer_cb (gpointer user_data)
{
  ear_listening_keep (user_data);

  return G_SOURCE_CONTINUE;
}

/* The player notifies simultaneous changes in no fixed order: the time until now is
 * counted first, with the former values, then all values are read. */
static void
player_changed_cb (EarListening *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const gboolean plays =
      episode != NULL && ear_player_get_state (self->player) == EAR_PLAYER_PLAYING;
  EarPodcast *podcast = plays ? ear_episode_get_podcast (episode) : NULL;

  count (self);
  self->rate = ear_player_get_rate (self->player);
  g_set_object (&self->playing, podcast);
  if (plays == (self->timer != 0))
    return;

  if (plays)
    self->timer = g_timeout_add_seconds (KEEP_INTERVAL, timer_cb, self);
  else
    g_clear_handle_id (&self->timer, g_source_remove);
  write_waits (self);
}

/* The player's value restarts at 0 with each episode. */
static void
left_out_cb (EarListening *self)
{
  const gint64 before = self->left_out;
  EarListened heard = { 0 };

  g_object_get (self->player, "time-saved", &self->left_out, NULL);
  if (self->left_out < before)
    {
      ear_property_set_int64 (self, "of-episode", 0);
      return;
    }
  heard.by_trimming =
      (gint64) ((double) (self->left_out - before) / ear_player_get_rate (self->player));
  ear_property_set_int64 (self, "of-episode", self->of_episode + heard.by_trimming);
  add_now (self, &heard);
}

/* Stores the waiting time and adds up the records of all machines.
 * @now: the current local time */
EarStatistics *
ear_listening_create_statistics (EarListening *self, GDateTime *now)
{
  ear_listening_keep (self);

  return statistics_new (self->records, now);
}

static GVariant *
create_values (const EarListened *listened)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  insert_values (&dict, listened, 0);

  return g_variant_dict_end (&dict);
}

static GVariant *
create_days (EarStatistics *self)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  for (GTreeNode *node = g_tree_node_first (self->all); node != NULL;
       node = g_tree_node_next (node))
    {
      char name[G_N_ELEMENTS ("9999-12-31")];
      GDate date;

      g_date_set_julian (&date, GPOINTER_TO_UINT (g_tree_node_key (node)));
      g_date_strftime (name, sizeof name, "%Y-%m-%d", &date);
      g_variant_builder_add (&builder, "{sv}", name, create_values (g_tree_node_value (node)));
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
      insert_values (&dict, &podcast->listened, 0);
      g_variant_builder_add_value (&builder, g_variant_dict_end (&dict));
    }

  return g_variant_builder_end (&builder);
}

/* Returns: (transfer full): the statistics as JSON, for other programs, in whole seconds */
GBytes *
ear_listening_export (EarListening *self, GDateTime *now)
{
  g_autoptr (EarStatistics) statistics = ear_listening_create_statistics (self, now);

  return ear_userdata_export (g_variant_new_parsed (
      "{'version': <1>, 'unit': <'seconds'>, 'total': <%@a{sv}>, 'days-in-a-row': <%u>,"
      " 'most-days-in-a-row': <%u>, 'days': <%@a{sv}>, 'podcasts': <%@aa{sv}>}",
      create_values (&statistics->total), statistics->days_in_a_row, statistics->most_in_a_row,
      create_days (statistics), create_podcasts (statistics)));
}

static void
ear_listening_release (EarListening *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->playing);
  g_clear_pointer (&self->waits, g_array_unref);
  g_clear_object (&self->records);
}

static void
ear_listening_class_init (EarListeningClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarListening, by_trimming, G_TYPE_INT64),
    EAR_READABLE (EarListening, of_episode, G_TYPE_INT64),
  };

  ear_class_set_release (klass, ear_listening_release);
  ear_class_add_properties (klass, properties);
  ear_signal_new (klass, "changed", 0);
}

static void
ear_listening_init (EarListening *self)
{
  self->waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  g_array_set_clear_func (self->waits, clear_wait);
  self->rate = 1;
  self->since = g_get_monotonic_time ();
}

EarListening *
ear_listening_new (const EarServices *services)
{
  EarListening *self = ear_part_new (EAR_TYPE_LISTENING, services);

  self->records = ear_records_new (services->state, EAR_RECORD_LISTENING);
  ear_connect (self->records, "changed", records_changed_cb, self);
  g_object_connect (services->player,
                    "swapped-object-signal::notify::state", player_changed_cb, self,
                    "swapped-object-signal::notify::episode", player_changed_cb, self,
                    "swapped-object-signal::notify::rate", player_changed_cb, self,
                    "swapped-object-signal::notify::time-saved", left_out_cb, self, NULL);
  records_changed_cb (self);
  player_changed_cb (self);

  return self;
}

EAR_DEFINE_GET (EarListening, ear_listening, EarRecords *, records)

void
ear_statistics_free (EarStatistics *self)
{
  g_ptr_array_unref (self->podcasts);
  g_tree_unref (self->all);
  g_hash_table_unref (self->by_hash);
  g_free (self);
}

/* Returns: whether the total is below a minute */
gboolean
ear_statistics_is_empty (EarStatistics *self)
{
  return self->total.time < G_TIME_SPAN_MINUTE;
}
