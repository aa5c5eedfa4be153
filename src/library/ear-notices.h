/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/* Undoes an action. */
typedef void (*EarUndoFunc) (gpointer owner, gpointer data);

#define EAR_TYPE_UNDO (ear_undo_get_type ())
G_DECLARE_FINAL_TYPE (EarUndo, ear_undo, EAR, UNDO, GObject)

EarUndo *ear_undo_new (const char *message, EarUndoFunc func, gpointer owner, gpointer data,
                       GDestroyNotify destroy);
const char *ear_undo_get_message (EarUndo *self);
void ear_undo_set_note (EarUndo *self, const char *bookmark);
const char *ear_undo_get_note (EarUndo *self);
void ear_undo_run (EarUndo *self);

/* Notices of the library for the listener. Main thread only. Signals:
 *   notice (char *message, gboolean lasting)
 *     a translated message (a damaged file was set aside, a disk is full): a toast
 *   undo-offered (EarUndo *undo)
 *     an action can be undone: a toast with a button */
#define EAR_TYPE_NOTICES (ear_notices_get_type ())
G_DECLARE_FINAL_TYPE (EarNotices, ear_notices, EAR, NOTICES, GObject)

EarNotices *ear_notices_new (void);
void ear_notices_add (EarNotices *self, gboolean lasting, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
void ear_notices_offer (EarNotices *self, const char *message, EarUndoFunc func, gpointer owner,
                        gpointer data, GDestroyNotify destroy);
void ear_notices_offer_undo (EarNotices *self, EarUndo *undo);

G_END_DECLS
