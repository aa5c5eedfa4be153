/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-sidebar-page.c and ear-sidebar-page-*.c share. */

#include "ear-sidebar-page.h"
#include "ear-type-ahead.h"

G_BEGIN_DECLS

struct _EarSidebarPage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  GtkStack *stack;
  GtkWidget *empty_page;
  GtkListView *list_view;
  GtkSingleSelection *selection;
  GtkMenuButton *menu_button;
  GMenuModel *main_menu;

  /* Borrowed */
  GtkPopoverMenu *row_menu; /* (nullable): made when it is first wanted */

  /* Owned */
  EarLibrary *library;
  GtkSliceListModel *rows; /* as many of what is listed as there are rows for yet */
  EarCollection *collection;
  EarTypeAhead *type_ahead;
  EarCollection *menu_collection; /* (nullable): what the menu of a row is about */
  EarCollection *pressed; /* (nullable): whose row a right click began on */
  char *order; /* of the podcasts, as in the settings */
  char *wanted; /* (nullable): the name of what to choose once there is something */
  gboolean collapsed;
  guint focus_tick; /* tick callback: puts the focus on the row that is chosen */
  guint n_tries;
  gboolean is_empty;
  gboolean drawn; /* there was a frame */
  guint first_focused; /* where the focus was then, or %GTK_INVALID_LIST_POSITION */
};

GListModel    *ear_sidebar_page_get_collections   (EarSidebarPage *self);
guint          ear_sidebar_page_count_collections (EarSidebarPage *self);
guint          ear_sidebar_page_count_podcasts    (EarSidebarPage *self);
guint          ear_sidebar_page_find_position     (EarSidebarPage *self,
                                                   EarCollection  *collection);
guint          ear_sidebar_page_find_focused      (EarSidebarPage *self);
guint          ear_sidebar_page_find_name         (EarSidebarPage *self,
                                                   const char     *name);
EarCollection *ear_sidebar_page_dup_collection    (EarSidebarPage *self,
                                                   guint           position);
void           ear_sidebar_page_ensure_row        (EarSidebarPage *self,
                                                   guint           position);
gboolean       ear_sidebar_page_has_row           (EarSidebarPage *self,
                                                   guint           position);
void           ear_sidebar_page_select_position   (EarSidebarPage *self,
                                                   guint           position);
void           ear_sidebar_page_init_rows         (EarSidebarPage *self);
void           ear_sidebar_page_set_collections   (EarSidebarPage *self,
                                                   GListModel     *collections);

void           ear_sidebar_page_bind_order        (GtkWidgetClass *widget_class);
void           ear_sidebar_page_bind_drop         (GtkWidgetClass *widget_class);
void           ear_sidebar_page_bind_menu         (GtkWidgetClass *widget_class);

G_END_DECLS
