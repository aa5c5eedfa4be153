/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-state-folder.h"
#include "ear-state-shape.h"

G_BEGIN_DECLS

typedef struct _EarStateFile EarStateFile;

/* Learns from a file and puts into it what it has not got; %TRUE if that changed it. */
typedef gboolean (*EarStateReconcile) (JsonObject *root,
                                       gpointer    user_data);

EarStateFile *ear_state_file_new        (EarStateFolder *folder,
                                         const char     *name,
                                         const char     *kind);
void          ear_state_file_free       (EarStateFile *self);
gboolean      ear_state_file_is_changed (EarStateFile *self);
JsonObject   *ear_state_file_read       (EarStateFile *self,
                                         GError      **error);
gboolean      ear_state_file_refresh    (EarStateFile     *self,
                                         EarStateReconcile learn,
                                         gpointer          user_data,
                                         GError          **error);
gboolean      ear_state_file_update     (EarStateFile     *self,
                                         EarStateReconcile reconcile,
                                         gpointer          user_data,
                                         GError          **error);
gboolean      ear_state_file_absorb     (EarStateFile *self,
                                         const char   *copy,
                                         GError      **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarStateFile, ear_state_file_free)

G_END_DECLS
