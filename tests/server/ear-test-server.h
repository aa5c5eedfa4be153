/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-test-request.h"

G_BEGIN_DECLS

#define EAR_TYPE_TEST_SERVER (ear_test_server_get_type ())

G_DECLARE_FINAL_TYPE (EarTestServer, ear_test_server, EAR, TEST_SERVER, GObject)

EarTestServer *ear_test_server_new (void);

/* Before the start */
void ear_test_server_set_root (EarTestServer *self,
                               const char    *directory);
void ear_test_server_set_demo (EarTestServer *self,
                               const char    *directory);
void ear_test_server_set_seed (EarTestServer *self,
                               const char    *path);
void ear_test_server_set_audio (EarTestServer *self,
                                const char    *path);
void ear_test_server_set_addresses (EarTestServer *self,
                                    guint          addresses);
void ear_test_server_set_port (EarTestServer *self,
                               guint16        port);
void ear_test_server_set_warm (EarTestServer *self,
                               gboolean       warm);
gboolean ear_test_server_set_log_file (EarTestServer *self,
                                       const char    *path,
                                       GError       **error);

gboolean ear_test_server_start (EarTestServer *self,
                                GError       **error);
void ear_test_server_stop (EarTestServer *self);

/* While the server runs, from any thread */
const char *ear_test_server_get_base_url (EarTestServer *self);
const char *ear_test_server_get_tls_url (EarTestServer *self);
char *ear_test_server_dup_url (EarTestServer *self,
                               guint          address,
                               const char    *path);
void ear_test_server_put (EarTestServer *self,
                          const char    *path,
                          const char    *type,
                          const char    *text);
void ear_test_server_put_bytes (EarTestServer *self,
                                const char    *path,
                                const char    *type,
                                GBytes        *bytes);
void ear_test_server_put_way (EarTestServer *self,
                              const char    *path,
                              const char    *way);
void ear_test_server_remove (EarTestServer *self,
                             const char    *path);
void ear_test_server_close_connections (EarTestServer *self);
void ear_test_server_set_holding (EarTestServer *self,
                                  gboolean       holding);

GPtrArray *ear_test_server_dup_requests (EarTestServer *self);
EarTestRequest *ear_test_server_dup_last_request (EarTestServer *self,
                                                  const char    *path);
guint ear_test_server_count_requests (EarTestServer *self,
                                      const char    *path);
guint ear_test_server_get_connections (EarTestServer *self,
                                       const char    *host,
                                       guint         *peak);
gboolean ear_test_server_wait_idle (EarTestServer *self,
                                    guint          milliseconds);
void ear_test_server_clear_log (EarTestServer *self);

G_END_DECLS
