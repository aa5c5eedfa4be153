/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-notes.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef void (*InspectEntryFunc) (JsonBuilder *json,
                                  gpointer     entry);

void         inspect_add_strings (JsonBuilder      *json,
                                  const char       *name,
                                  ...) G_GNUC_NULL_TERMINATED;
void         inspect_add_number  (JsonBuilder      *json,
                                  const char       *name,
                                  double            value);
void         inspect_add_list    (JsonBuilder      *json,
                                  const char       *name,
                                  GPtrArray        *list,
                                  InspectEntryFunc  func);
void         inspect_print       (JsonBuilder      *json,
                                  const char       *before);
char        *inspect_date        (gint64            date);
char        *inspect_text_of     (const char       *markup);
char        *inspect_find_header (JsonNode         *headers,
                                  const char       *name);
JsonBuilder *inspect_build_notes (EarNotes         *notes);

G_END_DECLS
