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
  EarSidebarItem *collection;
  EarTypeAhead *type_ahead;
  EarSidebarItem *menu_collection; /* (nullable): what the menu of a row is about */
  EarSidebarItem *dragged; /* (nullable): that was dragged last */
  EarSidebarItem *pressed; /* (nullable): whose row a right click began on */
  char *order; /* of the podcasts, as in the settings */
  char *wanted; /* (nullable): the name of what to choose once there is something */
  gboolean menu_is_open; /* that of a row */
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
                                                   EarSidebarItem  *collection);
guint          ear_sidebar_page_find_first        (EarSidebarPage *self);
guint          ear_sidebar_page_find_focused      (EarSidebarPage *self);
guint          ear_sidebar_page_find_name         (EarSidebarPage *self,
                                                   const char     *name);
EarSidebarItem *ear_sidebar_page_dup_collection    (EarSidebarPage *self,
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

GListModel    *ear_sidebar_page_list_all       (EarSidebarPage *self);
guint          ear_sidebar_page_to_all         (EarSidebarPage *self,
                                                guint           position);
guint          ear_sidebar_page_from_all       (EarSidebarPage *self,
                                                guint           position);
gboolean       ear_sidebar_page_is_folded_away (EarSidebarPage *self,
                                                EarSidebarItem  *collection);
void           ear_sidebar_page_reveal         (EarSidebarPage *self,
                                                EarPodcast     *podcast);
EarSidebarItem *ear_sidebar_page_find_folded    (EarSidebarPage *self,
                                                const char     *name);
gboolean       ear_sidebar_page_fold_by_key    (EarSidebarPage *self,
                                                guint           keyval,
                                                GdkModifierType state,
                                                guint           position);
gboolean       ear_sidebar_page_toggle_fold    (EarSidebarPage *self,
                                                guint           position);
void           ear_sidebar_page_bind_folders   (GtkWidgetClass *widget_class);

/* Where what is dragged would go. */
typedef struct
{
  gboolean into;      /* the folder, wherever in it; or else between two */
  const char *folder; /* (nullable): that podcasts come into */
  EarPodcast *before; /* (nullable): that they come before; %NULL: last */
} EarSidebarGoal;

gboolean       ear_sidebar_page_can_place         (EarSidebarPage *self,
                                                   EarSidebarItem  *moved);
gboolean       ear_sidebar_page_find_goal         (EarSidebarPage *self,
                                                   EarSidebarItem  *moved,
                                                   guint           position,
                                                   gboolean       *below,
                                                   EarSidebarGoal *goal);
void           ear_sidebar_page_place             (EarSidebarPage       *self,
                                                   EarSidebarItem        *moved,
                                                   const EarSidebarGoal *goal);

void           ear_sidebar_page_bind_order        (GtkWidgetClass *widget_class);
void           ear_sidebar_page_bind_drop         (GtkWidgetClass *widget_class);
void           ear_sidebar_page_mark_menu_row     (EarSidebarPage *self,
                                                   GtkWidget      *row);
void           ear_sidebar_page_bind_menu         (GtkWidgetClass *widget_class);

G_END_DECLS
