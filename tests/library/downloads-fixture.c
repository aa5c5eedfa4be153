/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "downloads-fixture.h"

#include <string.h>

#include "ear-library-private.h"

/* Each seed makes different bytes, and no two parts of them are the same. */
GBytes *
make_sound (guint seed, gsize size)
{
  guint8 *sound = g_malloc (size);
  guint32 state = seed + 1;

  for (gsize i = 0; i < size; i++)
    {
      state = state * 1664525 + 1013904223;
      sound[i] = (guint8) (state >> 24);
    }
  memcpy (sound, "ID3", 3);

  return g_bytes_new_take (sound, size);
}

EarEpisode *
dup_episode (Fixture *fixture, guint i)
{
  g_autofree char *guid = g_strdup_printf ("lamp-%u", i);
  EarEpisode *episode = ear_catalogue_dup_episode_by_guid (fixture->library->services.catalogue, get_podcast (fixture), guid);

  g_assert_nonnull (episode);

  return episode;
}

gboolean
is_done (EarEpisode *episode)
{
  return ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE;
}

gboolean
has_failed (EarEpisode *episode)
{
  return ear_episode_get_download (episode) == EAR_DOWNLOAD_FAILED;
}

gboolean
is_running (EarEpisode *episode)
{
  return ear_episode_get_download (episode) == EAR_DOWNLOAD_RUNNING;
}

static void
keep_undo_cb (EarNotices *notices, EarUndo *undo, EarUndo **kept)
{
  g_set_object (kept, undo);
}

/* Stores the latest undo offered in @kept. */
void
follow_undo (Fixture *fixture, EarUndo **kept)
{
  g_signal_connect (ear_library_get_notices (fixture->library), "undo-offered", G_CALLBACK (keep_undo_cb), kept);
}
