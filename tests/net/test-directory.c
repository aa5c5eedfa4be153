/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-directory.h"
#include "ear-error.h"
#include "net-fixture.h"

#include <string.h>

/* One question and its result */
typedef struct
{
  gboolean done;
  GPtrArray *entries;
  GError *error;
} Answer;

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->entries = ear_directory_ask_finish (EAR_DIRECTORY (source), result, &answer->error);
  answer->done = TRUE;
}

static gboolean
is_done (gpointer data)
{
  return ((Answer *) data)->done;
}

static void
answer_clear (Answer *answer)
{
  g_clear_pointer (&answer->entries, g_ptr_array_unref);
  g_clear_error (&answer->error);
  answer->done = FALSE;
}

static EarDirectory *
new_directory (NetFixture *fixture, const EarDirectoryService *service, const char *path)
{
  g_autofree char *base = ear_test_server_dup_url (fixture->server, 1, path);

  return ear_directory_new (fixture->http, service, base);
}

static void
ask (EarDirectory *directory, EarDirectoryQuestion question, const char *text, Answer *answer)
{
  answer_clear (answer);
  ear_directory_ask_async (directory, question, text, NULL, answered_cb, answer);
  g_assert_true (net_wait (is_done, answer, 60000));
}

static void
assert_titles (Answer *answer, const char *expected)
{
  g_autoptr (GString) titles = g_string_new (NULL);

  g_assert_no_error (answer->error);
  for (guint i = 0; i < answer->entries->len; i++)
    {
      EarDirectoryEntry *entry = g_ptr_array_index (answer->entries, i);

      g_string_append_printf (titles, "%s%s", i > 0 ? "|" : "", entry->title);
      g_assert_true (g_str_has_prefix (entry->address, "http://127.0.0.1"));
    }
  g_assert_cmpstr (titles->str, ==, expected);
}

static void
test_itunes (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, "/itunes");
  Answer answer = { 0 };
  g_autoptr (EarTestRequest) request = NULL;
  EarDirectoryEntry *entry;

  ask (directory, EAR_DIRECTORY_WORDS, "lighthouse radio", &answer);
  assert_titles (&answer, "Lighthouse Radio");
  entry = g_ptr_array_index (answer.entries, 0);
  g_assert_cmpstr (entry->author, ==, "Ada Brook");
  g_assert_cmpuint (entry->n_episodes, ==, 120);
  g_assert_nonnull (strstr (entry->image, "/directories/cover/6.png"));

  ask (directory, EAR_DIRECTORY_AUTHOR, "Ada Brook", &answer);
  assert_titles (&answer, "The Quiet Compiler|Ask a Compiler|Lighthouse Radio");
  ask (directory, EAR_DIRECTORY_ID, "1001", &answer);
  assert_titles (&answer, "Compiler Weekly");
  ask (directory, EAR_DIRECTORY_WORDS, "nobody ever", &answer);
  assert_titles (&answer, "");
  answer_clear (&answer);

  g_assert_false (ear_directory_can_answer (directory, EAR_DIRECTORY_ID, "12&x=y"));
  g_assert_false (ear_directory_can_answer (directory, EAR_DIRECTORY_CHART, "Basket Weaving"));
  g_assert_false (ear_directory_can_answer (directory, EAR_DIRECTORY_WORDS, ""));
  g_assert_finalize_object (directory);
}

static const char *
get_path (NetFixture *fixture, guint back)
{
  g_autoptr (GPtrArray) requests = ear_test_server_dup_requests (fixture->server);
  EarTestRequest *request = g_ptr_array_index (requests, requests->len - 1 - back);

  return g_intern_string (request->path);
}

/* The numbers of a chart are looked up in the same country; a chart is fetched once a
 * day. */
static void
test_chart (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, "/itunes");
  Answer answer = { 0 };

  ask (directory, EAR_DIRECTORY_CHART, "technology", &answer);
  assert_titles (&answer, "The Quiet Compiler|Compiler Weekly|Ask a Compiler");
  g_assert_cmpstr (get_path (fixture, 1), ==, "/itunes/us/rss/toppodcasts/limit=25/genre=1318/explicit=true/json");
  g_assert_cmpstr (get_path (fixture, 0), ==, "/itunes/lookup?id=1000,1001,1002&entity=podcast&country=us");
  ask (directory, EAR_DIRECTORY_CHART, "technology", &answer);
  assert_titles (&answer, "The Quiet Compiler|Compiler Weekly|Ask a Compiler");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 2);

  ear_directory_set_country (directory, "de");
  ask (directory, EAR_DIRECTORY_CHART, "", &answer);
  g_assert_no_error (answer.error);
  g_assert_cmpuint (answer.entries->len, ==, 13);
  g_assert_cmpstr (get_path (fixture, 1), ==, "/itunes/de/rss/toppodcasts/limit=25/explicit=true/json");
  /* A country without a chart, which is not cached */
  ear_directory_set_country (directory, "td");
  ask (directory, EAR_DIRECTORY_CHART, "", &answer);
  assert_titles (&answer, "");
  ask (directory, EAR_DIRECTORY_CHART, "", &answer);
  assert_titles (&answer, "");
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 6);
  answer_clear (&answer);

  g_assert_false (ear_directory_can_answer (directory, EAR_DIRECTORY_CHART, "Basket Weaving"));
  g_assert_finalize_object (directory);
}

