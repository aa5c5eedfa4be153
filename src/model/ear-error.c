/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error.h"

G_DEFINE_QUARK (ear-error-quark, ear_error)
