/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_TYPE_AHEAD (ear_type_ahead_get_type ())
G_DECLARE_FINAL_TYPE (EarTypeAhead, ear_type_ahead, EAR, TYPE_AHEAD, GObject)

EarTypeAhead *ear_type_ahead_new     (void);
gboolean      ear_type_ahead_goes_on (EarTypeAhead    *self,
                                      guint            keyval,
                                      GdkModifierType  state,
                                      guint            from,
                                      gint64           time);
gboolean      ear_type_ahead_add     (EarTypeAhead    *self,
                                      guint            keyval,
                                      GdkModifierType  state,
                                      guint            from,
                                      gint64           time);
guint         ear_type_ahead_find    (EarTypeAhead    *self,
                                      GListModel      *model,
                                      const char      *property,
                                      guint            from);

G_END_DECLS
