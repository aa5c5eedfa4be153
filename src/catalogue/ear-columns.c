/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-columns.h"

#include "ear-address.h"
#include "ear-feed-check.h"

#include <string.h>

/* @data: (array length=length): bytes */
guint64
ear_digest_bytes (guint64 digest, const void *data, gsize length)
{
  const guint8 *bytes = data;

  for (gsize i = 0; i < length; i++)
    digest = (digest ^ bytes[i]) * 0x100000001b3;

  return digest;
}

/* @text: (nullable): a text; %NULL differs from an empty one */
guint64
ear_digest_text (guint64 digest, const char *text)
{
  return text != NULL ? ear_digest_bytes (digest, text, strlen (text) + 1)
                      : ear_digest_bytes (digest, "\xff", 1);
}

static guint64
ear_digest_int (guint64 digest, gint64 value)
{
  return ear_digest_bytes (digest, &value, sizeof value);
}

G_STATIC_ASSERT (EAR_MARK_SQL_N_COLUMNS == 2 * EAR_N_MARKS);

/* Any thread.
 * @format: a statement with `%1$s` for the column of the mark, followed by "_updated" for
 * that of its stamp
 * Returns: (transfer none): the statement, for ear_database_prepare() */
const char *
ear_mark_sql_of (EarMark mark, const char *format)
{
  g_autoptr (GString) sql = g_string_new (format);

  g_string_replace (sql, "%1$s", ear_mark_types[mark].name, 0);

  return g_intern_string (sql->str);
}

/* Binds the parameters of `EAR_MARK_SQL_VALUES`. */
void
ear_mark_sql_bind (const EarEpisodeState *state, EarStatement *statement)
{
  for (int i = 0; i < EAR_N_MARKS; i++)
    {
      sqlite3_bind_int64 (statement, 3 + i, state->values[i]);
      sqlite3_bind_int64 (statement, 3 + EAR_N_MARKS + i, state->updated[i]);
    }
}

/* @column: number of the first column of `EAR_MARK_SQL_ALL` */
void
ear_mark_sql_read (EarEpisodeState *state, EarStatement *statement, int column)
{
  for (int i = 0; i < EAR_N_MARKS; i++)
    {
      const gint64 value = sqlite3_column_int64 (statement, column + i);

      state->values[i] = ear_mark_types[i].kind == EAR_VALUE_FLAG ? value != 0 : value;
      state->updated[i] = sqlite3_column_int64 (statement, column + EAR_N_MARKS + i);
    }
}

/* A member of the facts with a column of its own; see ear-columns.h for the types. */
typedef struct
{
  char type;
  gsize offset;
  int last;
} Column;

#define NONE (-1)

/* A fact without a column: a text, or a list of texts or structures. Its name, its type and the
 * order of the members are written to the file: a change of them needs another name. */
typedef struct
{
  const char *key;
  const char *type; /* as a variant */
  int in_episode;   /* offset, or NONE */
  int in_podcast;
  gsize entry_size;  /* for a list of structures: size of one, whose texts come first, in order */
  gsize numbers[2];  /* offsets of its gint64s and gbooleans */
  guint first; /* the first stored entry: columns may have those before */
} Extra;

#define EPISODE(member) ((int) G_STRUCT_OFFSET (EarEpisodeFacts, member))
#define PODCAST(member) ((int) G_STRUCT_OFFSET (EarPodcastFacts, member))

static const Extra extras[] = {
  { "categories", "as", NONE, PODCAST (categories) },
  { "keywords", "as", NONE, PODCAST (keywords) },
  /* The first enclosure has columns of its own. */
  { "enclosures", "a(ssx)", EPISODE (enclosures), NONE, sizeof (EarEnclosure),
    { G_STRUCT_OFFSET (EarEnclosure, size) }, .first = 1 },
  { "chapters", "a(xsssb)", EPISODE (chapters), NONE, sizeof (EarChapter),
    { G_STRUCT_OFFSET (EarChapter, start), G_STRUCT_OFFSET (EarChapter, hidden) } },
  { "transcripts", "a(sss)", EPISODE (transcripts), NONE, sizeof (EarTranscriptLink) },
  { "persons", "a(ssss)", EPISODE (persons), PODCAST (persons), sizeof (EarPerson) },
  { "funding", "a(ss)", EPISODE (funding), PODCAST (funding), sizeof (EarFunding) },
  { "podroll", "a(sssss)", NONE, PODCAST (podroll), sizeof (EarRemoteItem) },
  { "chapters-address", "s", EPISODE (chapters_address), NONE },
  { "season-name", "s", EPISODE (season_name), NONE },
  { "license", "s", NONE, PODCAST (license) },
  { "location", "s", NONE, PODCAST (location) },
  { "update-text", "s", NONE, PODCAST (update_text) },
};

