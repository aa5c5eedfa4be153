/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-name.h"

#include "ear-facts.h"

#include <string.h>

/*
 * What files of downloads are called: as a listener would find them again, in any program and on any
 * disk. What a feed says may be anything; what comes of it is one name, never a way elsewhere. Pure.
 */

/* With the date, the number of an attempt and an ending, less than the 255 bytes of most file systems,
 * and less than the 143 of an encrypted folder */
#define TITLE_BYTES 100

/* Endings by MIME type, and the endings of addresses that are believed, where the bytes are no
 * known media. */
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

/* Endings of files that begin alike, of which the type and the address know more than the bytes */
static const struct
{
  const char *found;
  const char *other;
} variants[] = { { "m4a", "m4b" }, { "mp4", "m4v" }, { "ogg", "oga" } };

/* Not in a name on some disk: FAT and NTFS know them as something else */
#define FORBIDDEN "/\\:*?\"<>|"

/* Marks that are not seen, and make what is seen another order, or another name */
static gboolean
is_unseen (gunichar c)
{
  const GUnicodeType type = g_unichar_type (c);

  return type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT || type == G_UNICODE_SURROGATE ||
         type == G_UNICODE_PRIVATE_USE || type == G_UNICODE_UNASSIGNED || type == G_UNICODE_LINE_SEPARATOR ||
         type == G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* One line without what a file system, or a reader, takes for something else; perhaps empty */
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
      /* Hidden, or the folder above */
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
  /* Some file systems drop these at the end. */
  while (name->len > 0 && strchr (". ", name->str[name->len - 1]) != NULL)
    g_string_truncate (name, name->len - 1);

  return g_string_free (g_steal_pointer (&name), FALSE);
}

static const char *
find_type_ending (const char *mime_type)
{
  const gsize length = mime_type != NULL ? strcspn (mime_type, "; \t") : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (endings) && length > 0; i++)
    if (strlen (endings[i].type) == length && g_ascii_strncasecmp (endings[i].type, mime_type, length) == 0)
      return endings[i].ending;

  return NULL;
}

/* The address need not be more than one of a script; its own ending says more than a general type. */
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

/* @attempt: 0, and one more each time that there is a file of that name already
 * @ending: (nullable): the ending that fits the bytes of the file, where they are known media
 * Returns: (transfer full): what its file is called within that folder: its day, its title and its
 * ending */
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
