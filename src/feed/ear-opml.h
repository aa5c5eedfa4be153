/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* A played episode of a list: Overcast exports these. */
typedef struct
{
  char *enclosure; /* URL */
  char *title;     /* (nullable) */
  gboolean played;
  gint64 position; /* in microseconds */
  gint64 updated;  /* Unix microseconds of the last change, or EAR_STAMP_OLDEST */
} EarOpmlEpisode;

typedef struct
{
  char *title;   /* (nullable) */
  char *address; /* URL of the feed: http or https */
  char *link;    /* (nullable): URL of the podcast's web page */
  char *folder;  /* (nullable): names of the outlines around it, joined by "/" */
  guint n_repeated; /* further entries with the same URL */
  GPtrArray *episodes; /* (element-type EarOpmlEpisode) (nullable): played elsewhere */
} EarOpmlOutline;

EarOpmlOutline *ear_opml_outline_new  (void);
void            ear_opml_outline_free (EarOpmlOutline *self);
GPtrArray      *ear_opml_parse        (GBytes     *bytes,
                                       GError    **error);
GBytes         *ear_opml_write        (GPtrArray  *outlines,
                                       const char *title);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarOpmlOutline, ear_opml_outline_free)

G_END_DECLS
