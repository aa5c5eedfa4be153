/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Passes any bytes to a reader of external data and asserts properties of the result. */
typedef void (*EarFuzzFunc) (const guint8 *data,
                             gsize         length);

void ear_fuzz_backup    (const guint8 *data,
                         gsize         length);
void ear_fuzz_bus       (const guint8 *data,
                         gsize         length);
void ear_fuzz_chapters  (const guint8 *data,
                         gsize         length);
void ear_fuzz_command   (const guint8 *data,
                         gsize         length);
void ear_fuzz_copies    (const guint8 *data,
                         gsize         length);
void ear_fuzz_cover     (const guint8 *data,
                         gsize         length);
void ear_fuzz_directory (const guint8 *data,
                         gsize         length);
void ear_fuzz_downloads (const guint8 *data,
                         gsize         length);
void ear_fuzz_facts     (const guint8 *data,
                         gsize         length);
void ear_fuzz_feed      (const guint8 *data,
                         gsize         length);
void ear_fuzz_headers   (const guint8 *data,
                         gsize         length);
void ear_fuzz_input     (const guint8 *data,
                         gsize         length);
void ear_fuzz_import    (const guint8 *data,
                         gsize         length);
void ear_fuzz_notes     (const guint8 *data,
                         gsize         length);
void ear_fuzz_opml      (const guint8 *data,
                         gsize         length);
void ear_fuzz_page      (const guint8 *data,
                         gsize         length);
void ear_fuzz_references (const guint8 *data,
                          gsize         length);
void ear_fuzz_search    (const guint8 *data,
                         gsize         length);
void ear_fuzz_records   (const guint8 *data,
                         gsize         length);
void ear_fuzz_salvage   (const guint8 *data,
                         gsize         length);
void ear_fuzz_settings  (const guint8 *data,
                         gsize         length);
void ear_fuzz_state     (const guint8 *data,
                         gsize         length);
void ear_fuzz_transcript (const guint8 *data,
                          gsize         length);
void ear_fuzz_values    (const guint8 *data,
                         gsize         length);

G_END_DECLS
