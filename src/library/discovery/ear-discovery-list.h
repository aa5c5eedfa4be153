/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-discovery-result.h"

G_BEGIN_DECLS

/* Results, best first. Main thread only. */
typedef struct _EarDiscoveryList EarDiscoveryList;

EarDiscoveryList *ear_discovery_list_new (void);
void ear_discovery_list_free (EarDiscoveryList *self);
GListModel *ear_discovery_list_get_model (EarDiscoveryList *self);
void ear_discovery_list_set_podcasts (EarDiscoveryList *self, GListModel *podcasts);
void ear_discovery_list_begin (EarDiscoveryList *self, EarPodcast *like);
void ear_discovery_list_add (EarDiscoveryList *self, GPtrArray *entries, EarDiscoveryReason reason,
                             const char *words);
void ear_discovery_list_end (EarDiscoveryList *self);

G_END_DECLS
