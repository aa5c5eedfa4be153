/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"

G_BEGIN_DECLS

/* How the last writing session ended, stored in the table meta */
typedef enum
{
  EAR_EXIT_NONE = 0,    /* it was killed, or is still running */
  EAR_EXIT_CLEAN = 1,
  EAR_EXIT_DAMAGED = 2, /* it found damage */
} EarExitKind;

/* The full text index, which can be rebuilt from the other tables */
#define EAR_CATALOGUE_TEXT_INDEX "episode_text"
extern const char ear_catalogue_schema_texts[];

EarDatabase *ear_catalogue_schema_open     (const char   *path,
                                            EarExitKind  *exit,
                                            GError      **error);
gboolean     ear_catalogue_schema_accept   (EarDatabase  *database,
                                            GError      **error);
gboolean     ear_catalogue_schema_check_current (EarDatabase *database,
                                                 GError     **error);
gboolean     ear_catalogue_schema_set_exit (EarDatabase  *database,
                                            EarExitKind   kind,
                                            GError      **error);
gboolean     ear_catalogue_schema_set_restored (EarDatabase *database,
                                                GError     **error);

G_END_DECLS
