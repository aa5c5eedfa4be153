/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarMessageFunc:
 * @message: (transfer full): a posted message
 * @user_data: data of the owner
 *
 * Handles a message, on the owner's thread.
 */
typedef void (*EarMessageFunc) (gpointer message,
                                gpointer user_data);

typedef struct _EarMainQueue EarMainQueue;

EarMainQueue *ear_main_queue_new   (GMainContext  *context,
                                    EarMessageFunc func,
                                    gpointer       user_data);
void          ear_main_queue_post  (EarMainQueue  *self,
                                    gpointer       message);
void          ear_main_queue_drain (EarMainQueue  *self);
void          ear_main_queue_free  (EarMainQueue  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarMainQueue, ear_main_queue_free)

G_END_DECLS
