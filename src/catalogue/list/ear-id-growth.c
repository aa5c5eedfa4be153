/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-id-growth.h"

/* A list view makes widgets for two hundred rows and a few, in sight or not, at up to 1 ms
 * each: they come a few in each frame. More than those cost it about 1 µs a row. */
#define WIDGETS 220
#define WIDGETS_STEP 8
#define STEP 4000
#define STEP_INTERVAL 20 /* milliseconds: a frame comes between two steps */
#define FIRST_INTERVAL 100

/*
 * Lets a sequence that begins with the first ids of an answer become all of it, step by
 * step, so that no frame has to wait for it.
 */
struct _EarIdGrowth
{
  /* Owned */
  GMainContext *context;
  GArray *all;     /* (nullable) (element-type gint64): what @ids is growing to */
  GSource *source; /* (nullable) */

  /* Borrowed */
  EarIdSequence *ids;
};

/**
 * ear_id_growth_new:
 * @ids: what grows; outlives this
 */
EarIdGrowth *
ear_id_growth_new (EarIdSequence *ids, GMainContext *context)
{
  EarIdGrowth *self = g_new0 (EarIdGrowth, 1);

  self->ids = ids;
  self->context = g_main_context_ref (context);

  return self;
}

/**
 * ear_id_growth_free:
 * @self: (transfer full): a growth
 */
void
ear_id_growth_free (EarIdGrowth *self)
{
  ear_id_growth_stop (self);
  g_main_context_unref (self->context);
  g_free (self);
}

static guint
get_step (guint n_shown)
{
  return n_shown < WIDGETS ? WIDGETS_STEP : STEP;
}

static gboolean
grow_cb (gpointer user_data)
{
  EarIdGrowth *self = user_data;
  EarIdSequence *ids = self->ids;
  g_autoptr (GArray) all = g_array_ref (self->all);
  const guint n_shown = ear_id_sequence_get_n_ids (ids);
  const guint n_new = MIN (all->len - n_shown, get_step (n_shown));

  if (n_shown + n_new == all->len)
    ear_id_growth_stop (self);
  /* Whoever hears of it may stop this. */
  ear_id_sequence_extend (ids, all, n_new);

  return G_SOURCE_CONTINUE;
}

/**
 * ear_id_growth_start:
 * @all: (element-type gint64): what the sequence is to become
 *
 * Stops, and begins to grow to another answer.
 *
 * Returns: (transfer full) (element-type gint64): what the caller is to show
 */
GArray *
ear_id_growth_start (EarIdGrowth *self, GArray *all, guint n_first)
{
  const guint n_ids = MIN (n_first, all->len);
  GArray *first = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n_ids);

  ear_id_growth_stop (self);
  if (n_ids > 0)
    g_array_append_vals (first, all->data, n_ids);
  if (n_ids == all->len)
    return first;

  self->all = g_array_ref (all);
  self->source = g_timeout_source_new (STEP_INTERVAL);
  g_source_set_priority (self->source, G_PRIORITY_DEFAULT_IDLE);
  g_source_set_ready_time (self->source, g_get_monotonic_time () + FIRST_INTERVAL * G_TIME_SPAN_MILLISECOND);
  g_source_set_static_name (self->source, "[earmark] episode list grows");
  g_source_set_callback (self->source, grow_cb, self, NULL);
  g_source_attach (self->source, self->context);

  return first;
}

/* Leaves the sequence as it is. */
void
ear_id_growth_stop (EarIdGrowth *self)
{
  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  g_clear_pointer (&self->all, g_array_unref);
}

/**
 * ear_id_growth_count_at_once:
 * @all: (element-type gint64): what the sequence is to become
 *
 * Returns: how much of it to show at once: all, when it is grown and there is not much more
 */
guint
ear_id_growth_count_at_once (EarIdGrowth *self, GArray *all, guint n_shown)
{
  return self->all == NULL && all->len <= n_shown + get_step (n_shown) ? all->len : MIN (n_shown, all->len);
}
