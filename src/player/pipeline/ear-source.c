/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-source.h"

#include "ear-address.h"

#include <glib/gstdio.h>
#include <string.h>

/* A browser's user agent, for servers that reject all others. */
#define PLAIN_USER_AGENT "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

#define REDIRECTS_LIMIT 10

/* How many addresses from playlists are tried; a playlist may lead to another one. */
#define ENTRIES_LIMIT 5

/* If a server sends another file this often, it is asked for the whole file. */
#define CHANGES_LIMIT 2

static void
forget_answers (EarSource *self)
{
  g_clear_pointer (&self->location, g_free);
  self->answered = FALSE;
  self->web_page = FALSE;
  self->bad_certificate = FALSE;
  self->size = -1;
  self->asked = g_get_monotonic_time ();
  g_clear_pointer (&self->etag, g_free);
  g_clear_pointer (&self->last_modified, g_free);
  g_clear_pointer (&self->head, g_byte_array_unref);
  g_atomic_int_set (&self->content, EAR_MEDIA_CONTENT_UNKNOWN);
  self->total = -1;
  g_atomic_int_set (&self->has_table, FALSE);
  g_atomic_int_set (&self->refused, EAR_SOURCE_FITS);
}

/* Compares names of headers without case. */
static const char *
find_header (const GstStructure *headers, const char *name)
{
  int n = gst_structure_n_fields (headers);

  for (int i = 0; i < n; i++)
    {
      const char *field = gst_structure_nth_field_name (headers, (guint) i);

      if (g_ascii_strcasecmp (field, name) == 0)
        return gst_structure_get_string (headers, field);
    }

  return NULL;
}

/* Reads "bytes 10-99/100"; @total becomes -1 if the server does not know it. */
static void
read_content_range (const char *text, gint64 *first, gint64 *total)
{
  const char *slash = text != NULL ? strchr (text, '/') : NULL;

  if (slash == NULL || g_ascii_strncasecmp (text, "bytes", 5) != 0)
    return;
  *first = g_ascii_strtoll (text + 5, NULL, 10);
  *total = slash[1] == '*' ? -1 : g_ascii_strtoll (slash + 1, NULL, 10);
}

static gint64
read_length (const GstStructure *headers)
{
  const char *length = find_header (headers, "Content-Length");

  return length != NULL && find_header (headers, "Content-Encoding") == NULL
             ? g_ascii_strtoll (length, NULL, 10)
             : -1;
}

/* @first: (out) (optional): the first byte of the range
 * Returns: the size of the whole file; -1 if unknown */
static gint64
read_total (const GstStructure *headers, guint status, gint64 *first)
{
  gint64 begins = 0;
  gint64 total = -1;

  if (status == 206)
    read_content_range (find_header (headers, "Content-Range"), &begins, &total);
  else
    total = read_length (headers);
  if (first != NULL)
    *first = begins;

  return total;
}

static void
take_response (EarSource *self, const GstStructure *headers, guint status)
{
  const char *type = find_header (headers, "Content-Type");

  self->web_page = type != NULL && (g_ascii_strncasecmp (type, "text/html", 9) == 0 ||
                                    g_ascii_strncasecmp (type, "application/xhtml", 17) == 0);
  g_set_str (&self->location, find_header (headers, "Location"));
  if (status == 200 || status == 206)
    self->size = read_total (headers, status, NULL);
}

static void
take_headers (EarSource *self, const GstStructure *headers)
{
  const GValue *response = gst_structure_get_value (headers, "response-headers");
  guint status = 0;

  /* Status 0 means that no response came. */
  if (gst_structure_get_uint (headers, "http-status-code", &status) && status != 0)
    {
      self->asked = g_get_monotonic_time ();
      if (status >= 200 && status < 300)
        {
          self->answered = TRUE;
          self->redirects = 0;
        }
    }
  if (response != NULL && GST_VALUE_HOLDS_STRUCTURE (response))
    take_response (self, gst_value_get_structure (response), status);
}

/* The next functions check that a range belongs to the file of the first response (RFC
 * 9110, section 14). */

static gint64
read_request_range (const GstStructure *headers)
{
  const char *range = headers != NULL ? find_header (headers, "Range") : NULL;

  return range != NULL && g_str_has_prefix (range, "bytes=") ? g_ascii_strtoll (range + 6, NULL, 10)
                                                             : 0;
}

