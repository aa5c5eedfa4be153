/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

G_BEGIN_DECLS

/* Kind of a reference to another episode. */
typedef enum
{
  EAR_REFERENCE_REFERS, /* the other episode is mentioned */
  EAR_REFERENCE_FIRST, /* the other episode should be heard before this one */
  EAR_REFERENCE_AFTER, /* this episode should be heard before the other one */
  EAR_REFERENCE_REFERRED, /* the other episode mentions this one */
} EarReferenceKind;

typedef struct
{
  gint64 episode; /* row id of the other episode */
  char *address; /* (nullable): the linked address; %NULL if the notes have only its title or
                  * number */
  EarReferenceKind kind;
} EarReference;

GHashTable *ear_reference_targets_new (void);
void ear_reference_targets_add (GHashTable *targets, gint64 episode, const char *link,
                                const char *media);
void ear_reference_targets_name (GHashTable *targets, gint64 episode, const char *title,
                                 const char *number);
GPtrArray *ear_references_find (EarNotes *notes, gint64 episode, GHashTable *targets);
char *ear_reference_dup_trace (const char *link);

G_END_DECLS
