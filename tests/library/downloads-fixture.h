/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-downloader-private.h"
#include "served-library.h"

/* Shared by the tests of downloads: the episodes "lamp-1" and so on of a served library, and
 * bytes that stand for their sound. */

#define SOUND_SIZE 400000

/* Half of a sound comes quickly, the rest in seconds. */
#define SLOW "/~slow=3000000,200000,60000"

GBytes *make_sound (guint seed, gsize size);
void put_sounds (Fixture *fixture, guint n, const char *way);
void follow_lamps (Fixture *fixture, guint n, const char *way);
EarDownloader *get_downloader (Fixture *fixture);
EarEpisode *request (Fixture *fixture, guint i);
EarEpisode *download (Fixture *fixture, guint i);
EarEpisodeList *list_episodes (Fixture *fixture, gint64 podcast, EarEpisodeFilter filter,
                               const char *words);
void wait_for_progress (EarEpisode *episode, double progress);
void wait_until_loaded (Fixture *fixture);
void expect_sound_in (Fixture *fixture, guint i, const char *folder);
void expect_sound (Fixture *fixture, guint i);
void expect_resumed (Fixture *fixture, const char *path);
void assert_same_bytes (const char *path, GBytes *expected);
char *dup_record_path (Fixture *fixture, EarEpisode *episode, const char *ending);
gboolean is_missing (const char *path);
gboolean is_done (EarEpisode *episode);
gboolean has_failed (EarEpisode *episode);
gboolean is_running (EarEpisode *episode);

/* Checks the state of a download. */
#define assert_state(episode, state) \
  g_assert_cmpint (ear_episode_get_download (episode), ==, state)
