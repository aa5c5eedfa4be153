/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-facts.h"

#include "ear-link-address.h"
#include "ear-notes.h"

void
ear_link_facts_free (EarLinkFacts *self)
{
  g_free (self->address);
  g_free (self->words);
  g_free (self->heading);
  g_free (self);
}

static EarLinkFacts *
make_facts (const EarNotesLink *link)
{
  g_autofree char *address = ear_link_address_dup_clean (link->address);
  g_autofree char *key = address != NULL ? ear_link_address_dup_key (address) : NULL;
  EarLinkFacts *self;

  if (address == NULL)
    return NULL;
  self = g_new0 (EarLinkFacts, 1);
  self->id = ear_link_address_make_id (key);
  self->kind = ear_link_kind_find (address);
  self->address = g_steal_pointer (&address);
  self->words = g_strdup (link->words);
  self->heading = g_strdup (link->heading);

  return self;
}

/* Merges duplicates: the first words win. */
static void
merge (EarLinkFacts *known, EarLinkFacts *facts)
{
  if (known->words == NULL)
    known->words = g_steal_pointer (&facts->words);
  if (known->heading == NULL)
    known->heading = g_steal_pointer (&facts->heading);
  ear_link_facts_free (facts);
}

static GPtrArray *
list_facts (EarNotes *notes)
{
  g_autoptr (GPtrArray) links = ear_notes_list_links (notes);
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  GPtrArray *list = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_link_facts_free);

  for (guint i = 0; i < links->len && list->len < EAR_LINKS_LIMIT; i++)
    {
      EarLinkFacts *facts = make_facts (g_ptr_array_index (links, i));
      EarLinkFacts *before = facts != NULL ? g_hash_table_lookup (known, &facts->id) : NULL;

      if (facts == NULL)
        continue;
      if (before != NULL)
        {
          merge (before, facts);
          continue;
        }
      g_ptr_array_add (list, facts);
      g_hash_table_insert (known, &facts->id, facts);
    }

  return list;
}

/**
 * ear_link_facts_list:
 * @notes: the notes of an episode
 *
 * Any thread may call it.
 *
 * Returns: (transfer full) (element-type EarLinkFacts): the links of the notes, in their
 *   order, each once
 */
GPtrArray *
ear_link_facts_list (EarNotes *notes)
{
  return notes->links != NULL ? g_ptr_array_ref (notes->links) : list_facts (notes);
}

/* Caches the list of links: for long notes, listing takes most of a frame. Only the
 * builder of the notes may call it. */
void
ear_link_facts_keep (EarNotes *notes)
{
  g_return_if_fail (notes->links == NULL);

  notes->links = list_facts (notes);
}
