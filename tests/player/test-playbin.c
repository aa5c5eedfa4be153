/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a pipeline starts however long its starting thread is delayed, and leaks
 * nothing when it ends. */

#include "ear-playbin.h"
#include "ear-player-private.h"
#include "ear-player.h"
#include "ear-test-server.h"
#include "ear-test-sound.h"

#include <glib/gstdio.h>
#include <gst/gst.h>

#define PATIENCE (10 * GST_SECOND)

static gboolean
is_in_source (GstObject *object)
{
  g_autoptr (GstObject) parent = gst_object_ref (object);

  while (parent != NULL)
    {
      GstElementFactory *factory = GST_IS_ELEMENT (parent) ? gst_element_get_factory (GST_ELEMENT (parent)) : NULL;
      GstObject *next;

      if (factory != NULL && g_str_equal (GST_OBJECT_NAME (factory), "urisourcebin"))
        return TRUE;
      next = gst_object_get_parent (parent);
      gst_object_unref (parent);
      parent = next;
    }

  return FALSE;
}

typedef struct
{
  GThread *thread;
  gint others;         /* atomic: other threads have started elements */
  gboolean interfered; /* while this thread had not finished */
} Starter;

/* Simulates a busy machine: once part of the source has started, its threads run and
 * this one waits. */
static GstBusSyncReply
message_cb (GstBus *bus, GstMessage *message, gpointer user_data)
{
  Starter *starter = user_data;
  GstState state;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_STATE_CHANGED || !is_in_source (GST_MESSAGE_SRC (message)))
    return GST_BUS_PASS;

  gst_message_parse_state_changed (message, NULL, &state, NULL);
  if (g_thread_self () != starter->thread)
    g_atomic_int_set (&starter->others, TRUE);
  else if (g_atomic_int_get (&starter->others))
    starter->interfered = TRUE;
  else if (state == GST_STATE_PAUSED)
    g_usleep (G_USEC_PER_SEC / 10);

  return GST_BUS_PASS;
}

static void
test_slow_start (gconstpointer name)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), name, NULL);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autoptr (EarSource) source = ear_source_new (uri, NULL, 2);
  g_autoptr (EarTestSound) sound = ear_test_sound_new ();
  g_autoptr (EarTempo) tempo = ear_tempo_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) playbin = ear_playbin_new (source, tempo, ear_test_sound_make_sink, G_OBJECT (sound), &error);
  g_autoptr (GstBus) bus = NULL;
  Starter starter = { .thread = g_thread_self () };

  g_assert_no_error (error);
  bus = gst_element_get_bus (playbin);
  gst_bus_set_sync_handler (bus, message_cb, &starter, NULL);

  g_assert_cmpint (ear_playbin_set_playing (playbin, FALSE), ==, GST_STATE_CHANGE_ASYNC);
  g_assert_cmpint (gst_element_get_state (playbin, NULL, NULL, PATIENCE), ==, GST_STATE_CHANGE_SUCCESS);
  g_assert_cmpuint (ear_tempo_get_beginnings (tempo), ==, 1);
  g_assert_false (starter.interfered);

  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  ear_playbin_end (g_steal_pointer (&playbin));
}

/* Creates a sink that accepts the first buffer and fails with the second. */
static GstElement *
make_broken_sink (GObject *owner)
{
  return gst_parse_bin_from_description ("identity error-after=1 ! fakesink", TRUE, NULL);
}

static void
forget_cb (gpointer pads, GObject *pad)
{
  g_ptr_array_remove_fast (pads, pad);
}

static gboolean
watch_pad_cb (GstElement *element, GstPad *pad, gpointer pads)
{
  g_ptr_array_add (pads, pad);
  g_object_weak_ref (G_OBJECT (pad), forget_cb, pads);

  return TRUE;
}

static void
watch_inputs_cb (const GValue *element, gpointer pads)
{
  gst_element_foreach_sink_pad (g_value_get_object (element), watch_pad_cb, pads);
}

/* Watches the pads requested for the media's streams. */
static void
watch_inputs (GstElement *playbin, const char *factory, GPtrArray *pads)
{
  GstIterator *elements = gst_bin_iterate_all_by_element_factory_name (GST_BIN (playbin), factory);

  g_assert_cmpint (gst_iterator_foreach (elements, watch_inputs_cb, pads), ==, GST_ITERATOR_DONE);
  gst_iterator_free (elements);
}

