/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-links.h"

#include <glib/gi18n.h>

#include "ear-bookmark-export.h"
#include "ear-format.h"
#include "ear-link-list.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-share.h"
#include "ear-sight.h"
#include "ear-widget.h"

/* Most podcasts, and most hosts, in the filter menu */
#define CHOICES 30

/* The longest name in the menu, in letters: it fits on a phone. */
#define LABEL_LENGTH 30

/**
 * EarLinksView:
 *
 * The links that the listener starred; a filter shows those of played episodes, or all.
 * Each page is listed once. A click opens it.
 *
 * A link that loses its star stays until the list is asked for again, so that nothing
 * moves under the pointer.
 */
struct _EarLinksView
{
  AdwBin parent_instance;

  /* Template children */
  GtkMenuButton *filter_button;
  GMenuModel *shows; /* a section of the filter */
  GMenu *hosts;      /* submenus of the filter */
  GMenu *podcasts;
  GtkLabel *summary;
  GtkLabel *count;
  GtkStack *stack;
  GtkListView *list_view;
  GtkNoSelection *rows;
  AdwStatusPage *status;

  /* Owned */
  EarLibrary *library;
  EarLinkList *links;
  char *search;  /* (nullable) */
  char *show;    /* a target of `shows` */
  char *kind;    /* of a kind, or "all" */
  char *host;    /* or "all" */
  char *podcast; /* the address of one, or "all" */
  char *first_episode; /* (nullable): the key of the episode of the first link */
  GCancellable *cancellable;

  gboolean as_json; /* the format of the export that was asked for last */
};

G_DEFINE_FINAL_TYPE (EarLinksView, ear_links_view, ADW_TYPE_BIN)

#define ALL "all"
#define STARRED "starred"

static gboolean
is_all (const char *name)
{
  return g_str_equal (name, ALL);
}

static int
find_kind (EarLinksView *self)
{
  for (int i = 0; i < EAR_N_LINK_KINDS; i++)
    if (g_str_equal (ear_link_kind_names[i], self->kind))
      return i;

  return -1;
}

static EarPodcast *
find_podcast (EarLinksView *self)
{
  return is_all (self->podcast)
         ? NULL
         : ear_catalogue_find_exactly (ear_library_get_catalogue (self->library), self->podcast);
}

/* --- Listing ------------------------------------------------------------------------ */

static void
update_state (EarLinksView *self)
{
  const guint n_links = ear_link_list_get_n_links (self->links);
  const gboolean is_default = g_str_equal (self->show, STARRED) && is_all (self->kind) &&
                              is_all (self->host) && is_all (self->podcast);
  g_autofree char *count =
      n_links > 0 ? g_strdup_printf (ngettext ("%'u link", "%'u links", n_links), n_links) : NULL;
  g_autoptr (EarLink) first = g_list_model_get_item (G_LIST_MODEL (self->links), 0);

  gtk_label_set_label (self->count, count);
  ear_property_set_string (self, "first-episode", first != NULL ? first->episode : NULL);
  gtk_stack_set_visible_child_name (self->stack, first != NULL ? "list"
                                                 : ear_link_list_get_asking (self->links)
                                                   ? "wait"
                                                   : "status");
  adw_status_page_set_description (self->status,
                                   self->search != NULL ? _("Try other words.")
                                   : is_default ? _("Star a link of an episode to keep it here.")
                                                : _("No links match this filter."));
}

static void
update_summary (EarLinksView *self)
{
  const int kind = find_kind (self);
  EarPodcast *podcast = find_podcast (self);
  g_autofree char *show = ear_menu_dup_label (self->shows, self->show);
  g_autofree char *summary =
    ear_format_join (show,
                     kind >= 0 ? ear_link_kind_text_plural ((EarLinkKind) kind) : NULL,
                     is_all (self->host) ? NULL : self->host,
                     podcast != NULL ? ear_podcast_get_name (podcast) : NULL);

  gtk_label_set_label (self->summary, summary);
}

