/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "ear-alert.h"
#include "ear-application-actions.h"
#include "ear-error-text.h"
#include "ear-window.h"

/*
 * The actions of the application that exchange lists of podcasts with other programs.
 */

static GListModel *
create_filters (void)
{
  g_autoptr (GtkFileFilter) lists = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  GListStore *filters = g_list_store_new (GTK_TYPE_FILE_FILTER);

  gtk_file_filter_set_name (lists, _("Podcast Lists"));
  gtk_file_filter_add_suffix (lists, "opml");
  gtk_file_filter_add_suffix (lists, "xml");
  /* Of GNOME Podcasts, Kasts and gPodder */
  gtk_file_filter_add_pattern (lists, "podcasts.db");
  gtk_file_filter_add_pattern (lists, "database.db3");
  gtk_file_filter_add_pattern (lists, "Database");
  gtk_file_filter_add_mime_type (lists, "text/x-opml");
  gtk_file_filter_add_mime_type (lists, "text/x-opml+xml");
  gtk_file_filter_set_name (all, _("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  g_list_store_append (filters, lists);
  g_list_store_append (filters, all);

  return G_LIST_MODEL (filters);
}

/* --- In ------------------------------------------------------------------------------- */

static void
imported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  const int n = ear_importer_read_finish (EAR_IMPORTER (source), result, &error);
  g_autofree char *reason = NULL;

  if (n == 0)
    ear_application_show_notice (self, _("The file contains no podcasts"), TRUE);
  if (n >= 0 || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  reason = ear_error_text_importing (error);
  ear_application_show_notice (self, reason, TRUE);
}

static void
import_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GFile) file = gtk_file_dialog_open_finish (GTK_FILE_DIALOG (source), result, NULL);
  EarLibrary *library = ear_application_get_library (self);

  if (file != NULL && library != NULL)
    ear_importer_read_async (ear_library_get_importer (library), file, NULL, imported_cb, g_steal_pointer (&self));
}

static void
import_list (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarWindow *window = ear_application_get_window (EAR_APPLICATION (user_data));
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autoptr (GListModel) filters = create_filters ();

  if (window == NULL)
    return;

  gtk_file_dialog_set_title (dialog, _("Import Podcasts"));
  gtk_file_dialog_set_filters (dialog, filters);
  gtk_file_dialog_open (dialog, GTK_WINDOW (window), NULL, import_chosen_cb, g_object_ref (user_data));
}

/* What another program asks for is never done unseen: where there is a library there is a window that
 * tells of it. What comes while none can be had is done later. */
static EarLibrary *
ensure_library (EarApplication *self, GSimpleAction *action, GVariant *parameter)
{
  if (ear_application_get_window (self) == NULL || ear_application_get_library (self) == NULL)
    g_application_activate (G_APPLICATION (self));
  if (ear_application_put_off (self, g_action_get_name (G_ACTION (action)), parameter))
    return NULL;

  return ear_application_get_window (self) != NULL ? ear_application_get_library (self) : NULL;
}

/* For other programs and for tests: without a question, but with a bar that shows it, and a
 * toast that takes it back. */
static void
import_file (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  EarLibrary *library = ensure_library (self, action, parameter);

  if (library != NULL)
    ear_importer_read_async (ear_library_get_importer (library), file, NULL, imported_cb, g_object_ref (self));
}

/* An address for other programs: they show the podcast, and the listener follows it. */
static void
add (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);

  if (ensure_library (self, action, parameter) != NULL)
    ear_window_open_address (ear_application_get_window (self), g_variant_get_string (parameter, NULL));
}

/* --- Out ------------------------------------------------------------------------------ */

static void
exported_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) list = ear_subscriptions_export_finish (EAR_SUBSCRIPTIONS (source), result, &error);

  if (list != NULL)
    ear_application_show_notice (self, _("Podcasts exported"), FALSE);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ear_application_show_notice (self, _("The list could not be saved"), TRUE);
}

