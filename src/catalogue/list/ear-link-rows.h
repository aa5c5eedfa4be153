/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-link-query.h"

G_BEGIN_DECLS

/* Limit of hosts to choose from */
#define EAR_LINK_HOSTS_LIMIT 100

/* With fewer episodes, no link of a podcast counts as repeated. */
#define EAR_LINK_EPISODES_MIN 4

/* Any thread */
GArray    *ear_link_rows_find       (EarDatabase        *database,
                                     const EarLinkQuery *query,
                                     GError            **error);
GPtrArray *ear_link_rows_read (EarDatabase        *database,
                                     const EarLinkPlace *places,
                                     guint               n_places,
                                     GError            **error);
GStrv      ear_link_rows_list_hosts (EarDatabase       *database,
                                      GError           **error);
GArray    *ear_link_rows_find_repeated (EarDatabase *database, gint64 podcast, GArray *ids, GError **error);

G_END_DECLS
