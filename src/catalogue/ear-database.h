/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

#include <sqlite3.h>

G_BEGIN_DECLS

/* A statement in use; leaving its scope resets it for the next use. */
typedef sqlite3_stmt EarStatement;

void ear_statement_reset (EarStatement *self);
void ear_statement_bind_text (EarStatement *self, int index, const char *text);
const char *ear_statement_get_text (EarStatement *self, int column);
char *ear_statement_dup_text (EarStatement *self, int column);
void ear_statement_read (EarStatement *self, int column, const char *types, ...);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStatement, ear_statement_reset)

typedef struct _EarDatabase EarDatabase;

typedef enum
{
  EAR_DATABASE_READ_ONLY,
  EAR_DATABASE_READ_WRITE, /* creates a missing file */
} EarDatabaseMode;

EarDatabase *ear_database_open (const char *path, EarDatabaseMode mode, GError **error);
void ear_database_close (EarDatabase *self);
sqlite3 *ear_database_get_handle (EarDatabase *self);
void ear_database_empty_log (EarDatabase *self);
void ear_database_save_memory (EarDatabase *self);
gboolean ear_database_get_damaged (EarDatabase *self);
void ear_database_exec (EarDatabase *self, const char *sql);
EarStatement *ear_database_prepare (EarDatabase *self, const char *sql);
EarStatement *ear_database_query (EarDatabase *self, const char *sql, const char *types, ...);
gboolean ear_database_step (EarDatabase *self, EarStatement *statement);
void ear_database_execute (EarDatabase *self, const char *sql, const char *types, ...);
gint64 ear_database_get_int (EarDatabase *self, const char *sql, const char *types, ...);
GArray *ear_database_list (EarDatabase *self, EarStatement *statement);
void ear_database_fail (EarDatabase *self, GError *error);
gboolean ear_database_has_failed (EarDatabase *self);
gboolean ear_database_finish (EarDatabase *self, GError **error);
char *ear_database_dup_version (void);

/* Checks and copies */
void ear_database_check (EarDatabase *self);
void ear_database_copy_to (EarDatabase *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarDatabase, ear_database_close)

G_END_DECLS
