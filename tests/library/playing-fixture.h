/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"
#include "ear-test-server.h"

G_BEGIN_DECLS

/* Each file lasts half a minute, whatever the feed says. */
#define PLAYING_LENGTH (30 * G_TIME_SPAN_SECOND)

/* A library that plays silent episodes in real time, without a sound device. */
typedef struct
{
  char *folder;
  EarTestServer *server;
  EarLibrary *library;
  EarPlayer *player;       /* owned by the library */
  EarPlaybackController *control; /* owned by the library */
  EarEpisodeList *list;    /* all episodes, in the order of the following members */
  EarEpisode *overstated;  /* its feed says three times its length */
  EarEpisode *first;
  EarEpisode *second;      /* its second chapter begins at 12 s */
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

/* Asserts that the player is at a position, or at most half a second past it. */
#define PLAYING_ASSERT_PLACE(fixture, expected) \
  G_STMT_START \
  { \
    g_assert_cmpint (ear_player_get_position ((fixture)->player), >=, (expected) - G_TIME_SPAN_SECOND / 10); \
    g_assert_cmpint (ear_player_get_position ((fixture)->player), <=, (expected) + G_TIME_SPAN_SECOND / 2); \
  } \
  G_STMT_END

G_END_DECLS
