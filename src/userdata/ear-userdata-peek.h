/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-record.h"

G_BEGIN_DECLS

GPtrArray *ear_userdata_peek_records (const char *path, EarRecordKind kind);

G_END_DECLS
