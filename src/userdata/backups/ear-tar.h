/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-error.h"

G_BEGIN_DECLS

gboolean ear_tar_write (GOutputStream *stream,
                        const char    *name,
                        GBytes        *content,
                        gint64         modified,
                        GError       **error);
gboolean ear_tar_end   (GOutputStream *stream,
                        GError       **error);
gboolean ear_tar_read  (GInputStream  *stream,
                        gsize          limit,
                        gsize         *left,
                        char         **name,
                        GBytes       **content,
                        GError       **error);

G_END_DECLS
