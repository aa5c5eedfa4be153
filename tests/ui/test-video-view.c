/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a picture is only asked for while it is in sight. */

#include "ear-video-view.h"

typedef struct
{
  EarVideoOutput *output;
  EarPlayer *player;
  GtkWidget *window;
  GtkWidget *view;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->output = ear_video_output_new (TRUE);
  fixture->player = ear_player_new ("Earmark/test");
  ear_player_set_video_output (fixture->player, fixture->output);
  fixture->view = g_object_new (EAR_TYPE_VIDEO_VIEW, "player", fixture->player, NULL);
  fixture->window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (fixture->window), fixture->view);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_false (ear_video_output_get_watched (fixture->output));
  g_assert_finalize_object (fixture->player);
  g_assert_finalize_object (fixture->output);
}

static void
await_watched (Fixture *fixture, gboolean watched)
{
  gint64 give_up = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  while (ear_video_output_get_watched (fixture->output) != watched && g_get_monotonic_time () < give_up)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (ear_video_output_get_watched (fixture->output), ==, watched);
}

static void
test_sight (Fixture *fixture, gconstpointer data)
{
  g_assert_false (ear_video_output_get_watched (fixture->output));
  gtk_window_present (GTK_WINDOW (fixture->window));
  await_watched (fixture, TRUE);

  gtk_widget_set_visible (fixture->view, FALSE);
  await_watched (fixture, FALSE);
  gtk_widget_set_visible (fixture->view, TRUE);
  await_watched (fixture, TRUE);

  gtk_widget_set_visible (fixture->window, FALSE);
  await_watched (fixture, FALSE);
  gtk_window_present (GTK_WINDOW (fixture->window));
  await_watched (fixture, TRUE);
}

/* In two places: for the one that is left it goes on. */
static void
test_two (Fixture *fixture, gconstpointer data)
{
  GtkWidget *other = g_object_new (EAR_TYPE_VIDEO_VIEW, "player", fixture->player, "alone", TRUE, NULL);
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_child (GTK_WINDOW (window), other);
  gtk_window_present (GTK_WINDOW (fixture->window));
  gtk_window_present (GTK_WINDOW (window));
  await_watched (fixture, TRUE);
  gtk_widget_set_visible (fixture->window, FALSE);
  await_watched (fixture, TRUE);
  gtk_window_destroy (GTK_WINDOW (window));
  await_watched (fixture, FALSE);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

#define ADD(path, func) g_test_add ("/ui/video-view" path, Fixture, NULL, set_up, func, tear_down)

  ADD ("/sight", test_sight);
  ADD ("/two", test_two);

  return g_test_run ();
}
