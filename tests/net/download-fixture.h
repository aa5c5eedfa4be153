/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-download-file.h"
#include "net-fixture.h"

G_BEGIN_DECLS

/* Bytes fetched again when a download is resumed */
#define OVERLAP (16 * 1024)

/* An episode at /episode.mp3, and the file to download it to */
typedef struct
{
  NetFixture net;
  GBytes *sound;
  char *folder;
  char *path;
} Fixture;

/* One download and its results */
typedef struct
{
  /* Input */
  EarDownloadRequest *request;
  GCancellable *cancellable;
  gboolean refuse_head;

  /* Output */
  guint heads;
  char *etag; /* from the last head */
  char *last_modified;
  gint64 first_byte;
  gint64 total;
  gint64 size_at_head;
  EarHttpResponse *result;
  GError *error;
  gint64 retry_after;
  gboolean done;
} Download;

void      download_set_up       (Fixture       *fixture,
                                 gconstpointer  data);
void      download_tear_down    (Fixture       *fixture,
                                 gconstpointer  data);
GBytes   *download_make_sound   (gsize          length,
                                 guint32        seed);
Download *download_new          (Fixture       *fixture,
                                 const char    *path);
Download *download_new_after    (Fixture        *fixture,
                                 const char     *path,
                                 const Download *earlier);
void      download_add_login    (Download      *download);
void      download_start        (Download      *download,
                                 Fixture       *fixture);
void      download_wait         (Download      *download);
void      download_run          (Download      *download,
                                 Fixture       *fixture);
void      download_wait_for     (Download      *download,
                                 gint64         received);
void      download_free         (Download      *download);
void      download_assert_file  (Fixture       *fixture,
                                 GBytes        *expected);
gint64    download_assert_begun (Fixture       *fixture,
                                 GBytes        *expected);
void      download_assert_none  (Fixture       *fixture);
void      download_put_file     (Fixture       *fixture,
                                 GBytes        *bytes,
                                 gsize          length);
char     *download_dup_sent     (Fixture       *fixture,
                                 const char    *path,
                                 const char    *header);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Download, download_free)

#define download_assert_done(download, fixture)                     \
  G_STMT_START                                                      \
    {                                                               \
      g_assert_no_error ((download)->error);                        \
      g_assert_nonnull ((download)->result);                        \
      download_assert_file ((fixture), (fixture)->sound);           \
    }                                                               \
  G_STMT_END

G_END_DECLS
