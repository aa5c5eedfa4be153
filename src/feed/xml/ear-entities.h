/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* No entity has a longer name. */
#define EAR_ENTITY_LONGEST 32

/* Result for a reference to a character that is dropped, such as `&#0;` */
#define EAR_ENTITY_NOTHING G_MAXUINT32

gunichar ear_entity_lookup       (const char *body,
                                  gsize       length,
                                  gunichar   *second);
gsize    ear_entity_read         (const char *text,
                                  gsize       length,
                                  gunichar    characters[2]);
gsize    ear_entity_span         (const char *text,
                                  gsize       length);
gunichar ear_entity_windows_1252 (guint8      byte);
void     ear_entity_append_text  (GString    *to,
                                  const char *text,
                                  gsize       length);

G_END_DECLS
