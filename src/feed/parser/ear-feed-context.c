/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include "ear-address.h"
#include "ear-chapters.h"
#include "ear-date.h"
#include "ear-duration.h"
#include "ear-feed-values.h"
#include "ear-html-tokenizer.h"
#include "ear-text-line.h"

#include <string.h>

#define MAX_LINE 1000
#define MAX_SHORT_LINE 64
#define MAX_TEXT_ADDRESS 8192
#define MAX_LIST 100
#define MAX_FUNDING 20
#define MAX_ITEMS 200000

/* Rank of the podcast's owner as its author */
#define OWNER_RANK 7

typedef enum
{
  KIND_NONE,
  KIND_LINE,       /* one line of plain text */
  KIND_SHORT_LINE, /* one line of a few words */
  KIND_MARKUP,     /* HTML or plain text, unchanged */
  KIND_GUID,
  KIND_ADDRESS,
  KIND_DATE,
  KIND_DURATION,
  KIND_NUMBER,
  KIND_EPISODE_TYPE,
  KIND_EXPLICIT,
  KIND_FLAG,
  KIND_LIST,       /* adds one entry */
  KIND_LIST_COMMA, /* adds entries separated by commas */
} Kind;

typedef struct
{
  Kind kind;
  int episode; /* offset of the member, or -1 */
  int podcast;
} Field;

#define EPISODE(member) ((int) G_STRUCT_OFFSET (EarEpisodeFacts, member))
#define PODCAST(member) ((int) G_STRUCT_OFFSET (EarPodcastFacts, member))

static const Field fields[EAR_N_FIELDS] = {
  [EAR_FIELD_NONE] = { KIND_NONE, -1, -1 },
  [EAR_FIELD_GUID] = { KIND_GUID, EPISODE (guid), PODCAST (guid) },
  [EAR_FIELD_TITLE] = { KIND_LINE, EPISODE (title), PODCAST (title) },
  [EAR_FIELD_LINK] = { KIND_ADDRESS, EPISODE (link), PODCAST (link) },
  [EAR_FIELD_AUTHOR] = { KIND_LINE, EPISODE (author), PODCAST (author) },
  [EAR_FIELD_IMAGE] = { KIND_ADDRESS, EPISODE (image), PODCAST (image) },
  [EAR_FIELD_NOTES] = { KIND_MARKUP, EPISODE (notes), PODCAST (description) },
  [EAR_FIELD_SUBTITLE] = { KIND_LINE, EPISODE (subtitle), -1 },
  [EAR_FIELD_PUBLISHED] = { KIND_DATE, EPISODE (published), PODCAST (published) },
  [EAR_FIELD_DURATION] = { KIND_DURATION, EPISODE (duration), -1 },
  [EAR_FIELD_SEASON] = { KIND_NUMBER, EPISODE (season), -1 },
  [EAR_FIELD_SEASON_NAME] = { KIND_LINE, EPISODE (season_name), -1 },
  [EAR_FIELD_NUMBER] = { KIND_SHORT_LINE, EPISODE (number), -1 },
  [EAR_FIELD_TYPE] = { KIND_EPISODE_TYPE, EPISODE (type), PODCAST (type) },
  [EAR_FIELD_EXPLICIT] = { KIND_EXPLICIT, EPISODE (explicit_content), PODCAST (explicit_content) },
  [EAR_FIELD_CHAPTERS] = { KIND_ADDRESS, EPISODE (chapters_address), -1 },
  [EAR_FIELD_LANGUAGE] = { KIND_SHORT_LINE, -1, PODCAST (language) },
  [EAR_FIELD_COPYRIGHT] = { KIND_LINE, -1, PODCAST (copyright) },
  [EAR_FIELD_GENERATOR] = { KIND_LINE, -1, PODCAST (generator) },
  [EAR_FIELD_OWNER_NAME] = { KIND_LINE, -1, PODCAST (owner_name) },
  [EAR_FIELD_OWNER_EMAIL] = { KIND_LINE, -1, PODCAST (owner_email) },
  [EAR_FIELD_NEW_ADDRESS] = { KIND_ADDRESS, -1, PODCAST (new_address) },
  [EAR_FIELD_SELF_ADDRESS] = { KIND_ADDRESS, -1, PODCAST (self_address) },
  [EAR_FIELD_NEXT_ADDRESS] = { KIND_ADDRESS, -1, PODCAST (next_address) },
  [EAR_FIELD_LICENSE] = { KIND_LINE, -1, PODCAST (license) },
  [EAR_FIELD_LOCATION] = { KIND_LINE, -1, PODCAST (location) },
  [EAR_FIELD_COMPLETE] = { KIND_FLAG, -1, PODCAST (complete) },
  [EAR_FIELD_BLOCKED] = { KIND_FLAG, -1, PODCAST (blocked) },
  [EAR_FIELD_CATEGORY] = { KIND_LIST, -1, PODCAST (categories) },
  [EAR_FIELD_KEYWORDS] = { KIND_LIST_COMMA, -1, PODCAST (keywords) },
};

