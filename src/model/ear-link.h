/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

#include "ear-link-facts.h"

G_BEGIN_DECLS

#define EAR_TYPE_LINK (ear_link_get_type ())
G_DECLARE_FINAL_TYPE (EarLink, ear_link, EAR, LINK, GObject)

/*
 * A page that episodes link to. Immutable, so that any thread may make one and pass it
 * on. Properties, read-only:
 *   address    string      address to open
 *   words      string      name in the notes; never empty
 *   heading    string      (nullable): heading above it in the notes
 *   host       string      host as displayed
 * Further data: its key (ear_link_address_dup_key()), its kind, the number of episodes
 * that link to it, and the newest one of these.
 */
EarLink    *ear_link_new            (const char *address,
                                     const char *words,
                                     const char *heading,
                                     EarLinkKind kind);
EarLink    *ear_link_new_for_facts  (const EarLinkFacts *facts);
GPtrArray  *ear_links_of_notes      (EarNotes *notes);
void        ear_link_set_episode    (EarLink    *self,
                                     const char *key,
                                     const char *title,
                                     const char *podcast,
                                     guint       n_episodes);
const char *ear_link_get_key        (EarLink *self);
const char *ear_link_get_address    (EarLink *self);
const char *ear_link_get_words      (EarLink *self);
const char *ear_link_get_heading    (EarLink *self);
const char *ear_link_get_host       (EarLink *self);
EarLinkKind ear_link_get_kind       (EarLink *self);
const char *ear_link_get_episode    (EarLink *self);
const char *ear_link_get_title      (EarLink *self);
const char *ear_link_get_podcast    (EarLink *self);
guint       ear_link_get_n_episodes (EarLink *self);

G_END_DECLS
