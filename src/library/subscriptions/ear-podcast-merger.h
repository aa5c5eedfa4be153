/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-bookmarks.h"
#include "ear-downloader.h"
#include "ear-history.h"
#include "ear-lists.h"
#include "ear-services.h"
#include "ear-subscriptions.h"

G_BEGIN_DECLS

#define EAR_TYPE_PODCAST_MERGER (ear_podcast_merger_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcastMerger, ear_podcast_merger, EAR, PODCAST_MERGER, GObject)

/* Main thread only. */
EarPodcastMerger *ear_podcast_merger_new (const EarServices *services);

G_END_DECLS
