/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-writer.h"

#include "ear-catalogue-schema.h"
#include "ear-columns.h"
#include "ear-link.h"
#include "ear-transcript.h"

/* The statements for one kind of texts */
typedef struct
{
  const char *know;
  const char *forget;
  const char *count;
  const char *clear;
  const char *put;
} Moments;

#define MOMENTS(known, texts) \
  { \
    "INSERT INTO " known " VALUES (?1, ?2) ON CONFLICT DO UPDATE SET digest = ?2" \
    " WHERE digest <> ?2 RETURNING 1", \
    "DELETE FROM " known " WHERE episode = ?1", \
    "SELECT count (*) FROM " texts " WHERE rowid >= ?1 AND rowid < ?2", \
    "DELETE FROM " texts " WHERE rowid >= ?1 AND rowid < ?2", \
    "INSERT INTO " texts " (rowid, text, start) VALUES (?1, ?2, ?3)", \
  }

static const Moments all_moments[] = {
  [EAR_MOMENTS_SENTENCES] = MOMENTS ("transcript", "sentence_text"),
  [EAR_MOMENTS_CHAPTERS] = MOMENTS ("chaptered", "chapter_text"),
};
static const Moments *const chapter_moments = &all_moments[EAR_MOMENTS_CHAPTERS];

/* Returns: (transfer full): the titles of those that have one */
EarTranscript *
ear_chapter_titles_new (GPtrArray *chapters)
{
  EarTranscript *titles = ear_transcript_new ();

  for (guint i = 0; i < chapters->len; i++)
    {
      const EarChapter *chapter = ear_chapters_get (chapters, i);

      if (!ear_is_empty (chapter->title))
        ear_transcript_add (titles, chapter->start, -1, NULL, chapter->title);
    }

  return titles;
}

/* Columns of the table episode for read_chapter_titles() */
#define CHAPTER_COLUMNS "measured, extra"

/* @column: number of the first of `CHAPTER_COLUMNS`
 * Returns: (transfer full) (nullable): titles of the feed's visible chapters, as if there
 * were no other source */
static EarTranscript *
read_chapter_titles (EarStatement *statement, int column)
{
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  g_autoptr (GPtrArray) listed = NULL;

  ear_facts_extra_read (statement, column + 1, TRUE, facts);
  if (facts->chapters->len == 0)
    return NULL;
  listed = ear_chapters_merge (&facts->chapters, 1, sqlite3_column_int64 (statement, column));

  return ear_chapter_titles_new (listed);
}

/* Writer thread: transcripts and titles of chapters, for searches */

G_STATIC_ASSERT (EAR_TRANSCRIPT_LIMIT < (1 << EAR_MOMENT_BITS));

/* For detecting changes */
static gint64
make_digest (EarTranscript *transcript)
{
  guint64 digest = EAR_DIGEST_START;

  for (guint i = 0; i < ear_transcript_get_length (transcript); i++)
    {
      const EarSentence *sentence = ear_transcript_get (transcript, i);

      digest = ear_digest_text (digest, sentence->text);
      digest = ear_digest_bytes (digest, &sentence->start, sizeof sentence->start);
    }

  return (gint64) digest;
}

static gint64
get_first (gint64 episode)
{
  return episode << EAR_MOMENT_BITS;
}

/* Replaces the stored texts of the episode, unless they are the same. */
static void
replace_moments (EarWriter *self, const Moments *moments, gint64 podcast, gint64 episode,
                 EarTranscript *transcript)
{
  if (ear_database_get_int (self->database, moments->know, "xx", episode,
                            make_digest (transcript)) == 0)
    return;
  ear_database_execute (self->database, moments->clear, "xx", get_first (episode),
                        get_first (episode + 1));
  for (guint i = 0; i < ear_transcript_get_length (transcript); i++)
    {
      const EarSentence *sentence = ear_transcript_get (transcript, i);

      ear_database_execute (self->database, moments->put, "xsx", get_first (episode) + i,
                            sentence->text, sentence->start);
    }
  ear_writer_add_change (self, podcast, EAR_CHANGE_MOMENTS);
}

/* Stores an EarTranscript, if its episode still exists; the op's value is its kind. */
void
ear_writer_put_moments (EarWriter *self, EarCatalogueOp *op)
{
  const gint64 podcast = ear_database_get_int (
      self->database, "SELECT podcast FROM episode WHERE id = ?1", "x", op->episode);

  if (podcast != 0)
    replace_moments (self, &all_moments[op->value], podcast, op->episode, op->data);
}

/* Deletes the chapters of an episode whose feed may have others now. */
void
ear_writer_forget_chapters (EarWriter *self, gint64 episode)
{
  ear_database_execute (self->database, chapter_moments->clear, "xx", get_first (episode),
                        get_first (episode + 1));
  ear_database_execute (self->database, chapter_moments->forget, "x", episode);
}

G_STATIC_ASSERT (EAR_LINKS_LIMIT <= (1 << EAR_MENTION_PLACE_BITS));

/* Writer thread: links of episodes, for the reading list */

/* The address up to the first slash after the host, which the table `site` has; a mention has the
 * rest. */
#define SITE(address) \
  "substr (" address ", 1, instr (" address ", '://') + 2" \
  " + instr (substr (" address ", instr (" address ", '://') + 3) || '/', '/'))"

