/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-cover-cache.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define EAR_TYPE_COVER (ear_cover_get_type ())
G_DECLARE_FINAL_TYPE (EarCover, ear_cover, EAR, COVER, GObject)

EarCover   *ear_cover_new         (GtkWidget   *widget,
                                   int          size);
void        ear_cover_set         (EarCover    *self,
                                   const char  *title,
                                   const char  *address,
                                   int          size);
void        ear_cover_set_lasting (EarCover    *self,
                                   gboolean     lasting);
gboolean    ear_cover_has_picture (EarCover    *self);
void        ear_cover_show        (EarCover    *self);
void        ear_cover_hide        (EarCover    *self);
void        ear_cover_snapshot    (EarCover    *self,
                                   GtkSnapshot *snapshot,
                                   float        x,
                                   float        y,
                                   int          size);

void        ear_cover_provide     (GtkWidget     *ancestor,
                                   EarCoverCache *covers);

G_END_DECLS
