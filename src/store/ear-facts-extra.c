/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-facts-extra.h"

#define ENCLOSURES "a(ssx)"
#define CHAPTERS "a(xsssb)"
#define TRANSCRIPTS "a(sss)"
#define PERSONS "a(ssss)"
#define FUNDING "a(ss)"

/* A text of the outside as a variant; none becomes the empty one. */
static GVariant *
text_to_variant (const char *text)
{
  if (text == NULL)
    return g_variant_new_string ("");
  if (!g_utf8_validate (text, -1, NULL))
    return g_variant_new_take_string (g_utf8_make_valid (text, -1));

  return g_variant_new_string (text);
}

static char *
variant_to_text (const char *text)
{
  return *text != '\0' ? g_strdup (text) : NULL;
}

static void
add_persons (GVariantBuilder *dict, GPtrArray *persons)
{
  GVariantBuilder builder;

  if (persons->len == 0)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE (PERSONS));
  for (guint i = 0; i < persons->len; i++)
    {
      const EarPerson *person = g_ptr_array_index (persons, i);

      g_variant_builder_add (&builder, "(@s@s@s@s)", text_to_variant (person->name), text_to_variant (person->role),
                             text_to_variant (person->image), text_to_variant (person->link));
    }
  g_variant_builder_add (dict, "{sv}", "persons", g_variant_builder_end (&builder));
}

static void
add_texts (GVariantBuilder *dict, const char *key, GPtrArray *texts)
{
  GVariantBuilder builder;

  if (texts->len == 0)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < texts->len; i++)
    g_variant_builder_add_value (&builder, text_to_variant (g_ptr_array_index (texts, i)));
  g_variant_builder_add (dict, "{sv}", key, g_variant_builder_end (&builder));
}

/* The first enclosure has columns of its own. */
static void
add_enclosures (GVariantBuilder *dict, GPtrArray *enclosures)
{
  GVariantBuilder builder;

  if (enclosures->len < 2)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE (ENCLOSURES));
  for (guint i = 1; i < enclosures->len; i++)
    {
      const EarEnclosure *enclosure = g_ptr_array_index (enclosures, i);

      g_variant_builder_add (&builder, "(@s@sx)", text_to_variant (enclosure->address),
                             text_to_variant (enclosure->mime_type), enclosure->size);
    }
  g_variant_builder_add (dict, "{sv}", "enclosures", g_variant_builder_end (&builder));
}

static void
add_chapters (GVariantBuilder *dict, GPtrArray *chapters)
{
  GVariantBuilder builder;

  if (chapters->len == 0)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE (CHAPTERS));
  for (guint i = 0; i < chapters->len; i++)
    {
      const EarChapter *chapter = g_ptr_array_index (chapters, i);

      g_variant_builder_add (&builder, "(x@s@s@sb)", chapter->start, text_to_variant (chapter->title),
                             text_to_variant (chapter->link), text_to_variant (chapter->image), chapter->hidden);
    }
  g_variant_builder_add (dict, "{sv}", "chapters", g_variant_builder_end (&builder));
}

static void
add_transcripts (GVariantBuilder *dict, GPtrArray *transcripts)
{
  GVariantBuilder builder;

  if (transcripts->len == 0)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE (TRANSCRIPTS));
  for (guint i = 0; i < transcripts->len; i++)
    {
      const EarTranscriptLink *transcript = g_ptr_array_index (transcripts, i);

      g_variant_builder_add (&builder, "(@s@s@s)", text_to_variant (transcript->address),
                             text_to_variant (transcript->mime_type), text_to_variant (transcript->language));
    }
  g_variant_builder_add (dict, "{sv}", "transcripts", g_variant_builder_end (&builder));
}

static void
add_funding (GVariantBuilder *dict, GPtrArray *funding)
{
  GVariantBuilder builder;

  if (funding->len == 0)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE (FUNDING));
  for (guint i = 0; i < funding->len; i++)
    {
      const EarFunding *way = g_ptr_array_index (funding, i);

      g_variant_builder_add (&builder, "(@s@s)", text_to_variant (way->address), text_to_variant (way->text));
    }
  g_variant_builder_add (dict, "{sv}", "funding", g_variant_builder_end (&builder));
}

static GVariant *
end_dict (GVariantBuilder *dict)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_builder_end (dict));

  if (g_variant_n_children (value) == 0)
    return NULL;
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    return g_variant_byteswap (value);

  return g_steal_pointer (&value);
}

/**
 * ear_facts_extra_from_episode:
 * @facts: what a feed says of an episode
 *
 * Returns: (transfer full) (nullable): the facts without a column, or %NULL
 */
GVariant *
ear_facts_extra_from_episode (EarEpisodeFacts *facts)
{
  GVariantBuilder dict;

  if (facts->enclosures->len < 2 && facts->chapters->len == 0 && facts->transcripts->len == 0 &&
      facts->persons->len == 0 && facts->chapters_address == NULL)
    return NULL;

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  add_enclosures (&dict, facts->enclosures);
  add_chapters (&dict, facts->chapters);
  add_transcripts (&dict, facts->transcripts);
  add_persons (&dict, facts->persons);
  if (facts->chapters_address != NULL)
    g_variant_builder_add (&dict, "{sv}", "chapters-address", text_to_variant (facts->chapters_address));

  return end_dict (&dict);
}

/**
 * ear_facts_extra_from_podcast:
 * @facts: what a feed says of its podcast
 *
 * Returns: (transfer full) (nullable): the facts without a column, or %NULL
 */