static void
put_mention (EarWriter *self, gint64 podcast, gint64 key, guint place,
             const EarLinkFacts *facts)
{
  g_autofree char *host = ear_link_address_dup_host (facts->address);

  /* Many mentions share these texts. No heading is ignored, too. */
  ear_database_execute (self->database,
                        "INSERT OR IGNORE INTO site (address, host) VALUES (" SITE ("?1") ", ?2)",
                        "ss", facts->address, host != NULL ? host : "");
  ear_database_execute (self->database, "INSERT OR IGNORE INTO heading (text) VALUES (?1)", "s",
                        facts->heading);
  ear_database_execute (
      self->database,
      "INSERT OR REPLACE INTO mention (id, link, podcast, kind, site, path, heading, words)"
      " VALUES (" EAR_MENTION_SQL_FIRST ("?1") " + ?2, ?3, ?4, ?5,"
      " (SELECT id FROM site WHERE address = " SITE ("?6") "),"
      " substr (?6, length (" SITE ("?6") ") + 1), (SELECT id FROM heading WHERE text = ?7), ?8)",
      "xixxisss", key, (int) place, facts->id, podcast, (int) facts->kind, facts->address,
      facts->heading, facts->words);
}

/* Limits of episodes scanned in a transaction, and of their bytes: marks wait for it. */
#define SCAN_STEP 100
#define SCAN_BYTES (512 * 1024)

/* The first of the columns for chapters */
#define CHAPTERS 5

/* Stores the links in the notes of the newest episode that was not scanned, and its feed's
 * chapters.
 * Returns: their size in bytes, 0 if all episodes were scanned */
static gsize
scan_episode (EarWriter *self)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database,
      "SELECT episode.id, episode.podcast, sort_key, text, coalesce (base, link), "
      CHAPTER_COLUMNS " FROM episode INDEXED BY episode_unlinked"
      " LEFT JOIN notes ON notes.episode = episode.id WHERE links IS NULL"
      " ORDER BY sort_key DESC LIMIT 1", "");
  g_autoptr (EarTranscript) chapters = NULL;
  g_autoptr (GPtrArray) links = NULL;
  gint64 episode, podcast, key;
  gsize size;

  if (!ear_database_step (self->database, statement))
    return 0;
  ear_statement_read (statement, 0, "xxx", &episode, &podcast, &key);
  links = self->links_func (ear_statement_get_text (statement, 3),
                            ear_statement_get_text (statement, 4));
  chapters = read_chapter_titles (statement, CHAPTERS);
  size = (gsize) (sqlite3_column_bytes (statement, 3) +
                  sqlite3_column_bytes (statement, CHAPTERS + 1));
  ear_statement_reset (statement);
  for (guint i = 0; i < links->len; i++)
    put_mention (self, podcast, key, i, g_ptr_array_index (links, i));
  ear_database_execute (self->database, "UPDATE episode SET links = ?2 WHERE id = ?1", "xi",
                        episode, (int) links->len);
  /* Better chapters may be stored: those of its media file, or of a document, which are read
   * when it is opened. */
  if (chapters != NULL &&
      ear_database_get_int (self->database, chapter_moments->count, "xx", get_first (episode),
                            get_first (episode + 1)) < ear_transcript_get_length (chapters))
    replace_moments (self, chapter_moments, podcast, episode, chapters);
  ear_ids_append (&ear_writer_get_event (self, podcast)->rewritten, episode);
  self->event->linked = TRUE;

  return MAX (size, 1);
}

/* Scans some episodes, if there is a function for it. */
void
ear_writer_scan (EarWriter *self, EarCatalogueOp *op)
{
  gsize size = 1;

  if (self->links_func == NULL)
    return;
  for (gsize i = 0, total = 0; i < SCAN_STEP && total < SCAN_BYTES && size > 0; i++)
    {
      size = scan_episode (self);
      total += size;
    }
}

/* Returns: whether episodes are to be scanned; %FALSE after an error */
gboolean
ear_writer_has_unscanned (EarWriter *self, GError **error)
{
  const gboolean found =
      self->links_func != NULL &&
      ear_database_get_int (self->database,
                            "SELECT EXISTS (SELECT 1 FROM episode INDEXED BY episode_unlinked"
                            " WHERE links IS NULL)", "") != 0;

  return ear_database_finish (self->database, error) && found;
}

/* Deletes an episode's links, so that it is scanned again: its notes, date or
 * chapters have changed.
 * @key: its old sort key */
void
ear_writer_forget_links (EarWriter *self, gint64 episode, gint64 key)
{
  self->event->linked = TRUE;
  ear_database_execute (self->database,
                        "DELETE FROM mention WHERE id >= " EAR_MENTION_SQL_FIRST ("?1")
                        " AND id < " EAR_MENTION_SQL_END ("?1"),
                        "x", key);
  ear_database_execute (self->database,
                        "UPDATE episode SET links = NULL WHERE id = ?1 AND links IS NOT NULL", "x",
                        episode);
}

/* Deletes sites and headings without mentions. */
void
ear_writer_drop_links (EarWriter *self)
{
  ear_database_exec (self->database,
                     "DELETE FROM site WHERE id NOT IN (SELECT site FROM mention);"
                     "DELETE FROM heading WHERE id NOT IN (SELECT heading FROM mention"
                     " WHERE heading IS NOT NULL)");
}
