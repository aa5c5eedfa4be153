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
 * @type: the type of the current token
 * @name: name of an element, in lower case; longer names are cut and match no known
 *   element
 * @source_name: the name in the source, perhaps with a prefix, up to @start
 * @start: start of the token: the first character of a text, or the end of a tag's name
 * @length: its length in bytes
 * @content: content of a start tag whose element has no markup in it (script, iframe)
 * @content_length: length of @content in bytes; 0 for all other tokens
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
  guint without_end; /* bits of elements without markup that have no end tag left */
} EarHtmlTokenizer;

void     ear_html_tokenizer_init          (EarHtmlTokenizer *self,
                                           const char       *html);
gboolean ear_html_tokenizer_next          (EarHtmlTokenizer *self);
char    *ear_html_tokenizer_dup_attribute (EarHtmlTokenizer *self,
                                           const char       *name);
const char *ear_html_find_tag_end         (const char       *p);

G_END_DECLS
