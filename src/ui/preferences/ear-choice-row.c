/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-choice-row.h"

#include <glib/gi18n.h>

#include "ear-format.h"
#include "ear-property.h"

/**
 * EarChoiceRow:
 *
 * Offers a few numbers, each described in words. A number that is not among them, because
 * a file or another program has set it, is offered while it is set.
 */
struct _EarChoiceRow
{
  AdwComboRow parent_instance;

  /* Owned */
  GArray *numbers; /* (element-type int): the numbers offered */
  char *choice;    /* (nullable) */

  int number;
  int default_number;
  gboolean filling; /* the selection changes, but not by the listener */
};

G_DEFINE_FINAL_TYPE (EarChoiceRow, ear_choice_row, ADW_TYPE_COMBO_ROW)

/* The number of the choice “Default”. As the default number, it means that there
 * is no such choice. */
#define INHERIT (-1)

static const int interval[] = { 0, 15, 30, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60 };
static const int newest[] = { 0, 1, 3, 10 };
static const int on[] = { FALSE, TRUE };
static const int days[] = { 0, 1, 3, 7, 14, 30, 90 };
static const int space[] = { 250, 500, 1000, 2000, 5000, 10000, 20000, 50000 };

typedef struct
{
  const char *name;
  const int *numbers;
  guint n_numbers;
} Choice;

static const Choice choices[] = {
  { "interval", interval, G_N_ELEMENTS (interval) }, /* minutes */
  { "newest", newest, G_N_ELEMENTS (newest) },       /* episodes */
  { "next", newest, G_N_ELEMENTS (newest) },         /* of a series, from its first one on */
  { "on", on, G_N_ELEMENTS (on) },
  { "days", days, G_N_ELEMENTS (days) },
  { "space", space, G_N_ELEMENTS (space) }, /* megabytes */
};

static char *
describe (const char *choice, int number)
{
  const guint n = (guint) number;

  if (g_str_equal (choice, "interval"))
    return ear_format_interval (number);
  if (g_str_equal (choice, "space"))
    return ear_format_size ((gint64) number * 1000 * 1000);
  if (g_str_equal (choice, "days") && number == 0)
    return g_strdup (C_("downloads", "Never"));
  if (g_str_equal (choice, "days"))
    /* Translators: when downloads are removed; %u is so many days after they came */
    return g_strdup_printf (ngettext ("After %'u day", "After %'u days", n), n);
  if (number == 0)
    return g_strdup (_("Off"));
  if (g_str_equal (choice, "on"))
    return g_strdup (_("On"));
  if (g_str_equal (choice, "newest") && number == 1)
    /* Translators: which episodes of a podcast are downloaded by themselves */
    return g_strdup (_("The newest episode"));
  if (g_str_equal (choice, "newest"))
    /* Translators: which episodes of a podcast are downloaded by themselves; %u is how many */
    return g_strdup_printf (ngettext ("The %'u newest episode", "The %'u newest episodes", n), n);
  if (number == 1)
    /* Translators: which episodes of a series are downloaded by themselves */
    return g_strdup (_("The next episode"));

  /* Translators: which episodes of a series are downloaded by themselves; %u is how many */
  return g_strdup_printf (ngettext ("The %'u next episode", "The %'u next episodes", n), n);
}

/* @choice: the name of one of the choices
 * Returns: (transfer full): the number in words */
static char *
describe_number (EarChoiceRow *self, const char *choice, int number)
{
  g_autofree char *text = NULL;

  if (number != INHERIT)
    return describe (choice, number);
  text = describe (choice, self->default_number);

  /* Translators: a setting of one podcast; %s is the setting of all podcasts without one of their
   * own, as in “Every hour” or “Off” */
  return g_strdup_printf (_("Default (%s)"), text);
}

static void
fill (EarChoiceRow *self)
{
  g_autoptr (GtkStringList) texts = gtk_string_list_new (NULL);
  const int inherit = INHERIT;
  const Choice *choice = choices;
  guint selected = 0;

  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (g_strcmp0 (self->choice, choices[i].name) == 0)
      choice = &choices[i];
  g_array_set_size (self->numbers, 0);
  if (self->default_number != INHERIT)
    g_array_append_val (self->numbers, inherit);
  g_array_append_vals (self->numbers, choice->numbers, choice->n_numbers);
  while (selected < self->numbers->len &&
         g_array_index (self->numbers, int, selected) != self->number)
    selected++;
  if (selected == self->numbers->len)
    g_array_append_val (self->numbers, self->number);
  for (guint i = 0; i < self->numbers->len; i++)
    gtk_string_list_take (
        texts, describe_number (self, choice->name, g_array_index (self->numbers, int, i)));
  self->filling = TRUE;
  adw_combo_row_set_model (ADW_COMBO_ROW (self), G_LIST_MODEL (texts));
  adw_combo_row_set_selected (ADW_COMBO_ROW (self), selected);
  self->filling = FALSE;
}

static void
selected_cb (EarChoiceRow *self)
{
  const guint selected = adw_combo_row_get_selected (ADW_COMBO_ROW (self));
  int number;

  if (self->filling || selected >= self->numbers->len)
    return;
  number = g_array_index (self->numbers, int, selected);
  if (number == self->number)
    return;

  self->number = number;
  g_object_notify (G_OBJECT (self), "number");
}

static void
ear_choice_row_finalize (GObject *object)
{
  EarChoiceRow *self = EAR_CHOICE_ROW (object);

  g_array_unref (self->numbers);
  g_free (self->choice);

  G_OBJECT_CLASS (ear_choice_row_parent_class)->finalize (object);
}

static void
ear_choice_row_class_init (EarChoiceRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* The name of one of the choices above */
    { "choice", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarChoiceRow, choice),
      .changed = G_CALLBACK (fill) },
    /* The chosen number; -1: the default */
    { .spec = g_param_spec_int ("number", NULL, NULL, INHERIT, G_MAXINT, 0, G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarChoiceRow, number), .changed = G_CALLBACK (fill) },
    /* The number of all podcasts; -1 where there is no such choice */
    { .spec = g_param_spec_int ("default-number", NULL, NULL, INHERIT, G_MAXINT, INHERIT,
                                G_PARAM_READWRITE),
      .offset = G_STRUCT_OFFSET (EarChoiceRow, default_number), .changed = G_CALLBACK (fill) },
  };

  object_class->finalize = ear_choice_row_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_choice_row_init (EarChoiceRow *self)
{
  self->numbers = g_array_new (FALSE, FALSE, sizeof (int));
  self->default_number = INHERIT;
  fill (self);
  g_signal_connect (self, "notify::selected", G_CALLBACK (selected_cb), NULL);
}

/* Returns: the property of a row of settings that is bound to the setting */
const char *
ear_setting_row_get_property (gpointer row)
{
  if (EAR_IS_CHOICE_ROW (row))
    return "number";

  return GTK_IS_SPIN_BUTTON (row) ? "value" : "active";
}
