/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *action;  /* (nullable): detailed name; keys without one are only listed */
  const char *keys[4]; /* as gtk_accelerator_parse() reads them */
  gboolean typing;     /* left to a focused text, where it has another meaning */
  const char *group;   /* translatable: heading of the list */
  const char *title;   /* translatable */
} EarAccelerator;

typedef void (*EarAcceleratorFunc) (const EarAccelerator *accelerator, gpointer user_data);

G_END_DECLS
