/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-discovery-result.h"

G_BEGIN_DECLS

/* What was found, best first: a list of EarDiscoveryResult. Main thread only. */
#define EAR_TYPE_DISCOVERY_LIST (ear_discovery_list_get_type ())
G_DECLARE_FINAL_TYPE (EarDiscoveryList, ear_discovery_list, EAR, DISCOVERY_LIST, GObject)

EarDiscoveryList *ear_discovery_list_new          (void);
void              ear_discovery_list_set_podcasts (EarDiscoveryList   *self,
                                                   GListModel         *podcasts);
void              ear_discovery_list_begin        (EarDiscoveryList   *self,
                                                   EarPodcast         *like);
void              ear_discovery_list_add          (EarDiscoveryList   *self,
                                                   GPtrArray          *entries,
                                                   EarDiscoveryReason  reason,
                                                   const char         *words);
void              ear_discovery_list_end          (EarDiscoveryList   *self);

G_END_DECLS
