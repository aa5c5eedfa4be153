/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

typedef struct
{
  const char *name;  /* as written */
  const char *local; /* without its prefix */
  const char *value;
} EarXmlAttribute;

/* The attributes of an element, without namespace declarations */
typedef struct
{
  const EarXmlAttribute *list;
  guint n;
} EarXmlAttributes;

const char *ear_xml_attributes_get (const EarXmlAttributes *self,
                                    const char             *name);
gboolean    ear_xml_attributes_is  (const EarXmlAttributes *self,
                                    const char             *name,
                                    const char             *value);
const char *ear_xml_get_local      (const char             *name);
const char *ear_xml_read_value     (const char             *p,
                                    const char             *end,
                                    const char            **value,
                                    const char            **value_end);

/**
 * EarXmlHandler:
 * @start: an element begins; its name is as written, and @space is its namespace, if any
 * @end: an element ends
 * @text: (nullable): a part of the text of the innermost element, not terminated
 *
 * Callbacks for the content of a document. Every element that begins ends, unless the
 * document is truncated.
 */
typedef struct
{
  void (*start) (const char             *name,
                 const char             *space,
                 const EarXmlAttributes *attributes,
                 gpointer                user_data);
  void (*end)   (const char *name,
                 gpointer    user_data);
  void (*text)  (const char *text,
                 gsize       length,
                 gpointer    user_data);
} EarXmlHandler;

/* Private to the XML reader */

typedef struct _EarXmlElements EarXmlElements;

EarXmlElements *ear_xml_elements_new           (const char *const   *unnested,
                                                const EarXmlHandler *handler,
                                                gpointer             user_data);
void            ear_xml_elements_free          (EarXmlElements *self);
void            ear_xml_elements_declare       (EarXmlElements *self,
                                                const char     *doctype,
                                                gsize           length);
void            ear_xml_elements_add_text      (EarXmlElements *self,
                                                const char     *text,
                                                gsize           length);
gboolean        ear_xml_elements_add_reference (EarXmlElements *self,
                                                const char     *body,
                                                gsize           length);
void            ear_xml_elements_start         (EarXmlElements *self,
                                                const char     *name,
                                                gsize           length,
                                                const char     *attributes,
                                                const char     *end);
void            ear_xml_elements_end           (EarXmlElements *self,
                                                const char     *name,
                                                gsize           length);
gboolean        ear_xml_elements_is_innermost  (EarXmlElements *self,
                                                const char     *name,
                                                gsize           length);
gboolean        ear_xml_elements_get_complete  (EarXmlElements *self);

G_END_DECLS
