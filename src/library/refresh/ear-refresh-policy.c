/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-refresh-policy.h"

#include <math.h>

/*
 * When a feed is asked: functions of what is known and of the time, and of nothing else.
 * All times are Unix seconds.
 *
 * Chance comes from the podcast's address, so that a thousand feeds which were checked in
 * one moment are not checked in one moment again, and yet each keeps its own pace.
 */

#define MINUTE G_GINT64_CONSTANT (60)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* A host that cannot be reached may be there again in a moment: it is asked again soon,
 * after twice as long each time. */
#define UNREACHED_DELAY 5
/* Without a network nothing is known of the host, so that it is not held against it. */
#define OFFLINE_LIMIT (5 * MINUTE)
/* "Come back later" from a server that does not say when. */
#define BUSY_DELAY MINUTE
/* What a server answers with an error, or with garbage, lasts for a while. */
#define FAILURE_DELAY (15 * MINUTE)
#define FAILURE_LIMIT (7 * DAY)
/* Nobody knows a password that was not typed; too many wrong ones lock people out. */
#define PASSWORD_DELAY (7 * DAY)
/* Gone for good, but people make mistakes. */
#define GONE_DELAY (30 * DAY)
/* What a server asks for by Retry-After is a week at most, and what chance adds to it */
#define LONGEST_ASKED_FOR (9 * DAY)

/* A podcast that has been silent for long is asked a hundred times before it has been
 * silent for twice as long; one that says that it is complete seldom at once. */
#define SILENCE_SHARE 100
#define SILENCE_LIMIT (7 * DAY)
/* What is asked that seldom is not asked at every start either. */
#define SILENCE_AT_START (6 * HOUR)

/* By how much of a delay it is made longer, at most. */
#define JITTER 0.2

/* 0 to 1, the same for the same podcast and moment. */
static double
get_chance (const char *address, gint64 moment)
{
  guint hash = g_str_hash (address) ^ (guint) (moment * 2654435761u);

  /* The last bits of a sum hash differ little for addresses that do. */
  hash ^= hash >> 16;
  hash *= 0x7feb352du;
  hash ^= hash >> 15;
  hash *= 0x846ca68bu;
  hash ^= hash >> 16;

  return hash / (double) G_MAXUINT;
}

static gint64
add_jitter (gint64 delay, const char *address, gint64 moment)
{
  return delay + (gint64) (delay * JITTER * get_chance (address, moment));
}

static gint64
double_delay (gint64 delay, guint times, gint64 limit)
{
  return MIN ((gint64) ldexp ((double) delay, (int) MIN (times, 40)), limit);
}

/* How long a feed whose last check went well is left alone at least, whatever the
 * listener has set. */
static gint64
get_silence (const EarRefreshSubject *subject)
{
  const EarFeedCheck *check = subject->check;

  if (subject->complete)
    return SILENCE_LIMIT;
  if (check->newest <= 0)
    return 0;

  return CLAMP ((check->checked - check->newest) / SILENCE_SHARE, 0, SILENCE_LIMIT);
}

static gboolean
is_error (const EarFeedCheck *check, EarError code)
{
  return check->error == (int) code + 1;
}

static gboolean
is_unreached_code (int code)
{
  return code == EAR_ERROR_OFFLINE || code == EAR_ERROR_UNREACHABLE || code == EAR_ERROR_TIMED_OUT ||
         code == EAR_ERROR_INCOMPLETE;
}

static gint64
get_failure_delay (int code, guint times)
{
  switch (code)
    {
    case EAR_ERROR_OFFLINE:
      return double_delay (UNREACHED_DELAY, times, OFFLINE_LIMIT);
    case EAR_ERROR_UNREACHABLE:
    case EAR_ERROR_TIMED_OUT:
    case EAR_ERROR_INCOMPLETE:
      return double_delay (UNREACHED_DELAY, times, FAILURE_LIMIT);
    case EAR_ERROR_BUSY:
      return double_delay (BUSY_DELAY, times, FAILURE_LIMIT);
    case EAR_ERROR_UNAUTHORIZED:
    case EAR_ERROR_WRONG_LOGIN:
      return PASSWORD_DELAY;
    case EAR_ERROR_GONE:
      return GONE_DELAY;
    default:
      return double_delay (FAILURE_DELAY, times, FAILURE_LIMIT);
    }
}

