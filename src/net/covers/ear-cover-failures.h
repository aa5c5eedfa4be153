/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What has failed of late, and for how long it is left alone. */
typedef struct _EarCoverFailures EarCoverFailures;

EarCoverFailures *ear_cover_failures_new    (gint64 first_pause,
                                             gint64 last_pause);
void              ear_cover_failures_free   (EarCoverFailures *self);
void              ear_cover_failures_add    (EarCoverFailures *self,
                                             const char       *address,
                                             const GError     *error,
                                             gint64            now);
const GError     *ear_cover_failures_get    (EarCoverFailures *self,
                                             const char       *address,
                                             gint64            now);
void              ear_cover_failures_remove (EarCoverFailures *self,
                                             const char       *address);
void              ear_cover_failures_clear  (EarCoverFailures *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCoverFailures, ear_cover_failures_free)

G_END_DECLS
