/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-player-error.h"

#include "ear-address.h"
#include "ear-error.h"

static const struct
{
  guint status;
  EarError code;
} statuses[] = {
  /* The server promised the missing part, but did not send it. */
  { 200, EAR_ERROR_INCOMPLETE }, { 206, EAR_ERROR_INCOMPLETE },
  { 401, EAR_ERROR_UNAUTHORIZED }, { 407, EAR_ERROR_UNAUTHORIZED },
  { 402, EAR_ERROR_FORBIDDEN }, { 403, EAR_ERROR_FORBIDDEN }, { 451, EAR_ERROR_FORBIDDEN },
  { 404, EAR_ERROR_NOT_FOUND }, { 410, EAR_ERROR_GONE },
  { 408, EAR_ERROR_TIMED_OUT }, { 504, EAR_ERROR_TIMED_OUT },
  { 429, EAR_ERROR_BUSY }, { 503, EAR_ERROR_BUSY },
};

static EarError
code_of_status (guint status, EarSource *source)
{
  if (status == 401 && source->user != NULL)
    return EAR_ERROR_WRONG_LOGIN;
  for (gsize i = 0; i < G_N_ELEMENTS (statuses); i++)
    if (statuses[i].status == status)
      return statuses[i].code;

  if (status >= 300 && status < 400 && ear_source_is_location_lost (source))
    return EAR_ERROR_NOT_FOUND;
  if (status >= 300 && status < 400)
    {
      /* The source stopped at a redirect: there were too many, or one leads to
       * no web address. */
      g_autofree char *target = source->location != NULL ? ear_address_resolve ("http://localhost/", source->location) : NULL;

      return source->location != NULL && target == NULL ? EAR_ERROR_UNSAFE_ADDRESS : EAR_ERROR_REDIRECTS;
    }

  return EAR_ERROR_SERVER;
}

static gboolean
is_element (GstObject *object, GstElementFlags flag)
{
  return GST_IS_ELEMENT (object) && GST_OBJECT_FLAG_IS_SET (object, flag);
}

static EarError
code_of_resource (int code)
{
  switch (code)
    {
    case GST_RESOURCE_ERROR_NOT_FOUND:
      return EAR_ERROR_NOT_FOUND;
    case GST_RESOURCE_ERROR_NOT_AUTHORIZED:
      return EAR_ERROR_FORBIDDEN;
    case GST_RESOURCE_ERROR_READ:
      return EAR_ERROR_INCOMPLETE;
    case GST_RESOURCE_ERROR_NO_SPACE_LEFT:
      return EAR_ERROR_NO_SPACE;
    default:
      return EAR_ERROR_FAILED;
    }
}

static EarError
code_of_stream (int code, EarSource *source)
{
  switch (code)
    {
    case GST_STREAM_ERROR_TYPE_NOT_FOUND:
    case GST_STREAM_ERROR_WRONG_TYPE:
      /* The data is no sound. A downloaded file was checked when it was stored. */
      return source->web_page ? EAR_ERROR_WEB_PAGE : source->local ? EAR_ERROR_DAMAGED
                                                                   : EAR_ERROR_NOT_A_FEED;
    case GST_STREAM_ERROR_CODEC_NOT_FOUND:
      return source->web_page ? EAR_ERROR_WEB_PAGE : EAR_ERROR_CODEC;
    default:
      return EAR_ERROR_CODEC;
    }
}

/* Converts a message of GStreamer to an #EarError. Keeps GStreamer's text for users and
 * drops the one for developers, because that contains the URL.
 * @message: an error of GStreamer, or a warning that stops playback
 * Returns: (transfer full) (nullable): the error, or %NULL if the connection failed and
 * GStreamer gives no reason */
