/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

G_BEGIN_DECLS

GPtrArray *ear_podcast_search (GListModel *podcasts, const char *words, guint limit);

G_END_DECLS
