/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-date.h"
#include "ear-duration.h"
#include "ear-entities.h"
#include "ear-html-tokenizer.h"
#include "ear-test-folder.h"
#include "ear-text-line.h"

#include <gio/gio.h>
#include <locale.h>
#include <string.h>

typedef struct
{
  const char *text;
  const char *expected; /* ISO 8601, or NULL for an unreadable date */
} DateCase;

static const DateCase dates[] = {
  /* RFC 822 and RFC 2822 */
  { "Sun, 04 Aug 2024 01:47:46 +0000", "2024-08-04T01:47:46Z" },
  { "Sun, 4 Aug 2024 01:47:46 -0730", "2024-08-04T09:17:46Z" },
  { "4 Aug 2024 01:47 GMT", "2024-08-04T01:47:00Z" },
  { "Mon, 01 Jan 2024 10:00:00 EST", "2024-01-01T15:00:00Z" },
  { "Mon, 01 Jul 2024 10:00:00 PDT", "2024-07-01T17:00:00Z" },
  { "Mon, 01 Jul 2024 10:00:00 CEST", "2024-07-01T08:00:00Z" },
  { "Mon, 01 Jul 2024 10:00:00 +02:00", "2024-07-01T08:00:00Z" },
  { "Mon, 01 Jul 2024 10:00:00 GMT+0200", "2024-07-01T08:00:00Z" },
  { "Mon, 01 Jul 2024 10:00:00 -0000", "2024-07-01T10:00:00Z" },
  { "Mon, 01 Jul 2024 10:00:00", "2024-07-01T10:00:00Z" },
  { "Mon, 01 Jul 2024", "2024-07-01T00:00:00Z" },
  { "Fri, 01 Jul 2024 10:00:00 GMT", "2024-07-01T10:00:00Z" }, /* actually a Monday */
  { "01 Jul 24 10:00:00 GMT", "2024-07-01T10:00:00Z" },
  { "01 Jul 87 10:00:00 GMT", "1987-07-01T10:00:00Z" },
  { "Monday, July 1st, 2024 at 10:00 PM EDT", "2024-07-02T02:00:00Z" },
  { "July 1, 2024, 12:05 a.m.", "2024-07-01T00:05:00Z" },
  { "Mon,01 Jul 2024 10:00:00 GMT", "2024-07-01T10:00:00Z" },
  { "\t Mon , 01\tJul  2024 10:00:00 +0000 \n", "2024-07-01T10:00:00Z" },
  { "Mon, 1 (the (first) day) Jul 2024 10:00:00 +0000 (UTC)", "2024-07-01T10:00:00Z" },
  { "Mon Jul  1 10:00:00 2024", "2024-07-01T10:00:00Z" },
  { "Mon, 01 Jul 2024 24:05:00 GMT", "2024-07-01T00:05:00Z" },
  { "Mon, 01 Jul 2024 23:59:60 GMT", "2024-07-01T23:59:59Z" },
  { "Mon, 01 Jul 2024 10:00:00 +9900", "2024-07-01T10:00:00Z" },
  { "Wed, 31 Apr 2024 10:00:00 GMT", "2024-04-30T10:00:00Z" },
  { "Sat, 29 Feb 2025 10:00:00 GMT", "2025-02-28T10:00:00Z" },
  /* other languages */
  { "mar., 02 avril 2024 00:00:00 +0200", "2024-04-01T22:00:00Z" },
  { "Mi, 13 Mär 2024 10:00:00 +0100", "2024-03-13T09:00:00Z" },
  { "lun, 05 ago 2024 10:00:00 +0000", "2024-08-05T10:00:00Z" },
  { "Пн, 05 авг 2024 10:00:00 +0300", "2024-08-05T07:00:00Z" },
  { "Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00Z" },
  { "13 Ocak 2004 19:48", "2004-01-13T19:48:00Z" },
  { "Çar, 13 Ara 2017 10:00:00 +0300", "2017-12-13T07:00:00Z" },
  { "keskiviikko 13. marraskuuta 2024", "2024-11-13T00:00:00Z" },
  { "st, 3. července 2024", "2024-07-03T00:00:00Z" },
  { "3. června 2024", "2024-06-03T00:00:00Z" },
  { "יום שלישי, 13 בינואר 2004", "2004-01-13T00:00:00Z" },
  { "13 يناير 2004 10:00", "2004-01-13T10:00:00Z" },
  { "13 лютого 2024", "2024-02-13T00:00:00Z" },
  /* other separators */
  { "Tue, 13 Jan 2004 19.48.21 GMT", "2004-01-13T19:48:21Z" },
  { "13.01.2004 19.48", "2004-01-13T19:48:00Z" },
  { "Tue, 13 Jan 2004 19:48:21 –0500", "2004-01-14T00:48:21Z" },
  { "Tue, 13 Jan 2004 19:48:21 -05:00:00", "2004-01-14T00:48:21Z" },
  /* ISO 8601 and W3C-DTF */
  { "2024-07-01T10:00:00Z", "2024-07-01T10:00:00Z" },
  { "2024-07-01T10:00:00.123+02:00", "2024-07-01T08:00:00Z" },
  { "2024-07-01T10:00", "2024-07-01T10:00:00Z" },
  { "2024-07-01T10", "2024-07-01T10:00:00Z" },
  { "2024-07-01 10:00:00 +02:00", "2024-07-01T08:00:00Z" },
  { "20240701T100000Z", "2024-07-01T10:00:00Z" },
  { "2024-07-01", "2024-07-01T00:00:00Z" },
  { "2024-07", "2024-07-01T00:00:00Z" },
  { "2024-183", "2024-07-01T00:00:00Z" },
  { "2024", "2024-01-01T00:00:00Z" },
  { "20240701", "2024-07-01T00:00:00Z" },
  { "2024/07/01 10:00:00", "2024-07-01T10:00:00Z" },
  /* zone names, and zones in unusual positions */
  { "Mon, 05 Aug 2024 20:19:00 America/Los_Angeles", "2024-08-06T03:19:00Z" },
  { "Mon, 05 Feb 2024 20:19:00 America/Los_Angeles", "2024-02-06T04:19:00Z" },
  { "2024-08-05 20:19:00 Europe/Brussels", "2024-08-05T18:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 America/Argentina/Buenos_Aires", "2024-08-05T23:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 US/Eastern", "2024-08-06T00:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 Etc/GMT+5", "2024-08-06T01:19:00Z" },
  { "2024-08-05T20:19:00[Europe/Paris]", "2024-08-05T18:19:00Z" },
  { "2024-08-05T20:19:00+01:00[Europe/Paris]", "2024-08-05T19:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 Nowhere/Land", "2024-08-05T20:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 ../../etc/passwd", "2024-08-05T20:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 America/Indiana", "2024-08-05T20:19:00Z" }, /* a folder */
  { "Mon, 05 Aug 2024 20:19:00 /etc/localtime", "2024-08-05T20:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 a/../../../etc/localtime", "2024-08-05T20:19:00Z" },
  { "05/Aug/2024 20:19:00 +0200", "2024-08-05T18:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 AT", "2024-08-06T00:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 AST", "2024-08-06T00:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 ADT", "2024-08-05T23:19:00Z" },
  { "July 1, 2024 at 10:00 PM", "2024-07-01T22:00:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 EST5EDT", "2024-08-06T01:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 (PDT)", "2024-08-06T03:19:00Z" },
  { "Mon Aug 05 2024 20:19:00 GMT-0700 (Pacific Daylight Time)", "2024-08-06T03:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 +0100 (PDT)", "2024-08-05T19:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 + 0200", "2024-08-05T18:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00:000 GMT", "2024-08-05T20:19:00Z" },
  { "lundi 5 août 2024, 20h19", "2024-08-05T20:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 HAST", "2024-08-06T06:19:00Z" },
  { "Mon, 05 Aug 2024 20:19:00 BRT", "2024-08-05T23:19:00Z" },
  /* other forms */
  { "1719828000", "2024-07-01T10:00:00Z" },
  { "1719828000123", "2024-07-01T10:00:00Z" },
  { "Mon, 07/13/2024 - 10:00", "2024-07-13T10:00:00Z" },
  { "13.07.2024 10:00", "2024-07-13T10:00:00Z" },
  { "Sat, 13 07 2024 10:00:00 +0100", "2024-07-13T09:00:00Z" },
  { "2004-05-25 오후 11:23:17", "2004-05-25T14:23:17Z" },
  { "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z" },
  { "Sun, 09 Feb 1960 23:59:45 GMT", "1960-02-09T23:59:45Z" },
  { "", NULL },
  { "yesterday", NULL },
  { "eleven", NULL },
  { "Mon, 99 Jul 2024 10:00:00 GMT", NULL },
  { "Mon, 01 zzz 2024 10:00:00 GMT", NULL },
  /* valid day, invalid time */
  { "03 Jan 2011 012:31:50 CST", "2011-01-03T18:31:50Z" },
  { "2011-01-03 junk", "2011-01-03T00:00:00Z" },
  { "2011-01-03T04:05:06Z junk", "2011-01-03T04:05:06Z" },
  { "03 Jan 2011 0012:31 GMT", "2011-01-03T12:31:00Z" },
  { "Mon, 01 Jul 2024 25:00:00 PDT", "2024-07-01T00:00:00Z" },
  { "Mon, 01 Jul 2024 10:61:00 GMT", "2024-07-01T00:00:00Z" },
  { "Mon, 01 Jul 2024 10:00:61 Europe/Paris", "2024-07-01T00:00:00Z" },
  { "Mon, 01 Jul 2024 10:000:00 GMT", "2024-07-01T00:00:00Z" },
  { "Mon, 01 Jul 2024 125:10 GMT", "2024-07-01T00:00:00Z" },
  { "Mon, 01 Jul 2024 10::00 PM GMT", "2024-07-01T00:00:00Z" },
  { "2024-07-01T99:99:99+02:00", "2024-07-01T00:00:00Z" },
  { "20240701T256199Z", "2024-07-01T00:00:00Z" },
  { "20240701256199", "2024-07-01T00:00:00Z" },
  { "2024-13-01", NULL },
  { "0001-01-01T00:00:00", NULL },
  { "-3", NULL },
  { "99999999999999999999", NULL },
  { "1 2 3 4 5 6 7", NULL },
  { "::::", NULL },
  { "\xff\xfe", NULL },
};