/* Ends a playbin that fails while it opens. */
static void
check_end (const char *path, guint inputs)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autoptr (EarSource) source = ear_source_new (uri, NULL, 2);
  g_autoptr (EarTempo) tempo = ear_tempo_new ();
  g_autoptr (GPtrArray) pads = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) playbin = ear_playbin_new (source, tempo, make_broken_sink, NULL, &error);
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;

  g_assert_no_error (error);
  bus = gst_element_get_bus (playbin);
  g_assert_cmpint (ear_playbin_set_playing (playbin, FALSE), ==, GST_STATE_CHANGE_ASYNC);
  message = gst_bus_timed_pop_filtered (bus, PATIENCE, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);

  watch_inputs (playbin, "streamsynchronizer", pads);
  watch_inputs (playbin, "playsink", pads);
  g_assert_cmpuint (pads->len, ==, inputs);
  ear_playbin_end (g_steal_pointer (&playbin));
  g_assert_cmpuint (pads->len, ==, 0);
}

/* Playbin treats the text as subtitles, which no decoder can read. */
static void
test_end_page (void)
{
  g_autofree char *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "page.html", NULL);

  g_assert_true (g_file_set_contents (path, "<!DOCTYPE html>\n<html><body><p>Sign in</p></body></html>\n", -1, NULL));
  check_end (path, 1);
  g_assert_no_errno (g_unlink (path));
  g_assert_no_errno (g_rmdir (folder));
}

/* The sound output fails. */
static void
test_end_sound (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("EAR_CLIPS"), "minute.opus", NULL);

  check_end (path, 2);
}

/* GStreamer and its plugins are loaded before the first playback, once a player that has
 * prepared them has ended. */
static void
test_prepared (void)
{
  EarPlayer *player = ear_player_new (NULL);

  g_assert_false (gst_is_initialized ());
  ear_player_prepare (player);
  ear_player_prepare (player);
  g_object_unref (player);

  g_assert_true (gst_is_initialized ());
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GstPlugin) plugin = gst_registry_find_plugin (gst_registry_get (), i == 0 ? "playback" : "pulseaudio");

      g_assert_true (gst_plugin_is_loaded (plugin));
    }
}

/* A player whose sink blocks at the first buffer until the test releases it. */
typedef struct
{
  EarPlayer *player;
  EarEpisode *episode;
  EarTestServer *server; /* (nullable): server to stream from */
  char *path;

  /* Any thread, under the lock */
  GMutex lock;
  GCond changed;
  gboolean begun; /* the first buffer is at the sink */
  gboolean left;  /* the test released the sink */
  gboolean heard;
  GstClockTime place; /* of the first sound heard */
} Beginning;

static void
preroll_cb (GstElement *sink, GstBuffer *buffer, GstPad *pad, Beginning *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);
  self->begun = TRUE;
  while (!self->left)
    g_cond_wait (&self->changed, &self->lock);
}

static void
heard_cb (GstElement *sink, GstBuffer *buffer, GstPad *pad, Beginning *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);
  if (!self->heard)
    self->place = GST_BUFFER_PTS (buffer);
  self->heard = TRUE;
  g_cond_broadcast (&self->changed);
}

static GstElement *
make_told_sink (GObject *owner)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  Beginning *self = g_object_get_data (owner, "beginning");

  g_object_set (sink, "sync", TRUE, "signal-handoffs", TRUE, NULL);
  g_signal_connect (sink, "preroll-handoff", G_CALLBACK (preroll_cb), self);
  g_signal_connect (sink, "handoff", G_CALLBACK (heard_cb), self);

  return sink;
}

static gboolean
is_set (Beginning *self, const gboolean *what)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);

  return *what;
}

static void
wait_for (Beginning *self, const gboolean *what)
{
  while (!is_set (self, what))
    g_main_context_iteration (NULL, FALSE);
}

static void
leave (Beginning *self)
{
  G_MUTEX_AUTO_LOCK (&self->lock, locker);
  self->left = TRUE;
  g_cond_broadcast (&self->changed);
}

static void
open_beginning (Beginning *self)
{
  ear_player_open (self->player, self->episode, self->server == NULL ? self->path : NULL,
                   self->path, 0);
  ear_player_play (self->player);
}

