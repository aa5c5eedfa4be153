/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-transcript-hits.h"
#include "ear-transcript.h"

/* Writer thread: what is said in episodes, for searches. */

G_STATIC_ASSERT (EAR_TRANSCRIPT_LIMIT < (1 << EAR_SENTENCE_BITS));

/* Tells whether it is another one than before: FNV-1a */
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
is_stored (EarCatalogueTables *self, gint64 episode, gint64 digest, gboolean *stored, GError **error)
{
  gint64 found = 0;
  const gboolean ok = ear_database_get_int (self->database, error, &found,
                                            "SELECT 1 FROM transcript WHERE episode = ?1 AND digest = ?2", "xx", episode, digest);

  *stored = found != 0;

  return ok;
}

gboolean
ear_catalogue_tables_needs_transcript (EarCatalogueTables *self, EarCatalogueOp *op)
{
  gboolean stored = FALSE;

  return !is_stored (self, op->episode, make_digest (op->data), &stored, NULL) || !stored;
}

/* Stores what is said in an episode, an EarTranscript, if that is still there. */
gboolean
ear_catalogue_tables_put_transcript (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  EarTranscript *transcript = op->data;
  const gint64 digest = make_digest (transcript);
  const gint64 first = op->episode << EAR_SENTENCE_BITS;
  gint64 there = 0;
  gboolean stored = FALSE;

  if (!is_stored (self, op->episode, digest, &stored, error) ||
      !ear_database_get_int (self->database, error, &there, "SELECT 1 FROM episode WHERE id = ?1", "x", op->episode))
    return FALSE;
  if (stored || there == 0)
    return TRUE;
  if (!ear_database_execute (self->database, error, "DELETE FROM sentence_text WHERE rowid >= ?1 AND rowid < ?2", "xx", first,
                             first + (1 << EAR_SENTENCE_BITS)) ||
      !ear_database_execute (self->database, error, "INSERT OR REPLACE INTO transcript VALUES (?1, ?2)", "xx", op->episode, digest))
    return FALSE;
  for (guint i = 0; i < ear_transcript_get_length (transcript); i++)
    {
      const EarSentence *sentence = ear_transcript_get (transcript, i);

      if (!ear_database_execute (self->database, error, "INSERT INTO sentence_text (rowid, text, start) VALUES (?1, ?2, ?3)", "xsx",
                                 first + i, sentence->text, sentence->start))
        return FALSE;
    }

  return TRUE;
}
