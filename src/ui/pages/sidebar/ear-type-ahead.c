/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-type-ahead.h"

#include "ear-text-find.h"

/* Whoever stops typing for so long begins another word. */
#define PAUSE G_TIME_SPAN_SECOND

/**
 * EarTypeAhead:
 *
 * Typing in a list that has no search goes to the row whose title begins with what was
 * typed, or has a word that does. One letter again and again goes from one to the next.
 */
struct _EarTypeAhead
{
  GObject parent_instance;

  GString *typed;
  gint64 last;    /* when the last letter came */
  guint reached;  /* where the letters until now have led */
};

G_DEFINE_FINAL_TYPE (EarTypeAhead, ear_type_ahead, G_TYPE_OBJECT)

static gboolean
begins_with (const char *title, const char *typed)
{
  g_autofree char *folded_title = ear_text_fold (title, -1);
  g_autofree char *folded_typed = ear_text_fold (typed, -1);

  return g_str_has_prefix (folded_title, folded_typed);
}

static gboolean
has_word (const char *title, const char *typed)
{
  gsize start;
  gsize end;

  return ear_text_find (title, typed, &start, &end);
}

static gboolean
fits (GListModel *model, guint position, const char *property, const char *typed, gboolean (*test) (const char *, const char *))
{
  g_autoptr (GObject) item = g_list_model_get_item (model, position);
  g_autofree char *title = NULL;

  g_object_get (item, property, &title, NULL);

  return title != NULL && test (title, typed);
}

static gboolean
is_one_letter_again (const char *typed)
{
  const gunichar first = g_utf8_get_char (typed);

  for (const char *p = typed; *p != '\0'; p = g_utf8_next_char (p))
    if (g_utf8_get_char (p) != first)
      return FALSE;

  return g_utf8_strlen (typed, -1) > 1;
}

/* From a row on, and round to it. */
static guint
search (GListModel *model, const char *property, guint from, const char *typed, gboolean (*test) (const char *, const char *))
{
  const guint n_items = g_list_model_get_n_items (model);

  for (guint i = 0; i < n_items; i++)
    if (fits (model, (from + i) % n_items, property, typed, test))
      return (from + i) % n_items;

  return GTK_INVALID_LIST_POSITION;
}

/* What a key writes, or 0. */
static gunichar
get_letter (guint keyval, GdkModifierType state)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK)) != 0)
    return 0;

  return gdk_keyval_to_unicode (keyval);
}

static void
ear_type_ahead_finalize (GObject *object)
{
  g_string_free (EAR_TYPE_AHEAD (object)->typed, TRUE);

  G_OBJECT_CLASS (ear_type_ahead_parent_class)->finalize (object);
}

static void
ear_type_ahead_class_init (EarTypeAheadClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_type_ahead_finalize;
}

static void
ear_type_ahead_init (EarTypeAhead *self)
{
  self->typed = g_string_new (NULL);
}

EarTypeAhead *
ear_type_ahead_new (void)
{
  return g_object_new (EAR_TYPE_TYPE_AHEAD, NULL);
}

/* Whether a key goes on with the words that are being typed, whatever it means otherwise: within them, a
 * space plays nothing.
 * @time: when, in microseconds
 * Returns: %FALSE also if a word would begin with it */
gboolean
ear_type_ahead_goes_on (EarTypeAhead *self, guint keyval, GdkModifierType state, guint from, gint64 time)
{
  g_return_val_if_fail (EAR_IS_TYPE_AHEAD (self), FALSE);

  /* Whoever has moved on since, or has waited, begins another word. */
  return self->typed->len > 0 && from == self->reached && time - self->last <= PAUSE &&
         g_unichar_isprint (get_letter (keyval, state));
}

/* Takes a key, if it writes something. No word begins with a space.
 * @time: when, in microseconds */
gboolean
ear_type_ahead_add (EarTypeAhead *self, guint keyval, GdkModifierType state, guint from, gint64 time)
{
  const gunichar letter = get_letter (keyval, state);
  gboolean goes_on;

  g_return_val_if_fail (EAR_IS_TYPE_AHEAD (self), FALSE);

  goes_on = ear_type_ahead_goes_on (self, keyval, state, from, time);
  if (!goes_on && !g_unichar_isgraph (letter))
    return FALSE;

  if (!goes_on)
    g_string_truncate (self->typed, 0);
  self->last = time;
  g_string_append_unichar (self->typed, letter);

  return TRUE;
}

/* Looks for the row that was meant. Returns: its position, %GTK_INVALID_LIST_POSITION if there is none */
guint
ear_type_ahead_find (EarTypeAhead *self, GListModel *model, const char *property, guint from)
{
  g_autofree char *typed = NULL;
  gboolean again, fresh;
  guint start, found;

  g_return_val_if_fail (EAR_IS_TYPE_AHEAD (self), GTK_INVALID_LIST_POSITION);

  again = is_one_letter_again (self->typed->str);
  fresh = again || g_utf8_strlen (self->typed->str, -1) == 1;
  typed = again ? g_utf8_substring (self->typed->str, 0, 1) : g_strdup (self->typed->str);
  /* A first letter leads on from here, further ones may still mean the same row. */
  start = from == GTK_INVALID_LIST_POSITION ? 0 : fresh ? from + 1 : from;
  found = search (model, property, start, self->typed->str, begins_with);
  if (found == GTK_INVALID_LIST_POSITION && again)
    found = search (model, property, start, typed, begins_with);

  if (found == GTK_INVALID_LIST_POSITION)
    found = search (model, property, start, typed, has_word);
  self->reached = found != GTK_INVALID_LIST_POSITION ? found : from;

  return found;
}
