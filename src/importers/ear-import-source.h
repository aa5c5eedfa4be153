/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-listed-podcast.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* The database of another program */
typedef struct
{
  char *name; /* of the program; not translated */
  char *path;
  guint n_podcasts;
} EarImportSource;

void ear_import_source_find_async (const char *home, const char *data_home,
                                   GAsyncReadyCallback callback, gpointer user_data);
GPtrArray *ear_import_source_find_finish (GAsyncResult *result, GError **error);
GPtrArray *ear_import_source_read (GFile *file, GCancellable *cancellable, GError **error);

G_END_DECLS
