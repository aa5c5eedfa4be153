/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* File name of the database within its copy's folder */
#define EAR_IMPORT_SOURCE_COPY_NAME "copy.db"

gboolean ear_import_source_has_journal      (GFile *file);
char    *ear_import_source_copy             (GFile        *file,
                                             GCancellable *cancellable,
                                             GError      **error);
void     ear_import_source_remove_copy      (const char *folder);
void     ear_import_source_remove_left_over (void);

G_END_DECLS
