/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-format-episode.h"
#include "ear-format.h"
#include "ear-language.h"
#include "ear-notes-loader.h"
#include "ear-notes-view.h"
#include "ear-share.h"
#include "ear-widget.h"

/**
 * EarPodcastDialog:
 *
 * The details of a podcast in its feed: description, support, and rows for
 * people, categories and so on, as far as the feed has them. Fills while a new
 * podcast is checked.
 */
struct _EarPodcastDialog
{
  AdwDialog parent_instance;

  /* Template children */
  GtkWidget *scroller;
  EarNotesView *description;
  GtkWidget *support;
  GtkListBox *support_rows;
  GtkListBox *rows;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
};

#define EAR_TYPE_PODCAST_DIALOG (ear_podcast_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastDialog, ear_podcast_dialog, EAR, PODCAST_DIALOG, AdwDialog)
G_DEFINE_FINAL_TYPE (EarPodcastDialog, ear_podcast_dialog, ADW_TYPE_DIALOG)

static void
add_row (EarPodcastDialog *self, const char *title, const char *value)
{
  const char *const css_classes[] = { "property", NULL };

  if (!ear_is_empty (value))
    gtk_list_box_append (self->rows,
                         g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title,
                                       "subtitle", value, "subtitle-selectable", TRUE,
                                       "css-classes", css_classes, NULL));
}

/* The row has the address itself: its podcast may have another one by then. */
static void
web_activated_cb (GtkWidget *row, gpointer user_data)
{
  ear_open_address (row, g_object_get_data (G_OBJECT (row), "address"));
}

/* Adds a row that opens a page on the web. */
static void
add_web_row (GtkListBox *rows, const char *title, const char *subtitle, const char *address)
{
  GtkWidget *row =
      g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle,
                    "tooltip-text", address, "activatable", TRUE, NULL);
  GtkWidget *icon = gtk_image_new_from_icon_name ("ear-web-symbolic");

  g_object_set (icon, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), icon);
  g_object_set_data_full (G_OBJECT (row), "address", g_strdup (address), g_free);
  g_signal_connect (row, "activated", G_CALLBACK (web_activated_cb), NULL);
  gtk_list_box_append (rows, row);
}

/* Adds a row of a page for donations. */
static void
add_support (EarPodcastDialog *self, const EarFunding *funding)
{
  g_autoptr (GUri) uri = g_uri_parse (funding->address, G_URI_FLAGS_ENCODED, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : NULL;
  /* Translators: opens a page on which the listener can give money */
  const char *title = funding->text != NULL ? funding->text : C_("button", "Support");

  add_web_row (self->support_rows, title, host != NULL ? host : funding->address,
               funding->address);
}

static char *
join (GPtrArray *words)
{
  g_autoptr (GPtrArray) strings = g_ptr_array_new ();

  g_ptr_array_extend (strings, words, NULL, NULL);
  g_ptr_array_add (strings, NULL);

  /* Translators: the separator in a list, as in “Technology, Science” */
  return g_strjoinv (_(", "), (char **) strings->pdata);
}

static void
description_parsed_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarPodcastDialog) self = user_data;
  g_autoptr (EarNotes) notes = ear_notes_load_finish (result, NULL);

  if (notes != NULL && self->description != NULL)
    ear_notes_view_set_notes (self->description, notes, NULL);
}

