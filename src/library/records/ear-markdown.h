/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void ear_markdown_append_text (GString *markdown, const char *text);
void ear_markdown_append_link (GString *markdown, const char *words, const char *address);

G_END_DECLS
