/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-userdata-file.h"
#include "ear-podcast-settings.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

/* A state folder of a test, and the signals of its store */
typedef struct
{
  char *top;  /* a temporary folder */
  char *path; /* the state folder in it, not created yet */
  EarUserdataStore *store;

  GHashTable *states; /* (element-type utf8 EarEpisodeState): from podcast-changed */
  guint n_podcast_changed;
  GPtrArray *subscriptions;
  guint n_subscriptions_changed;
  GPtrArray *set_aside; /* (element-type utf8) */
  guint n_restored;     /* of these, the number replaced by something older */
  guint n_failed;
  int failed_code;
} Fixture;

Fixture *fixture_new (void);
void fixture_free (Fixture *self);
void fixture_open (Fixture *self, guint delay);
void fixture_close (Fixture *self);
void fixture_forget (Fixture *self);
char *fixture_read (Fixture *self, const char *name, gsize *length);
JsonObject *fixture_parse (Fixture *self, const char *name);
JsonObject *fixture_parse_episode (Fixture *self, const char *address, const char *guid);
void fixture_write (Fixture *self, const char *name, const char *text);
void fixture_age (Fixture *self, const char *name, guint seconds);
guint fixture_count (Fixture *self, const char *part);
void fixture_flush (Fixture *self);
gboolean fixture_was_told (gpointer data);
void fixture_wait_for_text (Fixture *self, const char *name, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, fixture_free)

EarEpisode *userdata_test_new_episode (const char *address, const char *guid);
char *userdata_test_name (const char *address);
gboolean userdata_test_flush (EarUserdataStore *store, GError **error);
gboolean userdata_test_load_now (EarUserdataStore *store, char **address, char **guid,
                                 gint64 *position);
GPtrArray *userdata_test_load_subscriptions (EarUserdataStore *store, gboolean *first_start,
                                             GError **error);
EarBackup *userdata_test_back_up (EarUserdataStore *store, EarBackupReason reason, GError **error);
GPtrArray *userdata_test_list_backups (EarUserdataStore *store);
gboolean userdata_test_restore (EarUserdataStore *store, const char *path, gboolean exact,
                                GError **error);
void userdata_test_follow (EarUserdataStore *store, const char *address, gboolean followed);
void userdata_test_set_listened (EarUserdataStore *store, EarEpisode *episode, gboolean listened);
void userdata_test_run_for (guint milliseconds);
gboolean userdata_test_wait (gboolean (*done) (gpointer), gpointer data);
void userdata_test_set_position (EarUserdataStore *store, EarEpisode *episode, gint64 position);
void userdata_test_set_liked (EarUserdataStore *store, EarEpisode *episode, gboolean liked);

void userdata_test_read_marks (JsonObject *episode, gint64 now, EarEpisodeState *state);
gboolean userdata_test_write_marks (JsonObject *episode, const EarEpisodeState *state, gint64 now);
void userdata_test_read_settings (JsonObject *root, gint64 now, EarPodcastSettings *settings);
gboolean userdata_test_write_settings (JsonObject *root, const EarPodcastSettings *settings, gint64 now);

G_END_DECLS
