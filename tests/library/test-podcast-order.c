/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-folders.h"

/* Sort orders of the podcasts */

static void
add_podcast (GListStore *podcasts, gint64 id, const char *title, gint64 newest, int place,
             const char *folder)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (id, "https://example.org/");
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[EAR_PODCAST_SETTING_PLACE] = place;
  settings.updated[EAR_PODCAST_SETTING_PLACE] = 1;
  ear_podcast_set_title (podcast, title);
  ear_podcast_set_newest (podcast, newest);
  ear_podcast_take_settings (podcast, &settings);
  ear_podcast_set_folder (podcast, folder);
  g_list_store_append (podcasts, podcast);
}

/* @expected: the numbers of the podcasts */
static void
assert_order (GListStore *podcasts, const char *order, const char *expected)
{
  g_autoptr (GPtrArray) listed = ear_podcast_order_list (G_LIST_MODEL (podcasts), order);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < listed->len; i++)
    g_string_append_printf (text, "%d", (int) ear_podcast_get_id (listed->pdata[i]));
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_orders (void)
{
  static const struct
  {
    const char *name;
    const char *expected;
  } cases[] = {
    { "title", "1234" },
    { "newest", "2413" },
    /* Podcasts without an order number come last, by title. */
    { "by-hand", "2134" },
    { "unheard-of", "1234" },
  };
  g_autoptr (GListStore) podcasts = g_list_store_new (EAR_TYPE_PODCAST);

  add_podcast (podcasts, 1, "Alpha", 10, 300, NULL);
  add_podcast (podcasts, 2, "Bravo", 30, 100, NULL);
  add_podcast (podcasts, 3, "Charlie", 0, 0, NULL);
  add_podcast (podcasts, 4, "delta", 30, 0, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].name);
      assert_order (podcasts, cases[i].name, cases[i].expected);
    }
}

/* Podcasts sorted by folder, in the order of the first podcast of each; podcasts without
 * a folder come last. */
static void
test_group (void)
{
  static const char *const folders[] = { NULL, "News", "Art", NULL, "News", "Art" };
  g_autoptr (GListStore) podcasts = g_list_store_new (EAR_TYPE_PODCAST);

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    add_podcast (podcasts, i, "a", 0, (int) i + 1, folders[i]);
  assert_order (podcasts, EAR_PODCAST_ORDER_BY_HAND, "142503");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/podcast-order/orders", test_orders);
  g_test_add_func ("/podcast-order/group", test_group);

  return g_test_run ();
}
