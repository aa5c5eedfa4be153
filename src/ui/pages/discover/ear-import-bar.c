/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-bar.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-import-dialog.h"
#include "ear-property.h"
#include "ear-slide-in.h"
#include "ear-widget.h"

/**
 * EarImportBar:
 *
 * How an import goes, without standing in anybody's way: counts, a bar, a button that
 * stops it. It stays when it is over only if something could not be fetched, until the listener
 * has seen that.
 */
struct _EarImportBar
{
  AdwBin parent_instance;

  /* Owned */
  EarLibrary *library;
  EarImport *import;
  GSignalGroup *importer_signals;
  GSignalGroup *import_signals;
  char *text;

  gboolean revealed;
};

G_DEFINE_FINAL_TYPE (EarImportBar, ear_import_bar, ADW_TYPE_BIN)

static guint
count_failures (EarImportBar *self)
{
  return g_list_model_get_n_items (ear_import_get_failures (self->import));
}

static char *
make_text (EarImportBar *self)
{
  const guint total = ear_import_get_total (self->import);
  const guint failed = count_failures (self);

  if (!ear_import_get_finished (self->import))
    /* Translators: the first %u is how many podcasts are done, the second of how many */
    return g_strdup_printf (_("Adding podcasts: %'u of %'u"), ear_import_get_done (self->import), total);

  return g_strdup_printf (ngettext ("%'u podcast could not be loaded", "%'u podcasts could not be loaded", failed), failed);
}

static void
update (EarImportBar *self)
{
  const gboolean running = self->import != NULL && !ear_import_get_finished (self->import);
  g_autofree char *text = NULL;
  gboolean revealed;

  if (self->import == NULL)
    return;

  revealed = running || (count_failures (self) > 0 && !ear_import_get_dismissed (self->import));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "import.stop", running);
  ear_property_set_boolean (self, "revealed", revealed);
  /* What slides away is left as it was. */
  if (!revealed)
    return;
  text = make_text (self);
  ear_property_set_string (self, "text", text);
}

static void
finished_cb (EarImportBar *self)
{
  update (self);
  if (self->revealed)
    ear_announce (GTK_ACCESSIBLE (self), self->text, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
import_changed_cb (EarImportBar *self)
{
  EarImport *import = self->library != NULL ? ear_importer_get_import (ear_library_get_importer (self->library)) : NULL;

  if (!g_set_object (&self->import, import))
    return;

  g_signal_group_set_target (self->import_signals, import);
  g_object_notify (G_OBJECT (self), "import");
  update (self);
}

static void
library_changed_cb (EarImportBar *self)
{
  g_signal_group_set_target (self->importer_signals, self->library != NULL ? ear_library_get_importer (self->library) : NULL);
  import_changed_cb (self);
}

static void
stop (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarImportBar *self = EAR_IMPORT_BAR (widget);

  if (self->import != NULL)
    ear_import_stop (self->import);
}

static void
dismiss (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarImportBar *self = EAR_IMPORT_BAR (widget);

  if (self->import != NULL)
    ear_import_dismiss (self->import);
}

static void
details (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarImportBar *self = EAR_IMPORT_BAR (widget);

  if (self->import != NULL)
    adw_dialog_present (ADW_DIALOG (ear_import_dialog_new (self->library, self->import)), widget);
}

static void
ear_import_bar_dispose (GObject *object)
{
  EarImportBar *self = EAR_IMPORT_BAR (object);

  g_clear_object (&self->importer_signals);
  g_clear_object (&self->import_signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_IMPORT_BAR);
  g_clear_object (&self->import);
  g_clear_object (&self->library);
  g_clear_pointer (&self->text, g_free);

  G_OBJECT_CLASS (ear_import_bar_parent_class)->dispose (object);
}

static void
ear_import_bar_class_init (EarImportBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* What imports */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarImportBar, library),
      .changed = G_CALLBACK (library_changed_cb) },
    /* The import that runs, or ran last */
    { "import", EAR_TYPE_IMPORT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarImportBar, import) },
    /* How it goes, in words */
    { "text", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarImportBar, text) },
    /* Whether there is something to show */
    { "revealed", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarImportBar, revealed) },
  };

  object_class->dispose = ear_import_bar_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_install_action (widget_class, "import.stop", NULL, stop);
  gtk_widget_class_install_action (widget_class, "import.dismiss", NULL, dismiss);
  gtk_widget_class_install_action (widget_class, "import.details", NULL, details);
  g_type_ensure (EAR_TYPE_SLIDE_IN);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-import-bar.ui");
  ear_closures_bind (widget_class);
}

static void
ear_import_bar_init (EarImportBar *self)
{
  self->importer_signals = g_signal_group_new (EAR_TYPE_IMPORTER);
  g_signal_group_connect_swapped (self->importer_signals, "notify::import", G_CALLBACK (import_changed_cb), self);
  self->import_signals = g_signal_group_new (EAR_TYPE_IMPORT);
  g_signal_group_connect_swapped (self->import_signals, "notify", G_CALLBACK (update), self);
  g_signal_group_connect_swapped (self->import_signals, "finished", G_CALLBACK (finished_cb), self);
  gtk_widget_init_template (GTK_WIDGET (self));
}