static gint64
get_number (const Column *column, gconstpointer facts)
{
  return column->type == 'd' || column->type == 'x'
             ? G_STRUCT_MEMBER (gint64, facts, column->offset)
             : G_STRUCT_MEMBER (int, facts, column->offset);
}

static void
set_number (const Column *column, gpointer facts, gint64 value)
{
  if (column->type == 'd' || column->type == 'x')
    G_STRUCT_MEMBER (gint64, facts, column->offset) = value;
  else
    G_STRUCT_MEMBER (int, facts, column->offset) = (int) value;
}

/* Converts an untrusted text to a variant; %NULL becomes an empty one. */
static GVariant *
text_to_variant (const char *text)
{
  if (text == NULL)
    return g_variant_new_string ("");
  if (!g_utf8_validate (text, -1, NULL))
    return g_variant_new_take_string (g_utf8_make_valid (text, -1));

  return g_variant_new_string (text);
}

static GVariant *
entry_to_variant (const Extra *extra, gconstpointer entry)
{
  GVariantBuilder builder;
  const gsize *number = extra->numbers;
  gsize text = 0;

  if (extra->entry_size == 0)
    return text_to_variant (entry);
  g_variant_builder_init (&builder, G_VARIANT_TYPE_TUPLE);
  for (const char *type = extra->type + 2; *type != ')'; type++)
    if (*type == 'b')
      g_variant_builder_add (&builder, "b", G_STRUCT_MEMBER (gboolean, entry, *number++));
    else if (*type == 'x')
      g_variant_builder_add (&builder, "x", G_STRUCT_MEMBER (gint64, entry, *number++));
    else
      {
        g_variant_builder_add_value (
            &builder, text_to_variant (G_STRUCT_MEMBER (const char *, entry, text)));
        text += sizeof (char *);
      }

  return g_variant_builder_end (&builder);
}

static gpointer
entry_from_variant (const Extra *extra, GVariant *value)
{
  const gsize *number = extra->numbers;
  char **text;
  gpointer entry;

  if (extra->entry_size == 0)
    return g_variant_dup_string (value, NULL);
  text = entry = g_malloc0 (extra->entry_size);
  for (guint i = 0; extra->type[2 + i] != ')'; i++)
    {
      const char type[] = { extra->type[2 + i], '\0' };

      if (*type != 's')
        {
          g_variant_get_child (value, i, type, G_STRUCT_MEMBER_P (entry, *number++));
          continue;
        }
      g_variant_get_child (value, i, type, text);
      if (**text == '\0')
        g_clear_pointer (text, g_free);
      text++;
    }

  return entry;
}

static GVariant *
list_to_variant (const Extra *extra, const GPtrArray *entries)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE (extra->type));

  for (guint i = extra->first; i < entries->len; i++)
    g_variant_builder_add_value (&list, entry_to_variant (extra, entries->pdata[i]));

  return g_variant_builder_end (&list);
}

/* Returns: (transfer full) (nullable): the facts without a column
 * @facts: an EarEpisodeFacts or EarPodcastFacts */
