/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-playbin.h"

#include "ear-error.h"
#include "ear-mpeg.h"
#include "ear-multiqueue.h"
#include "ear-ogg.h"
#include "ear-output.h"

#include <string.h>

/* Buffer up to half a minute, so that a short outage is not heard. Two or three seconds
 * are enough to start. */
#define BUFFER_DURATION (30 * GST_SECOND)
#define BUFFER_SIZE (4 * 1024 * 1024)
#define BUFFER_LOW 0.01
#define BUFFER_HIGH 0.08

#define OUTPUT_QUEUE (100 * GST_MSECOND)

/* Most readers of playlists (DASH and the like) would fetch any address in them,
 * including the listener's files. Episodes only come as HLS, for which one reader uses
 * nothing but HTTP. */
static gboolean
is_playlist_reader (GstPluginFeature *feature, gpointer user_data)
{
  const char *klass;

  if (!GST_IS_ELEMENT_FACTORY (feature))
    return FALSE;
  if (g_str_equal (gst_plugin_feature_get_name (feature), EAR_SOURCE_STREAM_READER))
    return FALSE;
  klass = gst_element_factory_get_metadata (GST_ELEMENT_FACTORY (feature), GST_ELEMENT_METADATA_KLASS);

  return strstr (klass, "Demuxer/Adaptive") != NULL || g_str_equal (gst_plugin_feature_get_name (feature), "sdpdemux");
}

static void
forbid_playlists (void)
{
  GList *readers = gst_registry_feature_filter (gst_registry_get (), is_playlist_reader, FALSE, NULL);

  for (GList *l = readers; l != NULL; l = l->next)
    gst_plugin_feature_set_rank (l->data, GST_RANK_NONE);

  gst_plugin_feature_list_free (readers);
}

static gboolean
is_made_by (GstElement *element, const char *name)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory != NULL && g_str_equal (GST_OBJECT_NAME (factory), name);
}

static gboolean
has_property (GstElement *element, const char *name)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (element), name) != NULL;
}

static void
source_setup_cb (GstElement *playbin, GstElement *element, gpointer user_data)
{
  ear_source_set_up (user_data, element);
}

/* Held while a pipeline changes its state. GStreamer (1.26 to 1.29) starts the threads of
 * a source before it has started all elements, and the thread that finds the type adds
 * the parser and starts it. If the thread that starts the pipeline reaches the parser at
 * the same moment, they deadlock: one start in a few thousand on a busy machine. If data
 * reaches a decoder that has not started, it stops forever without an error: one in a
 * hundred. So the type is announced only after the start is complete. The lock is
 * recursive, because an element may announce its type during a start. */
static GRecMutex starting;

static void
have_type_cb (GstElement *typefind, guint probability, GstCaps *caps, gpointer user_data)
{
  g_rec_mutex_lock (&starting);
  g_rec_mutex_unlock (&starting);
}

/* Called in any thread when playbin3 has created an element. */
static void
element_setup_cb (GstElement *playbin, GstElement *element, gpointer user_data)
{
  if (is_made_by (element, "oggdemux"))
    ear_ogg_keep_end (element);
  if (is_made_by (element, "mpegaudioparse"))
    ear_mpeg_check_table (element, user_data);
  if (is_made_by (element, "multiqueue"))
    ear_multiqueue_keep_filling (element);
  if (is_made_by (element, "typefind"))
    g_signal_connect (element, "have-type", G_CALLBACK (have_type_cb), NULL);

  if (has_property (element, "low-watermark") && has_property (element, "high-watermark"))
    g_object_set (element, "low-watermark", BUFFER_LOW, "high-watermark", BUFFER_HIGH, NULL);

  /* Sound between the filter and the output is heard at the old speed. */
  if (g_str_equal (GST_OBJECT_NAME (element), "aqueue"))
    g_object_set (element, "max-size-time", (guint64) OUTPUT_QUEUE, "max-size-buffers", 0, "max-size-bytes", 0, NULL);

  ear_output_watch (element);

  /* Sound servers use the role, for example when a call comes in. */
  if (has_property (element, "stream-properties") && has_property (element, "client-name"))
    {
      g_autoptr (GstStructure) properties = gst_structure_new ("properties",
                                                               "media.role", G_TYPE_STRING, "music",
                                                               NULL);

      g_object_set (element, "stream-properties", properties, NULL);
      if (g_get_application_name () != NULL)
        g_object_set (element, "client-name", g_get_application_name (), NULL);
    }
}

/* Loads GStreamer and the plugins that most episodes need, so that the first episode
 * starts as fast as later ones. On the first start after an installation GStreamer scans
 * all of its plugins for seconds. Call it in a thread that nothing waits for. */
