/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _EarTimeline EarTimeline;

/* Returns: whether to stop waiting for the sound */
typedef gboolean (*EarTimelineFunc) (gpointer user_data);

EarTimeline *ear_timeline_new   (void);
void         ear_timeline_free  (EarTimeline     *self);
void         ear_timeline_begin (EarTimeline     *self);
void         ear_timeline_add   (EarTimeline     *self,
                                 GstClockTime     time,
                                 GstClockTime     running,
                                 double           rate);
void         ear_timeline_skip  (EarTimeline     *self,
                                 GstClockTime     time);
void         ear_timeline_end   (EarTimeline     *self);
gboolean     ear_timeline_find  (EarTimeline     *self,
                                 GstClockTime     time,
                                 GstClockTime    *running,
                                 double          *rate);
void         ear_timeline_wait  (EarTimeline     *self,
                                 GstClockTime     time,
                                 EarTimelineFunc  give_up,
                                 gpointer         user_data);
void         ear_timeline_wake  (EarTimeline     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarTimeline, ear_timeline_free)

G_END_DECLS
