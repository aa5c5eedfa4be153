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

#include <glib-unix.h>
#include <libsecret/secret.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

/* Two computers with one account: each is a child that does at random what listeners do,
 * online and offline, and is killed or ends at random. In the end both, and the server, have
 * the same podcasts and marks, and no mark of a child that ended in order is lost. */

#define ROUNDS 24
#define PODCASTS "abcdefgh"
#define N_EPISODES 4
/* Milliseconds between two operations */
#define PAUSE 40

typedef struct
{
  char *folder;
  EarTestServer *feeds;
  SyncServer *server;
} Fixture;

static char *
dup_address (const char *base, char name)
{
  return g_strdup_printf ("%s/%c.xml", base, name);
}

static void
put_feeds (EarTestServer *feeds)
{
  for (const char *name = PODCASTS; *name != '\0'; name++)
    {
      g_autofree char *path = g_strdup_printf ("/%c.xml", *name);
      g_autoptr (GString) feed = g_string_new (NULL);

      g_string_printf (feed, "<rss version=\"2.0\"><channel><title>Podcast %c</title>", *name);
      for (guint i = 0; i < N_EPISODES; i++)
        g_string_append_printf (feed,
                                "<item><guid>%c-%u</guid><title>Episode %u</title>"
                                "<enclosure url=\"https://media.example/%c-%u.mp3\""
                                " type=\"audio/mpeg\" length=\"1000\"/></item>",
                                *name, i, i, *name, i);
      g_string_append (feed, "</channel></rss>");
      ear_test_server_put (feeds, path, "application/rss+xml", feed->str);
    }
}

static gboolean
is_settled (EarLibrary *library)
{
  GListModel *podcasts = ear_library_get_podcasts (library);

  if (ear_sync_get_status (ear_library_get_sync (library)) == EAR_SYNC_ASKING)
    ear_sync_answer (ear_library_get_sync (library), EAR_SYNC_ACCEPT);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_refreshing (podcast) || ear_podcast_get_n_episodes (podcast) == 0)
        return FALSE;
    }

  return ear_sync_get_status (ear_library_get_sync (library)) != EAR_SYNC_RUNNING &&
         ear_sync_get_status (ear_library_get_sync (library)) != EAR_SYNC_SIGNING_IN &&
         ear_sync_get_status (ear_library_get_sync (library)) != EAR_SYNC_LOADING;
}

static void
run_sync (EarLibrary *library)
{
  ear_sync_run (ear_library_get_sync (library));
  EAR_TEST_WAIT_UNTIL (is_settled (library));
}

static gboolean
has_account (const char *path)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, "[Account]") != NULL;
}

/* The first attempts may meet a server that is away. */
static void
ensure_account (EarLibrary *library, const char *path, const char *server)
{
  if (!has_account (path))
    ear_sync_sign_in (ear_library_get_sync (library), EAR_SYNC_GPODDER, server, "ada", "lamp");
}

/* --- The child ---------------------------------------------------------------------- */

typedef struct
{
  EarLibrary *library;
  const char *base;
  const char *server;
  char *account; /* the file that has it */
  GRand *chance;
  GString *done; /* a line for each mark: its time, episode and value */
  gint64 marked[sizeof PODCASTS][N_EPISODES]; /* Unix seconds of the last mark */
  gboolean ended;
} Child;

static gboolean
stdin_cb (int fd, GIOCondition condition, gpointer user_data)
{
  ((Child *) user_data)->ended = TRUE;

  return G_SOURCE_REMOVE;
}

static void
mark (Child *self, EarPodcast *podcast, char name)
{
  const int number = g_rand_int_range (self->chance, 0, N_EPISODES);
  gint64 *marked = &self->marked[strchr (PODCASTS, name) - PODCASTS][number];
  g_autofree char *guid = g_strdup_printf ("%c-%d", name, number);
  EarCatalogue *catalogue = ear_library_get_catalogue (self->library);
  g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (catalogue, podcast, guid);
  const gboolean is_played = g_rand_boolean (self->chance);
  const gint64 value = is_played ? g_rand_boolean (self->chance)
                                 : g_rand_int_range (self->chance, 31, 3000);

  /* A value that is not new gets no time, and the server keeps only whole seconds. */
  if (episode == NULL || (is_played && value == ear_episode_get_listened (episode)) ||
      *marked == g_get_real_time () / G_USEC_PER_SEC)
    return;
  *marked = g_get_real_time () / G_USEC_PER_SEC;
  ear_history_set_mark (ear_library_get_history (self->library), episode,
                        is_played ? EAR_MARK_LISTENED : EAR_MARK_POSITION,
                        is_played ? value : value * G_TIME_SPAN_SECOND);
  g_string_append_printf (self->done,
                          "%" G_GINT64_FORMAT " %s %s %" G_GINT64_FORMAT "\n",
                          g_get_real_time (), guid, is_played ? "played" : "position", value);
}

