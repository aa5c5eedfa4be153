/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-database.h"
#include "ear-episode-state.h"

G_BEGIN_DECLS

/* SQL for marks: each has a column for its value and one for its stamp, in the
 * tables episode and waiting_state. All values come first, in the order of EarMark,
 * and then all stamps. */
#define EAR_MARK_SQL_ALL \
  "position, listened, liked, shift, queued, archived, " \
  "position_updated, listened_updated, liked_updated, shift_updated, queued_updated, archived_updated"
#define EAR_MARK_SQL_VALUES "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
#define EAR_MARK_SQL_N_COLUMNS 12
#define EAR_MARK_SQL_TOUCHED \
  "(position_updated <> 0 OR listened_updated <> 0 OR liked_updated <> 0 OR shift_updated <> 0 OR queued_updated <> 0" \
  " OR archived_updated <> 0)"

/* A mark added by a version of the schema */
#define EAR_MARK_SQL_COLUMNS(table, name) \
  "ALTER TABLE " table " ADD COLUMN " name " INTEGER NOT NULL DEFAULT 0;" \
  "ALTER TABLE " table " ADD COLUMN " name "_updated INTEGER NOT NULL DEFAULT 0;"

#define EAR_MARK_SQL_VERSION(name) EAR_MARK_SQL_COLUMNS ("episode", name) EAR_MARK_SQL_COLUMNS ("waiting_state", name)

const char *ear_mark_sql_of   (EarMark                mark,
                               const char            *format);
void        ear_mark_sql_bind (const EarEpisodeState *state,
                               EarStatement          *statement,
                               int                    index);
void        ear_mark_sql_read (EarEpisodeState       *state,
                               EarStatement          *statement,
                               int                    column);

G_END_DECLS
