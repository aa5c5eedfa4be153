/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-folders.h"

/* Sort orders of the podcasts */

static EarPodcast *
create_podcast (gint64 id, const char *title, gint64 newest, int place)
{
  g_autofree char *address = g_strdup_printf ("https://example.org/%" G_GINT64_FORMAT, id);
  EarPodcast *podcast = ear_podcast_new (id, address);
  EarPodcastSettings settings;

  ear_podcast_settings_init (&settings);
  settings.values[EAR_PODCAST_SETTING_PLACE] = place;
  settings.updated[EAR_PODCAST_SETTING_PLACE] = 1;
  ear_podcast_set_title (podcast, title);
  ear_podcast_set_newest (podcast, newest);
  ear_podcast_take_settings (podcast, &settings);

  return podcast;
}

static void
add_podcast (GListStore *podcasts, gint64 id, const char *title, gint64 newest, int place, const char *folder)
{
  g_autoptr (EarPodcast) podcast = create_podcast (id, title, newest, place);

  ear_podcast_set_folder (podcast, folder);
  g_list_store_append (podcasts, podcast);
}

static void
assert_order (const char *name, const char *expected)
{
  g_autoptr (GListStore) podcasts = g_list_store_new (EAR_TYPE_PODCAST);
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  add_podcast (podcasts, 2, "Alpha", 10, 300, NULL);
  add_podcast (podcasts, 4, "Bravo", 30, 100, NULL);
  add_podcast (podcasts, 3, "Charlie", 0, 0, NULL);
  add_podcast (podcasts, 1, "delta", 30, 0, NULL);
  listed = ear_podcast_order_list (G_LIST_MODEL (podcasts), ear_podcast_order_from_name (name));
  for (guint i = 0; i < listed->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", ear_podcast_get_title (g_ptr_array_index (listed, i)));
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_orders (void)
{
  assert_order ("title", "Alpha Bravo Charlie delta");
  assert_order ("newest", "Bravo delta Alpha Charlie");
  /* Podcasts without an order number come last, by title. */
  assert_order ("by-hand", "Bravo Alpha Charlie delta");
  assert_order ("unheard-of", "Alpha Bravo Charlie delta");
  assert_order (NULL, "Alpha Bravo Charlie delta");
}

/* Podcasts sorted by folder, in the order of the first podcast of each; podcasts without
 * a folder come last. */
static void
test_group (void)
{
  static const char *const folders[] = { NULL, "News", "Art", NULL, "News", "Art" };
  g_autoptr (GListStore) podcasts = g_list_store_new (EAR_TYPE_PODCAST);
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    add_podcast (podcasts, i, "a", 0, (int) i + 1, folders[i]);
  listed = ear_podcast_order_list (G_LIST_MODEL (podcasts), EAR_PODCAST_ORDER_BY_HAND);
  for (guint i = 0; i < listed->len; i++)
    g_string_append_printf (text, "%d", (int) ear_podcast_get_id (listed->pdata[i]));
  g_assert_cmpstr (text->str, ==, "142503");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/podcast-order/orders", test_orders);
  g_test_add_func ("/podcast-order/group", test_group);

  return g_test_run ();
}
