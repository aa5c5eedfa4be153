/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-format.h"

#include "ear-time.h"
#include "ear-types.h"

#include <glib/gi18n.h>
#include <langinfo.h>

/*
 * Numbers in the words of the listener's language. Pure functions: the present time is an
 * argument. Each returns NULL where there is nothing to say.
 */

#define LEFT_TO_RIGHT_ISOLATE "\u2066"
#define LEFT_TO_RIGHT_MARK "\u200e"
#define RIGHT_TO_LEFT_MARK "\u200f"
/* The no-break space keeps the dot from the beginning of a line. */
#define SEPARATOR "\u00a0· "

/* The last seconds of an episode are "1 min left". */
static gint64
whole_minutes (gint64 time)
{
  return MAX ((time + G_TIME_SPAN_MINUTE / 2) / G_TIME_SPAN_MINUTE, 1);
}

static int
get_julian_day (GDateTime *time)
{
  int year, month, day;
  GDate date;

  g_date_time_get_ymd (time, &year, &month, &day);
  g_date_clear (&date, 1);
  g_date_set_dmy (&date, (GDateDay) day, (GDateMonth) month, (GDateYear) year);

  return (int) g_date_get_julian (&date);
}

/* Returns: (nullable): the name of today and yesterday; %NULL of other days */
static char *
name_day (int day, GDateTime *now)
{
  const int today = get_julian_day (now);

  if (day == today)
    return g_strdup (_("Today"));

  return day == today - 1 ? g_strdup (_("Yesterday")) : NULL;
}

static gboolean
has_twelve_hours (void)
{
  const char *format = nl_langinfo (T_FMT);

  return strstr (format, "%r") != NULL || strstr (format, "%p") != NULL;
}

/* Formats a date in the listener's language, with day and month in the order of the
 * listener's country: “4 Aug” in Britain, “Aug 4” in the United States. */
static char *
format_date (GDateTime *date, const char *day_first, const char *month_first)
{
  const char *format = nl_langinfo (D_FMT);
  const gboolean month_leads = g_str_has_prefix (format, "%m") || g_str_has_prefix (format, "%b");

  return g_date_time_format (date, month_leads ? month_first : day_first);
}

static char *
format_full_date (GDateTime *date)
{
  return format_date (date,
                      /* Translators: a date in full, see the strftime manual: 4 August 2024 */
                      C_("date", "%-d %B %Y"),
                      /* Translators: a date in full where people write the month first, see the
                       * strftime manual: August 4, 2024. Where no country does that in your
                       * language, write it as it is usual. */
                      C_("date, month first", "%B %-d, %Y"));
}

/* A date for a row: short, without a year when it is this one.
 * @published: Unix seconds or `EAR_DATE_UNKNOWN`
 * @now: Unix seconds */
char *
ear_format_date (gint64 published, gint64 now)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (published);
  g_autoptr (GDateTime) today = g_date_time_new_from_unix_local (now);
  char *name;

  if (date == NULL || today == NULL)
    return NULL;

  name = name_day (get_julian_day (date), today);
  if (name != NULL)
    return name;
  if (g_date_time_get_year (date) == g_date_time_get_year (today))
    return format_date (date,
                        /* Translators: a day of this year in a list, see the strftime manual:
                         * 4 Aug */
                        /* xgettext:no-c-format */
                        C_("date in a list", "%-d %b"),
                        /* Translators: a day of this year in a list where people write the month
                         * first: Aug 4 */
                        /* xgettext:no-c-format */
                        C_("date in a list, month first", "%b %-d"));

  return format_date (date,
                      /* Translators: a day of another year in a list, see the strftime manual:
                       * 4 Aug 2024 */
                      C_("date in a list", "%-d %b %Y"),
                      /* Translators: a day of another year in a list where people write the month
                       * first: Aug 4, 2024 */
                      C_("date in a list, month first", "%b %-d, %Y"));
}

