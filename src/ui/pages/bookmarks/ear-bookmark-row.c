/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark-row.h"

#include <glib/gi18n.h>

#include "ear-bookmark-actions.h"
#include "ear-bookmark-export.h"
#include "ear-closures.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarBookmarkRow:
 *
 * A bookmark with its menu, in Saved or among the chapters of its episode, where the row does not
 * name the episode.
 */
struct _EarBookmarkRow
{
  AdwBin parent_instance;

  /* Template children */
  GtkMenuButton *menu_button;
  GMenuModel *menu;

  /* Owned */
  EarBookmarks *bookmarks;
  EarBookmark *bookmark;
  char *time;
  char *headline;
  char *quotation; /* (nullable): what is said there, where that is not the headline */
  char *source;    /* (nullable): in which episode */
  char *spoken;

  gboolean within; /* the page of the episode */
};

G_DEFINE_FINAL_TYPE (EarBookmarkRow, ear_bookmark_row, ADW_TYPE_BIN)

static char *
dup_quoted (const char *text)
{
  /* Translators: the quotation marks around what is said in an episode */
  return g_strdup_printf (C_("quotation", "“%s”"), text);
}

static char *
dup_spoken (EarBookmarkRow *self)
{
  g_autofree char *time = ear_format_clock_spoken (ear_bookmark_get_time (self->bookmark));
  const char *const parts[] = { self->within ? C_("spoken", "Bookmark") : NULL, self->headline,
                                self->quotation, time, self->source };
  GString *spoken = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      g_string_append_printf (spoken, "%s%s", spoken->len > 0 ? C_("spoken separator", ", ") : "",
                              parts[i]);

  return g_string_free_and_steal (spoken);
}

/* The listener's own note comes first. */
static void
update (EarBookmarkRow *self)
{
  const char *text = ear_bookmark_get_text (self->bookmark);
  const char *note = ear_bookmark_get_note (self->bookmark);
  g_autofree char *quoted = text != NULL ? dup_quoted (text) : NULL;
  g_autofree char *time = ear_format_clock (ear_bookmark_get_time (self->bookmark));
  const char *headline = note != NULL ? note : quoted;
  /* The title is said once. */
  const char *const origin[] = { headline != NULL ? ear_bookmark_get_title (self->bookmark) : "",
                                 ear_bookmark_get_podcast (self->bookmark), NULL };
  g_autofree char *source = ear_format_join (origin);
  g_autofree char *spoken = NULL;

  if (headline == NULL)
    headline = self->within ? C_("spoken", "Bookmark") : ear_bookmark_get_title (self->bookmark);
  ear_property_set_string (self, "time", time);
  ear_property_set_string (self, "headline", headline);
  ear_property_set_string (self, "quotation", note != NULL ? quoted : NULL);
  ear_property_set_string (self, "source", self->within ? NULL : source);
  spoken = dup_spoken (self);
  ear_property_set_string (self, "spoken", spoken);
}

/* --- What can be done with it ------------------------------------------------------------ */

static void
play (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarBookmarkRow *self = EAR_BOOKMARK_ROW (widget);
  g_autofree char *key = ear_bookmark_dup_key (self->bookmark);

  gtk_widget_activate_action (widget, "app.play-episode-at", "(sx)", key,
                              ear_bookmark_get_time (self->bookmark));
}

/* Shows the page of its episode. */
void
ear_bookmark_row_show (EarBookmarkRow *self)
{
  g_autofree char *key = NULL;

  g_return_if_fail (EAR_IS_BOOKMARK_ROW (self));

  key = ear_bookmark_dup_key (self->bookmark);
  gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", key);
}

static void
show_episode (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_bookmark_row_show (EAR_BOOKMARK_ROW (widget));
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = ear_bookmark_dup_quotation (EAR_BOOKMARK_ROW (widget)->bookmark);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  gtk_widget_activate_action (widget, "win.notify", "s", _("Copied"));
}

