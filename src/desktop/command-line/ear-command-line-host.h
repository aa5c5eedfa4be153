/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-command-line-verbs.h"

G_BEGIN_DECLS

int ear_command_line_host_run (GApplication            *application,
                               const char * const      *arguments,
                               EarCommandVerb           verb,
                               EarCommandLineErrorFunc  describe);

G_END_DECLS
