/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-link.h"
#include "ear-notes.h"

#include <string.h>

/* Longer texts are no headings, but paragraphs. */
#define LONGEST_HEADING 80

/* Limit of a link's words, which are read at a glance */
#define LONGEST_WORDS 300

/* A part of a block's text: a link, or the text between links */
typedef struct
{
  GString *text;
  const char *address; /* (nullable): address of the link */
} Part;

/* The heading that applies to the next link */
typedef struct
{
  char *text;        /* (nullable) */
  gboolean is_label; /* it is a paragraph like a heading, for the next block only */
  gboolean in_list;  /* that block is a list, which has begun */
  char *item;        /* (nullable): heading for the list's deeper items */
  guint level;       /* level of that item */
} Place;

static void
part_free (Part *part)
{
  g_string_free (part->text, TRUE);
  g_free (part);
}

/* Joins adjacent links to the same address. */
static GPtrArray *
get_parts (const EarNotesBlock *block)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify) part_free);
  Part *last = NULL;

  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      if (last == NULL || g_strcmp0 (last->address, span->link) != 0)
        {
          last = g_new0 (Part, 1);
          last->text = g_string_new (NULL);
          last->address = span->link;
          g_ptr_array_add (parts, last);
        }
      g_string_append (last->text, span->text != NULL ? span->text : "");
    }

  return parts;
}

/* @text: text between two links
 * Returns: (transfer none): the text without leading words that only join the links */
const char *
ear_notes_skip_joints (const char *text)
{
  static const char *const joints[] = { "and",  "or", "also", "&", "und",
                                        "oder", "et", "ou",   "y", "o" };
  const gsize length = strcspn (text, " ");

  for (gsize i = 0; i < G_N_ELEMENTS (joints); i++)
    if (strlen (joints[i]) == length && g_ascii_strncasecmp (joints[i], text, length) == 0)
      return text[length] == '\0' ? text + length : ear_notes_skip_joints (text + length + 1);

  return text;
}

static gboolean
is_in (const char *p, const char *set)
{
  const gunichar c = g_utf8_get_char (p);

  return g_unichar_isspace (c) || g_utf8_strchr (set, -1, c) != NULL;
}

static gboolean
is_blank (const char *text)
{
  while (*text != '\0' && is_in (text, ""))
    text = g_utf8_next_char (text);

  return *text == '\0';
}

/* Returns one line of limited length, without these characters at its ends. */
static char *
make_line (const char *text, const char *before, const char *behind)
{
  GString *line = g_string_new (NULL);
  const char *end;

  while (*text != '\0' && is_in (text, before))
    text = g_utf8_next_char (text);
  for (end = text + strlen (text); end > text && is_in (g_utf8_prev_char (end), behind);)
    end = g_utf8_prev_char (end);
  for (const char *p = text; p < end; p = g_utf8_next_char (p))
    {
      const gboolean is_space = g_unichar_isspace (g_utf8_get_char (p));

      if (is_space && line->len >= LONGEST_WORDS)
        {
          g_string_append (line, "…");
          break;
        }
      if (!is_space)
        g_string_append_unichar (line, g_utf8_get_char (p));
      else if (line->str[line->len - 1] != ' ')
        g_string_append_c (line, ' ');
    }

  return g_string_free_and_steal (line);
}

/* Returns the words that a text between links has for one of them. */
static char *
get_words (const char *text)
{
  g_autofree char *line = make_line (text, EAR_NOTES_MARKS_BEFORE, EAR_NOTES_MARKS_BEHIND);

  return g_strdup (ear_notes_skip_joints (line));
}

/* Texts that do not describe the linked page */
static const char *const vague[] = {
  "see", "see also", "here", "click here", "right here", "this", "this link", "this page", "link",
  "links", "more", "read more", "learn more", "find out more", "more info", "more information",
  "visit", "read", "go", "page", "web page", "website", "site", "url", "siehe", "hier",
  "klick hier", "mehr", "mehr dazu", "voir", "ici", "cliquez ici", "en savoir plus", "plus", "ver",
  "aquí", "más", "כאן", "לחצו כאן", "ראו",
};

static gboolean
is_vague (const char *line)
{
  g_autofree char *folded = g_utf8_casefold (line, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (vague); i++)
    if (g_str_equal (folded, vague[i]))
      return TRUE;

  return *line == '\0';
}

