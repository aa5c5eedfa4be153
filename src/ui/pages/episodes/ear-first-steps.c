/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-first-steps.h"

#include "ear-import-offers.h"

/**
 * EarFirstSteps:
 *
 * What stands above the welcome podcast until the listener has chosen how to go on: ways to more
 * podcasts. It takes itself away with the first choice, and when there are other podcasts.
 */
struct _EarFirstSteps
{
  AdwBin parent_instance;

  /* Template children */
  GtkBox *offers;

  /* Owned */
  EarLibrary *library;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (EarFirstSteps, ear_first_steps, ADW_TYPE_BIN)

/* What had the focus hands it on to what is below. */
static void
take_away (EarFirstSteps *self)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));

  g_object_set (ear_library_get_settings (self->library), "first-steps", FALSE, NULL);
  if (parent == NULL)
    return;
  if (gtk_widget_get_focus_child (parent) == GTK_WIDGET (self))
    {
      gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
      gtk_widget_child_focus (parent, GTK_DIR_TAB_FORWARD);
    }
  gtk_box_remove (GTK_BOX (parent), GTK_WIDGET (self));
}

static void
hide (GtkWidget *widget, const char *name, GVariant *parameter)
{
  take_away (EAR_FIRST_STEPS (widget));
}

/* What the listener can choose, by other actions */
static const struct
{
  const char *name;
  const char *type;
  const char *action;
} choices[] = {
  { "first-steps.find", NULL, "win.add-podcast" },
  { "first-steps.import", NULL, "app.import" },
  { "first-steps.take-over", "s", "app.import-file" },
};

/* It goes first, so that what is opened gives the focus back to something that stays. */
static void
choose (GtkWidget *widget, const char *name, GVariant *parameter)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  take_away (EAR_FIRST_STEPS (widget));
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    if (g_str_equal (choices[i].name, name))
      gtk_widget_activate_action_variant (parent, choices[i].action, parameter);
}

static void
podcasts_changed_cb (EarFirstSteps *self)
{
  if (!ear_first_steps_are_wanted (self->library))
    take_away (self);
}

static void
ear_first_steps_dispose (GObject *object)
{
  EarFirstSteps *self = EAR_FIRST_STEPS (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_FIRST_STEPS);
  g_clear_object (&self->library);

  G_OBJECT_CLASS (ear_first_steps_parent_class)->dispose (object);
}

static void
ear_first_steps_class_init (EarFirstStepsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ear_first_steps_dispose;

  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    gtk_widget_class_install_action (widget_class, choices[i].name, choices[i].type, choose);
  gtk_widget_class_install_action (widget_class, "first-steps.hide", NULL, hide);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-first-steps.ui");
  gtk_widget_class_bind_template_child (widget_class, EarFirstSteps, offers);
}

static void
ear_first_steps_init (EarFirstSteps *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Returns: whether there is the welcome podcast only, and the listener has not chosen yet how to go on */
gboolean
ear_first_steps_are_wanted (EarLibrary *library)
{
  gboolean wanted;

  g_return_val_if_fail (EAR_IS_LIBRARY (library), FALSE);

  g_object_get (ear_library_get_settings (library), "first-steps", &wanted, NULL);

  return wanted && g_list_model_get_n_items (ear_library_get_podcasts (library)) == 1;
}

GtkWidget *
ear_first_steps_new (EarLibrary *library)
{
  EarFirstSteps *self = g_object_new (EAR_TYPE_FIRST_STEPS, NULL);

  self->library = g_object_ref (library);
  g_signal_connect_object (ear_library_get_podcasts (library), "items-changed", G_CALLBACK (podcasts_changed_cb), self,
                           G_CONNECT_SWAPPED);
  ear_import_offers_fill (GTK_WIDGET (self->offers), "first-steps.take-over", NULL, self->cancellable);

  return GTK_WIDGET (self);
}
