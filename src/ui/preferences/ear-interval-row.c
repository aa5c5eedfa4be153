/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-interval-row.h"

#include "ear-format.h"
#include "ear-property.h"

/**
 * EarIntervalRow:
 *
 * Lets the listener choose how often podcasts, or one of them, are checked. A value that is
 * not among those to choose from, as a file or another program may set it, is one of them
 * while it is set.
 */
struct _EarIntervalRow
{
  AdwComboRow parent_instance;

  /* Owned */
  GArray *choices; /* (element-type int): minutes */

  int minutes;
  int everywhere;
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (EarIntervalRow, ear_interval_row, ADW_TYPE_COMBO_ROW)

/* Nothing else is shown as everywhere. */
#define AS_EVERYWHERE (-1)
#define LONGEST (7 * 24 * 60)

static const int usual[] = { 0, 15, 30, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60 };

static int
compare (gconstpointer a, gconstpointer b)
{
  return *(const int *) a - *(const int *) b;
}

static void
add_choice (EarIntervalRow *self, int minutes)
{
  if (!g_array_binary_search (self->choices, &minutes, compare, NULL))
    g_array_append_val (self->choices, minutes);
  g_array_sort (self->choices, compare);
}

/* The texts, and which of them is chosen: that is no choice of the listener's. */
static void
fill (EarIntervalRow *self)
{
  g_autoptr (GtkStringList) texts = gtk_string_list_new (NULL);
  guint selected = 0;

  g_array_set_size (self->choices, 0);
  g_array_append_vals (self->choices, usual, G_N_ELEMENTS (usual));
  if (self->everywhere != AS_EVERYWHERE)
    add_choice (self, AS_EVERYWHERE);
  add_choice (self, self->minutes);
  for (guint i = 0; i < self->choices->len; i++)
    {
      const int minutes = g_array_index (self->choices, int, i);

      gtk_string_list_take (texts, minutes != AS_EVERYWHERE ? ear_format_interval (minutes) : ear_format_interval_everywhere (self->everywhere));
      if (minutes == self->minutes)
        selected = i;
    }
  self->filling = TRUE;
  adw_combo_row_set_model (ADW_COMBO_ROW (self), G_LIST_MODEL (texts));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self), selected);
  self->filling = FALSE;
}

static void
selected_cb (EarIntervalRow *self)
{
  const guint selected = adw_combo_row_get_selected (ADW_COMBO_ROW (self));
  int minutes;

  if (self->filling || selected >= self->choices->len)
    return;
  minutes = g_array_index (self->choices, int, selected);
  if (minutes == self->minutes)
    return;

  self->minutes = minutes;
  g_object_notify (G_OBJECT (self), "minutes");
}

static void
ear_interval_row_finalize (GObject *object)
{
  EarIntervalRow *self = EAR_INTERVAL_ROW (object);

  g_array_unref (self->choices);

  G_OBJECT_CLASS (ear_interval_row_parent_class)->finalize (object);
}

static void
ear_interval_row_class_init (EarIntervalRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* What is chosen: minutes between two checks, 0: never by itself, -1: as everywhere */
    { .spec = g_param_spec_int ("minutes", NULL, NULL, AS_EVERYWHERE, LONGEST, 0, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarIntervalRow, minutes), .changed = G_CALLBACK (fill) },
    /* What -1 stands for; -1 where there is no such choice */
    { .spec = g_param_spec_int ("everywhere", NULL, NULL, AS_EVERYWHERE, LONGEST, AS_EVERYWHERE, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarIntervalRow, everywhere), .changed = G_CALLBACK (fill) },
  };

  object_class->finalize = ear_interval_row_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_interval_row_init (EarIntervalRow *self)
{
  self->choices = g_array_new (FALSE, FALSE, sizeof (int));
  self->everywhere = AS_EVERYWHERE;
  fill (self);
  g_signal_connect (self, "notify::selected", G_CALLBACK (selected_cb), NULL);
}
