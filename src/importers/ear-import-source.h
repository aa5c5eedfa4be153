/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-mark.h"

G_BEGIN_DECLS

/* An episode in another program's database */
typedef struct
{
  char *guid;      /* (nullable) */
  char *enclosure; /* (nullable) */
  char *title;     /* (nullable) */
  EarEpisodeState state;
} EarImportSourceEpisode;

/* A podcast that the listener follows in another program */
typedef struct
{
  char *address;
  char *title;         /* (nullable) */
  char *folder;        /* (nullable) */
  GPtrArray *episodes; /* (element-type EarImportSourceEpisode): those that the listener used */
} EarImportSourcePodcast;

/* The database of another program */
typedef struct
{
  char *name; /* of the program; not translated */
  char *path;
  guint n_podcasts;
} EarImportSource;

GPtrArray *ear_import_source_episodes_new (void);
void       ear_import_source_podcast_free (EarImportSourcePodcast *self);
void       ear_import_source_free         (EarImportSource *self);
void       ear_import_source_find_async   (const char         *home,
                                           const char         *data_home,
                                           GCancellable       *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer            user_data);
GPtrArray *ear_import_source_find_finish  (GAsyncResult *result,
                                           GError      **error);
void       ear_import_source_read_async   (GFile              *file,
                                           GCancellable       *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer            user_data);
GPtrArray *ear_import_source_read_finish  (GAsyncResult *result,
                                           GError      **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarImportSourcePodcast, ear_import_source_podcast_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarImportSource, ear_import_source_free)

G_END_DECLS
