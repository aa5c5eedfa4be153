/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library-private.h"
#include "ear-test-server.h"

/* Shared by the tests in which a library follows podcasts: a library in a folder of its
 * own, and a server with "/feed.xml". */
typedef struct
{
  char *folder;
  char *data;
  char *cache;
  EarTestServer *server;
  EarLibrary *library;
  const EarServices *parts; /* of the library */
  GString *told; /* a line for each signal that a test has connected to */
  GString *notices; /* a line for each notice of the library */
  EarUndo *undo;    /* the last one that the library offered */
  guint n_undos;
  EarEpisode *lamps[16]; /* held by get_lamp() */

  /* With playing_fixture_set_up() */
  EarPlayer *player;              /* owned by the library */
  EarPlaybackController *control; /* owned by the library */
  EarEpisodeList *list;           /* all episodes, in the order of the following members */
  EarEpisode *overstated;         /* its feed says three times its length */
  EarEpisode *first;
  EarEpisode *second;             /* its second chapter begins at 12 s */
} Fixture;

void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);

void make_library (Fixture *fixture);
void open_library (Fixture *fixture, const char *welcome);
void open_and_wait (Fixture *fixture, const char *welcome);
void close_library (Fixture *fixture);
void restart (Fixture *fixture);
void remove_catalogue (Fixture *fixture);
void restart_without_catalogue (Fixture *fixture);

void put_feed (Fixture *fixture, guint first, guint last);
void put_news (Fixture *fixture, const char *name, guint first, guint last, const char *head,
               const char *notes);
void put_text (Fixture *fixture, const char *path, const char *text);
EarPodcast *follow (Fixture *fixture, const char *path);
EarPodcast *follow_served (Fixture *fixture);
EarPodcast *follow_feed (Fixture *fixture, guint n);
void unfollow (Fixture *fixture);
void refresh (Fixture *fixture);
EarPodcast *get_podcast (Fixture *fixture);
guint count_followed (Fixture *fixture);
gboolean has_podcast (Fixture *fixture);
gboolean is_refreshed (Fixture *fixture);
gboolean is_settled (Fixture *fixture);
gboolean is_at_rest (Fixture *fixture);
gboolean has_error (Fixture *fixture);
char *dup_subscriptions_path (Fixture *fixture);
char *follow_old_and_dup_moved (Fixture *fixture, const char *path);
char *dup_state_path (Fixture *fixture);
char *read_text (const char *path);
void write_text (const char *path, const char *text);

EarEpisodeQuery *query_podcast (Fixture *fixture, EarEpisodeFilter filter, EarEpisodeSort sort);
EarEpisodeList *open_list (Fixture *fixture, EarEpisodeQuery *query);
EarEpisodeList *list_all (Fixture *fixture);
guint count_requests (Fixture *fixture, const char *path);
gboolean has_rows (EarEpisodeList *list, guint n);
gboolean are_episodes (gpointer list, const char *numbers);
EarEpisode *dup_by_guid (Fixture *fixture, EarPodcast *podcast, const char *guid);
EarEpisode *dup_lamp (Fixture *fixture, guint number);
EarEpisode *get_lamp (Fixture *fixture, guint i);
GPtrArray *list_lamps (Fixture *fixture, const guint *numbers);
void set_mark (Fixture *fixture, guint number, EarMark mark, gint64 value);
void listen_to (Fixture *fixture, guint position);
void count_signal_cb (guint *count);

/* Numbers of episodes, for list_lamps() */
#define EPISODES(...) ((const guint[]) { __VA_ARGS__, 0 })

#define ADD_TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
