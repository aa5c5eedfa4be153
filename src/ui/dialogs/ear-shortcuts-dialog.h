/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_SHORTCUTS_DIALOG (ear_shortcuts_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarShortcutsDialog, ear_shortcuts_dialog, EAR, SHORTCUTS_DIALOG, AdwPreferencesDialog)

EarShortcutsDialog *ear_shortcuts_dialog_new (void);

G_END_DECLS
