/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-library.h"
#include "ear-sync.h"
#include "ear-test-folder.h"
#include "ear-test-server.h"
#include "ear-test-wait.h"
#include "library-fixture.h"
#include "secret-service.h"
#include "sync-fixture.h"

#include <glib/gstdio.h>
#include <libsecret/secret.h>
#include <time.h>

/* Libraries that are synced with a server of either kind */

typedef struct
{
  char *folder;
  EarTestServer *feeds;
  SyncServer *server;
  EarLibrary *library;
  EarLibrary *other; /* (nullable): of another computer */
  EarUndo *undo;     /* (nullable): the last one that was offered */
} Fixture;

static EarLibrary *
open_library (Fixture *fixture, const char *name)
{
  g_autofree char *folder = g_build_filename (fixture->folder, name, NULL);

  return library_fixture_open (folder);
}

static void
undo_offered_cb (EarNotices *notices, EarUndo *undo, Fixture *fixture)
{
  g_set_object (&fixture->undo, undo);
}

/* @moved: in another folder of the server */
static void
put_feed (Fixture *fixture, const char *name, const char *folder)
{
  g_autofree char *path = g_strdup_printf ("/%s.xml", name);
  g_autoptr (GString) feed = g_string_new (NULL);

  g_string_printf (feed, "<rss version=\"2.0\"><channel><title>Podcast %s</title>", name);
  for (guint i = 5; i > 0; i--)
    g_string_append_printf (feed,
                            "<item><guid>%s-%u</guid><title>Episode %u</title>"
                            "<pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
                            "<enclosure url=\"https://media.example/%s/%s-%u.mp3\""
                            " type=\"audio/mpeg\" length=\"1000\"/></item>",
                            name, i, i, i, folder, name, i);
  g_string_append (feed, "</channel></rss>");
  ear_test_server_put (fixture->feeds, path, "application/rss+xml", feed->str);
}

static char *
dup_address (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/%s.xml", name);

  return ear_test_server_dup_url (fixture->feeds, 1, path);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-sync-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->feeds = ear_test_server_new ();
  g_assert_true (ear_test_server_start (fixture->feeds, &error));
  g_assert_no_error (error);
  for (const char *name = "abcdefgh"; *name != '\0'; name++)
    put_feed (fixture, (const char[]){ *name, '\0' }, "once");
  fixture->server = sync_server_new ();
  fixture->library = open_library (fixture, "first");
  g_signal_connect (ear_library_get_notices (fixture->library), "undo-offered",
                    G_CALLBACK (undo_offered_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->undo);
  library_fixture_close (&fixture->library);
  if (fixture->other != NULL)
    library_fixture_close (&fixture->other);
  sync_server_free (fixture->server);
  ear_test_server_stop (fixture->feeds);
  g_clear_object (&fixture->feeds);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

static gboolean
is_fetched (EarLibrary *library)
{
  GListModel *podcasts = ear_library_get_podcasts (library);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_refreshing (podcast) ||
          (ear_podcast_get_checked (podcast) == 0 && ear_podcast_get_error (podcast) == NULL))
        return FALSE;
    }

  return TRUE;
}

static EarPodcast *
find (Fixture *fixture, EarLibrary *library, const char *name)
{
  g_autofree char *address = dup_address (fixture, name);

  return ear_subscriptions_find (ear_library_get_subscriptions (library), address);
}

static void
follow (Fixture *fixture, EarLibrary *library, const char *names)
{
  for (const char *name = names; *name != '\0'; name++)
    {
      g_autofree char *address = dup_address (fixture, (const char[]){ *name, '\0' });

      ear_subscriptions_follow (ear_library_get_subscriptions (library), address, NULL);
    }
  EAR_TEST_WAIT_UNTIL (is_fetched (library));
}

/* Returns: the letters of the followed podcasts */
static char *
list_followed (Fixture *fixture, EarLibrary *library)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (const char *name = "abcdefgh"; *name != '\0'; name++)
    {
      EarPodcast *podcast = find (fixture, library, (const char[]){ *name, '\0' });

      if (podcast != NULL && ear_podcast_get_followed (podcast))
        g_string_append_c (names, *name);
    }

  return g_string_free (g_steal_pointer (&names), FALSE);
}

static void
assert_followed (Fixture *fixture, EarLibrary *library, const char *names)
{
  g_autofree char *followed = list_followed (fixture, library);

  g_assert_cmpstr (followed, ==, names);
}

static void
assert_on_server (Fixture *fixture, const char *names)
{
  g_autofree char *answer = sync_server_ask (fixture->server, "podcasts");
  g_auto (GStrv) addresses = g_strsplit (answer, " ", -1);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; addresses[i] != NULL && *addresses[i] != '\0'; i++)
    g_string_append_c (found, strrchr (addresses[i], '/')[1]);
  g_assert_cmpstr (found->str, ==, names);
}

static void
assert_actions (Fixture *fixture, const char *actions)
{
  g_autofree char *answer = sync_server_ask (fixture->server, "actions");

  g_assert_cmpstr (answer, ==, actions);
}

static EarEpisode *
dup_episode (Fixture *fixture, EarLibrary *library, const char *guid)
{
  g_autofree char *name = g_strndup (guid, 1);
  EarEpisode *episode = ear_catalogue_dup_episode_by_guid (ear_library_get_catalogue (library),
                                                           find (fixture, library, name), guid);

  g_assert_nonnull (episode);

  return episode;
}

