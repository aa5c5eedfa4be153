/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-link.h"

G_BEGIN_DECLS

const char *ear_link_kind_text        (EarLinkKind kind);
const char *ear_link_kind_text_plural (EarLinkKind kind);
char       *ear_link_text_facts       (EarLink *link);
char       *ear_link_text_source      (EarLink *link);

G_END_DECLS
