/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

typedef struct _EarXmlEntities EarXmlEntities;

EarXmlEntities *ear_xml_entities_new     (void);
void            ear_xml_entities_free    (EarXmlEntities *self);
void            ear_xml_entities_declare (EarXmlEntities *self,
                                          const char     *doctype,
                                          gsize           length);
gboolean        ear_xml_entities_resolve (EarXmlEntities *self,
                                          const char     *body,
                                          gsize           length,
                                          GString        *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarXmlEntities, ear_xml_entities_free)

G_END_DECLS