static gboolean
operate_cb (gpointer user_data)
{
  Child *self = user_data;
  const char name = PODCASTS[g_rand_int_range (self->chance, 0, (gint32) strlen (PODCASTS))];
  g_autofree char *address = dup_address (self->base, name);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  EarPodcast *podcast = ear_subscriptions_find (subscriptions, address);
  const int what = g_rand_int_range (self->chance, 0, 20);

  if (self->ended)
    return G_SOURCE_REMOVE;
  ensure_account (self->library, self->account, self->server);
  if (podcast == NULL)
    ear_subscriptions_follow (subscriptions, address, NULL);
  else if (what == 0)
    ear_subscriptions_unfollow (subscriptions, podcast);
  else if (what <= 2)
    ear_sync_run (ear_library_get_sync (self->library));
  else
    mark (self, podcast, name);
  is_settled (self->library);

  return G_SOURCE_CONTINUE;
}

static int
run_child (const char *folder, const char *base, const char *server, const char *seed,
           const char *log)
{
  EarLibrary *library = library_fixture_open (folder);
  Child child = { library, base, server };

  child.done = g_string_new (NULL);
  child.chance = g_rand_new_with_seed ((guint32) g_ascii_strtoull (seed, NULL, 10));
  child.account = g_build_filename (folder, "data", "sync.ini", NULL);
  g_file_set_contents (log, "", 0, NULL);
  g_unix_fd_add (0, G_IO_IN | G_IO_HUP, stdin_cb, &child);
  g_timeout_add (PAUSE, operate_cb, &child);
  while (!child.ended)
    g_main_context_iteration (NULL, TRUE);
  ear_test_spin (PAUSE);
  library_fixture_close (&library);
  g_file_set_contents (log, child.done->str, -1, NULL);
  g_string_free (child.done, TRUE);
  g_free (child.account);
  g_rand_free (child.chance);

  return 0;
}

/* --- The parent --------------------------------------------------------------------- */

/* Marks of all children so far */
typedef struct
{
  GHashTable *newest; /* "GUID KIND": "TIME VALUE" of the newest mark */
  gint64 ended; /* Unix seconds at the end of the newest child */
} Marks;

/* A server keeps whole seconds: of two devices that mark an episode within one, either may win. */
static void
note_mark (Marks *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 4);
  g_autofree char *key = g_strconcat (words[1], " ", words[2], NULL);

  if (g_ascii_strtoll (words[0], NULL, 10) / G_USEC_PER_SEC <= self->ended)
    g_hash_table_remove (self->newest, key);
  else
    g_hash_table_replace (self->newest, g_steal_pointer (&key),
                          g_strjoin (" ", words[0], words[3], NULL));
}

static void
note_marks (Marks *self, const char *log, gboolean killed)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (log, &text, NULL, NULL));
  /* A child that is killed writes no log: any of its marks may be the newest. */
  if (killed)
    g_hash_table_remove_all (self->newest);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    note_mark (self, lines[i]);
}

static void
run_round (Fixture *fixture, guint round, Marks *marks)
{
  const char *device = g_test_rand_bit () ? "one" : "two";
  const gboolean killed = round < ROUNDS / 2 && g_test_rand_int_range (0, 3) > 0;
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_build_filename (fixture->folder, device, NULL);
  g_autofree char *log = g_strconcat (folder, ".log", NULL);
  g_autofree char *seed = g_strdup_printf ("%u", g_test_rand_int_range (0, G_MAXINT));
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) child = NULL;

  sync_server_tell (fixture->server, "quirks%s", g_test_rand_int_range (0, 3) == 0 ? " busy" : "");
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE, &error, self, "--child", folder,
                            ear_test_server_get_base_url (fixture->feeds),
                            sync_server_get_address (fixture->server), seed, log, NULL);
  g_assert_no_error (error);
  ear_test_spin ((guint) g_test_rand_int_range (500, 1500));
  if (killed)
    g_subprocess_send_signal (child, SIGKILL);
  else
    g_output_stream_close (g_subprocess_get_stdin_pipe (child), NULL, NULL);
  g_subprocess_wait (child, NULL, NULL);
  g_assert_true (killed || g_subprocess_get_successful (child));
  if (g_file_test (log, G_FILE_TEST_EXISTS))
    note_marks (marks, log, killed);
  marks->ended = g_get_real_time () / G_USEC_PER_SEC;
}

