/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-record.h"

#include "ear-address.h"
#include "ear-digest.h"
#include "ear-facts-extra.h"

#include <string.h>

/* A longer guid is replaced by its hash, as an index has it. */
#define GUID_LIMIT 1024

/* A row shows one line of a subtitle; the notes have the rest. */
#define SUBTITLE_LIMIT 1024

static const char *
get_enclosure_address (EarEpisodeFacts *facts)
{
  return facts->enclosures->len > 0 ? ((EarEnclosure *) g_ptr_array_index (facts->enclosures, 0))->address : NULL;
}

static gboolean
is_empty (const char *text)
{
  return text == NULL || *text == '\0';
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
  const char *enclosure = get_enclosure_address (facts);
  g_autofree char *named = NULL;

  if (!is_empty (enclosure))
    return shorten_guid (enclosure);
  if (!is_empty (facts->title))
    {
      g_autoptr (GDateTime) date = NULL;
      g_autofree char *day = NULL;

      if (facts->published != EAR_DATE_UNKNOWN)
        date = g_date_time_new_from_unix_utc (facts->published);
      day = date != NULL ? g_date_time_format (date, " %Y-%m-%d") : NULL;
      named = g_strconcat (facts->title, day, NULL);
      return shorten_guid (named);
    }
  if (!is_empty (facts->link))
    return shorten_guid (facts->link);

  return is_empty (facts->notes) ? NULL : ear_address_hash (facts->notes, NULL);
}

