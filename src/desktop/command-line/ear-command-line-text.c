/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/*
 * What a running Earmark answers (see io.github.earmark_app.Earmark.Control.xml), as words for
 * a terminal and as JSON for programs. Titles are whatever a feed says: no control character
 * of theirs reaches a terminal.
 */

/* Nothing that is worth reading on a terminal is longer. */
#define PRINTED_LIMIT 4000
/* A line for each podcast, as long as somebody reads them. */
#define LINES_LIMIT 200

/* What could move the cursor, change colours, or show the text in another order than it is */
static gboolean
is_hostile (gunichar c)
{
  return g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/**
 * ear_command_line_dup_printable:
 * @text: (nullable): bytes from anywhere
 *
 * Makes one line of a text that a terminal shows as it is: control characters become `\x1b`
 * and its like, bytes that are not UTF-8 the replacement character.
 *
 * Returns: (transfer full): the line
 */
char *
ear_command_line_dup_printable (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", text != NULL ? (gssize) strnlen (text, PRINTED_LIMIT) : -1);
  GString *line = g_string_sized_new (strlen (valid));

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (c == '\n' || c == '\t')
        g_string_append_c (line, ' ');
      else if (is_hostile (c))
        g_string_append_printf (line, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
      else
        g_string_append_unichar (line, c);
    }

  return g_string_free_and_steal (line);
}

/**
 * ear_command_line_dup_clock:
 * @time: microseconds
 *
 * Returns: (transfer full): a time as players show it, such as 12:34 or 1:02:03
 */
char *
ear_command_line_dup_clock (gint64 time)
{
  const gint64 seconds = MAX (time, 0) / G_TIME_SPAN_SECOND;
  const int hours = (int) MIN (seconds / 3600, 99999);
  const int minutes = (int) (seconds / 60 % 60);

  return hours > 0 ? g_strdup_printf ("%d:%02d:%02d", hours, minutes, (int) (seconds % 60))
                   : g_strdup_printf ("%d:%02d", minutes, (int) (seconds % 60));
}

/* --- What plays ----------------------------------------------------------------------- */

/* What is missing, or of another type than it should be, is nothing. */
static const char *
get_text (GVariant *values, const char *name)
{
  const char *text = NULL;

  g_variant_lookup (values, name, "&s", &text);

  return text != NULL ? text : "";
}

static gint64
get_number (GVariant *values, const char *name)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (values, name, NULL);

  if (value == NULL)
    return 0;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return g_variant_get_int64 (value);

  return g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32) ? g_variant_get_uint32 (value) : 0;
}

static double
get_fraction (GVariant *values, const char *name)
{
  double number = 0;

  g_variant_lookup (values, name, "d", &number);

  return number;
}

static gboolean
is_true (GVariant *values, const char *name)
{
  gboolean value = FALSE;

  g_variant_lookup (values, name, "b", &value);

  return value;
}

