/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-client.h"

#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

#include "ear-command-line-host.h"
#include "ear-control.h"

/*
 * Carries out a command line: asks a running Earmark over the bus, or does the work itself
 * where that makes sense and none runs (ear-command-line-host.c). The words that are printed are made here, in
 * the caller's language. Nothing needs a display.
 */

/* How often somebody who has the name, but no library, is asked again, and how long. */
#define RETRY_MS 100
#define RETRY_LIMIT (60 * 1000 / RETRY_MS)
/* For how long an Earmark with a window is waited for that was just started, or asked to quit */
#define START_LIMIT (15 * 1000 / RETRY_MS)
#define QUIT_LIMIT (10 * 1000 / RETRY_MS)
#define LIST_LIMIT (32 * 1024 * 1024)

typedef struct
{
  EarCommandLine *line;
  EarCommandLineErrorFunc describe;
  GDBusConnection *connection;
  char *path;          /* of the application on the bus */
  char *temporary;     /* (nullable): a file that what came in was written to */
} Client;

static void
client_clear (Client *self)
{
  if (self->temporary != NULL)
    unlink (self->temporary);
  g_free (self->temporary);
  g_clear_object (&self->connection);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Client, client_clear)

/* What a verb is called on the bus, and whether it is done without a running Earmark too */
static const struct
{
  EarCommandVerb verb;
  const char *method;
  gboolean alone;
} methods[] = {
  { EAR_COMMAND_PLAY_PAUSE, "PlayPause", FALSE },
  { EAR_COMMAND_PLAY, "Play", FALSE },
  { EAR_COMMAND_PAUSE, "Pause", FALSE },
  { EAR_COMMAND_NEXT, "Next", FALSE },
  { EAR_COMMAND_PREVIOUS, "Previous", FALSE },
  { EAR_COMMAND_SPEED, "SetSpeed", FALSE },
  { EAR_COMMAND_STATUS, "GetStatus", FALSE },
  { EAR_COMMAND_REFRESH, "Refresh", TRUE },
  { EAR_COMMAND_ADD, "Add", TRUE },
  { EAR_COMMAND_IMPORT, "Import", TRUE },
  { EAR_COMMAND_EXPORT, "Export", TRUE },
  { EAR_COMMAND_QUIT, "Quit", FALSE },
};

/* --- Printing ------------------------------------------------------------------------- */

static void
print_error (const char *message)
{
  g_autofree char *printable = ear_command_line_dup_printable (message);

  g_printerr ("earmark: %s\n", printable);
}

/**
 * ear_command_line_print_misuse:
 * @error: why a command line makes no sense
 *
 * Says so.
 */
void
ear_command_line_print_misuse (const GError *error)
{
  print_error (error->message);
  g_printerr ("%s\n", _("“earmark --help” shows all options."));
}

static char *
describe_own (const GError *error)
{
  static const char *const sentences[] = {
    [EAR_CONTROL_ERROR_NOTHING_TO_PLAY] = N_("There is no episode in the player"),
    [EAR_CONTROL_ERROR_NO_NEXT] = N_("There is no next episode"),
    [EAR_CONTROL_ERROR_NO_PREVIOUS] = N_("There is no previous episode"),
    [EAR_CONTROL_ERROR_NOT_SEEKABLE] = N_("This episode can only be heard from its beginning"),
    [EAR_CONTROL_ERROR_BEYOND_END] = N_("The episode is not that long"),
    [EAR_CONTROL_ERROR_NO_ADDRESS] = N_("That is not a web address. Web addresses look like https://example.org/feed.xml"),
    [EAR_CONTROL_ERROR_NOTHING_FOUND] = N_("There is no podcast at this address"),
    [EAR_CONTROL_ERROR_LIST] = N_("There is a list of podcasts at this address. Save it, and follow all of them with --import"),
    [EAR_CONTROL_ERROR_EMPTY_LIST] = N_("There are no podcasts in that file"),
    [EAR_CONTROL_ERROR_BUSY] = N_("Earmark is busy. Try again in a while"),
  };

  if (error->code >= 0 && error->code < (int) G_N_ELEMENTS (sentences))
    return g_strdup (_(sentences[error->code]));

  return g_strdup (error->message);
}

