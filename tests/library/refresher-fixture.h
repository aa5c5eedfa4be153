/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-refresher.h"
#include "ear-test-network.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"

G_BEGIN_DECLS

/* A power profile without D-Bus */
#define TEST_TYPE_POWER (test_power_get_type ())
G_DECLARE_FINAL_TYPE (TestPower, test_power, TEST, POWER, GObject)

struct _TestPower
{
  GObject parent_instance;
  gboolean saving;
};

/* A catalogue, its refresher, and a server that can misbehave. The refresher uses the
 * fixture's clock, so tests of hours do not wait for hours. */
typedef struct
{
  char *folder;
  char *path;
  EarTestServer *server;
  EarServices services;
  EarCatalogue *catalogue; /* owned by the services */
  EarTestNetwork *network;
  TestPower *power;
  EarRefresher *refresher;
  gint64 now;
} Fixture;

void set_up (Fixture *fixture, gconstpointer data);
void tear_down (Fixture *fixture, gconstpointer data);
void open_again (Fixture *fixture);

void put_text (Fixture *fixture, const char *path, const char *text);
void put_feed (Fixture *fixture, const char *path, const char *title, guint first, guint last,
               const char *head);
void put_renamed (Fixture *fixture, const char *path, const char *title, const char *guids,
                  const char *head);
void put_lamps (Fixture *fixture, const char *path, guint n);
void put_way (Fixture *fixture, const char *path, const char *way);
void follow_many (Fixture *fixture, guint n, guint last);
EarPodcast *get_podcast (Fixture *fixture, guint position);
EarPodcast *follow (Fixture *fixture, guint address, const char *path);
EarPodcast *fetch (Fixture *fixture, const char *path);
void refresh (Fixture *fixture, EarPodcast *podcast);
void refresh_all (Fixture *fixture);
void wait_until_quiet (Fixture *fixture);

guint count_requests (Fixture *fixture, const char *path);
guint count_refreshed (Fixture *fixture, EarPodcast *podcast);
EarFeedCheck *dup_check (Fixture *fixture, EarPodcast *podcast);
void assert_fetched (EarPodcast *podcast, const char *title, guint n_episodes);
void assert_failed (EarPodcast *podcast, int code);
void assert_at (Fixture *fixture, EarPodcast *podcast, guint address, const char *path);

#define ADD_TEST(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

G_END_DECLS