GVariant *
ear_facts_extra_write (gboolean is_episode, gconstpointer facts)
{
  GVariantBuilder dict = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  g_autoptr (GVariant) value = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (extras); i++)
    {
      const Extra *extra = &extras[i];
      const int offset = is_episode ? extra->in_episode : extra->in_podcast;
      gconstpointer fact = offset != NONE ? G_STRUCT_MEMBER (gpointer, facts, offset) : NULL;
      const gboolean is_text = *extra->type == 's';
      const GPtrArray *entries = fact;

      if (fact == NULL || (!is_text && entries->len <= extra->first))
        continue;
      g_variant_builder_add (&dict, "{sv}", extra->key,
                             is_text ? text_to_variant (fact) : list_to_variant (extra, entries));
    }
  value = g_variant_ref_sink (g_variant_builder_end (&dict));

  return g_variant_n_children (value) > 0 ? g_steal_pointer (&value) : NULL;
}

/* Looks up each fact, though most are missing: a hash table is worth its cost.
 * @stored: (nullable): facts without a column */
static void
apply (GVariant *stored, gboolean is_episode, gpointer facts)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (stored);

  for (gsize i = 0; i < G_N_ELEMENTS (extras); i++)
    {
      const int offset = is_episode ? extras[i].in_episode : extras[i].in_podcast;
      g_autoptr (GVariant) value = offset != NONE ? g_variant_dict_lookup_value (
                                                        &dict, extras[i].key,
                                                        G_VARIANT_TYPE (extras[i].type))
                                                  : NULL;

      if (value == NULL)
        continue;
      if (*extras[i].type == 's')
        G_STRUCT_MEMBER (char *, facts, offset) = g_variant_dup_string (value, NULL);
      for (gsize j = 0; *extras[i].type == 'a' && j < g_variant_n_children (value); j++)
        {
          g_autoptr (GVariant) entry = g_variant_get_child_value (value, j);

          g_ptr_array_add (G_STRUCT_MEMBER (GPtrArray *, facts, offset),
                           entry_from_variant (&extras[i], entry));
        }
    }
}

/* @extra: (nullable): facts without a column; has to live until the run ends */
static void
ear_facts_extra_bind (GVariant *extra, EarStatement *statement, int index)
{
  if (extra != NULL)
    sqlite3_bind_blob64 (statement, index, g_variant_get_data (extra), g_variant_get_size (extra),
                         SQLITE_STATIC);
}

/* Returns the dictionary of a column, validated, as the file may be damaged. */
static GVariant *
read_dict (EarStatement *statement, int column)
{
  const void *data = sqlite3_column_blob (statement, column);
  g_autoptr (GBytes) bytes = NULL;

  if (data == NULL)
    return NULL;
  bytes = g_bytes_new (data, (gsize) sqlite3_column_bytes (statement, column));

  return g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, bytes, FALSE));
}

static GVariant *
find_chapters (GVariant *extra)
{
  return extra != NULL ? g_variant_lookup_value (extra, "chapters", NULL) : NULL;
}

/* @extra: (nullable): facts without a column
 * Returns: whether the only column of the row has the same chapters */
gboolean
ear_facts_extra_has_chapters (GVariant *extra, EarStatement *statement)
{
  g_autoptr (GVariant) stored = read_dict (statement, 0);
  g_autoptr (GVariant) before = find_chapters (stored);
  g_autoptr (GVariant) now = find_chapters (extra);

  return before != NULL && now != NULL ? g_variant_equal (before, now) : before == now;
}

/* Adds the facts without a column to @facts.
 * @facts: an EarEpisodeFacts or EarPodcastFacts whose columns have been read, the first
 * enclosure included */
void
ear_facts_extra_read (EarStatement *statement, int column, gboolean is_episode, gpointer facts)
{
  g_autoptr (GVariant) stored = read_dict (statement, column);

  if (stored != NULL)
    apply (stored, is_episode, facts);
}

/* A longer guid is replaced by its hash, as an index has it. */
#define GUID_LIMIT 1024

#define EPISODE_COLUMN(name, sql, type, member, last) \
  { type, G_STRUCT_OFFSET (EarEpisodeFacts, member), last },
#define PODCAST_COLUMN(name, sql, type, member, last) \
  { type, G_STRUCT_OFFSET (EarPodcastFacts, member), last },

static const Column episode_columns[] = { EAR_EPISODE_COLUMNS (EPISODE_COLUMN) };
static const Column podcast_columns[] = { EAR_PODCAST_COLUMNS (PODCAST_COLUMN) };

