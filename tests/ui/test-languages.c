/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>
#include <locale.h>

#include "ear-closures.h"
#include "ear-format.h"

/* 21 November 2026, noon, UTC */
#define NOW G_GINT64_CONSTANT (1795262400)
#define DAY 86400
#define MINUTES(n) ((gint64) ((n) * 60.0 * G_TIME_SPAN_SECOND))

/* 4 August 2024, 16:05, UTC */
#define THEN G_GINT64_CONSTANT (1722787500)

#define FSI "\u2068"
#define LRI "\u2066"
#define PDI "\u2069"
#define NBSP "\u00a0"
#define NNBSP "\u202f"

typedef struct
{
  const char *locale;
  const char *today;
  const char *this_year;
  const char *another_year;
  const char *full_date;
  const char *moment;
  const char *yesterday;
  const char *minutes_ago;
  const char *two_hours_ago;
  const char *hour_and_minutes;
  const char *left;
  const char *spoken;
  const char *small_size;
  const char *size;
  const char *rate;
  const char *clock;
  const char *number;
  const char *one_episode;
  const char *two_episodes;
  const char *many_episodes;
  const char *row;
} Expected;

static const Expected expected[] = {
  {
    .locale = "en_US.UTF-8",
    .today = "Today",
    .this_year = "Aug 13",
    .another_year = "Aug 4, 2024",
    .full_date = "August 4, 2024",
    .moment = "August 4, 2024, 4:05 PM",
    .yesterday = "Yesterday",
    .minutes_ago = "Checked 5 minutes ago",
    .two_hours_ago = "Checked 2 hours ago",
    .hour_and_minutes = "1 h 23 min",
    .left = "4 min left",
    .spoken = "2 hours 5 minutes",
    .small_size = "1.5",
    .size = "15 MB",
    .rate = LRI "1.25×" PDI,
    .clock = LRI "−13:21" PDI,
    .number = "Season 2, Episode " FSI "14" PDI,
    .one_episode = "1 episode",
    .two_episodes = "2 episodes",
    .many_episodes = "12,345 episodes",
    .row = FSI "Aug 4, 2024" PDI NBSP "· " FSI "1 h 23 min" PDI,
  },
  {
    .locale = "de_DE.UTF-8",
    .today = "Heute",
    .this_year = "13. Aug",
    .another_year = "4. Aug 2024",
    .full_date = "4. August 2024",
    .moment = "4. August 2024, 16:05",
    .yesterday = "Gestern",
    .minutes_ago = "Vor 5 Minuten geprüft",
    .two_hours_ago = "Vor 2 Stunden geprüft",
    .hour_and_minutes = "1" NBSP "h 23" NBSP "min",
    .left = "noch 4" NBSP "min",
    .spoken = "2 Stunden 5 Minuten",
    .small_size = "1,5",
    .size = "15" NBSP "MB",
    .rate = LRI "1,25×" PDI,
    .clock = LRI "−13:21" PDI,
    .number = "Staffel 2, Folge " FSI "14" PDI,
    .one_episode = "1 Folge",
    .two_episodes = "2 Folgen",
    .many_episodes = "12.345 Folgen",
    .row = FSI "4. Aug 2024" PDI NBSP "· " FSI "1" NBSP "h 23" NBSP "min" PDI,
  },
  {
    .locale = "es_ES.UTF-8",
    .today = "Hoy",
    .this_year = "13 ago",
    .another_year = "4 ago 2024",
    .full_date = "4 de agosto de 2024",
    .moment = "4 de agosto de 2024, 16:05",
    .yesterday = "Ayer",
    .minutes_ago = "Comprobado hace 5 minutos",
    .two_hours_ago = "Comprobado hace 2 horas",
    .hour_and_minutes = "1" NBSP "h 23" NBSP "min",
    .left = "quedan 4" NBSP "min",
    .spoken = "2 horas y 5 minutos",
    .small_size = "1,5",
    .size = "15" NBSP "MB",
    .rate = LRI "1,25×" PDI,
    .clock = LRI "−13:21" PDI,
    .number = "Temporada 2, episodio " FSI "14" PDI,
    .one_episode = "1 episodio",
    .two_episodes = "2 episodios",
    .many_episodes = "12.345 episodios",
    .row = FSI "4 ago 2024" PDI NBSP "· " FSI "1" NBSP "h 23" NBSP "min" PDI,
  },
  {
    .locale = "fr_FR.UTF-8",
    .today = "Aujourd’hui",
    .this_year = "13 août",
    .another_year = "4 août 2024",
    .full_date = "4 août 2024",
    .moment = "4 août 2024 à 16:05",
    .yesterday = "Hier",
    .minutes_ago = "Vérifié il y a 5 minutes",
    .two_hours_ago = "Vérifié il y a 2 heures",
    .hour_and_minutes = "1" NBSP "h 23" NBSP "min",
    .left = "encore 4" NBSP "min",
    .spoken = "2 heures 5 minutes",
    .small_size = "1,5",
    .size = "15" NBSP "Mo",
    .rate = LRI "1,25×" PDI,
    .clock = LRI "−13:21" PDI,
    .number = "Saison 2, épisode " FSI "14" PDI,
    .one_episode = "1 épisode",
    .two_episodes = "2 épisodes",
    .many_episodes = "12" NNBSP "345 épisodes",
    .row = FSI "4 août 2024" PDI NBSP "· " FSI "1" NBSP "h 23" NBSP "min" PDI,
  },
  {
    .locale = "he_IL.UTF-8",
    .today = "היום",
    .this_year = "13 באוגוסט",
    .another_year = "4 באוגוסט 2024",
    .full_date = "4 באוגוסט 2024",
    .moment = "4 באוגוסט 2024, 16:05",
    .yesterday = "אתמול",
    .minutes_ago = "נבדק לפני 5 דקות",
    .two_hours_ago = "נבדק לפני שעתיים",
    .hour_and_minutes = "1" NBSP "שע׳ 23" NBSP "דק׳",
    .left = "עוד 4" NBSP "דק׳",
    .spoken = "שעתיים, 5 דקות",
    .small_size = "1.5",
    .size = "15" NBSP "מ״ב",
    .rate = LRI "1.25×" PDI,
    .clock = LRI "−13:21" PDI,
    .number = "עונה 2, פרק " FSI "14" PDI,
    .one_episode = "פרק אחד",
    .two_episodes = "שני פרקים",
    .many_episodes = "12,345 פרקים",
    .row = FSI "4 באוגוסט 2024" PDI NBSP "· " FSI "1" NBSP "שע׳ 23" NBSP "דק׳" PDI,
  },
};

