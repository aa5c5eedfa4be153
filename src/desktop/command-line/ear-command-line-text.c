/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-text.h"

#include "ear-time.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* Output of the verbs, as text for a terminal and as JSON. Titles come from feeds, so
 * their control characters are escaped before they reach a terminal. */

/* Bytes printed of one title. */
#define PRINTED_LIMIT 4000
/* Podcasts, and episodes of one podcast, that get a line of their own. */
#define LINES_LIMIT 200

/* Characters that move the cursor, change colors or reorder text */
static gboolean
is_hostile (gunichar c)
{
  return g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static gboolean
begins_isolate (gunichar c)
{
  return c >= 0x2066 && c <= 0x2068;
}

/* Isolates that are closed within the text do not reorder the text around them. */
static gboolean
has_closed_isolates (const char *text)
{
  guint depth = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (begins_isolate (c))
        depth++;
      else if (c == 0x2069 && depth-- == 0)
        return FALSE;
    }

  return depth == 0;
}

static char *
dup_line (const char *text, gboolean isolates)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", text != NULL ? (gssize) strnlen (text, PRINTED_LIMIT) : -1);
  GString *line = g_string_sized_new (strlen (valid));
  const gboolean isolated = isolates && has_closed_isolates (valid);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (c == '\n' || c == '\t')
        g_string_append_c (line, ' ');
      else if (is_hostile (c) && !(isolated && (begins_isolate (c) || c == 0x2069)))
        g_string_append_printf (line, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
      else
        g_string_append_unichar (line, c);
    }

  return g_string_free_and_steal (line);
}

/* Turns text into one line that is safe for a terminal: control characters become `\x1b`
 * and the like, invalid UTF-8 the replacement character.
 * @text: (nullable): untrusted bytes */
char *
ear_command_line_dup_printable (const char *text)
{
  return dup_line (text, FALSE);
}

/* Like [func@ear_command_line_dup_printable], but keeps balanced isolates: translations
 * into right-to-left languages put URLs in them.
 * @text: a translated sentence, which may contain untrusted bytes */
char *
ear_command_line_dup_sentence (const char *text)
{
  return dup_line (text, TRUE);
}

static void
print_cb (const char *text)
{
  fputs (text, stdout);
  fflush (stdout);
}

static void
print_error_cb (const char *text)
{
  fputs (text, stderr);
  fflush (stderr);
}

/* Call after setlocale(). With no locale set (`LC_ALL=C`, for example under cron) the
 * charset of the terminal is unknown. Text is then printed as UTF-8, as JSON is, instead
 * of question marks. */
void
ear_command_line_begin_printing (void)
{
  const char *charset;

  if (g_get_charset (&charset) || (!g_str_equal (charset, "ANSI_X3.4-1968") && !g_str_equal (charset, "US-ASCII")))
    return;
  g_set_print_handler (print_cb);
  g_set_printerr_handler (print_error_cb);
}

/* Prints an error.
 * @message: a translated sentence, which may contain untrusted bytes */
void
ear_command_line_print_error (const char *message)
{
  g_autofree char *printable = ear_command_line_dup_sentence (message);

  g_printerr ("earmark: %s\n", printable);
}

