/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarTextKind:
 * @EAR_TEXT_LITERAL: every character stands for itself
 * @EAR_TEXT_ESCAPED: references to characters may be left in it, tags stand for themselves
 * @EAR_TEXT_HTML: HTML
 *
 * How the text of an element is written.
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
