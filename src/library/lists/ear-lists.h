/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-list-rule.h"
#include "ear-notices.h"
#include "ear-services.h"

G_BEGIN_DECLS

/* A list of the listener. Main thread only. Properties, read-only:
 *   title  char         its title
 *   rule   EarListRule  (nullable): the rule of a smart list */
#define EAR_TYPE_LIST (ear_list_get_type ())
G_DECLARE_FINAL_TYPE (EarList, ear_list, EAR, LIST, GObject)

const char *ear_list_get_id (EarList *self);
const char *ear_list_get_title (EarList *self);
const EarListRule *ear_list_get_rule (EarList *self);
gboolean ear_list_is_smart (EarList *self);
gboolean ear_list_has (EarList *self, EarEpisode *episode);
EarEpisodeQuery *ear_list_create_query (EarList *self, EarEpisodeSort sort, const char *search);

/* The listener's lists. Main thread only. All changes can be undone. */
#define EAR_TYPE_LISTS (ear_lists_get_type ())
G_DECLARE_FINAL_TYPE (EarLists, ear_lists, EAR, LISTS, GObject)

EarLists *ear_lists_new (const EarServices *services);
GListModel *ear_lists_get_all (EarLists *self);
EarList *ear_lists_find (EarLists *self, const char *id);
gboolean ear_lists_contain (EarLists *self, EarEpisode *episode);
gboolean ear_lists_accept (EarEpisode *episode);
EarList *ear_lists_create (EarLists *self, const char *title, const EarListRule *rule,
                           GPtrArray *episodes);
void ear_lists_change (EarLists *self, EarList *list, const char *title, const EarListRule *rule);
void ear_lists_remove (EarLists *self, EarList *list);
void ear_lists_move (EarLists *self, EarList *list, EarList *other, gboolean behind);
gboolean ear_lists_move_by (EarLists *self, EarList *list, gboolean up);
void ear_lists_readdress (EarLists *self, const char *from, const char *to);
void ear_lists_add (EarLists *self, EarList *list, GPtrArray *episodes);
void ear_lists_insert (EarLists *self, EarList *list, GPtrArray *episodes, EarEpisode *before);
void ear_lists_take_out (EarLists *self, EarList *list, GPtrArray *episodes);

G_END_DECLS