/* Returns the beginning of the last sentence. The whole text of a list item
 * describes its link. */
static const char *
find_sentence (const EarNotesBlock *block, const char *text)
{
  const char *start = text;

  if (block->type == EAR_NOTES_LIST_ITEM)
    return text;
  for (const char *p = text; *p != '\0'; p++)
    if (*p == '\n' || (strchr (".?!", *p) != NULL && p[1] == ' '))
      if (p[1 + strspn (p + 1, " \n")] != '\0')
        start = p + 1;

  return start;
}

/* Whether a text is only the address, whole or abbreviated. */
static gboolean
is_address (const char *text, const char *address)
{
  const char *host = strstr (address, "://");
  gsize length;

  if (strpbrk (text, " \n") != NULL)
    return FALSE;
  if (g_ascii_strncasecmp (text, "http://", 7) == 0 ||
      g_ascii_strncasecmp (text, "https://", 8) == 0 || g_ascii_strncasecmp (text, "www.", 4) == 0)
    return TRUE;
  host = ear_address_skip_www (host != NULL ? host + 3 : address);
  length = strcspn (host, "/?#");

  return length > 0 && g_ascii_strncasecmp (text, host, length) == 0 &&
         strchr ("/?#", text[length]) != NULL;
}

static const char *
get_text (GPtrArray *parts, guint i)
{
  return i < parts->len ? ((const Part *) g_ptr_array_index (parts, i))->text->str : "";
}

static gboolean
is_link (GPtrArray *parts, guint i)
{
  return i < parts->len && ((const Part *) g_ptr_array_index (parts, i))->address != NULL;
}

/* Returns: (transfer full): words for a link: its text; if that is vague, with the words
 * before it; if that is an address, the words before it, or those of the previous link,
 * or the words after it; maybe empty
 * @last: (nullable): the words of the previous link in the block */
static char *
find_words (const EarNotesBlock *block, GPtrArray *parts, guint i, const char *last)
{
  const Part *part = g_ptr_array_index (parts, i);
  g_autofree char *own = make_line (part->text->str, "", EAR_NOTES_MARKS_BEHIND ".");
  g_autofree char *before = NULL;
  g_autofree char *behind = NULL;

  if (!is_vague (own) && !is_address (part->text->str, part->address))
    return make_line (part->text->str, "", "");
  if (i > 0 && !is_link (parts, i - 1))
    before = get_words (find_sentence (block, get_text (parts, i - 1)));
  if (before != NULL && !is_vague (before))
    {
      if (!is_address (part->text->str, part->address))
        return g_strdup_printf ("%s %s", before, own);
      return g_steal_pointer (&before);
    }
  if (last != NULL)
    return g_strdup (last);
  if (!is_link (parts, i + 1))
    behind = get_words (get_text (parts, i + 1));
  if (behind == NULL || is_vague (behind))
    return g_strdup ("");

  return g_strdup (g_str_has_prefix (behind, "for ") ? behind + strlen ("for ") : behind);
}

/* Whether a block without links is a label: few words in bold, or with a colon
 * at their end */
static gboolean
is_label (const EarNotesBlock *block)
{
  g_autofree char *whole = ear_notes_block_to_text (block);
  g_autofree char *text = make_line (whole, "", "");
  gboolean bold = TRUE;

  if (*text == '\0' || g_utf8_strlen (text, -1) > LONGEST_HEADING || strchr (whole, '\n') != NULL)
    return FALSE;
  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      if (span->link != NULL || span->time >= 0)
        return FALSE;
      bold = bold && ((span->style & EAR_NOTES_STYLE_BOLD) || is_blank (span->text));
    }

  return g_str_has_suffix (text, ":") || (bold && block->type != EAR_NOTES_LIST_ITEM);
}

static char *
make_heading (const EarNotesBlock *block)
{
  g_autofree char *text = ear_notes_block_to_text (block);

  return make_line (text, "", EAR_NOTES_MARKS_BEHIND ".");
}

static void
enter_item (Place *place, const EarNotesBlock *block)
{
  place->in_list = TRUE;
  if (block->level <= place->level || is_label (block))
    g_clear_pointer (&place->item, g_free);
  if (place->item != NULL || !is_label (block))
    return;
  place->item = make_heading (block);
  place->level = block->level;
}

