/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-bar.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-error-text.h"
#include "ear-format.h"
#include "ear-import-source.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarImportBar:
 *
 * Progress of an import: a count, a bar, and a button that stops it. After the import it
 * stays only if something could not be loaded or imported, until the listener dismisses it.
 */
struct _EarImportBar
{
  AdwBin parent_instance;

  /* Owned */
  EarLibrary *library;
};

G_DEFINE_FINAL_TYPE (EarImportBar, ear_import_bar, ADW_TYPE_BIN)

static EarImporter *
get_importer (EarImportBar *self)
{
  return ear_library_get_importer (self->library);
}

/* Titles of episodes in one row */
#define MAX_TITLES 10

static gboolean
has_something_to_show (gpointer object, gboolean finished, gboolean dismissed, guint n_failed,
                       guint n_omitted)
{
  return !finished || (n_failed + n_omitted > 0 && !dismissed);
}

/* An import without failures keeps its text while the bar slides away. */
static char *
describe (gpointer object, gboolean finished, guint done, guint total, guint n_failed,
          guint n_omitted)
{
  if (finished && n_omitted > 0)
    return g_strdup (_("Not everything could be imported"));
  if (!finished || n_failed == 0)
    /* Translators: the first %u is the number of podcasts done so far, the second the
     * total */
    return g_strdup_printf (_("Adding podcasts: %'u of %'u"), done, total);

  return g_strdup_printf (ngettext ("%'u podcast could not be loaded",
                                    "%'u podcasts could not be loaded", n_failed),
                          n_failed);
}

static void
finished_cb (EarImportBar *self)
{
  EarImporter *importer = get_importer (self);
  const guint n_failed = g_list_model_get_n_items (ear_importer_get_failures (importer));
  const guint n_omitted = ear_importer_get_omissions (importer)->len;
  g_autofree char *text = describe (NULL, TRUE, 0, 0, n_failed, n_omitted);

  if (ear_importer_get_finished (importer) && n_failed + n_omitted > 0)
    ear_announce (GTK_ACCESSIBLE (self), text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
library_changed_cb (EarImportBar *self)
{
  ear_connect (get_importer (self), "notify::finished", finished_cb, self);
}

/* The address and the reason have directions of their own: each line
 * follows the window. */
static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  EarPodcast *podcast = EAR_PODCAST (item);
  const char *title = ear_podcast_get_title (podcast);
  const char *address = ear_podcast_get_address (podcast);
  const char *reason = ear_error_text_body (ear_podcast_get_error (podcast), EAR_ERROR_ABOUT_FEED);
  g_autofree char *first = ear_format_join (address);
  g_autofree char *second = ear_format_join (reason);
  g_autofree char *subtitle = title != NULL ? g_strdup_printf ("%s\n%s", first, second)
                                            : g_steal_pointer (&second);

  return g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title",
                       title != NULL ? title : address, "subtitle", subtitle, "title-lines", 2,
                       "activatable", TRUE, NULL);
}

/* A podcast that could not be imported, or the titles of its episodes that could not */
static GtkWidget *
create_omission_row (const EarImportOmission *omission)
{
  g_autofree char *reason = ear_import_omission_describe (omission);
  g_autofree char *first = ear_format_join (reason);
  g_autoptr (GString) lines = g_string_new (first);

  for (guint i = 0; i < MIN (omission->episodes->len, MAX_TITLES); i++)
    {
      g_autofree char *title = ear_format_join (g_ptr_array_index (omission->episodes, i));

      g_string_append_printf (lines, "\n%s", title);
    }
  if (omission->episodes->len > MAX_TITLES)
    g_string_append (lines, "\n…");

  return g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", omission->title,
                       "subtitle", lines->str, "title-lines", 2, NULL);
}

static void
activated_cb (EarImportBar *self, GtkListBoxRow *row)
{
  GListModel *failures = ear_importer_get_failures (get_importer (self));
  g_autoptr (EarPodcast) podcast =
      g_list_model_get_item (failures, (guint) gtk_list_box_row_get_index (row));

  gtk_widget_activate_action (GTK_WIDGET (row), "window.close", NULL);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.select-podcast", "s",
                              ear_podcast_get_address (podcast));
}

