/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the parts of EarPipeline: the class and its verbs (ear-pipeline.c), and the
 * handling of GStreamer's messages (ear-pipeline-messages.c). */

#include "ear-picture.h"
#include "ear-pipeline.h"
#include "ear-tempo.h"

G_BEGIN_DECLS

struct _EarPipeline
{
  GObject parent_instance;

  /* Owned */
  EarSource *source;
  EarTempo *tempo;
  GstElement *playbin;
  GCancellable *cancellable;
  GObject *sink_owner;
  EarVideoOutput *output; /* (nullable): without it only sound is decoded */
  EarPicture *picture;    /* (nullable) */

  /* Borrowed */
  EarPlayerSinkFunc make_sink;
  const EarPipelineEvents *events;
  gpointer user_data;

  gint64 position; /* last known position, microseconds; -1: none */
  gint64 start;    /* position to read on to from the beginning, microseconds; 0: none */
  double rate;
  gboolean trim;
  gboolean level;
  double volume;   /* negative: whatever the sound server remembers */
  gboolean muted;
  double fade;
  int buffering;
  guint beginnings; /* value of ear_tempo_get_beginnings() before the seek in progress */
  gboolean opened;
  gboolean at_once; /* sound may start before `ready` */
  gboolean seeking;
  gboolean playing; /* as requested */
  gboolean sounding;
  gboolean ended;
};

/* ear-pipeline.c */
void     ear_pipeline_set_sounding  (EarPipeline *self,
                                     gboolean     sounding);
void     ear_pipeline_apply_state   (EarPipeline *self);
void     ear_pipeline_close_playbin (EarPipeline *self,
                                     gboolean     failed);
void     ear_pipeline_fail          (EarPipeline *self,
                                     GError      *error);

/* ear-pipeline-messages.c */
gboolean ear_pipeline_message_cb    (GstBus      *bus,
                                     GstMessage  *message,
                                     gpointer     user_data);

G_END_DECLS