/* Updates the heading at a block. */
static void
enter_block (Place *place, const EarNotesBlock *block)
{
  const gboolean is_heading = block->type == EAR_NOTES_HEADING;

  if (block->type == EAR_NOTES_LIST_ITEM)
    {
      enter_item (place, block);
      return;
    }
  g_clear_pointer (&place->item, g_free);
  if (is_heading || (block->type == EAR_NOTES_PARAGRAPH && is_label (block)))
    {
      g_free (place->text);
      place->text = make_heading (block);
      place->is_label = !is_heading;
      place->in_list = FALSE;
    }
  else if (block->type == EAR_NOTES_RULE || (place->is_label && place->in_list))
    {
      g_clear_pointer (&place->text, g_free);
    }
}

static void
list_block (GPtrArray *links, const EarNotesBlock *block, const char *heading)
{
  g_autoptr (GPtrArray) parts = get_parts (block);
  const char *last = NULL;

  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = g_ptr_array_index (parts, i);
      EarLinkFacts *link;

      if (part->address == NULL || g_str_has_prefix (part->address, "mailto:"))
        continue;
      link = g_new0 (EarLinkFacts, 1);
      link->address = g_strdup (part->address);
      link->heading = g_strdup (heading);
      link->words = find_words (block, parts, i, last);
      if (*link->words == '\0')
        g_clear_pointer (&link->words, g_free);
      last = link->words;
      g_ptr_array_add (links, link);
    }
}

EAR_DEFINE_TEXTS_FREE (EarLinkFacts, ear_link_facts_free, heading)

/* Lists all links in the notes, in their order, including duplicates. Excludes images,
 * blocks that only link an image, mail addresses and times.
 * Returns: (transfer full) (element-type EarLinkFacts): the links as in the notes, without
 * id and kind */
GPtrArray *
ear_notes_list_links (EarNotes *self)
{
  GPtrArray *links = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_link_facts_free);
  Place place = { 0 };

  for (guint i = 0; i < self->blocks->len; i++)
    {
      const EarNotesBlock *block = g_ptr_array_index (self->blocks, i);

      if (block->type == EAR_NOTES_IMAGE || block->names_image)
        continue;
      enter_block (&place, block);
      list_block (links, block, place.item != NULL ? place.item : place.text);
    }
  g_free (place.text);
  g_free (place.item);

  return links;
}

/* Cleans the address, and sets the fields that follow from it.
 * Returns: whether a browser can open it */
static gboolean
complete (EarLinkFacts *link)
{
  g_autofree char *address = ear_link_address_dup_clean (link->address);
  g_autofree char *key = address != NULL ? ear_link_address_dup_key (address) : NULL;

  if (address == NULL)
    return FALSE;
  g_set_str (&link->address, address);
  link->id = ear_link_address_make_id (key);
  link->kind = ear_link_kind_find (address);

  return TRUE;
}

/* Fills the notes' links, while the notes are being built: each once; the first words of
 * duplicates win. */
void
ear_notes_collect_links (EarNotes *self)
{
  g_autoptr (GPtrArray) links = ear_notes_list_links (self);
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);

  g_ptr_array_set_free_func (links, NULL);
  for (guint i = 0; i < links->len; i++)
    {
      g_autoptr (EarLinkFacts) link = g_ptr_array_index (links, i);
      EarLinkFacts *before;

      if (self->links->len == EAR_LINKS_LIMIT || !complete (link))
        continue;
      before = g_hash_table_lookup (known, &link->id);
      if (before == NULL)
        {
          g_hash_table_insert (known, &link->id, link);
          g_ptr_array_add (self->links, g_steal_pointer (&link));
          continue;
        }
      if (before->words == NULL)
        before->words = g_steal_pointer (&link->words);
      if (before->heading == NULL)
        before->heading = g_steal_pointer (&link->heading);
    }
}

/* Returns: (transfer full) (element-type EarLink): their links, in order */
GPtrArray *
ear_links_of_notes (EarNotes *notes)
{
  GPtrArray *links = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; notes != NULL && i < notes->links->len; i++)
    {
      const EarLinkFacts *link = g_ptr_array_index (notes->links, i);

      g_ptr_array_add (links, ear_link_new (link->address, link->words, link->heading, link->kind));
    }

  return links;
}
