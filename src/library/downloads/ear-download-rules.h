/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-downloader.h"
#include "ear-lists.h"

G_BEGIN_DECLS

gboolean ear_download_rules_keep        (EarLists   *lists,
                                         EarEpisode *episode);
guint    ear_download_rules_count_newest (EarPodcast *podcast,
                                          guint       everywhere);
gboolean ear_download_rules_drop_played (EarLists   *lists,
                                         EarEpisode *episode,
                                         gboolean    everywhere);
void     ear_download_rules_choose      (EarLists   *lists,
                                         GPtrArray  *wanted,
                                         GPtrArray  *known,
                                         GPtrArray  *get,
                                         GPtrArray  *drop);

G_END_DECLS
