/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-test-files.h"
#include "ear-test-log.h"

#include <libsoup/soup.h>

G_BEGIN_DECLS

/* RFC 6585; libsoup has no name for it. */
#define EAR_TEST_TOO_MANY_REQUESTS 429

typedef struct _EarTestExchange EarTestExchange;
typedef struct _EarTestReply EarTestReply;

/**
 * EarTestExchange:
 * @message: the request, and the response's headers
 * @files: the files to serve
 * @log: the log, which counts visits
 * @host: the requested address of this server
 * @port: the port without TLS
 * @tls_port: the port with TLS, or 0
 * @tls: whether the request came over TLS
 *
 * Input for a response. All borrowed.
 */
struct _EarTestExchange
{
  SoupServerMessage *message;
  EarTestFiles *files;
  EarTestLog *log;
  const char *host;
  guint port;
  guint tls_port;
  gboolean tls;
};

/**
 * EarTestReply:
 * @status: the status
 * @body: (nullable): the body
 * @origin: start of the addresses in the body
 * @head_only: no body, because the request was HEAD
 * @rate: bytes a second, or 0 for no limit
 * @rate_end: the byte of the body from which @later_rate applies, or 0 for never
 * @later_rate: bytes a second from there
 * @cut: the number of body bytes after which to disconnect, or -1
 * @stall: the number of body bytes after which to send nothing more, or -1
 * @length_error: how much too large the Content-Length is
 * @promises_ranges: claim to support ranges, but do not
 * @partial: without ranges, send the whole file as a part
 * @range_error: the number of bytes by which a range starts too early, whatever
 *   its header claims
 * @delay: milliseconds to wait before sending
 * @hold: wait until ear_test_server_set_holding() is called with %FALSE
 * @chunked: omit the length
 * @endless: send feed items forever instead of @body
 * @mute: never send anything
 * @drop: disconnect without a response
 *
 * A response, and how it misbehaves. Its headers are in the message.
 */
struct _EarTestReply
{
  guint status;
  GBytes *body;
  char *origin;
  gboolean head_only;

  gint64 rate;
  gint64 rate_end;
  gint64 later_rate;
  gint64 cut;
  gint64 stall;
  gint64 length_error;
  guint64 range_error;
  guint delay;
  gboolean hold;
  gboolean chunked;
  gboolean endless;
  gboolean mute;
  gboolean drop;

  /*< private >*/
  EarTestFile *content; /* instead of the path's content, nullable */
  gboolean encoded;     /* the content is already compressed */
  char *type;           /* instead of the content's type, nullable; "" for none */
  char *inside;         /* wrappers for addresses in the body, nullable */
  gboolean no_etag;
  gboolean no_date;
  gboolean no_ranges;
  gboolean promises_ranges;
  gboolean partial;
  gboolean force_gzip;
};

EarTestReply *ear_test_reply_new (const EarTestExchange *exchange);
void ear_test_reply_free (EarTestReply *self);

void ear_test_reply_set_text (EarTestReply          *self,
                              const EarTestExchange *exchange,
                              guint                  status,
                              const char            *text);
const char *ear_test_reply_get_phrase (guint status);
gboolean ear_test_reply_is_raw (const EarTestReply *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarTestReply, ear_test_reply_free)

G_END_DECLS