static char *
format_weekday (GDateTime *date, gboolean with_year)
{
  if (with_year)
    return format_date (date,
                        /* Translators: a heading above what was heard on a day of another year, see
                         * the strftime manual: Monday, 23 November 2024 */
                        C_("heading", "%A, %-d %B %Y"),
                        /* Translators: a heading above what was heard on a day of another year,
                         * where people write the month first: Monday, November 23, 2024 */
                        C_("heading, month first", "%A, %B %-d, %Y"));

  return format_date (date,
                      /* Translators: a heading above what was heard on a day of this year, see the
                       * strftime manual: Monday, 23 November */
                      /* xgettext:no-c-format */
                      C_("heading", "%A, %-d %B"),
                      /* Translators: a heading above what was heard on a day of this year, where
                       * people write the month first: Monday, November 23 */
                      /* xgettext:no-c-format */
                      C_("heading, month first", "%A, %B %-d"));
}

/* A day as a heading: Today, Yesterday, Monday, 23 November.
 * @day: a Julian day, as #GDate counts them
 * @now: Unix seconds */
char *
ear_format_day (int day, gint64 now)
{
  g_autoptr (GDateTime) today = g_date_time_new_from_unix_local (now);
  g_autoptr (GDateTime) noon = NULL;
  GDate date;
  char *name;

  if (today == NULL || day <= 0 || !g_date_valid_julian ((guint32) day))
    return NULL;
  g_date_set_julian (&date, (guint32) day);
  noon = g_date_time_new_local (g_date_get_year (&date), (int) g_date_get_month (&date),
                                g_date_get_day (&date), 12, 0, 0);
  if (noon == NULL)
    return NULL;
  name = name_day (day, today);
  if (name != NULL)
    return name;

  return format_weekday (noon, g_date_time_get_year (noon) != g_date_time_get_year (today));
}

/* A date in full.
 * @published: Unix seconds or `EAR_DATE_UNKNOWN` */
char *
ear_format_date_long (gint64 published)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (published);

  return date != NULL ? format_full_date (date) : NULL;
}

/* A date and the time of day.
 * @then: Unix seconds */
char *
ear_format_moment (gint64 then)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (then);
  g_autofree char *day = NULL;
  g_autofree char *time = NULL;

  if (date == NULL)
    return NULL;

  day = format_full_date (date);
  time = g_date_time_format (date, has_twelve_hours () ? "%-I:%M %p" : "%H:%M");
  /* Translators: a date and a time of day: 4 August 2024, 16:05 */
  return g_strdup_printf (C_("date and time", "%s, %s"), day, time);
}

/* A minute of sound is often some frames short. Anything shorter than a
 * second becomes one. */
static gint64
whole_seconds (gint64 duration)
{
  if (duration <= 0)
    return 0;

  return MAX (duration / G_TIME_SPAN_SECOND +
                  (duration % G_TIME_SPAN_SECOND >= G_TIME_SPAN_SECOND / 2),
              1) *
         G_TIME_SPAN_SECOND;
}

/* A length in whole minutes, as short as can be.
 * @duration: microseconds, 0 or less when unknown */
char *
ear_format_duration (gint64 duration)
{
  gint64 minutes;

  duration = whole_seconds (duration);
  if (duration <= 0)
    return NULL;
  if (duration < G_TIME_SPAN_MINUTE)
    /* Translators: a length in seconds */
    return g_strdup_printf (_("%d s"), (int) (duration / G_TIME_SPAN_SECOND));

  minutes = whole_minutes (duration);
  if (minutes < 60)
    /* Translators: a length in minutes */
    return g_strdup_printf (_("%d min"), (int) minutes);
  if (minutes % 60 == 0)
    /* Translators: a length in hours */
    return g_strdup_printf (_("%d h"), (int) (minutes / 60));

  /* Translators: a length in hours and minutes */
  return g_strdup_printf (_("%d h %d min"), (int) (minutes / 60), (int) (minutes % 60));
}