static void
mark (Fixture *fixture, EarLibrary *library, const char *guid, EarMark mark, gint64 value)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, library, guid);

  ear_history_set_mark (ear_library_get_history (library), episode, mark, value);
}

static gint64
get_position (Fixture *fixture, EarLibrary *library, const char *guid)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, library, guid);

  return ear_episode_get_position (episode) / G_USEC_PER_SEC;
}

static gboolean
is_played (Fixture *fixture, EarLibrary *library, const char *guid)
{
  g_autoptr (EarEpisode) episode = dup_episode (fixture, library, guid);

  return ear_episode_get_listened (episode);
}

static void
wait_for_sync (EarSync *sync)
{
  EAR_TEST_WAIT_UNTIL (ear_sync_get_status (sync) != EAR_SYNC_RUNNING &&
                       ear_sync_get_status (sync) != EAR_SYNC_SIGNING_IN &&
                       ear_sync_get_status (sync) != EAR_SYNC_LOADING);
}

/* Syncs to the end, or to a question. */
static void
run_sync_or_ask (EarLibrary *library)
{
  EarSync *sync = ear_library_get_sync (library);

  ear_sync_run (sync);
  wait_for_sync (sync);
}

/* Syncs to the end; the catalogue has all marks afterwards. */
static void
run_sync (EarLibrary *library)
{
  EarSync *sync = ear_library_get_sync (library);

  run_sync_or_ask (library);
  if (ear_sync_get_status (sync) == EAR_SYNC_ASKING)
    ear_sync_answer (sync, EAR_SYNC_ACCEPT);
  wait_for_sync (sync);
  EAR_TEST_WAIT_UNTIL (is_fetched (library));
}

static void
assert_error (EarLibrary *library, int code)
{
  EarSync *sync = ear_library_get_sync (library);

  run_sync_or_ask (library);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_FAILED);
  g_assert_error (ear_sync_get_error (sync), EAR_ERROR, code);
}

/* Signs in once the account is read, with the web browser unless there is a password. */
static void
begin_sign_in (Fixture *fixture, EarLibrary *library, EarSyncService service, const char *password)
{
  EarSync *sync = ear_library_get_sync (library);

  wait_for_sync (sync);
  ear_sync_sign_in (sync, service, sync_server_get_address (fixture->server),
                    password != NULL ? "ada" : NULL, password);
}

/* Signs in, and waits until the first sync ends or asks. */
static void
sign_in (Fixture *fixture, EarLibrary *library, EarSyncService service)
{
  EarSync *sync = ear_library_get_sync (library);

  begin_sign_in (fixture, library, service, "lamp");
  wait_for_sync (sync);
  g_assert_nonnull (ear_sync_get_state (sync)->account.address);
}

static void
sign_in_and_agree (Fixture *fixture, EarLibrary *library, EarSyncService service)
{
  EarSync *sync = ear_library_get_sync (library);

  sign_in (fixture, library, service);
  if (ear_sync_get_status (sync) == EAR_SYNC_ASKING)
    ear_sync_answer (sync, EAR_SYNC_ACCEPT);
  wait_for_sync (sync);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_WAITING);
  EAR_TEST_WAIT_UNTIL (is_fetched (library));
}

static void
tell_play (Fixture *fixture, const char *name, const char *media, guint position, gint64 time)
{
  g_autofree char *address = dup_address (fixture, name);

  sync_server_tell (fixture->server, "play %s %s %u 600 %" G_GINT64_FORMAT, address, media,
                    position, time);
}

static gint64
get_now (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

/* --- Tests -------------------------------------------------------------------------- */

/* The first sync announces its changes before it makes them. */
static void
test_first (Fixture *fixture, gconstpointer data)
{
  const EarSyncService service = GPOINTER_TO_INT (data);
  EarSync *sync = ear_library_get_sync (fixture->library);
  g_autofree char *b = dup_address (fixture, "b");
  g_autofree char *c = dup_address (fixture, "c");

  follow (fixture, fixture->library, "a");
  mark (fixture, fixture->library, "a-1", EAR_MARK_POSITION, 90 * G_USEC_PER_SEC);
  mark (fixture, fixture->library, "a-2", EAR_MARK_LISTENED, TRUE);
  sync_server_tell (fixture->server, "follow %s %s", b, c);
  tell_play (fixture, "b", "https://media.example/once/b-3.mp3", 250, get_now () - 100);
  sign_in (fixture, fixture->library, service);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_ASKING);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.follow, ==, 2);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.add, ==, 1);
  assert_followed (fixture, fixture->library, "a");
  assert_on_server (fixture, "bc");

  ear_sync_answer (sync, EAR_SYNC_ACCEPT);
  wait_for_sync (sync);
  assert_followed (fixture, fixture->library, "abc");
  assert_on_server (fixture, "abc");
  EAR_TEST_WAIT_UNTIL (is_fetched (fixture->library));
  /* The position came before the feed. */
  run_sync (fixture->library);
  g_assert_cmpint (get_position (fixture, fixture->library, "b-3"), ==, 250);
  assert_actions (fixture, "https://media.example/once/a-1.mp3=90/0"
                           " https://media.example/once/a-2.mp3=1/1"
                           " https://media.example/once/b-3.mp3=250/600");

  /* Undo unfollows the new podcasts, here and then on the server. */
  ear_undo_run (fixture->undo);
  assert_followed (fixture, fixture->library, "a");
  run_sync (fixture->library);
  assert_on_server (fixture, "a");
}

