/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"
#include "paths.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "ear-application.h"
#include "ear-background.h"
#include "ear-command-line-client.h"
#include "ear-command-line-text.h"
#include "ear-error-text.h"
#include "ear-format-episode.h"
#include "ear-mpris.h"
#include "ear-notifier.h"
#include "ear-search-provider.h"
#include "ear-suspend-inhibitor.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

/* More heaps than threads, even during playback: a thread that shares a heap with the
 * main thread and is preempted while it holds the heap's lock would block the main
 * thread. The C library's default is eight heaps per processor. */
#define N_HEAPS 32

static void
watched_cb (EarApplication *application)
{
  EarNotifier *notifier = g_object_get_data (G_OBJECT (application), "ear-notifier");
  g_autofree char *watched = NULL;

  g_object_get (application, "watched", &watched, NULL);
  if (notifier != NULL)
    ear_notifier_set_watched (notifier, watched);
}

/* Cancels the commands in progress: their clients have to ask again. */
static void
drop_commands (gpointer commands)
{
  g_cancellable_cancel (commands);
  g_object_unref (commands);
}

/* Creates the session services (MPRIS, notifications, background) for an open library and
 * removes them when it closes. */
static void
library_changed_cb (EarApplication *application)
{
  GDBusConnection *session = g_application_get_dbus_connection (G_APPLICATION (application));
  EarLibrary *library = ear_application_get_library (application);
  EarSearchProvider *provider = g_object_get_data (G_OBJECT (application), "ear-search-provider");
  EarBackground *background;

  if (provider != NULL)
    ear_search_provider_set_library (provider, library);
  g_object_set_data_full (G_OBJECT (application), "ear-commands", g_cancellable_new (), drop_commands);
  g_object_set_data (G_OBJECT (application), "ear-mpris", NULL);
  g_object_set_data (G_OBJECT (application), "ear-suspend-inhibitor", NULL);
  g_object_set_data (G_OBJECT (application), "ear-notifier", NULL);
  g_object_set_data (G_OBJECT (application), "ear-background", NULL);
  if (library == NULL || session == NULL)
    return;

  g_object_set_data_full (G_OBJECT (application), "ear-mpris",
                          ear_mpris_new (library, G_APPLICATION (application), session), g_object_unref);
  g_object_set_data_full (G_OBJECT (application), "ear-suspend-inhibitor",
                          ear_suspend_inhibitor_new (ear_library_get_player (library), session), g_object_unref);
  g_object_set_data_full (G_OBJECT (application), "ear-notifier",
                          ear_notifier_new (library, G_APPLICATION (application)), g_object_unref);
  background = ear_background_new (library, session);
  g_object_bind_property (application, "in-background", background, "in-background", G_BINDING_SYNC_CREATE);
  g_object_bind_property (background, "refused", application, "background-refused", G_BINDING_SYNC_CREATE);
  g_object_set_data_full (G_OBJECT (application), "ear-background", background, g_object_unref);
}

/* Returns: the folder of translations. EARMARK_LOCALE_DIR overrides it, for builds that
 *   are not installed. */
static const char *
find_locale_dir (void)
{
  const char *folder = g_getenv ("EARMARK_LOCALE_DIR");

  return folder != NULL && *folder != '\0' ? folder : EAR_LOCALE_DIR;
}

static void
part_heaps (void)
{
#ifdef HAVE_MALLOC_TRIM
  mallopt (M_ARENA_MAX, N_HEAPS);
#endif
}

static char *
describe_error (const GError *error, EarErrorTopic topic)
{
  const EarErrorSubject subject = topic == EAR_ERROR_TOPIC_SEARCH ? EAR_ERROR_ABOUT_SEARCH
                                  : topic == EAR_ERROR_TOPIC_SYNC ? EAR_ERROR_ABOUT_SYNC
                                                                  : EAR_ERROR_ABOUT_FEED;

  return g_strdup (topic == EAR_ERROR_TOPIC_FILE ? ear_error_text_importing (error)
                                                 : ear_error_text_body (error, subject));
}

static int
command_line_cb (EarApplication *application, GApplicationCommandLine *invocation)
{
  const EarCommandLineHost host = {
    .library = ear_application_get_library (application),
    .application = G_APPLICATION (application),
    .cancellable = g_object_get_data (G_OBJECT (application), "ear-commands"),
    .describe = describe_error,
  };

  return ear_command_line_answer (invocation, &host);
}

static char *
describe_result (EarEpisode *episode)
{
  return ear_format_result (episode, g_get_real_time () / G_USEC_PER_SEC);
}

/* Exports the search provider before the application owns its bus name: the shell that
 * started Earmark for a search sends its request as soon as the name is owned. */
static void
provide_search (EarApplication *application)
{
  g_autoptr (GDBusConnection) session = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autofree char *data = g_build_filename (g_get_user_data_dir (), "earmark", NULL);
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "earmark", NULL);

  if (session != NULL)
    g_object_set_data_full (G_OBJECT (application), "ear-search-provider",
                            ear_search_provider_new (G_APPLICATION (application), session, data, cache, describe_result),
                            g_object_unref);
}

static int
show_window (EarCommandLine *line, const char *program)
{
  g_autoptr (EarApplication) application = ear_application_new ();
  g_auto (GStrv) arguments = ear_command_line_dup_argv (line, program);
  int status;

  ear_application_install_actions (application);
  provide_search (application);
  g_signal_connect (application, "notify::library", G_CALLBACK (library_changed_cb), NULL);
  g_signal_connect (application, "notify::watched", G_CALLBACK (watched_cb), NULL);
  g_signal_connect (application, "command-line", G_CALLBACK (command_line_cb), NULL);

  status = g_application_run (G_APPLICATION (application), (int) g_strv_length (arguments), arguments);
  /* The provider and the application hold references to each other. */
  g_object_set_data (G_OBJECT (application), "ear-search-provider", NULL);

  return status;
}

int
main (int argc, char *argv[])
{
  g_autoptr (EarCommandLine) line = NULL;
  g_autoptr (GError) error = NULL;

  part_heaps ();
  setlocale (LC_ALL, "");
  ear_command_line_begin_printing ();
  bindtextdomain (GETTEXT_PACKAGE, find_locale_dir ());
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_application_name ("Earmark");

  line = ear_command_line_parse ((const char *const *) argv, &error);
  if (line == NULL)
    {
      ear_command_line_print_misuse (error);
      return EAR_COMMAND_MISUSED;
    }

  /* Must not need a display */
  if (line->verb != EAR_COMMAND_OPEN)
    return ear_command_line_run (line, (const char *const *) argv, describe_error);

  return show_window (line, argv[0]);
}
