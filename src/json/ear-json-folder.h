/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-strict-json.h"

G_BEGIN_DECLS

/* Distinguishes contents of a file without reading them; compared byte by byte */
typedef struct
{
  guint64 device;
  guint64 inode;
  gint64 size;
  gint64 modified; /* nanoseconds */
  gint64 changed;  /* nanoseconds */
} EarJsonIdentity;

/* Called when a damaged file was moved to the path @set_aside. @restored: a new file has
 * the entries that could be recovered. */
typedef void (*EarJsonDamaged) (const char *set_aside, gboolean restored, gpointer user_data);

/* A folder, for use on one thread */
typedef struct
{
  const char *path;       /* borrowed; the folder is created at the first write */
  EarJsonDamaged damaged; /* (nullable) */
  gpointer user_data;
} EarJsonFolder;

int ear_json_folder_lock (EarJsonFolder *self, GError **error);
char *ear_json_folder_read (EarJsonFolder *self, const char *name, EarJsonIdentity *identity,
                            gsize *length, GError **error);
gboolean ear_json_folder_write (EarJsonFolder *self, const char *name, const char *text,
                                gsize length, EarJsonIdentity *identity, GError **error);
gboolean ear_json_folder_write_json (EarJsonFolder *self, const char *name, JsonObject *root,
                                     EarJsonIdentity *identity, GError **error);
char *ear_json_folder_replace_damaged (EarJsonFolder *self, const char *name, JsonObject *root,
                                       EarJsonIdentity *identity, GError **error);
gboolean ear_json_folder_identify (EarJsonFolder *self, const char *name,
                                   EarJsonIdentity *identity);
char *ear_json_folder_set_aside (EarJsonFolder *self, const char *name, const char *reason,
                                 gboolean keep, GError **error);
GPtrArray *ear_json_folder_scan (EarJsonFolder *self);
char *ear_json_folder_dup_original (const char *name);

G_END_DECLS