/* Removes the bookmark. */
void
ear_bookmark_row_remove (EarBookmarkRow *self)
{
  g_autoptr (EarBookmark) bookmark = NULL;

  g_return_if_fail (EAR_IS_BOOKMARK_ROW (self));

  /* The row may be another one's afterwards. */
  bookmark = g_object_ref (self->bookmark);
  ear_bookmarks_remove (self->bookmarks, bookmark);
}

static void
remove_bookmark (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_bookmark_row_remove (EAR_BOOKMARK_ROW (widget));
}

static void
edit_note (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarBookmarkRow *self = EAR_BOOKMARK_ROW (widget);

  ear_bookmark_edit_note (self->bookmarks, self->bookmark, widget);
}

/* Not when it is pressed: the menu takes the release away, and GTK (4.18) has the row pressed for
 * ever. */
static void
right_released_cb (EarBookmarkRow *self)
{
  gtk_menu_button_popup (self->menu_button);
}

static void
ear_bookmark_row_dispose (GObject *object)
{
  EarBookmarkRow *self = EAR_BOOKMARK_ROW (object);

  ear_bookmark_row_set_bookmark (self, NULL);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_BOOKMARK_ROW);
  g_clear_object (&self->bookmarks);

  G_OBJECT_CLASS (ear_bookmark_row_parent_class)->dispose (object);
}

static void
ear_bookmark_row_finalize (GObject *object)
{
  EarBookmarkRow *self = EAR_BOOKMARK_ROW (object);

  g_free (self->time);
  g_free (self->headline);
  g_free (self->quotation);
  g_free (self->source);
  g_free (self->spoken);

  G_OBJECT_CLASS (ear_bookmark_row_parent_class)->finalize (object);
}

static void
ear_bookmark_row_class_init (EarBookmarkRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "time", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmarkRow, time) },
    /* The listener's note, or the quoted text, or the title */
    { "headline", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmarkRow, headline) },
    /* The quoted text below a note */
    { "quotation", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmarkRow, quotation) },
    /* In which episode it is */
    { "source", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmarkRow, source) },
    /* The row as a screen reader reads it */
    { "spoken", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmarkRow, spoken) },
  };

  object_class->dispose = ear_bookmark_row_dispose;
  object_class->finalize = ear_bookmark_row_finalize;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_install_action (widget_class, "bookmark.play", NULL, play);
  gtk_widget_class_install_action (widget_class, "bookmark.show", NULL, show_episode);
  gtk_widget_class_install_action (widget_class, "bookmark.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "bookmark.edit-note", NULL, edit_note);
  gtk_widget_class_install_action (widget_class, "bookmark.remove", NULL, remove_bookmark);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-bookmark-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarBookmarkRow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarBookmarkRow, menu);
  gtk_widget_class_bind_template_callback (widget_class, right_released_cb);
  ear_closures_bind (widget_class);
}

static void
ear_bookmark_row_init (EarBookmarkRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_menu_later_set (self->menu_button, self->menu);
}

/* @within: whether it stands on the page of the episode that it is in */
EarBookmarkRow *
ear_bookmark_row_new (EarBookmarks *bookmarks, gboolean within)
{
  EarBookmarkRow *self = g_object_new (EAR_TYPE_BOOKMARK_ROW, NULL);

  self->bookmarks = g_object_ref (bookmarks);
  self->within = within;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "bookmark.show", !within);

  return self;
}

EAR_DEFINE_GET (EarBookmarkRow, ear_bookmark_row, EarBookmark *, bookmark)

void
ear_bookmark_row_set_bookmark (EarBookmarkRow *self, EarBookmark *bookmark)
{
  g_return_if_fail (EAR_IS_BOOKMARK_ROW (self));

  if (self->bookmark == bookmark)
    return;
  if (self->bookmark != NULL)
    g_signal_handlers_disconnect_by_func (self->bookmark, update, self);
  g_set_object (&self->bookmark, bookmark);
  if (bookmark == NULL)
    return;
  g_signal_connect_object (bookmark, "notify", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