static void
ask (EarLinksView *self)
{
  g_autoptr (EarLinkQuery) query = NULL;
  EarPodcast *podcast;

  if (self->links == NULL)
    return;
  podcast = find_podcast (self);
  query = ear_link_query_new ();
  query->kind = find_kind (self);
  query->host = is_all (self->host) ? NULL : g_strdup (self->host);
  query->podcast = podcast != NULL ? ear_podcast_get_id (podcast) : 0;
  query->search = g_strdup (self->search);
  query->listened = g_str_equal (self->show, "played");
  if (g_str_equal (self->show, STARRED))
    query->only =
      ear_reading_list_list_ids (ear_library_get_reading_list (self->library), EAR_LINK_STARRED);
  update_summary (self);
  ear_link_list_set_query (self->links, query);
}

static void
search_changed_cb (EarLinksView *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    ask (self);
}

/* --- The menu ----------------------------------------------------------------------- */

/* The name is shortened, as a menu would get as wide as a long title, and its underscores
 * are escaped, which would become mnemonics. */
static void
append_choice (GMenu *menu, const char *name, const char *action, const char *target)
{
  g_autofree char *start = ear_format_short (name, LABEL_LENGTH);
  g_auto (GStrv) parts = g_strsplit (start, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "s", target);
  g_menu_append_item (menu, item);
}

static void
hosts_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLinksView) self = user_data;
  g_auto (GStrv) hosts = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, NULL);

  if (hosts == NULL)
    return;
  g_menu_remove_all (self->hosts);
  append_choice (self->hosts, C_("links", "All"), "links.host", ALL);
  for (guint i = 0; hosts[i] != NULL && i < CHOICES; i++)
    append_choice (self->hosts, hosts[i], "links.host", hosts[i]);
}

/* New links bring new hosts. */
static void
open_menu_cb (GtkMenuButton *button, gpointer user_data)
{
  EarLinksView *self = EAR_LINKS_VIEW (user_data);
  GListModel *podcasts = ear_library_get_podcasts (self->library);

  ear_catalogue_read_async (ear_library_get_catalogue (self->library), ear_read_link_hosts (),
                            self->cancellable, hosts_listed_cb, g_object_ref (self));
  g_menu_remove_all (self->podcasts);
  append_choice (self->podcasts, C_("links", "All"), "links.podcast", ALL);
  for (guint i = 0; i < MIN (g_list_model_get_n_items (podcasts), CHOICES); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);
      const char *name = ear_podcast_get_name (podcast);

      append_choice (self->podcasts, name != NULL ? name : "", "links.podcast",
                     ear_podcast_get_address (podcast));
    }
}

/* --- Export ------------------------------------------------------------------------- */

static void
export_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLinksView) self = user_data;
  g_autoptr (GPtrArray) links = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *name = NULL;

  if (links == NULL)
    return;
  bytes = ear_link_export (ear_library_get_reading_list (self->library), links,
                           self->as_json ? NULL : _("Reading List"));
  /* Translators: the name of a file that is offered, without its ending */
  name = g_strdup_printf ("%s.%s", C_("file name", "reading list"), self->as_json ? "json" : "md");
  ear_export_choose (GTK_WIDGET (self), ear_library_get_notices (self->library),
                     "export-links", name, bytes, _("Links exported"),
                     _("The links could not be exported"));
}

static void
export_links (EarLinksView *self, const char *action, GVariant *parameter)
{
  self->as_json = g_str_equal (g_variant_get_string (parameter, NULL), "json");
  ear_link_list_load_all_async (self->links, self->cancellable, export_loaded_cb,
                                g_object_ref (self));
}

/* --- Rows --------------------------------------------------------------------------- */

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, EarLinksView *self)
{
  GtkWidget *row =
    ear_link_row_new (ear_library_get_reading_list (self->library), NULL, FALSE);

  gtk_list_item_set_child (item, row);
  g_object_bind_property (item, "item", row, "link", G_BINDING_SYNC_CREATE);
}

