/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-download-record.h"

#include "ear-address.h"
#include "ear-strict-json.h"

/* The file of a record:
 *
 *   { "version": 1, "kind": "download", "podcast": address, "podcast-title": "...", "guid": "...",
 *     "title": "...", "enclosure": address, "published": 1722787200,
 *     "wanted": 1732320000000000, "size": 15728640, "etag": "...", "last-modified": "...",
 *     "done": 1732320009000000, "automatic": true,
 *     "file": "PyTorch Developer Podcast/2024-08-04 Compiler collectives.mp3" }
 *
 * Records of removed downloads that Earmark must not download automatically again have
 * `"declined": true`. While Undo could restore a removed download, its record has
 * `"removed": true`. */

#define VERSION 1
#define KIND "download"

/* Sizes of downloads are added up, and no file is larger. */
#define SIZE_LIMIT ((gint64) 1 << 40)

typedef enum
{
  TEXT,
  NUMBER,
  FLAG,
} MemberType;

static const struct
{
  const char *name;
  MemberType type;
  gsize offset;
} members[] = {
  { "podcast", TEXT, G_STRUCT_OFFSET (EarDownloadRecord, podcast) },
  { "podcast-title", TEXT, G_STRUCT_OFFSET (EarDownloadRecord, podcast_title) },
  { "guid", TEXT, G_STRUCT_OFFSET (EarDownloadRecord, guid) },
  { "title", TEXT, G_STRUCT_OFFSET (EarDownloadRecord, title) },
  { "enclosure", TEXT, G_STRUCT_OFFSET (EarDownloadRecord, enclosure) },
  { "etag", TEXT, G_STRUCT_OFFSET (EarDownloadRecord, etag) },
  { "last-modified", TEXT, G_STRUCT_OFFSET (EarDownloadRecord, last_modified) },
  { "file", TEXT, G_STRUCT_OFFSET (EarDownloadRecord, file) },
  { "published", NUMBER, G_STRUCT_OFFSET (EarDownloadRecord, published) },
  { "size", NUMBER, G_STRUCT_OFFSET (EarDownloadRecord, size) },
  { "wanted", NUMBER, G_STRUCT_OFFSET (EarDownloadRecord, wanted) },
  { "done", NUMBER, G_STRUCT_OFFSET (EarDownloadRecord, done) },
  { "automatic", FLAG, G_STRUCT_OFFSET (EarDownloadRecord, automatic) },
  { "paused", FLAG, G_STRUCT_OFFSET (EarDownloadRecord, paused) },
  { "declined", FLAG, G_STRUCT_OFFSET (EarDownloadRecord, declined) },
  { "removed", FLAG, G_STRUCT_OFFSET (EarDownloadRecord, removed) },
};

#define MEMBER(Type, record, i) G_STRUCT_MEMBER (Type, record, members[i].offset)

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

EarDownloadRecord *
ear_download_record_copy (const EarDownloadRecord *self)
{
  return ear_texts_copy (self, sizeof *self, &self->file);
}

EAR_DEFINE_TEXTS_FREE (EarDownloadRecord, ear_download_record_free, file)

char *
ear_download_record_dup_key (const EarDownloadRecord *self)
{
  return ear_address_hash (self->podcast, self->guid);
}

/* Returns: (transfer full) (nullable): the record in a file. Records are untrusted: only
 * web addresses are accepted. */
EarDownloadRecord *
ear_download_record_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonObject) root = ear_json_parse (text, length, error);
  g_autoptr (EarDownloadRecord) self = NULL;

  if (root == NULL)
    return NULL;
  self = ear_download_record_new (NULL, NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *name = members[i].name;

      if (members[i].type == TEXT)
        MEMBER (char *, self, i) = g_strdup (ear_json_get_string (root, name, G_MAXSIZE));
      else if (members[i].type == NUMBER)
        MEMBER (gint64, self, i) =
            json_object_get_int_member_with_default (root, name, MEMBER (gint64, self, i));
      else
        MEMBER (gboolean, self, i) =
            json_object_get_boolean_member_with_default (root, name, FALSE);
    }
  if (self->size < 0 || self->size > SIZE_LIMIT)
    self->size = 0;

  if (g_strcmp0 (ear_json_get_string (root, "kind", G_MAXSIZE), KIND) != 0)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "no record of a download");
  else if (json_object_get_int_member_with_default (root, "version", VERSION) > VERSION)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_NEWER, "a record of a later version");
  else if (self->podcast == NULL || self->guid == NULL)
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "no podcast, or no episode");
  else if (!ear_address_is_web (self->enclosure))
    g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, "the enclosure is not on the web");
  else
    return g_steal_pointer (&self);

  return NULL;
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
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *name = members[i].name;

      if (members[i].type == TEXT && MEMBER (char *, self, i) != NULL)
        json_object_set_string_member (root, name, MEMBER (char *, self, i));
      if (members[i].type == NUMBER && MEMBER (gint64, self, i) != MEMBER (gint64, blank, i))
        json_object_set_int_member (root, name, MEMBER (gint64, self, i));
      if (members[i].type == FLAG && MEMBER (gboolean, self, i))
        json_object_set_boolean_member (root, name, TRUE);
    }

  return ear_json_print (root, length);
}
