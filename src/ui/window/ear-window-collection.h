/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-collection.h"

G_BEGIN_DECLS

/* The window has them as a part of its own. */
typedef struct _EarWindow EarWindow;

#define EAR_TYPE_COLLECTION_ACTIONS (ear_collection_actions_get_type ())
G_DECLARE_FINAL_TYPE (EarCollectionActions, ear_collection_actions, EAR, COLLECTION_ACTIONS, GObject)

EarCollectionActions *ear_collection_actions_new        (EarWindow            *window);
GActionGroup         *ear_collection_actions_get_group  (EarCollectionActions *self);
void                  ear_collection_actions_set_target (EarCollectionActions *self,
                                                         EarCollection        *target);

G_END_DECLS
