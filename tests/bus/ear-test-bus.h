/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _EarTestBus EarTestBus;

EarTestBus      *ear_test_bus_start       (void);
void             ear_test_bus_stop        (EarTestBus *self);

const char      *ear_test_bus_get_address (EarTestBus *self);
GDBusConnection *ear_test_bus_connect     (EarTestBus *self);

G_END_DECLS
