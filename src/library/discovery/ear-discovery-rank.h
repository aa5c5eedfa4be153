/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double ear_discovery_rank_place (guint place);
double ear_discovery_rank_title (const char *title, const char *author, const char *words);

G_END_DECLS
