/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-collection-row.h"

#include "ear-closures.h"
#include "ear-cover-image.h"
#include "ear-row-action.h"
#include "ear-text-layout.h"

/**
 * EarCollectionRow:
 *
 * A view or a podcast in the sidebar: icon or cover, title, how many episodes wait there.
 *
 * A list view keeps some two hundred rows, so one handler fills the row instead of a binding
 * for each of its widgets.
 */
struct _EarCollectionRow
{
  GtkWidget parent_instance;

  /* Template children */
  GtkLabel *title;

  /* Borrowed: children, each made for the first collection that needs it */
  GtkWidget *icon;
  GtkWidget *cover;
  GtkWidget *count;

  /* Owned */
  EarCollection *collection;
  GSignalGroup *signals;
  GSignalGroup *podcast_signals;
  char *spoken;
};

G_DEFINE_FINAL_TYPE (EarCollectionRow, ear_collection_row, GTK_TYPE_WIDGET)

typedef enum
{
  PROP_COLLECTION = 1,
  PROP_SPOKEN,
} EarCollectionRowProperty;

static GParamSpec *props[PROP_SPOKEN + 1];

static void
update_icon (EarCollectionRow *self, EarPodcast *podcast)
{
  if (self->icon == NULL && podcast == NULL)
    {
      self->icon = g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, "width-request", 36, NULL);
      gtk_widget_insert_before (self->icon, GTK_WIDGET (self), GTK_WIDGET (self->title));
    }
  if (self->icon == NULL)
    return;

  gtk_widget_set_visible (self->icon, podcast == NULL);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), ear_collection_get_icon_name (self->collection));
}

static void
update_cover (EarCollectionRow *self, EarPodcast *podcast)
{
  if (self->cover == NULL && podcast != NULL)
    {
      self->cover = g_object_new (EAR_TYPE_COVER_IMAGE,
                                  "size", 36,
                                  "valign", GTK_ALIGN_CENTER,
                                  "margin-top", 6,
                                  "margin-bottom", 6,
                                  NULL);
      gtk_widget_insert_before (self->cover, GTK_WIDGET (self), GTK_WIDGET (self->title));
    }
  if (self->cover == NULL)
    return;

  gtk_widget_set_visible (self->cover, podcast != NULL);
  if (podcast != NULL)
    g_object_set (self->cover,
                  "title", ear_podcast_get_name (podcast),
                  "address", ear_podcast_get_facts (podcast)->image,
                  NULL);
}

static void
update_count (EarCollectionRow *self)
{
  const guint count = ear_collection_get_count (self->collection);
  g_autofree char *text = ear_closure_count (NULL, count);

  if (self->count == NULL && count > 0)
    {
      self->count = g_object_new (GTK_TYPE_LABEL,
                                  "css-classes", (const char *[]) { "dimmed", "numeric", "caption", NULL },
                                  "valign", GTK_ALIGN_CENTER,
                                  NULL);
      gtk_widget_insert_before (self->count, GTK_WIDGET (self), NULL);
    }
  if (self->count == NULL)
    return;

  gtk_widget_set_visible (self->count, count > 0);
  gtk_label_set_label (GTK_LABEL (self->count), text);
}

static void
update_spoken (EarCollectionRow *self)
{
  g_autofree char *spoken = ear_closure_collection_spoken (NULL, ear_collection_get_podcast (self->collection) != NULL,
                                                           ear_collection_get_title (self->collection), ear_collection_get_count (self->collection));

  if (g_set_str (&self->spoken, spoken))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SPOKEN]);
}

static void
update_all (EarCollectionRow *self)
{
  update_cover (self, ear_collection_get_podcast (self->collection));
  gtk_label_set_label (self->title, ear_collection_get_title (self->collection));
  update_count (self);
  update_spoken (self);
}

static void
set_collection (EarCollectionRow *self, EarCollection *collection)
{
  if (!g_set_object (&self->collection, collection))
    return;

  g_signal_group_set_target (self->signals, collection);
  g_signal_group_set_target (self->podcast_signals, collection != NULL ? ear_collection_get_podcast (collection) : NULL);
  if (collection != NULL)
    {
      update_icon (self, ear_collection_get_podcast (collection));
      update_all (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COLLECTION]);
}

/* The count changes with every batch of a refresh, and a tooltip that is set makes GTK ask
 * the display where the pointer is: it is told when it is wanted instead. */
static gboolean
ear_collection_row_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  EarCollectionRow *self = EAR_COLLECTION_ROW (widget);
  GtkWidget *at = keyboard || self->collection == NULL ? NULL : gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT);
  g_autofree char *text = NULL;

  if (at == NULL || at != self->count)
    return FALSE;

  text = ear_closure_collection_count (NULL, ear_collection_get_podcast (self->collection) != NULL, ear_collection_get_count (self->collection));
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

  switch (property_id)
    {
    case PROP_COLLECTION:
      set_collection (self, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_collection_row_dispose (GObject *object)
{
  EarCollectionRow *self = EAR_COLLECTION_ROW (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->podcast_signals);
  g_clear_pointer (&self->icon, gtk_widget_unparent);
  g_clear_pointer (&self->cover, gtk_widget_unparent);
  g_clear_pointer (&self->count, gtk_widget_unparent);
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
  props[PROP_COLLECTION] =
    g_param_spec_object ("collection", NULL, NULL, EAR_TYPE_COLLECTION,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarCollectionRow:spoken:
   *
   * The row as a screen reader says it.
   */
  props[PROP_SPOKEN] =
    g_param_spec_string ("spoken", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);

  g_type_ensure (EAR_TYPE_TEXT_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-collection-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarCollectionRow, title);
  ear_row_action_install (widget_class);
  ear_row_action_install_menu (widget_class);
}

static void
ear_collection_row_init (EarCollectionRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->signals = g_signal_group_new (EAR_TYPE_COLLECTION);
  g_signal_group_connect_swapped (self->signals, "notify", G_CALLBACK (update_all), self);
  self->podcast_signals = g_signal_group_new (EAR_TYPE_PODCAST);
  g_signal_group_connect_swapped (self->podcast_signals, "notify::image", G_CALLBACK (update_all), self);
}

/**
 * ear_collection_row_get_collection:
 * @self: a row
 *
 * Returns: (transfer none) (nullable): the value of [property@EarCollectionRow:collection]
 */
EarCollection *
ear_collection_row_get_collection (EarCollectionRow *self)
{
  g_return_val_if_fail (EAR_IS_COLLECTION_ROW (self), NULL);

  return self->collection;
}
