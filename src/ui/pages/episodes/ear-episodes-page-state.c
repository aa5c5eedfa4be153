/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page-private.h"

#include <glib/gi18n.h>

#include "ear-error-text.h"
#include "ear-error.h"
#include "ear-page-state.h"
#include "ear-property.h"

/*
 * What the page shows: rows, or why there are none, and what is wrong with those that are there.
 */

EarPodcast *
ear_episodes_page_get_podcast (EarEpisodesPage *self)
{
  return self->collection != NULL ? ear_sidebar_item_get_podcast (self->collection) : NULL;
}

static void
set_refreshing (EarEpisodesPage *self, gboolean refreshing)
{
  if (ear_property_set_boolean (self, "refreshing", refreshing))
    gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, refreshing, -1);
}

static void
show_status (EarEpisodesPage *self, const EarPageFacts *facts)
{
  g_auto (EarPageText) text = { 0 };
  g_autofree char *body = NULL;

  ear_page_text_init (&text, facts);
  body = text.body != NULL ? g_markup_escape_text (text.body, -1) : NULL;
  adw_status_page_set_icon_name (self->status, text.icon_name);
  adw_status_page_set_title (self->status, text.title);
  adw_status_page_set_description (self->status, body);
  gtk_widget_set_visible (GTK_WIDGET (self->status_button), text.button != NULL);
  if (text.button != NULL)
    gtk_button_set_label (self->status_button, text.button);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->status_button), text.action);
  gtk_widget_set_visible (self->status_address, text.blames_address);
}

/* Above rows that are there, whatever the last check said. */
static void
update_banner (EarEpisodesPage *self, EarPodcast *podcast)
{
  const GError *error = podcast != NULL ? ear_podcast_get_error (podcast) : NULL;
  const gboolean revealed = error != NULL && ear_podcast_get_n_episodes (podcast) > 0 && !ear_podcast_get_refreshing (podcast);
  const gboolean needs_password = podcast != NULL && ear_podcast_get_needs_password (podcast);
  const gboolean other = g_error_matches (error, EAR_ERROR, EAR_ERROR_OTHER_PODCAST);
  g_autofree char *title = ear_error_text_title (error, EAR_ERROR_ABOUT_FEED);
  g_autofree char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED);

  if (revealed)
    {
      gtk_label_set_label (self->banner_title, title);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->banner), body);
      gtk_button_set_label (self->banner_button, needs_password ? _("_Sign In…") : other ? _("Re_view…") : _("_Retry"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->banner_button), needs_password ? "win.sign-in"
                                                                            : other        ? "win.review-feed"
                                                                                           : "win.refresh");
      gtk_widget_set_visible (self->banner_address, ear_error_blames_address (error));
    }
  gtk_revealer_set_reveal_child (self->banner, revealed);
}

/* To be called when another episode is chosen, a search begins or ends, or there is something else to list. */
void
ear_episodes_page_update_vacant (EarEpisodesPage *self)
{
  ear_property_set_boolean (self, "vacant",
                            self->has_nothing && ear_episodes_page_get_episode (self) == NULL &&
                              !gtk_search_bar_get_search_mode (self->search_bar));
}

/* While it is not known it stays as it was: nothing comes and goes while the next list is read. */
static void
update_has_nothing (EarEpisodesPage *self, EarPageState state, const EarPageFacts *facts)
{
  if (state == EAR_PAGE_CONTENT)
    self->has_nothing = FALSE;
  else if (state == EAR_PAGE_STATUS && facts->search == NULL)
    self->has_nothing = facts->podcast == NULL || ear_podcast_get_n_episodes (facts->podcast) == 0;
}

/* Shows what there is, or says why there is nothing. */
void
ear_episodes_page_update_state (EarEpisodesPage *self)
{
  static const char *const names[] = { "content", "loading", "fetching", "status" };
  EarPodcast *podcast = ear_episodes_page_get_podcast (self);
  EarPageFacts facts = { 0 };
  EarPageState state;

  if (self->library == NULL || self->collection == NULL)
    return;

  facts.kind = ear_sidebar_item_get_kind (self->collection);
  facts.smart = facts.kind == EAR_SIDEBAR_ITEM_LIST && ear_list_is_smart (ear_sidebar_item_get_list (self->collection));
  facts.loading = self->list == NULL || ear_episode_list_get_loading (self->list);
  facts.asking = self->list != NULL && ear_episode_list_get_asking (self->list);
  facts.fetching = podcast != NULL && self->fetching == podcast;
  facts.n_items = self->list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->list)) : 0;
  facts.podcast = podcast;
  facts.online = g_network_monitor_get_network_available (g_network_monitor_get_default ());
  facts.filter = ear_episode_filter_from_name (self->filter);
  facts.search = self->search;
  facts.trouble = self->trouble;
  facts.everywhere = self->everywhere;
  state = ear_page_state_find (&facts);
  self->fetching = state == EAR_PAGE_FETCHING ? podcast : NULL;
  if (state == EAR_PAGE_STATUS)
    show_status (self, &facts);
  gtk_widget_set_visible (self->fetching_page, state == EAR_PAGE_FETCHING);
  gtk_widget_set_visible (GTK_WIDGET (self->status), state == EAR_PAGE_STATUS);
  update_has_nothing (self, state, &facts);
  if (ear_episodes_page_shows_others (self))
    ear_episodes_page_show_others (self);
  else
    gtk_stack_set_visible_child_name (self->states, names[state]);
  ear_episodes_page_update_vacant (self);
  ear_property_set_boolean (self, "filterable", podcast != NULL ? ear_podcast_get_n_episodes (podcast) > 0 : facts.kind == EAR_SIDEBAR_ITEM_FOLDER);
  update_banner (self, podcast);
  set_refreshing (self, podcast != NULL ? ear_podcast_get_refreshing (podcast)
                                        : ear_refresher_get_refreshing (ear_library_get_refresher (self->library)));
}