/* Marks go both ways, the newest wins, and nothing is sent twice. */
static void
test_marks (Fixture *fixture, gconstpointer data)
{
  const EarSyncService service = GPOINTER_TO_INT (data);
  g_autofree char *duplicates = NULL;

  if (service == EAR_SYNC_NEXTCLOUD)
    sync_server_tell (fixture->server, "quirks plays-only upper zone");
  follow (fixture, fixture->library, "ab");
  sign_in_and_agree (fixture, fixture->library, service);
  fixture->other = open_library (fixture, "second");
  sign_in_and_agree (fixture, fixture->other, service);
  assert_followed (fixture, fixture->other, "ab");

  mark (fixture, fixture->library, "a-1", EAR_MARK_POSITION, 90 * G_USEC_PER_SEC);
  mark (fixture, fixture->library, "b-1", EAR_MARK_LISTENED, TRUE);
  run_sync (fixture->library);
  run_sync (fixture->other);
  g_assert_cmpint (get_position (fixture, fixture->other, "a-1"), ==, 90);
  g_assert_true (is_played (fixture, fixture->other, "b-1"));

  /* An older position that comes later */
  tell_play (fixture, "a", "https://media.example/once/a-1.mp3", 30, get_now () - 1000);
  run_sync (fixture->library);
  g_assert_cmpint (get_position (fixture, fixture->library, "a-1"), ==, 90);

  /* Unplayed again; actions have whole seconds. */
  ear_test_spin (1100);
  mark (fixture, fixture->other, "b-1", EAR_MARK_LISTENED, FALSE);
  run_sync (fixture->other);
  run_sync (fixture->library);
  g_assert_false (is_played (fixture, fixture->library, "b-1"));

  duplicates = sync_server_ask (fixture->server, "duplicates");
  g_assert_cmpstr (duplicates, ==, "0");
}

/* A sync without news costs two requests, and writes nothing. */
static void
test_no_news (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "first", "data", "sync.ini", NULL);
  g_autofree char *text = NULL;
  GStatBuf before, after;

  follow (fixture, fixture->library, "a");
  mark (fixture, fixture->library, "a-1", EAR_MARK_POSITION, 90 * G_USEC_PER_SEC);
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  run_sync (fixture->library);
  EAR_TEST_WAIT_UNTIL (g_stat (path, &before) == 0 && before.st_size > 0);
  ear_test_spin (100);
  g_assert_cmpint (g_stat (path, &before), ==, 0);
  sync_server_count (fixture->server);
  run_sync (fixture->library);
  g_assert_cmpuint (sync_server_count (fixture->server), ==, 2);
  ear_test_spin (100);
  g_assert_cmpint (g_stat (path, &after), ==, 0);
  g_assert_cmpint (after.st_ino, ==, before.st_ino);

  /* The password is in the keyring only. */
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_null (strstr (text, "lamp"));

  /* The same after a restart */
  library_fixture_close (&fixture->library);
  fixture->library = open_library (fixture, "first");
  run_sync (fixture->library);
  g_assert_cmpuint (sync_server_count (fixture->server), ==, 2);
  assert_actions (fixture, "https://media.example/once/a-1.mp3=90/0");
}

/* A server that suddenly has no podcasts never unfollows by itself. */
static void
test_lost (Fixture *fixture, gconstpointer data)
{
  EarSync *sync = ear_library_get_sync (fixture->library);

  follow (fixture, fixture->library, "abcdef");
  mark (fixture, fixture->library, "a-1", EAR_MARK_POSITION, 90 * G_USEC_PER_SEC);
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  assert_on_server (fixture, "abcdef");

  sync_server_tell (fixture->server, "quirks gone");
  assert_error (fixture->library, EAR_ERROR_NOT_FOUND);
  assert_followed (fixture, fixture->library, "abcdef");

  sync_server_tell (fixture->server, "quirks");
  sync_server_tell (fixture->server, "wipe");
  run_sync_or_ask (fixture->library);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_ASKING);
  assert_followed (fixture, fixture->library, "abcdef");
  ear_sync_answer (sync, EAR_SYNC_DECLINE);
  wait_for_sync (sync);
  assert_followed (fixture, fixture->library, "abcdef");
  assert_on_server (fixture, "");

  run_sync_or_ask (fixture->library);
  ear_sync_answer (sync, EAR_SYNC_KEEP);
  wait_for_sync (sync);
  assert_followed (fixture, fixture->library, "abcdef");
  assert_on_server (fixture, "abcdef");
  assert_actions (fixture, "https://media.example/once/a-1.mp3=90/0");
}

