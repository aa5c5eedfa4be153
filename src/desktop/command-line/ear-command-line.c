/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ear-discovery-input.h"
#include "ear-sleep-timer.h"

/* Parses command lines, and runs nothing. Arguments are untrusted bytes: too long or
 * malformed ones are refused with a translated sentence. */

/* Bytes of the longest accepted URL or path. */
#define VALUE_LIMIT 8192
/* More files or URLs at once are refused. */
#define OPEN_LIMIT 100
#define LONGEST_SEEK (1000 * 60 * 60 * G_TIME_SPAN_SECOND)
#define SLOWEST 0.5
#define FASTEST 4.0

static const struct
{
  const char *name;
  EarCommandVerb verb;
} verbs[] = {
  { "--help", EAR_COMMAND_HELP },
  { "-h", EAR_COMMAND_HELP },
  { "--version", EAR_COMMAND_VERSION },
  { "--play-pause", EAR_COMMAND_PLAY_PAUSE },
  { "--play", EAR_COMMAND_PLAY },
  { "--pause", EAR_COMMAND_PAUSE },
  { "--next", EAR_COMMAND_NEXT },
  { "--previous", EAR_COMMAND_PREVIOUS },
  { "--next-chapter", EAR_COMMAND_NEXT_CHAPTER },
  { "--previous-chapter", EAR_COMMAND_PREVIOUS_CHAPTER },
  { "--seek", EAR_COMMAND_SEEK },
  { "--speed", EAR_COMMAND_SPEED },
  { "--sleep", EAR_COMMAND_SLEEP },
  { "--bookmark", EAR_COMMAND_BOOKMARK },
  { "--status", EAR_COMMAND_STATUS },
  { "--refresh", EAR_COMMAND_REFRESH },
  { "--sync", EAR_COMMAND_SYNC },
  { "--add", EAR_COMMAND_ADD },
  { "--import", EAR_COMMAND_IMPORT },
  { "--export", EAR_COMMAND_EXPORT },
  { "--statistics", EAR_COMMAND_STATISTICS },
  { "--reading-list", EAR_COMMAND_READING_LIST },
  { "--quit", EAR_COMMAND_QUIT },
};

static gboolean G_GNUC_PRINTF (2, 3)
refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, format, arguments);
  va_end (arguments);

  return FALSE;
}

/* `90`, `12:34` and `1:02:03`. Only the first number may be above 59. */
static gboolean
read_clock (const char *text, gint64 *time)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 4);
  const guint n_parts = g_strv_length (parts);
  gint64 seconds = 0;

  if (n_parts < 1 || n_parts > 3)
    return FALSE;
  for (guint i = 0; i < n_parts; i++)
    {
      const gsize length = strlen (parts[i]);

      if (length < 1 || length > (i == 0 ? 8 : 2) || strspn (parts[i], "0123456789") != length)
        return FALSE;
      if (i > 0 && g_ascii_strtoll (parts[i], NULL, 10) > 59)
        return FALSE;
      seconds = seconds * 60 + g_ascii_strtoll (parts[i], NULL, 10);
    }
  *time = seconds * G_TIME_SPAN_SECOND;

  return *time <= LONGEST_SEEK;
}

static gboolean
read_seek (EarCommandLine *self, GError **error)
{
  const char *text = self->value;
  const gboolean back = *text == '-';

  self->relative = back || *text == '+';
  if (self->relative && text[1] == '\0')
    {
      self->skip = back ? -1 : 1;
      return TRUE;
    }
  if (!read_clock (text + (self->relative ? 1 : 0), &self->time))
    /* Translators: %s is the argument; keep the examples as they are */
    return refuse (error, _("“%s” is not a valid position. Use +, -, +30, -10, 12:34 or 1:02:03"), text);
  if (back)
    self->time = -self->time;

  return TRUE;
}

/* Accepts a decimal comma too. */
static gboolean
read_speed (EarCommandLine *self, GError **error)
{
  g_autofree char *text = g_strdelimit (g_strdup (self->value), ",", '.');
  const gsize length = strlen (text);

  if (length > 0 && length < 16 && strspn (text, "0123456789.") == length && strchr (text, '.') == strrchr (text, '.'))
    self->speed = g_ascii_strtod (text, NULL);
  if (self->speed >= SLOWEST && self->speed <= FASTEST)
    return TRUE;

  /* Translators: %s is the argument */
  return refuse (error, _("“%s” is not a valid speed. Use a number from 0.5 to 4"), self->value);
}

