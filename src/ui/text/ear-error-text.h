/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

/**
 * EarErrorSubject:
 * @EAR_ERROR_ABOUT_FEED: a podcast's feed was fetched
 * @EAR_ERROR_ABOUT_MEDIA: an episode was to be played
 * @EAR_ERROR_ABOUT_DOWNLOAD: an episode was to be fetched to this machine
 * @EAR_ERROR_ABOUT_SEARCH: a podcast was looked for, by words or by an address
 *
 * What was being done when it failed.
 */
typedef enum
{
  EAR_ERROR_ABOUT_FEED,
  EAR_ERROR_ABOUT_MEDIA,
  EAR_ERROR_ABOUT_DOWNLOAD,
  EAR_ERROR_ABOUT_SEARCH,
} EarErrorSubject;

char *ear_error_text_title (const GError   *error,
                            EarErrorSubject subject);
char *ear_error_text_body  (const GError   *error,
                            EarErrorSubject subject);

char *ear_error_text_brief (const GError   *error);

gboolean ear_error_blames_address (const GError *error);

char *ear_error_text_importing (const GError   *error);
char *ear_error_text_restoring (const GError *error);

G_END_DECLS
