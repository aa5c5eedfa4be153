/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures are decoded only while a view of them is in sight. */

#include "config.h"

#include "ear-player-internal.h"
#include "ear-player-private.h"
#include "ear-video.h"

#ifdef HAVE_GTK_X11
#include <gdk/x11/gdkx.h>
#endif

/* Milliseconds in which the decoder finishes earlier data */
#define SETTLED 500

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

/* Waits until other threads have dropped their references. */
static void
await_alone (gpointer object)
{
  const gint64 give_up = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  while (g_atomic_int_get (&G_OBJECT (object)->ref_count) > 1 && g_get_monotonic_time () < give_up)
    g_main_context_iteration (NULL, FALSE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_false (ear_video_output_get_watched (fixture->output));
  ear_player_stop (fixture->player);
  await_alone (fixture->player);
  g_assert_finalize_object (fixture->player);
  await_alone (fixture->output);
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

/* Two views show the same video: decoding goes on for the one that remains. */
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

/* --- Decoding ----------------------------------------------------------------------- */

/* Returns: an audio sink that plays in real time, without sound */
static GstElement *
make_sink_cb (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  g_object_set (sink, "sync", TRUE, NULL);

  return sink;
}

static void
play_film (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), "film.webm", NULL);
  g_autoptr (EarEpisodeFacts) facts = ear_episode_facts_new ();
  g_autoptr (EarEpisode) episode = ear_episode_new (1, NULL, "guid");
  EarEnclosure *enclosure = ear_enclosure_new ();

  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 400, 300);
  gtk_window_present (GTK_WINDOW (fixture->window));

  enclosure->address = g_strdup ("http://localhost/film");
  enclosure->mime_type = g_strdup ("video/webm");
  g_ptr_array_add (facts->enclosures, enclosure);
  ear_episode_set_facts (episode, facts);
  ear_player_set_sink (fixture->player, make_sink_cb, NULL);
  ear_player_open (fixture->player, episode, path, NULL, 0);
  ear_player_play (fixture->player);
}

static void
spin (guint milliseconds)
{
  const gint64 enough = g_get_monotonic_time () + milliseconds * G_TIME_SPAN_MILLISECOND;

  while (g_get_monotonic_time () < enough)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static guint
get_decoded (Fixture *fixture)
{
  EarPipeline *pipeline = fixture->player->pipeline;

  return pipeline != NULL ? ear_pipeline_get_decoded (pipeline) : 0;
}

static void
assert_decodes (Fixture *fixture)
{
  const guint before = get_decoded (fixture);
  const gint64 give_up = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  await_watched (fixture, TRUE);
  while (get_decoded (fixture) < before + 3 && g_get_monotonic_time () < give_up)
    spin (10);
  g_assert_cmpuint (get_decoded (fixture), >=, before + 3);
}

/* Playback continues while no picture is decoded. */
static void
assert_decodes_nothing (Fixture *fixture)
{
  gint64 position;
  guint before;

  await_watched (fixture, FALSE);
  spin (SETTLED);
  before = get_decoded (fixture);
  position = ear_player_get_position (fixture->player);
  spin (700);
  g_assert_cmpuint (get_decoded (fixture), ==, before);
  g_assert_cmpint (ear_player_get_position (fixture->player), >, position);
}

#ifdef HAVE_GTK_X11
/* Sets the property that a window manager would set: the tests run without one. */
static void
set_minimised (Fixture *fixture, gboolean minimised)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  Display *display = gdk_x11_display_get_xdisplay (gtk_widget_get_display (fixture->window));
  const Window window = gdk_x11_surface_get_xid (gtk_native_get_surface (GTK_NATIVE (fixture->window)));
  G_GNUC_END_IGNORE_DEPRECATIONS
  const Atom hidden = XInternAtom (display, "_NET_WM_STATE_HIDDEN", False);

  XChangeProperty (display, window, XInternAtom (display, "_NET_WM_STATE", False), XInternAtom (display, "ATOM", False), 32, PropModeReplace,
                   (const guchar *) &hidden, minimised ? 1 : 0);
  XFlush (display);
}

static void
test_minimised (Fixture *fixture, gconstpointer data)
{
  play_film (fixture);
  assert_decodes (fixture);
  set_minimised (fixture, TRUE);
  assert_decodes_nothing (fixture);
  set_minimised (fixture, FALSE);
  assert_decodes (fixture);
}
#endif

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

#define ADD(path, func) g_test_add ("/ui/video-view" path, Fixture, NULL, set_up, func, tear_down)

  ADD ("/sight", test_sight);
  ADD ("/two", test_two);
#ifdef HAVE_GTK_X11
  ADD ("/minimised", test_minimised);
#endif

  return g_test_run ();
}
