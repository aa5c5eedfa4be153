/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarRecordKind:
 * @EAR_RECORD_BOOKMARK: a moment of an episode
 * @EAR_RECORD_LIST: a list of one's own, and what is in it
 * @EAR_RECORD_LISTENING: for how long was listened
 * @EAR_RECORD_CHAPTER: chapters that are never to be heard
 * @EAR_RECORD_LINK: what was read of the links of episodes, or is to be found again
 *
 * What is kept record by record, each kind in a file of its own.
 */
typedef enum
{
  EAR_RECORD_BOOKMARK,
  EAR_RECORD_LIST,
  EAR_RECORD_LISTENING,
  EAR_RECORD_CHAPTER,
  EAR_RECORD_LINK,
} EarRecordKind;

#define EAR_N_RECORD_KINDS (EAR_RECORD_LINK + 1)

/* Longer names of records are not ours. */
#define EAR_RECORD_ID_LIMIT 8192

/*
 * Something that the listener made, which is neither of a podcast nor a mark of an episode. It is kept, merged and restored as a
 * whole, under its name, by its stamp. Does not change.
 */
typedef struct
{
  char *id;
  GVariant *value; /* (nullable): of the type `a{sv}`; none: it was removed */
  gint64 updated;  /* Unix microseconds */
} EarRecord;

EarRecord *ear_record_new  (const char      *id,
                            GVariant        *value,
                            gint64           updated);
EarRecord *ear_record_copy (const EarRecord *self);
void       ear_record_free (EarRecord *self);

const char *ear_record_kind_get_name (EarRecordKind kind);
gboolean    ear_record_kind_find     (const char    *name,
                                      EarRecordKind *kind);

double ear_record_get_number (GVariant   *value,
                              const char *name,
                              double      usual);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarRecord, ear_record_free)

G_END_DECLS
