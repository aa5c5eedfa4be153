/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _EarTestFile EarTestFile;

/**
 * EarTestFile:
 * @bytes: the content
 * @type: the Content-Type
 * @etag: a strong entity tag, in quotes, derived from the content
 * @modified: time of the last change, in whole seconds
 *
 * One version of a served file. Immutable.
 */
struct _EarTestFile
{
  GBytes *bytes;
  char *type;
  char *etag;
  GDateTime *modified;

  /*< private >*/
  GBytes *gzip; /* nullable, created on demand */
  gatomicrefcount ref_count;
};

EarTestFile *ear_test_file_new (GBytes     *bytes,
                                const char *type,
                                GDateTime  *modified);
EarTestFile *ear_test_file_ref (EarTestFile *self);
void ear_test_file_unref (EarTestFile *self);
gboolean ear_test_file_is_text (EarTestFile *self);
GBytes *ear_test_file_get_gzip (EarTestFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarTestFile, ear_test_file_unref)

#define EAR_TYPE_TEST_FILES (ear_test_files_get_type ())

G_DECLARE_FINAL_TYPE (EarTestFiles, ear_test_files, EAR, TEST_FILES, GObject)

EarTestFiles *ear_test_files_new (void);

void ear_test_files_mount (EarTestFiles *self,
                           const char   *prefix,
                           const char   *directory);
void ear_test_files_set_seed (EarTestFiles *self,
                              const char   *path);
void ear_test_files_set_audio (EarTestFiles *self,
                               const char   *path);
void ear_test_files_put (EarTestFiles *self,
                         const char   *path,
                         const char   *type,
                         GBytes       *bytes);
void ear_test_files_put_way (EarTestFiles *self,
                             const char   *path,
                             const char   *way);
char *ear_test_files_dup_way (EarTestFiles *self,
                              const char   *path);
void ear_test_files_remove (EarTestFiles *self,
                            const char   *path);
void ear_test_files_warm (EarTestFiles *self,
                          const char   *origin);
EarTestFile *ear_test_files_find (EarTestFiles *self,
                                  const char   *path,
                                  const char   *origin);

G_END_DECLS
