/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-command-line-verbs-private.h"

#include <glib/gi18n-lib.h>

#include "ear-bookmark-export.h"
#include "ear-command-line-text.h"
#include "ear-error.h"

/* Verbs that exchange data with other programs: lists of podcasts, statistics,
 * the reading list. */

/* Prints what could not be imported besides the podcasts that failed.
 * Returns: its number */
static guint
tell_omissions (GApplicationCommandLine *invocation, GPtrArray *omissions)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < omissions->len; i++)
    {
      const EarImportOmission *omission = g_ptr_array_index (omissions, i);
      g_autofree char *reason = ear_import_omission_describe (omission);

      ear_command_line_append_failure (text, i, omission->title, reason);
    }
  ear_command_line_append_rest (text, omissions->len);
  g_application_command_line_printerr_literal (invocation, text->str);

  return omissions->len;
}

/* Every podcast on the list is followed, even if its server did not answer. */
static void
print_imported (EarImporter *importer, GApplicationCommandLine *invocation)
{
  g_autofree char *text = ear_command_line_dup_imported (ear_importer_get_total (importer), ear_importer_get_added (importer)->len,
                                                         ear_importer_get_n_repeated (importer));
  g_autoptr (GPtrArray) failed = g_ptr_array_new ();
  GListModel *failures = ear_importer_get_failures (importer);
  guint n_missing;

  if (ear_command_get (invocation)->ended)
    return;

  for (guint i = 0; i < g_list_model_get_n_items (failures); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (failures, i);

      g_ptr_array_add (failed, podcast);
    }
  g_application_command_line_print_literal (invocation, text);
  n_missing = ear_command_tell_failures (invocation, failed) + tell_omissions (invocation, ear_importer_get_omissions (importer));
  ear_command_end (invocation, n_missing > 0 ? EAR_COMMAND_PARTLY : EAR_COMMAND_DONE);
}

static void
finished_cb (EarImporter *importer, GParamSpec *pspec, GApplicationCommandLine *invocation)
{
  if (ear_importer_get_finished (importer))
    print_imported (importer, invocation);
}

static void
list_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GApplicationCommandLine) invocation = user_data;
  EarImporter *importer = EAR_IMPORTER (source);
  g_autoptr (GError) error = NULL;
  const int n_listed = ear_importer_read_finish (importer, result, &error);

  if (ear_command_get (invocation)->ended)
    return;
  if (n_listed > 0 && !ear_importer_get_finished (importer))
    g_signal_connect_object (importer, "notify::finished", G_CALLBACK (finished_cb), invocation, G_CONNECT_DEFAULT);
  else if (n_listed > 0)
    print_imported (importer, invocation);
  else if (n_listed == 0)
    ear_command_fail (invocation, _("The file contains no podcasts"));
  else
    ear_command_fail_with_error (invocation, error, EAR_ERROR_TOPIC_FILE);
}

/* Follows the podcasts of a list and waits until all were fetched. */
void
ear_command_import (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  const char *folder = g_application_command_line_get_cwd (invocation);
  g_autoptr (GFile) file = folder != NULL ? g_file_new_for_commandline_arg_and_cwd (self->line->value, folder)
                                          : g_file_new_for_commandline_arg (self->line->value);
  g_autoptr (GError) error = NULL;

  if (g_file_is_native (file))
    {
      ear_importer_read_async (ear_library_get_importer (self->library), file, list_loaded_cb, g_object_ref (invocation));
      return;
    }

  error = g_error_new_literal (EAR_ERROR, EAR_ERROR_NOT_FOUND, "No file of this computer");
  ear_command_fail_with_error (invocation, error, EAR_ERROR_TOPIC_FILE);
}

static void
print (GApplicationCommandLine *invocation, GBytes *bytes)
{
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  g_application_command_line_print_literal (invocation, text);
}

/* Prints the list. The caller writes the file, with its own permissions. */
void
ear_command_export (GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  g_autoptr (GBytes) bytes = ear_subscriptions_export (subscriptions, self->line->with_private);
  const guint n_left_out = self->line->with_private ? 0 : ear_subscriptions_count_private (subscriptions);

  print (invocation, bytes);
  if (n_left_out > 0)
    g_application_command_line_printerr (invocation,
                                         ngettext ("%u podcast was left out because its address works like a password. Use --with-private to include it.\n",
                                                   "%u podcasts were left out because their addresses work like passwords. Use --with-private to include them.\n",
                                                   n_left_out),
                                         n_left_out);
  ear_command_end (invocation, EAR_COMMAND_DONE);
}

/* Called once the records are loaded */
typedef void (*LoadedFunc) (EarRecords *records, GParamSpec *pspec,
                            GApplicationCommandLine *invocation);

static void
wait_for_records (GApplicationCommandLine *invocation, EarRecords *records, LoadedFunc callback)
{
  if (ear_records_is_loaded (records))
    callback (records, NULL, invocation);
  else
    g_signal_connect_object (records, "notify::loaded", G_CALLBACK (callback), invocation,
                             G_CONNECT_DEFAULT);
}

static void
listening_loaded_cb (EarRecords *records, GParamSpec *pspec, GApplicationCommandLine *invocation)
{
  EarCommand *self = ear_command_get (invocation);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GBytes) json = NULL;

  if (self->ended)
    return;
  json = ear_listening_export (ear_library_get_listening (self->library), now);
  print (invocation, json);
  ear_command_end (invocation, EAR_COMMAND_DONE);
}

void
ear_command_tell_statistics (GApplicationCommandLine *invocation)
{
  EarListening *listening = ear_library_get_listening (ear_command_get (invocation)->library);

  wait_for_records (invocation, ear_listening_get_records (listening), listening_loaded_cb);
}

static void
links_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GApplicationCommandLine) invocation = user_data;
  EarCommand *self = ear_command_get (invocation);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) links = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);
  g_autoptr (GBytes) bytes = NULL;

  if (self->ended)
    return;
  if (links == NULL)
    {
      ear_command_fail_with_error (invocation, error, EAR_ERROR_TOPIC_FILE);
      return;
    }
  bytes = ear_link_export (ear_library_get_reading_list (self->library), links, self->line->json ? NULL : _("Reading List"));
  print (invocation, bytes);
  ear_command_end (invocation, EAR_COMMAND_DONE);
}

static void
links_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GApplicationCommandLine) invocation = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) places = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  if (ear_command_get (invocation)->ended)
    return;
  if (places == NULL)
    ear_command_fail_with_error (invocation, error, EAR_ERROR_TOPIC_FILE);
  else
    ear_catalogue_read_async (EAR_CATALOGUE (source), ear_read_links ((const EarLinkRef *) (gpointer) places->data, places->len), NULL,
                              links_loaded_cb, g_steal_pointer (&invocation));
}

static void
reading_list_loaded_cb (EarRecords *records, GParamSpec *pspec, GApplicationCommandLine *invocation)
{
  g_autoptr (EarLinkQuery) query = ear_link_query_new ();

  if (ear_command_get (invocation)->ended)
    return;
  ear_catalogue_read_async (ear_library_get_catalogue (ear_command_get (invocation)->library), ear_read_link_refs (query), NULL,
                            links_found_cb, g_object_ref (invocation));
}

void
ear_command_tell_links (GApplicationCommandLine *invocation)
{
  EarReadingList *list = ear_library_get_reading_list (ear_command_get (invocation)->library);

  wait_for_records (invocation, ear_reading_list_get_records (list), reading_list_loaded_cb);
}
