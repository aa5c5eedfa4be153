/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-moment-hits.h"
#include "ear-transcript.h"

/* Writer thread: what is said in episodes, and what their chapters are called, for searches. */

G_STATIC_ASSERT (EAR_TRANSCRIPT_LIMIT < (1 << EAR_MOMENT_BITS));

/* The statements for one kind of it */
typedef struct
{
  const char *find;
  const char *know;
  const char *clear;
  const char *put;
} Moments;

#define MOMENTS(known, texts) \
  { \
    "SELECT 1 FROM " known " WHERE episode = ?1 AND digest = ?2", \
    "INSERT OR REPLACE INTO " known " VALUES (?1, ?2)", \
    "DELETE FROM " texts " WHERE rowid >= ?1 AND rowid < ?2", \
    "INSERT INTO " texts " (rowid, text, start) VALUES (?1, ?2, ?3)", \
  }

static const Moments sentences = MOMENTS ("transcript", "sentence_text");
static const Moments chapters = MOMENTS ("chaptered", "chapter_text");

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

/* Stores an EarTranscript, if its episode is still there. */
static gboolean
put (EarCatalogueTables *self, const Moments *moments, EarCatalogueOp *op, GError **error)
{
  EarTranscript *transcript = op->data;
  const gint64 digest = make_digest (transcript);
  const gint64 first = op->episode << EAR_MOMENT_BITS;
  gint64 there = 0;
  gboolean stored = FALSE;

  if (!is_stored (self, moments, op->episode, digest, &stored, error) ||
      !ear_database_get_int (self->database, error, &there, "SELECT 1 FROM episode WHERE id = ?1", "x", op->episode))
    return FALSE;
  if (stored || there == 0)
    return TRUE;
  if (!ear_database_execute (self->database, error, moments->clear, "xx", first, first + (1 << EAR_MOMENT_BITS)) ||
      !ear_database_execute (self->database, error, moments->know, "xx", op->episode, digest))
    return FALSE;
  for (guint i = 0; i < ear_transcript_get_length (transcript); i++)
    {
      const EarSentence *sentence = ear_transcript_get (transcript, i);

      if (!ear_database_execute (self->database, error, moments->put, "xsx", first + i, sentence->text, sentence->start))
        return FALSE;
    }

  return TRUE;
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