static char *
describe_error (Client *self, const GError *error)
{
  const EarCommandVerb verb = self->line->verb;

  if (error->domain == EAR_CONTROL_ERROR)
    return describe_own (error);
  if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
    return g_strdup (_("Earmark quit before this was done"));

  return self->describe (error, verb == EAR_COMMAND_ADD      ? EAR_ERROR_TOPIC_SEARCH
                                : verb == EAR_COMMAND_IMPORT ? EAR_ERROR_TOPIC_FILE
                                                             : EAR_ERROR_TOPIC_FEED);
}

static int
fail (Client *self, const GError *error)
{
  g_autofree char *message = describe_error (self, error);

  print_error (message);

  return EAR_COMMAND_FAILED;
}

static int
say_not_running (Client *self)
{
  if (self->line->json)
    {
      g_autofree char *json = ear_command_line_dup_status_json (NULL);

      fputs (json, stdout);
    }
  else if (self->line->verb == EAR_COMMAND_STATUS)
    g_print ("%s\n", _("Earmark is not running"));
  else
    print_error (_("Earmark is not running"));

  return EAR_COMMAND_NOT_RUNNING;
}

/* --- Asking --------------------------------------------------------------------------- */

typedef enum
{
  ANSWERED,
  NOT_RUNNING,
  NO_LIBRARY, /* it starts, ends, or works without a window */
} Answer;

static Answer
ask (Client *self, const char *method, GVariant *parameters, GVariant **reply, GError **error)
{
  g_autoptr (GError) local = NULL;

  *reply = g_dbus_connection_call_sync (self->connection, EAR_APP_ID, self->path, EAR_CONTROL_INTERFACE, method, parameters,
                                        NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, G_MAXINT, NULL, &local);
  if (*reply != NULL)
    return ANSWERED;
  if (g_error_matches (local, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
      g_error_matches (local, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER))
    return NOT_RUNNING;
  if (g_error_matches (local, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD) ||
      g_error_matches (local, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_OBJECT) ||
      g_error_matches (local, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_INTERFACE))
    return NO_LIBRARY;

  g_propagate_error (error, g_steal_pointer (&local));

  return ANSWERED;
}

/* Whoever has the name but no library gets one, or goes: then it is done here, if it can be. */
static int
get_answer (Client *self, const char *method, gboolean alone, GVariant *parameters, GVariant **reply, GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (parameters);
  guint start = 0; /* not before this is it done here */

  for (guint i = 0; i < RETRY_LIMIT; i++)
    {
      const Answer answer = ask (self, method, owned, reply, error);

      if (answer == ANSWERED)
        return *reply != NULL ? EAR_COMMAND_DONE : fail (self, *error);
      if (!alone)
        return say_not_running (self);
      if (answer == NOT_RUNNING && i >= start)
        switch (ear_command_line_host_run (EAR_HOST_WITH_BUS, method, owned, reply, error))
          {
          case EAR_HOST_ENDED:
            return *reply != NULL ? EAR_COMMAND_DONE : fail (self, *error);
          case EAR_HOST_STOPPED:
            return EAR_COMMAND_FAILED;
          case EAR_HOST_ELSEWHERE:
          default:
            start = i + START_LIMIT;
            break;
          }
      g_usleep (RETRY_MS * 1000);
    }

  print_error (_("Earmark is busy. Try again in a while"));

  return EAR_COMMAND_FAILED;
}

/* Nobody can be asked. The lock on the library tells whether somebody is at work on it. */
static int
work_without_bus (Client *self, const char *method, GVariant *parameters, GVariant **reply, GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (parameters);

  switch (ear_command_line_host_run (EAR_HOST_WITHOUT_BUS, method, owned, reply, error))
    {
    case EAR_HOST_ENDED:
      return *reply != NULL ? EAR_COMMAND_DONE : fail (self, *error);
    case EAR_HOST_ELSEWHERE:
      /* Translators: DBUS_SESSION_BUS_ADDRESS stays as it is */
      print_error (_("Earmark is running, and cannot be asked without a session bus. Quit it, or set DBUS_SESSION_BUS_ADDRESS."));
      return EAR_COMMAND_FAILED;
    case EAR_HOST_STOPPED:
    default:
      return EAR_COMMAND_FAILED;
    }
}

/* --- Lists ---------------------------------------------------------------------------- */

/* Through a file: a sandbox does not see the listener's folders, but what is piped into it. */
static char *
keep_input (Client *self)
{
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autofree guint8 *data = g_malloc (LIST_LIMIT);
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "earmark", NULL);
  g_autofree char *path = g_build_filename (folder, "import-XXXXXX.opml", NULL);
  gsize length;
  int file;

  if (!g_input_stream_read_all (input, data, LIST_LIMIT, &length, NULL, NULL) || length == LIST_LIMIT)
    return NULL;
  g_mkdir_with_parents (folder, 0700);
  file = g_mkstemp (path);
  if (file < 0)
    return NULL;

  close (file);
  self->temporary = g_steal_pointer (&path);

  return g_file_set_contents (self->temporary, (const char *) data, (gssize) length, NULL) ? g_filename_to_uri (self->temporary, NULL, NULL) : NULL;
}