/* Files that differ in their bytes may share a weak tag. */
static const char *
find_strong_etag (const GstStructure *headers)
{
  const char *etag = find_header (headers, "ETag");

  return etag != NULL && *etag == '"' ? etag : NULL;
}

/* A missing header is not a difference. */
static gboolean
differs (const char *known, const char *now)
{
  return known != NULL && now != NULL && !g_str_equal (known, now);
}

static EarSourceRefusal
compare_answer (EarSource *self, const GstStructure *headers, guint status, gint64 asked)
{
  gint64 first;
  const gint64 total = read_total (headers, status, &first);
  const gboolean tagged = self->etag != NULL && find_strong_etag (headers) != NULL;

  if (status == 206 && first != asked)
    return EAR_SOURCE_UNRANGED;

  if (differs (self->etag, find_strong_etag (headers)) ||
      (self->total >= 0 && total >= 0 && self->total != total) ||
      (!tagged && differs (self->last_modified, find_header (headers, "Last-Modified"))))
    return EAR_SOURCE_CHANGED;

  if (self->etag == NULL)
    g_set_str (&self->etag, find_strong_etag (headers));
  if (self->last_modified == NULL)
    g_set_str (&self->last_modified, find_header (headers, "Last-Modified"));
  if (self->total < 0)
    self->total = total;

  return EAR_SOURCE_FITS;
}

static void
refuse (EarSource *self, GstElement *element, EarSourceRefusal refusal)
{
  g_atomic_int_set (&self->refused, refusal);
  gst_element_post_message (
      element,
      gst_message_new_application (GST_OBJECT (element), gst_structure_new_empty ("refused")));
}

static gboolean
can_play_streams (void)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (EAR_SOURCE_STREAM_READER);

  return factory != NULL;
}

static EarSourceRefusal
judge (EarMediaContent content)
{
  if (content == EAR_MEDIA_CONTENT_PLAYLIST)
    return EAR_SOURCE_PLAYLIST;
  if (content == EAR_MEDIA_CONTENT_UNKNOWN ||
      (content == EAR_MEDIA_CONTENT_STREAM && can_play_streams ()))
    return EAR_SOURCE_FITS;

  return EAR_SOURCE_NO_MEDIA;
}

/* Checks the first bytes, regardless of the type that the server claims, and
 * collects a playlist.
 * Returns: whether to keep the buffer from the pipeline */
static gboolean
take_buffer (EarSource *self, GstElement *element, GstBuffer *buffer)
{
  EarMediaContent content = ear_source_get_content (self);
  EarSourceRefusal refusal;
  GstMapInfo map;

  if ((self->head == NULL &&
       (GST_BUFFER_OFFSET (buffer) != 0 || content != EAR_MEDIA_CONTENT_UNKNOWN)) ||
      !gst_buffer_map (buffer, &map, GST_MAP_READ))
    return FALSE;

  if (self->head == NULL)
    content = ear_media_content_sniff (map.data, map.size);
  if (content == EAR_MEDIA_CONTENT_UNKNOWN && g_atomic_int_get (&self->called_playlist) &&
      ear_media_content_is_text (map.data, map.size))
    content = EAR_MEDIA_CONTENT_PLAYLIST;
  g_atomic_int_set (&self->content, content);
  refusal = judge (content);
  if (refusal == EAR_SOURCE_PLAYLIST)
    {
      if (self->head == NULL)
        self->head = g_byte_array_new ();
      if (self->head->len + map.size <= EAR_PLAYLIST_LIMIT)
        g_byte_array_append (self->head, map.data, (guint) map.size);
      else
        refusal = EAR_SOURCE_NO_MEDIA;
    }
  gst_buffer_unmap (buffer, &map);
  if (refusal == EAR_SOURCE_NO_MEDIA)
    refuse (self, element, refusal);

  return refusal != EAR_SOURCE_FITS;
}

/* Keeps the bytes of a refused response from the pipeline: the element pauses
 * as if flushed. */
static GstPadProbeReturn
data_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarSource *self = user_data;
  g_autoptr (GstElement) element = gst_pad_get_parent_element (pad);

  if (element == NULL || (g_atomic_int_get (&self->refused) == EAR_SOURCE_FITS &&
                          !take_buffer (self, element, GST_PAD_PROBE_INFO_BUFFER (info))))
    return GST_PAD_PROBE_OK;

  gst_mini_object_unref (info->data);
  info->data = NULL;
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) =
    g_atomic_int_get (&self->refused) == EAR_SOURCE_FITS ? GST_FLOW_OK : GST_FLOW_FLUSHING;

  return GST_PAD_PROBE_HANDLED;
}

