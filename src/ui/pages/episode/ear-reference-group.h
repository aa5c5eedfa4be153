/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-podcast.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_REFERENCE_GROUP (ear_reference_group_get_type ())
G_DECLARE_FINAL_TYPE (EarReferenceGroup, ear_reference_group, EAR, REFERENCE_GROUP, GtkBox)

/*
 * Episodes that belong together with another one, as a list that leads to them; not there while
 * there are none. Properties: title      char*     what they are to it queueable  gboolean  whether
 * a button puts all of them into Up Next, those that come first first
 */
void ear_reference_group_set_episodes (EarReferenceGroup *self,
                                       GPtrArray *episodes,
                                       EarPodcast *podcast);
GPtrArray *ear_reference_group_get_episodes (EarReferenceGroup *self);

G_END_DECLS
