/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-add-dialog.h"

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-closures.h"

/**
 * EarAddDialog:
 *
 * Follows a podcast by the address of its feed.
 */
struct _EarAddDialog
{
  AdwDialog parent_instance;

  /* Template children */
  AdwEntryRow *entry;

  /* Owned */
  EarLibrary *library;
  GCancellable *cancellable;
  char *problem;
  gboolean ready;
};

G_DEFINE_FINAL_TYPE (EarAddDialog, ear_add_dialog, ADW_TYPE_DIALOG)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_PROBLEM,
  PROP_READY,
} EarAddDialogProperty;

static GParamSpec *props[PROP_READY + 1];

enum
{
  SIGNAL_FOLLOWED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
set_problem (EarAddDialog *self, const char *problem)
{
  if (problem != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
  if (!g_set_str (&self->problem, problem))
    return;

  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PROBLEM]);
  if (problem != NULL)
    gtk_accessible_announce (GTK_ACCESSIBLE (self), problem, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
entry_changed_cb (EarAddDialog *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  const gboolean ready = *text != '\0';

  set_problem (self, NULL);
  if (self->ready == ready)
    return;

  self->ready = ready;
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.follow", ready);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_READY]);
}

static void
follow (EarAddDialog *self)
{
  g_autofree char *address = ear_address_clean (gtk_editable_get_text (GTK_EDITABLE (self->entry)));
  EarPodcast *podcast;

  if (!self->ready)
    return;

  podcast = address != NULL ? ear_library_follow (self->library, address, NULL) : NULL;
  if (podcast == NULL)
    {
      set_problem (self, _("This is no web address. It looks like https://example.org/feed.xml"));
      gtk_widget_grab_focus (GTK_WIDGET (self->entry));
      return;
    }

  g_signal_emit (self, signals[SIGNAL_FOLLOWED], 0, podcast);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
follow_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  follow (EAR_ADD_DIALOG (widget));
}

/* What was copied last is most often what is to be added. */
static void
clipboard_read_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarAddDialog) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (object), result, NULL);

  if (text == NULL || self->entry == NULL || !ear_address_is_web (g_strstrip (text)) ||
      *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0')
    return;

  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

static void
ear_add_dialog_map (GtkWidget *widget)
{
  EarAddDialog *self = EAR_ADD_DIALOG (widget);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (widget);

  GTK_WIDGET_CLASS (ear_add_dialog_parent_class)->map (widget);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  if (gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard), G_TYPE_STRING))
    gdk_clipboard_read_text_async (clipboard, self->cancellable, clipboard_read_cb, g_object_ref (self));
}

static void
ear_add_dialog_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarAddDialog *self = EAR_ADD_DIALOG (object);

  switch ((EarAddDialogProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_PROBLEM:
      g_value_set_string (value, self->problem);
      break;
    case PROP_READY:
      g_value_set_boolean (value, self->ready);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_add_dialog_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarAddDialog *self = EAR_ADD_DIALOG (object);

  switch (property_id)
    {
    case PROP_LIBRARY:
      self->library = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_add_dialog_dispose (GObject *object)
{
  EarAddDialog *self = EAR_ADD_DIALOG (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_ADD_DIALOG);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_add_dialog_parent_class)->dispose (object);
}

static void
ear_add_dialog_finalize (GObject *object)
{
  g_clear_pointer (&EAR_ADD_DIALOG (object)->problem, g_free);

  G_OBJECT_CLASS (ear_add_dialog_parent_class)->finalize (object);
}

static void
ear_add_dialog_class_init (EarAddDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_add_dialog_get_property;
  object_class->set_property = ear_add_dialog_set_property;
  object_class->dispose = ear_add_dialog_dispose;
  object_class->finalize = ear_add_dialog_finalize;
  widget_class->map = ear_add_dialog_map;

  /**
   * EarAddDialog:library:
   *
   * What the podcast is added to.
   */
  props[PROP_LIBRARY] =
    g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  /**
   * EarAddDialog:problem:
   *
   * Why what was typed cannot be followed.
   */
  props[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, readable);
  /**
   * EarAddDialog:ready:
   *
   * Whether something was typed.
   */
  props[PROP_READY] = g_param_spec_boolean ("ready", NULL, NULL, FALSE, readable);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  /**
   * EarAddDialog::followed:
   * @self: the dialog
   * @podcast: what is followed now
   *
   * A podcast was added.
   */
  signals[SIGNAL_FOLLOWED] =
    g_signal_new ("followed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, EAR_TYPE_PODCAST);

  gtk_widget_class_install_action (widget_class, "dialog.follow", NULL, follow_action);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-add-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarAddDialog, entry);
  gtk_widget_class_bind_template_callback (widget_class, entry_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, follow);
  ear_closures_bind (widget_class);
}

static void
ear_add_dialog_init (EarAddDialog *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.follow", FALSE);
}

/**
 * ear_add_dialog_new:
 * @library: what the podcast is added to
 *
 * Returns: (transfer floating): the dialog
 */
EarAddDialog *
ear_add_dialog_new (EarLibrary *library)
{
  return g_object_new (EAR_TYPE_ADD_DIALOG, "library", library, NULL);
}
