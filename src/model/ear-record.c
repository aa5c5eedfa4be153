/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-record.h"

#include <math.h>

/* A kind's name: that of its file, without the ending, and the value of "kind" in the file */
const char *const ear_record_kind_names[EAR_N_RECORD_KINDS] = {
  [EAR_RECORD_BOOKMARK] = "bookmarks",
  [EAR_RECORD_LIST] = "lists",
  [EAR_RECORD_LISTENING] = "listening",
  [EAR_RECORD_CHAPTER] = "chapters",
  [EAR_RECORD_LINK] = "links",
};

/* @id: unique among the records of its kind
 * @value: (nullable): its content, `a{sv}`, consumed if floating; %NULL for a removed
 * record
 * @updated: when the listener changed it, Unix microseconds */
EarRecord *
ear_record_new (const char *id, GVariant *value, gint64 updated)
{
  EarRecord *self = g_new0 (EarRecord, 1);

  self->id = g_strdup (id);
  self->value = value != NULL ? g_variant_ref_sink (value) : NULL;
  self->updated = updated;

  return self;
}

void
ear_record_free (EarRecord *self)
{
  g_free (self->id);
  g_clear_pointer (&self->value, g_variant_unref);
  g_free (self);
}

/* Returns: %TRUE if there is one */
gboolean
ear_record_kind_find (const char *name, EarRecordKind *kind)
{
  for (guint i = 0; i < EAR_N_RECORD_KINDS; i++)
    if (g_str_equal (name, ear_record_kind_names[i]))
      {
        *kind = i;
        return TRUE;
      }

  return FALSE;
}

/* Reads integers as numbers, too.
 * Returns: a finite number */
double
ear_record_get_number (GVariant *value, const char *name, double usual)
{
  double number = usual;
  gint64 whole;

  if (g_variant_lookup (value, name, "x", &whole))
    return (double) whole;
  g_variant_lookup (value, name, "d", &number);

  return isfinite (number) ? number : usual;
}
