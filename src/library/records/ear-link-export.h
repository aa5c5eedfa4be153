/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-reading-list.h"

G_BEGIN_DECLS

char   *ear_link_dup_markdown        (EarLink *link);
GBytes *ear_link_export_markdown     (GPtrArray      *links,
                                      EarReadingList *list,
                                      const char     *heading);
GBytes *ear_link_export_json         (GPtrArray      *links,
                                      EarReadingList *list);

G_END_DECLS
