/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"
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
  GString *told; /* a line for each signal that a test has connected to */
  GString *notices; /* a line for each notice of the library */
  EarUndo *undo;    /* the last one that the library offered */
  EarEpisode *lamps[16]; /* held by get_lamp() */
} Fixture;

void make_library (Fixture *fixture);
void open_library (Fixture *fixture, const char *welcome);
void open_and_wait (Fixture *fixture, const char *welcome);
void close_library (Fixture *fixture);
void restart (Fixture *fixture);
void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);
void put_feed (Fixture *fixture, guint first, guint last);
void put_news (Fixture *fixture, const char *name, guint first, guint last, const char *head,
               const char *notes);
EarPodcast *follow (Fixture *fixture, const char *path);
EarPodcast *get_podcast (Fixture *fixture);
gboolean has_podcast (Fixture *fixture);
void refresh (Fixture *fixture);
gboolean is_refreshed (Fixture *fixture);
gboolean is_settled (Fixture *fixture);
gboolean has_error (Fixture *fixture);
char *dup_subscriptions_path (Fixture *fixture);
char *follow_old_and_dup_moved (Fixture *fixture, const char *path);
EarEpisodeList *list_all (Fixture *fixture);
guint count_requests (Fixture *fixture, const char *path);
void listen_to (Fixture *fixture, guint position);
void count_signal_cb (guint *count);
gboolean has_rows (EarEpisodeList *list, guint n);
