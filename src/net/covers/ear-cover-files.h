/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-size.h"
#include "ear-image.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

G_BEGIN_DECLS

#define EAR_COVER_N_SIZES 2

/* The metadata of a cover, stored in a file next to its pictures */
typedef struct
{
  char *etag;          /* (nullable) */
  char *last_modified; /* (nullable) */
  gint64 fetched;      /* Unix seconds, 0: never */
  guint failures;      /* consecutive ones */
  gint64 retry;        /* Unix seconds: no request before then */
} EarCoverFacts;

void           ear_cover_facts_free (EarCoverFacts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCoverFacts, ear_cover_facts_free)

int            ear_cover_size_get_pixels (EarCoverSize size);

/* Worker threads only */
EarCoverFacts *ear_cover_files_load_facts   (const char *directory,
                                             const char *address);
gboolean       ear_cover_files_save_facts   (const char          *directory,
                                             const char          *address,
                                             const EarCoverFacts *facts,
                                             GError             **error);
EarImage      *ear_cover_files_load_image   (const char   *directory,
                                             const char   *address,
                                             EarCoverSize  size);
void           ear_cover_files_save_picture (const char *directory,
                                             const char *address,
                                             GdkPixbuf  *picture,
                                             EarImage  **images,
                                             GError    **error);
int            ear_cover_files_open_scratch (const char *directory,
                                             GError    **error);
guint          ear_cover_files_prune        (const char *directory,
                                             gint64      oldest);
gint64         ear_cover_files_sweep        (const char *directory,
                                             gboolean    removing);

/* Any thread */
char          *ear_cover_files_dup_path     (const char   *directory,
                                             const char   *address,
                                             EarCoverSize  size);

G_END_DECLS
