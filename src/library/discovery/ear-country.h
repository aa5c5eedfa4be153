/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *ear_country_find (const char *chosen);
const char *ear_country_get_name (const char *code);
GStrv ear_country_list (void);

G_END_DECLS
