/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-date.h"

#include "ear-date-zone.h"
#include "ear-xml-chars.h"

#include <string.h>

/* Longer texts are not parsed as dates. */
#define DATE_LIMIT 128

/* Earlier years come from programs that write zero as a date. */
#define FIRST_YEAR 1800

#define MAX_NUMBERS 3

/* 1 January 1970 as a GDate day number */
#define EPOCH 719163

typedef struct
{
  const char *word;
  int value;
} Word;

/* Prefixes of month names; the first match counts. */
static const Word months[] = {
  { "marras", 11 }, /* Finnish, before "mar"; the other Finnish names are below */
  { "jan", 1 }, { "feb", 2 }, { "mar", 3 }, { "apr", 4 }, { "may", 5 }, { "jun", 6 },
  { "jul", 7 }, { "aug", 8 }, { "sep", 9 }, { "oct", 10 }, { "nov", 11 }, { "dec", 12 },
  /* German, Dutch, the Nordic languages */
  { "jän", 1 }, { "mär", 3 }, { "maer", 3 }, { "mrz", 3 }, { "mrt", 3 }, { "maa", 3 }, { "mai", 5 }, { "maj", 5 },
  { "mei", 5 }, { "okt", 10 }, { "dez", 12 }, { "des", 12 },
  /* French, Spanish, Italian, Portuguese, Catalan */
  { "ene", 1 }, { "gen", 1 }, { "fév", 2 }, { "fev", 2 }, { "avr", 4 }, { "abr", 4 }, { "mag", 5 }, { "juin", 6 },
  { "giu", 6 }, { "juil", 7 }, { "lug", 7 }, { "aoû", 8 }, { "aou", 8 }, { "ago", 8 }, { "set", 9 }, { "ott", 10 },
  { "out", 10 }, { "déc", 12 }, { "dic", 12 },
  /* Hungarian, Polish, Czech */
  { "már", 3 }, { "ápr", 4 }, { "máj", 5 }, { "jún", 6 }, { "júl", 7 }, { "szep", 9 }, { "sty", 1 }, { "lut", 2 },
  { "kwi", 4 }, { "cze", 6 }, { "lip", 7 }, { "sie", 8 }, { "wrz", 9 }, { "paź", 10 }, { "lis", 11 }, { "gru", 12 },
  /* Greek */
  { "ιαν", 1 }, { "φεβ", 2 }, { "μαρ", 3 }, { "μάρ", 3 }, { "απρ", 4 }, { "μαι", 5 }, { "μάι", 5 }, { "μαϊ", 5 },
  { "ιουν", 6 }, { "ιούν", 6 }, { "ιουλ", 7 }, { "ιούλ", 7 }, { "αυγ", 8 }, { "αύγ", 8 }, { "σεπ", 9 }, { "οκτ", 10 },
  { "νοε", 11 }, { "νοέ", 11 }, { "δεκ", 12 },
  /* Russian */
  { "янв", 1 }, { "фев", 2 }, { "мар", 3 }, { "апр", 4 }, { "май", 5 }, { "мая", 5 }, { "июн", 6 }, { "июл", 7 },
  { "авг", 8 }, { "сен", 9 }, { "окт", 10 }, { "ноя", 11 }, { "дек", 12 },
  /* Ukrainian */
  { "січ", 1 }, { "лют", 2 }, { "бер", 3 }, { "кві", 4 }, { "тра", 5 }, { "чер", 6 }, { "лип", 7 }, { "сер", 8 },
  { "вер", 9 }, { "жов", 10 }, { "лис", 11 }, { "гру", 12 },
  /* Czech and Slovak */
  { "led", 1 }, { "úno", 2 }, { "bře", 3 }, { "dub", 4 }, { "kvě", 5 }, { "červenc", 7 }, { "červenec", 7 }, { "červ", 6 },
  { "srp", 8 }, { "zář", 9 }, { "říj", 10 }, { "pro", 12 },
  /* Finnish, Romanian, Turkish */
  { "tam", 1 }, { "hel", 2 }, { "huh", 4 }, { "tou", 5 }, { "kes", 6 }, { "hei", 7 }, { "elo", 8 }, { "syy", 9 }, { "lok", 10 },
  { "jou", 12 }, { "ian", 1 }, { "iun", 6 }, { "iul", 7 }, { "noi", 11 }, { "oca", 1 }, { "şub", 2 }, { "nis", 4 },
  { "haz", 6 }, { "tem", 7 }, { "ağu", 8 }, { "eyl", 9 }, { "eki", 10 }, { "kas", 11 }, { "ara", 12 },
  /* Hebrew, with and without the prefix "in" */
  { "ינו", 1 }, { "פבר", 2 }, { "מרץ", 3 }, { "אפר", 4 }, { "מאי", 5 }, { "יונ", 6 }, { "יול", 7 }, { "אוג", 8 },
  { "ספט", 9 }, { "אוק", 10 }, { "נוב", 11 }, { "דצמ", 12 }, { "בינו", 1 }, { "בפבר", 2 }, { "במרץ", 3 }, { "באפר", 4 },
  { "במאי", 5 }, { "ביונ", 6 }, { "ביול", 7 }, { "באוג", 8 }, { "בספט", 9 }, { "באוק", 10 }, { "בנוב", 11 }, { "בדצמ", 12 },
  /* Arabic */
  { "يناير", 1 }, { "فبراير", 2 }, { "مارس", 3 }, { "أبريل", 4 }, { "ابريل", 4 }, { "مايو", 5 }, { "يونيو", 6 }, { "يوليو", 7 },
  { "أغسطس", 8 }, { "اغسطس", 8 }, { "سبتمبر", 9 }, { "أكتوبر", 10 }, { "اكتوبر", 10 }, { "نوفمبر", 11 }, { "ديسمبر", 12 },
};