static gboolean
is_blank (const char *text)
{
  return text[strspn (text, " \t\r\n")] == '\0';
}

static EarTextKind
get_text_kind (EarFeedContext *self)
{
  static const EarTextKind kinds[] = {
    /* Feeds escape titles once too often; tags in them are shown as text. */
    [EAR_FEED_TEXT_PLAIN] = EAR_TEXT_ESCAPED,
    [EAR_FEED_TEXT_LITERAL] = EAR_TEXT_LITERAL,
    [EAR_FEED_TEXT_HTML] = EAR_TEXT_HTML,
    [EAR_FEED_TEXT_XHTML] = EAR_TEXT_HTML,
    [EAR_FEED_TEXT_BASE64] = EAR_TEXT_ESCAPED,
    [EAR_FEED_TEXT_BASE64_HTML] = EAR_TEXT_HTML,
  };

  return kinds[self->text_type];
}

/* Escapes literal text that would be taken for HTML. */
static char *
read_markup (EarFeedContext *self, const char *text)
{
  if (is_blank (text))
    return NULL;
  if (self->text_type == EAR_FEED_TEXT_LITERAL && strpbrk (text, "<&") != NULL)
    {
      g_autofree char *escaped = g_markup_escape_text (text, -1);
      g_auto (GStrv) lines = g_strsplit (escaped, "\n", -1);

      return g_strjoinv ("<br/>\n", lines);
    }

  return g_strdup (text);
}

/* Reads a URL from the element's text or from an element within it. */
static char *
read_address (EarFeedContext *self, const char *text)
{
  EarHtmlTokenizer tokenizer;
  g_autofree char *line = NULL;
  g_autofree char *reference = NULL;

  if (strchr (text, '<') == NULL)
    return ear_feed_context_resolve (self, text);
  ear_html_tokenizer_init (&tokenizer, text);
  while (reference == NULL && ear_html_tokenizer_next (&tokenizer))
    if (tokenizer.type == EAR_HTML_START)
      {
        reference = ear_html_tokenizer_dup_attribute (&tokenizer, "href");
        if (reference == NULL)
          reference = ear_html_tokenizer_dup_attribute (&tokenizer, "src");
      }
  line = ear_text_line (text, EAR_TEXT_HTML, MAX_TEXT_ADDRESS);

  return ear_feed_context_resolve (self, reference != NULL ? reference : line);
}

static char *
read_string (EarFeedContext *self, EarFeedField field, const char *text)
{
  const Kind kind = fields[field].kind;
  char *line;

  if (kind == KIND_MARKUP)
    return read_markup (self, text);
  if (kind == KIND_GUID)
    return ear_feed_dup_guid (text);
  if (kind == KIND_ADDRESS)
    return read_address (self, text);
  if (field == EAR_FIELD_AUTHOR)
    return ear_feed_dup_author (text);

  line = ear_text_line (text, get_text_kind (self), kind == KIND_SHORT_LINE ? MAX_SHORT_LINE : MAX_LINE);
  /* BCP 47 uses hyphens. */
  if (line != NULL && field == EAR_FIELD_LANGUAGE)
    g_strdelimit (line, "_", '-');

  return line;
}

static gboolean
set_string (EarFeedContext *self, EarFeedField field, char **member, const char *text)
{
  g_autofree char *value = read_string (self, field, text);

  if (value == NULL)
    return FALSE;
  g_free (*member);
  *member = g_steal_pointer (&value);

  return TRUE;
}

/* Returns: whether a description is longer by a clear margin. Some feeds shorten the
 *   description that ranks higher, others repeat it with a few more words. */
static gboolean
is_clearly_fuller (gsize tells, gsize other)
{
  return other > 0 ? tells > other + other / 4 + 16 : tells > 0;
}

/* Keeps the fuller one of two descriptions. */
static gboolean
set_markup (EarFeedContext *self, EarFeedField field, char **member, guint rank, guint known, const char *text)
{
  gsize *told = self->episode != NULL ? &self->episode_tells : &self->podcast_tells;
  const gsize tells = ear_feed_measure_notes (text);

  if (rank == known ? tells <= *told : rank > known ? is_clearly_fuller (*told, tells) : !is_clearly_fuller (tells, *told))
    return FALSE;
  if (!set_string (self, field, member, text))
    return FALSE;
  *told = tells;

  return TRUE;
}

