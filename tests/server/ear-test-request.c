/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-request.h"

G_DEFINE_BOXED_TYPE (EarTestRequest, ear_test_request, ear_test_request_ref, ear_test_request_unref)

static void
append_json_string (GString    *json,
                    const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (json, '"');
  for (const char *p = valid; *p != '\0'; p++)
    {
      if (*p == '"' || *p == '\\')
        g_string_append_printf (json, "\\%c", *p);
      else if ((guchar) *p < 0x20 || *p == 0x7f)
        g_string_append_printf (json, "\\u%04x", (guchar) *p);
      else
        g_string_append_c (json, *p);
    }
  g_string_append_c (json, '"');
}

static void
append_json_headers (GString    *json,
                     GHashTable *headers)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (headers), (GCompareFunc) g_strcmp0);

  for (GList *l = names; l != NULL; l = l->next)
    {
      if (l != names)
        g_string_append (json, ", ");
      append_json_string (json, l->data);
      g_string_append (json, ": ");
      append_json_string (json, g_hash_table_lookup (headers, l->data));
    }
}

/**
 * ear_test_request_new:
 * @method: the HTTP method
 * @path: path and query as received
 * @host: the requested address
 * @tls: whether it came over TLS
 *
 * Returns: (transfer full): a request without headers, with the current time
 */
EarTestRequest *
ear_test_request_new (const char *method,
                      const char *path,
                      const char *host,
                      gboolean    tls)
{
  EarTestRequest *self = g_new0 (EarTestRequest, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->method = g_strdup (method);
  self->path = g_strdup (path);
  self->host = g_strdup (host);
  self->tls = tls;
  self->headers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->time = g_get_monotonic_time ();

  return self;
}

EarTestRequest *
ear_test_request_ref (EarTestRequest *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
ear_test_request_unref (EarTestRequest *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->method);
  g_free (self->path);
  g_free (self->host);
  g_hash_table_unref (self->headers);
  g_free (self);
}

/**
 * ear_test_request_copy:
 * @self: a request
 *
 * Returns: (transfer full): a copy that no other thread changes
 */
EarTestRequest *
ear_test_request_copy (const EarTestRequest *self)
{
  EarTestRequest *copy = ear_test_request_new (self->method, self->path, self->host, self->tls);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, self->headers);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (copy->headers, g_strdup (name), g_strdup (value));
  copy->status = self->status;
  copy->bytes_sent = self->bytes_sent;
  copy->connections = self->connections;
  copy->time = self->time;
  copy->finished = self->finished;

  return copy;
}

/**
 * ear_test_request_get_header:
 * @self: a request
 * @name: the header's name, in any case
 *
 * Returns: (nullable): the header's value as received
 */
const char *
ear_test_request_get_header (const EarTestRequest *self,
                             const char           *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_hash_table_lookup (self->headers, lower);
}

/**
 * ear_test_request_to_json:
 * @self: a request
 *
 * Returns: (transfer full): one line of JSON, without line break
 */
char *
ear_test_request_to_json (const EarTestRequest *self)
{
  g_autoptr (GString) json = g_string_new ("{\"method\": ");

  append_json_string (json, self->method);
  g_string_append (json, ", \"path\": ");
  append_json_string (json, self->path);
  g_string_append (json, ", \"host\": ");
  append_json_string (json, self->host);
  g_string_append_printf (json, ", \"tls\": %s, \"status\": %u, \"bytes\": %" G_GUINT64_FORMAT ", \"connections\": %u, ",
                          self->tls ? "true" : "false", self->status, self->bytes_sent, self->connections);
  g_string_append_printf (json, "\"time\": %" G_GINT64_FORMAT ", \"logged\": %" G_GINT64_FORMAT ", \"headers\": {",
                          self->time, g_get_monotonic_time ());
  append_json_headers (json, self->headers);
  g_string_append (json, "}}");

  return g_string_free (g_steal_pointer (&json), FALSE);
}
