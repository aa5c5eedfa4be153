/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

EarLibrary *library_fixture_open  (const char  *folder);
void        library_fixture_close (EarLibrary **library);

G_END_DECLS
