/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

char *ear_report_write (EarLibrary *library);

G_END_DECLS