void
ear_playbin_prepare (void)
{
  static const char *const factories[] = { "playbin3", "souphttpsrc", "filesrc", "typefind", "mpegaudioparse", "mpg123audiodec",
                                           "audioconvert", "scaletempo", "volume", "audioresample", "autoaudiosink", "pulsesink" };
  g_autoptr (GstPluginFeature) mpeg = NULL, known = NULL;

  if (!gst_init_check (NULL, NULL, NULL))
    return;
  known = gst_registry_find_feature (gst_registry_get (), "audio/mpeg", GST_TYPE_TYPE_FIND_FACTORY);
  if (known != NULL)
    mpeg = gst_plugin_feature_load (known);
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++)
    {
      g_autoptr (GstElementFactory) factory = gst_element_factory_find (factories[i]);
      g_autoptr (GstPluginFeature) loaded = NULL;

      if (factory != NULL)
        loaded = gst_plugin_feature_load (GST_PLUGIN_FEATURE (factory));
    }
}

static const char beginning_key[] = "ear-beginning";

/* Decides when a playbin starts. Atomic, because messages come in any thread. */
typedef struct
{
  gboolean at_once; /* play as soon as possible; cleared only under `starting` */
  gboolean ready;   /* the first sound is at the output */
  int percent;      /* buffer level, percent of enough to play; negative: unknown */
  EarSource *source; /* owned; a file has no buffer */
} Beginning;

static gboolean
can_begin (const Beginning *beginning)
{
  const int percent = g_atomic_int_get (&beginning->percent);

  return g_atomic_int_get (&beginning->at_once) && g_atomic_int_get (&beginning->ready) &&
         (percent == 100 || (percent < 0 && beginning->source->local));
}

/* Runs in a thread of GStreamer's pool. */
static void
begin (GstElement *playbin, gpointer user_data)
{
  Beginning *beginning = g_object_get_data (G_OBJECT (playbin), beginning_key);

  g_rec_mutex_lock (&starting);
  if (can_begin (beginning))
    {
      g_atomic_int_set (&beginning->at_once, FALSE);
      gst_element_set_state (playbin, GST_STATE_PLAYING);
    }
  g_rec_mutex_unlock (&starting);
}

/* Runs in any thread, at the moment of the message. */
static GstBusSyncReply
message_cb (GstBus *bus, GstMessage *message, gpointer playbin)
{
  Beginning *beginning = g_object_get_data (playbin, beginning_key);
  int percent;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_BUFFERING)
    {
      gst_message_parse_buffering (message, &percent);
      g_atomic_int_set (&beginning->percent, percent);
    }
  else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ASYNC_DONE && GST_MESSAGE_SRC (message) == playbin)
    {
      g_atomic_int_set (&beginning->ready, TRUE);
    }
  else
    {
      if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT)
        ear_source_check_answer (beginning->source, message);
      return GST_BUS_PASS;
    }
  if (can_begin (beginning))
    gst_element_call_async (playbin, begin, NULL, NULL);

  return GST_BUS_PASS;
}

static void
beginning_free (gpointer data)
{
  Beginning *beginning = data;

  ear_source_unref (beginning->source);
  g_free (beginning);
}

static void
watch_beginning (GstElement *playbin, EarSource *source)
{
  Beginning *beginning = g_new0 (Beginning, 1);
  g_autoptr (GstBus) bus = gst_element_get_bus (playbin);

  beginning->percent = -1;
  beginning->source = ear_source_ref (source);
  g_object_set_data_full (G_OBJECT (playbin), beginning_key, beginning, beginning_free);
  gst_bus_set_sync_handler (bus, message_cb, playbin, NULL);
}

/* Creates a playbin3 for sound only. Loads GStreamer if necessary, which takes a second
 * or more on the first start after an installation: not for the main thread.
 * @make_sink: (nullable) (scope call): creates the sound output; %NULL for the listener's
 * @sink_owner: (nullable): argument of @make_sink
 * Returns: (transfer full) (nullable): the pipeline, in state NULL */