/* Podcasts that the server refuses do not count where one of the others is gone. */
static void
test_lost_of_few (Fixture *fixture, gconstpointer data)
{
  static const char *const rejected[] = { "rejected-1", "rejected-2" };
  EarSync *sync = ear_library_get_sync (fixture->library);
  g_autofree char *b = dup_address (fixture, "b");

  for (gsize i = 0; i < G_N_ELEMENTS (rejected); i++)
    {
      g_autofree char *address = dup_address (fixture, rejected[i]);

      put_feed (fixture, rejected[i], "once");
      ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
    }
  follow (fixture, fixture->library, "abcd");
  sync_server_tell (fixture->server, "quirks rejects");
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  assert_on_server (fixture, "abcd");
  sync_server_tell (fixture->server, "unfollow %s", b);
  run_sync_or_ask (fixture->library);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_ASKING);
  assert_followed (fixture, fixture->library, "abcd");
}

/* One podcast that another device unfollowed is unfollowed here, with Undo. */
static void
test_unfollow (Fixture *fixture, gconstpointer data)
{
  g_autofree char *b = dup_address (fixture, "b");

  follow (fixture, fixture->library, "abcdefgh");
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  sync_server_tell (fixture->server, "unfollow %s", b);
  run_sync (fixture->library);
  assert_followed (fixture, fixture->library, "acdefgh");
  ear_undo_run (fixture->undo);
  assert_followed (fixture, fixture->library, "abcdefgh");
  run_sync (fixture->library);
  assert_on_server (fixture, "abcdefgh");
  assert_followed (fixture, fixture->library, "abcdefgh");
}

/* Changes made while the server is away arrive later, also after a restart. */
static void
test_offline (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *quirk;
    int code;
  } faults[] = { { "refused", EAR_ERROR_WRONG_LOGIN }, { "busy", EAR_ERROR_BUSY },
                 { "cut", EAR_ERROR_INCOMPLETE },      { "page", EAR_ERROR_SERVER },
                 { "deep", EAR_ERROR_TOO_LARGE },      { "huge", EAR_ERROR_TOO_LARGE } };
  EarPodcast *podcast;
  g_autofree char *duplicates = NULL;

  follow (fixture, fixture->library, "ab");
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  podcast = find (fixture, fixture->library, "a");
  ear_subscriptions_unfollow (ear_library_get_subscriptions (fixture->library), podcast);
  follow (fixture, fixture->library, "c");
  mark (fixture, fixture->library, "b-2", EAR_MARK_POSITION, 45 * G_USEC_PER_SEC);
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      sync_server_tell (fixture->server, "quirks %s", faults[i].quirk);
      assert_error (fixture->library, faults[i].code);
      assert_followed (fixture, fixture->library, "bc");
    }
  g_clear_object (&fixture->undo);
  library_fixture_close (&fixture->library);
  fixture->library = open_library (fixture, "first");
  sync_server_tell (fixture->server, "quirks slow");
  run_sync (fixture->library);
  assert_on_server (fixture, "bc");
  assert_actions (fixture, "https://media.example/once/b-2.mp3=45/0");
  duplicates = sync_server_ask (fixture->server, "duplicates");
  g_assert_cmpstr (duplicates, ==, "0");
}

/* Habits of real servers change nothing. */
static void
test_quirks (Fixture *fixture, gconstpointer data)
{
  static const char *const quirks[] = { "upper zone objects", "epoch",       "missing", "bare",
                                        "wrong-types",        "capped",      "ahead",   "behind",
                                        "by-action-time",     "own-devices", "upper capped zone" };
  const gint64 start = get_now () - 10000;

  follow (fixture, fixture->library, "abcde");
  for (guint i = 1; i <= 5; i++)
    mark (fixture, fixture->library, ((const char[]){ 'e', '-', (char) ('0' + i), '\0' }),
          EAR_MARK_LISTENED, TRUE);
  sign_in_and_agree (fixture, fixture->library, EAR_SYNC_GPODDER);
  for (gsize i = 0; i < G_N_ELEMENTS (quirks); i++)
    {
      EarSync *sync;
      g_autofree char *name = g_strdup_printf ("quirk-%zu", i);

      sync_server_tell (fixture->server, "quirks %s", quirks[i]);
      for (guint j = 1; j <= 5; j++)
        for (const char *podcast = "abcd"; *podcast != '\0'; podcast++)
          {
            g_autofree char *media =
                g_strdup_printf ("https://media.example/once/%c-%u.mp3", *podcast, j);

            tell_play (fixture, (const char[]){ *podcast, '\0' }, media, (guint) (100 + i),
                       start + (gint64) i);
          }
      fixture->other = open_library (fixture, name);
      sync = ear_library_get_sync (fixture->other);
      sign_in_and_agree (fixture, fixture->other, EAR_SYNC_GPODDER);
      assert_followed (fixture, fixture->other, "abcde");
      run_sync (fixture->other);
      g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_WAITING);
      g_assert_cmpint (get_position (fixture, fixture->other, "a-1"), ==, 100 + (gint64) i);
      g_assert_cmpint (get_position (fixture, fixture->other, "d-5"), ==, 100 + (gint64) i);
      g_assert_true (is_played (fixture, fixture->other, "e-3"));
      library_fixture_close (&fixture->other);
    }
}

