/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-work-bar.h"

#include "ear-closures.h"
#include "ear-property.h"
#include "ear-slide-in.h"

/* Work that is done sooner is not worth a look, and the first moments of a refresh have enough to do. */
#define SHOW_AFTER_MS 1000

/* What has come stays long enough to be read. */
#define SHOW_FOR_MS 700

/**
 * EarWorkBar:
 *
 * Long work at the foot of the sidebar: what it is, how far it is, and how to stop it.
 * It neither asks nor stands in the way, and does not flicker for short work.
 */
struct _EarWorkBar
{
  AdwBin parent_instance;

  /* Owned */
  guint total;
  guint done;
  char *label;
  char *stop_action;
  gboolean revealed;
  gint64 revealed_at; /* monotonic time */
  guint source;
};

G_DEFINE_FINAL_TYPE (EarWorkBar, ear_work_bar, ADW_TYPE_BIN)

static void
set_revealed (EarWorkBar *self, gboolean revealed)
{
  if (ear_property_set_boolean (self, "revealed", revealed))
    self->revealed_at = g_get_monotonic_time ();
}

static void
timeout_cb (gpointer user_data)
{
  EarWorkBar *self = user_data;

  self->source = 0;
  set_revealed (self, self->total > 0);
}

static void
update_revealed (EarWorkBar *self)
{
  const gint64 shown = (g_get_monotonic_time () - self->revealed_at) / G_TIME_SPAN_MILLISECOND;
  const gboolean wanted = self->total > 0;

  if (wanted == self->revealed)
    g_clear_handle_id (&self->source, g_source_remove);
  else if (self->source == 0 && wanted)
    self->source = g_timeout_add_once (SHOW_AFTER_MS, timeout_cb, self);
  else if (self->source == 0)
    self->source = g_timeout_add_once (shown < SHOW_FOR_MS ? (guint) (SHOW_FOR_MS - shown) : 0, timeout_cb, self);
}

/* What slides away is left as it was. */
static void
set_label (EarWorkBar *self, const char *label)
{
  if (label != NULL && g_set_str (&self->label, label))
    g_object_notify (G_OBJECT (self), "label");
}

static void
ear_work_bar_dispose (GObject *object)
{
  EarWorkBar *self = EAR_WORK_BAR (object);

  g_clear_handle_id (&self->source, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_WORK_BAR);
  g_clear_pointer (&self->label, g_free);
  g_clear_pointer (&self->stop_action, g_free);

  G_OBJECT_CLASS (ear_work_bar_parent_class)->dispose (object);
}

static void
ear_work_bar_class_init (EarWorkBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* How much there is to do, 0 when nothing goes on */
    { "total", G_TYPE_UINT, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWorkBar, total), .changed = G_CALLBACK (update_revealed) },
    /* How much of it is done */
    { "done", G_TYPE_UINT, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWorkBar, done) },
    /* What goes on, with the counts; %NULL leaves what was shown before */
    { "label", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWorkBar, label), .set = G_CALLBACK (set_label) },
    /* The action that stops it */
    { "stop-action", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarWorkBar, stop_action) },
    /* Whether the bar is shown */
    { "revealed", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarWorkBar, revealed) },
  };

  object_class->dispose = ear_work_bar_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  g_type_ensure (EAR_TYPE_SLIDE_IN);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-work-bar.ui");
  ear_closures_bind (widget_class);
}

static void
ear_work_bar_init (EarWorkBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