/* A length in whole minutes in words, or below one in seconds, for screen readers.
 * @duration: microseconds, 0 or less when unknown */
char *
ear_format_duration_spoken (gint64 duration)
{
  g_autofree char *hours = NULL;
  g_autofree char *rest = NULL;
  int minutes;

  duration = whole_seconds (duration);
  if (duration <= 0)
    return NULL;
  if (duration < G_TIME_SPAN_MINUTE)
    return ear_format_clock_spoken (duration);

  minutes = (int) whole_minutes (duration);
  hours = g_strdup_printf (ngettext ("%d hour", "%d hours", minutes / 60), minutes / 60);
  rest = g_strdup_printf (ngettext ("%d minute", "%d minutes", minutes % 60), minutes % 60);
  if (minutes < 60)
    return g_steal_pointer (&rest);
  if (minutes % 60 == 0)
    return g_steal_pointer (&hours);

  /* Translators: a length: "1 hour", "5 minutes" */
  return g_strdup_printf (C_("length", "%s %s"), hours, rest);
}

/* A position in words, to the second, for screen readers.
 * @time: microseconds */
char *
ear_format_clock_spoken (gint64 time)
{
  const int seconds = (int) (MAX (time, 0) / G_TIME_SPAN_SECOND);
  g_autofree char *second =
      g_strdup_printf (ngettext ("%d second", "%d seconds", seconds % 60), seconds % 60);
  g_autofree char *minutes =
      seconds >= 60 ? ear_format_duration_spoken ((gint64) (seconds / 60) * G_TIME_SPAN_MINUTE)
                    : NULL;

  if (minutes == NULL)
    return g_steal_pointer (&second);
  if (seconds % 60 == 0)
    return g_steal_pointer (&minutes);

  return g_strdup_printf (C_("length", "%s %s"), minutes, second);
}

/* How much is still to be heard.
 * @duration: microseconds
 * @position: microseconds */
char *
ear_format_time_left (gint64 duration, gint64 position)
{
  g_autofree char *left = NULL;

  if (duration <= 0 || position <= 0 || position >= duration)
    return NULL;

  /* The text stays "1 min" in the last minute, and does not change each second. */
  left = ear_format_duration (MAX (duration - position, G_TIME_SPAN_MINUTE));
  /* Translators: the time left of an episode: "4 min" left */
  return g_strdup_printf (_("%s left"), left);
}

/* A position as a clock shows it, isolated so that right-to-left text around it does
 * not turn it round.
 * @time: microseconds */
char *
ear_format_clock (gint64 time)
{
  g_autofree char *clock = ear_clock_format (ABS (time));

  return g_strdup_printf (LEFT_TO_RIGHT_ISOLATE "%s%s" EAR_POP_ISOLATE, time < 0 ? "\u2212" : "",
                          clock);
}

/* @bytes: the size of a file, 0 or less when unknown */
char *
ear_format_size (gint64 bytes)
{
  const gint64 megabyte = 1000 * 1000;

  if (bytes <= 0)
    return NULL;
  if (bytes < megabyte)
    /* Translators: a file's size in kilobytes */
    return g_strdup_printf (_("%d kB"), (int) ((bytes + 999) / 1000));
  if (bytes > 10 * megabyte && bytes < 1000 * megabyte)
    /* Translators: a file's size in megabytes */
    return g_strdup_printf (_("%d MB"), (int) ((bytes + megabyte / 2) / megabyte));

  return g_format_size (bytes);
}

char *
ear_format_episodes (guint n_episodes)
{
  /* Translators: %u is how many episodes there are. */
  return g_strdup_printf (ngettext ("%'u episode", "%'u episodes", n_episodes), n_episodes);
}

/* The time since a podcast was checked, rounded so that the text changes rarely.
 * @then: Unix seconds, 0 for never
 * @now: Unix seconds */
