/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-episodes-page.h"
#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_ANNOUNCER (ear_announcer_get_type ())
G_DECLARE_FINAL_TYPE (EarAnnouncer, ear_announcer, EAR, ANNOUNCER, GObject)

EarAnnouncer *ear_announcer_new (GtkAccessible *speaker, EarLibrary *library,
                                 EarEpisodesPage *page);

char *ear_announcer_describe_player (EarPlayerState state, EarPlayerState before,
                                     const char *title, const GError *error);
char *ear_announcer_describe_download (EarDownload download, EarDownload before,
                                       const GError *error);

G_END_DECLS
