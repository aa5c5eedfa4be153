/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-playbin.h"
#include "ear-source.h"
#include "ear-video-output.h"

G_BEGIN_DECLS

/**
 * EarPipelineEvents:
 * @ready: opened, or the last seek is done: the sound waits at the position
 * @sounding: whether sound is coming out
 * @buffering: 0 to 100
 * @changed: duration or seekable may have changed
 * @tags: more tags are known: (transfer none) (element-type EarMediaTag)
 * @volume: another program changed the volume
 * @cut: the microseconds of recording left out as a pause
 * @picture: whether a picture can be shown
 * @ended: the stream has ended
 * @again: the pipeline starts again, with another kind of request
 * @unplugged: the output device is gone; sound goes on from another one
 * @failed: an #EarError; the pipeline is closed
 *
 * Callbacks of a pipeline, on the main thread; none comes after ear_pipeline_close().
 */
typedef struct
{
  void (*ready)     (gpointer user_data);
  void (*sounding)  (gboolean sounding, gpointer user_data);
  void (*buffering) (int percent, gpointer user_data);
  void (*changed)   (gpointer user_data);
  void (*tags)      (GPtrArray *tags, gpointer user_data);
  void (*volume)    (gpointer user_data);
  void (*cut)       (gint64 length, gpointer user_data);
  void (*picture)   (gboolean present, gpointer user_data);
  void (*ended)     (gpointer user_data);
  void (*again)     (gpointer user_data);
  void (*unplugged) (gpointer user_data);
  void (*failed)    (const GError *error, gpointer user_data);
} EarPipelineEvents;

#define EAR_TYPE_PIPELINE (ear_pipeline_get_type ())
G_DECLARE_FINAL_TYPE (EarPipeline, ear_pipeline, EAR, PIPELINE, GObject)

EarPipeline *ear_pipeline_new          (EarSource               *source,
                                        const EarPipelineEvents *events,
                                        gpointer                 user_data);
void         ear_pipeline_set_sink     (EarPipeline      *self,
                                        EarPlayerSinkFunc make_sink,
                                        GObject          *owner);
void         ear_pipeline_set_video    (EarPipeline      *self,
                                        EarVideoOutput   *output);
void         ear_pipeline_open         (EarPipeline      *self);
void         ear_pipeline_read_on_to  (EarPipeline      *self,
                                        gint64            position);
void         ear_pipeline_set_at_once  (EarPipeline      *self,
                                        gboolean          at_once);
void         ear_pipeline_close        (EarPipeline      *self);
gboolean     ear_pipeline_get_opened   (EarPipeline      *self);
void         ear_pipeline_set_playing  (EarPipeline      *self,
                                        gboolean          playing);
gboolean     ear_pipeline_seek         (EarPipeline      *self,
                                        gint64            position);
void         ear_pipeline_set_rate     (EarPipeline      *self,
                                        double            rate);
void         ear_pipeline_set_speech   (EarPipeline      *self,
                                        gboolean          trim,
                                        gboolean          level);
void         ear_pipeline_set_volume   (EarPipeline      *self,
                                        double            volume,
                                        gboolean          muted);
void         ear_pipeline_set_fade    (EarPipeline      *self,
                                        double            level);
gboolean     ear_pipeline_get_volume   (EarPipeline      *self,
                                        double           *volume,
                                        gboolean         *muted);
gboolean     ear_pipeline_get_position (EarPipeline      *self,
                                        gint64           *position);
gboolean     ear_pipeline_get_landing  (EarPipeline      *self,
                                        gint64           *position);
gint64       ear_pipeline_get_duration (EarPipeline      *self);
gint64       ear_pipeline_get_end      (EarPipeline      *self);
gboolean     ear_pipeline_get_stale    (EarPipeline      *self);
guint        ear_pipeline_get_decoded  (EarPipeline      *self);
gboolean     ear_pipeline_get_seekable (EarPipeline      *self);
gboolean     ear_pipeline_get_whole   (EarPipeline      *self);
gboolean     ear_pipeline_get_tabled  (EarPipeline      *self);
gint64       ear_pipeline_get_size    (EarPipeline      *self);

G_END_DECLS
