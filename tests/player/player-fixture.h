/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"
#include "ear-player-private.h"
#include "ear-player.h"
#include "ear-test-server.h"
#include "ear-test-sound.h"

G_BEGIN_DECLS

/**
 * PlayerFixture:
 *
 * A player, a sound output to listen to, and a server.
 */
typedef struct
{
  EarTestServer *server;
  EarTestSound *sound;
  EarPlayer *player;
  EarEpisode *episode;

  /* Signals and notifications */
  guint seeked;
  gint64 seeked_position;
  guint ended;
  GString *states; /* one letter for each state: Empty, pauseD, Loading, Playing, eNded, Failed */
  gint64 lowest;   /* lowest position notified since the test set it */
  gint64 since;    /* last change of the state, or seek: monotonic */
  guint log_handler;
} PlayerFixture;

void        player_fixture_set_up    (PlayerFixture *fixture,
                                      gconstpointer  data);
void        player_fixture_tear_down (PlayerFixture *fixture,
                                      gconstpointer  data);
void        player_fixture_open      (PlayerFixture *fixture,
                                      const char    *path,
                                      double         position);
void        player_fixture_open_file (PlayerFixture *fixture,
                                      const char    *name,
                                      double         position);
void        player_fixture_hurry     (PlayerFixture *fixture);
void        player_fixture_wait      (guint          milliseconds);
void        player_fixture_await     (PlayerFixture *fixture,
                                      EarPlayerState state);
void        player_fixture_fresh     (PlayerFixture *fixture,
                                      guint          milliseconds);
double      player_fixture_hear      (PlayerFixture *fixture);
double      player_fixture_agree     (PlayerFixture *fixture,
                                      double         margin);
void        player_fixture_began_at  (PlayerFixture *fixture,
                                      double         heard,
                                      double         place);
double      player_fixture_position  (PlayerFixture *fixture);
void        player_fixture_expect    (PlayerFixture *fixture,
                                      const char    *path,
                                      EarError       code);

/* Runs the main loop until the condition holds, or fails. */
#define PLAYER_WAIT_UNTIL(condition) \
  G_STMT_START \
  { \
    gint64 give_up = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; \
    while (!(condition) && g_get_monotonic_time () < give_up) \
      player_fixture_wait (5); \
    g_assert_true (condition); \
  } \
  G_STMT_END

#define PLAYER_ASSERT_NEAR(value, expected, margin) g_assert_cmpfloat_with_epsilon ((value), (expected), (margin))

G_END_DECLS
