/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _EarDatabase EarDatabase;
typedef struct _EarRowGroups EarRowGroups;

typedef enum
{
  EAR_ROW_GROUPING_NONE,
  EAR_ROW_GROUPING_SEASONS, /* of a podcast */
  EAR_ROW_GROUPING_DAYS,    /* on which episodes were heard last */
  EAR_ROW_GROUPING_DOWNLOADS,
} EarRowGrouping;

/* Groups of downloads, in their order */
enum
{
  EAR_DOWNLOADS_FAILED = 1,
  EAR_DOWNLOADS_WAITING,
  EAR_DOWNLOADS_DONE,
};

EarRowGroups *ear_row_groups_read (EarDatabase *database, EarRowGrouping grouping, gint64 podcast,
                                   GError **error);
void ear_row_groups_free (EarRowGroups *self);
int ear_row_groups_get (EarRowGroups *self, gint64 episode);
const char *ear_row_groups_get_name (EarRowGroups *self, int season);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarRowGroups, ear_row_groups_free)

G_END_DECLS
