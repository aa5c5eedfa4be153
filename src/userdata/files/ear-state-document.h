/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-state-deed.h"
#include "ear-state-file.h"

G_BEGIN_DECLS

typedef struct _EarStateDocument EarStateDocument;

EarStateDocument      *ear_state_document_new        (EarStateFolder *folder,
                                                      const char     *address);
void                   ear_state_document_free       (EarStateDocument *self);
char                  *ear_state_document_dup_name   (const char *address);
const char            *ear_state_document_get_address (EarStateDocument *self);
gboolean               ear_state_document_is_dirty   (EarStateDocument *self);
void                   ear_state_document_set_dirty  (EarStateDocument *self);
gboolean               ear_state_document_refresh    (EarStateDocument *self,
                                                      GError          **error);
gboolean               ear_state_document_apply      (EarStateDocument   *self,
                                                      const EarStateDeed *deed);
gboolean               ear_state_document_apply_settings (EarStateDocument      *self,
                                                          const EarSettingsDeed *deed);
gboolean               ear_state_document_add_name   (EarStateDocument *self,
                                                      const char       *guid,
                                                      const char       *name);
gboolean               ear_state_document_write      (EarStateDocument *self,
                                                      GError          **error);
const EarEpisodeState *ear_state_document_lookup     (EarStateDocument *self,
                                                      const char       *guid);
GHashTable            *ear_state_document_dup_states (EarStateDocument *self);
GHashTable            *ear_state_document_steal_news (EarStateDocument *self);
gboolean               ear_state_document_read_settings (EarStateDocument   *self,
                                                         EarPodcastSettings *settings);
gboolean               ear_state_document_take_settings_news (EarStateDocument   *self,
                                                              EarPodcastSettings *news);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStateDocument, ear_state_document_free)

G_END_DECLS
