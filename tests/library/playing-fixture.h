/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "served-library.h"

G_BEGIN_DECLS

/* Each file lasts half a minute, whatever the feed says. */
#define PLAYING_LENGTH (30 * G_TIME_SPAN_SECOND)

#define SECOND G_TIME_SPAN_SECOND
#define MINUTE G_TIME_SPAN_MINUTE
#define HOUR G_TIME_SPAN_HOUR

/* A library that plays episodes in real time, without a sound device */
void playing_fixture_set_up (Fixture *fixture, gconstpointer data);
void playing_fixture_play (Fixture *fixture, EarEpisode *episode, gint64 position);
void play_silently (EarPlayer *player);
void lengthen_first (Fixture *fixture, gint64 length);
void enlarge_overstated (Fixture *fixture);
void play_episode (Fixture *fixture, EarEpisode *episode);
void wait_for_state (Fixture *fixture, EarPlayerState state);
void wait_past (Fixture *fixture, gint64 position);
gboolean is_playing (Fixture *fixture, EarEpisode *episode);
void queue_episode (Fixture *fixture, EarEpisode *episode);
guint count_queue (Fixture *fixture);

/* Asserts that the player is at a position, or at most half a second past it. */
#define ASSERT_POSITION(fixture, expected) \
  G_STMT_START \
  { \
    const gint64 position_ = ear_player_get_position ((fixture)->player); \
    g_assert_cmpint (position_, >=, (expected) - SECOND / 10); \
    g_assert_cmpint (position_, <=, (expected) + SECOND / 2); \
  } \
  G_STMT_END

#define ADD_PLAYING_TEST(path, function)                                                           \
  g_test_add (path, Fixture, NULL, playing_fixture_set_up, function, tear_down)

G_END_DECLS
