/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-slide-in.h"

#include "ear-property.h"

/* Milliseconds */
#define DURATION 200

/**
 * EarSlideIn:
 *
 * A bar that slides in from below, and out again.
 *
 * A GtkRevealer would resize its child in each frame, and lay out and draw the
 * list beside it each time. This widget takes its room in one step, and draws its
 * child at another position. A bar that is not revealed is invisible, so that GTK
 * does not style it.
 */
struct _EarSlideIn
{
  AdwBin parent_instance;

  /* Owned */
  AdwAnimation *animation;

  gboolean revealed;
};

G_DEFINE_FINAL_TYPE (EarSlideIn, ear_slide_in, ADW_TYPE_BIN)

static void
done_cb (EarSlideIn *self)
{
  if (!self->revealed)
    gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
revealed_changed_cb (EarSlideIn *self)
{
  AdwTimedAnimation *animation = ADW_TIMED_ANIMATION (self->animation);

  if (self->revealed)
    gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  /* From where it is: it may be called back on its way. */
  adw_timed_animation_set_value_from (animation, adw_animation_get_value (self->animation));
  adw_timed_animation_set_value_to (animation, self->revealed ? 1 : 0);
  adw_animation_play (self->animation);
}

static void
ear_slide_in_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const float shown = (float) adw_animation_get_value (EAR_SLIDE_IN (widget)->animation);
  const float width = (float) gtk_widget_get_width (widget);
  const float height = (float) gtk_widget_get_height (widget);

  if (shown <= 0)
    return;
  if (shown >= 1)
    {
      GTK_WIDGET_CLASS (ear_slide_in_parent_class)->snapshot (widget, snapshot);
      return;
    }

  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, (1 - shown) * height));
  GTK_WIDGET_CLASS (ear_slide_in_parent_class)->snapshot (widget, snapshot);
  gtk_snapshot_pop (snapshot);
}

static void
ear_slide_in_dispose (GObject *object)
{
  EarSlideIn *self = EAR_SLIDE_IN (object);

  if (self->animation != NULL)
    adw_animation_reset (self->animation);
  g_clear_object (&self->animation);

  G_OBJECT_CLASS (ear_slide_in_parent_class)->dispose (object);
}

static void
ear_slide_in_class_init (EarSlideInClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "revealed", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSlideIn, revealed),
      .changed = G_CALLBACK (revealed_changed_cb) },
  };

  object_class->dispose = ear_slide_in_dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = ear_slide_in_snapshot;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
moved_cb (double value, gpointer user_data)
{
  gtk_widget_queue_draw (user_data);
}

static void
ear_slide_in_init (EarSlideIn *self)
{
  AdwAnimationTarget *target = adw_callback_animation_target_new (moved_cb, self, NULL);

  self->animation = adw_timed_animation_new (GTK_WIDGET (self), 0, 1, DURATION, target);
  g_signal_connect_swapped (self->animation, "done", G_CALLBACK (done_cb), self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
