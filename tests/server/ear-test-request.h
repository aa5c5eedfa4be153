/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The credentials that `/~status=401/` accepts. */
#define EAR_TEST_USER "listener"
#define EAR_TEST_PASSWORD "secret"

#define EAR_TYPE_TEST_REQUEST (ear_test_request_get_type ())

typedef struct _EarTestRequest EarTestRequest;

/**
 * EarTestRequest:
 * @method: the HTTP method
 * @path: path and query as they came, still escaped, wrappers included
 * @host: the address of this server that was asked, for instance `127.0.0.2`
 * @tls: whether it came over TLS
 * @headers: (element-type utf8 utf8): the request's headers by lower-case name
 * @status: the status that was sent; 0 while none was
 * @bytes_sent: body bytes handed to the network so far, as sent (after compression)
 * @connections: connections open to @host when the request came, this one included
 * @time: when its headers had come, in microseconds of g_get_monotonic_time()
 * @finished: whether the answer is out, or the client gone
 *
 * What the server saw and said. A test gets copies, so that it may read them
 * while the server goes on.
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
