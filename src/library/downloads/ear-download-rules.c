/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-rules.h"

#include "ear-address.h"
#include "ear-queue.h"

#include <string.h>

/* Pure functions: which episodes are downloaded and removed automatically */

/* The only place that protects downloads from automatic removal: episodes that the
 * listener has liked, queued or put into a list. Add further reasons here.
 * Returns: whether the download of @episode stays until the listener removes it */
gboolean
ear_download_rules_keep (EarLists *lists, EarEpisode *episode)
{
  return ear_episode_get_liked (episode) || ear_queue_has (episode) ||
         ear_lists_contain (lists, episode);
}

/* A podcast may override the default in both directions: a series whose next episodes are
 * downloaded automatically may free space while all else is kept, or the reverse.
 * Returns: whether to remove the download of @episode, which was played to its end */
gboolean
ear_download_rules_drop_played (EarSettings *settings, EarLists *lists, EarEpisode *episode)
{
  return ear_settings_get_for (settings, ear_episode_get_podcast (episode),
                               EAR_PODCAST_SETTING_REMOVE_PLAYED) &&
         ear_episode_get_listened (episode) &&
         ear_episode_get_download (episode) == EAR_DOWNLOAD_DONE &&
         !ear_download_rules_keep (lists, episode);
}

/* Pure functions: when a failed download is tried again, and when a finished one is
 * old */

/* Pauses after each attempt, in seconds; after the last one the download has failed. */
static const gint64 pauses[] = { 5, 30, 120, 600 };

/* The disk is checked again at this interval, so that nobody needs to press Retry after
 * freeing space or connecting it. */
#define DISK_PAUSE 60

/* Longest Retry-After that is waited for, in seconds */
#define RETRY_AFTER_LIMIT (60 * 60)

/* @tries: number of attempts in a row without data, including this one
 * @retry_after: seconds that the server asked to wait; 0 if it did not say
 * Returns: seconds until the next attempt; -1 if only the listener can retry */
gint64
ear_download_policy_get_pause (const GError *error, guint tries, gint64 retry_after)
{
  if (error->domain != EAR_ERROR)
    return -1;
  switch (error->code)
    {
    case EAR_ERROR_OFFLINE:
      /* No limit: a download must not fail because of a long tunnel. */
      return pauses[MIN (tries, G_N_ELEMENTS (pauses)) - 1];
    case EAR_ERROR_NO_SPACE:
    case EAR_ERROR_NO_FOLDER:
      return DISK_PAUSE;
    case EAR_ERROR_BUSY:
      if (retry_after > RETRY_AFTER_LIMIT)
        return -1;
      break;
    case EAR_ERROR_UNREACHABLE:
    case EAR_ERROR_TIMED_OUT:
    case EAR_ERROR_SERVER:
    case EAR_ERROR_INCOMPLETE:
      break;
    default:
      return -1;
    }

  return tries <= G_N_ELEMENTS (pauses) ? MAX (pauses[tries - 1], retry_after) : -1;
}

/* @error: why @address could not be fetched
 * Returns: whether the feed may have a new URL: signed URLs expire, and files move */
gboolean
ear_download_policy_may_have_moved (const GError *error, const char *address)
{
  switch (error->domain == EAR_ERROR ? error->code : EAR_ERROR_FAILED)
    {
    case EAR_ERROR_FORBIDDEN:
    case EAR_ERROR_NOT_FOUND:
    case EAR_ERROR_GONE:
      return TRUE;
    /* Without a token in the URL, these errors ask for a login or a later attempt. */
    case EAR_ERROR_UNAUTHORIZED:
    case EAR_ERROR_WEB_PAGE:
    case EAR_ERROR_SERVER:
      return strchr (address, '?') != NULL || ear_address_has_secret (address);
    default:
      return FALSE;
    }
}

/* @since: time of the download, and @now, in Unix microseconds
 * @days: number of days that it is kept; 0: forever
 * Returns: whether it is to be removed; %FALSE if the clock was wrong, as with an empty
 * battery */
gboolean
ear_download_policy_is_old (gint64 since, guint days, gint64 now)
{
  return days > 0 && since >= EAR_CLOCK_FLOOR && now - since >= (gint64) days * G_TIME_SPAN_DAY;
}
