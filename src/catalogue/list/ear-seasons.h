/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _EarDatabase EarDatabase;
typedef struct _EarSeasons EarSeasons;

/* Groups of downloads, in their order */
enum
{
  EAR_DOWNLOADS_FAILED = 1,
  EAR_DOWNLOADS_WAITING,
  EAR_DOWNLOADS_DONE,
};

/* On a reader's thread */
EarSeasons *ear_seasons_read     (EarDatabase *database,
                                  gint64       podcast,
                                  GError     **error);

EarSeasons *ear_seasons_read_days (EarDatabase *database,
                                   GError     **error);

EarSeasons *ear_seasons_read_downloads (EarDatabase *database, GError **error);

void        ear_seasons_free     (EarSeasons  *self);
int         ear_seasons_get      (EarSeasons  *self,
                                  gint64       episode);
const char *ear_seasons_get_name (EarSeasons  *self,
                                  int          season);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSeasons, ear_seasons_free)

G_END_DECLS