/* Returns: the podcasts and marks of a library, a line each */
static char *
describe (Fixture *fixture, EarLibrary *library)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (const char *name = PODCASTS; *name != '\0'; name++)
    {
      g_autofree char *address =
          dup_address (ear_test_server_get_base_url (fixture->feeds), *name);
      EarPodcast *podcast =
          ear_subscriptions_find (ear_library_get_subscriptions (library), address);

      if (podcast == NULL)
        continue;
      for (guint i = 0; i < N_EPISODES; i++)
        {
          g_autofree char *guid = g_strdup_printf ("%c-%u", *name, i);
          g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode_by_guid (
              ear_library_get_catalogue (library), podcast, guid);

          g_string_append_printf (text, "%s position %" G_GINT64_FORMAT "\n%s played %d\n", guid,
                                  ear_episode_get_position (episode) / G_USEC_PER_SEC, guid,
                                  ear_episode_get_listened (episode));
        }
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* A mark of a podcast that is followed now is the newest one. A position is reset when its
 * episode is played. */
static void
assert_kept (Fixture *fixture, Marks *marks, const char *described)
{
  GHashTableIter iter;
  gpointer key, value;
  guint n_kept = 0;

  g_hash_table_iter_init (&iter, marks->newest);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_autofree char *start = g_strdup_printf ("%s ", (char *) key);
      g_autofree char *line = g_strdup_printf ("%s%s\n", start, strchr (value, ' ') + 1);

      if (strstr (described, start) == NULL || strstr (key, "position") != NULL)
        continue;
      if (strstr (described, line) == NULL)
        {
          g_autofree char *guid = g_strndup (key, 3);
          g_autofree char *history = sync_server_ask (fixture->server, "history %s.mp3", guid);

          g_test_message ("%s lost %s, after %s", start, (char *) value, history);
        }
      g_assert_nonnull (strstr (described, line));
      n_kept++;
    }
  g_test_message ("%u marks are kept", n_kept);
}

static void
tell_difference (Fixture *fixture, const char *one, const char *two)
{
  g_auto (GStrv) lines = g_strsplit (one, "\n", -1);

  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    if (strstr (two, lines[i]) == NULL)
      {
        g_autofree char *guid = g_strndup (lines[i], 3);
        g_autofree char *history = sync_server_ask (fixture->server, "history %s.mp3", guid);

        g_test_message ("Only on the first: %s, after %s", lines[i], history);
      }
}

static EarLibrary *
open_device (Fixture *fixture, const char *folder)
{
  g_autofree char *account = g_build_filename (folder, "data", "sync.ini", NULL);
  EarLibrary *library = library_fixture_open (folder);

  ensure_account (library, account, sync_server_get_address (fixture->server));
  EAR_TEST_WAIT_UNTIL (has_account (account));

  return library;
}

static void
test_random (Fixture *fixture, gconstpointer data)
{
  Marks marks = { .newest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  g_autofree char *first = g_build_filename (fixture->folder, "one", NULL);
  g_autofree char *second = g_build_filename (fixture->folder, "two", NULL);
  g_autofree char *of_first = NULL;
  g_autofree char *of_second = NULL;
  g_autofree char *on_server = NULL;
  EarLibrary *one, *two;

  for (guint i = 0; i < ROUNDS; i++)
    run_round (fixture, i, &marks);
  sync_server_tell (fixture->server, "quirks");
  one = open_device (fixture, first);
  two = open_device (fixture, second);
  for (guint i = 0; i < 3; i++)
    {
      run_sync (one);
      run_sync (two);
    }
  of_first = describe (fixture, one);
  of_second = describe (fixture, two);
  on_server = sync_server_ask (fixture->server, "podcasts");
  g_test_message ("on the server: %s", on_server);
  tell_difference (fixture, of_first, of_second);
  g_assert_cmpstr (of_first, ==, of_second);
  g_assert_cmpuint (strlen (of_first), >, 0);
  assert_kept (fixture, &marks, of_first);
  for (const char *name = PODCASTS; *name != '\0'; name++)
    {
      g_autofree char *start = g_strdup_printf ("%c-0 ", *name);
      g_autofree char *file = g_strdup_printf ("/%c.xml", *name);

      g_assert_true ((strstr (of_first, start) != NULL) == (strstr (on_server, file) != NULL));
    }
  library_fixture_close (&one);
  library_fixture_close (&two);
  g_hash_table_unref (marks.newest);
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
  put_feeds (fixture->feeds);
  fixture->server = sync_server_new ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  sync_server_free (fixture->server);
  ear_test_server_stop (fixture->feeds);
  g_clear_object (&fixture->feeds);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

int
main (int argc, char **argv)
{
  static GTestDBus *bus;
  SecretService *keyring;
  int status;

  g_setenv ("SECRET_BACKEND", "service", TRUE);
  if (argc == 7 && g_str_equal (argv[1], "--child"))
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      return run_child (argv[2], argv[3], argv[4], argv[5], argv[6]);
    }

  g_test_init (&argc, &argv, NULL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  keyring = secret_service_stand_in_new (g_test_dbus_get_bus_address (bus));
  g_test_add ("/sync/random", Fixture, NULL, set_up, test_random, tear_down);
  status = g_test_run ();
  secret_service_stand_in_free (keyring);
  secret_service_disconnect ();

  return status;
}
