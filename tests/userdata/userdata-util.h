/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast-settings.h"
#include "ear-test-process.h"
#include "ear-test-wait.h"
#include "ear-userdata-file.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

#define ADDRESS "https://example.org/feed.xml"
#define OTHER "https://example.org/other.xml"
#define SECOND G_TIME_SPAN_SECOND

/* Parts of state files. A day is of the form 2026-01-02. */
#define STAMPED(value, day) "{\"value\": " value ", \"updated\": \"" day "T00:00:00Z\"}"
#define STATE_FILE(kind, table, entries) \
  "{\"version\": 1, \"kind\": \"" kind "\", \"" table "\": {" entries "}}"
#define PODCAST_FILE(episodes) STATE_FILE ("podcast", "episodes", episodes)
#define SUBSCRIPTIONS_FILE(podcasts) STATE_FILE ("subscriptions", "podcasts", podcasts)
#define BOOKMARKS_FILE(records) STATE_FILE ("bookmarks", "records", records)

/* A state folder of a test, and the signals of its store. Names of files are relative to the
 * folder; the address of a podcast stands for its file. */
typedef struct
{
  char *top;  /* a temporary folder */
  char *path; /* the state folder in it, not created yet */
  EarUserdataStore *store;

  GHashTable *states; /* (element-type utf8 EarEpisodeState): from podcast-changed */
  guint n_podcast_changed;
  GPtrArray *subscriptions;
  guint n_subscriptions_changed;
  EarPodcastSettings settings; /* all values received */
  guint n_settings_changed;
  GHashTable *bookmarks; /* (element-type utf8 GVariant): latest values received */
  guint n_bookmarks_changed;
  GPtrArray *set_aside; /* (element-type utf8) */
  guint n_restored;     /* of these, the number replaced by something older */
  guint n_failed;
  int failed_code;
} Fixture;

typedef struct
{
  const char *path;
  void (*func) (Fixture *fixture, gconstpointer data);
  gconstpointer data;
} FixtureTest;

int fixture_run_tests (int argc, char **argv, const FixtureTest *tests, gsize n_tests);
void fixture_set_up (Fixture *self, gconstpointer data);
void fixture_tear_down (Fixture *self, gconstpointer data);
void fixture_open (Fixture *self, guint delay);
void fixture_load (Fixture *self);
void fixture_close (Fixture *self);
void fixture_reopen (Fixture *self);
void fixture_forget (Fixture *self);
EarEpisodeState *fixture_get_told (Fixture *self, const char *guid);

const char *fixture_get_path (Fixture *self, const char *name);
char *fixture_read (Fixture *self, const char *name);
char *fixture_get (Fixture *self, const char *name, const char *path);
void fixture_write (Fixture *self, const char *name, const char *text);
void fixture_damage (Fixture *self, const char *name, const char *text);
void fixture_age (Fixture *self, const char *name, guint seconds);
guint fixture_count (Fixture *self, const char *part);
void fixture_wait_for_text (Fixture *self, const char *name, const char *text);

/* Compares the value at a path of members, separated by spaces. Strings have no quotes; the
 * member # is the number of members. %NULL: there is none. */
#define assert_json(fixture, name, path, expected) \
  ear_test_assert_text (fixture_get (fixture, name, path), expected)
#define assert_file(fixture, name, expected) \
  ear_test_assert_text (fixture_read (fixture, name), expected)

JsonObject *parse (const char *text);
char *print (JsonObject *root);
const char *name_of (const char *address);
const char *name_of_copy (const char *address);
EarEpisode *new_episode (const char *address, const char *guid);

/* With @error %NULL, these must not fail. */
gboolean flush (EarUserdataStore *store, GError **error);
GPtrArray *load_subscriptions (EarUserdataStore *store, GError **error);
EarBackup *back_up (EarUserdataStore *store, EarBackupReason reason, GError **error);
gboolean restore (EarUserdataStore *store, const char *path, gboolean exact, GError **error);

gboolean load_now (EarUserdataStore *store, char **address, char **guid, gint64 *position);
GPtrArray *list_backups (EarUserdataStore *store);
void follow (EarUserdataStore *store, const char *address, gboolean followed);
void put_into_folder (EarUserdataStore *store, const char *folder);
void play (EarUserdataStore *store, const char *address, const char *guid, gint64 position);
void set_state (EarUserdataStore *store, EarEpisode *episode, const EarEpisodeState *state);
void set_mark (EarUserdataStore *store, const char *address, const char *guid, EarMark mark,
               gint64 value);
void set_position (EarUserdataStore *store, const char *address, const char *guid, gint64 position);
void like (EarUserdataStore *store, const char *address, const char *guid);

G_END_DECLS