static void
n_failed_cb (GtkWidget *omitted, GParamSpec *pspec, EarImporter *importer)
{
  if (g_list_model_get_n_items (ear_importer_get_failures (importer)) == 0 &&
      !gtk_widget_get_visible (omitted))
    gtk_widget_activate_action (omitted, "window.close", NULL);
}

static void
stop (EarImportBar *self)
{
  ear_importer_stop (get_importer (self));
}

static void
dismiss (EarImportBar *self)
{
  g_object_set (get_importer (self), "dismissed", TRUE, NULL);
}

/* Presents the podcasts that could not be loaded or imported, and the reasons. */
static void
details (EarImportBar *self)
{
  EarImporter *importer = get_importer (self);
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-import-dialog.ui");
  AdwDialog *dialog = ADW_DIALOG (gtk_builder_get_object (builder, "dialog"));
  GtkWidget *omitted = GTK_WIDGET (gtk_builder_get_object (builder, "omitted"));
  GPtrArray *omissions = ear_importer_get_omissions (importer);

  /* Later omissions are listed when the dialog is opened again. */
  for (guint i = 0; i < omissions->len; i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (omitted),
                               create_omission_row (g_ptr_array_index (omissions, i)));
  gtk_widget_set_visible (omitted, omissions->len > 0);
  g_object_bind_property (importer, "n-failed", gtk_builder_get_object (builder, "failed"),
                          "visible", G_BINDING_SYNC_CREATE);
  if (g_list_model_get_n_items (ear_importer_get_failures (importer)) == 0)
    adw_dialog_set_title (dialog, _("Import"));
  gtk_list_box_bind_model (GTK_LIST_BOX (gtk_builder_get_object (builder, "rows")),
                           ear_importer_get_failures (importer), create_row, NULL, NULL);
  ear_connect (gtk_builder_get_object (builder, "rows"), "row-activated", activated_cb, self);
  ear_connect (gtk_builder_get_object (builder, "unfollow"), "clicked",
               ear_importer_unfollow_failed, importer);
  ear_connect (importer, "notify::n-failed", n_failed_cb, omitted);
  /* Another import has other failures. */
  ear_connect (importer, "started", adw_dialog_close, dialog);
  /* A focused first row would scroll the text above it out of sight. */
  ear_dialog_set_focus (dialog, GTK_WIDGET (gtk_builder_get_object (builder, "scroller")));
  adw_dialog_present (dialog, GTK_WIDGET (self));
}

static void
ear_import_bar_class_init (EarImportBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Set once */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarImportBar, library),
      .changed = G_CALLBACK (library_changed_cb) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_css_name (widget_class, "banner");
  ear_action_install (widget_class, "import.stop", NULL, stop);
  ear_action_install (widget_class, "import.dismiss", NULL, dismiss);
  ear_action_install (widget_class, "import.details", NULL, details);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-import-bar.ui");
  gtk_widget_class_bind_template_callback (widget_class, describe);
  gtk_widget_class_bind_template_callback (widget_class, has_something_to_show);
  ear_closures_bind (widget_class);
}

static void
ear_import_bar_init (EarImportBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* --- Other programs ----------------------------------------------------------------- */

static void
sources_found_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (AdwPreferencesGroup) group = user_data;
  g_autoptr (GPtrArray) sources = ear_import_source_find_finish (result, NULL);

  for (guint i = 0; sources != NULL && i < sources->len; i++)
    {
      const EarImportSource *source = g_ptr_array_index (sources, i);
      g_autofree char *uri = g_filename_to_uri (source->path, NULL, NULL);
      g_autofree char *label =
          /* Translators: %s is the name of another podcast app, %u how many podcasts it has */
          g_strdup_printf (_("Import From %s (%'u)"), source->name, source->n_podcasts);
      GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", label,
                                     "activatable", TRUE, NULL);

      gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", uri);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (row),
                                      g_object_get_data (G_OBJECT (group), "action"));
      adw_preferences_group_add (group, row);
      gtk_widget_set_visible (GTK_WIDGET (group), TRUE);
    }
}

/* Adds a row for each other program whose podcasts can be imported.
 * @action: (transfer none): static name of the action of a row; its target is the
 * URI of a database */
void
ear_import_offers_fill (AdwPreferencesGroup *group, const char *action)
{
  g_object_set_data (G_OBJECT (group), "action", (gpointer) action);
  ear_import_source_find_async (g_get_home_dir (), g_get_user_data_dir (), sources_found_cb,
                                g_object_ref (group));
}
