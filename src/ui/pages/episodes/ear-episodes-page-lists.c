/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page-private.h"

#include "ear-property.h"
#include "ear-rows-in-sight.h"
#include "ear-search-filter.h"
#include "ear-search-text.h"

/* Of one line. */
#define ROW_HEIGHT 54

/* What stands above the rows of a podcast: its cover, and the filters */
#define HEAD_HEIGHT 120

/*
 * Which list the page shows: that of its collection, or what a search finds.
 */

/* --- Lists ----------------------------------------------------------------------------- */

static void
set_list (EarEpisodesPage *self, EarEpisodeList *list)
{
  g_set_object (&self->list, list);
  if (self->search == NULL)
    g_set_object (&self->browse_list, list);
  g_signal_group_set_target (self->list_signals, list);
  ear_episode_view_set_list (self->view, list);
  ear_episodes_page_update_state (self);
  g_object_notify (G_OBJECT (self), "list");
}

/* Waits no longer for the list that was to be shown. */
void
ear_episodes_page_drop_next_list (EarEpisodesPage *self)
{
  if (self->next_list != NULL)
    g_signal_handlers_disconnect_by_data (self->next_list, self);
  g_clear_object (&self->next_list);
}

static void
show_next_list (EarEpisodesPage *self)
{
  g_autoptr (EarEpisodeList) list = g_object_ref (self->next_list);

  ear_episodes_page_drop_next_list (self);
  set_list (self, list);
}

static void
next_list_loading_cb (EarEpisodesPage *self)
{
  if (!ear_episode_list_get_loading (self->next_list))
    show_next_list (self);
}

/* By the words, and the filters among them. */
static EarEpisodeQuery *
create_search_query (EarEpisodesPage *self)
{
  g_autoptr (EarSearchFilter) search = ear_search_filter_parse (self->search, ear_library_get_podcasts (self->library),
                                                                ear_lists_get_all (ear_library_get_lists (self->library)));
  EarPodcast *podcast = ear_episodes_page_get_podcast (self);
  EarEpisodeQuery *query;

  self->trouble = ear_search_text_trouble (search);
  if (search->list != NULL)
    query = ear_list_create_query (EAR_LIST (search->list), EAR_SORT_RANKED, search->words);
  else if (self->everywhere)
    query = ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_RANKED, search->words);
  else
    query = ear_sidebar_item_create_query (self->collection, ear_episode_filter_from_name (self->filter), EAR_SORT_RANKED, search->words);
  if (search->list != NULL && podcast != NULL && !self->everywhere)
    query->podcast = ear_podcast_get_id (podcast);
  ear_episode_query_narrow (query, &search->terms);

  return query;
}

/* Whether what is said of a podcast stands above its episodes: what is looked for has that room. */
gboolean
ear_episodes_page_has_head (EarEpisodesPage *self)
{
  return self->search == NULL && !self->is_short && ear_episodes_page_get_podcast (self) != NULL;
}

static EarEpisodeQuery *
create_query (EarEpisodesPage *self)
{
  EarEpisodeQuery *query;

  g_clear_pointer (&self->trouble, g_free);
  if (self->search != NULL)
    query = create_search_query (self);
  else
    query = ear_sidebar_item_create_query (self->collection, ear_episode_filter_from_name (self->filter),
                                         ear_episode_sort_from_name (self->sort), NULL);
  query->n_first = ear_rows_in_sight (GTK_WIDGET (self), ear_episodes_page_has_head (self) ? HEAD_HEIGHT : 0, ROW_HEIGHT);

  return query;
}

/* Asks anew for what is to be listed. */
void
ear_episodes_page_update_query (EarEpisodesPage *self)
{
  g_autoptr (EarEpisodeQuery) query = NULL;

  ear_episodes_page_drop_next_list (self);
  if (self->library == NULL || self->collection == NULL)
    return;

  query = create_query (self);
  /* A space behind the last word, or the beginning of a filter */
  if (self->list != NULL && self->search != NULL && self->list != self->browse_list &&
      ear_episode_query_equal (ear_episode_list_get_query (self->list), query))
    {
      ear_episodes_page_update_state (self);
      return;
    }
  self->next_list = ear_episode_list_new_with_query (ear_library_get_catalogue (self->library), query);
  if (self->list == NULL || !ear_episode_list_get_loading (self->next_list))
    show_next_list (self);
  else
    g_signal_connect_swapped (self->next_list, "notify::loading", G_CALLBACK (next_list_loading_cb), self);
}

/* Asks for what is to be listed by another filter or in another order, of which what was listed before a search knows
 * nothing. */
void
ear_episodes_page_arrange_anew (EarEpisodesPage *self)
{
  g_clear_object (&self->browse_list);
  ear_episodes_page_update_query (self);
}