/* Invalid numbers, members of other types, and more entries than requested */
static void
test_odd_chart (NetFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) many = g_string_new ("{\"feed\":{\"entry\":[");
  const char *const bodies[] = { "{\"feed\":{}}", "{\"feed\":{\"entry\":{\"id\":1}}}", "{\"feed\":[]}",
                                 "{\"feed\":{\"entry\":[1,{\"id\":{\"attributes\":{\"im:id\":\"1&x=y\"}}},"
                                 "{\"id\":{\"attributes\":{\"im:id\":7}}}]}}" };
  EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, "/odd");
  Answer answer = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      ear_test_server_put (fixture->server, "/odd/us/rss/toppodcasts/limit=25/explicit=true/json", "text/plain", bodies[i]);
      ask (directory, EAR_DIRECTORY_CHART, "", &answer);
      assert_titles (&answer, "");
    }
  for (guint i = 0; i < 200; i++)
    g_string_append_printf (many, "%s{\"id\":{\"attributes\":{\"im:id\":\"%u\"}}}", i > 0 ? "," : "", 100 + i);
  g_string_append (many, "]}}");
  ear_test_server_put (fixture->server, "/odd/us/rss/toppodcasts/limit=25/explicit=true/json", "text/plain", many->str);
  ask (directory, EAR_DIRECTORY_CHART, "", &answer);
  g_assert_true (g_str_has_prefix (get_path (fixture, 0), "/odd/lookup?id=100,101,"));
  g_assert_null (strstr (get_path (fixture, 0), "125"));
  answer_clear (&answer);
  g_assert_finalize_object (directory);
}

/* The request matches Apple's documentation for any typed text. */
static void
test_escaping (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, "/itunes");
  Answer answer = { 0 };
  g_autoptr (GPtrArray) requests = NULL;
  EarTestRequest *request;

  ask (directory, EAR_DIRECTORY_WORDS, "a&b=c #d?e+f/é", &answer);
  assert_titles (&answer, "");
  answer_clear (&answer);
  requests = ear_test_server_dup_requests (fixture->server);
  request = g_ptr_array_index (requests, requests->len - 1);
  g_assert_true (g_str_has_prefix (request->path, "/itunes/search?media=podcast&entity=podcast&term=a%26b%3Dc%20%23d%3Fe%2Bf%2F%C3%A9&country="));
  g_assert_finalize_object (directory);
}

static void
test_fyyd (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_fyyd, "/fyyd");
  Answer answer = { 0 };
  EarDirectoryEntry *entry;

  ask (directory, EAR_DIRECTORY_WORDS, "garden", &answer);
  assert_titles (&answer, "Garden Hours");
  entry = g_ptr_array_index (answer.entries, 0);
  g_assert_cmpuint (entry->n_episodes, ==, 64);
  answer_clear (&answer);
  g_assert_false (ear_directory_can_answer (directory, EAR_DIRECTORY_ID, "12"));
  g_assert_finalize_object (directory);
}

/* Incomplete rows are dropped; members of the wrong type are ignored. */
static void
test_odd_rows (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, "/odd");
  Answer answer = { 0 };
  EarDirectoryEntry *entry;

  ear_test_server_put (fixture->server, "/odd/search", "text/plain",
                       "{\"results\":[null,1,[],\"x\",{},{\"collectionName\":\"No feed\"},"
                       "{\"feedUrl\":\"http://127.0.0.1/a\"},"
                       "{\"feedUrl\":\"file:///etc/passwd\",\"collectionName\":\"A\"},"
                       "{\"feedUrl\":\"javascript:alert(1)\",\"collectionName\":\"B\"},"
                       "{\"feedUrl\":{\"a\":1},\"collectionName\":\"C\"},"
                       "{\"feedUrl\":\"http://127.0.0.1/b\",\"collectionName\":\" <b>Two\\n\\u202elines\\u0000 \",\"artistName\":7,"
                       "\"trackCount\":-5,\"artworkUrl600\":\"data:x\",\"artworkUrl100\":\"http://127.0.0.1/c\"}]}");
  ask (directory, EAR_DIRECTORY_WORDS, "x", &answer);
  assert_titles (&answer, "<b>Two lines");
  entry = g_ptr_array_index (answer.entries, 0);
  g_assert_null (entry->author);
  g_assert_cmpuint (entry->n_episodes, ==, 0);
  g_assert_cmpstr (entry->image, ==, "http://127.0.0.1/c");
  answer_clear (&answer);
  g_assert_finalize_object (directory);
}

static char *
repeat (const char *text, guint times)
{
  GString *string = g_string_new (NULL);

  while (times-- > 0)
    g_string_append (string, text);

  return g_string_free (string, FALSE);
}

