/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-about.h"

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

static void
add_sandbox (GString *text)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *runtime = NULL;

  if (!g_key_file_load_from_file (file, SANDBOX, G_KEY_FILE_NONE, NULL))
    {
      g_string_append (text, "- Sandbox: none\n");
      return;
    }
  runtime = g_key_file_get_string (file, "Application", "runtime", NULL);
  g_string_append_printf (text, "- Sandbox: Flatpak, %s\n",
                          runtime != NULL ? runtime : "unknown runtime");
}

static void
add_variable (GString *text, const char *name, const char *variable)
{
  const char *value = g_getenv (variable);

  g_string_append_printf (text, "- %s: %s\n", name, value != NULL ? value : "unknown");
}

static void
add_renderer (GString *text, GtkWidget *widget)
{
  GtkNative *native = widget != NULL ? gtk_widget_get_native (widget) : NULL;
  GskRenderer *renderer = native != NULL ? gtk_native_get_renderer (native) : NULL;
  GdkDisplay *display = widget != NULL ? gtk_widget_get_display (widget) : NULL;

  g_string_append_printf (text, "- Renderer: %s\n",
                          renderer != NULL ? G_OBJECT_TYPE_NAME (renderer) : "none");
  g_string_append_printf (text, "- Display: %s\n",
                          display != NULL ? G_OBJECT_TYPE_NAME (display) : "none");
}

/* Returns: (transfer full): text for a report of a fault, in English, without
 * any private data */
char *
ear_about_dup_debug_info (EarLibrary *library, GtkWidget *parent)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *report = library != NULL ? ear_report_write (library) : NULL;

  g_string_append_printf (text, "Earmark %s (%s)\n\nSystem:\n", EAR_VERSION, EAR_APP_ID);
  add_sandbox (text);
  add_variable (text, "Desktop", "XDG_CURRENT_DESKTOP");
  add_variable (text, "Session", "XDG_SESSION_TYPE");
  add_renderer (text, parent);
  g_string_append_printf (text, "- Portals: %s\n",
                          g_getenv ("GTK_USE_PORTAL") != NULL ||
                                  g_file_test (SANDBOX, G_FILE_TEST_EXISTS)
                              ? "used"
                              : "not used");
  g_string_append_printf (text, "- Language: %s\n", setlocale (LC_MESSAGES, NULL));
  g_string_append_printf (text, "- GTK: %u.%u.%u\n", gtk_get_major_version (),
                          gtk_get_minor_version (), gtk_get_micro_version ());
  g_string_append_printf (text, "- libadwaita: %u.%u.%u\n", adw_get_major_version (),
                          adw_get_minor_version (), adw_get_micro_version ());
  g_string_append_printf (text, "- GLib: %u.%u.%u\n", glib_major_version, glib_minor_version,
                          glib_micro_version);
  if (report != NULL)
    g_string_append_printf (text, "\n%s", report);

  return g_string_free_and_steal (g_steal_pointer (&text));
}

/* --- The dialog --------------------------------------------------------------------- */

static void
covers_cleared_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLibrary) library = user_data;

  if (ear_cover_cache_clear_finish (EAR_COVER_CACHE (source), result, NULL))
    ear_notices_add (ear_library_get_notices (library), _("Covers are loaded again when needed"),
                     FALSE);
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
