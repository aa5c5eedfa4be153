/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-opml.h"
#include "ear-test-wait.h"
#include "import-fixture.h"

#include <string.h>

/* Long lists: which podcasts arrive, in which order, and which do not once the import is
 * stopped */

static char *
make_long_list (Fixture *fixture, guint n, const char *wrapper)
{
  GString *list = g_string_new ("<opml><body>");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/generated/Number%u-2.xml", wrapper, i);
      g_autofree char *address = ear_test_server_dup_url (fixture->server, 1 + i % 20, path);

      g_string_append_printf (list, "<outline xmlUrl='%s'/>", address);
    }
  g_string_append (list, "</body></opml>");

  return g_string_free (list, FALSE);
}

static void
count_notify_cb (EarImporter *importer, GParamSpec *pspec, guint *n)
{
  (*n)++;
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_long_list (fixture, 500, "");
  guint n_notifies = 0;

  import_text (fixture, list);
  g_signal_connect (ear_library_get_importer (fixture->library), "notify::done", G_CALLBACK (count_notify_cb), &n_notifies);
  g_assert_cmpuint (ear_importer_get_done (ear_library_get_importer (fixture->library)), <, 500);
  wait_for (fixture, import_is_finished);
  g_assert_cmpuint (n_notifies, >, 100);
  g_assert_cmpuint (count_podcasts (fixture), ==, 500);
  g_assert_cmpuint (g_list_model_get_n_items (ear_importer_get_failures (ear_library_get_importer (fixture->library))), ==, 0);
}

static gboolean
some_are_done (Fixture *fixture)
{
  return ear_importer_get_done (ear_library_get_importer (fixture->library)) >= 5;
}

/* Fetched podcasts stay, and no others. */
static void
test_stop (Fixture *fixture, gconstpointer data)
{
  g_autofree char *quick = make_long_list (fixture, 5, "");
  g_autofree char *slow = make_long_list (fixture, 300, "/~mute");
  EarImporter *importer;

  quick[strlen (quick) - strlen ("</body></opml>")] = '\0';
  {
    g_autofree char *list = g_strconcat (quick, slow + strlen ("<opml><body>"), NULL);

    import_text (fixture, list);
  }
  importer = ear_library_get_importer (fixture->library);
  wait_for (fixture, some_are_done);
  g_assert_cmpuint (count_podcasts (fixture), <, 50);
  ear_importer_stop (importer);
  g_assert_true (ear_importer_get_finished (importer));
  g_assert_cmpuint (count_podcasts (fixture), ==, 5);
  g_assert_cmpuint (ear_importer_get_added (importer)->len, ==, 5);
}

static gboolean
is_fetched (Fixture *fixture)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (ear_library_get_podcasts (fixture->library), 0);

  return ear_podcast_get_n_episodes (podcast) > 0;
}

static gboolean
both_are_followed (Fixture *fixture)
{
  return count_podcasts (fixture) > 1;
}

/* A podcast that was followed before stays, even while the marks of the list are compared
 * with its many episodes. */
static void
test_stop_followed (Fixture *fixture, gconstpointer data)
{
  const char *base = ear_test_server_get_base_url (fixture->server);
  g_autofree char *address = g_strconcat (base, "/generated/Alpha-3.xml", NULL);
  g_autoptr (GString) list = g_string_new (NULL);

  ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), address, NULL);
  wait_for (fixture, is_fetched);
  g_string_printf (list, "<opml><body><outline xmlUrl='%s'>", address);
  for (guint i = 0; i < 2000; i++)
    g_string_append_printf (list, "<outline type='podcast-episode' enclosureUrl='%s/%u.mp3' played='1'/>", base, i);
  g_string_append_printf (list, "</outline><outline xmlUrl='%s/~mute/x.xml'/></body></opml>", base);
  import_text (fixture, list->str);
  wait_for (fixture, both_are_followed);
  ear_importer_stop (ear_library_get_importer (fixture->library));
  g_assert_cmpuint (count_podcasts (fixture), ==, 1);
  wait_for (fixture, import_is_finished);
  g_assert_nonnull (ear_subscriptions_find (ear_library_get_subscriptions (fixture->library), address));
}

static guint
count_with_episodes (Fixture *fixture)
{
  GListModel *podcasts = ear_library_get_podcasts (fixture->library);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      n += ear_podcast_get_n_episodes (podcast) > 0;
    }

  return n;
}

/* Silent servers lead the list: the podcasts after them arrive long before the silent ones
 * time out. */
static void
test_silent_ones (Fixture *fixture, gconstpointer data)
{
  const gint64 start = g_get_monotonic_time ();
  g_autofree char *silent = make_long_list (fixture, 30, "/~mute");
  g_autoptr (GString) list = g_string_new_len (silent, strlen (silent) - strlen ("</body></opml>"));
  EarImporter *importer;

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *path = g_strdup_printf ("/generated/Late%u-2.xml", i);
      /* A host different from all silent ones */
      g_autofree char *address = ear_test_server_dup_url (fixture->server, 11 + i, path);

      g_string_append_printf (list, "<outline xmlUrl='%s'/>", address);
    }
  g_string_append (list, "</body></opml>");
  import_text (fixture, list->str);
  importer = ear_library_get_importer (fixture->library);
  wait_for (fixture, some_are_done);
  g_test_message ("after %.1f s", (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC);
  g_assert_cmpuint (count_with_episodes (fixture), ==, 5);
  ear_importer_stop (importer);
  g_assert_cmpuint (count_podcasts (fixture), ==, 5);
}

static gboolean
all_have_episodes (Fixture *fixture)
{
  GListModel *podcasts = ear_library_get_podcasts (fixture->library);

  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (ear_podcast_get_n_episodes (podcast) == 0)
        return FALSE;
    }

  return TRUE;
}

/* A stopped import cancels its fetches; following such a podcast fetches it all the
 * same. */
static void
test_stop_and_follow (Fixture *fixture, gconstpointer data)
{
  g_autofree char *list = make_long_list (fixture, 60, "");
  g_autoptr (GBytes) bytes = g_bytes_new (list, strlen (list));
  g_autoptr (GPtrArray) outlines = ear_opml_parse (bytes, NULL);

  /* No scheduled refresh would fetch a forgotten podcast later. */
  g_object_set (ear_library_get_settings (fixture->library), "refresh-interval", 0, NULL);
  ear_importer_add (ear_library_get_importer (fixture->library), outlines);
  wait_for (fixture, some_are_done);
  ear_importer_stop (ear_library_get_importer (fixture->library));
  g_assert_cmpuint (count_podcasts (fixture), <, 60);
  for (guint i = 0; i < outlines->len; i++)
    ear_subscriptions_follow (ear_library_get_subscriptions (fixture->library), ((EarListedPodcast *) g_ptr_array_index (outlines, i))->address, NULL);
  g_assert_cmpuint (count_podcasts (fixture), ==, 60);
  wait_for (fixture, all_have_episodes);
}

int
main (int argc, char *argv[])
{
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);
  g_test_init (&argc, &argv, NULL);

  ADD_IMPORT_TEST ("many", test_many);
  ADD_IMPORT_TEST ("stop", test_stop);
  ADD_IMPORT_TEST ("stop/followed", test_stop_followed);
  ADD_IMPORT_TEST ("silent-ones", test_silent_ones);
  ADD_IMPORT_TEST ("stop/follow", test_stop_and_follow);

  return g_test_run ();
}