static void
fill (EarPodcastDialog *self)
{
  EarPodcastFacts *facts = ear_podcast_get_facts (self->podcast);
  g_autofree char *categories = join (facts->categories);
  g_autofree char *keywords = join (facts->keywords);
  g_autofree char *language =
      facts->language != NULL ? ear_language_dup_name (facts->language) : NULL;
  g_autofree char *people = ear_people_format (facts->persons);
  guint n_done;
  const guint64 size =
      ear_downloader_get_room (ear_library_get_downloader (self->library), self->podcast, &n_done);
  g_autofree char *room = ear_closure_download_room (NULL, n_done, size);
  g_autoptr (EarFeedCheck) check =
      ear_catalogue_dup_check (ear_library_get_catalogue (self->library), self->podcast);
  /* The feed's own date does not count: some feeds update it every day. */
  g_autofree char *latest = check->newest > 0 ? ear_format_date_long (check->newest) : NULL;

  gtk_list_box_remove_all (self->support_rows);
  gtk_list_box_remove_all (self->rows);
  ear_notes_parse_async (facts->description, ear_podcast_get_feed_address (self->podcast),
                         description_parsed_cb, g_object_ref (self));
  for (guint i = 0; i < facts->funding->len; i++)
    add_support (self, g_ptr_array_index (facts->funding, i));
  gtk_widget_set_visible (self->support, facts->funding->len > 0);
  add_row (self, _("Author"), facts->author);
  add_row (self, _("People"), people);
  add_row (self, _("Owner"), facts->owner_name);
  add_row (self, _("Categories"), categories);
  add_row (self, _("Keywords"), keywords);
  add_row (self, _("Language"), language);
  /* Translators: the label of a podcast’s content, beside “Explicit”; not shown
   * otherwise */
  add_row (self, _("Content"),
           facts->explicit_content == EAR_EXPLICIT_YES ? C_("content", "Explicit") : NULL);
  /* Translators: how often there are new episodes, in the words of the podcast */
  add_row (self, _("New Episodes"), facts->update_text);
  /* Translators: the label of the date of a podcast’s latest episode */
  add_row (self, _("Latest Episode"), latest);
  /* Translators: the label of the number and size of a podcast’s downloaded episodes */
  add_row (self, _("Downloads"), room);
  if (facts->link != NULL)
    add_web_row (self->rows, _("Website"), facts->link, facts->link);
  /* Translators: the place that a podcast is about, or made at */
  add_row (self, _("Location"), facts->location);
  add_row (self, _("Copyright"), facts->copyright);
  add_row (self, _("License"), facts->license);
  /* Translators: the label of the program that generates a podcast’s feed */
  add_row (self, _("Generator"), facts->generator);
  gtk_widget_set_visible (GTK_WIDGET (self->rows),
                          gtk_list_box_get_row_at_index (self->rows, 0) != NULL);
}

/* Later changes would move the text while it is read. */
static void
podcast_changed_cb (EarPodcastDialog *self)
{
  fill (self);
  if (ear_podcast_get_checked (self->podcast) > 0)
    g_signal_handlers_disconnect_by_func (self->podcast, podcast_changed_cb, self);
}

static void
ear_podcast_dialog_class_init (EarPodcastDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarPodcastDialog, library) },
    { "podcast", EAR_TYPE_PODCAST, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarPodcastDialog, podcast) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_NOTES_VIEW);
  g_type_ensure (EAR_TYPE_PODCAST);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-podcast-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarPodcastDialog, scroller);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastDialog, description);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastDialog, rows);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastDialog, support);
  gtk_widget_class_bind_template_child (widget_class, EarPodcastDialog, support_rows);
}

static void
ear_podcast_dialog_init (EarPodcastDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* The first text can be selected: with the focus, it would show a
   * cursor like an entry. */
  ear_dialog_set_focus (ADW_DIALOG (self), self->scroller);
}

AdwDialog *
ear_podcast_dialog_new (EarLibrary *library, EarPodcast *podcast)
{
  EarPodcastDialog *self =
      g_object_new (EAR_TYPE_PODCAST_DIALOG, "library", library, "podcast", podcast, NULL);

  fill (self);
  if (ear_podcast_get_checked (podcast) <= 0)
    {
      ear_connect (podcast, "notify::facts", podcast_changed_cb, self);
      ear_connect (podcast, "notify::checked", podcast_changed_cb, self);
    }

  return ADW_DIALOG (self);
}
