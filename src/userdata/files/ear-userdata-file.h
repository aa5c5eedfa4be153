/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-entry-table.h"
#include "ear-json-folder.h"

G_BEGIN_DECLS

typedef struct _EarUserdataFile EarUserdataFile;

/* Visits an entry.
 * @facts: (array fixed-size=EAR_N_ENTRY_FACTS): of the subject; each may be %NULL */
typedef void (*EarEntryVisit) (const char *subject, const char *const *facts, guint key,
                               GVariant *value, gint64 stamp, gpointer user_data);

EarUserdataFile *ear_userdata_file_new (EarJsonFolder *folder, const char *name);
void ear_userdata_file_free (EarUserdataFile *self);
const char *ear_userdata_file_get_kind (EarUserdataFile *self);
const char *ear_userdata_file_get_address (EarUserdataFile *self);
gboolean ear_userdata_file_is_dirty (EarUserdataFile *self);
void ear_userdata_file_set_dirty (EarUserdataFile *self);
void ear_userdata_file_peek (EarUserdataFile *self);
gboolean ear_userdata_file_is_changed (EarUserdataFile *self);
gboolean ear_userdata_file_refresh (EarUserdataFile *self, GError **error);
gboolean ear_userdata_file_write (EarUserdataFile *self, GError **error);

JsonObject *ear_userdata_file_read (EarUserdataFile *self, GError **error);
JsonObject *ear_userdata_file_open (EarUserdataFile *self, GError **error);
gboolean ear_userdata_file_close (EarUserdataFile *self, JsonObject *root, gboolean changed,
                                  GError **error);
gboolean ear_userdata_file_absorb (EarUserdataFile *self, const char *copy, GError **error);

gboolean ear_userdata_file_set (EarUserdataFile *self, guint table, const char *subject, guint key,
                                GVariant *value, gint64 given, gint64 done);
gint64 ear_userdata_file_get (EarUserdataFile *self, guint table, const char *subject, guint key,
                              GVariant **value);
gboolean ear_userdata_file_set_fact (EarUserdataFile *self, const char *subject, guint fact,
                                     const char *text);
gboolean ear_userdata_file_add_alias (EarUserdataFile *self, const char *subject,
                                      const char *alias);
void ear_userdata_file_describe (EarUserdataFile *self, const char *address,
                                 const char *feed_address, const char *title);
gboolean ear_userdata_file_report (EarUserdataFile *self, guint table, gboolean all,
                                   EarEntryVisit visit, gpointer user_data);

gint64 ear_entry_next_stamp (gint64 given, gint64 done, gint64 known, gboolean same, gint64 now);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarUserdataFile, ear_userdata_file_free)

G_END_DECLS
