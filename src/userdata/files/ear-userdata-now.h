/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-userdata-document.h"

G_BEGIN_DECLS

typedef struct _EarUserdataNow EarUserdataNow;

EarUserdataNow          *ear_userdata_now_new        (EarJsonFolder *folder,
                                                      const char    *name);
void                     ear_userdata_now_free       (EarUserdataNow *self);
gboolean                 ear_userdata_now_is_dirty   (EarUserdataNow *self);
gboolean                 ear_userdata_now_is_foreign (EarUserdataNow *self);
const EarMarks          *ear_userdata_now_get        (EarUserdataNow *self);
EarMarks                *ear_userdata_now_read       (EarUserdataNow *self,
                                                      GError        **error);
void                     ear_userdata_now_set        (EarUserdataNow        *self,
                                                      EarMarks              *marks,
                                                      const EarEpisodeState *state);
gboolean                 ear_userdata_now_write      (EarUserdataNow *self,
                                                      EarMarks      **found,
                                                      GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataNow, ear_userdata_now_free)

G_END_DECLS
