/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* The entities that a document declares */
typedef struct
{
  GHashTable *declared; /* (nullable): name to value */
  gsize expanded;       /* bytes of declared values inserted so far */
} EarXmlEntities;

void            ear_xml_entities_declare (EarXmlEntities *self,
                                          const char     *doctype,
                                          gsize           length);
gboolean        ear_xml_entities_resolve (EarXmlEntities *self,
                                          const char     *body,
                                          gsize           length,
                                          GString        *out);

G_END_DECLS
