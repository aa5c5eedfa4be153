/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ear-sidebar-item.h"

G_BEGIN_DECLS

#define EAR_TYPE_SIDEBAR_ITEM_ACTIONS (ear_sidebar_item_actions_get_type ())
G_DECLARE_FINAL_TYPE (EarSidebarItemActions, ear_sidebar_item_actions, EAR, SIDEBAR_ITEM_ACTIONS,
                      GObject)

EarSidebarItemActions *ear_sidebar_item_actions_new (GtkWidget *window);
GActionGroup *ear_sidebar_item_actions_get_group (EarSidebarItemActions *self);
void ear_sidebar_item_actions_set_target (EarSidebarItemActions *self, EarSidebarItem *target);

G_END_DECLS
