/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Declarations shared by ear-download-folder.c and ear-download-folder-move.c */

#include "ear-download-folder.h"

#include "ear-json-folder.h"

G_BEGIN_DECLS

#define EAR_DOWNLOAD_RECORDS ".earmark"
#define EAR_DOWNLOAD_RECORD_ENDING ".json"
#define EAR_DOWNLOAD_REMOVED_ENDING ".removed"

struct _EarDownloadFolder
{
  /* Owned */
  char *path;
  EarJsonFolder *records;

  gboolean chosen; /* by the listener: never created again if missing */
};

GPtrArray         *ear_download_folder_list_names  (EarDownloadFolder *self);
EarDownloadRecord *ear_download_folder_read_record (EarDownloadFolder *self,
                                                    const char        *name,
                                                    GError           **error);
char              *ear_download_folder_dup_path    (EarDownloadFolder       *self,
                                                    const EarDownloadRecord *record,
                                                    const char              *ending);
gboolean           ear_download_folder_is_file     (const char        *path);
gboolean           ear_download_folder_make        (const char        *path,
                                                    GError           **error);
gboolean           ear_download_folder_give_name   (EarDownloadFolder *self,
                                                    EarDownloadRecord *record,
                                                    const char        *from,
                                                    GError           **error);

G_END_DECLS
