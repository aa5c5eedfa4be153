/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_MPRIS (ear_mpris_get_type ())
G_DECLARE_FINAL_TYPE (EarMpris, ear_mpris, EAR, MPRIS, GObject)

EarMpris *ear_mpris_new (EarLibrary      *library,
                         GApplication    *application,
                         GDBusConnection *connection);

G_END_DECLS
