/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarDownloadKind:
 * @EAR_DOWNLOAD_KIND_NONE: neither
 * @EAR_DOWNLOAD_KIND_WANTED: wanted on this machine
 * @EAR_DOWNLOAD_KIND_THERE: on this machine
 *
 * State of a download for the catalogue's filters. The numbers are stored
 * in the database.
 */
typedef enum
{
  EAR_DOWNLOAD_KIND_NONE = 0,
  EAR_DOWNLOAD_KIND_WANTED = 1,
  EAR_DOWNLOAD_KIND_THERE = 2,
} EarDownloadKind;

/* Subtracted from the place of a failed download: failed ones come first, with
 * places below 0. */
#define EAR_DOWNLOAD_FAILED_FIRST (G_MAXINT64 / 2)

/* An episode, and whether its media is wanted, or downloaded */
typedef struct
{
  gint64 podcast; /* row id */
  char *guid;
  EarDownloadKind kind;
  gint64 place;   /* order among the wanted ones, lowest first; otherwise 0 */
} EarDownloadMark;

EarDownloadMark *ear_download_mark_new  (gint64           podcast,
                                         const char      *guid,
                                         EarDownloadKind  kind,
                                         gint64           place);
GPtrArray       *ear_download_mark_new_array (void);
EarDownloadMark *ear_download_mark_copy (const EarDownloadMark *self);
void             ear_download_mark_free (EarDownloadMark *self);
guint            ear_download_mark_hash (gconstpointer    mark);
gboolean         ear_download_mark_equal (gconstpointer   a,
                                          gconstpointer   b);

G_END_DECLS
