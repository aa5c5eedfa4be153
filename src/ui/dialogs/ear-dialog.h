/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef void (*EarTextSaved) (gpointer part, gpointer subject, const char *text);

AdwDialog *ear_alert_new (const char *heading);
AdwDialog *ear_question_new (const char *heading, const char *body, const char *other,
                             const char *other_label, const char *response, const char *label);
void ear_text_dialog_present (GtkWidget *parent, const char *heading, const char *body,
                              const char *title, const char *text, gboolean required,
                              const char *save, EarTextSaved saved, gpointer part,
                              gpointer subject);

GtkWidget *ear_check_row_new (const char *title, GtkCheckButton **check);

AdwDialog *ear_single_dialog_find (GtkWidget *parent, GType type, gpointer subject);
AdwDialog *ear_single_dialog_present (AdwDialog *dialog, GtkWidget *parent, gpointer subject);

G_END_DECLS