/* Parts of the list that have only other actions, such as downloads, do not end it. */
static void
test_parts (Fixture *fixture, gconstpointer data)
{
  const gint64 start = get_now () - 10000;
  g_autofree char *address = dup_address (fixture, "a");

  sync_server_tell (fixture->server, "quirks capped by-action-time");
  follow (fixture, fixture->library, "a");
  for (gint64 i = 0; i < 20; i++)
    sync_server_tell (fixture->server,
                      "download %s https://media.example/once/a-2.mp3 %" G_GINT64_FORMAT, address,
                      start + i);
  tell_play (fixture, "a", "https://media.example/once/a-1.mp3", 90, start + 100);
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  g_assert_cmpint (get_position (fixture, fixture->library, "a-1"), ==, 90);
}

/* One address that the server does not take holds back no other. */
static void
test_spoiled (Fixture *fixture, gconstpointer data)
{
  g_autofree char *duplicates = NULL;

  put_feed (fixture, "spoiled", "spoiled");
  put_feed (fixture, "rejected", "once");
  follow (fixture, fixture->library, "ab");
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *address = dup_address (fixture, i == 0 ? "spoiled" : "rejected");

      ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
    }
  EAR_TEST_WAIT_UNTIL (is_fetched (fixture->library));
  put_feed (fixture, "b", "spoiled");
  ear_refresher_refresh (ear_library_get_refresher (fixture->library),
                         find (fixture, fixture->library, "b"), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_fetched (fixture->library));
  mark (fixture, fixture->library, "a-1", EAR_MARK_POSITION, 45 * G_USEC_PER_SEC);
  mark (fixture, fixture->library, "b-1", EAR_MARK_POSITION, 46 * G_USEC_PER_SEC);
  mark (fixture, fixture->library, "a-2", EAR_MARK_POSITION, 47 * G_USEC_PER_SEC);
  sync_server_tell (fixture->server, "quirks strict rejects");
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  assert_on_server (fixture, "ab");
  assert_actions (fixture, "https://media.example/once/a-1.mp3=45/0"
                           " https://media.example/once/a-2.mp3=47/0");
  /* The refused ones are not tried again. */
  sync_server_count (fixture->server);
  run_sync (fixture->library);
  g_assert_cmpuint (sync_server_count (fixture->server), ==, 2);
  duplicates = sync_server_ask (fixture->server, "duplicates");
  g_assert_cmpstr (duplicates, ==, "0");
}

/* A server that fails with one action gets all others. If it takes none, it is out of order,
 * and the next sync uploads them. */
static void
test_failing (Fixture *fixture, gconstpointer data)
{
  EarSync *sync = ear_library_get_sync (fixture->library);

  follow (fixture, fixture->library, "a");
  put_feed (fixture, "b", "spoiled");
  follow (fixture, fixture->library, "b");
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  sync_server_tell (fixture->server, "quirks fails");
  mark (fixture, fixture->library, "b-1", EAR_MARK_POSITION, 46 * G_USEC_PER_SEC);
  run_sync (fixture->library);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_FAILED);
  mark (fixture, fixture->library, "a-1", EAR_MARK_POSITION, 45 * G_USEC_PER_SEC);
  mark (fixture, fixture->library, "a-2", EAR_MARK_POSITION, 47 * G_USEC_PER_SEC);
  run_sync (fixture->library);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_WAITING);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.sent, ==, 2);
  assert_actions (fixture, "https://media.example/once/a-1.mp3=45/0"
                           " https://media.example/once/a-2.mp3=47/0");
}

/* A server takes podcasts, but fails with every action: the sync fails after a few. */
static void
test_broken (Fixture *fixture, gconstpointer data)
{
  const char *const names = "abcdefgh";
  EarSync *sync = ear_library_get_sync (fixture->library);

  for (const char *name = names; *name != '\0'; name++)
    put_feed (fixture, (const char[]){ *name, '\0' }, "spoiled");
  follow (fixture, fixture->library, names);
  for (const char *name = names; *name != '\0'; name++)
    for (char number = '1'; number <= '5'; number++)
      mark (fixture, fixture->library, (const char[]){ *name, '-', number, '\0' },
            EAR_MARK_LISTENED, TRUE);
  sync_server_tell (fixture->server, "quirks fails");
  sign_in (fixture, fixture->library, GPOINTER_TO_INT (data));
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_ASKING);
  ear_sync_answer (sync, EAR_SYNC_ACCEPT);
  wait_for_sync (sync);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_FAILED);
  assert_on_server (fixture, names);

  sync_server_tell (fixture->server, "quirks");
  run_sync (fixture->library);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_WAITING);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.sent, ==, 40);
}

/* Once a day, all is compared: actions of a phone that was offline for weeks, on a server that
 * lists them by their own time, and marks that appear here with an old time. */
