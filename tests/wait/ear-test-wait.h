/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

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
