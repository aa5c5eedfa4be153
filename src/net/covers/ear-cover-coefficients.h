/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdio.h>

#include <jpeglib.h>

G_BEGIN_DECLS

/*
 * The coefficients of pictures that are read or written by libjpeg, most of which are
 * zero, held in memory in a compact form. Not for more than one thread.
 */
typedef struct _EarCoverCoefficients EarCoverCoefficients;

EarCoverCoefficients *ear_cover_coefficients_new  (void);
void                  ear_cover_coefficients_free (EarCoverCoefficients *self);
void                  ear_cover_coefficients_hold (EarCoverCoefficients *self,
                                                   j_common_ptr          picture);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCoverCoefficients, ear_cover_coefficients_free)

G_END_DECLS
