/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-facts.h"
#include "ear-podcast-settings.h"

G_BEGIN_DECLS

#define EAR_TYPE_PODCAST (ear_podcast_get_type ())
G_DECLARE_FINAL_TYPE (EarPodcast, ear_podcast, EAR, PODCAST, GObject)

EarPodcast *ear_podcast_new (gint64 id, const char *address);
gint64 ear_podcast_get_id (EarPodcast *self);
const char *ear_podcast_get_address (EarPodcast *self);
EarPodcastFacts *ear_podcast_get_facts (EarPodcast *self);
void ear_podcast_set_facts (EarPodcast *self, EarPodcastFacts *facts);
const char *ear_podcast_get_title (EarPodcast *self);
const char *ear_podcast_get_name (EarPodcast *self);
void ear_podcast_set_title (EarPodcast *self, const char *title);
const char *ear_podcast_get_sort_key (EarPodcast *self);
const char *ear_podcast_get_feed_address (EarPodcast *self);
const char *ear_podcast_get_key (EarPodcast *self);
const char *ear_podcast_get_feed_key (EarPodcast *self);
void ear_podcast_set_feed_address (EarPodcast *self, const char *feed_address);
char *ear_podcast_dup_distinction (EarPodcast *self);
void ear_podcast_set_has_namesake (EarPodcast *self, gboolean has_namesake);
gint64 ear_podcast_get_checked (EarPodcast *self);
void ear_podcast_set_checked (EarPodcast *self, gint64 checked);
gint64 ear_podcast_get_newest (EarPodcast *self);
void ear_podcast_set_newest (EarPodcast *self, gint64 newest);
gboolean ear_podcast_get_refreshing (EarPodcast *self);
void ear_podcast_set_refreshing (EarPodcast *self, gboolean refreshing);
const GError *ear_podcast_get_error (EarPodcast *self);
void ear_podcast_set_error (EarPodcast *self, const GError *error);
gboolean ear_podcast_get_ended (EarPodcast *self);
gboolean ear_podcast_is_private (EarPodcast *self);
gboolean ear_podcast_get_needs_password (EarPodcast *self);
guint ear_podcast_get_n_episodes (EarPodcast *self);
void ear_podcast_set_n_episodes (EarPodcast *self, guint n_episodes);
guint ear_podcast_get_n_unplayed (EarPodcast *self);
void ear_podcast_set_n_unplayed (EarPodcast *self, guint n_unplayed);
guint ear_podcast_get_n_new (EarPodcast *self);
void ear_podcast_set_n_new (EarPodcast *self, guint n_new);
gboolean ear_podcast_get_followed (EarPodcast *self);
void ear_podcast_set_followed (EarPodcast *self, gboolean followed);
const char *ear_podcast_get_folder (EarPodcast *self);
void ear_podcast_set_folder (EarPodcast *self, const char *folder);
const EarPodcastSettings *ear_podcast_get_settings (EarPodcast *self);
gboolean ear_podcast_take_settings (EarPodcast *self, const EarPodcastSettings *settings);
int ear_podcast_get_setting (EarPodcast *self, EarPodcastSetting setting);
const char *ear_podcast_get_filter (EarPodcast *self);
const char *ear_podcast_get_sort (EarPodcast *self);
gboolean ear_podcast_get_series (EarPodcast *self);

G_END_DECLS
