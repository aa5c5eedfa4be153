/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes.h"

#include "ear-link.h"

#include <string.h>

static EAR_DEFINE_TEXTS_FREE (EarNotesSpan, span_free, link)

static void
block_free (EarNotesBlock *block)
{
  g_ptr_array_unref (block->spans);
  g_free (block);
}

static void
notes_clear (EarNotes *self)
{
  g_ptr_array_unref (self->blocks);
  g_clear_pointer (&self->chapters, g_ptr_array_unref);
  g_ptr_array_unref (self->links);
}

EarNotes *
ear_notes_new (void)
{
  EarNotes *self = g_atomic_rc_box_new0 (EarNotes);

  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) block_free);
  self->links = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_link_facts_free);

  return self;
}

EAR_DEFINE_REF_COUNTED (EarNotes, ear_notes, notes_clear)

/* Appends a block, while the notes are being built.
 * @level: a heading's level, a list item's or quote's depth, otherwise 0
 * @number: a numbered list item's number, otherwise 0 */
EarNotesBlock *
ear_notes_add_block (EarNotes *self, EarNotesBlockType type, guint level, guint number)
{
  EarNotesBlock *block = g_new0 (EarNotesBlock, 1);

  block->type = type;
  block->level = level;
  block->number = number;
  block->spans = g_ptr_array_new_with_free_func ((GDestroyNotify) span_free);
  g_ptr_array_add (self->blocks, block);

  return block;
}

/* Appends a span to a block.
 * @time: time in the episode that the span names, in microseconds, or -1 */
void
ear_notes_block_add (EarNotesBlock *block, const char *text, const char *link, gint64 time,
                     EarNotesStyle style)
{
  EarNotesSpan *span = g_new0 (EarNotesSpan, 1);

  span->text = g_strdup (text);
  span->link = g_strdup (link);
  span->time = time;
  span->style = style;
  g_ptr_array_add (block->spans, span);
}

static void
append_text (GString *text, const EarNotesBlock *block)
{
  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      if (span->text != NULL)
        g_string_append (text, span->text);
    }
}

/* Returns: (transfer full): the text of all its spans */
char *
ear_notes_block_to_text (const EarNotesBlock *block)
{
  GString *text = g_string_new (NULL);

  append_text (text, block);

  return g_string_free_and_steal (text);
}

/* Converts the notes to plain text, with a blank line between blocks (none between list
 * items), without images and the blocks that only link them. */
char *
ear_notes_to_text (EarNotes *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (self->blocks, i);
      const EarNotesBlock *before = i > 0 ? g_ptr_array_index (self->blocks, i - 1) : NULL;

      if (block->type == EAR_NOTES_IMAGE || block->names_image)
        continue;
      if (text->len > 0)
        g_string_append (text,
                         block->type == EAR_NOTES_LIST_ITEM && before->type == EAR_NOTES_LIST_ITEM
                             ? "\n"
                             : "\n\n");
      if (block->number > 0)
        g_string_append_printf (text, "%u. ", block->number);
      append_text (text, block);
    }

  return g_string_free_and_steal (text);
}

/* Nested lists have the same indent under bullets and numbers. */
#define INDENT "    "

static const struct
{
  EarNotesStyle style;
  const char *mark;
} styles[] = {
  { EAR_NOTES_STYLE_BOLD, "**" },
  { EAR_NOTES_STYLE_ITALIC, "*" },
  { EAR_NOTES_STYLE_STRIKE, "~~" },
};

/* Returns more backticks than the longest run in the text, and at least @least. */
static char *
make_fence (const char *text, gsize least)
{
  gsize longest = least - 1;

  for (const char *p = strchr (text, '`'); p != NULL; p = strchr (p, '`'))
    {
      const gsize run = strspn (p, "`");

      longest = MAX (longest, run);
      p += run;
    }

  return g_strnfill (longest + 1, '`');
}

static void
append_code (GString *markdown, const char *text)
{
  g_autofree char *fence = make_fence (text, 1);
  const char *space = *text == '`' || g_str_has_suffix (text, "`") ? " " : "";

  g_string_append_printf (markdown, "%s%s%s%s%s", fence, space, text, space, fence);
}

static gboolean
needs_escape (const char *text, const char *p, gboolean at_start)
{
  if (strchr ("\\`*[]<", *p) != NULL)
    return TRUE;
  if (*p == '_')
    return !(p > text && g_ascii_isalnum (p[-1]) && g_ascii_isalnum (p[1]));
  if (*p == '&')
    return g_ascii_isalnum (p[1]) || p[1] == '#';
  if (*p == '~')
    return p[1] == '~';

  return at_start && p == text && strchr ("#>+-=", *p) != NULL;
}

/* @at_start: whether the text begins a line */
static void
append_escaped (GString *markdown, const char *text, gboolean at_start)
{
  for (const char *p = text; *p != '\0'; p++)
    {
      if (needs_escape (text, p, at_start))
        g_string_append_c (markdown, '\\');
      if (at_start && p > text && *p == '.' && strspn (text, "0123456789") == (gsize) (p - text))
        g_string_append_c (markdown, '\\');
      g_string_append_c (markdown, *p);
    }
}

/* Spaces at the ends of a text go outside of its markup: CommonMark would ignore
 * the markup otherwise. */
static void
append_styled (GString *markdown, const char *text, EarNotesStyle style, gboolean at_start)
{
  const gsize before = strspn (text, " \n");
  g_autofree char *words = g_strchomp (g_strdup (text + before));
  const char *after = text + before + strlen (words);

  g_string_append_len (markdown, text, before);
  if (*words == '\0')
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (styles); i++)
    if (style & styles[i].style)
      g_string_append (markdown, styles[i].mark);
  if (style & EAR_NOTES_STYLE_CODE)
    append_code (markdown, words);
  else
    append_escaped (markdown, words, at_start);
  for (gsize i = G_N_ELEMENTS (styles); i-- > 0;)
    if (style & styles[i].style)
      g_string_append (markdown, styles[i].mark);
  g_string_append (markdown, after);
}