static void
test_hostile (NetFixture *fixture, gconstpointer data)
{
  const EarDirectoryService *services[] = { &ear_directory_itunes, &ear_directory_fyyd };
  g_autofree char *deep = repeat ("[", 100000);
  g_autofree char *wide = repeat ("{},", 300000);
  g_autofree char *rows = g_strconcat ("{\"results\":[", wide, "{}],\"data\":[", "{}]}", NULL);
  const char *const bodies[] = { "", "\n\n", "<html>", "{", "[]", "7", "null", "{\"results\":7,\"data\":{}}", "\xff\xfe\x00", deep, rows };

  for (gsize s = 0; s < G_N_ELEMENTS (services); s++)
    for (gsize i = 0; i < G_N_ELEMENTS (bodies); i++)
      {
        EarDirectory *directory = new_directory (fixture, services[s], "/bad");
        Answer answer = { 0 };

        ear_test_server_put (fixture->server, "/bad/search", "application/json", bodies[i]);
        ear_test_server_put (fixture->server, "/bad/search/podcast", "application/json", bodies[i]);
        ask (directory, EAR_DIRECTORY_WORDS, "x", &answer);
        /* The long list is cut, and with it fyyd's list after it. */
        if (bodies[i] == rows && s == 0)
          {
            g_assert_cmpuint (answer.entries->len, ==, 0);
          }
        else
          {
            g_assert_null (answer.entries);
            g_assert_nonnull (answer.error);
            g_assert_true (answer.error->domain == EAR_ERROR);
          }
        answer_clear (&answer);
        g_assert_finalize_object (directory);
      }
}

/* Errors about the URL of a podcast must not be reported for typed text. */
static void
test_own_problem (NetFixture *fixture, gconstpointer data)
{
  static const char *const paths[] = { "/nowhere", "/~status=401/itunes", "/~status=410/itunes", "/~bomb=64/x" };

  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, paths[i]);
      Answer answer = { 0 };

      g_test_message ("%s", paths[i]);
      ask (directory, EAR_DIRECTORY_WORDS, "x", &answer);
      g_assert_error (answer.error, EAR_ERROR, EAR_ERROR_SERVER);
      answer_clear (&answer);
      g_assert_finalize_object (directory);
    }
}

static void
test_slow (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, "/~mute/itunes");
  Answer answer = { 0 };

  ear_directory_set_time_limit (directory, 50);
  ask (directory, EAR_DIRECTORY_WORDS, "x", &answer);
  g_assert_error (answer.error, EAR_ERROR, EAR_ERROR_TIMED_OUT);
  answer_clear (&answer);
  g_assert_finalize_object (directory);
}

/* The 21st question within a minute waits; if it is canceled meanwhile, it is never
 * sent. */
static void
test_rate (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, "/itunes");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Answer answer = { 0 };
  Answer waiting = { 0 };

  for (guint i = 0; i < 20; i++)
    ask (directory, EAR_DIRECTORY_WORDS, "compiler", &answer);
  answer_clear (&answer);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 20);

  ear_directory_ask_async (directory, EAR_DIRECTORY_WORDS, "garden", cancellable, answered_cb, &waiting);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_false (waiting.done);
  g_cancellable_cancel (cancellable);
  g_assert_true (net_wait (is_done, &waiting, 60000));
  g_assert_error (waiting.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  answer_clear (&waiting);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 20);
  g_assert_finalize_object (directory);
}

/* After status 429, no request is sent for as long as the service demands. */
static void
test_too_many (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_fyyd, "/~429=3600/fyyd");
  Answer answer = { 0 };

  for (guint i = 0; i < 3; i++)
    {
      ask (directory, EAR_DIRECTORY_WORDS, "x", &answer);
      g_assert_error (answer.error, EAR_ERROR, EAR_ERROR_BUSY);
    }
  answer_clear (&answer);
  g_assert_cmpuint (ear_test_server_count_requests (fixture->server, NULL), ==, 1);
  g_assert_finalize_object (directory);
}

static void
test_cancel (NetFixture *fixture, gconstpointer data)
{
  EarDirectory *directory = new_directory (fixture, &ear_directory_itunes, "/~delay=20000/itunes");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Answer answer = { 0 };

  ear_directory_ask_async (directory, EAR_DIRECTORY_WORDS, "garden", cancellable, answered_cb, &answer);
  g_cancellable_cancel (cancellable);
  g_assert_true (net_wait (is_done, &answer, 60000));
  g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  answer_clear (&answer);
  g_assert_finalize_object (directory);
}

#define ADD(name, function) \
  g_test_add ("/directory/" name, NetFixture, NULL, net_fixture_set_up, function, net_fixture_tear_down)

int
main (int argc, char *argv[])
{
  net_main_init (&argc, &argv);

  ADD ("itunes", test_itunes);
  ADD ("chart", test_chart);
  ADD ("odd-chart", test_odd_chart);
  ADD ("escaping", test_escaping);
  ADD ("fyyd", test_fyyd);
  ADD ("odd-rows", test_odd_rows);
  ADD ("hostile", test_hostile);
  ADD ("own-problem", test_own_problem);
  ADD ("slow", test_slow);
  ADD ("rate", test_rate);
  ADD ("too-many", test_too_many);
  ADD ("cancel", test_cancel);

  return g_test_run ();
}
