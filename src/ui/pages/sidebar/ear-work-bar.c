/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-work-bar.h"

#include "ear-closures.h"
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

typedef enum
{
  PROP_TOTAL = 1,
  PROP_DONE,
  PROP_LABEL,
  PROP_STOP_ACTION,
  PROP_REVEALED,
} EarWorkBarProperty;

static GParamSpec *props[PROP_REVEALED + 1];

static void
set_revealed (EarWorkBar *self, gboolean revealed)
{
  if (self->revealed == revealed)
    return;

  self->revealed = revealed;
  self->revealed_at = g_get_monotonic_time ();
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_REVEALED]);
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

static void
set_number (EarWorkBar *self, guint *field, guint number, EarWorkBarProperty property)
{
  if (*field == number)
    return;

  *field = number;
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
set_text (EarWorkBar *self, char **field, const char *text, EarWorkBarProperty property)
{
  if (g_set_str (field, text))
    g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

static void
ear_work_bar_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarWorkBar *self = EAR_WORK_BAR (object);

  switch ((EarWorkBarProperty) property_id)
    {
    case PROP_TOTAL:
      g_value_set_uint (value, self->total);
      break;
    case PROP_DONE:
      g_value_set_uint (value, self->done);
      break;
    case PROP_LABEL:
      g_value_set_string (value, self->label);
      break;
    case PROP_STOP_ACTION:
      g_value_set_string (value, self->stop_action);
      break;
    case PROP_REVEALED:
      g_value_set_boolean (value, self->revealed);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_work_bar_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarWorkBar *self = EAR_WORK_BAR (object);

  switch (property_id)
    {
    case PROP_TOTAL:
      set_number (self, &self->total, g_value_get_uint (value), PROP_TOTAL);
      update_revealed (self);
      break;
    case PROP_DONE:
      set_number (self, &self->done, g_value_get_uint (value), PROP_DONE);
      break;
    case PROP_LABEL:
      /* What slides away is left as it was. */
      if (g_value_get_string (value) != NULL)
        set_text (self, &self->label, g_value_get_string (value), PROP_LABEL);
      break;
    case PROP_STOP_ACTION:
      set_text (self, &self->stop_action, g_value_get_string (value), PROP_STOP_ACTION);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_work_bar_dispose (GObject *object)
{
  EarWorkBar *self = EAR_WORK_BAR (object);

  g_clear_handle_id (&self->source, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_WORK_BAR);

  G_OBJECT_CLASS (ear_work_bar_parent_class)->dispose (object);
}

static void
ear_work_bar_finalize (GObject *object)
{
  EarWorkBar *self = EAR_WORK_BAR (object);

  g_clear_pointer (&self->label, g_free);
  g_clear_pointer (&self->stop_action, g_free);

  G_OBJECT_CLASS (ear_work_bar_parent_class)->finalize (object);
}

static void
ear_work_bar_class_init (EarWorkBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_work_bar_get_property;
  object_class->set_property = ear_work_bar_set_property;
  object_class->dispose = ear_work_bar_dispose;
  object_class->finalize = ear_work_bar_finalize;

  /**
   * EarWorkBar:total:
   *
   * How much there is to do, 0 when nothing goes on.
   */
  props[PROP_TOTAL] = g_param_spec_uint ("total", NULL, NULL, 0, G_MAXUINT, 0, flags);
  /**
   * EarWorkBar:done:
   *
   * How much of it is done.
   */
  props[PROP_DONE] = g_param_spec_uint ("done", NULL, NULL, 0, G_MAXUINT, 0, flags);
  /**
   * EarWorkBar:label:
   *
   * What goes on, with the counts; %NULL leaves what was shown before.
   */
  props[PROP_LABEL] = g_param_spec_string ("label", NULL, NULL, NULL, flags);
  /**
   * EarWorkBar:stop-action:
   *
   * The action that stops it.
   */
  props[PROP_STOP_ACTION] = g_param_spec_string ("stop-action", NULL, NULL, NULL, flags);
  /**
   * EarWorkBar:revealed:
   *
   * Whether the bar is shown.
   */
  props[PROP_REVEALED] =
    g_param_spec_boolean ("revealed", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  g_type_ensure (EAR_TYPE_SLIDE_IN);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-work-bar.ui");
  ear_closures_bind (widget_class);
}

static void
ear_work_bar_init (EarWorkBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