/* The end of a playlist is not the end of the media. */
static GstPadProbeReturn
end_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  EarSource *self = user_data;
  g_autoptr (GstElement) element = gst_pad_get_parent_element (pad);

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_EOS || element == NULL)
    return GST_PAD_PROBE_OK;
  if (self->head != NULL && g_atomic_int_get (&self->refused) == EAR_SOURCE_FITS)
    refuse (self, element, EAR_SOURCE_PLAYLIST);

  return g_atomic_int_get (&self->refused) == EAR_SOURCE_FITS ? GST_PAD_PROBE_OK
                                                              : GST_PAD_PROBE_DROP;
}

/* Tells demuxers that the source cannot seek, for a server that sends no ranges. */
static GstPadProbeReturn
query_probe_cb (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  GstFormat format;

  if (GST_QUERY_TYPE (query) != GST_QUERY_SEEKING)
    return GST_PAD_PROBE_OK;

  gst_query_parse_seeking (query, &format, NULL, NULL, NULL);
  gst_query_set_seeking (query, format, FALSE, 0, -1);

  return GST_PAD_PROBE_HANDLED;
}

static void
release_source (gpointer self)
{
  ear_source_unref (self);
}

static void
watch_pad (EarSource *self, GstElement *element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, data_probe_cb, ear_source_ref (self),
                     release_source);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, end_probe_cb, ear_source_ref (self),
                     release_source);
  if (!self->ranges)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM | GST_PAD_PROBE_TYPE_PUSH,
                       query_probe_cb, NULL, NULL);
}

/* Sets the URI to request, and the credentials in it if there are no others. */
static void
set_address (EarSource *self, const char *address)
{
  g_autoptr (GUri) uri = ear_address_parse_for_request (address);
  g_autoptr (GUri) written =
      uri != NULL
          ? g_uri_parse (address, EAR_ADDRESS_REQUEST_FLAGS | G_URI_FLAGS_PARSE_RELAXED, NULL)
          : NULL;

  g_free (self->uri);
  self->uri = uri != NULL ? g_uri_to_string (uri) : g_strdup (address);
  if (self->user == NULL && written != NULL && g_uri_get_user (written) != NULL &&
      *g_uri_get_user (written) != '\0')
    {
      self->user = g_strdup (g_uri_get_user (written));
      self->password =
          g_strdup (g_uri_get_password (written) != NULL ? g_uri_get_password (written) : "");
    }
}

/* Continues at another address. Never sends the password to another server. */
void
ear_source_go_to (EarSource *self, const char *target)
{
  g_autoptr (GUri) uri = ear_address_parse_for_request (target);

  if (!ear_address_trusts (self->uri, target))
    {
      g_clear_pointer (&self->user, g_free);
      g_clear_pointer (&self->password, g_free);
    }
  g_free (self->uri);
  self->uri = g_uri_to_string (uri);
}

/* Returns: whether libsoup replaced bytes in the redirect's address */
gboolean
ear_source_is_location_lost (EarSource *self)
{
  return self->location != NULL && strstr (self->location, "\xef\xbf\xbd") != NULL;
}

/* Follows a redirect here and not in the source element, so that later seeks ask only the
 * last address, and the number is limited. */
static gboolean
follow_redirect (EarSource *self)
{
  g_autofree char *target = NULL;

  /* The changed address may lead to something else. */
  if (ear_source_is_location_lost (self))
    return FALSE;
  target = ear_address_resolve (self->uri, self->location);
  if (target == NULL || ++self->redirects > REDIRECTS_LIMIT)
    return FALSE;
  ear_source_go_to (self, target);

  return TRUE;
}

/* Returns: whether the playlist has another address */
static gboolean
follow_entry (EarSource *self)
{
  if (self->entries == NULL || self->entries[0] == NULL || self->n_entries >= ENTRIES_LIMIT)
    return FALSE;

  self->n_entries++;
  ear_source_go_to (self, self->entries[0]);
  g_free (self->entries[0]);
  memmove (self->entries, self->entries + 1,
           (g_strv_length (self->entries + 1) + 1) * sizeof *self->entries);

  return TRUE;
}

static gboolean
follow_playlist (EarSource *self)
{
  g_clear_pointer (&self->entries, g_strfreev);
  self->entries = ear_playlist_parse ((const char *) self->head->data, self->head->len, self->uri);

  return follow_entry (self);
}

