/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"
#include "ear-strict-json.h"

G_BEGIN_DECLS

#define EAR_USERDATA_KIND_PODCAST "podcast"
#define EAR_USERDATA_KIND_SUBSCRIPTIONS "subscriptions"
#define EAR_USERDATA_KIND_NOW "now"
#define EAR_USERDATA_KIND_BACKUP "backup"

/* Names of files that are not a podcast's */
#define EAR_SUBSCRIPTION_FILE_NAME "subscriptions.json"
#define EAR_USERDATA_NOW_NAME "now.json"

/* Longer names are not the listener's; they stay in the file, unread. */
#define EAR_USERDATA_NAME_LIMIT 8192
#define EAR_USERDATA_TITLE_LIMIT 2048

/* A fact describes a subject to people and other programs, and has no stamp. */
#define EAR_N_ENTRY_FACTS 2

/* Tables of a podcast's file; all other files have one table */
#define EAR_TABLE_EPISODES 0
#define EAR_TABLE_SETTINGS 1
#define EAR_N_ENTRY_TABLES 2

/* Keys of a subscription; those of an episode are #EarMark, those of the settings
 * #EarPodcastSetting */
#define EAR_ENTRY_FOLLOWED 0
#define EAR_ENTRY_FOLDER 1

/* Facts of an episode, and of a subscription */
#define EAR_FACT_TITLE 0
#define EAR_FACT_ENCLOSURE 1
#define EAR_FACT_FEED 1

/* The entries of one member of a state file. An entry is a value with a stamp, by subject
 * (an episode, a podcast, a record) and key (played, followed). */
typedef struct
{
  const char *member;  /* member of the root that has the subjects; %NULL: the root itself */
  const char *subject; /* (nullable): its only subject */
  const EarValueType *keys; /* one without a name: the subject itself is the entry */
  guint n_keys;        /* 0: no table */
  gboolean has_aliases;   /* subjects have other names in "aliases" */
  gboolean ignores_stamps; /* a newer stamp of the same value is no news */
  gboolean keeps_new;      /* a restore leaves subjects alone that the backup does not have */
  gboolean implies_first;  /* without a member, the first key is true since the oldest stamp */
  const char *facts[EAR_N_ENTRY_FACTS]; /* (nullable) */

  gboolean (*accepts) (const char *subject);

  /* Reads a fact; %NULL instead: facts are only written */
  const char *(*read_fact) (guint fact, JsonObject *object);
} EarEntryTable;

const EarEntryTable *ear_entry_tables_find (const char *kind);
const char **ear_entry_list_names (const EarEntryTable *table, const char *name,
                                   JsonObject *object);
gboolean ear_entry_next (const EarEntryTable *table, JsonObjectIter *iter, const char **name,
                         JsonObject **object);
GHashTable *ear_entry_index_names (const EarEntryTable *table, JsonObject *container);
JsonObject *ear_entry_ensure_container (const EarEntryTable *table, JsonObject *root);
JsonObject *ear_entry_get_holder (const EarEntryTable *table, JsonObject *container,
                                  JsonObject *object);
GVariant *ear_entry_dup_default (const EarEntryTable *table, guint key);
gint64 ear_entry_read (const EarEntryTable *table, JsonObject *holder, const char *subject,
                       guint key, gint64 now, GVariant **value);
void ear_entry_put (const EarEntryTable *table, JsonObject *holder, const char *subject, guint key,
                    GVariant *value, gint64 stamp);
gboolean ear_entry_write (const EarEntryTable *table, JsonObject *holder, const char *subject,
                          guint key, GVariant *value, gint64 stamp, gint64 now);

char *ear_userdata_shape_dup_name (const char *address);
JsonObject *ear_userdata_shape_new (const char *kind);
gboolean ear_userdata_shape_check (JsonObject *root, const char *kind, GError **error);
JsonObject *ear_userdata_shape_parse (GBytes *content, const char *kind);
JsonObject *ear_userdata_shape_salvage (const char *text, gsize length, const char *kind);
const char *ear_userdata_shape_get_table (const char *kind);
const char *ear_userdata_shape_get_kind (const char *name);

gboolean ear_userdata_merge (JsonObject *into, JsonObject *from, gint64 now);

G_END_DECLS
