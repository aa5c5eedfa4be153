/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Announcements of playback and of a download for screen readers */

#include "ear-announcer.h"
#include "ear-error.h"

static void
test_player (void)
{
  static const struct
  {
    EarPlayerState state;
    EarPlayerState before;
    const char *title;
    const char *expected;
  } cases[] = {
    { EAR_PLAYER_PLAYING, EAR_PLAYER_PAUSED, "One", "Playing “One”" },
    { EAR_PLAYER_PLAYING, EAR_PLAYER_PLAYING, "Two", "Playing “Two”" },
    { EAR_PLAYER_PLAYING, EAR_PLAYER_PAUSED, NULL, "Playing" },
    { EAR_PLAYER_PLAYING, EAR_PLAYER_FAILED, NULL, "Playing" },
    /* Loading interrupted playback for a moment. */
    { EAR_PLAYER_PLAYING, EAR_PLAYER_PLAYING, NULL, NULL },
    { EAR_PLAYER_PAUSED, EAR_PLAYER_PLAYING, NULL, "Paused" },
    /* The player opened another episode without playing it. */
    { EAR_PLAYER_PAUSED, EAR_PLAYER_EMPTY, NULL, NULL },
    { EAR_PLAYER_LOADING, EAR_PLAYER_PAUSED, "One", NULL },
    { EAR_PLAYER_ENDED, EAR_PLAYER_PLAYING, NULL, NULL },
    { EAR_PLAYER_EMPTY, EAR_PLAYER_PLAYING, NULL, NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = ear_announcer_describe_player (cases[i].state, cases[i].before, cases[i].title, NULL);

      g_assert_cmpstr (words, ==, cases[i].expected);
    }
}

static void
test_error (void)
{
  g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, EAR_ERROR_NOT_FOUND, "404");
  g_autofree char *words = ear_announcer_describe_player (EAR_PLAYER_FAILED, EAR_PLAYER_PLAYING, NULL, error);

  g_assert_nonnull (words);
  g_assert_null (g_strstr_len (words, -1, "404"));
}

static void
test_download (void)
{
  static const struct
  {
    EarDownload download;
    EarDownload before;
    const char *expected;
  } cases[] = {
    { EAR_DOWNLOAD_WAITING, EAR_DOWNLOAD_NONE, "Downloading" },
    { EAR_DOWNLOAD_RUNNING, EAR_DOWNLOAD_WAITING, NULL },
    { EAR_DOWNLOAD_WAITING, EAR_DOWNLOAD_RUNNING, NULL },
    { EAR_DOWNLOAD_RUNNING, EAR_DOWNLOAD_FAILED, "Downloading" },
    { EAR_DOWNLOAD_DONE, EAR_DOWNLOAD_RUNNING, "Downloaded" },
    /* A toast announces the removal. */
    { EAR_DOWNLOAD_NONE, EAR_DOWNLOAD_DONE, NULL },
  };
  g_autoptr (GError) error = g_error_new_literal (EAR_ERROR, EAR_ERROR_NOT_FOUND, "404");
  g_autofree char *failure = ear_announcer_describe_download (EAR_DOWNLOAD_FAILED, EAR_DOWNLOAD_RUNNING, error);

  g_assert_nonnull (failure);
  g_assert_null (g_strstr_len (failure, -1, "404"));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = ear_announcer_describe_download (cases[i].download, cases[i].before, NULL);

      g_assert_cmpstr (words, ==, cases[i].expected);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ui/announcer/player", test_player);
  g_test_add_func ("/ui/announcer/error", test_error);
  g_test_add_func ("/ui/announcer/download", test_download);

  return g_test_run ();
}
