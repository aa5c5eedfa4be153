/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-name.h"

#include "ear-facts.h"

#include <string.h>

/* Names of downloaded files, which a listener can find in any program and on any disk.
 * Feeds are untrusted: the result is always one name, and never a path. Pure. */

/* With date, attempt number and ending, a name stays below the 255 bytes of most file
 * systems, and the 143 bytes of an encrypted folder. */
#define TITLE_BYTES 100

/* Endings by MIME type. The same endings are accepted from URLs, if the bytes are
 * no known media. */
static const struct
{
  const char *type;
  const char *ending;
} endings[] = {
  { "audio/mpeg", "mp3" },       { "audio/mp3", "mp3" },     { "audio/x-mp3", "mp3" },
  { "audio/mp4", "m4a" },        { "audio/x-m4a", "m4a" },   { "audio/m4a", "m4a" },
  { "audio/m4b", "m4b" },        { "audio/aac", "aac" },     { "audio/aacp", "aac" },
  { "audio/ogg", "ogg" },        { "audio/vorbis", "oga" },  { "application/ogg", "ogg" },
  { "audio/opus", "opus" },      { "audio/flac", "flac" },   { "audio/x-flac", "flac" },
  { "audio/aiff", "aiff" },      { "audio/x-aiff", "aiff" }, { "audio/wav", "wav" },
  { "audio/x-wav", "wav" },      { "audio/webm", "webm" },   { "audio/x-ms-wma", "wma" },
  { "video/mp4", "mp4" },        { "video/x-m4v", "m4v" },   { "video/webm", "webm" },
  { "video/quicktime", "mov" },  { "video/ogg", "ogv" },     { "video/x-matroska", "mkv" },
  { "audio/x-matroska", "mka" },
};

/* Endings of formats with the same first bytes: the type and the URL are more exact */
static const struct
{
  const char *found;
  const char *other;
} variants[] = { { "m4a", "m4b" }, { "mp4", "m4v" }, { "ogg", "oga" } };

/* Characters with a special meaning on FAT and NTFS */
#define FORBIDDEN "/\\:*?\"<>|"

/* Invisible characters, which can hide text or reorder it */
static gboolean
is_unseen (gunichar c)
{
  const GUnicodeType type = g_unichar_type (c);

  return type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_SURROGATE ||
         type == G_UNICODE_PRIVATE_USE || type == G_UNICODE_UNASSIGNED ||
         type == G_UNICODE_LINE_SEPARATOR || type == G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* One line, without characters that a file system or a reader would misinterpret;
 * may be empty */
static char *
clean (const char *title)
{
  g_autofree char *valid = g_utf8_make_valid (title, (gssize) strnlen (title, 4 * TITLE_BYTES));
  g_autoptr (GString) name = g_string_new (NULL);
  gboolean gap = FALSE;

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);
      char bytes[6];
      const int n_bytes = g_unichar_to_utf8 (c, bytes);

      if (g_unichar_isspace (c))
        gap = name->len > 0;
      /* Skip dots at the beginning: hidden files, and `..`. */
      else if (is_unseen (c) || (c == '.' && name->len == 0))
        continue;
      else if (name->len + gap + (gsize) n_bytes > TITLE_BYTES)
        break;
      else
        {
          if (gap)
            g_string_append_c (name, ' ');
          gap = FALSE;
          if (c < 0x80 && strchr (FORBIDDEN, (char) c) != NULL)
            g_string_append_c (name, '-');
          else
            g_string_append_len (name, bytes, n_bytes);
        }
    }
  /* Some file systems drop dots and spaces at the end. */
  while (name->len > 0 && strchr (". ", name->str[name->len - 1]) != NULL)
    g_string_truncate (name, name->len - 1);

  return g_string_free (g_steal_pointer (&name), FALSE);
}

static const char *
find_type_ending (const char *mime_type)
{
  const gsize length = mime_type != NULL ? strcspn (mime_type, "; \t") : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (endings) && length > 0; i++)
    if (strlen (endings[i].type) == length &&
        g_ascii_strncasecmp (endings[i].type, mime_type, length) == 0)
      return endings[i].ending;

  return NULL;
}

/* The URL may be a script's. If it has a media ending, that is more exact than a
 * general MIME type. */
static const char *
find_address_ending (const char *address)
{
  const gsize length = strcspn (address, "?#");

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      const gsize ending = strlen (endings[i].ending);

      if (length > ending + 1 && address[length - ending - 1] == '.' &&
          g_ascii_strncasecmp (address + length - ending, endings[i].ending, ending) == 0)
        return endings[i].ending;
    }

  return NULL;
}

/* @found: (nullable): the ending that fits the bytes */
static const char *
get_ending (const EarDownloadRecord *record, const char *found)
{
  const char *by_type = find_type_ending (record->mime_type);
  const char *by_address = find_address_ending (record->enclosure);

  if (found == NULL)
    return by_type != NULL ? by_type : by_address != NULL ? by_address : "audio";
  for (gsize i = 0; i < G_N_ELEMENTS (variants); i++)
    if (g_str_equal (found, variants[i].found) && (g_strcmp0 (by_type, variants[i].other) == 0 ||
                                                   g_strcmp0 (by_address, variants[i].other) == 0))
      return variants[i].other;

  return found;
}

char *
ear_download_name_dup_folder (const EarDownloadRecord *record)
{
  g_autofree char *name = clean (record->podcast_title != NULL ? record->podcast_title : "");

  return *name != '\0' ? g_steal_pointer (&name) : g_strdup ("Podcast");
}

/* @attempt: 0, and one more for each file that already has the name
 * @ending: (nullable): the ending that fits the bytes, if they are known media
 * Returns: (transfer full): name within the folder: date, title and ending */
char *
ear_download_name_dup_file (const EarDownloadRecord *record, guint attempt, const char *ending)
{
  g_autoptr (GDateTime) published = NULL;
  g_autofree char *title = clean (record->title != NULL ? record->title : "");
  g_autofree char *day = NULL;
  g_autoptr (GString) name = g_string_new (NULL);

  if (record->published != EAR_DATE_UNKNOWN)
    published = g_date_time_new_from_unix_utc (record->published);
  if (published != NULL)
    day = g_date_time_format (published, "%Y-%m-%d");
  if (day != NULL)
    g_string_append (name, day);
  if (*title != '\0')
    g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", title);
  if (name->len == 0)
    g_string_append (name, "Episode");
  if (attempt > 0)
    g_string_append_printf (name, " (%u)", attempt + 1);
  g_string_append_printf (name, ".%s", get_ending (record, ending));

  return g_string_free (g_steal_pointer (&name), FALSE);
}
