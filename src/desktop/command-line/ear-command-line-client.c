/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-client.h"

#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

#include "ear-command-line-host.h"
#include "ear-command-line-text.h"

/* Runs a command line. A running Earmark runs it as GApplication does: it prints here and
 * returns the status. If none runs, verbs that need no player run in this process
 * (ear-command-line-host.c). No display is needed. */

/* Interval and limit of retries while another process owns the bus name but has
 * no library open. */
#define RETRY_MS 100
#define RETRY_LIMIT (60 * 1000 / RETRY_MS)
/* How long to wait for a window that was just started, and for Earmark to quit */
#define START_LIMIT (15 * 1000 / RETRY_MS)
#define QUIT_LIMIT (10 * 1000 / RETRY_MS)
#define LIST_LIMIT (32 * 1024 * 1024)

typedef struct
{
  EarCommandLine *line;
  EarCommandLineErrorFunc describe;
  GDBusConnection *connection; /* (nullable) */
  GStrv arguments;
  char *temporary;             /* (nullable): copy of standard input */
  gboolean alone;              /* the verb can run without a running Earmark */
  guint start;                 /* first try that may run the verb in this process */
} Client;

static void
client_clear (Client *self)
{
  if (self->temporary != NULL)
    unlink (self->temporary);
  g_free (self->temporary);
  g_strfreev (self->arguments);
  g_clear_object (&self->connection);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Client, client_clear)

/**
 * ear_command_line_print_misuse:
 * @error: the error of ear_command_line_parse()
 *
 * Prints the error and a pointer to `--help`.
 */
void
ear_command_line_print_misuse (const GError *error)
{
  ear_command_line_print_error (error->message);
  g_printerr ("%s\n", _("“earmark --help” shows all options."));
}

static int
say_not_running (Client *self)
{
  g_autofree char *json = ear_command_line_dup_status_json (NULL);

  if (self->line->json)
    fputs (json, stdout);
  else if (self->line->verb == EAR_COMMAND_STATUS)
    g_print ("%s\n", _("Earmark is not running"));
  else
    ear_command_line_print_error (_("Earmark is not running"));

  return EAR_COMMAND_NOT_RUNNING;
}

static gboolean
is_running (Client *self)
{
  g_autoptr (GVariant) reply = NULL;
  gboolean owned = FALSE;

  if (self->connection != NULL)
    reply = g_dbus_connection_call_sync (self->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                         "NameHasOwner", g_variant_new ("(s)", EAR_APP_ID), G_VARIANT_TYPE ("(b)"),
                                         G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  if (reply != NULL)
    g_variant_get (reply, "(b)", &owned);

  return owned;
}

/* A running Earmark prints here by calling this process. Inside the Flatpak it may only
 * call peers whose bus name begins with its own, so this process owns such a name. */
static void
take_name (GDBusConnection *connection)
{
  g_autofree char *unique = g_strdelimit (g_strdup (g_dbus_connection_get_unique_name (connection)), ":.", '_');
  g_autofree char *name = g_strconcat (EAR_APP_ID ".Caller", unique, NULL);
  g_autoptr (GVariant) reply =
    g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                                 g_variant_new ("(su)", name, (guint32) G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE), NULL,
                                 G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
}

static int
try_once (Client *self, guint nth)
{
  /* A launcher only talks to a running Earmark and never owns the name itself. */
  const gboolean asks = !self->alone || nth < self->start;
  g_autoptr (GApplication) application = NULL;
  int status;

  if (!is_running (self) && asks)
    return EAR_COMMAND_TRY_AGAIN;

  application = g_application_new (EAR_APP_ID, G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_HANDLES_OPEN |
                                                 (asks ? G_APPLICATION_IS_LAUNCHER : 0));
  if (!g_application_register (application, NULL, NULL))
    return EAR_COMMAND_TRY_AGAIN;
  if (g_application_get_is_remote (application))
    {
      take_name (self->connection);
      return g_application_run (application, (int) g_strv_length (self->arguments), self->arguments);
    }

  status = ear_command_line_host_run (g_steal_pointer (&application), (const char *const *) self->arguments,
                                      self->line->verb, self->describe);
  self->start = nth + START_LIMIT;

  return status;
}

/* Retries while the owner of the name opens its library or quits. After that, this
 * process runs the verb if it can. */
static int
get_status (Client *self)
{
  for (guint i = 0; i < RETRY_LIMIT; i++)
    {
      const int status = try_once (self, i);

      if (status != EAR_COMMAND_TRY_AGAIN)
        return status;
      if (!self->alone)
        return say_not_running (self);
      g_usleep (RETRY_MS * 1000);
    }

  ear_command_line_print_error (_("Earmark is busy. Try again later"));

  return EAR_COMMAND_FAILED;
}

/* Waits until Earmark has quit, so that a script's next command can rely on it. */
static int
wait_for_end (Client *self)
{
  for (guint i = 0; i < QUIT_LIMIT; i++)
    {
      if (!is_running (self))
        return EAR_COMMAND_DONE;
      g_usleep (RETRY_MS * 1000);
    }

  ear_command_line_print_error (_("Earmark did not quit"));

  return EAR_COMMAND_FAILED;
}

/* Copies standard input to a file: a running Earmark in a sandbox can read its cache
 * folder, but not the listener's folders. */
static gboolean
keep_input (Client *self)
{
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autofree guint8 *data = g_malloc (LIST_LIMIT);
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "earmark", NULL);
  g_autofree char *path = g_build_filename (folder, "import-XXXXXX.opml", NULL);
  gsize length;
  int file;

  if (!g_input_stream_read_all (input, data, LIST_LIMIT, &length, NULL, NULL) || length == LIST_LIMIT)
    return FALSE;
  g_mkdir_with_parents (folder, 0700);
  file = g_mkstemp (path);
  if (file < 0)
    return FALSE;

  close (file);
  self->temporary = g_steal_pointer (&path);
  g_strfreev (self->arguments);
  self->arguments = g_strdupv ((char *[]) { (char *) "earmark", (char *) "--import", self->temporary, NULL });

  return g_file_set_contents (self->temporary, (const char *) data, (gssize) length, NULL);
}

