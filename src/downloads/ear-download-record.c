/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-record.h"

#include "ear-address.h"
#include "ear-facts.h"
#include "ear-strict-json.h"

/*
 * The file of a record:
 *
 *   { "version": 1, "kind": "download", "podcast": address, "podcast-title": "...", "guid": "...",
 *     "title": "...", "enclosure": address, "type": "audio/mpeg", "published": 1722787200,
 *     "wanted": 1732320000000000, "size": 15728640, "etag": "...", "last-modified": "...",
 *     "done": 1732320009000000, "automatic": true,
 *     "file": "PyTorch Developer Podcast/2024-08-04 Compiler collectives.mp3" }
 *
 * Records of removed downloads that Earmark must not download automatically again
 * have `"declined": true`.
 */

#define VERSION 1
#define KIND "download"

static const struct
{
  const char *name;
  gsize offset;
  gboolean needed;
} texts[] = {
  { "podcast", G_STRUCT_OFFSET (EarDownloadRecord, podcast), TRUE },
  { "podcast-title", G_STRUCT_OFFSET (EarDownloadRecord, podcast_title), FALSE },
  { "guid", G_STRUCT_OFFSET (EarDownloadRecord, guid), TRUE },
  { "title", G_STRUCT_OFFSET (EarDownloadRecord, title), FALSE },
  { "enclosure", G_STRUCT_OFFSET (EarDownloadRecord, enclosure), TRUE },
  { "type", G_STRUCT_OFFSET (EarDownloadRecord, mime_type), FALSE },
  { "etag", G_STRUCT_OFFSET (EarDownloadRecord, etag), FALSE },
  { "last-modified", G_STRUCT_OFFSET (EarDownloadRecord, last_modified), FALSE },
  { "file", G_STRUCT_OFFSET (EarDownloadRecord, file), FALSE },
};

static const struct
{
  const char *name;
  gsize offset;
} numbers[] = {
  { "published", G_STRUCT_OFFSET (EarDownloadRecord, published) },
  { "size", G_STRUCT_OFFSET (EarDownloadRecord, size) },
  { "wanted", G_STRUCT_OFFSET (EarDownloadRecord, wanted) },
  { "done", G_STRUCT_OFFSET (EarDownloadRecord, done) },
};

static const struct
{
  const char *name;
  gsize offset;
} flags[] = {
  { "automatic", G_STRUCT_OFFSET (EarDownloadRecord, automatic) },
  { "paused", G_STRUCT_OFFSET (EarDownloadRecord, paused) },
  { "declined", G_STRUCT_OFFSET (EarDownloadRecord, declined) },
};

static char **
get_text (const EarDownloadRecord *self, gsize i)
{
  return &G_STRUCT_MEMBER (char *, self, texts[i].offset);
}

static gint64 *
get_number (const EarDownloadRecord *self, gsize i)
{
  return &G_STRUCT_MEMBER (gint64, self, numbers[i].offset);
}

static gboolean *
get_flag (const EarDownloadRecord *self, gsize i)
{
  return &G_STRUCT_MEMBER (gboolean, self, flags[i].offset);
}

EarDownloadRecord *
ear_download_record_new (const char *podcast, const char *guid, const char *enclosure)
{
  EarDownloadRecord *self = g_new0 (EarDownloadRecord, 1);

  self->podcast = g_strdup (podcast);
  self->guid = g_strdup (guid);
  self->enclosure = g_strdup (enclosure);
  self->published = EAR_DATE_UNKNOWN;

  return self;
}

/**
 * ear_download_record_new_array:
 *
 * Returns: (transfer full) (element-type EarDownloadRecord): an empty array that
 *   owns its items
 */
GPtrArray *
ear_download_record_new_array (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ear_download_record_free);
}

EarDownloadRecord *
ear_download_record_copy (const EarDownloadRecord *self)
{
  EarDownloadRecord *copy = g_memdup2 (self, sizeof *self);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    *get_text (copy, i) = g_strdup (*get_text (self, i));

  return copy;
}

void
ear_download_record_free (EarDownloadRecord *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (*get_text (self, i));
  g_free (self);
}

char *
ear_download_record_dup_key (const EarDownloadRecord *self)
{
  return ear_address_hash (self->podcast, self->guid);
}

/* Records are untrusted: accept web addresses only. */
static gboolean
check (const EarDownloadRecord *self, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i].needed && *get_text (self, i) == NULL)
      {
        g_set_error (error, EAR_ERROR, EAR_ERROR_DAMAGED, "no \"%s\"", texts[i].name);
        return FALSE;
      }
  if (ear_address_is_web (self->enclosure))
    return TRUE;
  g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "the enclosure is not on the web");

  return FALSE;
}

static EarDownloadRecord *
read_record (JsonObject *root, GError **error)
{
  g_autoptr (EarDownloadRecord) self = NULL;

  if (g_strcmp0 (ear_json_get_string (root, "kind", G_MAXSIZE), KIND) != 0)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "no record of a download");
      return NULL;
    }
  if (ear_json_get_int (root, "version", VERSION) > VERSION)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NEWER, "a record of a later version");
      return NULL;
    }
  self = ear_download_record_new (NULL, NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    *get_text (self, i) = g_strdup (ear_json_get_string (root, texts[i].name, G_MAXSIZE));
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    *get_number (self, i) = ear_json_get_int (root, numbers[i].name, *get_number (self, i));
  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    *get_flag (self, i) = ear_json_get_boolean (root, flags[i].name);
  self->size = MAX (self->size, 0);

  return check (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Returns: (transfer full) (nullable): the record in a file */
EarDownloadRecord *
ear_download_record_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonObject) root = ear_json_parse (text, length, error);

  return root != NULL ? read_record (root, error) : NULL;
}

/* Reads a damaged file, without its unreadable members. The caller has to check that the
 * record belongs to the right episode.
 * Returns: (transfer full) (nullable): the record, if its episode and
 * media are readable */
EarDownloadRecord *
ear_download_record_salvage (const char *text, gsize length)
{
  g_autoptr (JsonObject) root = ear_json_salvage (text, length, NULL, FALSE);

  json_object_set_string_member (root, "kind", KIND);

  return read_record (root, NULL);
}

/* @length: (out): bytes of the text
 * Returns: (transfer full): content of the record's file */
char *
ear_download_record_print (const EarDownloadRecord *self, gsize *length)
{
  g_autoptr (JsonObject) root = json_object_new ();
  g_autoptr (EarDownloadRecord) blank = ear_download_record_new (NULL, NULL, NULL);

  json_object_set_int_member (root, "version", VERSION);
  json_object_set_string_member (root, "kind", KIND);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*get_text (self, i) != NULL)
      json_object_set_string_member (root, texts[i].name, *get_text (self, i));
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (*get_number (self, i) != *get_number (blank, i))
      json_object_set_int_member (root, numbers[i].name, *get_number (self, i));
  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    if (*get_flag (self, i))
      json_object_set_boolean_member (root, flags[i].name, TRUE);

  return ear_json_print (root, length);
}