typedef struct
{
  int value;
  int digits;
  char before; /* the separator before the number */
} Number;

typedef struct
{
  Number numbers[MAX_NUMBERS];
  guint n_numbers;
  int month; /* given by name; 0: none */
  int hour;
  int minute;
  int second;
  int offset; /* minutes east of Greenwich */
  gboolean has_time;
  gboolean has_zone;
  gboolean is_korean;
  gboolean is_afternoon;
  gboolean is_morning;
  gboolean is_wrong;
  gboolean is_wrong_time; /* the time is invalid, but the day may be right */
} Parts;

static const Word *
find_month (const char *word, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS (months); i++)
    {
      gsize size;

      if (months[i].word[0] != word[0])
        continue;
      size = strlen (months[i].word);
      if (length >= size && memcmp (months[i].word, word, size) == 0)
        return &months[i];
    }

  return NULL;
}

/* Remove RFC 5322 comments, which may nest, and stray closing brackets. */
static char *
without_comments (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  int depth = 0;

  for (const char *c = text; *c != '\0'; c++)
    {
      if (depth > 0 && *c == '\\' && c[1] != '\0')
        c++;
      else if (*c == '(')
        depth++;
      else if (*c == ')')
        depth = MAX (depth - 1, 0);
      else if (depth == 0)
        g_string_append_c (plain, *c);
    }

  return g_string_free (g_steal_pointer (&plain), FALSE);
}

/* Reads up to nine digits; longer numbers are not part of a date. */
static int
read_number (const char **position, int *digits)
{
  int value = 0;

  *digits = 0;
  for (; g_ascii_isdigit (**position); (*position)++, (*digits)++)
    if (*digits < 9)
      value = value * 10 + (**position - '0');

  return value;
}

/* Reads ":mm", ":ss" and a fraction after the hour. The separator may be a dot, or the
 * "h" of "20h15". */
static const char *
read_time (Parts *parts, int hour, const char *position)
{
  const char separator = *position;
  int digits;

  parts->has_time = TRUE;
  parts->hour = hour;
  if (*position == separator)
    {
      position++;
      parts->minute = read_number (&position, &digits);
      if (digits < 1 || digits > 2)
        parts->is_wrong_time = TRUE;
    }
  if (*position == separator && g_ascii_isdigit (position[1]))
    {
      position++;
      parts->second = read_number (&position, &digits);
      if (digits > 2)
        parts->is_wrong_time = TRUE;
    }
  if ((*position == '.' || *position == ',' || *position == ':') && g_ascii_isdigit (position[1]))
    {
      position++;
      read_number (&position, &digits);
    }

  return position;
}

/* ISO 8601 times without colons: "T13", "T1314" or "T131455" */
static void
read_compact_time (Parts *parts, int value, int digits)
{
  parts->has_time = TRUE;
  if (digits <= 2)
    parts->hour = value;
  else if (digits <= 4)
    {
      parts->hour = value / 100;
      parts->minute = value % 100;
    }
  else
    {
      parts->hour = value / 10000;
      parts->minute = value / 100 % 100;
      parts->second = value % 100;
    }
}

