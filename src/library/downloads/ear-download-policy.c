/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-policy.h"

/* Pure: when a download that failed is tried again. */

/* After each try, in seconds; after the last one the listener is asked. */
static const gint64 pauses[] = { 5, 30, 120, 600 };

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
