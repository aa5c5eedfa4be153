/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-http.h"
#include "ear-test-server.h"

G_BEGIN_DECLS

/* A server that can misbehave, and an HTTP client */
typedef struct
{
  EarTestServer *server;
  EarHttp *http;
} NetFixture;

/* One request and its results */
typedef struct
{
  /* Input */
  EarHttpRequest *request;
  GCancellable *cancellable;
  guint slow_chunks; /* milliseconds that the chunk function sleeps */
  gsize refuse_after; /* bytes after which the chunk function cancels */

  /* Output */
  gint64 started;     /* times in microseconds of the monotonic clock */
  gint64 first_chunk;
  gint64 finished;
  GString *body;
  guint chunks;
  gint chunks_running;
  gboolean chunks_overlapped;
  gboolean chunk_after_finish;
  GThread *chunk_thread;
  int chunk_niceness;
  char *chunk_type; /* type in the head at the first chunk */
  guint chunk_status;
  GAsyncResult *result;
  EarHttpResponse *response;
  GError *error;
  gint64 retry_after;
} NetCall;

void     net_fixture_set_up    (NetFixture    *fixture,
                                gconstpointer  data);
void     net_fixture_tear_down (NetFixture    *fixture,
                                gconstpointer  data);
void     net_main_init         (int    *argc,
                                char ***argv);
gboolean net_wait              (gboolean (*done) (gpointer data),
                                gpointer data,
                                guint    milliseconds);
void     net_sleep             (guint milliseconds);

/* Peak memory since the reset, and current memory, in kilobytes */
gboolean net_memory_reset      (void);
glong    net_memory_get_peak   (void);
glong    net_memory_get_now    (void);

NetCall *net_call_new          (NetFixture *fixture,
                                guint       address,
                                const char *path);
NetCall *net_call_new_for_url  (const char *url);
void     net_call_start        (NetCall *call,
                                EarHttp *http);
void     net_call_wait         (NetCall *call);
void     net_call_run          (NetCall *call,
                                EarHttp *http);
void     net_call_free         (NetCall *call);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NetCall, net_call_free)

#define net_assert_answer(call, code)                      \
  G_STMT_START                                             \
    {                                                      \
      g_assert_no_error ((call)->error);                   \
      g_assert_nonnull ((call)->response);                 \
      g_assert_cmpuint ((call)->response->status, ==, code); \
    }                                                      \
  G_STMT_END

G_END_DECLS
