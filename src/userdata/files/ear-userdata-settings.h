/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast-settings.h"
#include "ear-userdata-shape.h"

G_BEGIN_DECLS

void ear_userdata_settings_read (JsonObject *root, gint64 now, EarPodcastSettings *settings);
gboolean ear_userdata_settings_write (JsonObject *root, const EarPodcastSettings *settings,
                                      gint64 now);
gboolean ear_userdata_settings_restore (JsonObject *root, JsonObject *then, gint64 now);
void ear_userdata_settings_doubt (EarPodcastSettings *settings, gint64 now);
gboolean ear_userdata_settings_take_edited (EarPodcastSettings *into,
                                            const EarPodcastSettings *from,
                                            EarPodcastSettings *news);
void ear_userdata_settings_stamp (EarPodcastSettings *settings, gint64 done,
                                  const EarPodcastSettings *known, gint64 now);

G_END_DECLS
