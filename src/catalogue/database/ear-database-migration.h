/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

/* A step of the schema, from version `version - 1` to `version` */
typedef struct
{
  int version;
  const char *sql;
} EarMigration;

/* Suffix of the copy kept before a step, followed by its version */
#define EAR_DATABASE_VERSION_SUFFIX ".version-"

gboolean ear_database_migrate (EarDatabase        *database,
                               const EarMigration *steps,
                               guint               n_steps,
                               GError            **error);

G_END_DECLS
