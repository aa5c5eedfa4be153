/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-application.h"

/* Notices that wait for a window, perhaps for weeks */

static void
assert_notices (EarApplication *application, const char *expected)
{
  GListModel *notices = G_LIST_MODEL (ear_application_get_notices (application));
  g_autoptr (GString) kept = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (notices); i++)
    g_string_append_printf (kept, "%s%s", i > 0 ? " " : "",
                            gtk_string_list_get_string (GTK_STRING_LIST (notices), i));
  g_assert_cmpstr (kept->str, ==, expected);
}

static void
test_kept (void)
{
  g_autoptr (EarApplication) application = ear_application_new ();

  assert_notices (application, "");
  ear_application_show_notice (application, "one", TRUE);
  ear_application_show_notice (application, "two", FALSE);
  ear_application_show_notice (application, "one", TRUE);
  assert_notices (application, "one two");
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *message = g_strdup_printf ("%u", i);

      ear_application_show_notice (application, message, TRUE);
      ear_application_show_notice (application, "again", TRUE);
    }
  assert_notices (application, "again 96 97 98 99");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/notices/kept", test_kept);

  return g_test_run ();
}
