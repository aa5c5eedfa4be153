/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-marks.h"
#include "ear-podcast-settings.h"
#include "ear-userdata-file.h"

G_BEGIN_DECLS

/* The listener's settings for a podcast */
typedef struct
{
  char *address;      /* address that the podcast was first followed at */
  char *feed_address; /* (nullable) */
  char *title;        /* (nullable) */
  EarPodcastSettings settings;
  gint64 done; /* time of the change, Unix microseconds; 0: elsewhere, only the stamps count */
} EarSettingsChange;

void ear_settings_change_free (EarSettingsChange *self);

typedef struct _EarUserdataDocument EarUserdataDocument;

EarUserdataDocument *ear_userdata_document_new (EarJsonFolder *folder, const char *address);
void ear_userdata_document_free (EarUserdataDocument *self);
char *ear_userdata_document_dup_name (const char *address);
const char *ear_userdata_document_get_address (EarUserdataDocument *self);
gboolean ear_userdata_document_is_dirty (EarUserdataDocument *self);
void ear_userdata_document_set_dirty (EarUserdataDocument *self);
gboolean ear_userdata_document_refresh (EarUserdataDocument *self, GError **error);
gboolean ear_userdata_document_apply (EarUserdataDocument *self, const EarMarks *marks,
                                      const EarMarkedPodcast *podcast,
                                      const EarMarkedEpisode *episode);
gboolean ear_userdata_document_apply_settings (EarUserdataDocument *self,
                                               const EarSettingsChange *change);
gboolean ear_userdata_document_add_name (EarUserdataDocument *self, const char *guid,
                                         const char *name);
gboolean ear_userdata_document_write (EarUserdataDocument *self, GError **error);
const EarEpisodeState *ear_userdata_document_lookup (EarUserdataDocument *self, const char *guid);
GHashTable *ear_userdata_document_dup_states (EarUserdataDocument *self);
GHashTable *ear_userdata_document_steal_news (EarUserdataDocument *self);
gboolean ear_userdata_document_read_settings (EarUserdataDocument *self,
                                              EarPodcastSettings *settings);
gboolean ear_userdata_document_take_settings_news (EarUserdataDocument *self,
                                                   EarPodcastSettings *news);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataDocument, ear_userdata_document_free)

G_END_DECLS
