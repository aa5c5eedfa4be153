/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GBytes *ear_test_seed_rewrite (GBytes     *feed,
                               const char *base,
                               const char *feed_address);

G_END_DECLS
