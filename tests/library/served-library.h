/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library-private.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"

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
  guint n_notices;
  gboolean lasting; /* whether the last notice stays until it is closed */
  EarUndo *undo;    /* the last one that the library offered */
  guint n_undos;
  EarPlayer *player;              /* owned by the library */
  EarPlaybackController *control; /* owned by the library, once it is open */
  EarEpisode *lamps[16]; /* held by get_lamp() */
  GPtrArray *chosen;     /* by get_lamps() */

  /* With playing_fixture_set_up() */
  EarEpisodeList *list;           /* all episodes, in the order of the following members */
  EarEpisode *overstated;         /* its feed says three times its length */
  EarEpisode *first;
  EarEpisode *second;             /* its second chapter begins at 12 s */
} Fixture;

void set_up (Fixture *fixture, gconstpointer data);
void set_up_feed (Fixture *fixture, gconstpointer n_episodes);
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
void put_format (Fixture *fixture, const char *path, const char *format, ...) G_GNUC_PRINTF (3, 4);
const char *get_url (Fixture *fixture, const char *path);
EarPodcast *follow (Fixture *fixture, const char *path);
EarPodcast *fetch (Fixture *fixture, const char *path);
EarImage *load_cover (Fixture *fixture, const char *address, EarCoverSize size);
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
char *dup_subscriptions_path (Fixture *fixture);
char *dup_state_path (Fixture *fixture);
char *read_text (const char *path);
gboolean file_has (const char *path, const char *text);
void write_text (const char *path, const char *text);
guint count_files (const char *folder, const char *part);

EarEpisodeQuery *query_podcast (Fixture *fixture, EarEpisodeFilter filter, EarEpisodeSort sort);
EarEpisodeList *open_list (Fixture *fixture, EarEpisodeQuery *query);
EarEpisodeList *list_all (Fixture *fixture);
guint count_requests (Fixture *fixture, const char *path);
gboolean has_rows (EarEpisodeList *list, guint n);
gboolean are_episodes (gpointer list, const char *numbers);
gboolean is_queue (Fixture *fixture, const char *numbers);
EarEpisode *dup_by_guid (Fixture *fixture, EarPodcast *podcast, const char *guid);
EarEpisode *dup_lamp (Fixture *fixture, guint number);
EarEpisode *get_lamp (Fixture *fixture, guint i);
GPtrArray *get_lamps (Fixture *fixture, const guint *numbers);
GArray *dup_ids (GPtrArray *episodes);
void set_mark (Fixture *fixture, guint number, EarMark mark, gint64 value);
void set_podcast_setting (Fixture *fixture, EarPodcastSetting setting, int value);

/* A feed with a title, and further elements of the channel */
#define RSS(title, elements)                                                                       \
  "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\""                                \
  " xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\""                                   \
  " xmlns:podcast=\"https://podcastindex.org/namespace/1.0\""                                      \
  " xmlns:psc=\"http://podlove.org/simple-chapters\"><channel><title>" title "</title>" elements   \
  "</channel></rss>"

/* The episodes with these numbers, until the next call */
#define LAMPS(...) get_lamps (fixture, (const guint[]){ __VA_ARGS__, 0 })

#define ADD_TEST(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