static void
test_dates (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (dates); i++)
    {
      gint64 seconds = ear_date_parse (dates[i].text);
      g_autoptr (GDateTime) time = seconds != EAR_DATE_UNKNOWN ? g_date_time_new_from_unix_utc (seconds) : NULL;
      g_autofree char *text = time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : NULL;

      if (g_strcmp0 (text, dates[i].expected) != 0)
        {
          g_test_message ("%s: %s expected, got %s", dates[i].text, dates[i].expected, text);
          g_test_fail ();
        }
    }
  g_assert_true (ear_date_parse (NULL) == EAR_DATE_UNKNOWN);
}

/* Days of four centuries, checked with GDate */
static void
test_every_day (void)
{
  GDate date;

  g_date_set_dmy (&date, 1, 1, 1850);
  for (int i = 0; i < 400 * 365; i += 13)
    {
      char text[64];

      g_date_strftime (text, sizeof text, "%Y-%m-%dT00:00:00Z", &date);
      g_assert_cmpint (ear_date_parse (text), ==, ((gint64) g_date_get_julian (&date) - 719163) * 86400);
      g_date_add_days (&date, 13);
    }
}

/* Case folding must not depend on a Turkish locale, where I and i are different
 * letters. */
static void
test_turkish (void)
{
  g_autofree char *folder = NULL;
  g_autofree char *locale = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) localedef = NULL;

  if (g_test_subprocess ())
    {
      g_assert_nonnull (setlocale (LC_ALL, "tr_TR.UTF-8"));
      g_assert_cmpint (ear_date_parse ("LUNED\303\214 21 GIUGNO 2021"), ==, ear_date_parse ("2021-06-21"));
      return;
    }
  folder = g_dir_make_tmp ("earmark-turkish-XXXXXX", &error);
  g_assert_no_error (error);
  locale = g_build_filename (folder, "tr_TR.UTF-8", NULL);
  localedef = g_subprocess_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE, NULL, "localedef", "-i", "tr_TR", "-f", "UTF-8", locale, NULL);
  if (localedef == NULL || !g_subprocess_wait_check (localedef, NULL, NULL))
    g_test_skip ("the Turkish locale cannot be made here");
  else
    {
      g_setenv ("LOCPATH", folder, TRUE);
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      g_unsetenv ("LOCPATH");
    }
  ear_test_folder_remove (folder);
}

