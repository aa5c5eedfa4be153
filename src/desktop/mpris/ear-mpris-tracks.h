/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define EAR_TYPE_MPRIS_TRACKS (ear_mpris_tracks_get_type ())
G_DECLARE_FINAL_TYPE (EarMprisTracks, ear_mpris_tracks, EAR, MPRIS_TRACKS, GObject)

EarMprisTracks *ear_mpris_tracks_new (EarLibrary      *library,
                                      GDBusConnection *connection,
                                      const char      *object_path,
                                      GError         **error);

G_END_DECLS
