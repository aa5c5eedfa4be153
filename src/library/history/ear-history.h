/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-notices.h"
#include "ear-player.h"
#include "ear-services.h"
#include "ear-userdata-store.h"

G_BEGIN_DECLS

/* A mark of an episode */
typedef struct
{
  EarEpisode *episode;
  EarMark mark;
  gint64 value;
} EarEpisodeMark;

/* Sets marks of episodes, with Undo, and stores the position of the player. Main thread
 * only. */
#define EAR_TYPE_HISTORY (ear_history_get_type ())
G_DECLARE_FINAL_TYPE (EarHistory, ear_history, EAR, HISTORY, GObject)

EarHistory *ear_history_new (const EarServices *services);
void ear_history_complete_files (EarHistory *self);
void ear_history_close (EarHistory *self);
gboolean ear_history_is_open (EarHistory *self);
void ear_history_set_mark (EarHistory *self, EarEpisode *episode, EarMark mark, gint64 value);
void ear_history_set_each (EarHistory *self, GArray *marks, const char *message);
void ear_history_keep_each (EarHistory *self, GArray *marks);
void ear_history_set_marks (EarHistory *self, const EarMarkTarget *target, EarMark mark,
                            gint64 value);
void ear_history_save_position (EarHistory *self);
gboolean ear_history_leave_episode (EarHistory *self);

GArray *ear_episode_marks_new (void);
void ear_episode_marks_add (GArray *self, EarEpisode *episode, EarMark mark, gint64 value);

gboolean ear_listened_rule_is_near_end (gint64 position, gint64 duration);
gboolean ear_listened_rule_is_whole (gint64 position, gint64 claimed, gint64 size,
                                     gint64 claimed_size);

G_END_DECLS
