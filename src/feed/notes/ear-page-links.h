/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* A feed that a web page links to. */
typedef struct
{
  char *address;
  char *title; /* (nullable) */
} EarPageLink;

void       ear_page_link_free  (EarPageLink *self);
GPtrArray *ear_page_find_feeds (GBytes     *bytes,
                                const char *content_type,
                                const char *address);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarPageLink, ear_page_link_free)

G_END_DECLS
