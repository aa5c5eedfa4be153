/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What ear-preferences-dialog.c and ear-preferences-dialog-downloads.c share. */

#include "ear-preferences-dialog.h"

G_BEGIN_DECLS

struct _EarPreferencesDialog
{
  AdwPreferencesDialog parent_instance;

  /* Template children */
  AdwPreferencesGroup *exchange;
  AdwActionRow *covers;
  AdwActionRow *room;
  AdwActionRow *folder;
  AdwSpinner *folder_spinner;
  GtkButton *folder_reset;

  /* Owned */
  EarLibrary *library;
  GCancellable *cancellable;

  gboolean background_refused;
};

void ear_preferences_dialog_bind_downloads   (GtkWidgetClass       *widget_class);
void ear_preferences_dialog_follow_downloads (EarPreferencesDialog *self);

G_END_DECLS
