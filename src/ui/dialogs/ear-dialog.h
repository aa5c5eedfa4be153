/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "ear-folders.h"
#include "ear-library.h"
#include "ear-property.h"

G_BEGIN_DECLS

/* --- Helpers ------------------------------------------------------------------------ */

typedef void (*EarTextSaved) (gpointer part, gpointer subject, const char *text);

AdwDialog *ear_alert_new (const char *heading);
AdwDialog *ear_question_new (const char *heading, const char *body, const char *other,
                             const char *other_label, const char *response, const char *label);
AdwDialog *ear_question_suggest (AdwDialog *self, const char *response);
void ear_text_dialog_present (GtkWidget *parent, const char *heading, const char *body,
                              const char *title, const char *text, gboolean required,
                              const char *save, EarTextSaved saved, gpointer part,
                              gpointer subject);
GtkFileDialog *ear_file_dialog_new (const char *name);

GtkWidget *ear_check_row_new (const char *title, GtkCheckButton **check);

AdwDialog *ear_single_dialog_find (GtkWidget *parent, const char *name, gpointer subject);
AdwDialog *ear_single_dialog_present (AdwDialog *dialog, GtkWidget *parent, gpointer subject);

/* --- Dialogs ------------------------------------------------------------------------ */

AdwDialog *ear_about_dialog_new (EarLibrary *library, GtkWidget *parent);
char *ear_about_dup_debug_info (EarLibrary *library, GtkWidget *parent);
AdwDialog *ear_backups_dialog_new (EarBackups *backups);
AdwDialog *ear_feed_dialog_new (EarLibrary *library, EarPodcast *podcast, gboolean signs_in);
gboolean ear_phone_dialog_can_show (EarEpisode *episode);
AdwDialog *ear_phone_dialog_new (EarEpisode *episode, gint64 time, gboolean with_private);
AdwDialog *ear_podcast_dialog_new (EarLibrary *library, EarPodcast *podcast);
AdwDialog *ear_podcast_settings_dialog_new (EarLibrary *library, EarPodcast *podcast);
AdwDialog *ear_preferences_dialog_new (EarLibrary *library);
void ear_folder_chooser_present (EarLibrary *library, GtkWidget *parent, EarPodcast *podcast);
void ear_folder_rename (EarLibrary *library, GtkWidget *parent, EarFolder *folder);
void ear_list_chooser_present (EarLibrary *library, GtkWidget *parent, GPtrArray *episodes);
void ear_list_dialog_present (EarLibrary *library, GtkWidget *window, EarList *list);
void ear_shortcuts_dialog_present (GtkWidget *parent);

G_END_DECLS
