/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "downloads-fixture.h"

#include <string.h>

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

/* Serves the sound of @n lamps at "/audio/N.mp3", which leads to "/sound/N.mp3" behind @way. */
void
put_sounds (Fixture *fixture, guint n, const char *way)
{
  for (guint i = 1; i <= n; i++)
    {
      g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);
      g_autofree char *path = g_strdup_printf ("/audio/%u.mp3", i);
      g_autofree char *sound_path = g_strdup_printf ("/sound/%u.mp3", i);
      g_autofree char *behind = g_strconcat (way, sound_path, NULL);

      ear_test_server_put_bytes (fixture->server, sound_path, "audio/mpeg", sound);
      ear_test_server_put_way (fixture->server, path, behind);
    }
}

void
follow_lamps (Fixture *fixture, guint n, const char *way)
{
  put_sounds (fixture, n, way);
  put_feed (fixture, 1, n);
  follow_served (fixture);
}

EarDownloader *
get_downloader (Fixture *fixture)
{
  return ear_library_get_downloader (fixture->library);
}

EarEpisode *
request (Fixture *fixture, guint i)
{
  ear_downloader_download (get_downloader (fixture), get_lamp (fixture, i));

  return get_lamp (fixture, i);
}

EarEpisode *
download (Fixture *fixture, guint i)
{
  EarEpisode *episode = request (fixture, i);

  EAR_TEST_WAIT_UNTIL (is_done (episode));

  return episode;
}

/* @podcast: the row id of a podcast; 0 for all
 * @words: (nullable): of a search
 * Returns: (transfer full): episodes, newest first */
EarEpisodeList *
list_episodes (Fixture *fixture, gint64 podcast, EarEpisodeFilter filter, const char *words)
{
  return open_list (fixture, ear_episode_query_new (podcast, filter, EAR_SORT_NEWEST, words));
}

void
wait_for_progress (EarEpisode *episode, double progress)
{
  EAR_TEST_WAIT_UNTIL (ear_episode_get_download_progress (episode) > progress);
}

void
wait_until_loaded (Fixture *fixture)
{
  EAR_TEST_WAIT_UNTIL (ear_downloader_get_loaded (get_downloader (fixture)));
}

void
assert_same_bytes (const char *path, GBytes *expected)
{
  g_autofree char *content = NULL;
  gsize length;

  g_assert_nonnull (path);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpmem (content, length, g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
}

/* Waits for a download, and checks its file and the folder, name and content of it. */
void
expect_sound_in (Fixture *fixture, guint i, const char *folder)
{
  g_autoptr (EarEpisode) episode = dup_lamp (fixture, i);
  g_autoptr (GBytes) sound = make_sound (i, SOUND_SIZE);
  g_autofree char *name = g_strdup_printf ("2024-01-%02u Lamp %u.mp3", i + 1, i);
  g_autofree char *expected = g_build_filename (folder, "The Lighthouse Hour", name, NULL);

  wait_until_loaded (fixture);
  EAR_TEST_WAIT_UNTIL (is_done (episode));
  g_autofree char *path = ear_downloader_dup_file (get_downloader (fixture), episode);
  g_assert_cmpstr (path, ==, expected);
  assert_same_bytes (path, sound);
}

/* The same in the default folder */
void
expect_sound (Fixture *fixture, guint i)
{
  g_autofree char *folder = g_build_filename (fixture->data, "downloads", NULL);

  expect_sound_in (fixture, i, folder);
}

/* Asserts that the last request continued an incomplete file. */
void
expect_resumed (Fixture *fixture, const char *path)
{
  g_autoptr (EarTestRequest) last = ear_test_server_dup_last_request (fixture->server, path);

  g_assert_cmpuint (last->status, ==, 206);
}

/* Returns: the path of a file of the download that is not its sound: ".json" or ".part" */
char *
dup_record_path (Fixture *fixture, EarEpisode *episode, const char *ending)
{
  g_autofree char *key = ear_episode_dup_key (episode);
  g_autofree char *name = g_strconcat (key, ending, NULL);

  return g_build_filename (fixture->data, "downloads", ".earmark", name, NULL);
}

gboolean
is_missing (const char *path)
{
  return !g_file_test (path, G_FILE_TEST_EXISTS);
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
