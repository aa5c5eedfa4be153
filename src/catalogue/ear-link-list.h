/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-link.h"

G_BEGIN_DECLS

#define EAR_TYPE_LINK_LIST (ear_link_list_get_type ())
G_DECLARE_FINAL_TYPE (EarLinkList, ear_link_list, EAR, LINK_LIST, GObject)

/*
 * Links of the catalogue, a GListModel of EarLink. The list loads the links at the top,
 * and more when rows near its end are read. Main thread only. Properties:
 *   asking   gboolean  read-only: whether a query is running
 *   n-links  guint     read-only: number of links found, loaded or not
 */
EarLinkList *ear_link_list_new (EarCatalogue *catalogue);
void ear_link_list_set_query (EarLinkList *self, const EarLinkQuery *query);
void ear_link_list_set_watching (EarLinkList *self, gboolean watching);
void ear_link_list_load_all_async (EarLinkList *self, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);
gboolean ear_link_list_get_asking (EarLinkList *self);
guint ear_link_list_get_n_links (EarLinkList *self);

G_END_DECLS
