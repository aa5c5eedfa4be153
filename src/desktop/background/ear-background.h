/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

#define EAR_TYPE_BACKGROUND (ear_background_get_type ())
G_DECLARE_FINAL_TYPE (EarBackground, ear_background, EAR, BACKGROUND, GObject)

EarBackground *ear_background_new (EarLibrary      *library,
                                   GDBusConnection *session);

G_END_DECLS