GError *
ear_player_error_from_message (GstMessage *message, EarSource *source)
{
  g_autoptr (GError) error = NULL;
  const GstStructure *details = NULL;
  guint status = 0;
  EarError code = EAR_ERROR_FAILED;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    {
      gst_message_parse_warning (message, &error, NULL);
      gst_message_parse_warning_details (message, &details);
    }
  else
    {
      gst_message_parse_error (message, &error, NULL);
      gst_message_parse_error_details (message, &details);
    }

  if (source->bad_certificate)
    code = EAR_ERROR_CERTIFICATE;
  else if (is_element (GST_MESSAGE_SRC (message), GST_ELEMENT_FLAG_SINK))
    code = EAR_ERROR_SOUND_DEVICE;
  else if (details != NULL && gst_structure_get_uint (details, "http-status-code", &status) && status != 0)
    code = code_of_status (status, source);
  else if (error->domain == GST_RESOURCE_ERROR)
    code = code_of_resource (error->code);
  else if (error->domain == GST_STREAM_ERROR && is_element (GST_MESSAGE_SRC (message), GST_ELEMENT_FLAG_SOURCE))
    return NULL;
  else if (error->domain == GST_STREAM_ERROR)
    code = code_of_stream (error->code, source);
  else if (g_error_matches (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN))
    code = EAR_ERROR_CODEC;

  return g_error_new_literal (EAR_ERROR, code, error->message);
}

/* Text in place of sound is taken for a web page, whatever its type: typically a form to
 * sign in, to pay or to search. */
static gboolean
is_web_page (GstStream *stream)
{
  g_autoptr (GstCaps) caps = gst_stream_get_caps (stream);

  return caps != NULL && gst_caps_get_size (caps) > 0 &&
         g_str_has_prefix (gst_structure_get_name (gst_caps_get_structure (caps, 0)), "text/");
}

/* Finds media without sound, which GStreamer would play silently.
 * Returns: (transfer full) (nullable): the error, or %NULL if there is sound */
GError *
ear_player_error_from_streams (GstMessage *message, EarSource *source)
{
  g_autoptr (GstStreamCollection) collection = NULL;
  gboolean web_page = source->web_page;
  guint n;

  gst_message_parse_stream_collection (message, &collection);
  n = gst_stream_collection_get_size (collection);
  for (guint i = 0; i < n; i++)
    {
      GstStream *stream = gst_stream_collection_get_stream (collection, i);

      if (gst_stream_get_stream_type (stream) & GST_STREAM_TYPE_AUDIO)
        return NULL;
      web_page = web_page || is_web_page (stream);
    }
  if (n == 0)
    return NULL;

  /* Segments of an HLS stream whose demuxer is not installed */
  if (ear_source_get_content (source) == EAR_MEDIA_CONTENT_STREAM)
    return g_error_new_literal (EAR_ERROR, EAR_ERROR_CODEC, "Its pieces cannot be read");

  return g_error_new_literal (EAR_ERROR, web_page ? EAR_ERROR_WEB_PAGE : EAR_ERROR_NO_MEDIA, "There is no sound in it");
}

/* Converts an error of GIO to an #EarError.
 * Returns: (transfer full): the error */
GError *
ear_player_error_from_connecting (const GError *error)
{
  EarError code = EAR_ERROR_UNREACHABLE;

  if (g_error_matches (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE))
    code = EAR_ERROR_CERTIFICATE;
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    code = EAR_ERROR_TIMED_OUT;
  else if (error->domain == G_RESOLVER_ERROR || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NETWORK_UNREACHABLE))
    code = EAR_ERROR_OFFLINE;
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_HOST_UNREACHABLE) &&
           !g_network_monitor_get_network_available (g_network_monitor_get_default ()))
    code = EAR_ERROR_OFFLINE;

  return g_error_new_literal (EAR_ERROR, code, error->message);
}

/* Without a sound device, autoaudiosink only warns and discards the sound. */
gboolean
ear_player_error_is_missing_output (GstMessage *message)
{
  GstObject *source = GST_MESSAGE_SRC (message);
  g_autofree char *name = GST_IS_ELEMENT (source) ? gst_object_get_name (source) : NULL;

  return name != NULL && g_str_has_prefix (name, "autoaudiosink");
}
