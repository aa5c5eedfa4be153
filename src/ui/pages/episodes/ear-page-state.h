/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-sidebar-item.h"

G_BEGIN_DECLS

/* The content of the page of episodes, below its head */
typedef enum
{
  EAR_PAGE_CONTENT,
  EAR_PAGE_LOADING,  /* no answer about rows yet */
  EAR_PAGE_FETCHING, /* the podcast is fetched for the first time */
  EAR_PAGE_STATUS,   /* no rows; the status page shows the reason */
} EarPageState;

/* State of the page; all pointers are borrowed. */
typedef struct
{
  EarSidebarItemKind kind;
  gboolean loading;    /* the list has no answer to its first query yet */
  gboolean asking;     /* the list is waiting for an answer */
  gboolean fetching;   /* the page shows EAR_PAGE_FETCHING */
  guint n_items;       /* rows in the list */
  EarPodcast *podcast; /* (nullable) */
  gboolean online;
  gboolean smart;      /* the list is a smart list */
  EarEpisodeFilter filter;
  const char *search;  /* (nullable) */
  const char *trouble; /* (nullable): why the search finds nothing */
  gboolean everywhere;
} EarPageFacts;

/* The words of a page without rows, borrowed from the facts or from the translation */
typedef struct
{
  const char *icon_name;
  const char *title;
  const char *body;   /* (nullable) */
  const char *button; /* (nullable): its label */
  const char *action;
  gboolean blames_address; /* the address of the podcast may have to be changed */
} EarPageText;

EarPageState ear_page_state_find (const EarPageFacts *facts);
EarPageText ear_page_text_of_error (EarPodcast *podcast);
EarPageText ear_page_text_find (const EarPageFacts *facts);

G_END_DECLS
