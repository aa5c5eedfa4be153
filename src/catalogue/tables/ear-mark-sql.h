/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-episode-state.h"

G_BEGIN_DECLS

/* As many columns, or parameters, as EAR_MARK_SQL_ALL and EAR_MARK_SQL_VALUES stand for. */
#define EAR_MARK_SQL_N_COLUMNS (2 * EAR_N_MARKS)

/* What ear_mark_sql() takes the place of. */
#define EAR_MARK_SQL_ALL "{all}"         /* the columns of all marks, and then those of their stamps */
#define EAR_MARK_SQL_VALUES "{values}"   /* as many parameters */
#define EAR_MARK_SQL_TOUCHED "{touched}" /* whether any has a stamp */
#define EAR_MARK_SQL_ONE "{mark}"        /* the column of one mark: see ear_mark_sql_of() */

const char *ear_mark_sql      (const char *sql);
const char *ear_mark_sql_of   (EarMark     mark,
                               const char *sql);
char       *ear_mark_sql_dup_migration (int version);
void        ear_mark_sql_bind (const EarEpisodeState *state,
                               EarStatement          *statement,
                               int                    index);
void        ear_mark_sql_read (EarEpisodeState       *state,
                               EarStatement          *statement,
                               int                    column);

G_END_DECLS
