/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-show-notes.h"

#include "ear-entities.h"
#include "ear-html-tokenizer.h"
#include "ear-notes-builder.h"

#include <string.h>

/* More notes cannot be searched; a whole transcript is shorter. */
#define TEXT_LIMIT (512 * 1024)

/* Joins runs of white space, and drops soft hyphens. */
static void
tidy (GString *text)
{
  char *to = text->str;

  for (const char *from = text->str; *from != '\0'; from++)
    if (g_ascii_isspace (*from))
      {
        if (to > text->str && to[-1] != ' ')
          *to++ = ' ';
      }
    else if (from[0] == '\xc2' && from[1] == '\xad')
      from++;
    else
      *to++ = *from;
  g_string_truncate (text, (gsize) (to - text->str));
}

/* Returns the words of notes, for searches; ear_show_notes_parse() reads the same notes
 * to be shown.
 * @source: (nullable): untrusted notes, HTML or plain text
 * Returns: (transfer full): their text, up to a limit */
char *
ear_show_notes_to_text (const char *source)
{
  g_autoptr (GString) text = g_string_new (NULL);
  EarHtmlTokenizer tokenizer;

  ear_html_tokenizer_init (&tokenizer, source != NULL ? source : "");
  while (text->len < TEXT_LIMIT && ear_html_tokenizer_next (&tokenizer))
    if (tokenizer.type == EAR_HTML_TEXT)
      ear_entity_append_text (text, tokenizer.start, MIN (tokenizer.length, TEXT_LIMIT));
    else
      {
        const EarNotesElement *element = ear_notes_elements_find (tokenizer.name);

        if (element != NULL && element->is_block)
          g_string_append_c (text, ' ');
      }
  tidy (text);

  return g_utf8_make_valid (text->str, (gssize) MIN (text->len, TEXT_LIMIT));
}
