/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

GPtrArray *ear_tags_collect (GstTagList *list);

G_END_DECLS