static void
append_address (GString *markdown, const char *address)
{
  const gboolean plain = strpbrk (address, "() ") == NULL;

  g_string_append_printf (markdown, plain ? "(%s)" : "(<%s>)", address);
}

static void
append_link (GString *markdown, const EarNotesSpan *span, const char *text, gboolean at_start)
{
  if (g_str_equal (text, span->link) && strpbrk (text, " <>") == NULL)
    {
      g_string_append_printf (markdown, "<%s>", text);
      return;
    }
  g_string_append_c (markdown, '[');
  append_styled (markdown, text, span->style, at_start);
  g_string_append_c (markdown, ']');
  append_address (markdown, span->link);
}

/* Appends the text between two offsets of a block. */
static void
append_spans (GString *out, const EarNotesBlock *block, gsize from, gsize to, gboolean markdown)
{
  gsize start = 0;

  for (guint i = 0; i < block->spans->len && start < to; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);
      const gsize length = strlen (span->text);
      const gsize first = MAX (from, start);
      const gsize last = MIN (to, start + length);
      g_autofree char *text =
          first < last ? g_strndup (span->text + first - start, last - first) : NULL;

      if (text != NULL && !markdown)
        g_string_append (out, text);
      else if (text != NULL && span->link != NULL)
        append_link (out, span, text, first == 0);
      else if (text != NULL)
        append_styled (out, text, span->style, first == 0);
      start += length;
    }
}

static void
append_image (GString *out, const EarNotesBlock *block, gboolean markdown)
{
  const EarNotesSpan *span = g_ptr_array_index (block->spans, 0);

  if (!markdown)
    {
      g_string_append (out, span->text);
      return;
    }
  g_string_append (out, "![");
  append_escaped (out, span->text, FALSE);
  g_string_append_c (out, ']');
  append_address (out, span->link);
}

/* Returns the prefix of the first line of a block, and of its other lines. */
static void
get_prefixes (const EarNotesBlock *block, gboolean markdown, GString *first, GString *others)
{
  for (guint i = 1; i < block->level && block->type == EAR_NOTES_LIST_ITEM; i++)
    g_string_append (others, INDENT);
  for (guint i = 0; i < block->level && block->type == EAR_NOTES_QUOTE && markdown; i++)
    g_string_append (others, "> ");
  g_string_append (first, others->str);
  if (block->type == EAR_NOTES_HEADING && markdown)
    for (guint i = 0; i <= block->level; i++)
      g_string_append_c (first, i < block->level ? '#' : ' ');
  if (block->type != EAR_NOTES_LIST_ITEM)
    return;
  if (block->number > 0)
    g_string_append_printf (first, "%u. ", block->number);
  else
    g_string_append (first, markdown ? "- " : "• ");
  g_string_append (others, block->number > 0 ? "   " : "  ");
}

/* In Markdown, two spaces at the end of a line are a line break. */
static void
append_lines (GString *out, const char *text, const char *first, const char *others,
              gboolean markdown)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (out, "%s%s%s", i == 0 ? first : others, lines[i],
                            lines[i + 1] == NULL ? ""
                            : markdown           ? "  \n"
                                                 : "\n");
}

static void
append_preformatted (GString *out, const char *text)
{
  g_autofree char *fence = make_fence (text, 3);

  g_string_append_printf (out, "%s\n%s%s%s", fence, text, g_str_has_suffix (text, "\n") ? "" : "\n",
                          fence);
}

static char *
copy_block (const EarNotesBlock *block, gsize from, gsize to, gboolean markdown)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) first = g_string_new (NULL);
  g_autoptr (GString) others = g_string_new (NULL);
  GString *out = g_string_new (NULL);

  if (block->type == EAR_NOTES_RULE && from < to && markdown)
    g_string_append (out, "---");
  else if (block->type == EAR_NOTES_IMAGE && from < to)
    append_image (out, block, markdown);
  if (block->type == EAR_NOTES_RULE || block->type == EAR_NOTES_IMAGE)
    return g_string_free_and_steal (out);

  append_spans (text, block, from, to, markdown && block->type != EAR_NOTES_PREFORMATTED);
  if (text->len > 0 && from == 0)
    get_prefixes (block, markdown, first, others);
  if (text->len > 0 && markdown && block->type == EAR_NOTES_PREFORMATTED)
    append_preformatted (out, text->str);
  else if (text->len > 0)
    append_lines (out, text->str, first->str, others->str, markdown);

  return g_string_free_and_steal (out);
}

/* @markdown: whether to keep headings, styles and links as Markdown
 * Returns: (transfer full): a part of the notes; whole list items have bullets and numbers */
char *
ear_notes_copy (EarNotes *self, const EarNotesRange *range, gboolean markdown)
{
  GString *out = g_string_new (NULL);
  const EarNotesBlock *before = NULL;

  for (guint i = range->start.block; i <= range->end.block && i < self->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (self->blocks, i);
      const gsize from = i == range->start.block ? range->start.offset : 0;
      const gsize to = i == range->end.block ? range->end.offset : G_MAXSIZE;
      g_autofree char *text = copy_block (block, from, to, markdown);

      if (*text == '\0')
        continue;
      if (before != NULL)
        g_string_append (out,
                         before->type == EAR_NOTES_LIST_ITEM && block->type == EAR_NOTES_LIST_ITEM
                             ? "\n"
                             : "\n\n");
      g_string_append (out, text);
      before = block;
    }

  return g_string_free_and_steal (out);
}