/* Noted by a clock that has been set back since, which says nothing of when: no delay is that long. */
static gboolean
is_from_future (const EarFeedCheck *check, gint64 now)
{
  const gint64 longest = (gint64) (get_failure_delay (check->error - 1, check->failures) * (1 + JITTER));
  const gint64 asked_for = is_unreached_code (check->error - 1) ? 0 : LONGEST_ASKED_FOR;

  return check->checked > now + HOUR || check->not_before > now + HOUR + MAX (longest, asked_for);
}

/* Returns: whether it says that there was no answer, or only a part of one, so that
 *   another try may help at any moment */
gboolean
ear_refresh_policy_is_unreached (const GError *error)
{
  return error != NULL && error->domain == EAR_ERROR && is_unreached_code (error->code);
}

/* @interval: how often feeds are to be checked, in seconds; 0: never
 * Returns: when it is to be checked without anybody asking; %G_MAXINT64: never */
gint64
ear_refresh_policy_get_next (const EarRefreshSubject *subject, gint64 interval, gint64 now)
{
  const EarFeedCheck *check = subject->check;
  gint64 delay;

  if (is_from_future (check, now))
    return interval > 0 ? now : G_MAXINT64;
  if (check->failures > 0)
    return interval > 0 || is_unreached_code (check->error - 1) ? check->not_before : G_MAXINT64;
  if (interval <= 0)
    return G_MAXINT64;
  if (check->checked <= 0)
    return check->not_before;

  delay = MAX (interval, get_silence (subject));

  return MAX (check->not_before, check->checked + add_jitter (delay, subject->address, check->checked));
}

/* @interval: how often feeds are to be checked, in seconds; 0: never */
gboolean
ear_refresh_policy_is_due (const EarRefreshSubject *subject, EarRefreshReason reason, gint64 interval, gint64 now)
{
  const EarFeedCheck *check = subject->check;
  gint64 silence;

  switch (reason)
    {
    case EAR_REFRESH_ONE:
      return TRUE;
    case EAR_REFRESH_ALL:
      /* Those two were said by the server; the listener's wish does not undo them. */
      return now >= check->not_before || is_from_future (check, now) || !(is_error (check, EAR_ERROR_GONE) || is_error (check, EAR_ERROR_BUSY));
    case EAR_REFRESH_START:
      if (is_from_future (check, now))
        return interval > 0;
      if (now < check->not_before && !is_error (check, EAR_ERROR_OFFLINE))
        return FALSE;
      /* Who does not want to be asked for anything wants to see what a new podcast has all the same. */
      if (interval <= 0 && check->checked > 0)
        return FALSE;
      silence = check->failures == 0 && check->checked > 0 ? get_silence (subject) : 0;
      return silence < SILENCE_AT_START || now >= check->checked + silence;
    case EAR_REFRESH_SCHEDULED:
      return now >= ear_refresh_policy_get_next (subject, interval, now);
    default:
      g_assert_not_reached ();
    }
}

/* Notes down a failure, and until when the feed is left alone for it.
 * @code: the #EarError that this one ended with
 * @retry_after: after how many seconds the server wants to be asked again; 0: it did not say */
void
ear_refresh_policy_note_failure (EarFeedCheck *check, const char *address, int code, gint64 retry_after, gint64 now)
{
  const guint times = check->failures;
  gint64 delay = MAX (get_failure_delay (code, times), retry_after);

  if (code != EAR_ERROR_OFFLINE || double_delay (UNREACHED_DELAY, times, OFFLINE_LIMIT) < OFFLINE_LIMIT)
    check->failures++;
  check->error = code + 1;
  check->not_before = now + add_jitter (delay, address, now);
}

/* Notes down that a feed has answered well. */
void
ear_refresh_policy_note_success (EarFeedCheck *check, gint64 now)
{
  check->failures = 0;
  check->error = 0;
  check->not_before = 0;
  check->checked = now;
}
