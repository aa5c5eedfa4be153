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
 * @files: what there is to serve
 * @log: where visits are counted
 * @host: the address of this server that was asked
 * @port: the port without TLS
 * @tls_port: the port with TLS, or 0
 * @tls: whether this request came over TLS
 *
 * What an answer is made from. All is borrowed.
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
 * @origin: what addresses in the body begin with
 * @head_only: whether no body follows, since it was a HEAD
 * @rate: bytes a second, or 0 for as quick as it goes
 * @rate_end: after how many bytes of the body it is @later_rate, or 0 for never
 * @later_rate: bytes a second from there on
 * @cut: after how many bytes of the body to hang up, or -1
 * @stall: after how many bytes of the body to fall silent, or -1
 * @length_error: how much too large the Content-Length is
 * @promises_ranges: says that there are ranges, where there are none
 * @partial: without ranges, the whole is called a part
 * @range_error: so many bytes too early begins what is answered to a range, whatever it says of itself
 * @delay: milliseconds to wait before anything is sent
 * @hold: whether to wait as long as ear_test_server_set_holding() says
 * @chunked: whether the length is not told
 * @endless: whether feed items follow for ever instead of @body
 * @mute: whether nothing at all is ever sent
 * @drop: whether to hang up without a word
 *
 * An answer, and in what way it is to go wrong. Its headers are those of the
 * message.
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
  EarTestFile *content; /* instead of what the path names, nullable */
  gboolean encoded;     /* content is compressed already */
  char *type;           /* instead of the content's, nullable; "" for none */
  char *inside;         /* wrappers for the addresses in the body, nullable */
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
