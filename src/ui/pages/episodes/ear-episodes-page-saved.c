/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page-private.h"

#include <glib/gi18n.h>

#include "ear-bookmarks-view.h"
#include "ear-links-view.h"

/*
 * What the view Saved has beside the episodes that are liked. It is made when it is wanted first, which is in few starts.
 */

static const struct
{
  const char *name;
  const char *label;
} tabs[] = {
  { "liked", NC_("episodes", "Liked") },
  { "bookmarks", N_("Bookmarks") },
  /* Translators: what episodes link to */
  { "links", N_("Links") },
};

static gboolean
has_chosen (EarEpisodesPage *self, const char *tab)
{
  return self->saved_tabs != NULL && gtk_widget_get_visible (GTK_WIDGET (self->saved_tabs)) &&
         g_strcmp0 (adw_toggle_group_get_active_name (self->saved_tabs), tab) == 0;
}

/* Whether something else than episodes is listed: what is looked for everywhere are these. */
gboolean
ear_episodes_page_shows_others (EarEpisodesPage *self)
{
  return (has_chosen (self, "bookmarks") || has_chosen (self, "links")) && (self->search == NULL || !self->everywhere);
}

/* Returns: (transfer full) (nullable): the key of the episode that what is listed first is of */
static char *
dup_first_key (EarEpisodesPage *self)
{
  g_autoptr (EarBookmark) bookmark = NULL;
  char *key = NULL;

  if (has_chosen (self, "links") && self->links != NULL)
    {
      g_object_get (self->links, "first-episode", &key, NULL);
      return key;
    }
  if (!has_chosen (self, "bookmarks"))
    return NULL;
  bookmark = g_list_model_get_item (ear_bookmarks_get_list (ear_library_get_bookmarks (self->library)), 0);

  return bookmark != NULL ? ear_bookmark_dup_key (bookmark) : NULL;
}

/* Beside the bookmarks, or the links, there is an episode to be seen, that of the first one. */
static void
choose_first (EarEpisodesPage *self)
{
  g_autofree char *key = ear_episodes_page_shows_others (self) ? dup_first_key (self) : NULL;

  if (key != NULL && !self->collapsed && ear_episodes_page_get_episode (self) == NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", key);
}

static void
tab_chosen_cb (EarEpisodesPage *self)
{
  ear_episodes_page_update_state (self);
  choose_first (self);
}

static void
make_tabs (EarEpisodesPage *self)
{
  GtkWidget *group = adw_toggle_group_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (tabs); i++)
    {
      AdwToggle *toggle = adw_toggle_new ();

      adw_toggle_set_name (toggle, tabs[i].name);
      adw_toggle_set_label (toggle, i == 0 ? g_dpgettext2 (NULL, "episodes", tabs[i].label) : _(tabs[i].label));
      adw_toggle_group_add (ADW_TOGGLE_GROUP (group), toggle);
    }
  gtk_widget_add_css_class (group, "saved");
  gtk_accessible_update_property (GTK_ACCESSIBLE (group), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Saved Items"), -1);
  adw_toggle_group_set_active_name (ADW_TOGGLE_GROUP (group), tabs[0].name);
  g_signal_connect_object (group, "notify::active-name", G_CALLBACK (tab_chosen_cb), self, G_CONNECT_SWAPPED);
  gtk_box_prepend (self->listing, group);
  self->saved_tabs = ADW_TOGGLE_GROUP (group);
}

/* To be called when another collection is shown. */
void
ear_episodes_page_update_saved (EarEpisodesPage *self)
{
  const gboolean saved = self->collection != NULL && ear_sidebar_item_get_kind (self->collection) == EAR_SIDEBAR_ITEM_SAVED;

  if (saved && self->saved_tabs == NULL)
    make_tabs (self);
  if (self->saved_tabs != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->saved_tabs), saved);
}

static void
show_bookmarks (EarEpisodesPage *self)
{
  EarBookmarks *bookmarks = ear_library_get_bookmarks (self->library);

  if (self->bookmarks == NULL)
    {
      self->bookmarks = ear_bookmarks_view_new (bookmarks);
      gtk_stack_add_named (self->states, self->bookmarks, "bookmarks");
    }
  ear_bookmarks_view_set_search (EAR_BOOKMARKS_VIEW (self->bookmarks), self->search);
  gtk_stack_set_visible_child_name (self->states, "bookmarks");
  if (self->search == NULL)
    self->has_nothing = g_list_model_get_n_items (ear_bookmarks_get_list (bookmarks)) == 0;
}

static void
show_links (EarEpisodesPage *self)
{
  if (self->links == NULL)
    {
      self->links = ear_links_view_new (self->library);
      gtk_stack_add_named (self->states, self->links, "links");
      g_signal_connect_object (self->links, "notify::first-episode", G_CALLBACK (choose_first), self, G_CONNECT_SWAPPED);
    }
  ear_links_view_set_search (EAR_LINKS_VIEW (self->links), self->search);
  gtk_stack_set_visible_child_name (self->states, "links");
  self->has_nothing = FALSE;
}

/* Shows the bookmarks, or the links, those that are looked for. */
void
ear_episodes_page_show_others (EarEpisodesPage *self)
{
  if (has_chosen (self, "bookmarks"))
    show_bookmarks (self);
  else
    show_links (self);
}
