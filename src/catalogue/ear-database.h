/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

#include <sqlite3.h>

G_BEGIN_DECLS

/* A statement in use; leaving its scope resets it for the next use. */
typedef sqlite3_stmt EarStatement;

void ear_statement_reset (EarStatement *self);
void ear_statement_bind_text (EarStatement *self, int index, const char *text);
char *ear_statement_dup_text (EarStatement *self, int column);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStatement, ear_statement_reset)

typedef struct _EarDatabase EarDatabase;

/**
 * EarDatabaseMode:
 * @EAR_DATABASE_READ_ONLY: reads
 * @EAR_DATABASE_COPY: reads, and may write copies of the database
 * @EAR_DATABASE_READ_WRITE: reads and writes; creates a missing file
 * @EAR_DATABASE_MEMORY: a new one in memory
 */
typedef enum
{
  EAR_DATABASE_READ_ONLY,
  EAR_DATABASE_COPY,
  EAR_DATABASE_READ_WRITE,
  EAR_DATABASE_MEMORY,
} EarDatabaseMode;

/**
 * EarDatabaseDepth:
 * @EAR_DATABASE_PAGES: check the pages of the tables (`PRAGMA quick_check`)
 * @EAR_DATABASE_CONTENT: also compare the indexes, full text indexes too, with the tables
 *   (`PRAGMA integrity_check`), which takes four times as long
 *
 * Depth of a check.
 */
typedef enum
{
  EAR_DATABASE_PAGES,
  EAR_DATABASE_CONTENT,
} EarDatabaseDepth;

EarDatabase *ear_database_open (const char *path, EarDatabaseMode mode, GError **error);
void ear_database_close (EarDatabase *self);
sqlite3 *ear_database_get_handle (EarDatabase *self);
void ear_database_empty_log (EarDatabase *self);
void ear_database_save_memory (EarDatabase *self);
gboolean ear_database_get_damaged (EarDatabase *self);
gboolean ear_database_exec (EarDatabase *self, const char *sql, GError **error);
EarStatement *ear_database_prepare (EarDatabase *self, const char *sql, GError **error);
EarStatement *ear_database_query (EarDatabase *self, GError **error, const char *sql,
                                  const char *types, ...);
gboolean ear_database_execute (EarDatabase *self, GError **error, const char *sql,
                               const char *types, ...);
char *ear_database_print_ids (const gint64 *ids, guint n_ids);
void ear_database_append_text (GString *json, const char *text);
GArray *ear_database_list (EarDatabase *self, EarStatement *statement, GError **error);
gboolean ear_database_step (EarDatabase *self, EarStatement *statement, gboolean *row,
                            GError **error);
gboolean ear_database_run (EarDatabase *self, EarStatement *statement, GError **error);
gboolean ear_database_get_int (EarDatabase *self, GError **error, gint64 *value, const char *sql,
                               const char *types, ...);
char *ear_database_dup_version (void);

/* Checks and copies */
gboolean ear_database_check (EarDatabase *self, EarDatabaseDepth depth, GError **error);
gboolean ear_database_copy_to (EarDatabase *self, const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDatabase, ear_database_close)

G_END_DECLS
