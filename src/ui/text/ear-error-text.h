/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

/**
 * EarErrorSubject:
 * @EAR_ERROR_ABOUT_FEED: the check of a podcast
 * @EAR_ERROR_ABOUT_MEDIA: playback of an episode
 * @EAR_ERROR_ABOUT_DOWNLOAD: the download of an episode
 * @EAR_ERROR_ABOUT_SEARCH: the search for a podcast, by words or by an address
 * @EAR_ERROR_ABOUT_SYNC: syncing with a server
 *
 * The task that failed.
 */
typedef enum
{
  EAR_ERROR_ABOUT_FEED,
  EAR_ERROR_ABOUT_MEDIA,
  EAR_ERROR_ABOUT_DOWNLOAD,
  EAR_ERROR_ABOUT_SEARCH,
  EAR_ERROR_ABOUT_SYNC,
} EarErrorSubject;

const char *ear_error_text_title (const GError *error, EarErrorSubject subject);
const char *ear_error_text_body (const GError *error, EarErrorSubject subject);
const char *ear_error_text_brief (const GError *error);
gboolean ear_error_blames_address (const GError *error);
const char *ear_error_text_importing (const GError *error);
const char *ear_error_text_restoring (const GError *error);

G_END_DECLS
