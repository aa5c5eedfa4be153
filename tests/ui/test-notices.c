/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-application-private.h"

/* What there is to say while there is no window, which may be for weeks. */

static void
expect (EarApplication *application, const char *expected)
{
  g_autofree char *kept = NULL;

  g_ptr_array_add (application->notices, NULL);
  kept = g_strjoinv (" ", (char **) application->notices->pdata);
  g_ptr_array_remove_index (application->notices, application->notices->len - 1);
  g_assert_cmpstr (kept, ==, expected);
}

static void
test_kept (void)
{
  g_autoptr (EarApplication) application = ear_application_new ();

  expect (application, "");
  ear_application_show_notice (application, "one", TRUE);
  ear_application_show_notice (application, "two", FALSE);
  ear_application_show_notice (application, "one", TRUE);
  expect (application, "two one");
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *message = g_strdup_printf ("%u", i);

      ear_application_show_notice (application, message, TRUE);
      ear_application_show_notice (application, "again", TRUE);
    }
  expect (application, "96 97 98 99 again");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/notices/kept", test_kept);

  return g_test_run ();
}
