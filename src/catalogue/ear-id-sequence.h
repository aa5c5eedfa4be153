/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

GArray *ear_id_diff_get_kept (GArray *before, GArray *after);

/**
 * EarIdsChangedFunc:
 * @position: index of the change
 * @n_removed: number of removed ids
 * @n_added: number of inserted ids
 * @user_data: data of the owner
 *
 * Called after each change, with the arguments of [signal@Gio.ListModel::items-changed].
 */
typedef void (*EarIdsChangedFunc) (guint position, guint n_removed, guint n_added,
                                   gpointer user_data);

typedef struct _EarIdSequence EarIdSequence;

EarIdSequence *ear_id_sequence_new (EarIdsChangedFunc func, gpointer user_data);
void ear_id_sequence_free (EarIdSequence *self);
guint ear_id_sequence_get_n_ids (EarIdSequence *self);
gint64 ear_id_sequence_get (EarIdSequence *self, guint position);
gboolean ear_id_sequence_find (EarIdSequence *self, gint64 id, guint *position);
guint ear_id_sequence_get_n_covered (EarIdSequence *self, GArray *target);
void ear_id_sequence_change_to (EarIdSequence *self, GArray *target, guint position);
gboolean ear_id_sequence_is_start_of (EarIdSequence *self, GArray *target);
guint ear_id_sequence_predict (EarIdSequence *self, GArray *target, guint position);
void ear_id_sequence_replace (EarIdSequence *self, GArray *target);
void ear_id_sequence_extend (EarIdSequence *self, GArray *target, guint n_new);

G_END_DECLS