static gboolean
set_episode_type (gpointer member, const char *text)
{
  static const char *const words[] = {
    [EAR_EPISODE_FULL] = "full",
    [EAR_EPISODE_TRAILER] = "trailer",
    [EAR_EPISODE_BONUS] = "bonus",
  };
  g_autofree char *word = ear_feed_dup_word (text);

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i], word))
      {
        *(EarEpisodeType *) member = i;
        return TRUE;
      }

  return FALSE;
}

static void
add_entry (GPtrArray *list, const char *text)
{
  g_autofree char *line = ear_text_line (text, EAR_TEXT_ESCAPED, MAX_SHORT_LINE);

  if (line != NULL && list->len < MAX_LIST && !g_ptr_array_find_with_equal_func (list, line, g_str_equal, NULL))
    g_ptr_array_add (list, g_steal_pointer (&line));
}

static void
add_entries (GPtrArray *list, const char *text)
{
  g_auto (GStrv) entries = g_strsplit (text, ",", MAX_LIST + 1);

  for (char **entry = entries; *entry != NULL; entry++)
    add_entry (list, *entry);
}

static gboolean
set_date (gpointer member, const char *text)
{
  g_autofree char *line = ear_text_line (text, EAR_TEXT_HTML, MAX_SHORT_LINE * 2);
  const gint64 date = ear_date_parse (line);

  if (date != EAR_DATE_UNKNOWN)
    *(gint64 *) member = date;

  return date != EAR_DATE_UNKNOWN;
}

static gboolean
set_duration (gpointer member, const char *text)
{
  g_autofree char *line = ear_text_line (text, EAR_TEXT_HTML, MAX_SHORT_LINE);
  const gint64 duration = ear_duration_parse (line);

  if (duration != EAR_DURATION_UNKNOWN)
    *(gint64 *) member = duration;

  return duration != EAR_DURATION_UNKNOWN;
}

static gboolean
set_number (gpointer member, const char *text)
{
  const int number = ear_feed_read_number (text);

  if (number != 0)
    *(int *) member = number;

  return number != 0;
}

static gboolean
set_explicit (gpointer member, const char *text)
{
  const int boolean = ear_feed_read_boolean (text);

  if (boolean >= 0)
    *(EarExplicit *) member = boolean ? EAR_EXPLICIT_YES : EAR_EXPLICIT_NO;

  return boolean >= 0;
}

/* Setters of members that are not strings; each returns whether the text had a value. */
static gboolean (*const setters[]) (gpointer member, const char *text) = {
  [KIND_DATE] = set_date,
  [KIND_DURATION] = set_duration,
  [KIND_NUMBER] = set_number,
  [KIND_EPISODE_TYPE] = set_episode_type,
  [KIND_EXPLICIT] = set_explicit,
  [KIND_LIST_COMMA] = NULL,
};

/* Sets a member of the facts. A text without a value keeps the value of another element.
 * @known: the rank of the present value, 0 for none
 * Returns: whether the text is used */
static gboolean
set_member (EarFeedContext *self, EarFeedField field, gpointer member, guint rank, guint known, const char *text)
{
  const Kind kind = fields[field].kind;

  if (kind == KIND_MARKUP)
    return set_markup (self, field, member, rank, known, text);
  if (rank < known)
    return FALSE;
  if (kind == KIND_LIST)
    add_entry (*(GPtrArray **) member, text);
  else if (kind == KIND_LIST_COMMA)
    add_entries (*(GPtrArray **) member, text);
  else if (kind == KIND_FLAG)
    *(gboolean *) member = ear_feed_read_boolean (text) == 1;
  else if (setters[kind] != NULL)
    return rank > known && setters[kind] (member, text);
  else
    return rank > known && set_string (self, field, member, text);

  return kind == KIND_FLAG;
}

/* @address: (nullable): the URL of the feed */
void
ear_feed_context_init (EarFeedContext *self, const char *address)
{
  self->address = g_strdup (address);
  self->podcast = ear_podcast_facts_new ();
  self->alternates = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_enclosure_free);
}

void
ear_feed_context_clear (EarFeedContext *self)
{
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->base, g_free);
  g_clear_pointer (&self->podcast, ear_podcast_facts_unref);
  g_clear_pointer (&self->episode, ear_episode_facts_unref);
  g_clear_pointer (&self->alternate, ear_enclosure_free);
  g_clear_pointer (&self->alternates, g_ptr_array_unref);
}

/* @reference: (nullable): a URL, perhaps relative
 * Returns: (transfer full) (nullable): the absolute web address, or %NULL if it is not
 *   one */
char *
ear_feed_context_resolve (EarFeedContext *self, const char *reference)
{
  if (reference == NULL || is_blank (reference))
    return NULL;

  return ear_address_resolve (self->base != NULL ? self->base : self->address, reference);
}

/* References that resolve like URLs but are template mistakes: "l.png\">", "none", "{{
 * cover }}" */
