/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

#include "ear-chapter-titles.h"

static const EarCatalogueOpKind transcript_kind = {
  .data_free = (GDestroyNotify) ear_transcript_unref,
  .perform = ear_catalogue_tables_put_transcript,
  /* Opening an unchanged transcript again needs no transaction. */
  .is_needed = ear_catalogue_tables_needs_transcript,
};

static const EarCatalogueOpKind chapters_kind = {
  .data_free = (GDestroyNotify) ear_transcript_unref,
  .perform = ear_catalogue_tables_put_chapters,
  .is_needed = ear_catalogue_tables_needs_chapters,
};

static void
store (EarCatalogue *self, const EarCatalogueOpKind *kind, EarEpisode *episode, EarTranscript *transcript)
{
  EarCatalogueOp *op;

  if (self->closed)
    return;
  op = ear_catalogue_op_new (kind, 0, ear_transcript_ref (transcript));
  op->episode = ear_episode_get_id (episode);
  ear_catalogue_push (self, op);
}

/**
 * ear_catalogue_store_transcript:
 * @transcript: its transcript
 *
 * Makes searches find an episode by its transcript.
 */
void
ear_catalogue_store_transcript (EarCatalogue *self, EarEpisode *episode, EarTranscript *transcript)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
  g_return_if_fail (transcript != NULL);

  store (self, &transcript_kind, episode, transcript);
}

/**
 * ear_catalogue_store_chapters:
 * @chapters: all its known chapters
 *
 * Makes searches find an episode by the titles of its chapters.
 */
void
ear_catalogue_store_chapters (EarCatalogue *self, EarEpisode *episode, EarChapters *chapters)
{
  g_autoptr (EarTranscript) titles = NULL;

  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));
  g_return_if_fail (chapters != NULL);

  titles = ear_chapter_titles_new (chapters);
  store (self, &chapters_kind, episode, titles);
}