static void
bind_column (const Column *column, gconstpointer facts, EarStatement *statement, int i)
{
  if (column->type == 's')
    ear_statement_bind_text (statement, i, G_STRUCT_MEMBER (const char *, facts, column->offset));
  else if (column->type != 'd' || get_number (column, facts) != EAR_DATE_UNKNOWN)
    sqlite3_bind_int64 (statement, i, get_number (column, facts));
}

/* Replaces invalid numbers of a damaged file. */
static int
read_enum (EarStatement *statement, int i, int last)
{
  const int value = sqlite3_column_int (statement, i);

  return value >= 0 && value <= last ? value : 0;
}

static void
read_column (const Column *column, gpointer facts, EarStatement *statement, int i)
{
  if (column->type == 's')
    G_STRUCT_MEMBER (char *, facts, column->offset) = ear_statement_dup_text (statement, i);
  else if (column->type == 'e')
    set_number (column, facts, read_enum (statement, i, column->last));
  else if (column->type != 'd' || sqlite3_column_type (statement, i) != SQLITE_NULL)
    set_number (column, facts, sqlite3_column_int64 (statement, i));
}

static guint64
digest_column (guint64 digest, const Column *column, gconstpointer facts)
{
  return column->type == 's'
             ? ear_digest_text (digest, G_STRUCT_MEMBER (const char *, facts, column->offset))
             : ear_digest_int (digest, get_number (column, facts));
}

/* Returns: (transfer none) (nullable): the address of the first enclosure */
const char *
ear_enclosure_get_first (const EarEpisodeFacts *facts)
{
  return facts->enclosures->len > 0
             ? ((EarEnclosure *) g_ptr_array_index (facts->enclosures, 0))->address
             : NULL;
}

static char *
shorten_guid (const char *guid)
{
  if (strlen (guid) > GUID_LIMIT)
    return ear_address_hash (guid, NULL);

  return g_utf8_make_valid (guid, -1);
}

/* Returns a substitute for a missing guid: the enclosure, else title and day,
 * else the link. */
static char *
dup_stand_in (EarEpisodeFacts *facts)
{
  const char *text = ear_enclosure_get_first (facts);
  g_autofree char *named = NULL;

  if (ear_is_empty (text) && !ear_is_empty (facts->title))
    {
      g_autoptr (GDateTime) date = NULL;
      g_autofree char *day = NULL;

      if (facts->published != EAR_DATE_UNKNOWN)
        date = g_date_time_new_from_unix_utc (facts->published);
      day = date != NULL ? g_date_time_format (date, " %Y-%m-%d") : NULL;
      text = named = g_strconcat (facts->title, day, NULL);
    }
  else if (ear_is_empty (text))
    text = facts->link;
  if (!ear_is_empty (text))
    return shorten_guid (text);

  return ear_is_empty (facts->notes) ? NULL : ear_address_hash (facts->notes, NULL);
}

static guint64
digest_extra (guint64 digest, GVariant *extra)
{
  return extra != NULL
             ? ear_digest_bytes (digest, g_variant_get_data (extra), g_variant_get_size (extra))
             : digest;
}

static gint64
digest_facts (EarEpisodeFacts *facts, GVariant *extra)
{
  guint64 digest = EAR_DIGEST_START;

  for (gsize i = 0; i < G_N_ELEMENTS (episode_columns); i++)
    digest = digest_column (digest, &episode_columns[i], facts);
  if (facts->enclosures->len > 0)
    {
      const EarEnclosure *enclosure = g_ptr_array_index (facts->enclosures, 0);

      digest = ear_digest_text (digest, enclosure->address);
      digest = ear_digest_text (digest, enclosure->mime_type);
      digest = ear_digest_int (digest, enclosure->size);
    }

  return (gint64) digest_extra (digest, extra);
}

/* Prepares an episode for the writer: finds its identity, and computes digests for
 * detecting changes. Any thread may call it.
 * @text: (transfer full) (nullable): plain text of the notes, for searches
 * Returns: (transfer full) (nullable): the record, or %NULL for empty facts */