/* Runs in a streaming thread. GStreamer's source gives no reason when a connection fails,
 * so this one is posted as a message. */
static gboolean
accept_certificate_cb (GstElement          *element,
                       GTlsCertificate     *certificate,
                       GTlsCertificateFlags errors,
                       gpointer             user_data)
{
  gst_element_post_message (element, gst_message_new_application (GST_OBJECT (element),
                                                                  gst_structure_new_empty ("bad-certificate")));

  return FALSE;
}

/* Whether the element reads this source's URI. */
static gboolean
reads_uri (EarSource *self, GstElement *element)
{
  g_autofree char *uri = GST_IS_URI_HANDLER (element) ? gst_uri_handler_get_uri (GST_URI_HANDLER (element)) : NULL;
  g_autofree char *path = NULL;
  g_autofree char *own_path = NULL;

  if (uri == NULL || !self->local)
    return g_strcmp0 (uri, self->uri) == 0;

  /* A path can be escaped in more than one way. */
  path = g_filename_from_uri (uri, NULL, NULL);
  own_path = g_filename_from_uri (self->uri, NULL, NULL);

  return path != NULL && g_strcmp0 (path, own_path) == 0;
}

/* Sends the same header as feeds and downloads do, in UTF-8 (RFC 7617): libsoup would
 * send Latin-1. libsoup gets the credentials too, for schemes other than Basic. */
static void
set_credentials (EarSource *self, GstElement *element)
{
  const char *password = self->password != NULL ? self->password : "";
  g_autofree char *pair = g_strconcat (self->user, ":", password, NULL);
  g_autofree char *encoded = g_base64_encode ((const guchar *) pair, strlen (pair));
  g_autofree char *value = g_strconcat ("Basic ", encoded, NULL);
  g_autoptr (GstStructure) headers =
      gst_structure_new ("headers", "Authorization", G_TYPE_STRING, value, NULL);

  g_object_set (element, "extra-headers", headers, "user-id", self->user, "user-pw", password,
                NULL);
}

static void
set_up_http (EarSource *self, GstElement *element)
{
  g_object_set (element,
                "timeout", self->timeout,
                "ssl-strict", TRUE,
                "iradio-mode", FALSE,
                "retries", 2,
                "retry-backoff-factor", 0.25,
                "automatic-redirect", FALSE,
                /* The default is `http_proxy`, for all addresses. Without a
                 * proxy, the element asks the system's resolver, like the rest
                 * of the application. */
                "proxy", "",
                NULL);
  if (self->plain_agent)
    g_object_set (element, "user-agent", PLAIN_USER_AGENT, NULL);
  else if (self->user_agent != NULL)
    g_object_set (element, "user-agent", self->user_agent, NULL);
  if (self->user != NULL)
    set_credentials (self, element);

  g_signal_connect (element, "accept-certificate", G_CALLBACK (accept_certificate_cb), NULL);
  watch_pad (self, element);
}

static gint64
find_file_size (const char *uri)
{
  g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);
  GStatBuf status;

  return path != NULL && g_stat (path, &status) == 0 ? status.st_size : -1;
}

/* @uri: a web address, or the `file:` URI of a trusted file
 * @user_agent: (nullable): the user agent
 * @timeout: seconds that a server may be silent */
EarSource *
ear_source_new (const char *uri, const char *user_agent, guint timeout)
{
  EarSource *self = g_atomic_rc_box_new0 (EarSource);

  self->user_agent = g_strdup (user_agent);
  self->timeout = timeout;
  self->local = g_str_has_prefix (uri, "file:");
  set_address (self, uri);
  self->ranges = TRUE;
  forget_answers (self);
  if (self->local)
    self->size = find_file_size (uri);

  return self;
}

