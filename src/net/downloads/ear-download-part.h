/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The file of a download in progress. All functions may wait for the disk: worker threads
 * only. */
typedef struct _EarDownloadPart EarDownloadPart;

EarDownloadPart *ear_download_part_open     (const char       *path,
                                             GError          **error);
void             ear_download_part_close    (EarDownloadPart  *self);
gint64           ear_download_part_get_size (EarDownloadPart  *self);
gboolean         ear_download_part_has_room (EarDownloadPart  *self,
                                             gint64            bytes,
                                             gint64            reserve,
                                             GError          **error);
gboolean         ear_download_part_empty    (EarDownloadPart  *self,
                                             GError          **error);
gboolean         ear_download_part_matches  (EarDownloadPart  *self,
                                             gint64            position,
                                             const guint8     *data,
                                             gsize             length);
gboolean         ear_download_part_write    (EarDownloadPart  *self,
                                             gint64            position,
                                             const guint8     *data,
                                             gsize             length,
                                             GError          **error);
gboolean         ear_download_part_sync     (EarDownloadPart  *self,
                                             GError          **error);
void             ear_download_part_remove   (EarDownloadPart  *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDownloadPart, ear_download_part_close)

G_END_DECLS