static gboolean
write_output (const char *data, gsize length)
{
  g_autoptr (GOutputStream) output = g_unix_output_stream_new (STDOUT_FILENO, FALSE);

  return g_output_stream_write_all (output, data, length, NULL, NULL, NULL);
}

/* Whatever is there stays, unless it was said that it need not. */
static gboolean
write_file (EarCommandLine *line, const char *data, gsize length, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (line->value);
  g_autoptr (GFileOutputStream) stream = NULL;

  if (line->force)
    return g_file_replace_contents (file, data, length, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, error);

  stream = g_file_create (file, G_FILE_CREATE_NONE, NULL, error);

  return stream != NULL && g_output_stream_write_all (G_OUTPUT_STREAM (stream), data, length, NULL, NULL, error) &&
         g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, error);
}

static int
finish_export (Client *self, GVariant *reply)
{
  g_autoptr (GVariant) contents = g_variant_get_child_value (reply, 0);
  g_autoptr (GError) error = NULL;
  guint n_left_out;
  gsize length;
  const char *data = g_variant_get_fixed_array (contents, &length, 1);

  g_variant_get_child (reply, 1, "u", &n_left_out);
  if (g_str_equal (self->line->value, "-") ? !write_output (data, length) : !write_file (self->line, data, length, &error))
    {
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
        print_error (_("There is already a file with that name. Use --force to replace it"));
      else
        print_error (_("The list could not be saved there"));
      return EAR_COMMAND_FAILED;
    }

  if (n_left_out > 0)
    g_printerr (ngettext ("%u podcast was left out, since its address works like a password. With --with-private it is exported too.\n",
                          "%u podcasts were left out, since their addresses work like passwords. With --with-private they are exported too.\n",
                          n_left_out),
                n_left_out);

  return EAR_COMMAND_DONE;
}

/* --- Verbs ---------------------------------------------------------------------------- */

static void
print_choices (GVariant *choices)
{
  print_error (_("This page leads to several podcasts. Add one of them by its address:"));
  for (gsize i = 0; i < g_variant_n_children (choices); i++)
    {
      const char *title;
      const char *address;
      g_autofree char *shown_title = NULL;
      g_autofree char *shown_address = NULL;

      g_variant_get_child (choices, i, "(&s&s)", &title, &address);
      shown_title = ear_command_line_dup_printable (title);
      shown_address = ear_command_line_dup_printable (address);
      g_printerr ("%s  %s\n", shown_address, shown_title);
    }
}

