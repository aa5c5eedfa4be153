/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "server-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#define TEXT "The quick brown fox jumps over the lazy dog. "

void
answer_clear (Answer *answer)
{
  g_clear_object (&answer->message);
  g_clear_pointer (&answer->body, g_bytes_unref);
  g_clear_error (&answer->error);
}

void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *feed = NULL;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (text, "%04u " TEXT, i);
  fixture->text = g_string_free_and_steal (text);
  fixture->directory = g_dir_make_tmp ("earmark-server-XXXXXX", &error);
  g_assert_no_error (error);
  folder = g_build_filename (fixture->directory, "shows", NULL);
  g_assert_cmpint (g_mkdir (folder, 0755), ==, 0);
  feed = g_build_filename (folder, "feed.xml", NULL);
  g_assert_true (g_file_set_contents (feed, "<rss><link>@BASE@/shows/1.mp3</link></rss>", -1, NULL));

  fixture->server = ear_test_server_new ();
  ear_test_server_set_root (fixture->server, fixture->directory);
  ear_test_server_set_addresses (fixture->server, 3);
  ear_test_server_set_warm (fixture->server, TRUE);
  ear_test_server_put (fixture->server, "/text.txt", NULL, fixture->text);
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);

  fixture->session = soup_session_new_with_options ("user-agent", "Tester/1", "timeout", 5, NULL);
  soup_session_set_proxy_resolver (fixture->session, NULL);
}

void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->directory, "shows", NULL);
  g_autofree char *feed = g_build_filename (folder, "feed.xml", NULL);

  g_clear_object (&fixture->session);
  ear_test_server_stop (fixture->server);
  g_assert_finalize_object (fixture->server);
  g_unlink (feed);
  g_rmdir (folder);
  g_rmdir (fixture->directory);
  g_free (fixture->directory);
  g_free (fixture->text);
}

void
ask_with (Fixture    *fixture,
          Answer     *answer,
          const char *method,
          const char *url,
          const char *header,
          const char *value)
{
  gint64 start = g_get_monotonic_time ();

  answer_clear (answer);
  answer->message = soup_message_new (method, url);
  g_assert_nonnull (answer->message);
  soup_message_disable_feature (answer->message, SOUP_TYPE_CONTENT_SNIFFER);
  if (header != NULL)
    soup_message_headers_replace (soup_message_get_request_headers (answer->message), header, value);
  answer->body = soup_session_send_and_read (fixture->session, answer->message, NULL, &answer->error);
  answer->seconds = (g_get_monotonic_time () - start) / (double) G_USEC_PER_SEC;
}

void
ask (Fixture    *fixture,
     Answer     *answer,
     const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, path);

  ask_with (fixture, answer, "GET", url, NULL, NULL);
}

void
ask_header (Fixture    *fixture,
            Answer     *answer,
            const char *path,
            const char *header,
            const char *value)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, path);

  ask_with (fixture, answer, "GET", url, header, value);
}

const char *
header_of (Answer     *answer,
           const char *name)
{
  return soup_message_headers_get_one (soup_message_get_response_headers (answer->message), name);
}

void
assert_body (Answer     *answer,
             const char *text,
             gsize       length)
{
  g_assert_nonnull (answer->body);
  g_assert_cmpmem (g_bytes_get_data (answer->body, NULL), g_bytes_get_size (answer->body), text, length);
}

void
assert_text (Fixture *fixture,
             Answer  *answer)
{
  assert_status (answer, 200);
  assert_body (answer, fixture->text, strlen (fixture->text));
}