EarEpisodeRecord *
ear_episode_record_new (EarEpisodeFacts *facts, char *text)
{
  g_autofree char *searched = text;
  gboolean own_guid = !ear_is_empty (facts->guid);
  g_autofree char *guid = own_guid ? shorten_guid (facts->guid) : dup_stand_in (facts);
  EarEpisodeRecord *self;
  guint64 text_digest;

  if (guid == NULL)
    return NULL;

  self = g_atomic_rc_box_new0 (EarEpisodeRecord);
  self->facts = ear_episode_facts_ref (facts);
  self->guid = g_steal_pointer (&guid);
  self->own_guid = own_guid;
  self->extra = ear_facts_extra_write (TRUE, facts);
  self->digest = digest_facts (facts, self->extra);
  text_digest = ear_digest_text (EAR_DIGEST_START, facts->title);
  text_digest = ear_digest_text (text_digest, facts->notes);
  self->text_digest = (gint64) ear_digest_text (text_digest, facts->notes_base);
  self->text = g_steal_pointer (&searched);

  return self;
}

static void
record_clear (EarEpisodeRecord *self)
{
  ear_episode_facts_unref (self->facts);
  g_clear_pointer (&self->extra, g_variant_unref);
  g_free (self->guid);
  g_free (self->text);
}

EAR_DEFINE_REF_COUNTED (EarEpisodeRecord, ear_episode_record, record_clear)

/* Returns: its memory in bytes, approximately */
gsize
ear_episode_record_get_size (EarEpisodeRecord *self)
{
  gsize size = 1024;

  if (self->facts->notes != NULL)
    size += strlen (self->facts->notes);
  if (self->text != NULL)
    size += strlen (self->text);
  if (self->extra != NULL)
    size += 2 * g_variant_get_size (self->extra);

  return size;
}

/* Distinguishes an episode from another one with the same guid in the same feed.
 * Returns: (transfer full) (nullable): another identity, made of the facts alone */
char *
ear_episode_record_dup_second_guid (EarEpisodeRecord *self)
{
  return self->own_guid ? dup_stand_in (self->facts) : NULL;
}

/* @i: number of the first parameter of `EAR_EPISODE_RECORD_VALUES` */
void
ear_episode_record_bind (EarEpisodeRecord *self, EarStatement *statement, int i)
{
  GPtrArray *enclosures = self->facts->enclosures;
  const EarEnclosure *enclosure = enclosures->len > 0 ? g_ptr_array_index (enclosures, 0) : NULL;

  sqlite3_bind_int64 (statement, i++, self->digest);
  sqlite3_bind_int64 (statement, i++, self->text_digest);
  for (gsize column = 0; column < G_N_ELEMENTS (episode_columns); column++)
    bind_column (&episode_columns[column], self->facts, statement, i++);
  if (enclosure != NULL)
    {
      ear_statement_bind_text (statement, i, enclosure->address);
      ear_statement_bind_text (statement, i + 1, enclosure->mime_type);
      sqlite3_bind_int64 (statement, i + 2, enclosure->size);
    }
  ear_facts_extra_bind (self->extra, statement, i + 3);
}

static void
read_enclosure (EarEpisodeFacts *facts, EarStatement *statement, int column)
{
  EarEnclosure *enclosure;

  if (sqlite3_column_type (statement, column) == SQLITE_NULL)
    return;
  enclosure = ear_enclosure_new ();
  ear_statement_read (statement, column, "ssx", &enclosure->address, &enclosure->mime_type,
                      &enclosure->size);
  g_ptr_array_add (facts->enclosures, enclosure);
}

/* @row: (out caller-allocates): filled in; its facts have no notes
 * @statement: a statement at a row of `EAR_EPISODE_ROW_COLUMNS` */
