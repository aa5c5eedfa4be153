/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-link.h"
#include "ear-records.h"
#include "ear-services.h"

G_BEGIN_DECLS

/* Marks of a link.
 * @EAR_LINK_READ: the listener has read it, or does not want to
 * @EAR_LINK_STARRED: the listener wants to find it again */
typedef enum
{
  EAR_LINK_READ,
  EAR_LINK_STARRED,
} EarLinkMark;

#define EAR_N_LINK_MARKS (EAR_LINK_STARRED + 1)

#define EAR_TYPE_READING_LIST (ear_reading_list_get_type ())
G_DECLARE_FINAL_TYPE (EarReadingList, ear_reading_list, EAR, READING_LIST, GObject)

/* Marks of links in all episodes: read and starred. Main thread only. Properties,
 * read-only:
 *   n-starred  guint      number of starred links
 * Signal:
 *   changed ()   marks were set or removed */
EarReadingList *ear_reading_list_new (const EarServices *services);
EarRecords *ear_reading_list_get_records (EarReadingList *self);
gboolean ear_reading_list_has (EarReadingList *self, EarLink *link, EarLinkMark mark);
void ear_reading_list_set (EarReadingList *self, EarLink *link, EarLinkMark mark, gboolean value);
void ear_reading_list_open (EarReadingList *self, EarLink *link);
void ear_reading_list_set_read (EarReadingList *self, GPtrArray *links);
guint ear_reading_list_count_unread (EarReadingList *self, GPtrArray *links);
GArray *ear_reading_list_list_ids (EarReadingList *self, EarLinkMark mark);

G_END_DECLS
