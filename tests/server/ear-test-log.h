/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-test-request.h"

G_BEGIN_DECLS

#define EAR_TYPE_TEST_LOG (ear_test_log_get_type ())

G_DECLARE_FINAL_TYPE (EarTestLog, ear_test_log, EAR, TEST_LOG, GObject)

EarTestLog *ear_test_log_new (void);

gboolean ear_test_log_set_file (EarTestLog *self,
                                const char *path,
                                GError    **error);
void ear_test_log_add (EarTestLog     *self,
                       EarTestRequest *request);
void ear_test_log_set_status (EarTestLog     *self,
                              EarTestRequest *request,
                              guint           status);
void ear_test_log_add_bytes (EarTestLog     *self,
                             EarTestRequest *request,
                             gsize           bytes);
void ear_test_log_finish (EarTestLog     *self,
                          EarTestRequest *request);
GPtrArray *ear_test_log_dup_requests (EarTestLog *self);
gboolean ear_test_log_wait_idle (EarTestLog *self,
                                 guint       milliseconds);
void ear_test_log_clear (EarTestLog *self);

guint ear_test_log_count_visit (EarTestLog *self,
                                const char *key,
                                gint64     *first);

void ear_test_log_open_connection (EarTestLog *self,
                                   const char *host);
void ear_test_log_close_connection (EarTestLog *self,
                                    const char *host);
guint ear_test_log_get_connections (EarTestLog *self,
                                    const char *host,
                                    guint      *peak);

G_END_DECLS