static int
finish_add (GVariant *values)
{
  g_autoptr (GVariant) choices = g_variant_lookup_value (values, "choices", G_VARIANT_TYPE ("a(ss)"));
  const char *title = "";
  g_autofree char *shown = NULL;
  gboolean known = FALSE;
  guint n_episodes = 0;

  if (choices != NULL)
    {
      print_choices (choices);
      return EAR_COMMAND_FAILED;
    }

  g_variant_lookup (values, "title", "&s", &title);
  g_variant_lookup (values, "known", "b", &known);
  g_variant_lookup (values, "episodes", "u", &n_episodes);
  shown = ear_command_line_dup_printable (title);
  if (known)
    /* Translators: %s is the title of a podcast */
    g_print (_("You already follow “%s”"), shown);
  else
    /* Translators: %s is the title of a podcast */
    g_print (ngettext ("Followed “%s” with %u episode", "Followed “%s” with %u episodes", n_episodes), shown, n_episodes);
  g_print ("\n");

  return EAR_COMMAND_DONE;
}

static int
finish_many (Client *self, GVariant *values)
{
  g_autofree char *failures = NULL;
  g_autofree char *text = self->line->verb == EAR_COMMAND_REFRESH
                            ? ear_command_line_dup_refreshed (values, self->describe, &failures)
                            : ear_command_line_dup_imported (values, self->describe, &failures);
  g_autoptr (GVariant) failed = g_variant_lookup_value (values, "failures", G_VARIANT_TYPE ("a(ss)"));
  guint n_checked = 0;

  g_print ("%s", text);
  if (failures == NULL)
    return EAR_COMMAND_DONE;

  /* What is on a list is followed, whether its server is there or not. */
  g_printerr ("%s", failures);
  g_variant_lookup (values, "checked", "u", &n_checked);

  return self->line->verb == EAR_COMMAND_IMPORT || g_variant_n_children (failed) < n_checked ? EAR_COMMAND_PARTLY : EAR_COMMAND_FAILED;
}

static void
print_status (Client *self, GVariant *values)
{
  g_autofree char *text = self->line->json ? ear_command_line_dup_status_json (values) : ear_command_line_dup_status (values);

  if (self->line->json)
    fputs (text, stdout);
  else
    g_print ("%s", text);
}

