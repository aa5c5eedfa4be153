/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-source.h"

G_BEGIN_DECLS

GError *ear_player_error_from_message (GstMessage *message,
                                       EarSource  *source);
GError *ear_player_error_from_streams (GstMessage *message,
                                       EarSource  *source);
GError *ear_player_error_from_connecting (const GError *error);
gboolean ear_player_error_is_missing_output (GstMessage *message);

G_END_DECLS