void
ear_episode_row_read (EarEpisodeRow *row, EarStatement *statement)
{
  EarEpisodeFacts *facts = ear_episode_facts_new ();
  g_autofree char *feed_guid = NULL;
  gboolean own_guid;
  int i = 5;

  ear_statement_read (statement, 0, "xxssi", &row->id, &row->podcast, &row->guid, &feed_guid,
                      &own_guid);
  ear_mark_sql_read (&row->state, statement, i);
  i += EAR_MARK_SQL_N_COLUMNS;
  row->download = (EarDownloadKind) read_enum (statement, i++, EAR_DOWNLOAD_KIND_THERE);
  ear_statement_read (statement, i, "xi", &row->measured, &row->fresh);
  i += 2;
  row->facts = facts;

  /* The facts have the feed's present guid; the row's is the first one. */
  facts->guid = feed_guid != NULL ? g_steal_pointer (&feed_guid)
                : own_guid        ? g_strdup (row->guid)
                                  : NULL;
  for (gsize column = 0; column < G_N_ELEMENTS (episode_columns); column++)
    read_column (&episode_columns[column], facts, statement, i++);
  read_enclosure (facts, statement, i);
  ear_facts_extra_read (statement, i + 3, TRUE, facts);
}

void
ear_episode_row_clear (EarEpisodeRow *row)
{
  g_clear_pointer (&row->guid, g_free);
  g_clear_pointer (&row->facts, ear_episode_facts_unref);
}

/* Copies facts that their parser may still extend, for another thread. */
EarPodcastFacts *
ear_podcast_facts_copy (EarPodcastFacts *facts)
{
  EarPodcastFacts *copy = ear_podcast_facts_new ();
  g_autoptr (GVariant) extra = ear_facts_extra_write (FALSE, facts);

  copy->title = g_strdup (facts->title);
  for (gsize i = 0; i < G_N_ELEMENTS (podcast_columns); i++)
    if (podcast_columns[i].type == 's')
      G_STRUCT_MEMBER (char *, copy, podcast_columns[i].offset) =
          g_strdup (G_STRUCT_MEMBER (const char *, facts, podcast_columns[i].offset));
    else
      set_number (&podcast_columns[i], copy, get_number (&podcast_columns[i], facts));
  apply (extra, FALSE, copy);

  return copy;
}

/* The arguments have to live until the run ends.
 * @statement: a statement with `EAR_PODCAST_RECORD_VALUES` */
void
ear_podcast_record_bind (EarPodcastFacts *facts, GVariant *extra, EarStatement *statement)
{
  guint64 digest = ear_digest_text (EAR_DIGEST_START, facts->title);
  int i = 3;

  ear_statement_bind_text (statement, i++, facts->title);
  for (gsize column = 0; column < G_N_ELEMENTS (podcast_columns); column++)
    {
      digest = digest_column (digest, &podcast_columns[column], facts);
      bind_column (&podcast_columns[column], facts, statement, i++);
    }
  sqlite3_bind_int64 (statement, 2, (gint64) digest_extra (digest, extra));
  ear_facts_extra_bind (extra, statement, i);
}

/* @column: number of the first column of `EAR_FEED_CHECK_COLUMNS`
 * Returns: (transfer full): data of a feed's last responses */
EarFeedCheck *
ear_feed_check_read (EarStatement *statement, int column)
{
  EarFeedCheck *check = g_new0 (EarFeedCheck, 1);

  ear_statement_read (statement, column, "sssxiixix", &check->feed_address, &check->etag,
                      &check->last_modified, &check->checked, &check->failures, &check->error,
                      &check->not_before, &check->archived, &check->newest);

  return check;
}

/* @column: number of the first column of `EAR_PODCAST_FACTS_COLUMNS` */
EarPodcastFacts *
ear_podcast_facts_read (EarStatement *statement, int column)
{
  EarPodcastFacts *facts = ear_podcast_facts_new ();

  facts->title = ear_statement_dup_text (statement, column++);
  for (gsize i = 0; i < G_N_ELEMENTS (podcast_columns); i++)
    read_column (&podcast_columns[i], facts, statement, column++);
  ear_facts_extra_read (statement, column, FALSE, facts);

  return facts;
}

EarFeedCheck *
ear_feed_check_copy (const EarFeedCheck *self)
{
  return ear_texts_copy (self, sizeof *self, &self->last_modified);
}

EAR_DEFINE_TEXTS_FREE (EarFeedCheck, ear_feed_check_free, last_modified)
