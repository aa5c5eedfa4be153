/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"
#include "ear-test-server.h"

G_BEGIN_DECLS

/* Half a minute each, whatever the feed says. */
#define PLAYING_LENGTH (30 * G_TIME_SPAN_SECOND)

/**
 * PlayingFixture:
 *
 * A library that plays to nobody, in real time, episodes in which nothing is said.
 */
typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  EarPlayer *player;       /* the library's */
  EarPlayControl *control; /* the library's */
  EarEpisodeList *list;    /* of all, in this order */
  EarEpisode *overstated;  /* its feed says that it is three times as long */
  EarEpisode *first;
  EarEpisode *second;      /* the second of its chapters begins at 12 s */
} PlayingFixture;

void playing_fixture_set_up    (PlayingFixture *fixture,
                                gconstpointer   data);
void playing_fixture_tear_down (PlayingFixture *fixture,
                                gconstpointer   data);
void playing_fixture_lengthen  (PlayingFixture *fixture,
                                gint64          length);
void playing_fixture_enlarge   (PlayingFixture *fixture);
void playing_fixture_set_setting (PlayingFixture   *fixture,
                                  EarPodcastSetting setting,
                                  int               value);
void playing_fixture_play      (PlayingFixture *fixture,
                                EarEpisode     *episode,
                                gint64          position);

/* A place, and at most half a second of playing after it. */
#define PLAYING_ASSERT_PLACE(fixture, expected) \
  G_STMT_START \
  { \
    g_assert_cmpint (ear_player_get_position ((fixture)->player), >=, (expected) - G_TIME_SPAN_SECOND / 10); \
    g_assert_cmpint (ear_player_get_position ((fixture)->player), <=, (expected) + G_TIME_SPAN_SECOND / 2); \
  } \
  G_STMT_END

G_END_DECLS
