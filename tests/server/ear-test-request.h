/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Credentials accepted by `/~status=401/`. */
#define EAR_TEST_USER "listener"
#define EAR_TEST_PASSWORD "secret"

#define EAR_TYPE_TEST_REQUEST (ear_test_request_get_type ())

typedef struct _EarTestRequest EarTestRequest;

/**
 * EarTestRequest:
 * @method: the HTTP method
 * @path: path and query as received, still escaped, with wrappers
 * @host: the requested address of this server, for example `127.0.0.2`
 * @tls: whether it came over TLS
 * @headers: (element-type utf8 utf8): the headers by lower-case name
 * @status: the status sent; 0 before that
 * @bytes_sent: body bytes sent so far (after compression)
 * @connections: open connections to @host when the request arrived, including this one
 * @time: arrival of the headers, in microseconds of g_get_monotonic_time()
 * @finished: whether the response is complete, or the client gone
 *
 * A request and its response. Tests get copies, which they can read while
 * the server continues.
 */
struct _EarTestRequest
{
  char *method;
  char *path;
  char *host;
  gboolean tls;
  GHashTable *headers;
  guint status;
  guint64 bytes_sent;
  guint connections;
  gint64 time;
  gboolean finished;

  /*< private >*/
  gatomicrefcount ref_count;
};

GType ear_test_request_get_type (void) G_GNUC_CONST;

EarTestRequest *ear_test_request_new (const char *method,
                                      const char *path,
                                      const char *host,
                                      gboolean    tls);
EarTestRequest *ear_test_request_ref (EarTestRequest *self);
void ear_test_request_unref (EarTestRequest *self);
EarTestRequest *ear_test_request_copy (const EarTestRequest *self);

const char *ear_test_request_get_header (const EarTestRequest *self,
                                         const char           *name);
char *ear_test_request_to_json (const EarTestRequest *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarTestRequest, ear_test_request_unref)

G_END_DECLS
