/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-episode-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  EAR_GROUPING_NONE,
  EAR_GROUPING_SEASONS, /* of a podcast */
  EAR_GROUPING_DAYS,    /* on which episodes were heard last */
  EAR_GROUPING_DOWNLOADS,
} EarGrouping;

#define EAR_TYPE_EPISODE_GROUPS (ear_episode_groups_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeGroups, ear_episode_groups, EAR, EPISODE_GROUPS, GObject)

EarEpisodeGroups *ear_episode_groups_new (EarEpisodeList *list, EarGrouping grouping);
gboolean ear_episode_groups_have_headings (EarEpisodeGroups *self);
char *ear_episode_groups_describe (EarEpisodeGroups *self, guint position);

G_END_DECLS
