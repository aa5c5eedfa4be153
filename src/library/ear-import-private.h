/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-import.h"

G_BEGIN_DECLS

EarImportFailure *ear_import_failure_new (EarPodcast   *podcast,
                                          const GError *error);

G_END_DECLS
