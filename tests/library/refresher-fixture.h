/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-refresher.h"
#include "ear-test-network.h"
#include "ear-test-server.h"

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
  EarHttp *http;
  EarKeyring *keyring;
  EarCatalogue *catalogue;
  EarTestNetwork *network;
  TestPower *power;
  EarRefresher *refresher;
  gint64 now;
} RefresherFixture;

void        refresher_fixture_set_up    (RefresherFixture *fixture,
                                         gconstpointer     data);
void        refresher_fixture_tear_down (RefresherFixture *fixture,
                                         gconstpointer     data);
void        refresher_fixture_open      (RefresherFixture *fixture);
void        refresher_fixture_close     (RefresherFixture *fixture);
EarPodcast *refresher_fixture_follow    (RefresherFixture *fixture,
                                         guint             address,
                                         const char       *path);
void        refresher_fixture_wait      (RefresherFixture *fixture);
void        refresher_fixture_refresh   (RefresherFixture *fixture,
                                         EarPodcast       *podcast);
guint       refresher_fixture_get_total (RefresherFixture *fixture);
EarFeedCheck *refresher_fixture_dup_check (RefresherFixture *fixture,
                                           EarPodcast       *podcast);
gboolean    refresher_fixture_wait_for  (gboolean        (*done) (gpointer data),
                                         gpointer          data);

/* Serves a feed of the episodes `first` to `last`; `head` is added to its channel. */
void        refresher_fixture_put       (RefresherFixture *fixture,
                                         const char       *path,
                                         const char       *title,
                                         guint             first,
                                         guint             last,
                                         const char       *head);

#define ADD_REFRESHER_TEST(path, test) \
  g_test_add (path, RefresherFixture, NULL, refresher_fixture_set_up, test, refresher_fixture_tear_down)

G_END_DECLS