static gboolean
is_doubtful (const char *reference)
{
  return strpbrk (reference, "\"<>{}\\") != NULL || strpbrk (reference, "./") == NULL;
}

/* Sets a field of the current episode, or else of the podcast, unless an element of a
 * higher rank, or an earlier one of the same rank, has set it. Of two descriptions the
 * fuller one is kept.
 * @text: (nullable): the element's text */
void
ear_feed_context_set (EarFeedContext *self, EarFeedField field, guint rank, const char *text)
{
  gboolean in_episode = self->episode != NULL;
  int offset = in_episode ? fields[field].episode : fields[field].podcast;
  guint8 *known = (in_episode ? self->episode_ranks : self->podcast_ranks) + field;
  gpointer facts = in_episode ? (gpointer) self->episode : (gpointer) self->podcast;

  /* A name replaces a mail address, whichever element has it. */
  if (field == EAR_FIELD_AUTHOR && text != NULL && ear_feed_is_mailbox (text))
    rank = MIN (rank, OWNER_RANK - 1);
  if (field == EAR_FIELD_IMAGE && text != NULL && is_doubtful (text))
    rank = EAR_FEED_DOUBTFUL_RANK;
  if (offset < 0 || text == NULL)
    return;
  if (!in_episode && field == EAR_FIELD_TYPE)
    {
      g_autofree char *word = ear_feed_dup_word (text);

      if (g_str_equal (word, "serial") || g_str_equal (word, "episodic"))
        g_set_str (&self->podcast->type, word);
      return;
    }
  if (set_member (self, field, (char *) facts + offset, rank, *known, text))
    {
      /* The owner is the author unless the feed names another. */
      if (field == EAR_FIELD_OWNER_NAME)
        ear_feed_context_set (self, EAR_FIELD_AUTHOR, OWNER_RANK, text);
      *known = rank;
      if (in_episode && field == EAR_FIELD_NOTES)
        g_set_str (&self->episode->notes_base, self->base);
    }
}

/* @element: the row of an element, with field and rank */
void
ear_feed_context_set_attribute (EarFeedContext *self, const EarFeedElement *element, const EarXmlAttributes *attributes, const char *name)
{
  ear_feed_context_set (self, element->field, element->rank, ear_xml_attributes_get (attributes, name));
}

/* Stores the text in the member that the element's start function chose, if any. */
void
ear_feed_context_end_line (EarFeedContext *self, const EarFeedElement *element, const char *text)
{
  if (self->line != NULL && *self->line == NULL && text != NULL)
    *self->line = ear_text_line (text, EAR_TEXT_ESCAPED, MAX_LINE);
}

/* @reference: (nullable): URL of a page for donations
 * Returns: (transfer none) (nullable): a new funding entry of the current episode or
 *   podcast, without a text; %NULL without a URL or above the limit */
EarFunding *
ear_feed_context_add_funding (EarFeedContext *self, const char *reference)
{
  GPtrArray *list = self->episode != NULL ? self->episode->funding : self->podcast->funding;
  g_autofree char *address = ear_feed_context_resolve (self, reference);
  EarFunding *funding;

  if (address == NULL || list->len >= MAX_FUNDING)
    return NULL;
  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (((EarFunding *) g_ptr_array_index (list, i))->address, address))
      return NULL;
  funding = ear_funding_new ();
  funding->address = g_steal_pointer (&address);
  g_ptr_array_add (list, funding);

  return funding;
}

void
ear_feed_context_begin_episode (EarFeedContext *self, const EarFeedElement *element, const EarXmlAttributes *attributes)
{
  g_clear_pointer (&self->episode, ear_episode_facts_unref);
  self->episode = ear_episode_facts_new ();
  memset (self->episode_ranks, 0, sizeof self->episode_ranks);
  self->episode_tells = 0;
  g_ptr_array_set_size (self->alternates, 0);
  self->n_defaults = 0;
}

/* Completes the facts of the episode and passes them to the item function. */
void
ear_feed_context_end_episode (EarFeedContext *self, const EarFeedElement *element, const char *text)
{
  g_autoptr (EarEpisodeFacts) episode = NULL;

  if (self->episode == NULL)
    return;
  ear_feed_context_sort_media (self);
  episode = g_steal_pointer (&self->episode);
  if (self->n_items >= MAX_ITEMS)
    return;
  if (episode->notes != NULL && episode->notes_base == NULL)
    {
      const char *base = episode->link != NULL ? episode->link : self->podcast->link != NULL ? self->podcast->link : self->address;

      episode->notes_base = g_strdup (base);
    }
  ear_chapters_sort (episode->chapters);
  self->n_items++;
  if (self->item_func != NULL)
    self->item_func (episode, self->user_data);
}