static gboolean
verb_cb (const char *name, const char *value, gpointer user_data, GError **error)
{
  EarCommandLine *self = user_data;

  if (self->verb != EAR_COMMAND_OPEN)
    /* Translators: %s is an option, such as --next */
    return refuse (error, _("Only one command can be used at a time, but “%s” is another one"), name);
  if (value != NULL && (*value == '\0' || strlen (value) > VALUE_LIMIT))
    /* Translators: %s is an option, such as --seek */
    return refuse (error, _("The value of “%s” is empty or too long"), name);

  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (g_str_equal (name, verbs[i].name))
      self->verb = verbs[i].verb;
  self->value = g_strdup (value);
  if (self->verb == EAR_COMMAND_SEEK)
    return read_seek (self, error);
  if (self->verb == EAR_COMMAND_SPEED)
    return read_speed (self, error);
  if (self->verb == EAR_COMMAND_SLEEP && !ear_sleep_timer_is_choice (self->value))
    /* Translators: %s is the argument; do not translate “episode”, “chapter” and “off” */
    return refuse (error, _("“%s” is not a valid sleep time. Use a number of minutes, “episode”, “chapter” or “off”"), self->value);

  return TRUE;
}

#define VERB(name, description) { name, 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, verb_cb, description, NULL }
#define VERB_WITH(name, description, argument) { name, 0, G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, verb_cb, description, argument }

static const GOptionEntry playing[] = {
  VERB ("play-pause", N_("Play or pause")),
  VERB ("play", N_("Play")),
  VERB ("pause", N_("Pause")),
  VERB ("next", N_("Play the next episode")),
  VERB ("previous", N_("Play the previous episode")),
  VERB ("next-chapter", N_("Skip to the next chapter")),
  VERB ("previous-chapter", N_("Go back to the start of the chapter or to the previous chapter")),
  /* Translators: the argument of --seek */
  VERB_WITH ("seek", N_("Skip forward (+) or back (-), optionally by seconds (+30, -10), or seek to a position (12:34)"), N_("+[SECONDS]|-[SECONDS]|MM:SS")),
  /* Translators: the argument of --speed */
  VERB_WITH ("speed", N_("Set the playback speed, from 0.5 to 4"), N_("NUMBER")),
  /* Translators: the argument of --sleep; do not translate “episode”, “chapter” and “off” */
  VERB_WITH ("sleep", N_("Pause after a number of minutes, or at the end of the episode or chapter"), N_("MINUTES|episode|chapter|off")),
  /* Translators: the optional argument of --bookmark */
  { "bookmark", 0, G_OPTION_FLAG_OPTIONAL_ARG | G_OPTION_FLAG_FILENAME, G_OPTION_ARG_CALLBACK, verb_cb, N_("Bookmark the current position, optionally with a note"), N_("NOTE") },
  VERB ("status", N_("Print the current episode and chapter")),
  G_OPTION_ENTRY_NULL
};

static const GOptionEntry podcasts[] = {
  VERB ("refresh", N_("Check all podcasts and print new episodes")),
  VERB ("sync", N_("Sync podcasts and positions with your server")),
  VERB_WITH ("add", N_("Follow the podcast at an address"), N_("ADDRESS")),
  VERB_WITH ("import", N_("Follow all podcasts in a file (OPML)"), N_("FILE|-")),
  VERB_WITH ("export", N_("Export the followed podcasts (OPML)"), N_("FILE|-")),
  VERB ("statistics", N_("Print listening statistics as JSON")),
  VERB ("reading-list", N_("Print the links of all episodes as Markdown")),
  G_OPTION_ENTRY_NULL
};

/* Built for each call, because the option context stores the flags in @self. */
static GOptionContext *
create_context (EarCommandLine *self, char ***arguments)
{
  const GOptionEntry general[] = {
    { "help", 'h', G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, verb_cb, N_("Show this help"), NULL },
    VERB ("version", N_("Show the version")),
    VERB ("quit", N_("Quit the running Earmark")),
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->json, N_("Print JSON, with --status or --reading-list"), NULL },
    { "force", 0, 0, G_OPTION_ARG_NONE, &self->force, N_("Replace an existing file, with --export"), NULL },
    { "with-private", 0, 0, G_OPTION_ARG_NONE, &self->with_private, N_("Include podcasts whose address works like a password, with --export"), NULL },
    { "gapplication-service", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &self->service, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, arguments, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  /* Translators: the arguments of the program */
  GOptionContext *context = g_option_context_new (_("[ADDRESS|FILE…]"));
  const struct
  {
    const char *name;
    const char *description;
    const GOptionEntry *entries;
  } groups[] = {
    { "playing", _("Playback, while Earmark is running:"), playing },
    { "podcasts", _("Podcasts, whether or not Earmark is running:"), podcasts },
  };
  GOptionGroup *main_group = g_option_group_new ("general", "", "", self, NULL);

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_summary (context, _("Listen to podcasts and read their notes. An address of a podcast or web page, or an OPML file, is shown in the window."));
  /* Translators: the numbers are exit codes, on which scripts rely */
  g_option_context_set_description (context, _("Exit status: 0 success, 1 failure, 2 usage error, 3 Earmark is not running, 4 partial success, 5 some podcasts not checked. See earmark(1)."));
  for (gsize i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      GOptionGroup *group = g_option_group_new (groups[i].name, groups[i].description, "", self, NULL);

      g_option_group_set_translation_domain (group, GETTEXT_PACKAGE);
      g_option_group_add_entries (group, groups[i].entries);
      g_option_context_add_group (context, group);
    }
  g_option_group_set_translation_domain (main_group, GETTEXT_PACKAGE);
  g_option_group_add_entries (main_group, general);
  g_option_context_set_main_group (context, main_group);

  return context;
}

/* Regular files, pipes and the like; a folder is not a list of podcasts. */
static gboolean
is_file (GFile *file)
{
  const GFileType type = g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL);

  return type != G_FILE_TYPE_UNKNOWN && type != G_FILE_TYPE_DIRECTORY;
}

