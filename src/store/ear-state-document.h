/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast-settings.h"
#include "ear-state-file.h"

G_BEGIN_DECLS

/* What the listener did with an episode, as it goes from the main thread to the one of the files. */
typedef struct
{
  char *address;       /* the podcast's first */
  char *feed_address;  /* (nullable) */
  char *podcast_title; /* (nullable) */
  char *guid;
  char *alias;     /* (nullable): another name of the episode */
  char *title;     /* (nullable) */
  char *enclosure; /* (nullable) */
  EarEpisodeState state;
  gint64 done; /* when, Unix microseconds; 0: somewhere else, only the stamps tell */
} EarStateDeed;

void ear_state_deed_free (EarStateDeed *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStateDeed, ear_state_deed_free)

/* What the listener wants for a podcast, on the same way. */
typedef struct
{
  char *address;
  char *feed_address; /* (nullable) */
  char *title;        /* (nullable) */
  EarPodcastSettings settings;
  gint64 done; /* as in EarStateDeed */
} EarSettingsDeed;

void ear_settings_deed_free (EarSettingsDeed *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSettingsDeed, ear_settings_deed_free)

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
