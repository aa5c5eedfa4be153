/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-undo.h"

G_BEGIN_DECLS

/*
 * What the parts of a library have to tell the listener. Main thread only. Property:
 *   changing  gboolean  read-only: whether what was done last is under way, and will be offered to be taken back
 *
 * Signals:
 *   notice (char *message, gboolean lasting)
 *       something the listener should be told, translated (a damaged file that was set
 *       aside, a disk that is full): shown as a toast
 *   undo-offered (EarUndo *undo)
 *       something was done that can be taken back: shown as a toast with a button
 */
#define EAR_TYPE_NOTICES (ear_notices_get_type ())
G_DECLARE_FINAL_TYPE (EarNotices, ear_notices, EAR, NOTICES, GObject)

/* Something that is under way, and can be taken back when it is done. */
typedef struct _EarChange EarChange;

EarNotices *ear_notices_new              (void);
void        ear_notices_add              (EarNotices *self,
                                          const char *message,
                                          gboolean    lasting);
void        ear_notices_offer_undo       (EarNotices *self,
                                          EarUndo    *undo);
EarChange  *ear_notices_begin_change     (EarNotices *self);
gboolean    ear_notices_get_changing     (EarNotices *self);
void        ear_notices_take_change_back (EarNotices *self);

void        ear_change_offer_back       (EarChange  *self,
                                         EarUndo    *undo);
void        ear_change_end              (EarChange  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarChange, ear_change_end)

G_END_DECLS
