/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

typedef enum
{
  EAR_WORKER_ANSWERS, /* the listener waits for its work, or it is short */
  EAR_WORKER_STORES, /* threads that prepare wait for its work */
  EAR_WORKER_PREPARES /* it fetches, parses or decodes data ahead of storing or showing them */
} EarWorkerPriority;

void ear_worker_run (GTask *task, GTaskThreadFunc func, GDestroyNotify result_free);
void ear_worker_lower_priority (EarWorkerPriority priority);

/* Handles and owns a message, on the queue's own thread. */
typedef void (*EarMessageFunc) (gpointer message, gpointer user_data);

typedef struct _EarMainQueue EarMainQueue;

EarMainQueue *ear_main_queue_new (GMainContext *context, EarMessageFunc func, gpointer user_data);
void ear_main_queue_post (EarMainQueue *self, gpointer message);
void ear_main_queue_drain (EarMainQueue *self);
void ear_main_queue_free (EarMainQueue *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarMainQueue, ear_main_queue_free)

typedef struct _EarThread EarThread;

EarThread *ear_thread_new (const char *name, EarWorkerPriority priority);
GMainContext *ear_thread_get_context (EarThread *self);
void ear_thread_push (EarThread *self, GSourceOnceFunc func, gpointer data);
void ear_thread_quit (EarThread *self);
void ear_thread_join (EarThread *self);
void ear_thread_stop (EarThread *self);

void ear_context_push (GMainContext *context, GSourceOnceFunc func, gpointer data,
                       GDestroyNotify destroy);

G_END_DECLS
