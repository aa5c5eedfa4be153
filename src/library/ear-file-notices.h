/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-notices.h"
#include "ear-refresher.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

#define EAR_TYPE_FILE_NOTICES (ear_file_notices_get_type ())
G_DECLARE_FINAL_TYPE (EarFileNotices, ear_file_notices, EAR, FILE_NOTICES, GObject)

EarFileNotices *ear_file_notices_new (EarCatalogue     *catalogue,
                                      EarUserdataStore *state,
                                      EarRefresher     *refresher,
                                      EarNotices       *notices);

G_END_DECLS
