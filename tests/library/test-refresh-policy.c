/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ear-refresh-policy.h"

/* When feeds are due; the tests use no network and no real time. */

#define NOW G_GINT64_CONSTANT (1800000000)
#define HOUR G_GINT64_CONSTANT (3600)
#define DAY (24 * HOUR)

static EarRefreshSubject
make_subject (const EarFeedCheck *check)
{
  return (EarRefreshSubject) { .check = check, .address = "https://example.org/feed" };
}

static void
test_interval (void)
{
  EarFeedCheck check = { .checked = NOW, .newest = NOW - HOUR };
  EarRefreshSubject subject = make_subject (&check);
  gint64 next = ear_refresh_policy_get_next (&subject, HOUR, NOW);

  g_assert_cmpint (next, >=, NOW + HOUR);
  g_assert_cmpint (next, <=, NOW + HOUR + HOUR / 5);
  g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_SCHEDULED, HOUR, next - 1));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_SCHEDULED, HOUR, next));
  g_assert_cmpint (ear_refresh_policy_get_next (&subject, 0, NOW), ==, G_MAXINT64);

  /* A feed that was never checked is due. */
  check = (EarFeedCheck) { 0 };
  g_assert_cmpint (ear_refresh_policy_get_next (&subject, HOUR, NOW), <=, NOW);
}

/* A podcast without automatic checks is not checked at the start either, unless it has
 * never been fetched. */
static void
test_only_when_asked (void)
{
  EarFeedCheck check = { .checked = NOW - DAY, .newest = NOW - DAY };
  EarRefreshSubject subject = make_subject (&check);

  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW));
  g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, 0, NOW));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ALL, 0, NOW));
  check = (EarFeedCheck) { 0 };
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, 0, NOW));
}

/* A thousand feeds that were checked in one second are not due in one second again. */
static void
test_jitter (void)
{
  guint per_bucket[12] = { 0 };

  for (guint i = 0; i < 1200; i++)
    {
      g_autofree char *address = g_strdup_printf ("https://example.org/feeds/%u", i);
      EarFeedCheck check = { .checked = NOW, .newest = NOW };
      EarRefreshSubject subject = { .check = &check, .address = address };
      gint64 later = ear_refresh_policy_get_next (&subject, HOUR, NOW) - NOW - HOUR;

      g_assert_cmpint (later, >=, 0);
      per_bucket[MIN (later / 60, 11)]++;
    }
  for (guint i = 0; i < 12; i++)
    {
      g_assert_cmpuint (per_bucket[i], >, 50);
      g_assert_cmpuint (per_bucket[i], <, 170);
    }
}

static void
test_silence (void)
{
  const struct
  {
    gint64 silent_for;
    gint64 delay;
  } table[] = { { DAY, HOUR }, { 50 * DAY, DAY / 2 }, { 100 * DAY, DAY }, { 300 * DAY, 3 * DAY }, { 5000 * DAY, 7 * DAY } };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      EarFeedCheck check = { .checked = NOW, .newest = NOW - table[i].silent_for };
      EarRefreshSubject subject = make_subject (&check);
      gint64 delay = ear_refresh_policy_get_next (&subject, HOUR, NOW) - NOW;

      g_assert_cmpint (delay, >=, table[i].delay);
      g_assert_cmpint (delay, <=, table[i].delay + table[i].delay / 5);
      /* Feeds with an interval of a day or more are not checked at each start; manual
       * checks always run. */
      g_assert_cmpint (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW + 60), ==, table[i].delay < 6 * HOUR);
      g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ALL, HOUR, NOW + 60));
      g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW + table[i].delay + 1));
    }
}

static void
test_complete (void)
{
  EarFeedCheck check = { .checked = NOW, .newest = NOW - DAY };
  EarRefreshSubject subject = make_subject (&check);

  subject.complete = TRUE;
  g_assert_cmpint (ear_refresh_policy_get_next (&subject, HOUR, NOW), >=, NOW + 7 * DAY);
  g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW + DAY));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ONE, HOUR, NOW + 1));
}

/* Each failure in a row doubles the delay, up to a week; a success resets it. */
static void
test_back_off (void)
{
  const struct
  {
    EarError code;
    gint64 first;
  } table[] = { { EAR_ERROR_UNREACHABLE, 10 }, { EAR_ERROR_TIMED_OUT, 10 }, { EAR_ERROR_INCOMPLETE, 10 }, { EAR_ERROR_BUSY, 60 },
                { EAR_ERROR_NOT_FOUND, 900 }, { EAR_ERROR_SERVER, 900 }, { EAR_ERROR_WEB_PAGE, 900 }, { EAR_ERROR_FAILED, 900 } };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      EarFeedCheck check = { .checked = NOW - DAY, .etag = (char *) "\"1\"" };
      EarRefreshSubject subject = make_subject (&check);
      gint64 delay = table[i].first;

      for (guint n = 1; n < 40; n++, delay = MIN (2 * delay, 7 * DAY))
        {
          ear_refresh_policy_note_failure (&check, subject.address, table[i].code, 0, NOW);
          g_assert_cmpuint (check.failures, ==, n);
          g_assert_cmpint (check.error, ==, table[i].code + 1);
          g_assert_cmpint (check.not_before, >=, NOW + delay);
          g_assert_cmpint (check.not_before, <=, NOW + delay + delay / 5);
          g_assert_cmpint (ear_refresh_policy_get_next (&subject, HOUR, NOW), ==, check.not_before);
          g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW + 1));
          g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ONE, HOUR, NOW + 1));
        }
      g_assert_cmpint (check.checked, ==, NOW - DAY);
      ear_refresh_policy_note_success (&check, NOW);
      g_assert_cmpuint (check.failures, ==, 0);
      g_assert_cmpint (check.error, ==, 0);
      g_assert_cmpint (check.not_before, ==, 0);
      g_assert_cmpint (check.checked, ==, NOW);
    }
}

