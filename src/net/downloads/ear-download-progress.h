/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* The progress of a download. The fetching thread writes it; any thread may read it. */
typedef struct _EarDownloadProgress EarDownloadProgress;

EarDownloadProgress *ear_download_progress_new   (void);
EarDownloadProgress *ear_download_progress_ref   (EarDownloadProgress *self);
void                 ear_download_progress_unref (EarDownloadProgress *self);
void                 ear_download_progress_set   (EarDownloadProgress *self,
                                                  gint64               received,
                                                  gint64               total);
void                 ear_download_progress_get   (EarDownloadProgress *self,
                                                  gint64              *received,
                                                  gint64              *total);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDownloadProgress, ear_download_progress_unref)

G_END_DECLS
