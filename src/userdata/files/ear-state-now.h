/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-state-document.h"

G_BEGIN_DECLS


typedef struct _EarStateNow EarStateNow;

EarStateNow        *ear_state_now_new        (EarStateFolder *folder,
                                              const char     *name);
void                ear_state_now_free       (EarStateNow *self);
gboolean            ear_state_now_is_dirty   (EarStateNow *self);
gboolean            ear_state_now_is_foreign (EarStateNow *self);
const EarStateDeed *ear_state_now_get        (EarStateNow *self);
EarStateDeed       *ear_state_now_read       (EarStateNow *self,
                                              GError     **error);
void                ear_state_now_set        (EarStateNow  *self,
                                              EarStateDeed *deed);
gboolean            ear_state_now_write      (EarStateNow   *self,
                                              EarStateDeed **found,
                                              GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStateNow, ear_state_now_free)

G_END_DECLS