/* A missing network is not the feed's failure: delays stay below five minutes, and a
 * start checks the feed. */
static void
test_offline (void)
{
  EarFeedCheck check = { 0 };
  EarRefreshSubject subject = make_subject (&check);

  for (guint i = 0; i < 100; i++)
    ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_OFFLINE, 0, NOW);
  g_assert_cmpint (check.not_before, <=, NOW + 360);
  g_assert_cmpuint (check.failures, <, 10);
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW + 1));
}

/* Without a schedule only unreachable feeds are checked again. */
static void
test_never (void)
{
  EarFeedCheck check = { 0 };
  EarRefreshSubject subject = make_subject (&check);

  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_UNREACHABLE, 0, NOW);
  g_assert_cmpint (ear_refresh_policy_get_next (&subject, 0, NOW), ==, check.not_before);
  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_NOT_FOUND, 0, NOW);
  g_assert_cmpint (ear_refresh_policy_get_next (&subject, 0, NOW), ==, G_MAXINT64);
}

static void
test_server_says (void)
{
  EarFeedCheck check = { 0 };
  EarRefreshSubject subject = make_subject (&check);

  /* Retry-After also applies when the listener refreshes all podcasts. */
  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_BUSY, 2 * HOUR, NOW);
  g_assert_cmpint (check.not_before, >=, NOW + 2 * HOUR);
  g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ALL, HOUR, NOW + 2 * HOUR - 1));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ALL, HOUR, check.not_before));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ONE, HOUR, NOW));

  /* A short Retry-After does not go below the minimum. */
  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_BUSY, 1, NOW);
  g_assert_cmpint (check.not_before, >=, NOW + 120);

  check = (EarFeedCheck) { 0 };
  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_GONE, 0, NOW);
  g_assert_cmpint (check.not_before, >=, NOW + 30 * DAY);
  g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ALL, HOUR, NOW + DAY));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ONE, HOUR, NOW + DAY));

  check = (EarFeedCheck) { 0 };
  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_UNAUTHORIZED, 0, NOW);
  g_assert_cmpint (check.not_before, >=, NOW + 7 * DAY);
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ALL, HOUR, NOW + DAY));
}

/* Times recorded by a clock that was ahead do not delay the next check. */
static void
test_clock_set_back (void)
{
  EarFeedCheck check = { .checked = NOW + 365 * DAY, .newest = NOW - 365 * DAY };
  EarRefreshSubject subject = make_subject (&check);

  g_assert_cmpint (ear_refresh_policy_get_next (&subject, HOUR, NOW), <=, NOW);
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_SCHEDULED, HOUR, NOW));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW));
  /* Still only on request */
  g_assert_cmpint (ear_refresh_policy_get_next (&subject, 0, NOW), ==, G_MAXINT64);
  g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, 0, NOW));

  check = (EarFeedCheck) { .checked = NOW - DAY };
  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_GONE, 0, NOW + 365 * DAY);
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_SCHEDULED, HOUR, NOW));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW));
  g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_ALL, 0, NOW));
  /* Some days suffice if no server has asked for a longer delay. */
  for (guint i = 0; i < 2; i++)
    {
      const EarError code = i == 0 ? EAR_ERROR_UNREACHABLE : EAR_ERROR_CERTIFICATE;

      check = (EarFeedCheck) { .checked = NOW - DAY };
      ear_refresh_policy_note_failure (&check, subject.address, code, 0, NOW + 3 * DAY);
      g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_SCHEDULED, HOUR, NOW));
      g_assert_true (ear_refresh_policy_is_due (&subject, EAR_REFRESH_START, HOUR, NOW));
    }
  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_BUSY, 7 * DAY, NOW);
  g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_SCHEDULED, HOUR, NOW));
  check = (EarFeedCheck) { .checked = NOW - DAY };
  /* A clock that is set back by an hour does not count as wrong. */
  ear_refresh_policy_note_failure (&check, subject.address, EAR_ERROR_GONE, 0, NOW + HOUR);
  g_assert_false (ear_refresh_policy_is_due (&subject, EAR_REFRESH_SCHEDULED, HOUR, NOW));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/refresh-policy/interval", test_interval);
  g_test_add_func ("/refresh-policy/jitter", test_jitter);
  g_test_add_func ("/refresh-policy/only-when-asked", test_only_when_asked);
  g_test_add_func ("/refresh-policy/silence", test_silence);
  g_test_add_func ("/refresh-policy/complete", test_complete);
  g_test_add_func ("/refresh-policy/back-off", test_back_off);
  g_test_add_func ("/refresh-policy/offline", test_offline);
  g_test_add_func ("/refresh-policy/never", test_never);
  g_test_add_func ("/refresh-policy/server-says", test_server_says);
  g_test_add_func ("/refresh-policy/clock-set-back", test_clock_set_back);

  return g_test_run ();
}
