/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarTextKind:
 * @EAR_TEXT_LITERAL: plain text
 * @EAR_TEXT_ESCAPED: plain text that may contain character references; tags are text
 * @EAR_TEXT_HTML: HTML
 *
 * The encoding of an element's text.
 */
typedef enum
{
  EAR_TEXT_LITERAL,
  EAR_TEXT_ESCAPED,
  EAR_TEXT_HTML,
} EarTextKind;

char *ear_text_line (const char  *text,
                     EarTextKind  kind,
                     gsize        limit);

G_END_DECLS
