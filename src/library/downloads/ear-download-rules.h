/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"
#include "ear-lists.h"
#include "ear-podcast.h"
#include "ear-settings.h"

G_BEGIN_DECLS

gboolean ear_download_rules_keep (EarLists *lists, EarEpisode *episode);
gboolean ear_download_rules_drop_played (EarSettings *settings, EarLists *lists,
                                         EarEpisode *episode);

gint64 ear_download_policy_get_pause (const GError *error, guint tries, gint64 retry_after);
gboolean ear_download_policy_may_have_moved (const GError *error, const char *address);
gboolean ear_download_policy_is_old (gint64 since, guint days, gint64 now);

G_END_DECLS
