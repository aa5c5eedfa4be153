/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

AdwDialog *ear_alert_new (const char *heading);
AdwDialog *ear_question_new (const char *heading, const char *body, const char *other,
                             const char *other_label, const char *response, const char *label);
AdwDialog *ear_alert_new_for_text (const char *heading, const char *subject, const char *title,
                                   const char *text, const char *save, GtkEditable **entry);

GtkWidget *ear_check_row_new (const char *title, GtkCheckButton **check);

AdwDialog *ear_single_dialog_find (GtkWidget *parent, GType type, gpointer subject);
AdwDialog *ear_single_dialog_present (AdwDialog *dialog, GtkWidget *parent, gpointer subject);

G_END_DECLS