static void
beginning_set_up (Beginning *self, gconstpointer path)
{
  g_autoptr (GError) error = NULL;

  if (path != NULL)
    {
      self->server = ear_test_server_new ();
      ear_test_server_set_root (self->server, g_getenv ("EAR_CLIPS"));
      ear_test_server_start (self->server, &error);
      g_assert_no_error (error);
      self->path = ear_test_server_dup_url (self->server, 1, path);
    }
  else
    {
      self->path = g_build_filename (g_getenv ("EAR_CLIPS"), "minute.vbr.mp3", NULL);
    }
  self->player = ear_player_new (NULL);
  self->episode = ear_episode_new (1, NULL, "guid");
  g_object_set_data (G_OBJECT (self->episode), "beginning", self);
  ear_player_set_sink (self->player, make_told_sink, G_OBJECT (self->episode));
  open_beginning (self);
}

static void
beginning_tear_down (Beginning *self, gconstpointer data)
{
  ear_player_stop (self->player);
  g_clear_object (&self->player);
  g_clear_object (&self->episode);
  g_clear_object (&self->server);
  g_free (self->path);
}

/* Blocks the main thread until there is sound, as drawing would. */
static void
wait_while_drawing (Beginning *self)
{
  const gint64 deadline = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;

  G_MUTEX_AUTO_LOCK (&self->lock, locker);
  while (!self->heard)
    g_assert_true (g_cond_wait_until (&self->changed, &self->lock, deadline));
}

static void
buffering_cb (EarPlayer *player, GParamSpec *pspec, gpointer user_data)
{
  int buffering;

  g_object_get (player, "buffering", &buffering, NULL);
  g_assert_cmpint (buffering, ==, 100);
}

/* An episode starts while the main thread is busy. A stream starts too, as soon
 * as enough is buffered, and continues although the main thread later receives
 * older buffer levels. */
static void
test_at_once (Beginning *self, gconstpointer data)
{
  wait_for (self, &self->begun);
  leave (self);
  wait_while_drawing (self);

  g_signal_connect (self->player, "notify::buffering", G_CALLBACK (buffering_cb), NULL);
  while (ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    g_main_context_iteration (NULL, TRUE);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpint (ear_player_get_state (self->player), ==, EAR_PLAYER_PLAYING);
}

/* Playback does not start at the beginning if the listener has sought meanwhile. */
static void
test_at_once_elsewhere (Beginning *self, gconstpointer data)
{
  wait_for (self, &self->begun);
  ear_player_seek (self->player, 30 * G_USEC_PER_SEC);
  leave (self);
  wait_for (self, &self->heard);
  g_assert_cmpuint (self->place, >, 29 * GST_SECOND);
}

/* Paused at any moment of its start, the player still becomes ready and can continue. */
static void
test_at_once_paused (Beginning *self, gconstpointer data)
{
  leave (self);
  for (gint64 patience = 0; patience < 40000; patience += 500)
    {
      const gint64 until = g_get_monotonic_time () + patience;

      ear_player_stop (self->player);
      open_beginning (self);
      while (g_get_monotonic_time () < until)
        g_main_context_iteration (NULL, FALSE);
      ear_player_pause (self->player);
      while (!ear_player_get_seekable (self->player))
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (ear_player_get_state (self->player), ==, EAR_PLAYER_PAUSED);
      ear_player_play (self->player);
      while (ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
        g_main_context_iteration (NULL, TRUE);
    }
}

#define ADD(name, path, function) \
  g_test_add ("/player/playbin" name, Beginning, path, beginning_set_up, function, beginning_tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/player/playbin/prepared", test_prepared);
  ADD ("/at-once", NULL, test_at_once);
  ADD ("/at-once/elsewhere", NULL, test_at_once_elsewhere);
  ADD ("/at-once/paused", NULL, test_at_once_paused);
  ADD ("/at-once/streamed", "/~slow=40000/minute.cbr.mp3", test_at_once);
  ADD ("/at-once/streamed/elsewhere", "/minute.cbr.mp3", test_at_once_elsewhere);
  ADD ("/at-once/streamed/paused", "/minute.cbr.mp3", test_at_once_paused);
  g_test_add_data_func ("/player/playbin/slow-start/mp3", "minute.vbr.mp3", test_slow_start);
  g_test_add_data_func ("/player/playbin/slow-start/opus", "minute.opus", test_slow_start);
  g_test_add_data_func ("/player/playbin/slow-start/m4a", "minute.m4a", test_slow_start);
  g_test_add_func ("/player/playbin/end/page", test_end_page);
  g_test_add_func ("/player/playbin/end/sound", test_end_sound);

  return g_test_run ();
}
