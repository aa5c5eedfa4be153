/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-name.h"

#include <string.h>

/* Names of downloaded files, which a listener can find in any program and on any disk.
 * Feeds are untrusted: the result is always one name, and never a path. Pure. */

/* With date, attempt number and ending, a name stays below the 255 bytes of most file
 * systems, and the 143 bytes of an encrypted folder. */
#define TITLE_BYTES 100

/* Endings by media type in the shared MIME database. URLs may have the same: others may be a
 * script's, or a program's. */
static const struct
{
  const char *type;
  const char *ending;
} endings[] = {
  { "audio/mpeg", "mp3" },           { "audio/mp4", "m4a" },
  { "audio/x-m4b", "m4b" },          { "audio/aac", "aac" },
  { "audio/ogg", "ogg" },            { "audio/x-vorbis+ogg", "ogg" },
  { "audio/x-flac+ogg", "oga" },     { "audio/x-speex+ogg", "spx" },
  { "audio/x-opus+ogg", "opus" },    { "audio/flac", "flac" },
  { "audio/x-aiff", "aiff" },        { "audio/vnd.wave", "wav" },
  { "audio/x-wav", "wav" },          { "audio/x-ms-wma", "wma" },
  { "application/vnd.ms-asf", "wma" }, { "video/x-ms-asf", "wma" },
  { "video/x-ms-wmv", "wmv" },       { "audio/AMR", "amr" },
  { "audio/ac3", "ac3" },            { "video/webm", "webm" },
  { "video/mp4", "mp4" },            { "video/x-m4v", "m4v" },
  { "video/quicktime", "mov" },      { "video/ogg", "ogv" },
  { "video/x-theora+ogg", "ogv" },   { "video/x-matroska", "mkv" },
  { "application/x-matroska", "mkv" }, { "audio/x-matroska", "mka" },
  { "video/mp2t", "ts" },            { "video/mpeg", "mpg" },
  { "video/vnd.avi", "avi" },        { "video/x-msvideo", "avi" },
  { "video/x-flv", "flv" },          { "application/ogg", "ogg" },
  { "audio/x-aifc", "aiff" },        { "audio/x-aiff", "aif" },
  { "video/3gpp", "3gp" },           { "audio/basic", "au" },
  { "audio/x-ape", "ape" },          { "audio/x-wavpack", "wv" },
  { "audio/x-musepack", "mpc" },     { "audio/x-tta", "tta" },
  { "audio/midi", "mid" },           { "audio/x-caf", "caf" },
};

/* Endings of formats with the same first bytes, of which the URL may have the more exact one */
static const struct
{
  const char *found;
  const char *other;
} variants[] = {
  { "m4a", "m4b" }, { "mp4", "m4a" }, { "mp4", "m4b" }, { "mp4", "m4v" },
  { "ogg", "oga" }, { "mkv", "mka" }, { "wma", "wmv" },
};

/* Replacements in titles, one after the other */
static const struct
{
  const char *pattern;
  const char *by;
} replacements[] = {
  /* Invisible characters, which can hide text or reorder it */
  { "(?!\\s)\\p{C}", "" },
  { "\\s+", " " },
  /* Characters with a special meaning on FAT and NTFS */
  { "[/\\\\:*?\"<>|]", "-" },
  /* Hidden files, and `..` */
  { "^[. ]+", "" },
};

/* One line, without characters that a file system or a reader would misinterpret;
 * may be empty */
static char *
clean (const char *title)
{
  g_autofree char *name = g_utf8_make_valid (title, strnlen (title, 4 * TITLE_BYTES));
  const char *end;

  for (gsize i = 0; i < G_N_ELEMENTS (replacements); i++)
    {
      g_autoptr (GRegex) regex =
          g_regex_new (replacements[i].pattern, G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
      g_autofree char *before = g_steal_pointer (&name);

      name = g_regex_replace_literal (regex, before, -1, 0, replacements[i].by, 0, NULL);
    }
  g_utf8_validate_len (name, MIN (strlen (name), TITLE_BYTES), &end);
  /* Some file systems drop dots and spaces at the end. */
  while (end > name && strchr (". ", end[-1]) != NULL)
    end--;

  return g_strndup (name, end - name);
}

static const char *
find_address_ending (const char *address)
{
  g_autofree char *path = g_ascii_strdown (address, strcspn (address, "?#"));
  const char *dot = strrchr (path, '.');

  for (gsize i = 0; dot != NULL && i < G_N_ELEMENTS (endings); i++)
    if (g_str_equal (dot + 1, endings[i].ending))
      return endings[i].ending;

  return NULL;
}

/* @type: (nullable): the media type that fits the bytes */
static const char *
get_ending (const EarDownloadRecord *record, const char *type)
{
  const char *named = find_address_ending (record->enclosure);
  const char *found = NULL;

  for (gsize i = 0; type != NULL && found == NULL && i < G_N_ELEMENTS (endings); i++)
    if (g_str_equal (type, endings[i].type))
      found = endings[i].ending;
  if (found == NULL)
    return named != NULL ? named : "audio";
  for (gsize i = 0; i < G_N_ELEMENTS (variants); i++)
    if (g_str_equal (found, variants[i].found) && g_strcmp0 (named, variants[i].other) == 0)
      return named;

  return found;
}

char *
ear_download_name_dup_folder (const EarDownloadRecord *record)
{
  g_autofree char *name = clean (record->podcast_title != NULL ? record->podcast_title : "");

  return *name != '\0' ? g_steal_pointer (&name) : g_strdup ("Podcast");
}

/* @attempt: 0, and one more for each file that already has the name
 * @type: (nullable): the media type that fits the bytes
 * Returns: (transfer full): name within the folder: date, title and ending */
char *
ear_download_name_dup_file (const EarDownloadRecord *record, guint attempt, const char *type)
{
  g_autoptr (GDateTime) published = g_date_time_new_from_unix_utc (record->published);
  g_autofree char *title = clean (record->title != NULL ? record->title : "");
  g_autofree char *day = published != NULL ? g_date_time_format (published, "%Y-%m-%d") : NULL;
  GString *name = g_string_new (NULL);

  if (day != NULL)
    g_string_append (name, day);
  if (*title != '\0')
    g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", title);
  if (name->len == 0)
    g_string_append (name, "Episode");
  if (attempt > 0)
    g_string_append_printf (name, " (%u)", attempt + 1);
  g_string_append_printf (name, ".%s", get_ending (record, type));

  return g_string_free_and_steal (name);
}
