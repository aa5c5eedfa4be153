/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-http.h"

G_BEGIN_DECLS

#define EAR_TYPE_REFRESHER (ear_refresher_get_type ())
G_DECLARE_FINAL_TYPE (EarRefresher, ear_refresher, EAR, REFRESHER, GObject)

EarRefresher *ear_refresher_new            (EarCatalogue *catalogue,
                                            EarHttp      *http);
void          ear_refresher_refresh        (EarRefresher *self,
                                            EarPodcast   *podcast);
void          ear_refresher_retry_unreached (EarRefresher *self);
void          ear_refresher_cancel         (EarRefresher *self,
                                            EarPodcast   *podcast);
gboolean      ear_refresher_get_refreshing (EarRefresher *self);

G_END_DECLS
