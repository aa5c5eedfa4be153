/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-episode-query.h"
#include "ear-episode-rows.h"
#include "ear-notes.h"

/* How many rows of an answer a list view looks at before anybody scrolls. */
#define EAR_CATALOGUE_WARM_ROWS (4 * EAR_EPISODE_ROWS_PAGE)

G_BEGIN_DECLS

/* What a notes request answers with. */
typedef struct
{
  char *text;
  char *base;
} EarNotesText;

void ear_notes_text_free (EarNotesText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarNotesText, ear_notes_text_free)

typedef struct _EarCatalogueReader EarCatalogueReader;

EarCatalogueReader *ear_catalogue_reader_new        (EarDatabase           *database,
                                                     GMainContext          *context);
void                ear_catalogue_reader_query      (EarCatalogueReader    *self,
                                                     const EarEpisodeQuery *query,
                                                     guint                  limit,
                                                     GTask                 *task);
void                ear_catalogue_reader_load_notes (EarCatalogueReader    *self,
                                                     gint64                 episode,
                                                     GTask                 *task);
void                ear_catalogue_reader_load_snippet (EarCatalogueReader *self,
                                                      gint64              episode,
                                                      const char         *title,
                                                      const char         *search,
                                                      GTask              *task);
void                ear_catalogue_reader_find_in_notes (EarCatalogueReader *self,
                                                        EarNotes           *notes,
                                                        const char         *search,
                                                        GTask              *task);
void                ear_catalogue_reader_find_key   (EarCatalogueReader    *self,
                                                     const char            *key,
                                                     GTask                 *task);
void                ear_catalogue_reader_warm       (EarCatalogueReader    *self,
                                                     const gint64          *ids,
                                                     guint                  n_ids,
                                                     GTask                 *task);
gboolean            ear_catalogue_reader_close      (EarCatalogueReader    *self);
void                ear_catalogue_reader_free       (EarCatalogueReader    *self);

G_END_DECLS
