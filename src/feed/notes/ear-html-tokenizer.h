/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

typedef enum
{
  EAR_HTML_TEXT,
  EAR_HTML_START,
  EAR_HTML_END,
} EarHtmlTokenType;

/**
 * EarHtmlTokenizer:
 * @type: what the current token is
 * @name: of an element, in lower case; what is longer is cut, and no element we know
 * @source_name: where the name is written, with a prefix perhaps, up to @start
 * @start: where the token begins: of a text its first character, of a tag what follows the name
 * @length: how many bytes it has
 * @content: of a start tag whose element has no markup in it (script, iframe): what stands in it
 * @content_length: how many bytes that has; 0 for all other tokens
 *
 * Reads HTML token by token. Borrows the source; copies nothing.
 */
typedef struct
{
  EarHtmlTokenType type;
  char name[16];
  const char *source_name;
  const char *start;
  gsize length;
  const char *content;
  gsize content_length;

  /*< private >*/
  const char *position;
  gboolean has_prefix;
  gboolean in_drawing;
  guint without_end; /* a bit for each element without markup whose end does not come any more */
} EarHtmlTokenizer;

void     ear_html_tokenizer_init          (EarHtmlTokenizer *self,
                                           const char       *html);
gboolean ear_html_tokenizer_next          (EarHtmlTokenizer *self);
char    *ear_html_tokenizer_dup_attribute (EarHtmlTokenizer *self,
                                           const char       *name);
const char *ear_html_find_tag_end         (const char       *p);

G_END_DECLS
