/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-xml-writer.h"

G_BEGIN_DECLS

typedef struct _EarXmlRepair EarXmlRepair;

/**
 * EarXmlKind:
 * @EAR_XML_UNDECIDED: the root element has not come yet
 * @EAR_XML_ROOT: a root element that is wanted has come
 * @EAR_XML_WEB_PAGE: an HTML page
 * @EAR_XML_OTHER: long, and without a root element that is wanted
 *
 * What a document has turned out to be so far.
 */
typedef enum
{
  EAR_XML_UNDECIDED,
  EAR_XML_ROOT,
  EAR_XML_WEB_PAGE,
  EAR_XML_OTHER,
} EarXmlKind;

EarXmlRepair *ear_xml_repair_new            (const char *const *roots,
                                             const char *const *unnested);
void          ear_xml_repair_free           (EarXmlRepair      *self);
void          ear_xml_repair_set_text_func  (EarXmlRepair      *self,
                                             EarXmlFlushFunc    flush_func,
                                             EarXmlTextFunc     text_func,
                                             gpointer           user_data);
void          ear_xml_repair_push           (EarXmlRepair      *self,
                                             const char        *text,
                                             gsize              length,
                                             GString           *out);
void          ear_xml_repair_finish         (EarXmlRepair      *self,
                                             GString           *out);
EarXmlKind    ear_xml_repair_get_kind       (EarXmlRepair      *self);
gboolean      ear_xml_repair_get_has_markup (EarXmlRepair      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarXmlRepair, ear_xml_repair_free)

G_END_DECLS
