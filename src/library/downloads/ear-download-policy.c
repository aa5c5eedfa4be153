/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-policy.h"

#include "ear-address.h"

#include <string.h>

/* Pure: when a download that failed is tried again, and when one that is there is old. */

/* After each try, in seconds; after the last one the listener is asked. */
static const gint64 pauses[] = { 5, 30, 120, 600 };

/* Who makes room on a disk, or connects one, need not say so here as well. */
#define DISK_PAUSE 60

/* Nobody waits for longer than this for a server that says when to come back. */
#define RETRY_AFTER_LIMIT (60 * 60)

/* @tries: how many tries in a row have brought nothing, this one included
 * @retry_after: after how many seconds the server wants to be asked again; 0 if it did not say
 * Returns: after how many seconds it is tried again; -1 if not without being told to */
gint64
ear_download_policy_get_pause (const GError *error, guint tries, gint64 retry_after)
{
  if (error->domain != EAR_ERROR)
    return -1;
  switch (error->code)
    {
    case EAR_ERROR_OFFLINE:
      /* For as long as that takes: it is not given up for a train in a tunnel. */
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

/* @error: why the media at @address could not be had
 * Returns: whether the feed may know another address: one that is signed is good for a while only,
 * and files move */
gboolean
ear_download_policy_may_have_moved (const GError *error, const char *address)
{
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_FORBIDDEN) ||
      g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_FOUND) ||
      g_error_matches (error, EAR_ERROR, EAR_ERROR_GONE))
    return TRUE;

  /* Without a token in the address these want a login, or another try later. */
  return (g_error_matches (error, EAR_ERROR, EAR_ERROR_UNAUTHORIZED) ||
          g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE) ||
          g_error_matches (error, EAR_ERROR, EAR_ERROR_SERVER)) &&
         (strchr (address, '?') != NULL || ear_address_has_secret (address));
}

/* @since: when it came, and @now, Unix microseconds
 * @days: after how many days it is to go; 0: never
 * Returns: whether it is time; not by a clock that has lost its battery */
gboolean
ear_download_policy_is_old (gint64 since, guint days, gint64 now)
{
  return days > 0 && since >= EAR_CLOCK_FLOOR && now - since >= (gint64) days * G_TIME_SPAN_DAY;
}
