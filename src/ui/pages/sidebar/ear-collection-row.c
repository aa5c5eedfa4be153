/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-collection-row.h"

#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-text-layout.h"

/**
 * EarCollectionRow:
 *
 * A view or a podcast in the sidebar: icon or cover, title, how many episodes wait there.
 */
struct _EarCollectionRow
{
  GtkWidget parent_instance;

  /* Template children */
  GtkWidget *content; /* bound, so that disposing of the template takes it away */
  GtkWidget *count;

  /* Owned */
  EarCollection *collection;
  char *spoken;
};

G_DEFINE_FINAL_TYPE (EarCollectionRow, ear_collection_row, GTK_TYPE_WIDGET)

typedef enum
{
  PROP_COLLECTION = 1,
  PROP_SPOKEN,
} EarCollectionRowProperty;

static GParamSpec *props[PROP_SPOKEN + 1];

/* The count changes with every batch of a refresh, and a tooltip that is set makes GTK ask
 * the display where the pointer is: it is told when it is wanted instead. */
static gboolean
ear_collection_row_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  EarCollectionRow *self = EAR_COLLECTION_ROW (widget);
  g_autofree char *text = NULL;
  guint count;

  if (keyboard || self->collection == NULL || gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT) != self->count)
    return FALSE;

  g_object_get (self->collection, "count", &count, NULL);
  text = ear_closure_collection_count (NULL, ear_collection_get_podcast (self->collection) != NULL, count);
  gtk_tooltip_set_text (tooltip, text);

  return TRUE;
}

static void
ear_collection_row_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarCollectionRow *self = EAR_COLLECTION_ROW (object);

  switch ((EarCollectionRowProperty) property_id)
    {
    case PROP_COLLECTION:
      g_value_set_object (value, self->collection);
      break;
    case PROP_SPOKEN:
      g_value_set_string (value, self->spoken);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_collection_row_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarCollectionRow *self = EAR_COLLECTION_ROW (object);

  switch ((EarCollectionRowProperty) property_id)
    {
    case PROP_COLLECTION:
      if (g_set_object (&self->collection, g_value_get_object (value)))
        g_object_notify_by_pspec (object, pspec);
      break;
    case PROP_SPOKEN:
      if (g_set_str (&self->spoken, g_value_get_string (value)))
        g_object_notify_by_pspec (object, pspec);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_collection_row_dispose (GObject *object)
{
  EarCollectionRow *self = EAR_COLLECTION_ROW (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_COLLECTION_ROW);
  g_clear_object (&self->collection);

  G_OBJECT_CLASS (ear_collection_row_parent_class)->dispose (object);
}

static void
ear_collection_row_finalize (GObject *object)
{
  g_clear_pointer (&EAR_COLLECTION_ROW (object)->spoken, g_free);

  G_OBJECT_CLASS (ear_collection_row_parent_class)->finalize (object);
}

static void
ear_collection_row_class_init (EarCollectionRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_collection_row_get_property;
  object_class->set_property = ear_collection_row_set_property;
  object_class->dispose = ear_collection_row_dispose;
  object_class->finalize = ear_collection_row_finalize;
  widget_class->query_tooltip = ear_collection_row_query_tooltip;

  /**
   * EarCollectionRow:collection:
   *
   * What the row shows.
   */
  props[PROP_COLLECTION] = g_param_spec_object ("collection", NULL, NULL, EAR_TYPE_COLLECTION, flags);
  /**
   * EarCollectionRow:spoken:
   *
   * The row as a screen reader says it; computed by the template.
   */
  props[PROP_SPOKEN] = g_param_spec_string ("spoken", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  g_type_ensure (EAR_TYPE_COVER_IMAGE);
  g_type_ensure (EAR_TYPE_TEXT_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-collection-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarCollectionRow, content);
  gtk_widget_class_bind_template_child (widget_class, EarCollectionRow, count);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  ear_closures_bind (widget_class);
}

static void
ear_collection_row_init (EarCollectionRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