static void
test_late (Fixture *fixture, gconstpointer data)
{
  EarSync *sync = ear_library_get_sync (fixture->library);
  const gint64 month_ago = get_now () - 30 * 24 * 60 * 60;
  EarEpisodeState *state = g_new0 (EarEpisodeState, 1);
  g_autoptr (GHashTable) states =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  sync_server_tell (fixture->server, "quirks by-action-time");
  follow (fixture, fixture->library, "a");
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  tell_play (fixture, "a", "https://media.example/once/a-1.mp3", 11, month_ago);
  state->position = 22 * G_USEC_PER_SEC;
  state->position_updated = month_ago * G_USEC_PER_SEC;
  g_hash_table_insert (states, g_strdup ("a-2"), state);
  ear_catalogue_apply_state (ear_library_get_catalogue (fixture->library),
                             ear_podcast_get_id (find (fixture, fixture->library, "a")), states);
  run_sync (fixture->library);
  g_assert_cmpint (get_position (fixture, fixture->library, "a-1"), ==, 0);

  ((EarSyncState *) ear_sync_get_state (sync))->compared -= 25 * G_TIME_SPAN_HOUR;
  run_sync (fixture->library);
  g_assert_cmpint (get_position (fixture, fixture->library, "a-1"), ==, 11);
  assert_actions (fixture, "https://media.example/once/a-1.mp3=11/600"
                           " https://media.example/once/a-2.mp3=22/0");

  /* A server that has too much for that is synced as before. */
  sync_server_tell (fixture->server, "quirks large");
  mark (fixture, fixture->library, "a-2", EAR_MARK_POSITION, 33 * G_USEC_PER_SEC);
  ((EarSyncState *) ear_sync_get_state (sync))->compared -= 25 * G_TIME_SPAN_HOUR;
  run_sync (fixture->library);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_WAITING);
  assert_actions (fixture, "https://media.example/once/a-1.mp3=11/600"
                           " https://media.example/once/a-2.mp3=33/0");
}

/* An episode is found after its media has moved: by the former address, or by the name of
 * the file. */
static void
test_moved_media (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = dup_address (fixture, "a");

  follow (fixture, fixture->library, "a");
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  put_feed (fixture, "a", "twice");
  ear_refresher_refresh (ear_library_get_refresher (fixture->library),
                         find (fixture, fixture->library, "a"), EAR_REFRESH_ONE);
  EAR_TEST_WAIT_UNTIL (is_fetched (fixture->library));
  tell_play (fixture, "a", "https://media.example/once/a-1.mp3", 11, get_now () - 5);
  tell_play (fixture, "a", "https://media.example/twice/a-2.mp3", 22, get_now () - 5);
  tell_play (fixture, "a", "https://cdn.example/x/a-3.mp3?token=1", 33, get_now () - 5);
  tell_play (fixture, "a", "https://cdn.example/x/unknown.mp3", 44, get_now () - 5);
  /* Another spelling of the podcast's address */
  sync_server_tell (fixture->server,
                    "play HTTP%s https://media.example/once/a-4.mp3 44 600 %" G_GINT64_FORMAT,
                    address + strlen ("http"), get_now () - 5);
  run_sync (fixture->library);
  g_assert_cmpint (get_position (fixture, fixture->library, "a-1"), ==, 11);
  g_assert_cmpint (get_position (fixture, fixture->library, "a-2"), ==, 22);
  g_assert_cmpint (get_position (fixture, fixture->library, "a-3"), ==, 33);
  g_assert_cmpint (get_position (fixture, fixture->library, "a-4"), ==, 44);
}

static void
open_address_cb (EarSync *sync, const char *address, char **opened)
{
  g_set_str (opened, address);
}

static void
assert_valid (Fixture *fixture, const char *valid)
{
  g_autofree char *answer = sync_server_ask (fixture->server, "valid app");

  g_assert_cmpstr (answer, ==, valid);
}

/* Nextcloud's login takes place in the browser, and ends with the account. */
static void
test_browser (Fixture *fixture, gconstpointer data)
{
  EarSync *sync = ear_library_get_sync (fixture->library);
  g_autofree char *opened = NULL;

  sync_server_tell (fixture->server, "quirks nested");
  g_signal_connect (sync, "open-address", G_CALLBACK (open_address_cb), &opened);
  begin_sign_in (fixture, fixture->library, EAR_SYNC_NEXTCLOUD, NULL);
  EAR_TEST_WAIT_UNTIL (opened != NULL);
  g_assert_true (g_str_has_suffix (opened, "/flow"));
  ear_test_spin (200);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_SIGNING_IN);
  sync_server_tell (fixture->server, "login");
  wait_for_sync (sync);
  g_assert_no_error (ear_sync_get_error (sync));
  g_assert_cmpstr (ear_sync_get_state (sync)->account.user, ==, "ada");
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_WAITING);

  g_signal_handlers_disconnect_by_data (sync, &opened);

  /* Signing out makes the password invalid, also after a start without a sync. */
  library_fixture_close (&fixture->library);
  fixture->library = open_library (fixture, "first");
  sync = ear_library_get_sync (fixture->library);
  EAR_TEST_WAIT_UNTIL (ear_sync_get_status (sync) == EAR_SYNC_WAITING);
  assert_valid (fixture, "yes");
  ear_sync_sign_out (sync);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_SIGNED_OUT);
  sync_server_count (fixture->server);
  EAR_TEST_WAIT_UNTIL (sync_server_count (fixture->server) > 0);
  assert_valid (fixture, "no");
}

