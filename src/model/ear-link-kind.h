/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarLinkKind:
 * @EAR_LINK_OTHER: nothing is known of it
 * @EAR_LINK_PULL_REQUEST: a change that is proposed to a program
 * @EAR_LINK_ISSUE: what is wrong with a program, or what is said of it
 * @EAR_LINK_SOURCE: source code, a file of it or a whole repository
 * @EAR_LINK_PAPER: a paper, or another document that is laid out for paper
 * @EAR_LINK_DOCUMENTATION: how something is used, or specified
 * @EAR_LINK_BLOG: an article of a blog
 *
 * What a page is, as far as its address tells. The numbers are stored.
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
