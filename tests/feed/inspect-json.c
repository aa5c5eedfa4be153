/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "inspect-json.h"

#include "ear-show-notes.h"

#include <stdio.h>

/* Names and values in turn; members without a value are left out. */
void
inspect_add_strings (JsonBuilder *json, const char *name, ...)
{
  va_list arguments;

  va_start (arguments, name);
  for (; name != NULL; name = va_arg (arguments, const char *))
    {
      const char *value = va_arg (arguments, const char *);

      if (value == NULL)
        continue;
      json_builder_set_member_name (json, name);
      json_builder_add_string_value (json, value);
    }
  va_end (arguments);
}

/* Zero says nothing but where something starts. */
void
inspect_add_number (JsonBuilder *json, const char *name, double value)
{
  if (value == 0 && !g_str_equal (name, "start") && !g_str_equal (name, "seconds"))
    return;
  json_builder_set_member_name (json, name);
  json_builder_add_double_value (json, value);
}

void
inspect_add_list (JsonBuilder *json, const char *name, GPtrArray *list, InspectEntryFunc func)
{
  json_builder_set_member_name (json, name);
  json_builder_begin_array (json);
  for (guint i = 0; i < list->len; i++)
    {
      json_builder_begin_object (json);
      func (json, g_ptr_array_index (list, i));
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

void
inspect_print (JsonBuilder *json, const char *before)
{
  g_autoptr (JsonNode) root = json_builder_get_root (json);
  g_autofree char *text = json_to_string (root, FALSE);

  fputs (before, stdout);
  fputs (text, stdout);
}

char *
inspect_date (gint64 date)
{
  g_autoptr (GDateTime) time = date != EAR_DATE_UNKNOWN ? g_date_time_new_from_unix_utc (date) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ") : NULL;
}

static char *
get_text (EarNotes *notes)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < notes->blocks->len; i++)
    {
      EarNotesBlock *block = g_ptr_array_index (notes->blocks, i);

      if (block->number > 0)
        g_string_append_printf (text, "%u. ", block->number);
      for (guint j = 0; block->type != EAR_NOTES_IMAGE && j < block->spans->len; j++)
        g_string_append (text, ((EarNotesSpan *) g_ptr_array_index (block->spans, j))->text);
      g_string_append_c (text, '\n');
    }

  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
inspect_text_of (const char *markup)
{
  g_autoptr (EarNotes) notes = markup != NULL ? ear_show_notes_parse (markup, NULL, 0) : NULL;

  return notes != NULL ? get_text (notes) : NULL;
}

char *
inspect_find_header (JsonNode *headers, const char *name)
{
  JsonObject *object = headers != NULL && JSON_NODE_HOLDS_OBJECT (headers) ? json_node_get_object (headers) : NULL;
  g_autoptr (GList) names = object != NULL ? json_object_get_members (object) : NULL;

  for (GList *entry = names; entry != NULL; entry = entry->next)
    if (g_ascii_strcasecmp (entry->data, name) == 0)
      return g_strdup (json_object_get_string_member (object, entry->data));

  return NULL;
}

/* What a member of the answer lists: addresses of links, of pictures, or times */
static void
add_span (JsonBuilder *json, const char *member, EarNotesBlock *block, EarNotesSpan *span)
{
  gboolean is_image = block->type == EAR_NOTES_IMAGE;

  if (g_str_equal (member, "timestamps"))
    {
      if (span->time < 0)
        return;
      json_builder_begin_object (json);
      inspect_add_strings (json, "text", span->text, NULL);
      inspect_add_number (json, "seconds", span->time / (double) G_USEC_PER_SEC);
      json_builder_end_object (json);
    }
  else if (span->link != NULL && is_image == g_str_equal (member, "images"))
    json_builder_add_string_value (json, span->link);
}

JsonBuilder *
inspect_build_notes (EarNotes *notes)
{
  static const char *const members[] = { "links", "images", "timestamps" };
  JsonBuilder *json = json_builder_new ();
  g_autofree char *text = get_text (notes);

  json_builder_begin_object (json);
  inspect_add_strings (json, "text", text, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      json_builder_set_member_name (json, members[i]);
      json_builder_begin_array (json);
      for (guint j = 0; j < notes->blocks->len; j++)
        {
          EarNotesBlock *block = g_ptr_array_index (notes->blocks, j);

          for (guint k = 0; k < block->spans->len; k++)
            add_span (json, members[i], block, g_ptr_array_index (block->spans, k));
        }
      json_builder_end_array (json);
    }
  json_builder_end_object (json);

  return json;
}
