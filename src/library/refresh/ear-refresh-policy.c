/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-refresh-policy.h"

/* Decides when a feed is checked: pure functions of the stored checks and the time. All
 * times are Unix seconds.
 * Jitter is derived from the podcast's address, so that a thousand feeds checked at the
 * same moment spread out, yet each keeps its own rhythm. */

#define MINUTE G_GINT64_CONSTANT (60)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* An unreachable host may be back soon: the delay starts short and doubles. */
#define UNREACHED_DELAY 10
/* Maximum delay without a network, which says nothing about the host */
#define OFFLINE_LIMIT (5 * MINUTE)
/* Delay for a busy server without Retry-After */
#define BUSY_DELAY MINUTE
/* Server errors and invalid documents last for a while. */
#define FAILURE_DELAY (15 * MINUTE)
#define FAILURE_LIMIT (7 * DAY)
/* A missing password does not appear by itself, and too many wrong ones lock accounts. */
#define PASSWORD_DELAY (7 * DAY)
/* 410 Gone is permanent, but servers send it by mistake. */
#define GONE_DELAY (30 * DAY)
/* More than the maximum Retry-After, a week */
#define LONGEST_ASKED_FOR (9 * DAY)

/* A podcast without new episodes is checked about a hundred times until its silence has
 * doubled; one that is marked as complete, at the limit at once. */
#define SILENCE_SHARE 100
#define SILENCE_LIMIT (7 * DAY)
/* A podcast with a longer check interval is not checked at each start. */
#define SILENCE_AT_START (6 * HOUR)

/* Maximum jitter in thousandths of the delay */
#define JITTER 200

/* Returns: the delay and up to a fifth more, the same part for each check of a podcast */
static gint64
add_jitter (gint64 delay, const char *address)
{
  return delay + delay * (g_str_hash (address) % (JITTER + 1)) / 1000;
}

static gint64
double_delay (gint64 delay, guint times, gint64 limit)
{
  return MIN (delay << MIN (times, 20), limit);
}

/* Returns the minimum delay after a successful check, whatever the settings say. */
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
  return code == EAR_ERROR_OFFLINE || code == EAR_ERROR_UNREACHABLE ||
         code == EAR_ERROR_TIMED_OUT || code == EAR_ERROR_INCOMPLETE;
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

/* Returns: whether the stored times are from a clock that has been set back since, as no
 * delay is that long. Only a response asks for more than the usual delay; with a wrong clock,
 * there often is none, as no certificate seems valid. */
static gboolean
is_from_future (const EarFeedCheck *check, gint64 now)
{
  const int code = check->error - 1;
  const gint64 usual = 2 * get_failure_delay (code, check->failures);
  const gint64 asked_for =
      is_unreached_code (code) || code == EAR_ERROR_CERTIFICATE ? 0 : LONGEST_ASKED_FOR;

  return check->checked > now + HOUR || check->not_before > now + HOUR + MAX (usual, asked_for);
}

/* Returns: whether there was no response, or a truncated one, so that another attempt may
 * succeed at any moment */
gboolean
ear_refresh_policy_is_unreached (const GError *error)
{
  return error != NULL && error->domain == EAR_ERROR && is_unreached_code (error->code);
}

/* Returns: the time of the next scheduled check; %G_MAXINT64: never */
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

  return MAX (check->not_before, check->checked + add_jitter (delay, subject->address));
}

gboolean
ear_refresh_policy_is_due (const EarRefreshSubject *subject, EarRefreshReason reason,
                           gint64 interval, gint64 now)
{
  const EarFeedCheck *check = subject->check;
  gint64 silence;

  switch (reason)
    {
    case EAR_REFRESH_ONE:
      return TRUE;
    case EAR_REFRESH_ALL:
      /* The server sent these errors; a request by the listener does not override
       * them. */
      return now >= check->not_before || is_from_future (check, now) ||
             !(is_error (check, EAR_ERROR_GONE) || is_error (check, EAR_ERROR_BUSY));
    case EAR_REFRESH_START:
      if (is_from_future (check, now))
        return interval > 0;
      if (now < check->not_before && !is_error (check, EAR_ERROR_OFFLINE))
        return FALSE;
      /* Without scheduled checks, a new podcast is still fetched once. */
      if (interval <= 0 && check->checked > 0)
        return FALSE;
      silence = check->failures == 0 && check->checked > 0 ? get_silence (subject) : 0;
      return silence < SILENCE_AT_START || now >= check->checked + silence;
    case EAR_REFRESH_ONLINE:
      return is_unreached_code (check->error - 1);
    case EAR_REFRESH_SCHEDULED:
      return now >= ear_refresh_policy_get_next (subject, interval, now);
    default:
      g_assert_not_reached ();
    }
}

/* Stores a failure and the time of the next check.
 * @code: the #EarError of the check
 * @retry_after: seconds that the server asked to wait; 0: it did not say */
void
ear_refresh_policy_note_failure (EarFeedCheck *check, const char *address, int code,
                                 gint64 retry_after, gint64 now)
{
  const guint times = check->failures;
  const gint64 delay = add_jitter (get_failure_delay (code, times), address);

  if (code != EAR_ERROR_OFFLINE ||
      double_delay (UNREACHED_DELAY, times, OFFLINE_LIMIT) < OFFLINE_LIMIT)
    check->failures++;
  check->error = code + 1;
  /* Without jitter: the listener reads the time that the server has asked for. */
  check->not_before = now + MAX (delay, retry_after);
}

void
ear_refresh_policy_note_success (EarFeedCheck *check, gint64 now)
{
  check->failures = 0;
  check->error = 0;
  check->not_before = 0;
  check->checked = now;
}
