/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sidebar-item.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_SIDEBAR_PAGE (ear_sidebar_page_get_type ())
G_DECLARE_FINAL_TYPE (EarSidebarPage, ear_sidebar_page, EAR, SIDEBAR_PAGE, AdwNavigationPage)

EarSidebarItem *ear_sidebar_page_get_item (EarSidebarPage *self);
gboolean ear_sidebar_page_get_empty (EarSidebarPage *self);
gboolean ear_sidebar_page_choose (EarSidebarPage *self, const char *name);
void ear_sidebar_page_choose_podcast (EarSidebarPage *self, EarPodcast *podcast);
void ear_sidebar_page_open_menu (EarSidebarPage *self);
gboolean ear_sidebar_page_enter (EarSidebarPage *self);
gboolean ear_sidebar_page_wants_key (EarSidebarPage *self, GdkEvent *event);

G_END_DECLS