char *
ear_format_ago (gint64 then, gint64 now)
{
  const gint64 minutes = MAX (0, now - then) / 60;
  const gint64 step = minutes < 10 ? 5 : minutes < 60 ? 10 : minutes < 24 * 60 ? 60 : 24 * 60;
  const gint64 told = minutes - minutes % step;

  if (then <= 0)
    return NULL;
  /* Translators: when a podcast was last checked for new episodes */
  if (told == 0)
    return g_strdup (_("Checked just now"));
  if (told < 60)
    return g_strdup_printf (ngettext ("Checked %d minute ago", "Checked %d minutes ago", told),
                            (int) told);
  if (told < 24 * 60)
    return g_strdup_printf (ngettext ("Checked %d hour ago", "Checked %d hours ago", told / 60),
                            (int) (told / 60));

  return g_strdup_printf (ngettext ("Checked %d day ago", "Checked %d days ago", told / 60 / 24),
                          (int) (told / 60 / 24));
}

/* The time since podcasts were synced, rounded.
 * @then: Unix seconds
 * @now: Unix seconds */
char *
ear_format_synced (gint64 then, gint64 now)
{
  const int minutes = (int) (CLAMP (now - then, 0, G_MAXINT) / 60);

  if (minutes == 0)
    return g_strdup (_("Synced Just Now"));
  if (minutes < 60)
    return g_strdup_printf (ngettext ("Synced %d Minute Ago", "Synced %d Minutes Ago", minutes),
                            minutes);
  if (minutes < 24 * 60)
    return g_strdup_printf (
        ngettext ("Synced %d Hour Ago", "Synced %d Hours Ago", minutes / 60), minutes / 60);

  return g_strdup_printf (
      ngettext ("Synced %d Day Ago", "Synced %d Days Ago", minutes / 60 / 24),
      minutes / 60 / 24);
}

/* @minutes: between two checks of a podcast; 0: none */
char *
ear_format_interval (int minutes)
{
  const int hour = 60;
  const int day = 24 * hour;

  if (minutes <= 0)
    /* Translators: how often a podcast is checked for new episodes */
    return g_strdup (C_("interval", "Never"));
  if (minutes == day)
    return g_strdup (_("Every day"));
  if (minutes % day == 0)
    return g_strdup_printf (ngettext ("Every %d day", "Every %d days", minutes / day),
                            minutes / day);
  if (minutes == hour)
    return g_strdup (_("Every hour"));
  if (minutes % hour == 0)
    return g_strdup_printf (ngettext ("Every %d hour", "Every %d hours", minutes / hour),
                            minutes / hour);

  return g_strdup_printf (ngettext ("Every %d minute", "Every %d minutes", minutes), minutes);
}

/* A playback speed, without needless zeros.
 * @rate: 1 for the speed it was recorded at */
char *
ear_format_rate (double rate)
{
  const int hundredths = (int) (rate * 100 + 0.5);
  const int digits = hundredths % 100 == 0 ? 0 : hundredths % 10 == 0 ? 1 : 2;

  return g_strdup_printf (LEFT_TO_RIGHT_ISOLATE "%.*f×" EAR_POP_ISOLATE, digits,
                          hundredths / 100.0);
}

char *
ear_format_percent (int percent)
{
  /* Translators: a part of a hundred, as a screen reader says it: how loud it plays, how much is
   * downloaded */
  return g_strdup_printf (_("%d %%"), percent);
}

