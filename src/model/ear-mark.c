/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mark.h"

/* The members of EarEpisodeState are in the order of EarMark. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, position) ==
                 G_STRUCT_OFFSET (EarEpisodeState, values[EAR_MARK_POSITION]));
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, listened) ==
                 G_STRUCT_OFFSET (EarEpisodeState, values[EAR_MARK_LISTENED]));
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, position_updated) ==
                 G_STRUCT_OFFSET (EarEpisodeState, updated));
G_STATIC_ASSERT (sizeof (EarEpisodeState) == 2 * EAR_N_MARKS * sizeof (gint64));

/* The highest integer that all JSON readers represent exactly */
#define HIGHEST_PLACE ((G_GINT64_CONSTANT (1) << 53) - 1)

/* A further mark needs a line here, and its names in the header. The column of its stamp has
 * its name and "_updated". */
const EarValueType ear_mark_types[EAR_N_MARKS] = {
  [EAR_MARK_POSITION] = { "position", EAR_VALUE_SECONDS, 0, EAR_POSITION_LIMIT },
  [EAR_MARK_LISTENED] = { "listened", EAR_VALUE_FLAG, FALSE, TRUE },
  [EAR_MARK_LIKED] = { "liked", EAR_VALUE_FLAG, FALSE, TRUE },
  [EAR_MARK_SHIFT] = { "shift", EAR_VALUE_SECONDS, -EAR_POSITION_LIMIT, EAR_POSITION_LIMIT },
  [EAR_MARK_QUEUED] = { "queued", EAR_VALUE_PLACE, 0, HIGHEST_PLACE },
  /* State files and the catalogue have always used this name: older versions
   * read them, too. */
  [EAR_MARK_REMOVED] = { "archived", EAR_VALUE_FLAG, FALSE, TRUE },
};

gint64
ear_mark_bound (EarMark mark, gint64 value)
{
  const EarValueType *type = &ear_mark_types[mark];

  return type->kind == EAR_VALUE_FLAG ? !!value : CLAMP (value, type->lowest, type->highest);
}

/* Returns: a state with this mark, set by the listener now */
EarEpisodeState
ear_episode_state_new_mark (EarMark mark, gint64 value)
{
  EarEpisodeState self = { 0 };

  self.values[mark] = ear_mark_bound (mark, value);
  self.updated[mark] = g_get_real_time ();

  return self;
}

/* Returns: %TRUE if no mark has a stamp */
gboolean
ear_episode_state_is_empty (const EarEpisodeState *self)
{
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (self->updated[i] != 0)
      return FALSE;

  return TRUE;
}

EarMark
ear_episode_state_find_mark (const EarEpisodeState *self)
{
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (self->updated[i] != 0)
      return (EarMark) i;

  g_return_val_if_reached (EAR_MARK_POSITION);
}

/* Returns: the latest of its stamps, 0 if there is none */
gint64
ear_episode_state_get_latest (const EarEpisodeState *self)
{
  gint64 latest = 0;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    latest = MAX (latest, self->updated[i]);

  return latest;
}

EarDownloadMark *
ear_download_mark_new (gint64 podcast, const char *guid, EarDownloadKind kind, gint64 place)
{
  EarDownloadMark *self = g_new0 (EarDownloadMark, 1);

  self->podcast = podcast;
  self->guid = g_strdup (guid);
  self->kind = kind;
  self->place = kind == EAR_DOWNLOAD_KIND_WANTED ? place : 0;

  return self;
}

GPtrArray *
ear_download_mark_new_array (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ear_download_mark_free);
}

EarDownloadMark *
ear_download_mark_copy (const EarDownloadMark *self)
{
  return ear_download_mark_new (self->podcast, self->guid, self->kind, self->place);
}

void
ear_download_mark_free (EarDownloadMark *self)
{
  g_free (self->guid);
  g_free (self);
}

guint
ear_download_mark_hash (gconstpointer mark)
{
  const EarDownloadMark *self = mark;

  return g_str_hash (self->guid) ^ g_int64_hash (&self->podcast);
}

gboolean
ear_download_mark_equal (gconstpointer a, gconstpointer b)
{
  const EarDownloadMark *first = a;
  const EarDownloadMark *second = b;

  return first->podcast == second->podcast && g_str_equal (first->guid, second->guid);
}
