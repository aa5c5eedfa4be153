/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/gst.h>

#include "ear-source.h"

G_BEGIN_DECLS

void ear_mpeg_check_table (GstElement *parser,
                           EarSource  *source);

G_END_DECLS