/* --- Searching ------------------------------------------------------------------------- */

/* What was listed before the first word is listed again. What was found stays chosen, and in sight. */
static void
restore_browsing (EarEpisodesPage *self)
{
  ear_episodes_page_drop_next_list (self);
  if (self->browse_list == NULL)
    {
      ear_episodes_page_update_query (self);
      return;
    }
  if (self->list != self->browse_list)
    set_list (self, self->browse_list);
  ear_episode_view_scroll_to_episode (self->view);
}

static void
set_search (EarEpisodesPage *self, const char *search)
{
  if (!g_set_str (&self->search, search))
    return;

  ear_episodes_page_update_found_podcasts (self);
  if (search != NULL)
    ear_episodes_page_update_query (self);
  else
    restore_browsing (self);
  ear_episodes_page_update_first_steps (self);
  if (ear_episodes_page_shows_others (self))
    ear_episodes_page_show_others (self);
  g_object_notify (G_OBJECT (self), "search");
}

static void
search_changed_cb (EarEpisodesPage *self)
{
  /* A space at the end says that the word before is whole. */
  g_autofree char *words = g_strchug (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->search_entry))));

  set_search (self, *words != '\0' ? words : NULL);
}

void
ear_episodes_page_set_search (EarEpisodesPage *self, const char *search)
{
  const char *text = search != NULL ? search : "";

  set_search (self, *text != '\0' ? text : NULL);
  /* What is typed next comes behind it. */
  if (!g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)), text))
    {
      gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
      gtk_editable_set_position (GTK_EDITABLE (self->search_entry), -1);
    }
}

void
ear_episodes_page_set_everywhere (EarEpisodesPage *self, gboolean everywhere)
{
  if (!ear_property_set_boolean (self, "everywhere", everywhere))
    return;

  adw_toggle_group_set_active_name (self->scopes, everywhere ? "everywhere" : "here");
  ear_episodes_page_update_found_podcasts (self);
  if (self->search != NULL)
    ear_episodes_page_update_query (self);
}

static void
scope_chosen_cb (EarEpisodesPage *self)
{
  ear_episodes_page_set_everywhere (self, g_strcmp0 (adw_toggle_group_get_active_name (self->scopes), "everywhere") == 0);
}

/* Enter leads from the words to the first that they found, unless something was chosen that goes on with them. */
static void
search_activated_cb (EarEpisodesPage *self)
{
  if (!ear_search_popover_take_chosen (self->search_popover) && !ear_episodes_page_focus_found_podcast (self))
    ear_episode_view_focus_first (self->view);
}

/* And so does the arrow down, where there is something; the choice of where to search is a Tab away. */
static gboolean
search_key_cb (EarEpisodesPage *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (ear_search_popover_take_key (self->search_popover, keyval, state))
    return GDK_EVENT_STOP;
  if ((keyval != GDK_KEY_Down && keyval != GDK_KEY_KP_Down) || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;

  return ear_episodes_page_focus_found_podcast (self) || ear_episode_view_focus_first (self->view) ? GDK_EVENT_STOP : GDK_EVENT_PROPAGATE;
}

/* Also from the rows that were found: the way back leads out of the search first. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  EarEpisodesPage *self = EAR_EPISODES_PAGE (widget);

  if (!gtk_search_bar_get_search_mode (self->search_bar))
    return GDK_EVENT_PROPAGATE;
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);

  return GDK_EVENT_STOP;
}

/* Each search begins where the listener is. What is in the bar need not be styled before the first. */
static void
search_mode_cb (EarEpisodesPage *self)
{
  /* Before the entry has the focus, which the panes take away when they come */
  ear_episodes_page_update_vacant (self);
  if (!gtk_search_bar_get_search_mode (self->search_bar))
    ear_episodes_page_set_everywhere (self, FALSE);
  else if (!gtk_widget_get_visible (self->search_box))
    {
      gtk_widget_set_visible (self->search_box, TRUE);
      gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
    }
}

static void
search_everywhere (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_episodes_page_set_everywhere (EAR_EPISODES_PAGE (widget), TRUE);
}

/* Closes the search bar, with nothing to go back to: another collection is shown. */
void
ear_episodes_page_end_search (EarEpisodesPage *self)
{
  g_clear_object (&self->browse_list);
  g_clear_pointer (&self->search, g_free);
  ear_episodes_page_update_found_podcasts (self);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
}

/* Makes the callbacks of this file known to the template. */
void
ear_episodes_page_bind_search (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "list.search-everywhere", NULL, search_everywhere);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_bind_template_callback (widget_class, scope_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_key_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_mode_cb);
}
