/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-chapter-titles.h"
#include "ear-moment-hits.h"
#include "ear-transcript.h"

/* Writer thread: transcripts and titles of chapters, for searches */

G_STATIC_ASSERT (EAR_TRANSCRIPT_LIMIT < (1 << EAR_MOMENT_BITS));

/* The statements for one kind of texts */
typedef struct
{
  const char *find;
  const char *know;
  const char *forget;
  const char *count;
  const char *clear;
  const char *put;
} Moments;

#define MOMENTS(known, texts) \
  { \
    "SELECT 1 FROM " known " WHERE episode = ?1 AND digest = ?2", \
    "INSERT OR REPLACE INTO " known " VALUES (?1, ?2)", \
    "DELETE FROM " known " WHERE episode = ?1", \
    "SELECT count (*) FROM " texts " WHERE rowid >= ?1 AND rowid < ?2", \
    "DELETE FROM " texts " WHERE rowid >= ?1 AND rowid < ?2", \
    "INSERT INTO " texts " (rowid, text, start) VALUES (?1, ?2, ?3)", \
  }

static const Moments sentences = MOMENTS ("transcript", "sentence_text");
static const Moments chapters = MOMENTS ("chaptered", "chapter_text");

/* FNV-1a, for detecting changes */
static gint64
make_digest (EarTranscript *transcript)
{
  guint64 digest = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (guint i = 0; i < ear_transcript_get_length (transcript); i++)
    {
      const EarSentence *sentence = ear_transcript_get (transcript, i);

      for (const char *p = sentence->text; *p != '\0'; p++)
        digest = (digest ^ (guint8) *p) * G_GUINT64_CONSTANT (0x100000001b3);
      digest = (digest ^ (guint64) sentence->start) * G_GUINT64_CONSTANT (0x100000001b3);
    }

  return (gint64) digest;
}

static gboolean
is_stored (EarCatalogueTables *self, const Moments *moments, gint64 episode, gint64 digest, gboolean *stored, GError **error)
{
  gint64 found = 0;
  const gboolean ok = ear_database_get_int (self->database, error, &found, moments->find, "xx", episode, digest);

  *stored = found != 0;

  return ok;
}

static gboolean
is_needed (EarCatalogueTables *self, const Moments *moments, EarCatalogueOp *op)
{
  gboolean stored = FALSE;

  return !is_stored (self, moments, op->episode, make_digest (op->data), &stored, NULL) || !stored;
}

gboolean
ear_catalogue_tables_needs_transcript (EarCatalogueTables *self, EarCatalogueOp *op)
{
  return is_needed (self, &sentences, op);
}

gboolean
ear_catalogue_tables_needs_chapters (EarCatalogueTables *self, EarCatalogueOp *op)
{
  return is_needed (self, &chapters, op);
}

static gint64
get_first (gint64 episode)
{
  return episode << EAR_MOMENT_BITS;
}

/* Replaces the stored texts of the episode. */
static gboolean
replace (EarCatalogueTables *self, const Moments *moments, gint64 podcast, gint64 episode, EarTranscript *transcript, GError **error)
{
  if (!ear_database_execute (self->database, error, moments->clear, "xx", get_first (episode), get_first (episode + 1)) ||
      !ear_database_execute (self->database, error, moments->know, "xx", episode, make_digest (transcript)))
    return FALSE;
  for (guint i = 0; i < ear_transcript_get_length (transcript); i++)
    {
      const EarSentence *sentence = ear_transcript_get (transcript, i);

      if (!ear_database_execute (self->database, error, moments->put, "xsx", get_first (episode) + i, sentence->text, sentence->start))
        return FALSE;
    }
  ear_podcast_event_change (ear_catalogue_event_get (self->event, podcast), episode, EAR_CHANGE_MOMENTS);

  return TRUE;
}

/* Stores an EarTranscript, if its episode still exists. */
static gboolean
put (EarCatalogueTables *self, const Moments *moments, EarCatalogueOp *op, GError **error)
{
  gint64 podcast = 0;
  gboolean stored = FALSE;

  if (!is_stored (self, moments, op->episode, make_digest (op->data), &stored, error) ||
      !ear_database_get_int (self->database, error, &podcast, "SELECT podcast FROM episode WHERE id = ?1", "x", op->episode))
    return FALSE;

  return stored || podcast == 0 || replace (self, moments, podcast, op->episode, op->data, error);
}

gboolean
ear_catalogue_tables_put_transcript (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  return put (self, &sentences, op, error);
}

gboolean
ear_catalogue_tables_put_chapters (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  return put (self, &chapters, op, error);
}

/* Stores the chapters of an episode's feed, unless better ones are stored: those of its
 * media file, or of a document, which are read when it is opened. */
gboolean
ear_catalogue_tables_offer_chapters (EarCatalogueTables *self, gint64 podcast, gint64 episode, EarTranscript *titles, GError **error)
{
  gint64 n_stored = 0;

  if (!ear_database_get_int (self->database, error, &n_stored, chapters.count, "xx", get_first (episode), get_first (episode + 1)))
    return FALSE;

  return n_stored >= ear_transcript_get_length (titles) || replace (self, &chapters, podcast, episode, titles, error);
}

/* @digest: (out): digest of the feed's chapters, as stored with the episode;
 * 0 for none */
gboolean
ear_catalogue_tables_tell_chapters (EarCatalogueTables *self, gint64 episode, gint64 *digest, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error, "SELECT " EAR_CHAPTER_TITLES_COLUMNS " FROM episode WHERE id = ?1", "x", episode);
  g_autoptr (EarTranscript) titles = NULL;
  gboolean row = FALSE;

  *digest = 0;
  if (!ear_database_step (self->database, statement, &row, error))
    return FALSE;
  if (row)
    titles = ear_chapter_titles_read (statement, 0);
  if (titles != NULL)
    *digest = make_digest (titles);

  return TRUE;
}

/* Deletes chapters that the feed no longer has, if the stored ones are the feed's. */
gboolean
ear_catalogue_tables_forget_chapters (EarCatalogueTables *self, gint64 episode, gint64 digest, GError **error)
{
  gboolean stored = FALSE;

  if (!is_stored (self, &chapters, episode, digest, &stored, error))
    return FALSE;

  return !stored || (ear_database_execute (self->database, error, chapters.clear, "xx", get_first (episode), get_first (episode + 1)) &&
                     ear_database_execute (self->database, error, chapters.forget, "x", episode));
}