static const char *
describe_state (const char *state)
{
  static const struct
  {
    const char *state;
    const char *words;
  } states[] = {
    /* Translators: the state of the player, before the title of the episode */
    { "playing", N_("Playing") },
    { "loading", N_("Loading") },
    { "paused", N_("Paused") },
    { "ended", N_("Ended") },
    { "failed", N_("Cannot be played") },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    if (g_strcmp0 (state, states[i].state) == 0)
      return _(states[i].words);

  return _("Nothing to play");
}

static void
append_playing (GString *text, const EarCommandLineReport *report)
{
  g_autofree char *title = ear_command_line_dup_printable (report->title);
  g_autofree char *podcast = ear_command_line_dup_printable (report->podcast);
  g_autofree char *chapter = ear_command_line_dup_printable (report->chapter);
  g_autofree char *position = ear_clock_format (report->position);
  g_autofree char *duration = ear_clock_format (report->duration);

  /* Translators: state of the player, title of the episode, title of the podcast */
  g_string_append_printf (text, _("%s: %s (%s)"), describe_state (report->state), title, podcast);
  g_string_append_c (text, '\n');
  if (report->chapter != NULL)
    {
      /* Translators: %s is the title of the current chapter */
      g_string_append_printf (text, _("Chapter: %s"), chapter);
      g_string_append_c (text, '\n');
    }
  if (report->duration > 0)
    /* Translators: such as “At 3:12 of 16:33, speed 1.2” */
    g_string_append_printf (text, _("At %s of %s, speed %.3g"), position, duration, report->speed);
  else
    /* Translators: such as “At 3:12, speed 1.2” */
    g_string_append_printf (text, _("At %s, speed %.3g"), position, report->speed);
  g_string_append_c (text, '\n');
}

static void
append_new (GString *text, guint n_new)
{
  g_string_append_printf (text, ngettext ("%u new episode", "%u new episodes", n_new), n_new);
}

static void
append_counts (GString *text, const EarCommandLineReport *report)
{
  g_string_append_printf (text, ngettext ("%u podcast", "%u podcasts", report->n_podcasts), report->n_podcasts);
  g_string_append (text, ", ");
  append_new (text, report->n_new);
  g_string_append (text, ", ");
  /* Translators: partly played episodes */
  g_string_append_printf (text, ngettext ("%u in progress", "%u in progress", report->n_begun), report->n_begun);
  g_string_append_c (text, '\n');
}

static void
append_last_check (GString *text, const EarCommandLineReport *report)
{
  g_autoptr (GDateTime) then = report->checked > 0 ? g_date_time_new_from_unix_local (report->checked) : NULL;
  g_autofree char *moment = then != NULL ? g_date_time_format (then, "%c") : NULL;

  if (report->refreshing)
    g_string_append (text, _("Checking for new episodes"));
  else if (moment != NULL)
    /* Translators: %s is a date with a time */
    g_string_append_printf (text, _("Last check: %s"), moment);
  else
    g_string_append (text, _("Not checked yet"));
  g_string_append_c (text, '\n');
}

char *
ear_command_line_dup_status (const EarCommandLineReport *report)
{
  GString *text = g_string_new (NULL);

  if (report->key != NULL)
    append_playing (text, report);
  else
    g_string_append_printf (text, "%s\n", describe_state (NULL));
  append_counts (text, report);
  append_last_check (text, report);

  return g_string_free_and_steal (text);
}

static char *
dup_json_string (const char *text)
{
  GString *json = g_string_new ("\"");

  for (const char *p = text != NULL ? text : ""; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (c == '"' || c == '\\')
        g_string_append_printf (json, "\\%c", (char) c);
      else if (is_hostile (c))
        g_string_append_printf (json, "\\u%04x", c);
      else
        g_string_append_unichar (json, c);
    }
  g_string_append_c (json, '"');

  return g_string_free_and_steal (json);
}

static char *
dup_json_number (double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.3f", number));
}

static const char *
json_flag (gboolean flag)
{
  return flag ? "true" : "false";
}

static char *
dup_json_episode (const EarCommandLineReport *report)
{
  g_autofree char *key = dup_json_string (report->key);
  g_autofree char *title = dup_json_string (report->title);
  g_autofree char *podcast = dup_json_string (report->podcast);
  g_autofree char *chapter = report->chapter != NULL ? dup_json_string (report->chapter) : NULL;
  g_autofree char *position = dup_json_number ((double) report->position / G_TIME_SPAN_SECOND);
  g_autofree char *duration = report->duration > 0 ? dup_json_number ((double) report->duration / G_TIME_SPAN_SECOND) : NULL;

  return g_strdup_printf ("{\"key\": %s, \"title\": %s, \"podcast\": %s, \"chapter\": %s, \"position\": %s, \"duration\": %s, "
                          "\"listened\": %s, \"liked\": %s, \"downloaded\": %s}",
                          key, title, podcast, chapter != NULL ? chapter : "null", position, duration != NULL ? duration : "null",
                          json_flag (report->listened), json_flag (report->liked), json_flag (report->downloaded));
}

/* The manual page documents the members. Members may be added, never removed.
 * @report: (nullable): the status, or %NULL if Earmark is not running */
char *
ear_command_line_dup_status_json (const EarCommandLineReport *report)
{
  g_autofree char *state = report != NULL ? dup_json_string (report->state) : NULL;
  g_autofree char *episode = report != NULL && report->key != NULL ? dup_json_episode (report) : NULL;
  g_autofree char *speed = report != NULL ? dup_json_number (report->speed) : NULL;
  g_autoptr (GDateTime) then = report != NULL && report->checked > 0 ? g_date_time_new_from_unix_utc (report->checked) : NULL;
  g_autofree char *moment = then != NULL ? g_date_time_format_iso8601 (then) : NULL;
  g_autofree char *checked = moment != NULL ? dup_json_string (moment) : NULL;

  if (report == NULL)
    return g_strdup ("{\"running\": false}\n");

  return g_strdup_printf ("{\"running\": true, \"version\": \"" EAR_VERSION "\", \"state\": %s, \"episode\": %s, \"speed\": %s, "
                          "\"podcasts\": %u, \"new\": %u, \"in_progress\": %u, \"refreshing\": %s, \"downloads\": %u, \"last_check\": %s}\n",
                          state, episode != NULL ? episode : "null", speed, report->n_podcasts, report->n_new, report->n_begun,
                          json_flag (report->refreshing), report->n_downloads, checked != NULL ? checked : "null");
}

/* Appends the new episodes of a podcast.
 * @text: lines, at most LINES_LIMIT
 * @podcast: (nullable): its title */
void
ear_command_line_append_news (GString *text, guint nth, const char *podcast, guint n_episodes, const char *const *titles)
{
  g_autofree char *shown = ear_command_line_dup_printable (podcast);

  if (nth >= LINES_LIMIT)
    return;

  /* Translators: the title of a podcast, and its number of new episodes */
  g_string_append_printf (text, ngettext ("%s: %u new episode", "%s: %u new episodes", n_episodes), shown, n_episodes);
  g_string_append_c (text, '\n');
  for (guint i = 0; titles[i] != NULL && i < LINES_LIMIT; i++)
    {
      g_autofree char *title = ear_command_line_dup_printable (titles[i]);

      g_string_append_printf (text, "  %s\n", title);
    }
}

/* @text: lines, at most LINES_LIMIT
 * @podcast: (nullable): the title of the podcast that could not be fetched */
void
ear_command_line_append_failure (GString *text, guint nth, const char *podcast, const char *reason)
{
  g_autofree char *shown = ear_command_line_dup_printable (podcast);

  if (nth < LINES_LIMIT)
    g_string_append_printf (text, "%s: %s\n", shown, reason);
}

/* @text: lines, at most LINES_LIMIT
 * @podcast: (nullable): the title of a podcast whose server must not be asked now
 * @gone: whether the server reported that the podcast was removed
 * @until: Unix seconds */
void
ear_command_line_append_waiting (GString *text, guint nth, const char *podcast, gboolean gone, gint64 until)
{
  /* Rounded up to a minute: the podcast can be checked at the time that is shown. */
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_local (MIN (until, G_MAXINT64 - 59) + 59);
  g_autofree char *when = date != NULL ? g_date_time_format (date, gone ? "%F" : "%F %R") : g_strdup ("");
  /* Translators: %s is a date */
  g_autofree char *reason = gone ? g_strdup_printf (_("Removed by its publisher; its episodes are kept. Next check: %s"), when)
                                 /* Translators: %s is a date and a time of day */
                                 : g_strdup_printf (_("The server asks to wait until %s"), when);

  ear_command_line_append_failure (text, nth, podcast, reason);
}

/* Appends the number of podcasts beyond LINES_LIMIT. */
void
ear_command_line_append_rest (GString *text, guint n_failures)
{
  if (n_failures > LINES_LIMIT)
    g_string_append_printf (text, ngettext ("And %u more\n", "And %u more\n", n_failures - LINES_LIMIT), n_failures - LINES_LIMIT);
}

char *
ear_command_line_dup_checked (guint n_checked, guint n_new)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, ngettext ("Checked %u podcast", "Checked %u podcasts", n_checked), n_checked);
  g_string_append (text, ", ");
  append_new (text, n_new);
  g_string_append_c (text, '\n');

  return g_string_free_and_steal (text);
}

char *
ear_command_line_dup_imported (guint n_listed, guint n_added, guint n_repeated)
{
  GString *text = g_string_new (NULL);
  const guint n_known = n_listed - n_added - n_repeated;

  g_string_append_printf (text, ngettext ("Followed %u podcast", "Followed %u podcasts", n_added), n_added);
  g_string_append_c (text, '\n');
  if (n_known > 0)
    {
      g_string_append_printf (text, ngettext ("%u was already followed", "%u were already followed", n_known), n_known);
      g_string_append_c (text, '\n');
    }
  if (n_repeated > 0)
    {
      /* Translators: podcasts that are on a list more than once */
      g_string_append_printf (text, ngettext ("%u duplicate in the list was skipped", "%u duplicates in the list were skipped",
                                              n_repeated), n_repeated);
      g_string_append_c (text, '\n');
    }

  return g_string_free_and_steal (text);
}
