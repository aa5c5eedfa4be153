/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Private to the repair of XML */

typedef struct _EarXmlWriter EarXmlWriter;

typedef void (*EarXmlFlushFunc) (gpointer user_data);
typedef void (*EarXmlTextFunc)  (const char *text,
                                 gsize       length,
                                 gpointer    user_data);

EarXmlWriter *ear_xml_writer_new            (const char *const *unnested);
void          ear_xml_writer_free           (EarXmlWriter      *self);
void          ear_xml_writer_set_text_func  (EarXmlWriter      *self,
                                             EarXmlFlushFunc    flush_func,
                                             EarXmlTextFunc     text_func,
                                             gpointer           user_data);
void          ear_xml_writer_declare        (EarXmlWriter      *self,
                                             const char        *doctype,
                                             gsize              length);
void          ear_xml_writer_add_text       (EarXmlWriter      *self,
                                             const char        *text,
                                             gsize              length);
gboolean      ear_xml_writer_add_reference  (EarXmlWriter      *self,
                                             const char        *body,
                                             gsize              length);
void          ear_xml_writer_start_element  (EarXmlWriter      *self,
                                             const char        *name,
                                             gsize              length,
                                             const char        *attributes,
                                             const char        *end,
                                             GString           *out);
void          ear_xml_writer_end_element    (EarXmlWriter      *self,
                                             const char        *name,
                                             gsize              length,
                                             GString           *out);
void          ear_xml_writer_end_chunk      (EarXmlWriter      *self,
                                             GString           *out);
gboolean      ear_xml_writer_is_innermost   (EarXmlWriter      *self,
                                             const char        *name,
                                             gsize              length);
gboolean      ear_xml_writer_get_complete   (EarXmlWriter      *self);

G_END_DECLS