static gint64
digest_facts (EarEpisodeFacts *facts, GVariant *extra)
{
  const char *const texts[] = { facts->title, facts->link, facts->author, facts->image, facts->subtitle, facts->number };
  const gint64 numbers[] = { facts->published, facts->duration, facts->season, facts->type, facts->explicit_content };
  guint64 digest = EAR_DIGEST_START;

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    digest = ear_digest_text (digest, texts[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    digest = ear_digest_int (digest, numbers[i]);
  if (facts->enclosures->len > 0)
    {
      const EarEnclosure *enclosure = g_ptr_array_index (facts->enclosures, 0);

      digest = ear_digest_text (digest, enclosure->address);
      digest = ear_digest_text (digest, enclosure->mime_type);
      digest = ear_digest_int (digest, enclosure->size);
    }
  if (extra != NULL)
    digest = ear_digest_bytes (digest, g_variant_get_data (extra), g_variant_get_size (extra));

  return (gint64) digest;
}

static gint64
digest_text (EarEpisodeFacts *facts)
{
  guint64 digest = ear_digest_text (EAR_DIGEST_START, facts->title);

  digest = ear_digest_text (digest, facts->notes);

  return (gint64) ear_digest_text (digest, facts->notes_base);
}

/* Prepares an episode for the writer: finds its identity, and computes digests for
 * detecting changes. Any thread may call it.
 * Returns: (transfer full) (nullable): the record, or %NULL for empty facts */
EarEpisodeRecord *
ear_episode_record_new (EarEpisodeFacts *facts)
{
  gboolean own_guid = !is_empty (facts->guid);
  g_autofree char *guid = own_guid ? shorten_guid (facts->guid) : dup_stand_in (facts);
  EarEpisodeRecord *self;

  if (guid == NULL)
    return NULL;

  self = g_atomic_rc_box_new0 (EarEpisodeRecord);
  self->facts = ear_episode_facts_ref (facts);
  self->guid = g_steal_pointer (&guid);
  self->own_guid = own_guid;
  self->extra = ear_facts_extra_from_episode (facts);
  self->digest = digest_facts (facts, self->extra);
  self->text_digest = digest_text (facts);

  return self;
}

static void
record_clear (gpointer data)
{
  EarEpisodeRecord *self = data;

  ear_episode_facts_unref (self->facts);
  g_clear_pointer (&self->extra, g_variant_unref);
  g_free (self->guid);
}

EarEpisodeRecord *
ear_episode_record_ref (EarEpisodeRecord *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
ear_episode_record_unref (EarEpisodeRecord *self)
{
  g_atomic_rc_box_release_full (self, record_clear);
}

/* Returns: its memory in bytes, approximately */
gsize
ear_episode_record_get_size (EarEpisodeRecord *self)
{
  gsize size = 1024;

  if (self->facts->notes != NULL)
    size += strlen (self->facts->notes);
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

/* @statement: a statement whose first parameters are `EAR_EPISODE_RECORD_COLUMNS` */
void
ear_episode_record_bind (EarEpisodeRecord *self, EarStatement *statement)
{
  EarEpisodeFacts *facts = self->facts;
  const EarEnclosure *enclosure = facts->enclosures->len > 0 ? g_ptr_array_index (facts->enclosures, 0) : NULL;
  int i = 1;

  sqlite3_bind_int64 (statement, i++, self->digest);
  sqlite3_bind_int64 (statement, i++, self->text_digest);
  sqlite3_bind_int64 (statement, i++, facts->duration);
  if (facts->published != EAR_DATE_UNKNOWN)
    sqlite3_bind_int64 (statement, i, facts->published);
  i++;
  sqlite3_bind_int (statement, i++, facts->season);
  ear_statement_bind_text (statement, i++, facts->number);
  sqlite3_bind_int (statement, i++, (int) facts->type);
  sqlite3_bind_int (statement, i++, (int) facts->explicit_content);
  ear_statement_bind_text (statement, i++, facts->title);
  ear_statement_bind_text (statement, i, facts->subtitle);
  if (facts->subtitle != NULL && strlen (facts->subtitle) > SUBTITLE_LIMIT && g_utf8_validate (facts->subtitle, -1, NULL))
    sqlite3_bind_text (statement, i, facts->subtitle,
                       (int) (g_utf8_find_prev_char (facts->subtitle, facts->subtitle + SUBTITLE_LIMIT) - facts->subtitle),
                       SQLITE_STATIC);
  i++;
  ear_statement_bind_text (statement, i++, facts->link);
  ear_statement_bind_text (statement, i++, facts->author);
  ear_statement_bind_text (statement, i++, facts->image);
  ear_statement_bind_text (statement, i++, enclosure != NULL ? enclosure->address : NULL);
  ear_statement_bind_text (statement, i++, enclosure != NULL ? enclosure->mime_type : NULL);
  sqlite3_bind_int64 (statement, i++, enclosure != NULL ? enclosure->size : 0);
  ear_facts_extra_bind (self->extra, statement, i++);
  g_assert (i == EAR_EPISODE_RECORD_N_COLUMNS + 1);
}

/* Replaces invalid numbers of a damaged file. */
static int
read_enum (EarStatement *statement, int column, int last)
{
  int value = sqlite3_column_int (statement, column);

  return value >= 0 && value <= last ? value : 0;
}

static void
read_enclosure (EarEpisodeFacts *facts, EarStatement *statement, int column)
{
  EarEnclosure *enclosure;

  if (sqlite3_column_type (statement, column) == SQLITE_NULL)
    return;
  enclosure = ear_enclosure_new ();
  enclosure->address = ear_statement_dup_text (statement, column);
  enclosure->mime_type = ear_statement_dup_text (statement, column + 1);
  enclosure->size = sqlite3_column_int64 (statement, column + 2);
  g_ptr_array_add (facts->enclosures, enclosure);
}

/* @row: (out caller-allocates): filled in; its facts have no notes
 * @statement: a statement at a row of `EAR_EPISODE_ROW_COLUMNS` */
void
ear_episode_row_read (EarEpisodeRow *row, EarStatement *statement)
{
  EarEpisodeFacts *facts = ear_episode_facts_new ();
  int i = 0;
  gboolean own_guid;
  g_autofree char *feed_guid = NULL;

  row->id = sqlite3_column_int64 (statement, i++);
  row->podcast = sqlite3_column_int64 (statement, i++);
  row->guid = ear_statement_dup_text (statement, i++);
  feed_guid = ear_statement_dup_text (statement, i++);
  own_guid = sqlite3_column_int (statement, i++);
  ear_mark_sql_read (&row->state, statement, i);
  i += EAR_MARK_SQL_N_COLUMNS;
  row->download = (EarDownloadKind) read_enum (statement, i++, EAR_DOWNLOAD_KIND_THERE);
  row->measured = sqlite3_column_int64 (statement, i++);
  row->fresh = sqlite3_column_int (statement, i++) != 0;
  row->facts = facts;

  /* The facts have the feed's present guid; the row's is the first one. */
  facts->guid = feed_guid != NULL ? g_steal_pointer (&feed_guid) : own_guid ? g_strdup (row->guid) : NULL;
  facts->duration = sqlite3_column_int64 (statement, i++);
  if (sqlite3_column_type (statement, i) != SQLITE_NULL)
    facts->published = sqlite3_column_int64 (statement, i);
  i++;
  facts->season = sqlite3_column_int (statement, i++);
  facts->number = ear_statement_dup_text (statement, i++);
  facts->type = (EarEpisodeType) read_enum (statement, i++, EAR_EPISODE_BONUS);
  facts->explicit_content = (EarExplicit) read_enum (statement, i++, EAR_EXPLICIT_YES);
  facts->title = ear_statement_dup_text (statement, i++);
  facts->subtitle = ear_statement_dup_text (statement, i++);
  facts->link = ear_statement_dup_text (statement, i++);
  facts->author = ear_statement_dup_text (statement, i++);
  facts->image = ear_statement_dup_text (statement, i++);
  read_enclosure (facts, statement, i);
  ear_facts_extra_read_episode (statement, i + 3, facts);
}

/* @row: a row that was filled in, or is all zero */
void
ear_episode_row_clear (EarEpisodeRow *row)
{
  g_clear_pointer (&row->guid, g_free);
  g_clear_pointer (&row->facts, ear_episode_facts_unref);
}