/* An existing file comes first, then any kind of address. */
static char *
read_argument (const char *argument, GError **error)
{
  g_autoptr (GFile) file = NULL;
  g_autofree char *value = NULL;
  EarDiscoveryInput input = EAR_DISCOVERY_NOTHING;

  if (strlen (argument) <= VALUE_LIMIT && g_utf8_validate (argument, -1, NULL))
    input = ear_discovery_input_read (argument, &value);
  if (strlen (argument) <= VALUE_LIMIT && (input != EAR_DISCOVERY_ADDRESS || strstr (argument, "://") == NULL))
    {
      file = g_file_new_for_commandline_arg (argument);
      if (g_file_is_native (file) && is_file (file))
        return g_file_get_uri (file);
    }

  if (input == EAR_DISCOVERY_ADDRESS)
    return g_steal_pointer (&value);
  if (input == EAR_DISCOVERY_APPLE)
    return g_strdup_printf ("https://podcasts.apple.com/podcast/id%s", value);

  /* Translators: %s is an argument of the program */
  refuse (error, _("“%s” is neither a file nor a podcast address"), argument);

  return NULL;
}

static gboolean
read_arguments (EarCommandLine *self, char **arguments, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (arguments == NULL)
    return TRUE;
  if (self->verb == EAR_COMMAND_HELP || self->verb == EAR_COMMAND_VERSION)
    return TRUE;
  if (self->verb != EAR_COMMAND_OPEN || self->service)
    return refuse (error, _("Only one command can be used at a time, but “%s” is another one"), arguments[0]);
  if (g_strv_length (arguments) > OPEN_LIMIT)
    /* Translators: %s is an argument of the program */
    return refuse (error, _("Unexpected argument “%s”"), arguments[OPEN_LIMIT]);

  for (guint i = 0; arguments[i] != NULL; i++)
    {
      char *uri = read_argument (arguments[i], error);

      if (uri == NULL)
        return FALSE;
      g_strv_builder_take (builder, uri);
    }
  self->uris = g_strv_builder_end (builder);

  return TRUE;
}

static gboolean
check_modifiers (EarCommandLine *self, GError **error)
{
  if ((self->json && self->verb != EAR_COMMAND_STATUS && self->verb != EAR_COMMAND_READING_LIST) ||
      ((self->force || self->with_private) && self->verb != EAR_COMMAND_EXPORT))
    /* Translators: %s is an option, such as --force */
    return refuse (error, _("“%s” cannot be combined with these options"), self->json ? "--json" : self->force ? "--force" : "--with-private");

  return TRUE;
}

/**
 * ear_command_line_parse:
 * @arguments: (array zero-terminated=1): the arguments, with the program's name first
 * @error: return location for a translated sentence
 *
 * Parses a command line. The only side effect is to check whether files exist.
 *
 * Returns: (transfer full) (nullable): the command line, or %NULL if it is not valid
 */
EarCommandLine *
ear_command_line_parse (const char *const *arguments, GError **error)
{
  g_autoptr (EarCommandLine) self = g_new0 (EarCommandLine, 1);
  g_auto (GStrv) rest = g_strdupv ((char **) arguments);
  g_auto (GStrv) remaining = NULL;
  g_autoptr (GOptionContext) context = create_context (self, &remaining);

  g_return_val_if_fail (arguments != NULL && arguments[0] != NULL, NULL);

  if (!g_option_context_parse_strv (context, &rest, error) || !read_arguments (self, remaining, error) ||
      !check_modifiers (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

void
ear_command_line_free (EarCommandLine *self)
{
  g_strfreev (self->uris);
  g_free (self->value);
  g_free (self);
}

char *
ear_command_line_dup_help (void)
{
  g_autoptr (EarCommandLine) self = g_new0 (EarCommandLine, 1);
  g_auto (GStrv) remaining = NULL;
  g_autoptr (GOptionContext) context = create_context (self, &remaining);

  return g_option_context_get_help (context, FALSE, NULL);
}

/**
 * ear_command_line_dup_argv:
 * @self: a command line without a verb
 * @program: the program's name
 *
 * Returns: (transfer full): arguments for a [class@Gio.Application], which
 *   opens @self's URIs
 */
GStrv
ear_command_line_dup_argv (EarCommandLine *self, const char *program)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_strv_builder_add (builder, program);
  if (self->service)
    g_strv_builder_add (builder, "--gapplication-service");
  if (self->uris != NULL)
    g_strv_builder_addv (builder, (const char **) self->uris);

  return g_strv_builder_end (builder);
}
