/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What the database is called in the folder of a copy. */
#define EAR_TAKEOVER_COPY_NAME "copy.db"

gboolean ear_takeover_has_journal      (GFile         *file);
char    *ear_takeover_copy             (GFile         *file,
                                        GCancellable  *cancellable,
                                        GError       **error);
void     ear_takeover_remove_copy      (const char    *folder);
void     ear_takeover_remove_left_over (void);

G_END_DECLS
