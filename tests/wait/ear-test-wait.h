/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 end;
  guint tick;
} EarTestWait;

void ear_test_wait_begin (EarTestWait *wait);
void ear_test_wait_step  (EarTestWait *wait,
                          const char  *condition,
                          const char  *where);
void ear_test_wait_end   (EarTestWait *wait);

void ear_test_spin       (guint        milliseconds);
void ear_test_finalize   (gpointer     object);

void     ear_test_result_cb   (GObject      *source,
                               GAsyncResult *result,
                               gpointer      user_data);
void     ear_test_count_cb    (guint        *count);
gboolean ear_test_get_boolean (gpointer      object,
                               const char   *property);
guint    ear_test_get_uint    (gpointer      object,
                               const char   *property);
gint64   ear_test_get_int64   (gpointer      object,
                               const char   *property);

const char *ear_test_format (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* Compares a text, which is freed, with what is expected. */
#define ear_test_assert_text(text, expected) \
  G_STMT_START { \
    g_autofree char *ear_test_text = (text); \
 \
    g_assert_cmpstr (ear_test_text, ==, expected); \
  } G_STMT_END

/* Runs the main loop until @condition holds. A test whose condition never holds fails
 * with its text. */
#define EAR_TEST_WAIT_UNTIL(condition) \
  G_STMT_START { \
    EarTestWait ear_test_wait; \
 \
    ear_test_wait_begin (&ear_test_wait); \
    while (!(condition)) \
      ear_test_wait_step (&ear_test_wait, #condition, G_STRLOC); \
    ear_test_wait_end (&ear_test_wait); \
  } G_STMT_END

G_END_DECLS