/* Returns: the direction of the first letter; %GTK_TEXT_DIR_NONE without letters */
GtkTextDirection
ear_format_find_direction (const char *text)
{
  for (; !ear_is_empty (text); text = g_utf8_next_char (text))
    {
      const gunichar c = g_utf8_get_char (text);
      const GUnicodeScript script = g_unichar_get_script (c);

      if (script == G_UNICODE_SCRIPT_HEBREW || script == G_UNICODE_SCRIPT_ARABIC ||
          script == G_UNICODE_SCRIPT_SYRIAC || script == G_UNICODE_SCRIPT_THAANA ||
          script == G_UNICODE_SCRIPT_NKO)
        return GTK_TEXT_DIR_RTL;
      if (g_unichar_isalpha (c))
        return GTK_TEXT_DIR_LTR;
    }

  return GTK_TEXT_DIR_NONE;
}

/* Returns: (transfer full): the text, or its first letters with an ellipsis */
char *
ear_format_short (const char *text, glong n_letters)
{
  const gboolean is_long = g_utf8_strlen (text, -1) > n_letters;
  g_autofree char *start = g_utf8_substring (text, 0, is_long ? n_letters : -1);

  return g_strconcat (start, is_long ? "…" : NULL, NULL);
}

/* Pango takes the direction of a line from its first letter, isolated or not. A mark
 * before it gives the line the direction of the window. */
static void
follow_window (GString *line)
{
  const GtkTextDirection direction = ear_format_find_direction (line->str);
  const GtkTextDirection wanted = gtk_widget_get_default_direction ();

  if (direction != GTK_TEXT_DIR_NONE && direction != wanted)
    g_string_prepend (line, wanted == GTK_TEXT_DIR_RTL ? RIGHT_TO_LEFT_MARK : LEFT_TO_RIGHT_MARK);
}

static GString *
join (const char *const *parts, gsize n_parts, const char *separator, const char *before,
      const char *after)
{
  GString *joined = g_string_new (NULL);

  for (gsize i = 0; i < n_parts; i++)
    if (parts[i] != NULL && *parts[i] != '\0')
      g_string_append_printf (joined, "%s%s%s%s", joined->len > 0 ? separator : "", before,
                              parts[i], after);

  return joined;
}

/* Joins texts with a middle dot, in the direction of the window. Each text is isolated,
 * so that a date in one direction does not reorder the next text.
 * @parts: (array length=n_parts): texts; those that are %NULL or empty are left out */
char *
ear_format_join_parts (const char *const *parts, gsize n_parts)
{
  GString *joined =
      join (parts, n_parts, SEPARATOR, EAR_FIRST_STRONG_ISOLATE, EAR_POP_ISOLATE);

  follow_window (joined);

  return g_string_free (joined, FALSE);
}

/* Joins texts as a screen reader reads them.
 * @parts: (array length=n_parts): texts; those that are %NULL or empty are left out */
char *
ear_format_speak_parts (const char *const *parts, gsize n_parts)
{
  /* Translators: between the parts of what a screen reader says: Title, date, length */
  return g_string_free (join (parts, n_parts, C_("spoken separator", ", "), "", ""), FALSE);
}

/* The season and number of an episode.
 * @season: season, 0 for none
 * @number: (nullable): number as the feed writes it */
char *
ear_format_number (int season, const char *number)
{
  const gboolean named = !ear_is_empty (number);
  const gboolean numbered = named && g_ascii_isdigit (*number);
  g_autofree char *isolated =
      named ? g_strconcat (EAR_FIRST_STRONG_ISOLATE, number, EAR_POP_ISOLATE, NULL) : NULL;

  if (season > 0 && numbered)
    /* Translators: a season and an episode's number */
    return g_strdup_printf (C_("episode", "Season %d, Episode %s"), season, isolated);
  if (season > 0 && named)
    /* Translators: a season and what an episode has in place of a number: Season 2, Special */
    return g_strdup_printf (C_("episode", "Season %d, %s"), season, isolated);
  if (season > 0)
    return g_strdup_printf (_("Season %d"), season);
  if (numbered)
    /* Translators: an episode's number */
    return g_strdup_printf (C_("episode", "Episode %s"), isolated);

  return g_steal_pointer (&isolated);
}
