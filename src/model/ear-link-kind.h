/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarLinkKind:
 * @EAR_LINK_OTHER: unknown
 * @EAR_LINK_PULL_REQUEST: a pull request
 * @EAR_LINK_ISSUE: an issue or a discussion
 * @EAR_LINK_SOURCE: source code: a file or a repository
 * @EAR_LINK_PAPER: a paper, or another document in pages
 * @EAR_LINK_DOCUMENTATION: a manual or a specification
 * @EAR_LINK_BLOG: an article of a blog
 *
 * Kinds of pages, guessed from their addresses. The numbers are stored.
 */
typedef enum
{
  EAR_LINK_OTHER = 0,
  EAR_LINK_PULL_REQUEST = 1,
  EAR_LINK_ISSUE = 2,
  EAR_LINK_SOURCE = 3,
  EAR_LINK_PAPER = 4,
  EAR_LINK_DOCUMENTATION = 5,
  EAR_LINK_BLOG = 6,
} EarLinkKind;

#define EAR_N_LINK_KINDS (EAR_LINK_BLOG + 1)

EarLinkKind ear_link_kind_find     (const char *address);
const char *ear_link_kind_get_name (EarLinkKind kind);

G_END_DECLS
