/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

typedef struct
{
  char *title;   /* (nullable) */
  char *address; /* of the feed: http or https */
  char *link;    /* (nullable): of the podcast's web page */
  char *folder;  /* (nullable): names of the outlines around it, joined by "/" */
} EarOpmlOutline;

EarOpmlOutline *ear_opml_outline_new  (void);
void            ear_opml_outline_free (EarOpmlOutline *self);
GPtrArray      *ear_opml_parse        (GBytes     *bytes,
                                       GError    **error);
GBytes         *ear_opml_write        (GPtrArray  *outlines,
                                       const char *title);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarOpmlOutline, ear_opml_outline_free)

G_END_DECLS
