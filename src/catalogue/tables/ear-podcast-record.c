/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-podcast-record.h"

#include "ear-digest.h"
#include "ear-facts-extra.h"

/* Texts that have a column, in the order of the columns */
static const gsize texts[] = {
  G_STRUCT_OFFSET (EarPodcastFacts, title),        G_STRUCT_OFFSET (EarPodcastFacts, link),
  G_STRUCT_OFFSET (EarPodcastFacts, description),  G_STRUCT_OFFSET (EarPodcastFacts, image),
  G_STRUCT_OFFSET (EarPodcastFacts, language),     G_STRUCT_OFFSET (EarPodcastFacts, author),
  G_STRUCT_OFFSET (EarPodcastFacts, copyright),    G_STRUCT_OFFSET (EarPodcastFacts, generator),
  G_STRUCT_OFFSET (EarPodcastFacts, owner_name),   G_STRUCT_OFFSET (EarPodcastFacts, owner_email),
  G_STRUCT_OFFSET (EarPodcastFacts, type),         G_STRUCT_OFFSET (EarPodcastFacts, new_address),
  G_STRUCT_OFFSET (EarPodcastFacts, next_address), G_STRUCT_OFFSET (EarPodcastFacts, guid),
};

/* Copies facts that their parser may still extend, for another thread. */
EarPodcastFacts *
ear_podcast_facts_copy (EarPodcastFacts *facts)
{
  EarPodcastFacts *copy = ear_podcast_facts_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    G_STRUCT_MEMBER (char *, copy, texts[i]) = g_strdup (G_STRUCT_MEMBER (const char *, facts, texts[i]));
  copy->published = facts->published;
  copy->explicit_content = facts->explicit_content;
  copy->complete = facts->complete;
  copy->blocked = facts->blocked;
  ear_facts_extra_copy_podcast (facts, copy);

  return copy;
}

/* Returns: a digest of all facts, for detecting changes */
gint64
ear_podcast_facts_digest (EarPodcastFacts *facts)
{
  const gint64 numbers[] = { facts->published, facts->explicit_content, facts->complete, facts->blocked };
  g_autoptr (GVariant) extra = ear_facts_extra_from_podcast (facts);
  guint64 digest = EAR_DIGEST_START;

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    digest = ear_digest_text (digest, G_STRUCT_MEMBER (const char *, facts, texts[i]));
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    digest = ear_digest_int (digest, numbers[i]);
  if (extra != NULL)
    digest = ear_digest_bytes (digest, g_variant_get_data (extra), g_variant_get_size (extra));

  return (gint64) digest;
}

/* All arguments have to live until the run ends.
 * @extra: (nullable): facts without a column
 * @statement: a statement whose first parameters are `EAR_PODCAST_RECORD_COLUMNS` */
void
ear_podcast_record_bind (EarPodcastFacts *facts, gint64 digest, GVariant *extra, EarStatement *statement)
{
  int i = 1;

  sqlite3_bind_int64 (statement, i++, digest);
  for (gsize text = 0; text < G_N_ELEMENTS (texts); text++)
    ear_statement_bind_text (statement, i++, G_STRUCT_MEMBER (const char *, facts, texts[text]));
  if (facts->published != EAR_DATE_UNKNOWN)
    sqlite3_bind_int64 (statement, i, facts->published);
  i++;
  sqlite3_bind_int (statement, i++, (int) facts->explicit_content);
  sqlite3_bind_int (statement, i++, facts->complete);
  sqlite3_bind_int (statement, i++, facts->blocked);
  ear_facts_extra_bind (extra, statement, i++);
  g_assert (i == EAR_PODCAST_RECORD_N_COLUMNS + 1);
}

/* @column: number of the first column of `EAR_FEED_CHECK_COLUMNS`
 * Returns: (transfer full): data of a feed's last responses */
EarFeedCheck *
ear_feed_check_read (EarStatement *statement, int column)
{
  EarFeedCheck *check = g_new0 (EarFeedCheck, 1);

  check->feed_address = ear_statement_dup_text (statement, column++);
  check->etag = ear_statement_dup_text (statement, column++);
  check->last_modified = ear_statement_dup_text (statement, column++);
  check->checked = sqlite3_column_int64 (statement, column++);
  check->failures = (guint) MAX (sqlite3_column_int (statement, column), 0);
  column++;
  check->error = sqlite3_column_int (statement, column++);
  check->not_before = sqlite3_column_int64 (statement, column++);
  check->archived = sqlite3_column_int (statement, column++) != 0;
  check->newest = sqlite3_column_int64 (statement, column);

  return check;
}

/* @row: (out caller-allocates): filled in
 * @statement: a statement at a row of `EAR_PODCAST_ROW_COLUMNS` */
void
ear_podcast_row_read (EarPodcastRow *row, EarStatement *statement)
{
  EarPodcastFacts *facts = ear_podcast_facts_new ();
  int i = 0;
  int value;

  row->facts = facts;
  row->id = sqlite3_column_int64 (statement, i++);
  row->address = ear_statement_dup_text (statement, i++);
  row->hidden = sqlite3_column_int64 (statement, i++);
  row->touched = sqlite3_column_int (statement, i++) != 0;
  row->n_episodes = (guint) MAX (sqlite3_column_int (statement, i), 0);
  i++;
  row->n_unplayed = (guint) MAX (sqlite3_column_int (statement, i), 0);
  i++;
  row->check = ear_feed_check_read (statement, i);
  i += EAR_FEED_CHECK_N_COLUMNS;

  for (gsize text = 0; text < G_N_ELEMENTS (texts); text++)
    G_STRUCT_MEMBER (char *, facts, texts[text]) = ear_statement_dup_text (statement, i++);
  if (sqlite3_column_type (statement, i) != SQLITE_NULL)
    facts->published = sqlite3_column_int64 (statement, i);
  i++;
  value = sqlite3_column_int (statement, i++);
  facts->explicit_content = value > 0 && value <= EAR_EXPLICIT_YES ? (EarExplicit) value : EAR_EXPLICIT_UNKNOWN;
  facts->complete = sqlite3_column_int (statement, i++) != 0;
  facts->blocked = sqlite3_column_int (statement, i++) != 0;
  ear_facts_extra_read_podcast (statement, i, facts);
}

/* @row: a row that was filled in, or is all zero */
void
ear_podcast_row_clear (EarPodcastRow *row)
{
  g_clear_pointer (&row->address, g_free);
  g_clear_pointer (&row->check, ear_feed_check_free);
  g_clear_pointer (&row->facts, ear_podcast_facts_unref);
}
