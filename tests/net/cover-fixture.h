/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-cache.h"
#include "net-fixture.h"

G_BEGIN_DECLS

/* A cover cache in a folder of its own */
typedef struct
{
  NetFixture net;
  char *directory;
  EarCoverCache *cache;
} Fixture;

/* One load and its result */
typedef struct
{
  GCancellable *cancellable;
  EarImage *image;
  GError *error;
  gboolean done;
} Cover;

typedef struct
{
  const char *path;
  void (*test) (Fixture *, gconstpointer);
} CoverTest;

int run_cover_tests (int argc, char **argv, const CoverTest *tests, gsize n);
void cover_clear (Cover *cover);
guint count_files (const char *path, const char *suffix);
void set_up (Fixture *fixture, gconstpointer data);
gboolean is_alone (gpointer cache);
void close_cache (Fixture *fixture);
void tear_down (Fixture *fixture, gconstpointer data);
void start_anew (Fixture *fixture);
void put (Fixture *fixture, const char *path, GBytes *picture_taken);
char *url_of (Fixture *fixture, guint address, const char *path);
guint count_requests (Fixture *fixture);
void start (Fixture *fixture, const char *url, EarCoverSize size, Cover *cover);
void await (Cover *cover);
void load (Fixture *fixture, const char *url, EarCoverSize size, Cover *cover);
void load_path (Fixture *fixture, const char *path, EarCoverSize size, Cover *cover);
void assert_cover (Cover *cover, int width, int height);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cover, cover_clear)

G_END_DECLS
