/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-record.h"

G_BEGIN_DECLS

char *ear_download_name_dup_folder (const EarDownloadRecord *record);
char *ear_download_name_dup_file (const EarDownloadRecord *record, guint attempt,
                                  const char *type);

G_END_DECLS
