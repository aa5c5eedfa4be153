/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-xml-entities.h"

#include "ear-entities.h"

#include <string.h>

/* Resolves references: characters, and the few strings that a document may declare
 * itself. Values are not searched for further declared entities, so expansion does not
 * multiply, and the total of all values is limited. */

#define MAX_DECLARED 64
#define MAX_VALUE 1024
#define MAX_EXPANSION (256 * 1024)

/* Reads a name and a quoted value after "<!ENTITY". Parameter and external entities have
 * neither. */
static void
declare_one (EarXmlEntities *self, const char *text)
{
  const char *name = text + strspn (text, " \t\r\n");
  gsize length = ear_entity_span (name, strlen (name));
  const char *value = name + length + strspn (name + length, " \t\r\n");
  const char *end;
  g_autofree char *key = g_strndup (name, length);

  if (length == 0 || value == name + length || (*value != '"' && *value != '\''))
    return;
  end = strchr (value + 1, *value);
  if (end == NULL || end - value > MAX_VALUE || g_hash_table_size (self->declared) >= MAX_DECLARED)
    return;
  /* The first declaration counts (XML 1.0, section 4.2). */
  if (!g_hash_table_contains (self->declared, key))
    {
      /* Character references are resolved once, in the declaration. */
      GString *resolved = g_string_new (NULL);

      ear_entity_append_text (resolved, value + 1, end - value - 1);
      g_hash_table_insert (self->declared, g_steal_pointer (&key), g_string_free_and_steal (resolved));
    }
}

/* Stores the short internal entities that a document declares.
 * @doctype: (array length=length): a document type declaration with its internal subset
 * @length: its length in bytes */
void
ear_xml_entities_declare (EarXmlEntities *self, const char *doctype, gsize length)
{
  g_autofree char *text = g_strndup (doctype, length);

  if (self->declared == NULL)
    self->declared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (const char *found = strstr (text, "<!ENTITY"); found != NULL; found = strstr (found + 1, "<!ENTITY"))
    declare_one (self, found + strlen ("<!ENTITY"));
}

/* @body: (array length=length): the text between `&` and `;`
 * @length: its length in bytes
 * @out: where to append the text of the entity
 * Returns: %FALSE if there is no such entity */
gboolean
ear_xml_entities_resolve (EarXmlEntities *self, const char *body, gsize length, GString *out)
{
  gunichar second;
  gunichar c = ear_entity_lookup (body, length, &second);
  char name[EAR_ENTITY_LONGEST + 1];
  const char *value;

  if (c != 0)
    {
      if (c != EAR_ENTITY_NOTHING)
        g_string_append_unichar (out, c);
      if (second != 0)
        g_string_append_unichar (out, second);
      return TRUE;
    }
  if (self->declared == NULL || length >= sizeof name)
    return FALSE;
  memcpy (name, body, length);
  name[length] = '\0';
  value = g_hash_table_lookup (self->declared, name);
  if (value == NULL)
    return FALSE;
  self->expanded += strlen (value);
  if (self->expanded < MAX_EXPANSION)
    g_string_append (out, value);

  return TRUE;
}
