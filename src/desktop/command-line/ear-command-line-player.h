/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-command-line.h"
#include "ear-library.h"

G_BEGIN_DECLS

gboolean    ear_command_line_player_can        (EarCommandVerb verb);
const char *ear_command_line_player_do         (EarLibrary           *library,
                                                const EarCommandLine *line);
char       *ear_command_line_player_dup_status (EarLibrary *library,
                                                gboolean    json);

G_END_DECLS
