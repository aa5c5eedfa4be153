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
 * A player, ears to hear what it plays, and a server to play from.
 */
typedef struct
{
  EarTestServer *server;
  EarTestSound *sound;
  EarPlayer *player;
  EarEpisode *episode;

  /* What it told */
  guint seeked;
  gint64 seeked_position;
  guint ended;
  GString *states; /* a letter for each: Empty, pauseD, Loading, Playing, eNded, Failed */
  gint64 lowest;   /* position notified since it was last set */
  gint64 since;    /* when the state changed last, or it was moved: monotonic */
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

/* Turns the main loop until the condition holds; a test that waits in vain fails. */
#define PLAYER_WAIT_UNTIL(condition) \
  G_STMT_START \
  { \
    gint64 give_up = g_get_monotonic_time () + 10 * G_USEC_PER_SEC; \
    while (!(condition) && g_get_monotonic_time () < give_up) \
      player_fixture_wait (5); \
    g_assert_true (condition); \
  } \
  G_STMT_END

#define PLAYER_ASSERT_NEAR(value, expected, margin) g_assert_cmpfloat_with_epsilon ((value), (expected), (margin))

G_END_DECLS
