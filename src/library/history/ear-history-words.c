/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-history-private.h"

#include <glib/gi18n-lib.h>

/* What the listener is told that he has just done with many episodes. */

static char *
describe_listened (guint n, gboolean listened)
{
  if (listened)
    /* Translators: %u is how many episodes the listener has just marked. */
    return g_strdup_printf (ngettext ("%'u episode marked as played", "%'u episodes marked as played", n), n);

  /* Translators: %u is how many episodes the listener has just marked. */
  return g_strdup_printf (ngettext ("%'u episode marked as unplayed", "%'u episodes marked as unplayed", n), n);
}

static char *
describe_liked (guint n, gboolean liked)
{
  if (liked)
    /* Translators: %u is how many episodes the listener likes since just now. */
    return g_strdup_printf (ngettext ("%'u episode liked", "%'u episodes liked", n), n);

  /* Translators: %u is how many episodes the listener has just said not to like any more. */
  return g_strdup_printf (ngettext ("%'u episode no longer liked", "%'u episodes no longer liked", n), n);
}

static char *(*const words[EAR_N_MARKS]) (guint n, gboolean value) = {
  [EAR_MARK_LISTENED] = describe_listened,
  [EAR_MARK_LIKED] = describe_liked,
};

/**
 * ear_history_describe:
 *
 * Returns: (transfer full) (nullable): a sentence of it, translated; %NULL where there is none
 */
char *
ear_history_describe (const EarMarks *marks)
{
  const EarMark mark = ear_episode_state_find_mark (&marks->state);

  return words[mark] != NULL ? words[mark] (marks->ids->len, marks->state.values[mark] != 0) : NULL;
}
