/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-entry-table.h"
#include "ear-userdata-file.h"

G_BEGIN_DECLS

typedef struct _EarEntryFile EarEntryFile;

/* Visits an entry. */
typedef void (*EarEntryVisit) (const char *subject, guint key, GVariant *value, gint64 stamp,
                               gpointer user_data);

EarEntryFile *ear_entry_file_new (EarJsonFolder *folder, const char *name, const char *kind);
void ear_entry_file_free (EarEntryFile *self);
const char *ear_entry_file_get_kind (EarEntryFile *self);
const char *ear_entry_file_get_address (EarEntryFile *self);
gboolean ear_entry_file_is_dirty (EarEntryFile *self);
void ear_entry_file_set_dirty (EarEntryFile *self);
void ear_entry_file_peek (EarEntryFile *self);
gboolean ear_entry_file_refresh (EarEntryFile *self, GError **error);
gboolean ear_entry_file_write (EarEntryFile *self, GError **error);

gboolean ear_entry_file_set (EarEntryFile *self, guint table, const char *subject, guint key,
                             GVariant *value, gint64 given, gint64 done);
gint64 ear_entry_file_get (EarEntryFile *self, guint table, const char *subject, guint key,
                           GVariant **value);
gboolean ear_entry_file_set_fact (EarEntryFile *self, const char *subject, guint fact,
                                  const char *text);
const char *ear_entry_file_get_fact (EarEntryFile *self, const char *subject, guint fact);
gboolean ear_entry_file_set_alias (EarEntryFile *self, const char *subject, const char *alias);
void ear_entry_file_describe (EarEntryFile *self, const char *address, const char *feed_address,
                              const char *title);
gboolean ear_entry_file_report (EarEntryFile *self, guint table, gboolean all, EarEntryVisit visit,
                                gpointer user_data);

gint64 ear_entry_next_stamp (gint64 given, gint64 done, gint64 known, gboolean same, gint64 now);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarEntryFile, ear_entry_file_free)

G_END_DECLS
