/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarLetterFunc:
 * @letter: (transfer full): what was posted
 * @user_data: data of the owner
 *
 * Takes a letter, on the owner's thread.
 */
typedef void (*EarLetterFunc) (gpointer letter,
                               gpointer user_data);

typedef struct _EarMailbox EarMailbox;

EarMailbox *ear_mailbox_new   (GMainContext  *context,
                               EarLetterFunc  func,
                               gpointer       user_data);
void        ear_mailbox_post  (EarMailbox    *self,
                               gpointer       letter);
void        ear_mailbox_empty (EarMailbox    *self);
void        ear_mailbox_free  (EarMailbox    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarMailbox, ear_mailbox_free)

G_END_DECLS
