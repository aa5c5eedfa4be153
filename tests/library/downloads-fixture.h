/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "served-library.h"

/* Shared by the tests of downloads: bytes that stand for sound, and the episodes "lamp-1"
 * and so on of a served library. */

GBytes *make_sound (guint seed, gsize size);
EarEpisode *dup_episode (Fixture *fixture, guint i);
gboolean is_done (EarEpisode *episode);
gboolean has_failed (EarEpisode *episode);
gboolean is_running (EarEpisode *episode);
void follow_undo (Fixture *fixture, EarUndo **kept);
