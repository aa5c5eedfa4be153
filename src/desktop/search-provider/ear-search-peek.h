/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"

G_BEGIN_DECLS

#define EAR_TYPE_SEARCH_PEEK (ear_search_peek_get_type ())
G_DECLARE_FINAL_TYPE (EarSearchPeek, ear_search_peek, EAR, SEARCH_PEEK, GObject)

/* Properties:
 *    catalogue  EarCatalogue*  (nullable); read-only; the open catalogue */

EarSearchPeek *ear_search_peek_new           (GApplication        *application,
                                              const char          *data_directory);
void           ear_search_peek_set_patience  (EarSearchPeek       *self,
                                              guint                milliseconds);
void           ear_search_peek_open_async    (EarSearchPeek       *self,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
EarCatalogue  *ear_search_peek_open_finish   (EarSearchPeek       *self,
                                              GAsyncResult        *result,
                                              GError             **error);
void           ear_search_peek_close         (EarSearchPeek       *self);
EarCatalogue  *ear_search_peek_get_catalogue (EarSearchPeek       *self);

G_END_DECLS
