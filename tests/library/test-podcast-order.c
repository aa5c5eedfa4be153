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

/* The order number of the middle podcast, between two that have these */
static int
find_place (int before, int after)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  int place, step;

  g_ptr_array_add (podcasts, create_podcast (1, "a", 0, before));
  g_ptr_array_add (podcasts, create_podcast (2, "b", 0, 7));
  g_ptr_array_add (podcasts, create_podcast (3, "c", 0, after));

  return ear_podcast_order_find_position (podcasts, 1, 1, &place, &step) ? place : -1;
}

static void
test_places (void)
{
  g_assert_cmpint (find_place (100, 200), ==, 150);
  g_assert_cmpint (find_place (100, 102), ==, 101);
  /* No number is left between them. */
  g_assert_cmpint (find_place (100, 101), ==, -1);
  g_assert_cmpint (find_place (100, 100), ==, -1);
  g_assert_cmpint (find_place (200, 100), ==, -1);
  /* A podcast without a number comes after all others. */
  g_assert_cmpint (find_place (100, 0), ==, 100 + EAR_PODCAST_ORDER_STEP);
  g_assert_cmpint (find_place (0, 0), ==, -1);
  g_assert_cmpint (find_place (G_MAXINT, 0), ==, -1);
}

/* First and last */
static void
test_ends (void)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  int place, step;

  g_ptr_array_add (podcasts, create_podcast (1, "a", 0, 100));
  g_assert_true (ear_podcast_order_find_position (podcasts, 0, 1, &place, &step));
  g_assert_cmpint (place, >, 0);
  g_ptr_array_add (podcasts, create_podcast (2, "b", 0, 50));
  g_assert_true (ear_podcast_order_find_position (podcasts, 0, 1, &place, &step));
  g_assert_cmpint (place, ==, 25);
  g_assert_true (ear_podcast_order_find_position (podcasts, 1, 1, &place, &step));
  g_assert_cmpint (place, ==, 100 + EAR_PODCAST_ORDER_STEP);
}

/* Several podcasts at once; false if the others are out of order, as all then need new
 * numbers. */
static void
test_several (void)
{
  g_autoptr (GPtrArray) podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  int place, step;

  g_ptr_array_add (podcasts, create_podcast (1, "a", 0, 100));
  g_ptr_array_add (podcasts, create_podcast (2, "b", 0, 7));
  g_ptr_array_add (podcasts, create_podcast (3, "c", 0, 9));
  g_ptr_array_add (podcasts, create_podcast (4, "d", 0, 190));
  g_assert_true (ear_podcast_order_find_position (podcasts, 1, 2, &place, &step));
  g_assert_cmpint (place, ==, 130);
  g_assert_cmpint (step, ==, 30);
  g_assert_false (ear_podcast_order_find_position (podcasts, 1, 1, &place, &step));
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
  g_test_add_func ("/podcast-order/places", test_places);
  g_test_add_func ("/podcast-order/ends", test_ends);
  g_test_add_func ("/podcast-order/several", test_several);
  g_test_add_func ("/podcast-order/group", test_group);

  return g_test_run ();
}