/* A login that was cancelled, or that Earmark's end cuts off, creates no account. */
static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  const gboolean stops = GPOINTER_TO_INT (data);
  EarSync *sync = ear_library_get_sync (fixture->library);
  g_autofree char *opened = NULL;

  g_signal_connect (sync, "open-address", G_CALLBACK (open_address_cb), &opened);
  begin_sign_in (fixture, fixture->library, EAR_SYNC_NEXTCLOUD, NULL);
  EAR_TEST_WAIT_UNTIL (opened != NULL);
  if (stops)
    ear_sync_stop (sync);
  else
    ear_sync_sign_out (sync);
  sync_server_tell (fixture->server, "login");
  ear_test_spin (2500);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_SIGNED_OUT);
  g_assert_no_error (ear_sync_get_error (sync));
  g_signal_handlers_disconnect_by_data (sync, &opened);
}

/* The history goes to no other server, nor does the password of a login. */
static void
test_elsewhere (Fixture *fixture, gconstpointer data)
{
  EarSync *sync = ear_library_get_sync (fixture->library);

  sync_server_tell (fixture->server, "quirks elsewhere");
  begin_sign_in (fixture, fixture->library, EAR_SYNC_NEXTCLOUD, NULL);
  wait_for_sync (sync);
  g_assert_error (ear_sync_get_error (sync), EAR_ERROR, EAR_ERROR_SERVER);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_SIGNED_OUT);

  sync_server_tell (fixture->server, "quirks");
  follow (fixture, fixture->library, "a");
  sign_in_and_agree (fixture, fixture->library, EAR_SYNC_GPODDER);
  mark (fixture, fixture->library, "a-1", EAR_MARK_POSITION, 90 * G_USEC_PER_SEC);
  sync_server_tell (fixture->server, "quirks moves");
  assert_error (fixture->library, EAR_ERROR_REDIRECTS);
  assert_actions (fixture, "");
}

/* Many podcasts that are unfollowed here are asked about before the server loses them. */
static void
test_unfollow_many (Fixture *fixture, gconstpointer data)
{
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (fixture->library);
  EarSync *sync = ear_library_get_sync (fixture->library);

  follow (fixture, fixture->library, "abcdefgh");
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  for (const char *name = "abcd"; *name != '\0'; name++)
    ear_subscriptions_drop (subscriptions, find (fixture, fixture->library,
                                                 (const char[]){ *name, '\0' }));
  run_sync_or_ask (fixture->library);
  g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_ASKING);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.remove, ==, 4);
  assert_on_server (fixture, "abcdefgh");
  ear_sync_answer (sync, EAR_SYNC_ACCEPT);
  wait_for_sync (sync);
  assert_on_server (fixture, "efgh");
}

#define MANY_PODCASTS 500
#define MANY_EPISODES 20

/* The longest turn of the main loop so far, in microseconds, and its processor time */
static gint64 turn_began, turn_used, longest, most_used;

static gint64
get_processor_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static int
poll_and_measure (GPollFD *fds, guint n_fds, int timeout)
{
  int ready;

  longest = MAX (longest, g_get_monotonic_time () - turn_began);
  most_used = MAX (most_used, get_processor_time () - turn_used);
  ready = g_poll (fds, n_fds, timeout);
  turn_began = g_get_monotonic_time ();
  turn_used = get_processor_time ();

  return ready;
}

/* Returns: a line of /proc/self/status, in megabytes */
static guint64
read_memory (const char *name)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  line = strstr (text, name);
  g_assert_nonnull (line);

  return g_ascii_strtoull (line + strlen (name), NULL, 10) / 1024;
}

/* Prints the figures of a sync. Times and memory depend on the machine, and never fail. */
static void
measure_sync (Fixture *fixture, const char *what, void (*func) (Fixture *fixture))
{
  const gint64 start = g_get_monotonic_time ();
  guint64 before;

  /* Reset the peak of memory (proc(5)). */
  g_file_set_contents_full ("/proc/self/clear_refs", "5", -1, G_FILE_SET_CONTENTS_NONE, 0, NULL);
  before = read_memory ("VmRSS:");
  turn_began = start;
  turn_used = get_processor_time ();
  longest = most_used = 0;
  g_main_context_set_poll_func (NULL, poll_and_measure);
  func (fixture);
  g_main_context_set_poll_func (NULL, NULL);
  g_test_message ("%s: %.1f s, longest turn %.0f ms (%.0f ms of the processor), "
                  "%" G_GUINT64_FORMAT " MB more",
                  what, (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC,
                  (double) longest / 1000, (double) most_used / 1000,
                  read_memory ("VmHWM:") - before);
}

static void
sign_in_to_many (Fixture *fixture)
{
  sign_in_and_agree (fixture, fixture->library, EAR_SYNC_GPODDER);
}

static void
sync_many (Fixture *fixture)
{
  run_sync (fixture->library);
}

/* The first sync of a large account: its podcasts, and then its actions */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  EarSync *sync = ear_library_get_sync (fixture->library);
  const char *base = ear_test_server_get_base_url (fixture->feeds);

  for (guint i = 0; i < MANY_PODCASTS; i++)
    {
      g_autofree char *path = g_strdup_printf ("/many-%u.xml", i);
      g_autoptr (GString) feed = g_string_new (NULL);

      g_string_printf (feed, "<rss version=\"2.0\"><channel><title>Podcast %u</title>", i);
      for (guint j = 0; j < MANY_EPISODES; j++)
        g_string_append_printf (feed,
                                "<item><guid>%u-%u</guid><title>Episode %u</title><enclosure"
                                " url=\"https://media.example/%u/%u.mp3\" type=\"audio/mpeg\""
                                " length=\"1\"/></item>",
                                i, j, j, i, j);
      g_string_append (feed, "</channel></rss>");
      ear_test_server_put (fixture->feeds, path, "application/rss+xml", feed->str);
    }
  sync_server_tell (fixture->server, "fill %s %d 0", base, MANY_PODCASTS);
  measure_sync (fixture, "Following and fetching 500 podcasts", sign_in_to_many);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.follow, ==, MANY_PODCASTS);
  sync_server_tell (fixture->server, "fill %s %d %d", base, MANY_PODCASTS, MANY_EPISODES);
  measure_sync (fixture, "Taking over 10,000 actions", sync_many);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.received, ==, MANY_PODCASTS * MANY_EPISODES);
  measure_sync (fixture, "A sync without news", sync_many);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.received + ear_sync_get_state (sync)->counts.sent, ==, 0);
  sync_server_tell (fixture->server, "flood 20000");
  measure_sync (fixture, "20,000 actions on unknown podcasts", sync_many);
  g_assert_cmpuint (ear_sync_get_state (sync)->counts.received, ==, 0);
}