static const char *
read_offset (Parts *parts, const char *position)
{
  int sign = *position == '-' ? -1 : 1;
  int digits;
  int value;
  int minutes = 0;

  position++;
  value = read_number (&position, &digits);
  if (digits <= 2 && *position == ':')
    {
      position++;
      minutes = read_number (&position, &digits);
      /* Skip the seconds: no time zone has any. */
      if (*position == ':' && g_ascii_isdigit (position[1]))
        {
          position++;
          read_number (&position, &digits);
        }
    }
  else if (digits > 2)
    {
      minutes = value % 100;
      value /= 100;
    }
  /* Ignore offsets that no time zone has. */
  if (value <= 14 && minutes < 60)
    {
      parts->offset = sign * (value * 60 + minutes);
      parts->has_zone = TRUE;
    }

  return position;
}

static void
add_number (Parts *parts, int value, int digits, char before)
{
  if (digits == 8 && parts->n_numbers == 0)
    {
      /* ISO 8601 basic format: YYYYMMDD */
      parts->numbers[0] = (Number) { value / 10000, 4, before };
      parts->numbers[1] = (Number) { value / 100 % 100, 2, '-' };
      parts->numbers[2] = (Number) { value % 100, 2, '-' };
      parts->n_numbers = 3;
    }
  else if (parts->n_numbers < MAX_NUMBERS)
    parts->numbers[parts->n_numbers++] = (Number) { value, digits, before };
  else
    parts->is_wrong = TRUE;
}

/* "at" before a time is a word, not a zone: "1 July 2024 at 10:00". */
static gboolean
may_be_zone (const Parts *parts, const char *word, gsize length)
{
  if (length == 2 && memcmp (word, "at", 2) == 0)
    return parts->has_time && parts->n_numbers > 0;

  return parts->has_time || parts->n_numbers > 0;
}

static void
use_word (Parts *parts, const char *word, gsize length)
{
  static const char *const morning[] = { "am", "a.m", "오전", NULL };
  static const char *const afternoon[] = { "pm", "p.m", "오후", NULL };
  const Word *found = find_month (word, length);
  int offset;

  if (found != NULL && parts->has_time && parts->month != 0)
    found = NULL;
  if (found != NULL)
    {
      /* A later month replaces an earlier one: "mar." is a Tuesday in French. */
      parts->month = found->value;
      return;
    }
  if (may_be_zone (parts, word, length) && ear_date_find_zone (word, length, &offset))
    {
      parts->offset = offset;
      parts->has_zone = TRUE;
    }
  else if (ear_xml_is_one_of (afternoon, word, length))
    parts->is_afternoon = TRUE;
  else if (ear_xml_is_one_of (morning, word, length))
    parts->is_morning = TRUE;
  if (length >= 3 && ((guint8) word[0]) >= 0xea && ((guint8) word[0]) <= 0xed)
    parts->is_korean = TRUE;
}

static const char *
read_word (Parts *parts, const char *position)
{
  const char *start = position;

  while (g_ascii_isalpha (*position) || (guint8) *position >= 0x80 ||
         (*position == '.' && g_ascii_isalpha (position[1])))
    position++;
  use_word (parts, start, position - start);
  /* "EST5EDT" */
  if (parts->has_zone && g_ascii_isdigit (*position) && g_ascii_isalpha (position[1]))
    while (g_ascii_isalnum (*position))
      position++;

  return position;
}

static gboolean
starts_clock (const char *position, const char *text)
{
  return *position == 't' && g_ascii_isdigit (position[1]) && position > text &&
         (g_ascii_isdigit (position[-1]) || position[-1] == ' ');
}

/* "19.48.21" or "19h48" is a time if a whole date precedes it. */
static gboolean
may_be_other_time (const Parts *parts, const char *position)
{
  return parts->n_numbers == (parts->month != 0 ? 2 : 3) && g_ascii_isdigit (position[1]) && g_ascii_isdigit (position[2]) &&
         !g_ascii_isdigit (position[3]);
}

/* Replaces dashes and minus signs by hyphens. */
static char *
with_hyphens (char *text)
{
  GString *plain = g_string_new_take (text);

  g_string_replace (plain, "\342\200\223", "-", 0);
  g_string_replace (plain, "\342\210\222", "-", 0);

  return g_string_free_and_steal (plain);
}