EarSource *
ear_source_ref (EarSource *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
source_clear (gpointer data)
{
  EarSource *self = data;

  g_free (self->uri);
  g_free (self->user_agent);
  g_free (self->user);
  g_free (self->password);
  g_free (self->location);
  g_free (self->etag);
  g_strfreev (self->entries);
  g_clear_pointer (&self->head, g_byte_array_unref);
  g_free (self->last_modified);
}

/* Any thread. */
void
ear_source_unref (EarSource *self)
{
  g_atomic_rc_box_release_full (self, source_clear);
}

/* Configures the element that reads the source. Any thread.
 *
 * QuickTime files may contain another address, which GStreamer would open, whatever it
 * is: this keeps that element from ever starting, and posts a message.
 * @element: the element that reads the source */
void
ear_source_set_up (EarSource *self, GstElement *element)
{
  if (!reads_uri (self, element))
    {
      gst_element_set_locked_state (element, TRUE);
      gst_element_post_message (element, gst_message_new_application (GST_OBJECT (element),
                                                                      gst_structure_new_empty ("elsewhere")));
    }
  else if (!self->local)
    {
      set_up_http (self, element);
    }
}

/* Records a response of the server, if @message is one. */
void
ear_source_take_message (EarSource *self, GstMessage *message)
{
  if (gst_message_has_name (message, "http-headers"))
    take_headers (self, gst_message_get_structure (message));
  else if (gst_message_has_name (message, "bad-certificate"))
    self->bad_certificate = TRUE;
}

/* Compares a response with the first one, in the thread of the response and before its
 * bytes are passed on. GStreamer requests the rest by itself when a connection breaks,
 * and accepts any range as the right one.
 * @message: any message of an element */
void
ear_source_check_answer (EarSource *self, GstMessage *message)
{
  const GstStructure *structure = gst_message_get_structure (message);
  const GValue *response = gst_structure_get_value (structure, "response-headers");
  const GValue *request = gst_structure_get_value (structure, "request-headers");
  EarSourceRefusal refusal;
  guint status = 0;

  if (!gst_message_has_name (message, "http-headers") || response == NULL ||
      !GST_VALUE_HOLDS_STRUCTURE (response) ||
      !gst_structure_get_uint (structure, "http-status-code", &status) ||
      (status != 200 && status != 206))
    return;

  g_atomic_int_set (&self->called_playlist,
                    ear_media_content_is_called_playlist (
                      self->uri, find_header (gst_value_get_structure (response), "Content-Type")));
  refusal = compare_answer (self, gst_value_get_structure (response), status,
                            request != NULL && GST_VALUE_HOLDS_STRUCTURE (request)
                                ? read_request_range (gst_value_get_structure (request))
                                : 0);
  if (refusal == EAR_SOURCE_FITS)
    return;
  refuse (self, GST_ELEMENT (GST_MESSAGE_SRC (message)), refusal);
}

/* Prepares another request after a refusal: for the changed file, for the whole file, or
 * for an address in the playlist.
 * Returns: whether a response was refused and another request is possible */
gboolean
ear_source_ask_anew (EarSource *self)
{
  const EarSourceRefusal refusal = g_atomic_int_get (&self->refused);
  gboolean found = FALSE;

  if (refusal == EAR_SOURCE_PLAYLIST)
    found = follow_playlist (self);
  else if (refusal == EAR_SOURCE_NO_MEDIA)
    found = follow_entry (self);
  else if (refusal != EAR_SOURCE_FITS && self->ranges)
    {
      self->ranges = refusal == EAR_SOURCE_CHANGED && ++self->changes <= CHANGES_LIMIT;
      found = TRUE;
    }
  if (found)
    forget_answers (self);

  return found;
}

/* Returns: the kind of the last response, by its first bytes */
EarMediaContent
ear_source_get_content (EarSource *self)
{
  return g_atomic_int_get (&self->content);
}

/* Returns: whether the status means that a server, which sent the whole file before,
 * sends no ranges */
static gboolean
refuses_parts (guint status)
{
  return status == 400 || status == 405 || status == 416 || status == 501;
}

/* Looks for another kind of request, each tried once: as a browser if our user agent was
 * rejected, the next address of a redirect or a playlist, the whole file if the server
 * sends no ranges. */
gboolean
ear_source_find_other_way (EarSource *self, GstMessage *error)
{
  const GstStructure *details = NULL;
  g_autoptr (GError) reason = NULL;
  gboolean found = FALSE;
  guint status = 0;

  gst_message_parse_error (error, &reason, NULL);
  gst_message_parse_error_details (error, &details);
  if (ear_source_ask_anew (self))
    return TRUE;
  if (details != NULL)
    gst_structure_get_uint (details, "http-status-code", &status);

  if (status == 403 && !self->plain_agent)
    found = self->plain_agent = TRUE;
  else if (status >= 300 && status < 400)
    found = follow_redirect (self);
  else if (self->ranges && (g_error_matches (reason, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SEEK) ||
                            (self->answered && refuses_parts (status))))
    {
      self->ranges = FALSE;
      found = TRUE;
    }
  else
    found = !self->answered && follow_entry (self);

  if (found)
    forget_answers (self);

  return found;
}
