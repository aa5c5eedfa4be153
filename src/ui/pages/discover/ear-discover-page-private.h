/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-discover-page.c and ear-discover-page-entry.c share. */

#include "ear-discover-page.h"

G_BEGIN_DECLS

struct _EarDiscoverPage
{
  AdwNavigationPage parent_instance;

  /* Template children */
  GtkWidget *entry_area;
  GtkEditable *entry;
  GtkListView *list_view;
  GtkNoSelection *results;
  GtkBox *offers;
  GtkWidget *retry_button;
  GtkWidget *sign_in_button;
  GtkWidget *follow_anyway_button;

  /* Owned */
  EarLibrary *library;
  EarDiscovery *discovery;
  EarPodcast *like;
  GCancellable *cancellable;
  char *state;
  char *footnote;
  gboolean direct;  /* what was handed over is looked at as soon as it is found */
};

void ear_discover_page_offer_entry  (EarDiscoverPage *self);
void ear_discover_page_accept_drops (EarDiscoverPage *self);
void ear_discover_page_catch_letters (EarDiscoverPage *self);

G_END_DECLS
