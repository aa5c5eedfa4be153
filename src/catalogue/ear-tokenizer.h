/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* Name of the tokenizer in the schema */
#define EAR_TOKENIZER "earmark"

fts5_api *ear_tokenizer_get_api (sqlite3 *handle);
gboolean ear_tokenizer_register (sqlite3 *handle);

G_END_DECLS