static void
assert_text (char *taken, const char *text)
{
  g_autofree char *given = taken;

  g_assert_cmpstr (given, ==, text);
}

/* Skips the test if the language is not installed.
 * Returns: whether it is */
static gboolean
speak (const char *locale)
{
  /* GTK sets the direction when it starts, from the language at that time. */
  gtk_widget_set_default_direction (g_str_has_prefix (locale, "he") ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  if (setlocale (LC_ALL, locale) != NULL)
    return TRUE;

  g_test_skip ("the language is not installed here");
  return FALSE;
}

static void
test_times (gconstpointer data)
{
  const Expected *in = data;
  g_autofree char *day = NULL;
  g_autofree char *length = NULL;

  if (!speak (in->locale))
    return;

  assert_text (ear_format_date (NOW, NOW), in->today);
  assert_text (ear_format_date (NOW - DAY, NOW), in->yesterday);
  assert_text (ear_format_date (NOW - 100 * DAY, NOW), in->this_year);
  assert_text (ear_format_date (THEN, NOW), in->another_year);
  assert_text (ear_format_date_long (THEN), in->full_date);
  assert_text (ear_format_moment (THEN), in->moment);
  assert_text (ear_format_ago (NOW - 5 * 60, NOW), in->minutes_ago);
  assert_text (ear_format_ago (NOW - 2 * 3600, NOW), in->two_hours_ago);
  assert_text (ear_format_duration (MINUTES (83)), in->hour_and_minutes);
  assert_text (ear_format_time_left (MINUTES (10), MINUTES (6)), in->left);
  assert_text (ear_format_duration_spoken (MINUTES (125)), in->spoken);
  assert_text (ear_format_clock (-MINUTES (13.35)), in->clock);

  day = ear_format_date (THEN, NOW);
  length = ear_format_duration (MINUTES (83));
  assert_text (ear_format_join (day, length), in->row);
}

static void
test_numbers (gconstpointer data)
{
  const Expected *in = data;

  if (!speak (in->locale))
    return;

  assert_text (ear_format_size (15400000), in->size);
  assert_text (ear_format_rate (1.25), in->rate);
  assert_text (ear_format_number (2, "14"), in->number);
  assert_text (ear_format_episodes (1), in->one_episode);
  assert_text (ear_format_episodes (2), in->two_episodes);
  assert_text (ear_format_episodes (12345), in->many_episodes);
}

/* GLib formats this size in its own translation, which may be missing: check
 * only the number. */
static void
test_small_size (gconstpointer data)
{
  const Expected *in = data;
  g_autofree char *text = NULL;

  if (!speak (in->locale))
    return;

  text = ear_format_size (1500000);
  g_assert_nonnull (strstr (text, in->small_size));
}

int
main (int argc, char *argv[])
{
  g_setenv ("TZ", "UTC", TRUE);
  /* LANGUAGE, from the listener's desktop, would override the locale. */
  g_unsetenv ("LANGUAGE");
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  bindtextdomain (GETTEXT_PACKAGE, g_getenv ("EARMARK_LOCALE_DIR"));
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *times = g_strdup_printf ("/languages/%s/times", expected[i].locale);
      g_autofree char *numbers = g_strdup_printf ("/languages/%s/numbers", expected[i].locale);
      g_autofree char *size = g_strdup_printf ("/languages/%s/size", expected[i].locale);

      g_test_add_data_func (times, &expected[i], test_times);
      g_test_add_data_func (numbers, &expected[i], test_numbers);
      g_test_add_data_func (size, &expected[i], test_small_size);
    }

  return g_test_run ();
}
