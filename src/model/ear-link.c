/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link.h"

#include "ear-link-address.h"
#include "ear-property.h"

/**
 * EarLink:
 *
 * A page that episodes link to; the header lists its properties. The reading list knows
 * whether it was read.
 */
struct _EarLink
{
  GObject parent_instance;

  /* Owned */
  char *address;
  char *key;
  char *words;
  char *heading; /* (nullable) */
  char *host;
  char *episode; /* (nullable): key of the newest episode that links to it */
  char *title;   /* (nullable): title of that episode */
  char *podcast; /* (nullable): title of its podcast */

  EarLinkKind kind;
  guint n_episodes;
};

G_DEFINE_FINAL_TYPE (EarLink, ear_link, G_TYPE_OBJECT)

static void
ear_link_finalize (GObject *object)
{
  EarLink *self = EAR_LINK (object);

  g_free (self->address);
  g_free (self->key);
  g_free (self->words);
  g_free (self->heading);
  g_free (self->host);
  g_free (self->episode);
  g_free (self->title);
  g_free (self->podcast);

  G_OBJECT_CLASS (ear_link_parent_class)->finalize (object);
}

static void
ear_link_class_init (EarLinkClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "address", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarLink, address) },
    { "words", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarLink, words) },
    { "heading", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarLink, heading) },
    { "host", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarLink, host) },
  };

  object_class->finalize = ear_link_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_link_init (EarLink *self)
{
}

/**
 * ear_link_new:
 * @address: a clean http or https address
 * @words: (nullable): the link's name in the notes
 * @heading: (nullable): the heading above it in the notes
 *
 * Returns: (transfer full): a link; without @words, its name is its address
 */
EarLink *
ear_link_new (const char *address, const char *words, const char *heading, EarLinkKind kind)
{
  EarLink *self;

  g_return_val_if_fail (address != NULL, NULL);

  self = g_object_new (EAR_TYPE_LINK, NULL);
  self->address = g_strdup (address);
  self->key = ear_link_address_dup_key (address);
  self->host = ear_link_address_dup_host (address);
  self->words = words != NULL && *words != '\0' ? g_strdup (words) : ear_link_address_dup_words (address);
  self->heading = heading != NULL && *heading != '\0' ? g_strdup (heading) : NULL;
  self->kind = kind < EAR_N_LINK_KINDS ? kind : EAR_LINK_OTHER;

  return self;
}

EarLink *
ear_link_new_for_facts (const EarLinkFacts *facts)
{
  return ear_link_new (facts->address, facts->words, facts->heading, facts->kind);
}

/* @notes: (nullable): the notes of an episode
 * Returns: (transfer full) (element-type EarLink): their links, in order */
GPtrArray *
ear_links_of_notes (EarNotes *notes)
{
  GPtrArray *links = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) facts = notes != NULL ? ear_link_facts_list (notes) : g_ptr_array_new ();

  for (guint i = 0; i < facts->len; i++)
    g_ptr_array_add (links, ear_link_new_for_facts (g_ptr_array_index (facts, i)));

  return links;
}

/* Sets the newest episode; call it before sharing the link.
 * @key: key of the newest episode that links to it ([method@EarEpisode.dup_key])
 * @title: (nullable): title of that episode
 * @podcast: (nullable): title of its podcast
 * @n_episodes: number of episodes that link to it */
void
ear_link_set_episode (EarLink *self, const char *key, const char *title, const char *podcast, guint n_episodes)
{
  g_return_if_fail (EAR_IS_LINK (self));

  g_set_str (&self->episode, key);
  g_set_str (&self->title, title);
  g_set_str (&self->podcast, podcast);
  self->n_episodes = n_episodes;
}

EAR_DEFINE_GET (EarLink, ear_link, const char *, key)
EAR_DEFINE_GET (EarLink, ear_link, const char *, address)
EAR_DEFINE_GET (EarLink, ear_link, const char *, words)
EAR_DEFINE_GET (EarLink, ear_link, const char *, heading)
EAR_DEFINE_GET (EarLink, ear_link, const char *, host)
EAR_DEFINE_GET (EarLink, ear_link, EarLinkKind, kind)
EAR_DEFINE_GET (EarLink, ear_link, const char *, episode)
EAR_DEFINE_GET (EarLink, ear_link, const char *, title)
EAR_DEFINE_GET (EarLink, ear_link, const char *, podcast)
EAR_DEFINE_GET (EarLink, ear_link, guint, n_episodes)
