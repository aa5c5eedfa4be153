/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-peek.h"

#include "ear-record-file.h"

/**
 * ear_userdata_peek_records:
 * @path: where the listened state is
 * @kind: which records
 *
 * Reads them for who only looks something up: nothing is written, made, merged or mended. Any thread may call it.
 *
 * Returns: (transfer full) (element-type EarRecord): those that the file has now, removed ones too; none where it cannot be read
 */
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
