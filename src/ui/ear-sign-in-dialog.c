/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sign-in-dialog.h"

#include "ear-closures.h"

/**
 * EarSignInDialog:
 *
 * Asks for the name and the password that the server of a podcast wants to have.
 */
struct _EarSignInDialog
{
  AdwDialog parent_instance;

  /* Template children */
  AdwEntryRow *user;
  AdwPasswordEntryRow *password;

  /* Owned */
  EarLibrary *library;
  EarPodcast *podcast;
};

G_DEFINE_FINAL_TYPE (EarSignInDialog, ear_sign_in_dialog, ADW_TYPE_DIALOG)

typedef enum
{
  PROP_LIBRARY = 1,
  PROP_PODCAST,
} EarSignInDialogProperty;

static GParamSpec *props[PROP_PODCAST + 1];

static void
changed_cb (EarSignInDialog *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.sign-in",
                                 *gtk_editable_get_text (GTK_EDITABLE (self->user)) != '\0');
}

/* Enter leads from the name to the password, and from there on. */
static void
user_activated_cb (EarSignInDialog *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->password));
}

static void
sign_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarSignInDialog *self = EAR_SIGN_IN_DIALOG (widget);

  ear_library_set_credentials_async (self->library, self->podcast,
                                     gtk_editable_get_text (GTK_EDITABLE (self->user)),
                                     gtk_editable_get_text (GTK_EDITABLE (self->password)), NULL, NULL);
  adw_dialog_close (ADW_DIALOG (self));
}

static void
password_activated_cb (EarSignInDialog *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "dialog.sign-in", NULL);
}

static void
ear_sign_in_dialog_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarSignInDialog *self = EAR_SIGN_IN_DIALOG (object);

  switch ((EarSignInDialogProperty) property_id)
    {
    case PROP_LIBRARY:
      g_value_set_object (value, self->library);
      break;
    case PROP_PODCAST:
      g_value_set_object (value, self->podcast);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_sign_in_dialog_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarSignInDialog *self = EAR_SIGN_IN_DIALOG (object);

  switch ((EarSignInDialogProperty) property_id)
    {
    case PROP_LIBRARY:
      self->library = g_value_dup_object (value);
      break;
    case PROP_PODCAST:
      self->podcast = g_value_dup_object (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_sign_in_dialog_dispose (GObject *object)
{
  EarSignInDialog *self = EAR_SIGN_IN_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_SIGN_IN_DIALOG);
  g_clear_object (&self->library);
  g_clear_object (&self->podcast);

  G_OBJECT_CLASS (ear_sign_in_dialog_parent_class)->dispose (object);
}

static void
ear_sign_in_dialog_class_init (EarSignInDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags constructed = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_sign_in_dialog_get_property;
  object_class->set_property = ear_sign_in_dialog_set_property;
  object_class->dispose = ear_sign_in_dialog_dispose;

  /**
   * EarSignInDialog:library:
   *
   * What is told the name and the password.
   */
  props[PROP_LIBRARY] = g_param_spec_object ("library", NULL, NULL, EAR_TYPE_LIBRARY, constructed);
  /**
   * EarSignInDialog:podcast:
   *
   * The podcast that they are for.
   */
  props[PROP_PODCAST] = g_param_spec_object ("podcast", NULL, NULL, EAR_TYPE_PODCAST, constructed);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  gtk_widget_class_install_action (widget_class, "dialog.sign-in", NULL, sign_in);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-sign-in-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, user);
  gtk_widget_class_bind_template_child (widget_class, EarSignInDialog, password);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, user_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, password_activated_cb);
  ear_closures_bind (widget_class);
}

static void
ear_sign_in_dialog_init (EarSignInDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "dialog.sign-in", FALSE);
}

/**
 * ear_sign_in_dialog_new:
 * @library: what is told the name and the password
 * @podcast: the podcast that they are for
 *
 * Returns: (transfer floating): the dialog
 */
EarSignInDialog *
ear_sign_in_dialog_new (EarLibrary *library, EarPodcast *podcast)
{
  return g_object_new (EAR_TYPE_SIGN_IN_DIALOG, "library", library, "podcast", podcast, NULL);
}