static void
export_to_chosen (EarApplication *self, GtkFileDialog *dialog, GAsyncResult *result, gboolean with_private)
{
  g_autoptr (GFile) file = gtk_file_dialog_save_finish (dialog, result, NULL);
  EarLibrary *library = ear_application_get_library (self);

  if (file != NULL && library != NULL)
    ear_subscriptions_export_async (ear_library_get_subscriptions (library), file, TRUE, with_private, NULL,
                                    exported_cb, g_object_ref (self));
  g_object_unref (self);
}

static void
public_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  export_to_chosen (user_data, GTK_FILE_DIALOG (source), result, FALSE);
}

static void
all_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  export_to_chosen (user_data, GTK_FILE_DIALOG (source), result, TRUE);
}

static void
choose_file (EarApplication *self, GAsyncReadyCallback chosen_cb)
{
  g_autoptr (GtkFileDialog) dialog = gtk_file_dialog_new ();
  g_autoptr (GListModel) filters = create_filters ();

  gtk_file_dialog_set_title (dialog, _("Export Podcasts"));
  gtk_file_dialog_set_initial_name (dialog, "podcasts.opml");
  gtk_file_dialog_set_filters (dialog, filters);
  gtk_file_dialog_save (dialog, GTK_WINDOW (ear_application_get_window (self)), NULL, chosen_cb, g_object_ref (self));
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarApplication) self = user_data;
  const char *answer = adw_alert_dialog_choose_finish (ADW_ALERT_DIALOG (source), result);

  if (!g_str_equal (answer, "cancel"))
    choose_file (self, g_str_equal (answer, "all") ? all_chosen_cb : public_chosen_cb);
}

/* An address with a password or a token in it is not handed on without a question. */
static void
ask_about_private (EarApplication *self, guint n_private)
{
  AdwDialog *dialog = ear_alert_new (_("Export Private Podcasts?"));

  adw_alert_dialog_format_body (ADW_ALERT_DIALOG (dialog),
                                ngettext ("The address of %u podcast works like a password. Anyone with the list could listen in your name.",
                                          "The addresses of %u podcasts work like passwords. Anyone with the list could listen in your name.",
                                          n_private),
                                n_private);
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog),
                                  "cancel", _("_Cancel"),
                                  "public", _("_Leave Out"),
                                  "all", _("_Export All"),
                                  NULL);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "public");
  /* Else Escape would answer in a word of its own. */
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "public", ADW_RESPONSE_SUGGESTED);
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), "all", ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog), GTK_WIDGET (ear_application_get_window (self)), NULL, answered_cb,
                           g_object_ref (self));
}

static void
export_list (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  EarLibrary *library = ear_application_get_library (self);
  guint n_private;

  if (ear_application_get_window (self) == NULL || library == NULL)
    return;

  n_private = ear_subscriptions_count_private (ear_library_get_subscriptions (library));
  if (n_private > 0)
    ask_about_private (self, n_private);
  else
    choose_file (self, public_chosen_cb);
}

/* For other programs: into a new file whose name says what it is, without the addresses that
 * work like passwords. Whatever is there already stays. */
static void
export_file (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  EarApplication *self = EAR_APPLICATION (user_data);
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));
  g_autofree char *name = g_file_get_basename (file);
  EarLibrary *library = ensure_library (self, action, parameter);

  if (library == NULL)
    return;
  if (!g_file_is_native (file) || name == NULL || *name == '.' || !g_str_has_suffix (name, ".opml"))
    {
      ear_application_show_notice (self, _("The list could not be saved"), TRUE);
      return;
    }

  ear_subscriptions_export_async (ear_library_get_subscriptions (library), file, FALSE, FALSE, NULL, exported_cb,
                                  g_object_ref (self));
}

static const GActionEntry actions[] = {
  { "add", add, "s" },
  { "import", import_list },
  { "import-file", import_file, "s" },
  { "export", export_list },
  { "export-file", export_file, "s" },
};

/* Adds the actions that import and export. */
void
ear_application_install_opml_actions (EarApplication *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
