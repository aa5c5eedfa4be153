/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-test-wait.h"

/* A test that waits for longer, even on a slow machine, waits in vain. */
#define LIMIT (60 * G_USEC_PER_SEC)

/* Some conditions change without waking the main loop. */
#define TICK_MS 10

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

void
ear_test_wait_begin (EarTestWait *wait)
{
  wait->end = g_get_monotonic_time () + LIMIT;
  wait->tick = g_timeout_add (TICK_MS, tick_cb, NULL);
}

void
ear_test_wait_step (EarTestWait *wait, const char *condition, const char *where)
{
  if (g_get_monotonic_time () >= wait->end)
    g_error ("%s: never happened: %s", where, condition);

  g_main_context_iteration (NULL, TRUE);
}

void
ear_test_wait_end (EarTestWait *wait)
{
  g_source_remove (wait->tick);
}

/* Runs the main loop for this long: for events that must not happen, and for
 * measurements. */
void
ear_test_spin (guint milliseconds)
{
  const gint64 end = g_get_monotonic_time () + milliseconds * G_TIME_SPAN_MILLISECOND;
  EarTestWait wait;

  ear_test_wait_begin (&wait);
  while (g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  ear_test_wait_end (&wait);
}

/* Drops the last reference: only work on its way to another thread, or back, may hold the
 * object a little longer. */
void
ear_test_finalize (gpointer object)
{
  gpointer left = object;

  g_object_add_weak_pointer (object, &left);
  g_object_unref (object);
  EAR_TEST_WAIT_UNTIL (left == NULL);
}

/* A callback that keeps its result, in the GAsyncResult pointer at @user_data. */
void
ear_test_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

/* A swapped handler that counts signals. */
void
ear_test_count_cb (guint *count)
{
  (*count)++;
}

/* Returns: a text that stays until the program ends: for names, and addresses */
const char *
ear_test_format (const char *format, ...)
{
  va_list values;

  va_start (values, format);
  g_autofree char *text = g_strdup_vprintf (format, values);
  va_end (values);

  return g_intern_string (text);
}

gboolean
ear_test_get_boolean (gpointer object, const char *property)
{
  gboolean value;

  g_object_get (object, property, &value, NULL);

  return value;
}

guint
ear_test_get_uint (gpointer object, const char *property)
{
  guint value;

  g_object_get (object, property, &value, NULL);

  return value;
}

gint64
ear_test_get_int64 (gpointer object, const char *property)
{
  gint64 value;

  g_object_get (object, property, &value, NULL);

  return value;
}
