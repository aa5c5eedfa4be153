/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

#define EAR_TYPE_SOURCE (ear_source_get_type ())
G_DECLARE_FINAL_TYPE (EarSource, ear_source, EAR, SOURCE, GObject)

EarSource  *ear_source_new               (const char *uri,
                                          const char *user_agent,
                                          guint       timeout);
void        ear_source_set_credentials   (EarSource  *self,
                                          const char *user,
                                          const char *password);
const char *ear_source_get_uri           (EarSource  *self);
gboolean    ear_source_is_local          (EarSource  *self);
guint       ear_source_get_timeout       (EarSource  *self);
void        ear_source_set_up            (EarSource  *self,
                                          GstElement *element);
void        ear_source_take_message      (EarSource  *self,
                                          GstMessage *message);
gboolean    ear_source_get_answered      (EarSource  *self);
const char *ear_source_get_location      (EarSource  *self);
gboolean    ear_source_is_web_page       (EarSource  *self);
gboolean    ear_source_get_ranges        (EarSource  *self);
gboolean    ear_source_get_bad_certificate (EarSource *self);
gboolean    ear_source_tells_login       (EarSource  *self);
gint64      ear_source_get_waiting       (EarSource  *self);
gboolean    ear_source_find_other_way    (EarSource  *self,
                                          GstMessage *error,
                                          gboolean    seeking);

G_END_DECLS