static void
read_parts (Parts *parts, const char *text)
{
  const char *position = text;
  char before = '\0';
  gboolean clock = FALSE;

  while (*position != '\0' && !parts->is_wrong)
    {
      if (g_ascii_isdigit (*position))
        {
          int digits;
          int value = read_number (&position, &digits);

          /* Up to four digits before a colon: some feeds write "012:31:50". */
          if (!parts->has_time && digits <= (*position == ':' ? 4 : 2) &&
              (*position == ':' || ((*position == '.' || *position == 'h') && may_be_other_time (parts, position))))
            position = read_time (parts, value, position);
          else if (clock)
            read_compact_time (parts, value, digits);
          else
            add_number (parts, value, digits, before);
          clock = FALSE;
          before = ' ';
        }
      else if ((*position == '+' || *position == '-') && (parts->has_time || parts->has_zone) &&
               g_ascii_isdigit (position[1]))
        position = read_offset (parts, position);
      else if (*position == '+' && parts->has_time && position[1] == ' ' && g_ascii_isdigit (position[2]))
        position = read_offset (parts, position + 1);
      else if (starts_clock (position, text))
        {
          clock = TRUE;
          position++;
        }
      else if (g_ascii_isalpha (*position) || (guint8) *position >= 0x80)
        position = read_word (parts, position);
      else
        {
          if (*position != ' ' || before == '\0')
            before = *position;
          position++;
        }
    }
}

/* RFC 2822, section 4.3 */
static int
full_year (int value, int digits)
{
  if (digits <= 2)
    return value + (value < 50 ? 2000 : 1900);

  return digits == 3 ? value + 1900 : value;
}

/* Orders the numbers of a date whose month is a number. */
static gboolean
order_numbers (const Parts *parts, int *year, int *month, int *day)
{
  const Number *n = parts->numbers;

  if (n[0].digits >= 4 || (n[0].digits == 2 && n[1].before == '-' && n[2].digits == 2))
    {
      *year = full_year (n[0].value, n[0].digits);
      *month = n[1].value;
      *day = n[2].value;
    }
  else
    {
      gboolean american = n[1].before == '/' && n[0].value <= 12;

      *month = american ? n[0].value : n[1].value;
      *day = american ? n[1].value : n[0].value;
      *year = full_year (n[2].value, n[2].digits);
      if (*month > 12 && *day <= 12)
        {
          int other = *month;

          *month = *day;
          *day = other;
        }
    }

  return *month >= 1 && *month <= 12;
}

static gboolean
find_date (const Parts *parts, int *year, int *month, int *day)
{
  const Number *n = parts->numbers;

  *day = 1;
  /* In "2011-01-03", a word that looks like a month name is not one. */
  if (parts->month != 0 && !(parts->n_numbers == 3 && n[0].digits == 4 && n[1].before == '-' &&
                             n[2].before == '-'))
    {
      gboolean year_first = n[0].digits >= 4;

      if (parts->n_numbers != 2)
        return FALSE;
      *month = parts->month;
      *year = full_year (n[year_first ? 0 : 1].value, n[year_first ? 0 : 1].digits);
      *day = n[year_first ? 1 : 0].value;
      return TRUE;
    }
  if (parts->n_numbers == 3)
    return order_numbers (parts, year, month, day);
  if (parts->n_numbers == 2 && (n[0].digits == 4 || n[0].before == '-') && n[1].before == '-')
    {
      *year = full_year (n[0].value, n[0].digits);
      *month = n[1].value;
      if (n[1].digits == 3)
        {
          /* Day of the year: ear_date_parse() adds it to 1 January. */
          *month = 1;
          *day = n[1].value;
        }
      return *month >= 1 && *month <= 12;
    }

  return FALSE;
}

static gboolean
has_wrong_time (const Parts *parts)
{
  return parts->is_wrong_time || parts->hour > 24 || parts->minute > 59 || parts->second > 60;
}

/* An invalid time counts as midnight UTC. */
static gint64
seconds_of (const Parts *parts, int year, int month, int day)
{
  static const Parts midnight = { 0 };
  int hour;
  GDate date;

  if (year < FIRST_YEAR || year > 9999 || day < 1)
    return EAR_DATE_UNKNOWN;
  if (has_wrong_time (parts))
    parts = &midnight;
  hour = parts->hour % 24;
  if (parts->is_afternoon && hour < 12)
    hour += 12;
  else if (parts->is_morning && hour == 12)
    hour = 0;
  /* Days past the end of a month, such as 31 April, mean its last day. */
  g_date_clear (&date, 1);
  g_date_set_dmy (&date, MIN (day, g_date_get_days_in_month (month, year)), month, year);

  return (((gint64) g_date_get_julian (&date) - EPOCH) * 24 + hour) * 3600 + parts->minute * 60 + MIN (parts->second, 59) -
         (gint64) parts->offset * 60;
}

