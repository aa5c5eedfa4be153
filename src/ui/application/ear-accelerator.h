/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const char *action;    /* (nullable): detailed name; GTK itself knows what the others do */
  const char *keys[4];   /* as gtk_accelerator_parse() reads them */
  gboolean   typing;     /* means something else where text has the focus, and is left to it */
  const char *group;     /* translatable: under which heading it is listed */
  const char *title;     /* translatable */
} EarAccelerator;

typedef void (*EarAcceleratorFunc) (const EarAccelerator *accelerator, gpointer user_data);

G_END_DECLS
