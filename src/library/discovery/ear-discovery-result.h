/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-directory.h"
#include "ear-podcast.h"

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

/*
 * A podcast that a search found. Properties:
 *   address     string      of the feed
 *   title       string
 *   author      string      nullable
 *   image       string      nullable: address of the cover
 *   n-episodes  uint        0: unknown
 *   reason      EarDiscoveryReason
 *   followed    boolean     notifies
 */
#define EAR_TYPE_DISCOVERY_RESULT (ear_discovery_result_get_type ())
G_DECLARE_FINAL_TYPE (EarDiscoveryResult, ear_discovery_result, EAR, DISCOVERY_RESULT, GObject)

EarDiscoveryResult *ear_discovery_result_new (EarDirectoryEntry *entry, EarDiscoveryReason reason);
const char *ear_discovery_result_get_address (EarDiscoveryResult *self);
gboolean ear_discovery_result_get_secure (EarDiscoveryResult *self);
const char *ear_discovery_result_get_title (EarDiscoveryResult *self);
const char *ear_discovery_result_get_author (EarDiscoveryResult *self);
const char *ear_discovery_result_get_key (EarDiscoveryResult *self);
EarPodcast *ear_discovery_result_get_podcast (EarDiscoveryResult *self);
void ear_discovery_result_set_podcast (EarDiscoveryResult *self, EarPodcast *podcast);
void ear_discovery_result_add (EarDiscoveryResult *self, EarDirectoryEntry *entry, double score);
double ear_discovery_result_get_score (EarDiscoveryResult *self);

G_END_DECLS
