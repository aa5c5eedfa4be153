/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

void ear_multiqueue_keep_filling (GstElement *multiqueue);

G_END_DECLS