GVariant *
ear_facts_extra_from_podcast (EarPodcastFacts *facts)
{
  GVariantBuilder dict;

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  add_texts (&dict, "categories", facts->categories);
  add_texts (&dict, "keywords", facts->keywords);
  add_funding (&dict, facts->funding);
  add_persons (&dict, facts->persons);

  return end_dict (&dict);
}

/**
 * ear_facts_extra_bind:
 * @extra: (nullable): facts without a column; has to live until the run ends
 * @statement: a statement
 * @index: number of the parameter
 */
void
ear_facts_extra_bind (GVariant *extra, EarStatement *statement, int index)
{
  if (extra != NULL)
    sqlite3_bind_blob64 (statement, index, g_variant_get_data (extra), g_variant_get_size (extra), SQLITE_STATIC);
  else
    sqlite3_bind_null (statement, index);
}

/* The dictionary of a column, checked, as nothing says that the file is sound. */
static GVariant *
read_dict (EarStatement *statement, int column)
{
  const void *data = sqlite3_column_blob (statement, column);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GVariant) value = NULL;

  if (data == NULL)
    return NULL;
  bytes = g_bytes_new (data, (gsize) sqlite3_column_bytes (statement, column));
  value = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, bytes, FALSE));
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    return g_variant_byteswap (value);

  return g_steal_pointer (&value);
}

static void
read_persons (GVariant *dict, GPtrArray *persons)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *name, *role, *image, *link;

  if (!g_variant_lookup (dict, "persons", PERSONS, &iter))
    return;
  while (g_variant_iter_loop (iter, "(&s&s&s&s)", &name, &role, &image, &link))
    {
      EarPerson *person = ear_person_new ();

      person->name = variant_to_text (name);
      person->role = variant_to_text (role);
      person->image = variant_to_text (image);
      person->link = variant_to_text (link);
      g_ptr_array_add (persons, person);
    }
}

static void
read_texts (GVariant *dict, const char *key, GPtrArray *texts)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *text;

  if (!g_variant_lookup (dict, key, "as", &iter))
    return;
  while (g_variant_iter_loop (iter, "&s", &text))
    g_ptr_array_add (texts, g_strdup (text));
}

static void
read_enclosures (GVariant *dict, GPtrArray *enclosures)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *address, *mime_type;
  gint64 size;

  if (!g_variant_lookup (dict, "enclosures", ENCLOSURES, &iter))
    return;
  while (g_variant_iter_loop (iter, "(&s&sx)", &address, &mime_type, &size))
    {
      EarEnclosure *enclosure = ear_enclosure_new ();

      enclosure->address = variant_to_text (address);
      enclosure->mime_type = variant_to_text (mime_type);
      enclosure->size = size;
      g_ptr_array_add (enclosures, enclosure);
    }
}

static void
read_chapters (GVariant *dict, GPtrArray *chapters)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *title, *link, *image;
  gboolean hidden;
  gint64 start;

  if (!g_variant_lookup (dict, "chapters", CHAPTERS, &iter))
    return;
  while (g_variant_iter_loop (iter, "(x&s&s&sb)", &start, &title, &link, &image, &hidden))
    {
      EarChapter *chapter = ear_chapter_new ();

      chapter->start = start;
      chapter->title = variant_to_text (title);
      chapter->link = variant_to_text (link);
      chapter->image = variant_to_text (image);
      chapter->hidden = hidden;
      g_ptr_array_add (chapters, chapter);
    }
}

static void
read_transcripts (GVariant *dict, GPtrArray *transcripts)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *address, *mime_type, *language;

  if (!g_variant_lookup (dict, "transcripts", TRANSCRIPTS, &iter))
    return;
  while (g_variant_iter_loop (iter, "(&s&s&s)", &address, &mime_type, &language))
    {
      EarTranscriptLink *transcript = ear_transcript_link_new ();

      transcript->address = variant_to_text (address);
      transcript->mime_type = variant_to_text (mime_type);
      transcript->language = variant_to_text (language);
      g_ptr_array_add (transcripts, transcript);
    }
}

static void
read_funding (GVariant *dict, GPtrArray *funding)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *address, *text;

  if (!g_variant_lookup (dict, "funding", FUNDING, &iter))
    return;
  while (g_variant_iter_loop (iter, "(&s&s)", &address, &text))
    {
      EarFunding *way = ear_funding_new ();

      way->address = variant_to_text (address);
      way->text = variant_to_text (text);
      g_ptr_array_add (funding, way);
    }
}

/**
 * ear_facts_extra_read_episode:
 * @statement: a statement that is at a row
 * @column: number of the column, from 0
 * @facts: facts whose columns have been read, the first enclosure included
 *
 * Adds to @facts what has no column.
 */
void
ear_facts_extra_read_episode (EarStatement *statement, int column, EarEpisodeFacts *facts)
{
  g_autoptr (GVariant) dict = read_dict (statement, column);

  if (dict == NULL)
    return;
  read_enclosures (dict, facts->enclosures);
  read_chapters (dict, facts->chapters);
  read_transcripts (dict, facts->transcripts);
  read_persons (dict, facts->persons);
  g_variant_lookup (dict, "chapters-address", "s", &facts->chapters_address);
}

/**
 * ear_facts_extra_read_podcast:
 * @statement: a statement that is at a row
 * @column: number of the column, from 0
 * @facts: facts whose columns have been read
 *
 * Adds to @facts what has no column.
 */
void
ear_facts_extra_read_podcast (EarStatement *statement, int column, EarPodcastFacts *facts)
{
  g_autoptr (GVariant) dict = read_dict (statement, column);

  if (dict == NULL)
    return;
  read_texts (dict, "categories", facts->categories);
  read_texts (dict, "keywords", facts->keywords);
  read_funding (dict, facts->funding);
  read_persons (dict, facts->persons);
}