static void
activated_cb (EarLinksView *self)
{
  GtkWidget *row = ear_row_with_focus (GTK_WIDGET (self->list_view), EAR_TYPE_LINK_ROW);

  if (row != NULL)
    gtk_widget_activate_action (row, "link.open", NULL);
}

/* --- Class -------------------------------------------------------------------------- */

/* Asks again whenever the list is shown. */
static void
map_cb (EarLinksView *self)
{
  ask (self);
  ear_link_list_set_watching (self->links, TRUE);
}

static void
unmap_cb (EarLinksView *self)
{
  ear_link_list_set_watching (self->links, FALSE);
}

static void
ear_links_view_dispose (GObject *object)
{
  EarLinksView *self = EAR_LINKS_VIEW (object);

  ear_cancellable_clear (&self->cancellable);
  if (self->links != NULL)
    g_signal_handlers_disconnect_by_data (self->links, self);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_LINKS_VIEW);
  g_clear_object (&self->links);
  g_clear_object (&self->library);
  ear_properties_clear (self);

  G_OBJECT_CLASS (ear_links_view_parent_class)->dispose (object);
}

static void
ear_links_view_class_init (EarLinksViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Which links are listed: the states of actions */
    { .spec = g_param_spec_string ("show", NULL, NULL, STARRED, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarLinksView, show), .changed = G_CALLBACK (ask) },
    { .spec = g_param_spec_string ("kind", NULL, NULL, ALL, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarLinksView, kind), .changed = G_CALLBACK (ask) },
    { .spec = g_param_spec_string ("host", NULL, NULL, ALL, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarLinksView, host), .changed = G_CALLBACK (ask) },
    { .spec = g_param_spec_string ("podcast", NULL, NULL, ALL, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarLinksView, podcast), .changed = G_CALLBACK (ask) },
    /* Words that each link must have */
    { "search", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarLinksView, search),
      .changed = G_CALLBACK (search_changed_cb) },
    /* The key of the episode of the first link */
    { "first-episode", G_TYPE_STRING, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarLinksView, first_episode) },
  };

  object_class->dispose = ear_links_view_dispose;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_install_property_action (widget_class, "links.show", "show");
  gtk_widget_class_install_property_action (widget_class, "links.kind", "kind");
  gtk_widget_class_install_property_action (widget_class, "links.host", "host");
  gtk_widget_class_install_property_action (widget_class, "links.podcast", "podcast");
  ear_action_install (widget_class, "links.export", "s", export_links);
  ear_link_row_add_keys (widget_class);
  ear_widget_set_template (widget_class, "ear-links-view");
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, filter_button);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, shows);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, hosts);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, podcasts);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, summary);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, count);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, stack);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, rows);
  gtk_widget_class_bind_template_child (widget_class, EarLinksView, status);
  gtk_widget_class_bind_template_callback (widget_class, map_cb);
  gtk_widget_class_bind_template_callback (widget_class, unmap_cb);
  gtk_widget_class_bind_template_callback (widget_class, setup_cb);
  gtk_widget_class_bind_template_callback (widget_class, ear_rows_keep_top);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
}

static void
ear_links_view_init (EarLinksView *self)
{
  self->show = g_strdup (STARRED);
  self->kind = g_strdup (ALL);
  self->host = g_strdup (ALL);
  self->podcast = g_strdup (ALL);
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->filter_button, open_menu_cb, self, NULL);
}

GtkWidget *
ear_links_view_new (EarLibrary *library)
{
  EarLinksView *self = g_object_new (EAR_TYPE_LINKS_VIEW, NULL);

  self->library = g_object_ref (library);
  self->links = ear_link_list_new (ear_library_get_catalogue (library));
  g_signal_connect_swapped (self->links, "notify", G_CALLBACK (update_state), self);
  g_signal_connect_swapped (self->links, "items-changed", G_CALLBACK (update_state), self);
  gtk_no_selection_set_model (self->rows, G_LIST_MODEL (self->links));

  return GTK_WIDGET (self);
}
