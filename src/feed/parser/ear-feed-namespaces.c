/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-context.h"

#include <string.h>

/* All namespaces: a new one is a file and a line here. */
static const EarFeedNamespace *const namespaces[] = {
  &ear_ns_rss,
  &ear_ns_atom,
  &ear_ns_itunes,
  &ear_ns_podcast,
  &ear_ns_podlove,
  &ear_ns_media,
  &ear_ns_content,
  &ear_ns_dublin_core,
  &ear_ns_googleplay,
  &ear_ns_xhtml,
};

/* Feeds vary namespace addresses in case, scheme and trailing slashes. */
static char *
normalize (const char *address)
{
  static const char *const beginnings[] = { "http://", "https://", "www." };
  g_autofree char *lower = g_ascii_strdown (address, -1);
  const char *start = lower;
  gsize length;

  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (g_str_has_prefix (start, beginnings[i]))
      start += strlen (beginnings[i]);
  length = strlen (start);
  while (length > 0 && (start[length - 1] == '/' || start[length - 1] == '#'))
    length--;

  return g_strndup (start, length);
}

static const EarFeedNamespace *
find_namespace (const char *address, const char *name, gboolean is_atom)
{
  const gsize length = strcspn (name, ":");

  if (!ear_is_empty (address))
    {
      g_autofree char *normal = normalize (address);

      for (gsize i = 0; i < G_N_ELEMENTS (namespaces); i++)
        if (g_strv_contains (namespaces[i]->addresses, normal))
          return namespaces[i];
    }
  if (name[length] == '\0')
    return is_atom ? &ear_ns_atom : &ear_ns_rss;
  for (gsize i = 0; i < G_N_ELEMENTS (namespaces); i++)
    if (g_ascii_strncasecmp (namespaces[i]->prefix, name, length) == 0 && namespaces[i]->prefix[length] == '\0')
      return namespaces[i];

  return NULL;
}

static const EarFeedElement *
find_element (const EarFeedNamespace *space, const char *name)
{
  for (const EarFeedElement *element = space->elements; element->name != NULL; element++)
    if (strcmp (element->name, name) == 0)
      return element;
  for (const EarFeedElement *element = space->elements; element->name != NULL; element++)
    if (g_ascii_strcasecmp (element->name, name) == 0)
      return element;

  return NULL;
}

/* @address: (nullable): the namespace of an element
 * @name: its name as written
 * @is_atom: whether elements without a known namespace are Atom
 * Returns: (transfer none) (nullable): the first row of the element */
const EarFeedElement *
ear_feed_namespaces_find (const char *address, const char *name, gboolean is_atom)
{
  const EarFeedNamespace *space = find_namespace (address, name, is_atom);
  const char *local = ear_xml_get_local (name);
  const EarFeedElement *element = space != NULL ? find_element (space, local) : NULL;

  /* Accept RSS elements in the Atom default namespace, and Atom elements in RSS. */
  if (element == NULL && local == name)
    element = find_element (is_atom ? &ear_ns_atom : &ear_ns_rss, name);

  return element;
}
