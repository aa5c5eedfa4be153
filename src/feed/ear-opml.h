/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* An episode in a list: Overcast exports those that were played. */
typedef struct
{
  char *enclosure; /* address */
  char *title;     /* (nullable) */
  gboolean played;
  gint64 position; /* microseconds */
  gint64 updated;  /* Unix microseconds: when that was; or EAR_STAMP_OLDEST */
} EarOpmlEpisode;

typedef struct
{
  char *title;   /* (nullable) */
  char *address; /* of the feed: http or https */
  char *link;    /* (nullable): of the podcast's web page */
  char *folder;  /* (nullable): names of the outlines around it, joined by "/" */
  guint n_repeated; /* how many more times its address, written alike, is in the list */
  GPtrArray *episodes; /* (element-type EarOpmlEpisode) (nullable): what the listener did with them elsewhere */
} EarOpmlOutline;

EarOpmlOutline *ear_opml_outline_new  (void);
void            ear_opml_outline_free (EarOpmlOutline *self);
GPtrArray      *ear_opml_parse        (GBytes     *bytes,
                                       GError    **error);
GBytes         *ear_opml_write        (GPtrArray  *outlines,
                                       const char *title);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarOpmlOutline, ear_opml_outline_free)

G_END_DECLS
