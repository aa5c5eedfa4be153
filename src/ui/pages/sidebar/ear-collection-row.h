/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-collection.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_COLLECTION_ROW (ear_collection_row_get_type ())
G_DECLARE_FINAL_TYPE (EarCollectionRow, ear_collection_row, EAR, COLLECTION_ROW, GtkWidget)

EarCollection *ear_collection_row_get_collection (EarCollectionRow *self);
gboolean       ear_collection_row_is_fold        (EarCollectionRow *self,
                                                  double            x);

G_END_DECLS
