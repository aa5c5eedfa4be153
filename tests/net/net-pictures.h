/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk-pixbuf/gdk-pixbuf.h>

G_BEGIN_DECLS

/* Test pictures: the left half red, the right half blue, with a green gradient. */
GBytes *net_picture_new          (int         width,
                                  int         height,
                                  gboolean    alpha,
                                  const char *format);
GBytes *net_picture_new_turned   (int width,
                                  int height);
GBytes *net_picture_new_scans    (int width,
                                  int height,
                                  int noise);
GBytes *net_picture_repeat_scan  (GBytes *picture,
                                  guint   times);
GBytes *net_picture_turn         (GBytes *picture);
GBytes *net_picture_new_gif      (void);
GBytes *net_picture_cut          (GBytes *picture,
                                  gsize   length);
int     net_picture_open         (GBytes *picture);

/* Responses of hostile servers, by name; %NULL after the last one */
GBytes *net_picture_hostile      (guint        index,
                                  const char **name);

G_END_DECLS
