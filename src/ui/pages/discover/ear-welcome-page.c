/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-welcome-page.h"

#include "ear-chart.h"
#include "ear-import-bar.h"
#include "ear-property.h"

/**
 * EarWelcomePage:
 *
 * The page in place of an empty library: a search entry, popular podcasts, imports, and a
 * suggestion.
 */
struct _EarWelcomePage
{
  AdwBin parent_instance;

  /* Template children */
  GtkEditable *entry;
  AdwPreferencesGroup *offers;

  /* Owned */
  EarLibrary *library;
};

G_DEFINE_FINAL_TYPE (EarWelcomePage, ear_welcome_page, ADW_TYPE_BIN)

/* Moves the text of the entry to Add Podcast.
 * @action: what happens there with the text */
static void
move_text (EarWelcomePage *self, const char *action)
{
  g_autofree char *text = g_strchug (g_strdup (gtk_editable_get_text (self->entry)));

  if (*text == '\0')
    return;

  gtk_editable_set_text (self->entry, "");
  gtk_widget_activate_action (GTK_WIDGET (self), action, "s", text);
}

static void
search_cb (EarWelcomePage *self)
{
  move_text (self, "win.find-podcasts");
}

/* At a pause in typing, which goes on there */
static void
typed_cb (EarWelcomePage *self)
{
  move_text (self, "win.type-podcasts");
}

static void
opened_cb (EarWelcomePage *self, EarDiscoveryResult *result)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.find-podcasts", "s",
                              ear_discovery_result_get_address (result));
}

static void
library_changed_cb (EarWelcomePage *self)
{
  ear_import_offers_fill (self->offers, "app.import-file");
}

static void
ear_welcome_page_class_init (EarWelcomePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWelcomePage, library),
      .changed = G_CALLBACK (library_changed_cb) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_CHART);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-welcome-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarWelcomePage, entry);
  gtk_widget_class_bind_template_child (widget_class, EarWelcomePage, offers);
  gtk_widget_class_bind_template_callback (widget_class, search_cb);
  gtk_widget_class_bind_template_callback (widget_class, typed_cb);
  gtk_widget_class_bind_template_callback (widget_class, opened_cb);
}

static void
ear_welcome_page_init (EarWelcomePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