/* Parses dates of digits only: ISO 8601 short forms and Unix time. */
static gint64
parse_digits (const char *text, gsize length)
{
  gint64 value = g_ascii_strtoll (text, NULL, 10);
  Parts parts = { 0 };

  switch (length)
    {
    case 4:
      return seconds_of (&parts, value, 1, 1);
    case 5: /* year and day of the year */
      return value % 1000 >= 1 && value % 1000 <= 366
                 ? seconds_of (&parts, full_year (value / 1000, 2), 1, 1) + (value % 1000 - 1) * 86400
                 : EAR_DATE_UNKNOWN;
    case 6:
    case 8:
    case 12:
    case 14:
      if (length >= 12)
        {
          read_compact_time (&parts, value % (length == 12 ? 10000 : 1000000), length - 8);
          value /= length == 12 ? 10000 : 1000000;
        }
      if (value / 100 % 100 < 1 || value / 100 % 100 > 12 || value % 100 > 31)
        return EAR_DATE_UNKNOWN;
      return seconds_of (&parts, full_year (value / 10000, length == 6 ? 2 : 4), value / 100 % 100, value % 100);
    case 9:
    case 10:
      return value;
    case 13:
      return value / 1000;
    default:
      return EAR_DATE_UNKNOWN;
    }
}

/* Reads the zone from a comment, as in "20:19:00 (PDT)", if there is none elsewhere. */
static void
read_comment (Parts *parts, const char *text)
{
  const char *open = strrchr (text, '(');
  const char *close = open != NULL ? strchr (open, ')') : NULL;
  g_autofree char *word = close != NULL ? g_ascii_strdown (open + 1, close - open - 1) : NULL;

  if (word != NULL && parts->has_time && !parts->has_zone)
    parts->has_zone = ear_date_find_zone (word, strlen (word), &parts->offset);
}

/* Reads RFC 822, RFC 2822, ISO 8601 and W3C-DTF dates and Unix time, with the deviations
 * found in feeds: zone names, no zone (UTC is assumed), no seconds, wrong weekdays,
 * two-digit years, months in other languages, comments.
 * @text: (nullable): a date as a feed writes it
 * Returns: Unix seconds, or %EAR_DATE_UNKNOWN */
gint64
ear_date_parse (const char *text)
{
  g_autofree char *lower = NULL;
  g_autofree char *plain = NULL;
  g_autoptr (GTimeZone) zone = NULL;
  Parts parts = { 0 };
  int year, month, day;
  gint64 seconds;
  gboolean ordinal;

  if (text == NULL || strlen (text) > DATE_LIMIT || !g_utf8_validate (text, -1, NULL))
    return EAR_DATE_UNKNOWN;
  plain = strchr (text, '(') != NULL ? without_comments (text) : g_strdup (text);
  g_strdelimit (plain, "\t\r\n", ' ');
  g_strstrip (plain);
  if (*plain != '\0' && strspn (plain, "0123456789") == strlen (plain))
    return parse_digits (plain, strlen (plain));
  if (strlen (plain) == 5 && *plain == '-' && strspn (plain + 1, "0123456789") == 4)
    {
      /* ISO 8601's "-YYMM" */
      g_autofree char *full = g_strconcat (plain + 1, "01", NULL);

      return parse_digits (full, 6);
    }

  zone = ear_date_take_zone (plain);
  lower = g_str_is_ascii (plain) ? g_ascii_strdown (plain, -1) : with_hyphens (g_utf8_casefold (plain, -1));
  read_parts (&parts, lower);
  if (parts.is_wrong || !find_date (&parts, &year, &month, &day))
    return EAR_DATE_UNKNOWN;
  ordinal = parts.month == 0 && parts.n_numbers == 2 && parts.numbers[1].digits == 3;
  if (day > (ordinal ? 366 : 31))
    return EAR_DATE_UNKNOWN;
  read_comment (&parts, text);
  if (parts.is_korean && !parts.has_zone)
    parts.offset = 540;

  seconds = seconds_of (&parts, year, month, ordinal ? 1 : day);
  if (ordinal && seconds != EAR_DATE_UNKNOWN)
    seconds += (day - 1) * 86400;

  return zone != NULL && !parts.has_zone && !has_wrong_time (&parts) && seconds != EAR_DATE_UNKNOWN ? ear_date_to_universal (seconds, zone) : seconds;
}
