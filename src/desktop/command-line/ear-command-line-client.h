/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-command-line-verbs.h"

G_BEGIN_DECLS

int  ear_command_line_run          (EarCommandLine          *self,
                                    const char * const      *arguments,
                                    EarCommandLineErrorFunc  describe);
void ear_command_line_print_misuse (const GError *error);

G_END_DECLS
