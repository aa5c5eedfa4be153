/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-state-folder.h"

G_BEGIN_DECLS

GPtrArray *ear_state_restore (EarStateFolder *folder,
                              const char     *path,
                              gboolean        exact,
                              GError        **error);

G_END_DECLS
