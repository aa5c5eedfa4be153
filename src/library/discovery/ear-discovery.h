/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-directory.h"
#include "ear-discovery-input.h"
#include "ear-services.h"

G_BEGIN_DECLS

/* Reasons of a result.
 * @EAR_DISCOVERY_FITS: result of a search, or on a chart
 * @EAR_DISCOVERY_RECOMMENDED: recommended by the podcast of a search for similar ones
 * @EAR_DISCOVERY_SAME_AUTHOR: by its author
 * @EAR_DISCOVERY_SAME_CATEGORY: in its category */
typedef enum
{
  EAR_DISCOVERY_FITS,
  EAR_DISCOVERY_RECOMMENDED,
  EAR_DISCOVERY_SAME_AUTHOR,
  EAR_DISCOVERY_SAME_CATEGORY,
} EarDiscoveryReason;

/* A podcast that a search found. Properties:
 *   address     string      of the feed
 *   title       string
 *   author      string      nullable
 *   image       string      nullable: address of the cover
 *   n-episodes  uint        0: unknown
 *   reason      EarDiscoveryReason
 *   followed    boolean     notifies */
#define EAR_TYPE_DISCOVERY_RESULT (ear_discovery_result_get_type ())
G_DECLARE_FINAL_TYPE (EarDiscoveryResult, ear_discovery_result, EAR, DISCOVERY_RESULT, GObject)

EarDiscoveryResult *ear_discovery_result_new (EarDirectoryEntry *entry, EarDiscoveryReason reason);
const char *ear_discovery_result_get_address (EarDiscoveryResult *self);
gboolean ear_discovery_result_get_secure (EarDiscoveryResult *self);
const char *ear_discovery_result_get_title (EarDiscoveryResult *self);
const char *ear_discovery_result_get_author (EarDiscoveryResult *self);
EarPodcast *ear_discovery_result_get_podcast (EarDiscoveryResult *self);

/* Finds podcasts. Main thread only. Properties:
 *   input      EarDiscoveryInput  kind of question
 *   results    GListModel  of EarDiscoveryResult, best first; grows during the search
 *   searching  boolean
 *   error      GError      reason for an empty list, if it is an error
 *   unanswered string      names of directories that failed while others answered
 *   n-listed   uint        number of podcasts in the OPML list that was found */
#define EAR_TYPE_DISCOVERY (ear_discovery_get_type ())
G_DECLARE_FINAL_TYPE (EarDiscovery, ear_discovery, EAR, DISCOVERY, GObject)

EarDiscovery *ear_discovery_new (const EarServices *services, GPtrArray *directories);
void ear_discovery_set_text (EarDiscovery *self, const char *text);
void ear_discovery_set_like (EarDiscovery *self, EarPodcast *podcast);
void ear_discovery_set_chart (EarDiscovery *self, const char *category);
void ear_discovery_search_now (EarDiscovery *self);
GListModel *ear_discovery_get_results (EarDiscovery *self);
gboolean ear_discovery_get_searching (EarDiscovery *self);
const GError *ear_discovery_get_error (EarDiscovery *self);
char *ear_discovery_dup_address (EarDiscovery *self);
char *ear_discovery_dup_refused_address (EarDiscovery *self);
GPtrArray *ear_discovery_get_outlines (EarDiscovery *self);

EarDiscoveryInput ear_discovery_get_input (EarDiscovery *self);

double ear_discovery_rank_title (const char *title, const char *author, const char *words);

G_END_DECLS