/* Collects output for programs, which is written whole and in UTF-8, whatever the locale.
 * GLib's print handler has no user data, hence the global. */
static GString *printed;

static void
keep_printed (const char *text)
{
  g_string_append (printed, text);
}

static gboolean
write_output (const GString *text)
{
  g_autoptr (GOutputStream) output = g_unix_output_stream_new (STDOUT_FILENO, FALSE);

  return g_output_stream_write_all (output, text->str, text->len, NULL, NULL, NULL);
}

/* Never replaces an existing file without @force. */
static gboolean
write_file (GFile *file, gboolean force, const GString *text, GError **error)
{
  g_autoptr (GFileOutputStream) stream = NULL;

  if (force)
    return g_file_replace_contents (file, text->str, text->len, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, error);

  stream = g_file_create (file, G_FILE_CREATE_NONE, NULL, error);
  if (stream == NULL)
    return FALSE;
  if (g_output_stream_write_all (G_OUTPUT_STREAM (stream), text->str, text->len, NULL, NULL, error) &&
      g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, error))
    return TRUE;
  /* A truncated list would look like a complete one. */
  g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, NULL);
  g_file_delete (file, NULL, NULL);

  return FALSE;
}

static const char *
explain_unwritten (GFile *file, const GError *error)
{
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY)
    return _("This is a folder. Add the name of a file in it");
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    return _("The file already exists. Use --force to replace it");
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return _("The folder does not exist");
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY))
    return _("The folder is read-only");
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    return _("The disk is full");

  return _("The list could not be saved");
}

static int
finish_export (Client *self, const GString *text)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (self->line->value);
  g_autoptr (GError) error = NULL;

  if (g_str_equal (self->line->value, "-") ? write_output (text) : write_file (file, self->line->force, text, &error))
    return EAR_COMMAND_DONE;

  ear_command_line_print_error (explain_unwritten (file, error));

  return EAR_COMMAND_FAILED;
}

/* Whether all output of the verb is one document */
static gboolean
prints_document (EarCommandVerb verb)
{
  return verb == EAR_COMMAND_STATISTICS || verb == EAR_COMMAND_READING_LIST;
}

static int
run_printed (Client *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GPrintFunc before;
  int status;

  printed = text;
  before = g_set_print_handler (keep_printed);
  status = get_status (self);
  g_set_print_handler (before);
  printed = NULL;

  if (prints_document (self->line->verb))
    return status == EAR_COMMAND_DONE && !write_output (text) ? EAR_COMMAND_FAILED : status;
  if (self->line->verb == EAR_COMMAND_STATUS)
    write_output (text);
  else if (status == EAR_COMMAND_DONE)
    return finish_export (self, text);

  return status;
}

static int
run_verb (Client *self)
{
  const EarCommandVerb verb = self->line->verb;
  int status;

  self->alone = verb == EAR_COMMAND_REFRESH || verb == EAR_COMMAND_SYNC || verb == EAR_COMMAND_ADD || verb == EAR_COMMAND_IMPORT || verb == EAR_COMMAND_EXPORT ||
                prints_document (verb);
  self->connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  if (self->connection != NULL)
    g_dbus_connection_set_exit_on_close (self->connection, FALSE);
  else if (!self->alone)
    {
      /* Translators: do not translate DBUS_SESSION_BUS_ADDRESS */
      ear_command_line_print_error (_("No session bus was found, so Earmark cannot be reached. Is DBUS_SESSION_BUS_ADDRESS set?"));
      return EAR_COMMAND_FAILED;
    }

  if (verb == EAR_COMMAND_IMPORT && g_str_equal (self->line->value, "-") && !keep_input (self))
    {
      ear_command_line_print_error (_("The input cannot be read, or is too large"));
      return EAR_COMMAND_FAILED;
    }
  if (verb == EAR_COMMAND_EXPORT || prints_document (verb) || self->line->json)
    return run_printed (self);
  status = get_status (self);

  return verb == EAR_COMMAND_QUIT && status == EAR_COMMAND_DONE ? wait_for_end (self) : status;
}

/**
 * ear_command_line_run:
 * @self: a command line with a verb
 * @arguments: (array zero-terminated=1): the arguments that @self was parsed from
 * @describe: (scope call): turns errors into sentences
 *
 * Runs the verb and prints its output. Blocks.
 *
 * Returns: an [enum@EarCommandStatus], the exit status
 */
int
ear_command_line_run (EarCommandLine *self, const char *const *arguments, EarCommandLineErrorFunc describe)
{
  g_auto (Client) client = { .line = self, .describe = describe };

  if (self->verb == EAR_COMMAND_HELP)
    {
      g_autofree char *help = ear_command_line_dup_help ();

      g_print ("%s", help);
      return EAR_COMMAND_DONE;
    }
  if (self->verb == EAR_COMMAND_VERSION)
    {
      g_print ("Earmark %s\n", EAR_VERSION);
      return EAR_COMMAND_DONE;
    }

  client.arguments = g_strdupv ((char **) arguments);

  return run_verb (&client);
}
