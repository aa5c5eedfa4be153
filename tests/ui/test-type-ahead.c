/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Typing in a list goes to the row that was meant. */

#include "ear-type-ahead.h"

static GListModel *
create_rows (const char *const *titles)
{
  GtkStringList *rows = gtk_string_list_new (titles);

  return G_LIST_MODEL (rows);
}

static const char *const titles[] = { "New", "History", "The Lighthouse", "Éclair", "Lamp", "Light", "lime", "היום", NULL };

/* A word, letter by letter, each from the row that the one before has led to. */
static guint
type (EarTypeAhead *ahead, GListModel *rows, const char *text, guint from, gint64 *now)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const guint key = gdk_unicode_to_keyval (g_utf8_get_char (p));
      guint found;

      *now += G_TIME_SPAN_MILLISECOND * 100;
      g_assert_true (ear_type_ahead_add (ahead, key, 0, from, *now));
      found = ear_type_ahead_find (ahead, rows, "string", from);
      if (found != GTK_INVALID_LIST_POSITION)
        from = found;
    }

  return from;
}

static void
test_finds (void)
{
  static const struct
  {
    const char *text;
    guint from;
    guint expected;
  } cases[] = {
    { "h", 0, 1 },
    { "li", 0, 5 },
    { "LIM", 0, 6 },
    { "lamp", 6, 4 },
    { "e", 0, 3 },
    { "light", 0, 5 },
    /* A word that is not the first. */
    { "lighth", 0, 2 },
    { "ה", 0, 7 },
    /* One letter on and on: to the next, and round. */
    { "l", 4, 5 },
    { "ll", 4, 6 },
    { "lll", 4, 4 },
    { "l", GTK_INVALID_LIST_POSITION, 4 },
  };
  g_autoptr (GListModel) rows = create_rows (titles);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EarTypeAhead) ahead = ear_type_ahead_new ();
      gint64 now = 0;

      g_test_message ("%s from %u", cases[i].text, cases[i].from);
      g_assert_cmpuint (type (ahead, rows, cases[i].text, cases[i].from, &now), ==, cases[i].expected);
    }
}

/* A space belongs to the words that are being typed, and to nothing else. */
static void
test_space (void)
{
  const char *const words[] = { "Light", "Light and Shade", "Light Verse", NULL };
  g_autoptr (GListModel) rows = create_rows (words);
  g_autoptr (EarTypeAhead) ahead = ear_type_ahead_new ();
  gint64 now = 0;

  g_assert_false (ear_type_ahead_goes_on (ahead, GDK_KEY_space, 0, 0, now));
  g_assert_cmpuint (type (ahead, rows, "light v", 0, &now), ==, 2);
  g_assert_true (ear_type_ahead_goes_on (ahead, GDK_KEY_space, 0, 2, now));
  g_assert_true (ear_type_ahead_goes_on (ahead, GDK_KEY_bracketleft, 0, 2, now));
  /* Those that write nothing keep their meaning, and so do all after a pause, or elsewhere. */
  g_assert_false (ear_type_ahead_goes_on (ahead, GDK_KEY_space, GDK_CONTROL_MASK, 2, now));
  g_assert_false (ear_type_ahead_goes_on (ahead, GDK_KEY_Return, 0, 2, now));
  g_assert_false (ear_type_ahead_goes_on (ahead, GDK_KEY_space, 0, 1, now));
  g_assert_false (ear_type_ahead_goes_on (ahead, GDK_KEY_space, 0, 2, now + 2 * G_TIME_SPAN_SECOND));
  g_assert_false (ear_type_ahead_add (ahead, GDK_KEY_space, 0, 2, now + 2 * G_TIME_SPAN_SECOND));

  now += 3 * G_TIME_SPAN_SECOND;
  g_assert_cmpuint (type (ahead, rows, "light a", 2, &now), ==, 1);
}

/* After a pause another word begins. */
static void
test_pause (void)
{
  g_autoptr (GListModel) rows = create_rows (titles);
  g_autoptr (EarTypeAhead) ahead = ear_type_ahead_new ();
  gint64 now = 0;

  g_assert_cmpuint (type (ahead, rows, "lim", 0, &now), ==, 6);
  now += 2 * G_TIME_SPAN_SECOND;
  g_assert_cmpuint (type (ahead, rows, "n", 6, &now), ==, 0);
}

/* Whoever has gone elsewhere by other keys begins anew, too. */
static void
test_moved (void)
{
  g_autoptr (GListModel) rows = create_rows (titles);
  g_autoptr (EarTypeAhead) ahead = ear_type_ahead_new ();
  gint64 now = 0;

  g_assert_cmpuint (type (ahead, rows, "li", 0, &now), ==, 5);
  g_assert_cmpuint (type (ahead, rows, "h", 6, &now), ==, 1);
  g_assert_cmpuint (type (ahead, rows, "i", 1, &now), ==, 1);
}

/* Keys that write nothing, or mean something else. */
static void
test_other_keys (void)
{
  g_autoptr (GListModel) rows = create_rows (titles);
  g_autoptr (EarTypeAhead) ahead = ear_type_ahead_new ();

  g_assert_false (ear_type_ahead_add (ahead, GDK_KEY_Down, 0, 0, 0));
  g_assert_false (ear_type_ahead_add (ahead, GDK_KEY_space, 0, 0, 0));
  g_assert_false (ear_type_ahead_add (ahead, GDK_KEY_Return, 0, 0, 0));
  g_assert_false (ear_type_ahead_add (ahead, GDK_KEY_l, GDK_CONTROL_MASK, 0, 0));
  g_assert_false (ear_type_ahead_add (ahead, GDK_KEY_l, GDK_ALT_MASK, 0, 0));
  g_assert_true (ear_type_ahead_add (ahead, GDK_KEY_L, GDK_SHIFT_MASK, 0, 0));
  g_assert_cmpuint (ear_type_ahead_find (ahead, rows, "string", 0), ==, 4);
}

static void
test_nothing (void)
{
  const char *const none[] = { NULL };
  g_autoptr (GListModel) rows = create_rows (titles);
  g_autoptr (GListModel) no_rows = create_rows (none);
  EarTypeAhead *ahead = ear_type_ahead_new ();

  g_assert_true (ear_type_ahead_add (ahead, GDK_KEY_x, 0, 0, 0));
  g_assert_cmpuint (ear_type_ahead_find (ahead, rows, "string", 3), ==, GTK_INVALID_LIST_POSITION);
  g_assert_cmpuint (ear_type_ahead_find (ahead, no_rows, "string", GTK_INVALID_LIST_POSITION), ==, GTK_INVALID_LIST_POSITION);
  g_assert_finalize_object (ahead);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ui/type-ahead/finds", test_finds);
  g_test_add_func ("/ui/type-ahead/space", test_space);
  g_test_add_func ("/ui/type-ahead/pause", test_pause);
  g_test_add_func ("/ui/type-ahead/moved", test_moved);
  g_test_add_func ("/ui/type-ahead/other-keys", test_other_keys);
  g_test_add_func ("/ui/type-ahead/nothing", test_nothing);

  return g_test_run ();
}