static void
test_long_date (void)
{
  g_autofree char *text = g_strnfill (1000000, '1');

  g_assert_true (ear_date_parse (text) == EAR_DATE_UNKNOWN);
}

static void
test_durations (void)
{
  static const struct
  {
    const char *text;
    double seconds; /* 0: unknown */
  } cases[] = {
    { "300", 300 },          { "7200", 7200 },       { "05:10", 310 },          { "1:02", 62 },
    { "61:08", 3668 },       { "123:45", 7425 },     { "00:16:33", 993 },       { "1:20:01", 4801 },
    { "25:03:30", 90210 },   { " 03:02:01 \n", 10921 }, { "01:02:03.500", 3723.5 }, { "61.08", 61.08 },
    { "1h 2m 3s", 3723 },    { "20 min", 1200 },     { "PT1H2M3S", 3723 },      { "PT45M", 2700 },
    { "0", 0 },              { "00:00", 0 },         { "", 0 },                 { "o1:15:15", 0 },
    { "-01:15:15", 0 },      { "1:2:3:4", 0 },       { "abc", 0 },              { "1:", 0 },
    { ":30", 0 },            { "99999999999999", 0 }, { "999999:59:59", 0 },    { "PT", 0 },
    { "012:31:50", 45110 },  { "00:012:31", 751 },   { "0012:31", 751 },        { "1:23:45.678", 5025.678 },
    { "1h23", 4980 },        { "1h30m", 5400 },      { "12m34", 754 },          { "1 hour and 2 minutes", 3720 },
    { "1 Std. 2 Min.", 3720 }, { "1 Stunde", 3600 }, { "62'30\"", 3750 },       { "62’30”", 3750 },
    { "62''", 62 },          { "~30 min", 1800 },    { "30min.", 1800 },        { "P0DT1H2M", 3720 },
    { "P1DT2H", 93600 },     { "01.02.03", 3723 },   { "1：02：03", 3723 },     { "1 : 02 : 03", 3723 },
    { "1,234", 1234 },       { "61,5", 61.5 },       { "45:00 min", 2700 },     { "1:30 h", 5400 },
    { "1:02:03 hours", 3723 }, { "12:45:00 AM", 2700 }, { "01:02:03 AM", 3723 }, { "30 минут", 1800 },
    { "1時間2分3秒", 3723 }, { "30분", 1800 },       { "2 hrs", 7200 },         { "1.5 hours", 5400 },
    { "1:02 PM", 0 },        { "1:02:03 parsec", 0 }, { "P", 0 },               { "h", 0 },
    { "'", 0 },              { "1 1 1", 0 },         { "1.2.3.4", 0 },          { "999 days", 0 },
    { "1 parsec", 0 },       { "1e9", 0 },           { "0x10", 0 },             { "١٢:٣٠", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (ear_duration_parse (cases[i].text) != (gint64) (cases[i].seconds * G_USEC_PER_SEC))
      {
        g_test_message ("%s: %f s expected, got %f", cases[i].text, cases[i].seconds,
                          ear_duration_parse (cases[i].text) / (double) G_USEC_PER_SEC);
        g_test_fail ();
      }
  g_assert_cmpint (ear_duration_parse (NULL), ==, EAR_DURATION_UNKNOWN);
}

static void
test_npt (void)
{
  gint64 time = -1;

  g_assert_true (ear_npt_parse ("0", &time));
  g_assert_cmpint (time, ==, 0);
  g_assert_true (ear_npt_parse ("35:12.250", &time));
  g_assert_cmpint (time, ==, (35 * 60 + 12) * G_USEC_PER_SEC + 250000);
  g_assert_false (ear_npt_parse ("now", &time));
}

static void
test_entities (void)
{
  static const struct
  {
    const char *body;
    gunichar expected;
  } cases[] = {
    { "amp", '&' },     { "nbsp", 0xa0 },   { "AElig", 0xc6 },   { "zwnj", 0x200c }, { "apos", '\'' },
    { "eacute", 0xe9 }, { "#65", 'A' },     { "#x41", 'A' },     { "#X1f600", 0x1f600 }, { "#146", 0x2019 },
    { "#xD800", 0xfffd }, { "#99999999999", 0xfffd }, { "#xFFFF", 0xfffd }, { "#0", EAR_ENTITY_NOTHING },
    { "#xB", EAR_ENTITY_NOTHING }, { "Aacute", 0xc1 }, { "zwj", 0x200d }, { "bigstar", 0x2605 }, { "NewLine", '\n' },
    { "CounterClockwiseContourIntegral", 0x2233 }, { "b.alpha", 0 }, { "foo", 0 }, { "am", 0 }, { "ampe", 0 }, { "#", 0 }, { "#x", 0 }, { "#1a", 0 }, { "", 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gunichar second;

      g_assert_cmphex (ear_entity_lookup (cases[i].body, strlen (cases[i].body), &second), ==, cases[i].expected);
      g_assert_cmphex (second, ==, 0);
    }
}

/* HTML names of two characters, and references without a semicolon */
static void
test_html_text (void)
{
  static const char *const cases[][2] = {
    { "a &NotEqualTilde; b", "a \342\211\202\314\270 b" },
    { "&bne;&fjlig;", "=\342\203\245fj" },
    { "Tom &amp Jerry &copy 2020, &nbsp", "Tom & Jerry © 2020, \302\240" },
    { "&#8217s &#8217 s &#x41 &#x41", "&#8217s ’ s A A" },
    { "?a=1&copy=2&reg_x&not-y&ampere&hearts &star", "?a=1&copy=2&reg_x&not-y&ampere&hearts &star" },
    { "&lt;b&gt; &; &# &#x; &#; &&amp;&", "<b> &; &# &#x; &#; &&&" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      ear_entity_append_text (text, cases[i][0], strlen (cases[i][0]));
      g_assert_cmpstr (text->str, ==, cases[i][1]);
    }
}

static void
test_lines (void)
{
  static const struct
  {
    const char *text;
    EarTextKind kind;
    const char *expected;
  } cases[] = {
    { "Episode 1", EAR_TEXT_LITERAL, "Episode 1" },
    { "  Episode\n\t 1  ", EAR_TEXT_LITERAL, "Episode 1" },
    { "Tom &amp; Jerry", EAR_TEXT_LITERAL, "Tom &amp; Jerry" },
    { "Tom &amp; Jerry &#39;s", EAR_TEXT_ESCAPED, "Tom & Jerry 's" },
    { "<b>bold</b> &foo; &", EAR_TEXT_ESCAPED, "<b>bold</b> &" },
    { "A &x; b &doesnotexist; Don&rsqo;t &FOO;", EAR_TEXT_ESCAPED, "A b Dont" },
    { "AT&T; R&D; q&a; Tom&Jerry; B & B; Q&A &c. &x y; &; &1a;", EAR_TEXT_ESCAPED, "AT&T; R&D; q&a; Tom&Jerry; B & B; Q&A &c. &x y; &; &1a;" },
    { "AT&T &amp; R&D", EAR_TEXT_HTML, "AT&T & R&D" },
    { "&foo;", EAR_TEXT_ESCAPED, "&foo;" },
    { "&nbsp;", EAR_TEXT_ESCAPED, NULL },
    { "&x;", EAR_TEXT_LITERAL, "&x;" },
    { "Rock &amp;amp; Roll &amp;amp;amp; It&amp;#039;s &amp;#1 &amp;#x41; &amp;copy;", EAR_TEXT_ESCAPED, "Rock & Roll & It's &#1 A &copy;" },
    { "A <b title=\"x>y\">bold</b> <i a='>'>move</i>", EAR_TEXT_HTML, "A bold move" },
    { "A <b title=\"x>bold</b> move", EAR_TEXT_HTML, "A bold move" },
    { "A <b title=\"x", EAR_TEXT_HTML, "A <b title=\"x" },
    { "<b>bold</b> 1 < 2 <!-- no -->end", EAR_TEXT_HTML, "bold 1 < 2 end" },
    { "a\302\240b", EAR_TEXT_LITERAL, "a b" },
    { "A &NotEqualTilde; b &amp c &star;", EAR_TEXT_ESCAPED, "A \342\211\202\314\270 b & c ☆" },
    { "\342\200\256abc\342\200\254", EAR_TEXT_LITERAL, "abc" },
    { " \302\240\342\200\213 ", EAR_TEXT_LITERAL, NULL },
    { "", EAR_TEXT_HTML, NULL },
    { "%s %n ${x} `id`", EAR_TEXT_ESCAPED, "%s %n ${x} `id`" },
  };
  g_autofree char *long_text = g_strnfill (1000000, 'x');
  g_autofree char *cut = ear_text_line (long_text, EAR_TEXT_LITERAL, 100);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = ear_text_line (cases[i].text, cases[i].kind, 1000);

      g_assert_cmpstr (line, ==, cases[i].expected);
    }
  g_assert_cmpuint (strlen (cut), <=, 100);
  g_assert_true (g_str_has_suffix (cut, "x…"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/feed/values/dates", test_dates);
  g_test_add_func ("/feed/values/every-day", test_every_day);
  g_test_add_func ("/feed/values/turkish", test_turkish);
  g_test_add_func ("/feed/values/long-date", test_long_date);
  g_test_add_func ("/feed/values/durations", test_durations);
  g_test_add_func ("/feed/values/npt", test_npt);
  g_test_add_func ("/feed/values/entities", test_entities);
  g_test_add_func ("/feed/values/html-text", test_html_text);
  g_test_add_func ("/feed/values/lines", test_lines);

  return g_test_run ();
}
