/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-item-row.h"
#include "ear-library.h"
#include "ear-notes.h"

G_BEGIN_DECLS

#define EAR_TYPE_LINK_ROW (ear_link_row_get_type ())
G_DECLARE_FINAL_TYPE (EarLinkRow, ear_link_row, EAR, LINK_ROW, EarItemRow)

GtkWidget *ear_link_row_new (EarReadingList *reading_list, EarLink *link, gboolean within);
void ear_link_row_add_keys (GtkWidgetClass *widget_class);
gboolean ear_link_row_take_action (GtkWidget *area, const char *action);
const char *ear_link_kind_text_plural (EarLinkKind kind);

#define EAR_TYPE_LINKS_VIEW (ear_links_view_get_type ())
G_DECLARE_FINAL_TYPE (EarLinksView, ear_links_view, EAR, LINKS_VIEW, AdwBin)

GtkWidget *ear_links_view_new (EarLibrary *library);

#define EAR_TYPE_EPISODE_LINKS (ear_episode_links_get_type ())
G_DECLARE_FINAL_TYPE (EarEpisodeLinks, ear_episode_links, EAR, EPISODE_LINKS, AdwBin)

void ear_episode_links_set_notes (EarEpisodeLinks *self, EarEpisode *episode, EarNotes *notes);

G_END_DECLS
