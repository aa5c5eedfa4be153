/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-builder-private.h"

#include "ear-address.h"
#include "ear-notes-links.h"
#include "ear-text-line.h"

/* Of what stands for a picture */
#define MAX_DESCRIPTION 1000

/**
 * ear_notes_builder_add_image:
 * @reference: (nullable): the address of a picture
 * @text: (nullable): what stands for it where it is not shown
 */
void
ear_notes_builder_add_image (EarNotesBuilder *self, const char *reference, const char *text)
{
  g_autofree char *line = text != NULL ? ear_text_line (text, EAR_TEXT_LITERAL, MAX_DESCRIPTION) : NULL;
  const char *description = line != NULL ? line : "";
  g_autofree char *address = NULL;

  if (self->hidden > 0)
    return;
  if (ear_notes_pieces_has_room_for_links (self->pieces))
    address = ear_address_resolve (self->base, reference);
  if (address == NULL)
    {
      ear_notes_builder_add_words (self, description);
      return;
    }
  ear_notes_builder_end_block (self);
  ear_notes_pieces_count_link (self->pieces, address);
  ear_notes_block_add (ear_notes_add_block (self->notes, EAR_NOTES_IMAGE, 0, 0), description, address, -1, EAR_NOTES_STYLE_NONE);
  g_set_str (&self->link_image, description);
}

/* A link around nothing but a picture leads on from the picture's description, or its host. */
static void
name_link (EarNotesBuilder *self)
{
  g_autoptr (GUri) uri = NULL;

  if (self->link == NULL || self->link_is_used || self->link_image == NULL)
    return;
  ear_notes_builder_add_words (self, self->link_image);
  uri = self->link_is_used ? NULL : g_uri_parse (self->link, G_URI_FLAGS_ENCODED, NULL);
  if (uri != NULL && g_uri_get_host (uri) != NULL)
    ear_notes_builder_add_words (self, g_uri_get_host (uri));
  if (!self->link_is_used)
    return;
  ear_notes_builder_end_block (self);
  ((EarNotesBlock *) g_ptr_array_index (self->notes->blocks, self->notes->blocks->len - 1))->names_image = TRUE;
}

/**
 * ear_notes_builder_set_link:
 * @in_link: whether a link begins or ends
 * @reference: (nullable): where it leads; what is no web address and no `mailto:` leads nowhere
 */
void
ear_notes_builder_set_link (EarNotesBuilder *self, gboolean in_link, const char *reference)
{
  name_link (self);
  g_clear_pointer (&self->link, g_free);
  g_clear_pointer (&self->link_image, g_free);
  self->in_link = in_link;
  self->link_is_used = FALSE;
  if (ear_notes_pieces_has_room_for_links (self->pieces))
    self->link = ear_notes_resolve_link (self->base, reference);
}
