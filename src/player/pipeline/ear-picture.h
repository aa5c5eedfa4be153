/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-video-output.h"

#include <gst/gst.h>

G_BEGIN_DECLS

#define EAR_TYPE_PICTURE (ear_picture_get_type ())
G_DECLARE_FINAL_TYPE (EarPicture, ear_picture, EAR, PICTURE, GObject)

EarPicture *ear_picture_new         (EarVideoOutput *output);
void        ear_picture_prepare     (void);
void        ear_picture_attach      (EarPicture *self,
                                     GstElement *playbin);
void        ear_picture_stop        (EarPicture *self);
gboolean    ear_picture_is_to_blame (EarPicture *self,
                                     GstMessage *error);
gboolean    ear_picture_is_stale    (EarPicture *self);
gint64      ear_picture_get_reached (EarPicture *self);
gboolean    ear_picture_query_sound (EarPicture *self,
                                     gint64     *position);
guint       ear_picture_get_decoded (EarPicture *self);

G_END_DECLS
