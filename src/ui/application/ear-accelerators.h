/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  const char *action;    /* (nullable): detailed name; GTK itself knows what the others do */
  const char *keys[4];   /* as gtk_accelerator_parse() reads them */
  gboolean   typing;     /* means something else where text has the focus, and is left to it */
  const char *group;     /* translatable: under which heading it is listed */
  const char *title;     /* translatable: what it does */
} EarAccelerator;

const EarAccelerator *ear_accelerators_get (gsize *n_accelerators);
void                  ear_accelerators_set (GtkApplication *application);
void                  ear_accelerators_set_modal (GtkApplication *application, gboolean modal);
void                  ear_accelerators_add_to_window (GtkWidget *window);

G_END_DECLS
