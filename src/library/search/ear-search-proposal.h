/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A proposal for a search. Properties, read-only:
 *   label  char   the text to insert
 *   hint   char   (nullable): its explanation */
#define EAR_TYPE_SEARCH_PROPOSAL (ear_search_proposal_get_type ())
G_DECLARE_FINAL_TYPE (EarSearchProposal, ear_search_proposal, EAR, SEARCH_PROPOSAL, GObject)

GListStore *ear_search_proposals_create (const char *text, int position, GListModel *podcasts,
                                         GListModel *lists, int year);
const char *ear_search_proposal_get_label (EarSearchProposal *self);
char *ear_search_proposal_apply (EarSearchProposal *self, const char *text, int *position);

G_END_DECLS
