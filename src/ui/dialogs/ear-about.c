/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include "ear-report.h"
#include "ear-share.h"

#include <glib/gi18n.h>
#include <locale.h>

/*
 * About Earmark: the metadata that stores show, the licences of the libraries, and the
 * text that helps to find a fault.
 */

#define METAINFO EAR_RESOURCE_BASE "/about.metainfo.xml"
#define SANDBOX "/.flatpak-info"

/* Targets of links that Earmark handles by itself */
#define DATA_FOLDER "earmark:data-folder"
#define CLEAR_COVERS "earmark:clear-covers"

static const struct
{
  const char *title;
  const char *copyright;
  GtkLicense license_type;
  const char *license; /* (nullable): of a GTK_LICENSE_CUSTOM */
} sections[] = {
  { "GTK, GLib, libadwaita, Pango", "© The GTK and GNOME developers", GTK_LICENSE_LGPL_2_1, NULL },
  { "libsoup, json-glib, libsecret, GdkPixbuf", "© The GNOME developers", GTK_LICENSE_LGPL_2_1,
    NULL },
  { "GStreamer", "© The GStreamer developers", GTK_LICENSE_LGPL_2_1, NULL },
  { "libxml2", "© 1998–2012 Daniel Veillard and the libxml2 contributors", GTK_LICENSE_MIT_X11,
    NULL },
  { "SQLite", NULL, GTK_LICENSE_CUSTOM,
    "The authors of SQLite have dedicated it to the public domain." },
  { "libjpeg-turbo", "© The libjpeg-turbo Project and the Independent JPEG Group",
    GTK_LICENSE_BSD_3, NULL },
};

/* --- Debug information -------------------------------------------------------------- */

static const char *
get_variable (const char *name)
{
  const char *value = g_getenv (name);

  return value != NULL ? value : "unknown";
}

/* Returns: (transfer full): text for a report of a fault, in English, without
 * any private data */
char *
ear_about_dup_debug_info (EarLibrary *library, GtkWidget *parent)
{
  g_autofree char *report = library != NULL ? ear_report_write (library) : g_strdup ("");
  GtkNative *native = parent != NULL ? gtk_widget_get_native (parent) : NULL;
  GskRenderer *renderer = native != NULL ? gtk_native_get_renderer (native) : NULL;

  return g_strdup_printf (
      "Earmark %s (%s)\n\nSystem:\n"
      "- Sandbox: %s\n- Desktop: %s\n- Session: %s\n- Renderer: %s\n- Display: %s\n"
      "- Language: %s\n- GTK: %u.%u.%u\n- libadwaita: %u.%u.%u\n- GLib: %u.%u.%u\n\n%s",
      EAR_VERSION, EAR_APP_ID,
      g_file_test (SANDBOX, G_FILE_TEST_EXISTS) ? "Flatpak" : "none",
      get_variable ("XDG_CURRENT_DESKTOP"), get_variable ("XDG_SESSION_TYPE"),
      renderer != NULL ? G_OBJECT_TYPE_NAME (renderer) : "none",
      parent != NULL ? G_OBJECT_TYPE_NAME (gtk_widget_get_display (parent)) : "none",
      setlocale (LC_MESSAGES, NULL), gtk_get_major_version (), gtk_get_minor_version (),
      gtk_get_micro_version (), adw_get_major_version (), adw_get_minor_version (),
      adw_get_micro_version (), glib_major_version, glib_minor_version, glib_micro_version, report);
}

/* --- The dialog --------------------------------------------------------------------- */

static void
covers_cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLibrary) library = user_data;

  if (ear_cover_cache_clear_finish (EAR_COVER_CACHE (source), result, NULL))
    ear_notices_add (ear_library_get_notices (library), FALSE,
                     _("Covers are loaded again when needed"));
}

static gboolean
link_activated_cb (AdwAboutDialog *dialog, const char *uri, EarLibrary *library)
{
  if (g_str_equal (uri, DATA_FOLDER))
    {
      g_autofree char *state =
          g_build_filename (ear_library_get_data_directory (library), "state", NULL);

      ear_show_in_folder (GTK_WIDGET (dialog), state);
      return TRUE;
    }
  if (g_str_equal (uri, CLEAR_COVERS))
    {
      ear_cover_cache_clear_async (ear_library_get_covers (library), NULL, covers_cleared_cb,
                                   g_object_ref (library));
      /* The window's toast confirms it. */
      adw_dialog_close (ADW_DIALOG (dialog));
      return TRUE;
    }

  return FALSE;
}

AdwDialog *
ear_about_dialog_new (EarLibrary *library, GtkWidget *parent)
{
  static const char *const developers[] = { "The Earmark Project https://earmark-app.github.io",
                                            NULL };
  AdwDialog *dialog = adw_about_dialog_new_from_appdata (METAINFO, EAR_VERSION);
  AdwAboutDialog *about = ADW_ABOUT_DIALOG (dialog);
  g_autofree char *debug_info = ear_about_dup_debug_info (library, parent);

  adw_about_dialog_set_application_icon (about, EAR_APP_ID);
  adw_about_dialog_set_version (about, EAR_VERSION);
  adw_about_dialog_set_copyright (about, "© 2026 The Earmark Project");
  adw_about_dialog_set_developers (about, (const char **) developers);
  /* Translators: your names, one a line */
  adw_about_dialog_set_translator_credits (about, _("translator-credits"));
  for (gsize i = 0; i < G_N_ELEMENTS (sections); i++)
    adw_about_dialog_add_legal_section (about, sections[i].title, sections[i].copyright,
                                        sections[i].license_type, sections[i].license);
  adw_about_dialog_set_debug_info (about, debug_info);
  adw_about_dialog_set_debug_info_filename (about, "earmark-debug-info.txt");
  if (library != NULL)
    {
      adw_about_dialog_add_link (about, _("Open Data _Folder"), DATA_FOLDER);
      adw_about_dialog_add_link (about, _("_Clear Cover Cache"), CLEAR_COVERS);
      g_signal_connect_object (dialog, "activate-link", G_CALLBACK (link_activated_cb), library, 0);
    }

  return dialog;
}
