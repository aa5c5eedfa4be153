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

static void
set_words (EarPageText *text, const char *icon_name, const char *title, const char *body)
{
  text->icon_name = icon_name;
  text->title = g_strdup (title);
  text->body = g_strdup (body);
}

static void
set_button (EarPageText *text, const char *label, const char *action)
{
  text->button = label;
  text->action = action;
}

static void
describe_search (EarPageText *text, const EarPageFacts *facts)
{
  set_words (text, "system-search-symbolic", _("No Episodes Found"),
             facts->trouble != NULL ? facts->trouble : _("Try other words."));
  /* A search everywhere would not find more. */
  if (facts->everywhere || facts->trouble != NULL)
    return;

  g_set_str (&text->body, _("Try other words, or search all podcasts."));
  set_button (text, _("Search _Everywhere"), "list.search-everywhere");
}

typedef struct
{
  const char *icon_name;
  const char *title;
  const char *body;
} Words;

static const Words up_to_date = { "object-select-symbolic", N_("You Are Up to Date"),
                                  N_("New episodes appear here.") };
static const Words queued = { "ear-queue-symbolic", N_("Up Next Is Empty"),
                              N_("Add episodes with “Play Next” or “Play Last” in their menu.") };
static const Words begun = { "ear-in-progress-symbolic", N_("No Episodes in Progress"),
                             N_("Episodes you started appear here.") };
static const Words downloaded = { "ear-downloaded-symbolic", N_("No Downloads"),
                                  N_("Downloaded episodes appear here and play offline.") };
static const Words liked = { "ear-liked-symbolic", N_("No Liked Episodes"),
                             N_("Liked episodes appear here.") };
static const Words heard = { "document-open-recent-symbolic", N_("No History Yet"),
                             N_("Episodes you play appear here.") };
static const Words unplayed = { "object-select-symbolic", N_("No Unplayed Episodes"),
                                N_("You have played everything here.") };

static const Words listed = {
  "ear-list-symbolic", N_("Empty List"),
  N_("Add episodes with “Add to List” in their menu, or drag them here.")
};
static const Words fitting = { "ear-smart-list-symbolic", N_("No Matching Episodes"),
                               N_("Episodes that match this list appear here.") };

static const Words *const views[] = {
  [EAR_SIDEBAR_ITEM_QUEUE] = &queued,
  [EAR_SIDEBAR_ITEM_NEW] = &up_to_date,
  [EAR_SIDEBAR_ITEM_IN_PROGRESS] = &begun,
  [EAR_SIDEBAR_ITEM_DOWNLOADS] = &downloaded,
  [EAR_SIDEBAR_ITEM_SAVED] = &liked,
  [EAR_SIDEBAR_ITEM_HISTORY] = &heard,
  [EAR_SIDEBAR_ITEM_LIST] = &listed,
};

static const Words *const filters[] = {
  [EAR_FILTER_UNPLAYED] = &unplayed,
  [EAR_FILTER_IN_PROGRESS] = &begun,
  [EAR_FILTER_DOWNLOADED] = &downloaded,
  [EAR_FILTER_LIKED] = &liked,
};

static void
describe_view (EarPageText *text, const EarPageFacts *facts)
{
  const Words *words = facts->smart ? &fitting : views[facts->kind];

  set_words (text, words->icon_name, _(words->title), _(words->body));
  if (facts->kind == EAR_SIDEBAR_ITEM_NEW)
    set_button (text, _("_Check Again"), "app.refresh-all");
}

static void
describe_filter (EarPageText *text, const EarPageFacts *facts)
{
  const Words *words = facts->filter < G_N_ELEMENTS (filters) ? filters[facts->filter] : NULL;

  if (words == NULL)
    {
      set_words (text, "ear-podcast-symbolic", _("No Episodes"), NULL);
      return;
    }

  set_words (text, words->icon_name, _(words->title), _(words->body));
  set_button (text, _("_Show All Episodes"), "list.show-all");
}

/* A podcast of which nothing has come yet. */
static void
describe_podcast (EarPageText *text, const EarPageFacts *facts)
{
  const GError *error = ear_podcast_get_error (facts->podcast);

  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_OFFLINE) ||
      (error == NULL && ear_podcast_get_checked (facts->podcast) == 0 && !facts->online))
    {
      set_words (text, "network-offline-symbolic", _("No Network"),
                 _("Episodes appear once you are online."));
      set_button (text, _("_Retry"), "win.refresh");
    }
  else if (error != NULL)
    {
      text->icon_name = ear_podcast_get_needs_password (facts->podcast) ? "dialog-password-symbolic"
                                                                        : "network-error-symbolic";
      text->title = ear_error_text_title (error, EAR_ERROR_ABOUT_FEED);
      text->body = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED);
      text->blames_address = ear_error_blames_address (error);
      if (ear_podcast_get_needs_password (facts->podcast))
        set_button (text, _("_Sign In…"), "win.sign-in");
      else
        set_button (text, _("_Retry"), "win.refresh");
    }
  else
    {
      set_words (text, "ear-podcast-symbolic", _("No Episodes Yet"),
                 _("New episodes of this podcast appear here."));
      set_button (text, _("_Check Again"), "win.refresh");
    }
}

/* Finds the words for a page without rows.
 * @text: (out caller-allocates): the words
 * @facts: facts of a page in the state `EAR_PAGE_STATUS` */
void
ear_page_text_init (EarPageText *text, const EarPageFacts *facts)
{
  *text = (EarPageText) { 0 };
  if (facts->search != NULL)
    describe_search (text, facts);
  else if (facts->podcast == NULL && facts->kind != EAR_SIDEBAR_ITEM_FOLDER)
    describe_view (text, facts);
  else if (facts->podcast == NULL || ear_podcast_get_n_episodes (facts->podcast) > 0)
    describe_filter (text, facts);
  else
    describe_podcast (text, facts);
}

void
ear_page_text_clear (EarPageText *text)
{
  g_clear_pointer (&text->title, g_free);
  g_clear_pointer (&text->body, g_free);
}
