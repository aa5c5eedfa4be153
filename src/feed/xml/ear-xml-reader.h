/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-xml-elements.h"

G_BEGIN_DECLS

typedef struct _EarXmlReader EarXmlReader;

/**
 * EarXmlKind:
 * @EAR_XML_UNDECIDED: the root element has not been read yet
 * @EAR_XML_ROOT: the root element is an accepted one
 * @EAR_XML_WEB_PAGE: an HTML page
 * @EAR_XML_OTHER: long, and without an accepted root element
 *
 * The kind of a document, as far as it is known.
 */
typedef enum
{
  EAR_XML_UNDECIDED,
  EAR_XML_ROOT,
  EAR_XML_WEB_PAGE,
  EAR_XML_OTHER,
} EarXmlKind;

EarXmlReader *ear_xml_reader_new            (const char *const   *roots,
                                             const char *const   *unnested,
                                             const EarXmlHandler *handler,
                                             gpointer             user_data);
void          ear_xml_reader_free           (EarXmlReader        *self);
void          ear_xml_reader_push           (EarXmlReader        *self,
                                             const char          *text,
                                             gsize                length);
void          ear_xml_reader_finish         (EarXmlReader        *self);
EarXmlKind    ear_xml_reader_get_kind       (EarXmlReader        *self);
gboolean      ear_xml_reader_get_has_markup (EarXmlReader        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarXmlReader, ear_xml_reader_free)

G_END_DECLS
