/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sidebar-item.h"

G_BEGIN_DECLS

/**
 * EarPageState:
 * @EAR_PAGE_CONTENT: there are rows
 * @EAR_PAGE_LOADING: it is not known yet whether there are rows
 * @EAR_PAGE_FETCHING: the podcast comes for the first time
 * @EAR_PAGE_STATUS: there are no rows, and something to say about it
 *
 * What the page of episodes shows below its head.
 */
typedef enum
{
  EAR_PAGE_CONTENT,
  EAR_PAGE_LOADING,
  EAR_PAGE_FETCHING,
  EAR_PAGE_STATUS,
} EarPageState;

/* What decides it; all is borrowed. */
typedef struct
{
  EarSidebarItemKind kind;
  gboolean loading;    /* the list has not got its first answer yet */
  gboolean asking;     /* it is asked what it has by now */
  gboolean fetching;   /* %EAR_PAGE_FETCHING is what is shown of it */
  guint n_items;       /* rows in the list */
  EarPodcast *podcast; /* (nullable) */
  gboolean online;
  gboolean smart;      /* it is a smart list */
  EarEpisodeFilter filter;
  const char *search;  /* (nullable) */
  const char *trouble; /* (nullable): why it finds nothing */
  gboolean everywhere;
} EarPageFacts;

/* What a page without rows says. */
typedef struct
{
  const char *icon_name;
  char *title;
  char *body;         /* (nullable) */
  const char *button; /* (nullable): its label */
  const char *action;
  gboolean blames_address; /* the address of the podcast may have to be changed */
} EarPageText;

EarPageState ear_page_state_find (const EarPageFacts *facts);
void         ear_page_text_init  (EarPageText        *text,
                                  const EarPageFacts *facts);
void         ear_page_text_clear (EarPageText        *text);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EarPageText, ear_page_text_clear)

G_END_DECLS