static void
test_wrong_password (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *address, *password;
    int code;
  } rows[] = { { NULL, "torch", EAR_ERROR_WRONG_LOGIN },
               { "", "lamp", EAR_ERROR_UNSAFE_ADDRESS },
               { "http://127.0.0.1:1", "lamp", EAR_ERROR_UNREACHABLE } };
  EarSync *sync = ear_library_get_sync (fixture->library);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      wait_for_sync (sync);
      ear_sync_sign_in (sync, GPOINTER_TO_INT (data),
                        rows[i].address != NULL ? rows[i].address
                                                : sync_server_get_address (fixture->server),
                        "ada", rows[i].password);
      wait_for_sync (sync);
      g_assert_error (ear_sync_get_error (sync), EAR_ERROR, rows[i].code);
      g_assert_cmpint (ear_sync_get_status (sync), ==, EAR_SYNC_SIGNED_OUT);
    }
}

/* An address that anybody can read with stays here, unless the listener allows it. */
static void
test_private (Fixture *fixture, gconstpointer data)
{
  g_autofree char *plain = dup_address (fixture, "b");
  g_autofree char *secret = g_strconcat (plain, "?token=0123456789abcdef0123456789abcdef", NULL);
  EarPodcast *podcast;

  follow (fixture, fixture->library, "a");
  ear_test_server_put (fixture->feeds, "/b.xml?token=0123456789abcdef0123456789abcdef",
                       "application/rss+xml",
                       "<rss version=\"2.0\"><channel><title>Private</title></channel></rss>");
  podcast = ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), secret,
                                      NULL);
  g_assert_true (ear_podcast_is_private (podcast));
  sign_in_and_agree (fixture, fixture->library, GPOINTER_TO_INT (data));
  assert_on_server (fixture, "a");
  ear_subscriptions_set_setting (ear_library_get_subscriptions (fixture->library), podcast,
                                 EAR_PODCAST_SETTING_SYNC, TRUE);
  run_sync (fixture->library);
  assert_on_server (fixture, "ab");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (Fixture *fixture, gconstpointer data);
    gboolean gpodder_only;
  } tests[] = {
    { "first", test_first },
    { "marks", test_marks },
    { "no-news", test_no_news },
    { "lost", test_lost },
    { "lost-of-few", test_lost_of_few },
    { "unfollow", test_unfollow },
    { "unfollow-many", test_unfollow_many },
    { "elsewhere", test_elsewhere, TRUE },
    { "many", test_many, TRUE },
    { "offline", test_offline },
    { "quirks", test_quirks, TRUE },
    { "parts", test_parts },
    { "spoiled", test_spoiled },
    { "failing", test_failing },
    { "broken", test_broken },
    { "late", test_late },
    { "moved-media", test_moved_media },
    { "wrong-password", test_wrong_password },
    { "private", test_private },
  };
  static const char *const services[] = { "gpodder", "nextcloud" };

  static GTestDBus *bus;
  SecretService *keyring;
  int status;

  g_setenv ("SECRET_BACKEND", "service", TRUE);
  g_test_init (&argc, &argv, NULL);
  /* Passwords outlive a library. libsecret never releases the bus, which ends with this
   * program. */
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  keyring = secret_service_stand_in_new (g_test_dbus_get_bus_address (bus));

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    for (guint service = 0; service < (tests[i].gpodder_only ? 1 : 2); service++)
      {
        g_autofree char *path =
            g_strdup_printf ("/sync/%s/%s", services[service], tests[i].name);

        g_test_add (path, Fixture, GUINT_TO_POINTER (service), set_up, tests[i].func, tear_down);
      }
  g_test_add ("/sync/nextcloud/browser", Fixture, NULL, set_up, test_browser, tear_down);
  g_test_add ("/sync/nextcloud/cancel", Fixture, GINT_TO_POINTER (FALSE), set_up, test_cancel,
              tear_down);
  g_test_add ("/sync/nextcloud/stop", Fixture, GINT_TO_POINTER (TRUE), set_up, test_cancel,
              tear_down);

  status = g_test_run ();
  secret_service_stand_in_free (keyring);
  secret_service_disconnect ();

  return status;
}
