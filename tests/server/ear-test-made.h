/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void ear_test_made_append_head (GString    *feed,
                                const char *title,
                                const char *base);
void ear_test_made_append_item (GString    *feed,
                                const char *base,
                                guint       index);
void ear_test_made_append_tail (GString *feed);

GBytes *ear_test_made_feed (const char *title,
                            const char *base,
                            guint       items);
GBytes *ear_test_made_page (void);
GBytes *ear_test_made_bomb (guint megabytes);
GBytes *ear_test_made_picture (guint size,
                               guint tint);
GBytes *ear_test_made_sound (guint seconds);

G_END_DECLS
