/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* An action of an #EarActionEntry table, with the object that was given to
 * ear_actions_add().
 * @activate: (nullable): `void activate (self, GVariant *parameter,
 *   GSimpleAction *action)`, with fewer arguments where that is enough; of an action with
 *   a state: sets the state to @parameter
 * @parameter_type: (nullable): a GVariant type
 * @state: (nullable): the first state, as GVariant text
 * @part: (nullable): a property of the library, which is a property of the object: that
 *   part of it takes the place of the object; without a library, nothing is called */
typedef struct
{
  const char *name;
  GCallback activate;
  const char *parameter_type;
  const char *state;
  const char *part;
} EarActionEntry;

/* A row of the table of keys, or a heading above the rows that follow */
typedef struct
{
  const char *action;  /* (nullable): detailed name; keys without one are only listed */
  const char *keys[4]; /* as gtk_accelerator_parse() reads them */
  const char *title;   /* (nullable): translatable; %NULL for a heading */
  gboolean typing;     /* left to a focused text, where it has another meaning */
  const char *group;   /* (nullable): translatable: the heading */
} EarAccelerator;

typedef void (*EarAcceleratorFunc) (const EarAccelerator *accelerator, gpointer user_data);

typedef gboolean (*EarFits) (GtkWidget *widget);

/* Adds an action to a class of widgets: `void activate (self, const char *name,
 * GVariant *parameter)`, with fewer arguments where that is enough. */
#define ear_action_install(widget_class, name, parameter_type, activate) \
  gtk_widget_class_install_action (widget_class, name, parameter_type, \
                                   (GtkWidgetActionActivateFunc) G_CALLBACK (activate))

void ear_widget_set_template (GtkWidgetClass *widget_class, const char *name);
void ear_actions_add (GActionMap *map, const EarActionEntry *entries, gsize n, gpointer self);
void ear_action_set_enabled (GActionMap *map, const char *name, gboolean enabled);

void ear_label_show (GtkLabel *label, const char *text);
void ear_highlight (PangoAttrList **attributes, gsize start, gsize end, const GdkRGBA *color);
void ear_set_direction (GtkWidget *widget, GtkTextDirection direction);
gboolean ear_is_touch (gpointer controller);
void ear_cancel_gestures (GtkWidget *widget);
void ear_set_css_class (GtkWidget *widget, const char *css_class, gboolean set);
void ear_announce (GtkAccessible *accessible, const char *message,
                   GtkAccessibleAnnouncementPriority priority);
GtkWidget *ear_find_within (GtkWidget *widget, EarFits fits);
void ear_menu_later_set (GtkMenuButton *button, GMenuModel *menu);
char *ear_menu_dup_label (GMenuModel *menu, const char *target);
void ear_run_after_frames (GtkWidget *widget, guint n_frames, GCallback run);
void ear_dialog_set_focus (AdwDialog *dialog, GtkWidget *widget);

G_END_DECLS
