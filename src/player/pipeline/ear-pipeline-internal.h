/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Shared by the parts of EarPipeline: the class, and what it is told to do (ear-pipeline.c),
 * and what it makes of GStreamer's messages (ear-pipeline-messages.c). */

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
  EarVideoOutput *output; /* (nullable): no picture is wanted */
  EarPicture *picture;    /* (nullable) */

  /* Borrowed */
  EarPlayerSinkFunc make_sink;
  const EarPipelineEvents *events;
  gpointer user_data;

  gint64 position; /* the last one known, microseconds; -1 */
  gint64 start;    /* where to begin by reading on from the beginning, microseconds; 0: there */
  double rate;
  gboolean trim;
  gboolean level;
  double volume;   /* below 0: whatever the sound server remembers */
  gboolean muted;
  double fade;
  int buffering;
  guint beginnings; /* of the stream, before the seek that is under way */
  gboolean opened;
  gboolean at_once; /* it may sound before that */
  gboolean seeking;
  gboolean playing; /* what is asked for */
  gboolean sounding;
  gboolean ended;
};

/* In ear-pipeline.c */
void     ear_pipeline_set_sounding  (EarPipeline *self,
                                     gboolean     sounding);
void     ear_pipeline_apply_state   (EarPipeline *self);
void     ear_pipeline_close_playbin (EarPipeline *self,
                                     gboolean     failed);
void     ear_pipeline_fail          (EarPipeline *self,
                                     GError      *error);

/* In ear-pipeline-messages.c */
gboolean ear_pipeline_message_cb    (GstBus      *bus,
                                     GstMessage  *message,
                                     gpointer     user_data);

G_END_DECLS