static const char *
describe_state (const char *state)
{
  static const struct
  {
    const char *state;
    const char *words;
  } states[] = {
    /* Translators: these tell what the player is doing, before the title of the episode */
    { "playing", N_("Playing") },
    { "loading", N_("Loading") },
    { "paused", N_("Paused") },
    { "ended", N_("Ended") },
    { "failed", N_("Cannot be played") },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    if (g_str_equal (state, states[i].state))
      return _(states[i].words);

  return _("Nothing to play");
}

static void
append_playing (GString *text, GVariant *status, GVariant *episode)
{
  g_autofree char *title = ear_command_line_dup_printable (get_text (episode, "title"));
  g_autofree char *podcast = ear_command_line_dup_printable (get_text (episode, "podcast"));
  g_autofree char *position = ear_command_line_dup_clock (get_number (episode, "position"));
  g_autofree char *duration = ear_command_line_dup_clock (get_number (episode, "duration"));

  /* Translators: what the player does, the title of an episode, the title of its podcast */
  g_string_append_printf (text, _("%s: %s (%s)"), describe_state (get_text (status, "state")), title, podcast);
  g_string_append_c (text, '\n');
  if (get_number (episode, "duration") > 0)
    /* Translators: such as “At 3:12 of 16:33, speed 1.2” */
    g_string_append_printf (text, _("At %s of %s, speed %.3g"), position, duration, get_fraction (status, "speed"));
  else
    /* Translators: such as “At 3:12, speed 1.2” */
    g_string_append_printf (text, _("At %s, speed %.3g"), position, get_fraction (status, "speed"));
  g_string_append_c (text, '\n');
}

static void
append_counts (GString *text, GVariant *status)
{
  const guint n_podcasts = (guint) get_number (status, "podcasts");
  const guint n_new = (guint) get_number (status, "new");
  const guint n_begun = (guint) get_number (status, "in-progress");

  g_string_append_printf (text, ngettext ("%u podcast", "%u podcasts", n_podcasts), n_podcasts);
  g_string_append (text, ", ");
  g_string_append_printf (text, ngettext ("%u new episode", "%u new episodes", n_new), n_new);
  g_string_append (text, ", ");
  /* Translators: episodes that were begun */
  g_string_append_printf (text, ngettext ("%u in progress", "%u in progress", n_begun), n_begun);
  g_string_append_c (text, '\n');
}

static void
append_last_check (GString *text, GVariant *status)
{
  const gint64 checked = get_number (status, "last-check");
  g_autoptr (GDateTime) then = checked > 0 ? g_date_time_new_from_unix_local (checked) : NULL;
  g_autofree char *moment = then != NULL ? g_date_time_format (then, "%c") : NULL;

  if (is_true (status, "refreshing"))
    g_string_append (text, _("Checking for new episodes"));
  else if (moment != NULL)
    /* Translators: %s is a date with a time */
    g_string_append_printf (text, _("Last check: %s"), moment);
  else
    g_string_append (text, _("Not checked yet"));
  g_string_append_c (text, '\n');
}

/**
 * ear_command_line_dup_status:
 * @status: what `GetStatus` answers
 *
 * Returns: (transfer full): translated lines
 */
char *
ear_command_line_dup_status (GVariant *status)
{
  g_autoptr (GVariant) episode = g_variant_lookup_value (status, "episode", G_VARIANT_TYPE_VARDICT);
  GString *text = g_string_new (NULL);

  if (episode != NULL)
    append_playing (text, status, episode);
  else
    g_string_append_printf (text, "%s\n", describe_state (""));
  append_counts (text, status);
  append_last_check (text, status);

  return g_string_free_and_steal (text);
}

/* --- JSON ----------------------------------------------------------------------------- */

static void
append_json_string (GString *json, const char *text)
{
  g_string_append_c (json, '"');
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
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
}

static void
append_json_number (GString *json, double number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (json, g_ascii_formatd (buffer, sizeof buffer, "%.3f", number));
}

static void
append_json_member (GString *json, const char *name, const char *value)
{
  g_string_append_printf (json, "\"%s\": ", name);
  append_json_string (json, value);
  g_string_append (json, ", ");
}

static void
append_json_flag (GString *json, const char *name, GVariant *values)
{
  g_string_append_printf (json, "\"%s\": %s", name, is_true (values, name) ? "true" : "false");
}

static void
append_json_episode (GString *json, GVariant *episode)
{
  if (episode == NULL)
    {
      g_string_append (json, "null");
      return;
    }

  g_string_append (json, "{");
  append_json_member (json, "key", get_text (episode, "key"));
  append_json_member (json, "title", get_text (episode, "title"));
  append_json_member (json, "podcast", get_text (episode, "podcast"));
  g_string_append (json, "\"position\": ");
  append_json_number (json, (double) get_number (episode, "position") / G_TIME_SPAN_SECOND);
  g_string_append (json, ", \"duration\": ");
  if (get_number (episode, "duration") > 0)
    append_json_number (json, (double) get_number (episode, "duration") / G_TIME_SPAN_SECOND);
  else
    g_string_append (json, "null");
  g_string_append (json, ", ");
  append_json_flag (json, "listened", episode);
  g_string_append (json, ", ");
  append_json_flag (json, "liked", episode);
  g_string_append (json, ", ");
  append_json_flag (json, "downloaded", episode);
  g_string_append (json, "}");
}

static void
append_json_last_check (GString *json, GVariant *status)
{
  const gint64 checked = get_number (status, "last-check");
  g_autoptr (GDateTime) then = checked > 0 ? g_date_time_new_from_unix_utc (checked) : NULL;
  g_autofree char *moment = then != NULL ? g_date_time_format_iso8601 (then) : NULL;

  g_string_append (json, "\"last_check\": ");
  if (moment != NULL)
    append_json_string (json, moment);
  else
    g_string_append (json, "null");
}

/**
 * ear_command_line_dup_status_json:
 * @status: (nullable): what `GetStatus` answers, or %NULL if nobody is there to answer
 *
 * The manual page tells what the members mean. More may come, none goes.
 *
 * Returns: (transfer full): an object on a line of its own
 */
char *
ear_command_line_dup_status_json (GVariant *status)
{
  g_autoptr (GVariant) episode = NULL;
  GString *json;

  if (status == NULL)
    return g_strdup ("{\"running\": false}\n");

  episode = g_variant_lookup_value (status, "episode", G_VARIANT_TYPE_VARDICT);
  json = g_string_new ("{\"running\": true, ");
  append_json_member (json, "version", get_text (status, "version"));
  append_json_member (json, "state", get_text (status, "state"));
  g_string_append (json, "\"episode\": ");
  append_json_episode (json, episode);
  g_string_append (json, ", \"speed\": ");
  append_json_number (json, get_fraction (status, "speed"));
  g_string_append_printf (json, ", \"podcasts\": %" G_GINT64_FORMAT ", \"new\": %" G_GINT64_FORMAT ", \"in_progress\": %" G_GINT64_FORMAT ", ",
                          get_number (status, "podcasts"), get_number (status, "new"), get_number (status, "in-progress"));
  append_json_flag (json, "refreshing", status);
  g_string_append_printf (json, ", \"downloads\": %" G_GINT64_FORMAT ", ", get_number (status, "downloads"));
  append_json_last_check (json, status);
  g_string_append (json, "}\n");

  return g_string_free_and_steal (json);
}

/* --- What was done -------------------------------------------------------------------- */

/* A line for each podcast that could not be fetched, and why */
static char *
dup_failures (GVariant *reply, EarCommandLineErrorFunc describe)
{
  g_autoptr (GVariant) failures = g_variant_lookup_value (reply, "failures", G_VARIANT_TYPE ("a(ss)"));
  const gsize n_failures = failures != NULL ? g_variant_n_children (failures) : 0;
  GString *text;

  if (n_failures == 0)
    return NULL;

  text = g_string_new (NULL);
  for (gsize i = 0; i < MIN (n_failures, LINES_LIMIT); i++)
    {
      const char *title;
      const char *name;
      g_autofree char *shown = NULL;
      g_autofree char *reason = NULL;
      g_autoptr (GError) error = NULL;

      g_variant_get_child (failures, i, "(&s&s)", &title, &name);
      error = g_dbus_error_new_for_dbus_error (name, "");
      shown = ear_command_line_dup_printable (title);
      reason = describe (error, EAR_ERROR_TOPIC_FEED);
      g_string_append_printf (text, "%s: %s\n", shown, reason);
    }
  if (n_failures > LINES_LIMIT)
    g_string_append_printf (text, ngettext ("And %u more\n", "And %u more\n", (guint) n_failures - LINES_LIMIT), (guint) n_failures - LINES_LIMIT);

  return g_string_free_and_steal (text);
}

static void
append_titles (GString *text, GVariant *titles)
{
  for (gsize i = 0; i < MIN (g_variant_n_children (titles), LINES_LIMIT); i++)
    {
      const char *title;
      g_autofree char *shown = NULL;

      g_variant_get_child (titles, i, "&s", &title);
      shown = ear_command_line_dup_printable (title);
      g_string_append_printf (text, "  %s\n", shown);
    }
}

/* Of each podcast what is news; gives how many episodes that are */
static guint
append_arrived (GString *text, GVariant *reply)
{
  g_autoptr (GVariant) podcasts = g_variant_lookup_value (reply, "podcasts", G_VARIANT_TYPE ("a(suas)"));
  const gsize n_podcasts = podcasts != NULL ? g_variant_n_children (podcasts) : 0;
  guint n_all = 0;

  for (gsize i = 0; i < n_podcasts; i++)
    {
      g_autoptr (GVariant) titles = NULL;
      const char *title;
      guint n_episodes;
      g_autofree char *shown = NULL;

      g_variant_get_child (podcasts, i, "(&su@as)", &title, &n_episodes, &titles);
      n_all += n_episodes;
      if (i >= LINES_LIMIT)
        continue;

      shown = ear_command_line_dup_printable (title);
      /* Translators: the title of a podcast, and how many episodes came */
      g_string_append_printf (text, ngettext ("%s: %u new episode", "%s: %u new episodes", n_episodes), shown, n_episodes);
      g_string_append_c (text, '\n');
      append_titles (text, titles);
    }

  return n_all;
}

/**
 * ear_command_line_dup_refreshed:
 * @reply: what `Refresh` answers
 * @describe: knows words for what went wrong
 * @failures: (out) (nullable): lines about what could not be checked
 *
 * Returns: (transfer full): translated lines about what came
 */
char *
ear_command_line_dup_refreshed (GVariant *reply, EarCommandLineErrorFunc describe, char **failures)
{
  const guint n_checked = (guint) get_number (reply, "checked");
  GString *text = g_string_new (NULL);
  guint n_new;

  *failures = dup_failures (reply, describe);
  n_new = append_arrived (text, reply);
  g_string_append_printf (text, ngettext ("Checked %u podcast", "Checked %u podcasts", n_checked), n_checked);
  g_string_append (text, ", ");
  g_string_append_printf (text, ngettext ("%u new episode", "%u new episodes", n_new), n_new);
  g_string_append_c (text, '\n');

  return g_string_free_and_steal (text);
}

/**
 * ear_command_line_dup_imported:
 * @reply: what `Import` answers
 * @describe: knows words for what went wrong
 * @failures: (out) (nullable): lines about what is followed, but could not be fetched yet
 *
 * Returns: (transfer full): translated lines about what is followed now
 */
char *
ear_command_line_dup_imported (GVariant *reply, EarCommandLineErrorFunc describe, char **failures)
{
  const guint n_listed = (guint) get_number (reply, "listed");
  const guint n_added = (guint) get_number (reply, "added");
  GString *text = g_string_new (NULL);

  *failures = dup_failures (reply, describe);
  g_string_append_printf (text, ngettext ("Followed %u podcast", "Followed %u podcasts", n_added), n_added);
  g_string_append_c (text, '\n');
  if (n_listed > n_added)
    {
      g_string_append_printf (text, ngettext ("%u was already followed", "%u were already followed", n_listed - n_added), n_listed - n_added);
      g_string_append_c (text, '\n');
    }

  return g_string_free_and_steal (text);
}
