/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_SEARCH_PROVIDER (ear_search_provider_get_type ())
G_DECLARE_FINAL_TYPE (EarSearchProvider, ear_search_provider, EAR, SEARCH_PROVIDER, GObject)

/**
 * EarSearchDescribeFunc:
 * @episode: an episode that was found
 *
 * Returns: (transfer full): the translated line below its title
 */
typedef char *(*EarSearchDescribeFunc) (EarEpisode *episode);

EarSearchProvider *ear_search_provider_new         (GApplication          *application,
                                                    GDBusConnection       *connection,
                                                    const char            *data_directory,
                                                    const char            *cache_directory,
                                                    EarSearchDescribeFunc  describe);
void               ear_search_provider_set_library (EarSearchProvider     *self,
                                                    EarLibrary            *library);
void               ear_search_provider_set_patience (EarSearchProvider    *self,
                                                     guint                 milliseconds);

G_END_DECLS
