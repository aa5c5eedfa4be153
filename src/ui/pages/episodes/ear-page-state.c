/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-page-state.h"

#include <glib/gi18n.h>

#include "ear-error-text.h"
#include "ear-error.h"

/* The status page of an episode list without rows. Pure functions: a table of
 * states and words. */

EarPageState
ear_page_state_find (const EarPageFacts *facts)
{
  if (facts->n_items > 0)
    return EAR_PAGE_CONTENT;
  /* A fetch stays visible until its episodes are listed: the page never claims in between
   * that there are none. */
  if (facts->fetching && facts->podcast != NULL && facts->search == NULL &&
      (facts->asking || ear_podcast_get_refreshing (facts->podcast)))
    return EAR_PAGE_FETCHING;
  if (facts->search != NULL || facts->podcast == NULL ||
      ear_podcast_get_n_episodes (facts->podcast) > 0)
    return facts->loading ? EAR_PAGE_LOADING : EAR_PAGE_STATUS;
  if (ear_podcast_get_refreshing (facts->podcast))
    return EAR_PAGE_FETCHING;
  if (ear_podcast_get_error (facts->podcast) == NULL &&
      ear_podcast_get_checked (facts->podcast) == 0 && facts->online)
    return EAR_PAGE_FETCHING;

  return EAR_PAGE_STATUS;
}

typedef struct
{
  const char *icon_name;
  const char *title;
  const char *body;
  const char *button;
  const char *action;
} Words;

static const Words found_nothing = { "system-search-symbolic", N_("No Episodes Found"),
                                     N_("Try other words.") };
static const Words found_nothing_here = { "system-search-symbolic", N_("No Episodes Found"),
                                          N_("Try other words, or search all podcasts."),
                                          N_("Search _Everywhere"), "list.search-everywhere" };
static const Words fitting = { "ear-smart-list-symbolic", N_("No Matching Episodes"),
                               N_("Episodes that match this list appear here.") };
static const Words none = { "ear-podcast-symbolic", N_("No Episodes") };
static const Words none_yet = { "ear-podcast-symbolic", N_("No Episodes Yet"),
                                N_("New episodes of this podcast appear here."),
                                N_("_Check Again"), "win.refresh" };
static const Words offline = { "network-offline-symbolic", N_("No Network"),
                               N_("Episodes appear once you are online."), N_("_Retry"),
                               "win.refresh" };

static const Words views[] = {
  [EAR_SIDEBAR_ITEM_QUEUE] = { "ear-queue-symbolic", N_("Up Next Is Empty"),
                               N_("Add episodes with “Play Next” or “Add to Up Next” "
                                  "in their menu.") },
  [EAR_SIDEBAR_ITEM_NEW] = { "object-select-symbolic", N_("You Are Up to Date"),
                             N_("New episodes appear here."), N_("_Check Again"),
                             "app.refresh-all" },
  [EAR_SIDEBAR_ITEM_IN_PROGRESS] = { "ear-in-progress-symbolic", N_("No Episodes in Progress"),
                                     N_("Episodes you started appear here.") },
  [EAR_SIDEBAR_ITEM_DOWNLOADS] = { "ear-downloaded-symbolic", N_("No Downloads"),
                                   N_("Downloaded episodes appear here and play offline.") },
  [EAR_SIDEBAR_ITEM_SAVED] = { "ear-liked-symbolic", N_("No Liked Episodes"),
                               N_("Liked episodes appear here.") },
  [EAR_SIDEBAR_ITEM_HISTORY] = { "document-open-recent-symbolic", N_("No History Yet"),
                                 N_("Episodes you play appear here.") },
  [EAR_SIDEBAR_ITEM_LIST] = { "ear-list-symbolic", N_("Empty List"),
                              N_("Add episodes with “Add to List” in their menu, or drag them "
                                 "here.") },
};

static const Words unplayed = { "object-select-symbolic", N_("No Unplayed Episodes"),
                                N_("You have played everything here.") };

static const Words *const filters[] = {
  [EAR_FILTER_UNPLAYED] = &unplayed,
  [EAR_FILTER_IN_PROGRESS] = &views[EAR_SIDEBAR_ITEM_IN_PROGRESS],
  [EAR_FILTER_DOWNLOADED] = &views[EAR_SIDEBAR_ITEM_DOWNLOADS],
  [EAR_FILTER_LIKED] = &views[EAR_SIDEBAR_ITEM_SAVED],
};

static Words
find_words (const EarPageFacts *facts)
{
  const Words *words;

  if (facts->search != NULL)
    /* A search everywhere would not find more. */
    return facts->everywhere || facts->trouble != NULL ? found_nothing : found_nothing_here;
  if (facts->podcast == NULL && facts->kind != EAR_SIDEBAR_ITEM_FOLDER)
    return facts->smart ? fitting : views[facts->kind];
  if (facts->podcast != NULL && ear_podcast_get_n_episodes (facts->podcast) == 0)
    return ear_podcast_get_checked (facts->podcast) == 0 && !facts->online ? offline : none_yet;

  words = facts->filter < G_N_ELEMENTS (filters) ? filters[facts->filter] : NULL;
  if (words == NULL)
    return none;

  return (Words) { words->icon_name, words->title, words->body, N_("_Show All Episodes"),
                   "list.show-all" };
}

/* Returns: the words for the error of the last check */
EarPageText
ear_page_text_of_error (EarPodcast *podcast)
{
  const GError *error = ear_podcast_get_error (podcast);
  const gboolean needs_password = ear_podcast_get_needs_password (podcast);
  const gboolean other = g_error_matches (error, EAR_ERROR, EAR_ERROR_OTHER_PODCAST);

  return (EarPageText) {
    .icon_name = needs_password ? "dialog-password-symbolic" : "network-error-symbolic",
    .title = ear_error_text_title (error, EAR_ERROR_ABOUT_FEED),
    .body = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED),
    .button = needs_password ? _("_Sign In…") : other ? _("Re_view…") : _("_Retry"),
    .action = needs_password ? "win.sign-in" : other ? "win.review-feed" : "win.refresh",
    .blames_address = ear_error_blames_address (error),
  };
}

/* @facts: of a page in the state `EAR_PAGE_STATUS`
 * Returns: the words for a page without rows */
EarPageText
ear_page_text_find (const EarPageFacts *facts)
{
  const gboolean is_new = facts->search == NULL && facts->podcast != NULL &&
                          ear_podcast_get_n_episodes (facts->podcast) == 0;
  const GError *error = is_new ? ear_podcast_get_error (facts->podcast) : NULL;
  const gboolean is_offline = g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE);
  const Words words = is_offline ? offline : find_words (facts);

  if (error != NULL && !is_offline)
    return ear_page_text_of_error (facts->podcast);

  return (EarPageText) {
    .icon_name = words.icon_name,
    .title = _(words.title),
    .body = facts->trouble != NULL ? facts->trouble : words.body != NULL ? _(words.body) : NULL,
    .button = words.button != NULL ? _(words.button) : NULL,
    .action = words.action,
  };
}