GstElement *
ear_playbin_new (EarSource         *source,
                 EarTempo          *tempo,
                 EarPlayerSinkFunc  make_sink,
                 GObject           *sink_owner,
                 GError           **error)
{
  static gsize forbidden = 0;
  GstElement *playbin, *filter, *sink;

  if (!gst_init_check (NULL, NULL, error))
    return NULL;
  if (g_once_init_enter (&forbidden))
    {
      forbid_playlists ();
      g_once_init_leave (&forbidden, 1);
    }

  playbin = gst_element_factory_make ("playbin3", NULL);
  filter = ear_tempo_get_filter (tempo);
  if (playbin == NULL || filter == NULL)
    {
      g_clear_pointer (&playbin, gst_object_unref);
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_CODEC, "playbin3, scaletempo or volume is not installed");
      return NULL;
    }

  sink = make_sink != NULL ? make_sink (sink_owner) : gst_element_factory_make ("autoaudiosink", NULL);
  gst_object_ref_sink (playbin);
  gst_util_set_object_arg (G_OBJECT (playbin), "flags", "audio+soft-volume+buffering");
  g_object_set (playbin,
                "uri", source->uri,
                "audio-filter", filter,
                "audio-sink", sink,
                "buffer-duration", (gint64) BUFFER_DURATION,
                "buffer-size", BUFFER_SIZE,
                NULL);
  g_signal_connect_data (playbin, "source-setup", G_CALLBACK (source_setup_cb), ear_source_ref (source),
                         (GClosureNotify) (void (*) (void)) ear_source_unref, 0);
  g_signal_connect (playbin, "element-setup", G_CALLBACK (element_setup_cb), source);
  watch_beginning (playbin, source);

  return playbin;
}

/* Makes the playbin play as soon as it can, in a thread of its own, because the main
 * thread may be drawing. The playbin is asked to play when it is ready and not before:
 * while it goes from PAUSED to PLAYING by itself, a request for PAUSED would stop both,
 * and every later request (GStreamer 1.26, gst_bin_continue_func()).
 * @playbin: a playbin that has not started */
void
ear_playbin_begin_at_once (GstElement *playbin)
{
  Beginning *beginning = g_object_get_data (G_OBJECT (playbin), beginning_key);

  g_atomic_int_set (&beginning->at_once, TRUE);
}

/* Cancels ear_playbin_begin_at_once(). */
void
ear_playbin_wait (GstElement *playbin)
{
  Beginning *beginning = g_object_get_data (G_OBJECT (playbin), beginning_key);

  g_rec_mutex_lock (&starting);
  g_atomic_int_set (&beginning->at_once, FALSE);
  g_rec_mutex_unlock (&starting);
}

/* Returns: the current buffer level in percent of enough to play; messages
 * carry older levels */
int
ear_playbin_get_buffering (GstElement *playbin)
{
  const Beginning *beginning = g_object_get_data (G_OBJECT (playbin), beginning_key);
  const int percent = g_atomic_int_get (&beginning->percent);

  return percent >= 0 ? percent : 100;
}

/* Starts, continues or pauses a playbin.
 * @playbin: a playbin; to play, one that is ready
 * Returns: the result of [method@Gst.Element.set_state] */
GstStateChangeReturn
ear_playbin_set_playing (GstElement *playbin, gboolean playing)
{
  GstStateChangeReturn result;

  g_rec_mutex_lock (&starting);
  result = gst_element_set_state (playbin, playing ? GST_STATE_PLAYING : GST_STATE_PAUSED);
  g_rec_mutex_unlock (&starting);

  return result;
}

/* Does nothing if the element has already left PAUSED. */
static void
leave_paused (GstElement *element)
{
  GST_STATE_LOCK (element);
  gst_element_change_state (element, GST_STATE_CHANGE_PAUSED_TO_READY);
  GST_STATE_UNLOCK (element);
}

/* After an error during opening, GStreamer (1.26 to 1.29) forgets that the playbin was on
 * its way to PAUSED, and would take it from READY to NULL. But playbin3 releases its
 * inputs of playsink only when it leaves PAUSED, and playsink those of its
 * streamsynchronizer: two pads would leak each time. So both leave PAUSED in any case,
 * once their threads have ended and no more errors can come. */
static void
let_inputs_go (GstElement *playbin)
{
  g_autoptr (GstElement) playsink = gst_bin_get_by_name (GST_BIN (playbin), "playsink");

  gst_element_set_state (playbin, GST_STATE_READY);
  if (playsink != NULL)
    leave_paused (playsink);
  leave_paused (playbin);
}

/* Ends a playbin in any state.
 * @playbin: (transfer full): a playbin whose bus has no more watch */
void
ear_playbin_end (GstElement *playbin)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (playbin);
  GstState state;

  gst_bus_set_flushing (bus, TRUE);
  gst_element_get_state (playbin, &state, NULL, 0);
  if (state != GST_STATE_NULL)
    let_inputs_go (playbin);
  gst_element_set_state (playbin, GST_STATE_NULL);
  gst_object_unref (playbin);
}
