/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-record.h"
#include "ear-userdata-file.h"

G_BEGIN_DECLS

typedef struct _EarRecordFile EarRecordFile;

EarRecordFile *ear_record_file_new (EarJsonFolder *folder, EarRecordKind kind);
void ear_record_file_free (EarRecordFile *self);
char *ear_record_file_dup_name (EarRecordKind kind);
gboolean ear_record_file_is_dirty (EarRecordFile *self);
void ear_record_file_peek (EarRecordFile *self);
gboolean ear_record_file_refresh (EarRecordFile *self, GError **error);
void ear_record_file_set (EarRecordFile *self, const EarRecord *record);
gboolean ear_record_file_write (EarRecordFile *self, GError **error);
GPtrArray *ear_record_file_dup_all (EarRecordFile *self);
GPtrArray *ear_record_file_steal_news (EarRecordFile *self);
gboolean ear_record_file_restore (JsonObject *root, JsonObject *then, gint64 now);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarRecordFile, ear_record_file_free)

G_END_DECLS
