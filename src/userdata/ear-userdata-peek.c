/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-peek.h"

#include "ear-record-file.h"

/* Reads records without writing, creating, merging or repairing files. Any thread may
 * call it.
 * @path: folder of the state files
 * @kind: kind of records
 * Returns: (transfer full) (element-type EarRecord): the records in the file, removed
 * ones too; none if the file is unreadable */
GPtrArray *
ear_userdata_peek_records (const char *path, EarRecordKind kind)
{
  g_autoptr (EarJsonFolder) folder = NULL;
  g_autoptr (EarRecordFile) file = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  folder = ear_json_folder_new (path, NULL, NULL);
  file = ear_record_file_new (folder, kind);
  ear_record_file_peek (file);

  return ear_record_file_dup_all (file);
}
