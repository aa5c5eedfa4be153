/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-dialog.h"

#include "ear-error-text.h"
#include "ear-first-focus.h"

/* Without a network a list of a thousand podcasts fails as a whole: what fills the dialog is made at once,
 * what lies below it a few rows a frame. */
#define ROWS_AT_ONCE 20
#define ROWS_A_FRAME 5

/**
 * EarImportDialog:
 *
 * What an import could not fetch, and why.
 */
struct _EarImportDialog
{
  AdwDialog parent_instance;

  /* Template children */
  GtkWidget *scroller;
  GtkListBox *rows;

  /* Owned */
  EarLibrary *library;
  EarImport *import;
  GtkSliceListModel *listed; /* of its failures, those that have a row */
  guint tick;                /* while more of them get one */
};

G_DEFINE_FINAL_TYPE (EarImportDialog, ear_import_dialog, ADW_TYPE_DIALOG)

static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  EarPodcast *podcast = ear_import_failure_get_podcast (item);
  const char *title = ear_podcast_get_title (podcast);
  const char *address = ear_podcast_get_address (podcast);
  g_autofree char *reason = ear_error_text_body (ear_import_failure_get_error (item), EAR_ERROR_ABOUT_FEED);
  g_autofree char *subtitle = title != NULL ? g_strdup_printf ("%s\n%s", address, reason) : g_strdup (reason);

  return g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title != NULL ? title : address, "subtitle", subtitle,
                       "title-lines", 2, NULL);
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EarImportDialog *self = EAR_IMPORT_DIALOG (widget);
  const guint n_listed = g_list_model_get_n_items (G_LIST_MODEL (self->listed));

  if (n_listed < gtk_slice_list_model_get_size (self->listed))
    {
      self->tick = 0;
      return G_SOURCE_REMOVE;
    }
  gtk_slice_list_model_set_size (self->listed, n_listed + ROWS_A_FRAME);

  return G_SOURCE_CONTINUE;
}

/* Those that have just come, too. */
static void
list_more (EarImportDialog *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
unfollow (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarImportDialog *self = EAR_IMPORT_DIALOG (widget);

  ear_importer_unfollow_failed (ear_library_get_importer (self->library), self->import);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
ear_import_dialog_dispose (GObject *object)
{
  EarImportDialog *self = EAR_IMPORT_DIALOG (object);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_IMPORT_DIALOG);
  g_clear_object (&self->listed);
  g_clear_object (&self->import);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_import_dialog_parent_class)->dispose (object);
}

static void
ear_import_dialog_class_init (EarImportDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ear_import_dialog_dispose;

  gtk_widget_class_install_action (widget_class, "failures.unfollow", NULL, unfollow);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-import-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarImportDialog, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarImportDialog, rows);
}

static void
ear_import_dialog_init (EarImportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* The first row would be scrolled to, and what is said above it is out of sight then. */
  ear_first_focus_set (ADW_DIALOG (self), self->scroller);
}

EarImportDialog *
ear_import_dialog_new (EarLibrary *library, EarImport *import)
{
  EarImportDialog *self = g_object_new (EAR_TYPE_IMPORT_DIALOG, NULL);
  GListModel *failures = ear_import_get_failures (import);

  self->library = g_object_ref (library);
  self->import = g_object_ref (import);
  self->listed = gtk_slice_list_model_new (g_object_ref (failures), 0, ROWS_AT_ONCE);
  gtk_list_box_bind_model (self->rows, G_LIST_MODEL (self->listed), create_row, NULL, NULL);
  g_signal_connect_object (failures, "items-changed", G_CALLBACK (list_more), self, G_CONNECT_SWAPPED);
  list_more (self);

  return self;
}
