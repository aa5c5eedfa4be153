/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_SEARCH_POPOVER (ear_search_popover_get_type ())
G_DECLARE_FINAL_TYPE (EarSearchPopover, ear_search_popover, EAR, SEARCH_POPOVER, GtkPopover)

gboolean ear_search_popover_take_key (EarSearchPopover *self, guint keyval, GdkModifierType state);
gboolean ear_search_popover_take_chosen (EarSearchPopover *self);

G_END_DECLS