/* When the command ends, so has Earmark: what comes after it can rely on that. */
static int
wait_for_end (Client *self)
{
  for (guint i = 0; i < QUIT_LIMIT; i++)
    {
      g_autoptr (GVariant) reply =
        g_dbus_connection_call_sync (self->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                     "NameHasOwner", g_variant_new ("(s)", EAR_APP_ID), G_VARIANT_TYPE ("(b)"),
                                     G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
      gboolean owned = FALSE;

      if (reply != NULL)
        g_variant_get (reply, "(b)", &owned);
      if (!owned)
        return EAR_COMMAND_DONE;
      g_usleep (RETRY_MS * 1000);
    }

  print_error (_("Earmark did not quit"));

  return EAR_COMMAND_FAILED;
}

static int
finish (Client *self, GVariant *reply)
{
  g_autoptr (GVariant) values = NULL;

  if (self->line->verb == EAR_COMMAND_EXPORT && g_variant_is_of_type (reply, G_VARIANT_TYPE ("(ayu)")))
    return finish_export (self, reply);
  if (self->line->verb == EAR_COMMAND_QUIT)
    return wait_for_end (self);
  if (!g_variant_is_of_type (reply, G_VARIANT_TYPE ("(a{sv})")))
    return EAR_COMMAND_DONE;

  values = g_variant_get_child_value (reply, 0);
  switch (self->line->verb)
    {
    case EAR_COMMAND_STATUS:
      print_status (self, values);
      return EAR_COMMAND_DONE;
    case EAR_COMMAND_ADD:
      return finish_add (values);
    case EAR_COMMAND_REFRESH:
    case EAR_COMMAND_IMPORT:
      return finish_many (self, values);
    case EAR_COMMAND_OPEN:
    case EAR_COMMAND_HELP:
    case EAR_COMMAND_VERSION:
    case EAR_COMMAND_PLAY_PAUSE:
    case EAR_COMMAND_PLAY:
    case EAR_COMMAND_PAUSE:
    case EAR_COMMAND_NEXT:
    case EAR_COMMAND_PREVIOUS:
    case EAR_COMMAND_SEEK:
    case EAR_COMMAND_SPEED:
    case EAR_COMMAND_EXPORT:
    case EAR_COMMAND_QUIT:
    default:
      return EAR_COMMAND_DONE;
    }
}

/* (nullable): what cannot be asked for at all was told */
static GVariant *
create_parameters (Client *self)
{
  EarCommandLine *line = self->line;
  g_autofree char *uri = NULL;

  switch (line->verb)
    {
    case EAR_COMMAND_SEEK:
      return line->skip != 0 ? g_variant_new ("(b)", line->skip > 0) : g_variant_new ("(x)", line->time);
    case EAR_COMMAND_SPEED:
      return g_variant_new ("(d)", line->speed);
    case EAR_COMMAND_EXPORT:
      return g_variant_new ("(b)", line->with_private);
    case EAR_COMMAND_ADD:
      uri = g_utf8_make_valid (line->value, -1);
      return g_variant_new ("(s)", uri);
    case EAR_COMMAND_IMPORT:
      if (g_str_equal (line->value, "-"))
        uri = keep_input (self);
      else
        {
          g_autoptr (GFile) file = g_file_new_for_commandline_arg (line->value);

          uri = g_file_get_uri (file);
        }
      if (uri != NULL)
        return g_variant_new ("(s)", uri);
      print_error (_("The input cannot be read, or is too long for a list of podcasts"));
      return NULL;
    case EAR_COMMAND_OPEN:
    case EAR_COMMAND_HELP:
    case EAR_COMMAND_VERSION:
    case EAR_COMMAND_PLAY_PAUSE:
    case EAR_COMMAND_PLAY:
    case EAR_COMMAND_PAUSE:
    case EAR_COMMAND_NEXT:
    case EAR_COMMAND_PREVIOUS:
    case EAR_COMMAND_STATUS:
    case EAR_COMMAND_REFRESH:
    case EAR_COMMAND_QUIT:
    default:
      return g_variant_new ("()");
    }
}

static int
run_verb (Client *self)
{
  const EarCommandVerb verb = self->line->verb;
  const char *method = self->line->skip != 0 ? "Skip" : self->line->relative ? "SeekBy" : "SeekTo";
  gboolean alone = FALSE;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  GVariant *parameters;
  int status;

  for (gsize i = 0; i < G_N_ELEMENTS (methods); i++)
    if (methods[i].verb == verb)
      {
        method = methods[i].method;
        alone = methods[i].alone;
      }
  self->connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  if (self->connection == NULL && !alone)
    {
      /* Translators: DBUS_SESSION_BUS_ADDRESS stays as it is */
      print_error (_("There is no session bus, so it is not known whether Earmark is running. Is DBUS_SESSION_BUS_ADDRESS set?"));
      return EAR_COMMAND_FAILED;
    }

  parameters = create_parameters (self);
  if (parameters == NULL)
    return EAR_COMMAND_FAILED;
  if (self->connection == NULL)
    status = work_without_bus (self, method, parameters, &reply, &error);
  else
    {
      g_dbus_connection_set_exit_on_close (self->connection, FALSE);
      status = get_answer (self, method, alone, parameters, &reply, &error);
    }

  return reply != NULL ? finish (self, reply) : status;
}

/**
 * ear_command_line_run:
 * @self: a command line with a verb
 * @describe: (scope call): knows words for what goes wrong
 *
 * Does what is asked for, and prints what there is to say.
 *
 * Returns: an [enum@EarCommandStatus], to end with
 */
int
ear_command_line_run (EarCommandLine *self, EarCommandLineErrorFunc describe)
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

  client.path = g_strdelimit (g_strdup ("/" EAR_APP_ID), ".", '/');
  ear_control_error_register ();

  return run_verb (&client);
}
