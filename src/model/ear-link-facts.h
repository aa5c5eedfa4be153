/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-link-kind.h"

G_BEGIN_DECLS

/* Notes with more links are not for readers. */
#define EAR_LINKS_LIMIT 500

/**
 * EarLinkFacts:
 * @address: the address to open: clean (ear_link_address_dup_clean())
 * @words: (nullable): the link's name in the notes
 * @heading: (nullable): the heading above it in the notes
 * @id: the link's id, the same in all episodes (ear_link_address_make_id())
 *
 * A link of an episode, for any thread.
 */
typedef struct
{
  char *address;
  char *words;
  char *heading;
  EarLinkKind kind;
  gint64 id;
} EarLinkFacts;

GPtrArray *ear_link_facts_list (EarNotes     *notes);
void       ear_link_facts_keep (EarNotes     *notes);
void       ear_link_facts_free (EarLinkFacts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarLinkFacts, ear_link_facts_free)

G_END_DECLS
