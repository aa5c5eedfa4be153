/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"

G_BEGIN_DECLS

#define EAR_TYPE_LINK_COLLECTOR (ear_link_collector_get_type ())
G_DECLARE_FINAL_TYPE (EarLinkCollector, ear_link_collector, EAR, LINK_COLLECTOR, GObject)

/* Collects the links of all episodes for the catalogue. Main thread only. */
EarLinkCollector *ear_link_collector_new (EarCatalogue *catalogue);
void ear_link_collector_set_delay (EarLinkCollector *self, guint milliseconds);

G_END_DECLS
