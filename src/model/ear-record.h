/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Kinds of records; each has a file of its own. */
typedef enum
{
  EAR_RECORD_BOOKMARK, /* a bookmark */
  EAR_RECORD_LIST, /* one of the listener's lists, with its content */
  EAR_RECORD_LISTENING, /* listening time */
  EAR_RECORD_CHAPTER, /* chapters to skip always */
  EAR_RECORD_LINK, /* read and starred links of the reading list */
} EarRecordKind;

#define EAR_N_RECORD_KINDS (EAR_RECORD_LINK + 1)

/* An object made by the listener that is neither a setting of a podcast nor a mark of an
 * episode. Stored, merged and restored as a whole, by its id and stamp. Immutable. */
typedef struct
{
  char *id;
  GVariant *value; /* (nullable): of type `a{sv}`; %NULL: removed */
  gint64 updated;  /* Unix microseconds */
} EarRecord;

EarRecord *ear_record_new (const char *id, GVariant *value, gint64 updated);
void ear_record_free (EarRecord *self);

extern const char *const ear_record_kind_names[EAR_N_RECORD_KINDS];
gboolean ear_record_kind_find (const char *name, EarRecordKind *kind);

double ear_record_get_number (GVariant *value, const char *name, double usual);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarRecord, ear_record_free)

G_END_DECLS
