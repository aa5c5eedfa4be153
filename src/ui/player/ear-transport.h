/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-player-control.h"

G_BEGIN_DECLS

#define EAR_TYPE_TRANSPORT (ear_transport_get_type ())
G_DECLARE_FINAL_TYPE (EarTransport, ear_transport, EAR, TRANSPORT, EarPlayerControl)

G_END_DECLS
