/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-source.h"

/* What a browser calls itself: for servers that turn away everything else. */
#define PLAIN_USER_AGENT "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

#define REDIRECTS_LIMIT 10

static void
forget_answers (EarSource *self)
{
  g_clear_pointer (&self->location, g_free);
  self->answered = FALSE;
  self->web_page = FALSE;
  self->bad_certificate = FALSE;
  self->asked = g_get_monotonic_time ();
}

/* Servers write the names of headers in any case. */
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

static void
take_response (EarSource *self, const GstStructure *headers)
{
  const char *type = find_header (headers, "Content-Type");

  self->web_page = type != NULL && (g_ascii_strncasecmp (type, "text/html", 9) == 0 ||
                                    g_ascii_strncasecmp (type, "application/xhtml", 17) == 0);
  g_set_str (&self->location, find_header (headers, "Location"));
}

static void
take_headers (EarSource *self, const GstStructure *headers)
{
  const GValue *response = gst_structure_get_value (headers, "response-headers");
  guint status;

  /* A status of 0 tells that no answer came. */
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
    take_response (self, gst_value_get_structure (response));
}

/* Redirects are followed by ourselves: no other server gets to see the password, jumps ask
 * the last address without the way to it, and there is an end to them. */
static gboolean
follow_redirect (EarSource *self)
{
  g_autofree char *target = ear_address_resolve (self->uri, self->location);

  if (target == NULL || ++self->redirects > REDIRECTS_LIMIT)
    return FALSE;

  if (!ear_address_trusts (self->uri, target))
    {
      g_clear_pointer (&self->user, g_free);
      g_clear_pointer (&self->password, g_free);
    }
  g_set_str (&self->uri, target);

  return TRUE;
}

/* In a streaming thread. GStreamer's source gives no reason when a connection fails,
 * so the one that can be known at once is passed on. */
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

/* Whether it reads what we want it to. */
static gboolean
reads_uri (EarSource *self, GstElement *element)
{
  g_autofree char *uri = GST_IS_URI_HANDLER (element) ? gst_uri_handler_get_uri (GST_URI_HANDLER (element)) : NULL;
  g_autofree char *path = NULL;
  g_autofree char *own_path = NULL;

  if (uri == NULL || !self->local)
    return g_strcmp0 (uri, self->uri) == 0;

  /* The same path may be escaped in more than one way. */
  path = g_filename_from_uri (uri, NULL, NULL);
  own_path = g_filename_from_uri (self->uri, NULL, NULL);

  return path != NULL && g_strcmp0 (path, own_path) == 0;
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
                /* Its own idea is `http_proxy`, for all addresses. Without one it asks the system's
                 * resolver, as the rest of the application does. */
                "proxy", "",
                NULL);
  if (self->plain_agent)
    g_object_set (element, "user-agent", PLAIN_USER_AGENT, NULL);
  else if (self->user_agent != NULL)
    g_object_set (element, "user-agent", self->user_agent, NULL);
  if (self->user != NULL)
    g_object_set (element, "user-id", self->user, "user-pw", self->password, NULL);

  g_signal_connect (element, "accept-certificate", G_CALLBACK (accept_certificate_cb), NULL);
}

/* @uri: a web address, or a `file:` one that is known to be the listener's own
 * @user_agent: (nullable): what to call ourselves
 * @timeout: how many seconds a server may say nothing */
EarSource *
ear_source_new (const char *uri, const char *user_agent, guint timeout)
{
  EarSource *self = g_atomic_rc_box_new0 (EarSource);

  self->uri = g_strdup (uri);
  self->user_agent = g_strdup (user_agent);
  self->timeout = timeout;
  self->local = g_str_has_prefix (uri, "file:");
  self->ranges = TRUE;
  forget_answers (self);

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
}

/* Any thread may do so. */
void
ear_source_unref (EarSource *self)
{
  g_atomic_rc_box_release_full (self, source_clear);
}

/* Makes an element ask as it should. May be called in any thread.
 *
 * QuickTime files may hold another address, which GStreamer then opens, whatever it is:
 * that element is kept from ever starting, and the pipeline told by a message.
 * @self: a source
 * @element: the element that will read it */
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

/* Remembers what the server answered, if that is what the message tells. */
void
ear_source_take_message (EarSource *self, GstMessage *message)
{
  if (gst_message_has_name (message, "http-headers"))
    take_headers (self, gst_message_get_structure (message));
  else if (gst_message_has_name (message, "bad-certificate"))
    self->bad_certificate = TRUE;
}

/* Looks for another way to ask, each of which is tried once: as a browser where our
 * name was refused, the next address of a redirect, the whole where no part is sent.
 * @seeking: whether that was on the way to another place */
gboolean
ear_source_find_other_way (EarSource *self, GstMessage *error, gboolean seeking)
{
  const GstStructure *details = NULL;
  g_autoptr (GError) reason = NULL;
  gboolean found = FALSE;
  guint status = 0;

  gst_message_parse_error (error, &reason, NULL);
  gst_message_parse_error_details (error, &details);
  if (details == NULL || !gst_structure_get_uint (details, "http-status-code", &status))
    return FALSE;

  if (status == 403 && !self->plain_agent)
    found = self->plain_agent = TRUE;
  else if (status >= 300 && status < 400)
    found = follow_redirect (self);
  else if (g_error_matches (reason, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SEEK) && seeking && self->ranges)
    {
      self->ranges = FALSE;
      found = TRUE;
    }

  if (found)
    forget_answers (self);

  return found;
}
