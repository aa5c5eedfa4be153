/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-time-tone.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* A sound output that records what it plays, so that tests can listen. */
#define EAR_TYPE_TEST_SOUND (ear_test_sound_get_type ())
G_DECLARE_FINAL_TYPE (EarTestSound, ear_test_sound, EAR, TEST_SOUND, GObject)

EarTestSound *ear_test_sound_new         (void);
void          ear_test_sound_set_hurried (EarTestSound *self,
                                          gboolean      hurried);
GstElement   *ear_test_sound_make_sink   (GObject      *self);
void          ear_test_sound_clear       (EarTestSound *self);
guint64       ear_test_sound_get_heard   (EarTestSound *self);
guint         ear_test_sound_get_sinks   (EarTestSound *self);
void          ear_test_sound_mislead     (EarTestSound *self,
                                          guint         jumps,
                                          double        seconds);
guint         ear_test_sound_get_jumps   (EarTestSound *self);
gboolean      ear_test_sound_read        (EarTestSound       *self,
                                          EarTimeToneReading *reading);
gboolean      ear_test_sound_read_at     (EarTestSound       *self,
                                          gint64              when,
                                          EarTimeToneReading *reading);
gboolean      ear_test_sound_read_around (EarTestSound       *self,
                                          gint64              when,
                                          double              rate,
                                          double             *time);
gint64        ear_test_sound_get_behind  (EarTestSound       *self);
double        ear_test_sound_read_whole  (EarTestSound       *self,
                                          const char         *path,
                                          double              place);
gboolean      ear_test_sound_read_range  (EarTestSound       *self,
                                          double             *first,
                                          double             *lowest,
                                          double             *highest);
gboolean      ear_test_sound_read_last   (EarTestSound       *self,
                                          EarTimeToneReading *reading);

G_END_DECLS
