/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

/* A step of the schema: what turns version `version - 1` into `version`. */
typedef struct
{
  int version;
  const char *sql;
} EarMigration;

/* How the last session that wrote ended, stored in the table meta. */
typedef enum
{
  EAR_EXIT_NONE = 0,    /* it was killed, or is still there */
  EAR_EXIT_CLEAN = 1,
  EAR_EXIT_DAMAGED = 2, /* it found damage while it worked */
} EarExitKind;

gboolean     ear_database_migrate        (EarDatabase        *database,
                                          const EarMigration *migrations,
                                          guint               n_migrations,
                                          GError            **error);
EarDatabase *ear_catalogue_schema_open   (const char         *path,
                                          GError            **error);
char        *ear_catalogue_schema_set_aside (const char      *path,
                                             GError         **error);
gboolean     ear_catalogue_schema_set_exit (EarDatabase      *database,
                                            EarExitKind       kind,
                                            GError          **error);

G_END_DECLS
