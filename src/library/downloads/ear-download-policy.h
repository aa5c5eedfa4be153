/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

gint64 ear_download_policy_get_pause (const GError *error, guint tries, gint64 retry_after);

gboolean ear_download_policy_may_have_moved (const GError *error, const char *address);

gboolean ear_download_policy_is_old (gint64 since, guint days, gint64 now);

G_END_DECLS
