/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-text.h"

#include <glib/gi18n.h>

#include "ear-format.h"

/* Number of typed characters that a message repeats */
#define REPEATED 40

static char *
make_example (EarSearchKey key, const char *value)
{
  return key != EAR_SEARCH_NO_KEY
             ? g_strconcat (ear_search_filter_get_key (key), ":", value, NULL)
             : NULL;
}

static char *
list_states (void)
{
  g_autoptr (GString) list = g_string_new (NULL);
  const char *state;

  for (guint i = 0; (state = ear_search_filter_get_state (i)) != NULL; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", state);

  return g_string_free_and_steal (g_steal_pointer (&list));
}

/* Returns: (transfer full) (nullable): a sentence about the filter that is wrong */
char *
ear_search_text_trouble (const EarSearchFilter *search)
{
  const EarSearchKey key = search->wrong_key;
  const gboolean is_length = key == EAR_SEARCH_LONGER || key == EAR_SEARCH_SHORTER;
  g_autofree char *value =
      search->wrong_value != NULL ? ear_format_short (search->wrong_value, REPEATED) : NULL;
  g_autofree char *filter = make_example (key, "");
  g_autofree char *first = make_example (key, is_length ? "20m" : "2023");
  g_autofree char *second = make_example (key, is_length ? "1h30m" : "2023-05-17");
  g_autofree char *states = list_states ();

  switch (key)
    {
    case EAR_SEARCH_PODCAST:
      /* Translators: why a search finds nothing; %s is the text typed after “podcast:” */
      return g_strdup_printf (_("No followed podcast has “%s” in its title."), value);
    case EAR_SEARCH_IS:
      /* Translators: why a search finds nothing: “wet” cannot follow “is:”. These can: unplayed,
       * played, liked. */
      return g_strdup_printf (_("“%1$s” isn’t valid after “%2$s”. Try: %3$s."), value, filter,
                              states);
    case EAR_SEARCH_LONGER:
    case EAR_SEARCH_SHORTER:
      /* Translators: why a search finds nothing: “abc” is not a length. Write “longer:20m” or
       * “longer:1h30m”. */
      return g_strdup_printf (_("“%1$s” is not a valid length. Try “%2$s” or “%3$s”."), value,
                              first, second);
    case EAR_SEARCH_AFTER:
    case EAR_SEARCH_BEFORE:
      /* Translators: why a search finds nothing: “2023-13-45” is not a date. Write “after:2023” or
       * “after:2023-05-17”. */
      return g_strdup_printf (_("“%1$s” is not a valid date. Try “%2$s” or “%3$s”."), value, first,
                              second);
    case EAR_SEARCH_IN:
      /* Translators: why a search finds nothing; %s is the text typed after “in:”; the
       * lists are the listener's own */
      return g_strdup_printf (_("None of your lists has “%s” in its name."), value);
    case EAR_SEARCH_NO_KEY:
    default:
      return NULL;
    }
}
