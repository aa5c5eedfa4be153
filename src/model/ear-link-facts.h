/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-link-kind.h"

G_BEGIN_DECLS

/* Who links to more in one episode has no reader in mind. */
#define EAR_LINKS_LIMIT 500

/**
 * EarLinkFacts:
 * @address: what is opened: clean (ear_link_address_dup_clean())
 * @words: (nullable): what the notes call it
 * @heading: (nullable): what stands above it in the notes
 * @id: what the same link has everywhere (ear_link_address_make_id())
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
