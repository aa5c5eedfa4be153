/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_ITEM_ROW (ear_item_row_get_type ())
G_DECLARE_DERIVABLE_TYPE (EarItemRow, ear_item_row, EAR, ITEM_ROW, AdwBin)

struct _EarItemRowClass
{
  AdwBinClass parent_class;
};

void ear_item_row_add_key (GtkWidgetClass *widget_class, guint key, GdkModifierType modifiers,
                           const char *action);
void ear_item_row_set_time (EarItemRow *self, gint64 time);
gint64 ear_item_row_get_time (EarItemRow *self);
void ear_item_row_set_texts (EarItemRow *self, const char *title, const char *detail,
                             const char *source, const char *name);

G_END_DECLS
