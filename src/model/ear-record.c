/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-record.h"

#include <math.h>

/* Names of their files, and values of "kind" in them */
static const char *const names[EAR_N_RECORD_KINDS] = {
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

/* Returns: the name of its file, without the ending */
const char *
ear_record_kind_get_name (EarRecordKind kind)
{
  g_return_val_if_fail (kind < EAR_N_RECORD_KINDS, NULL);

  return names[kind];
}

/* Returns: %TRUE if there is one */
gboolean
ear_record_kind_find (const char *name, EarRecordKind *kind)
{
  for (guint i = 0; i < EAR_N_RECORD_KINDS; i++)
    if (g_str_equal (name, names[i]))
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
