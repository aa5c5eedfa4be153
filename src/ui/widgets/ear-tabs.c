/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-tabs.h"

#include "ear-property.h"

/**
 * EarTabs:
 *
 * A stack of pages (notes, chapters, transcript) below a switcher. In a template, its
 * children are AdwViewStackPages with names. The first page is always visible, and the
 * others while they have content; a single page has no switcher.
 *
 * The page that the listener chose is shown whenever it is visible, and the first one
 * otherwise, until the listener chooses another.
 */
struct _EarTabs
{
  GtkWidget parent_instance;

  /* Template children */
  GtkWidget *switcher;
  AdwViewStack *stack;

  /* Owned */
  char *chosen; /* (nullable) */
  gboolean centered;
};

static void ear_tabs_buildable_init (GtkBuildableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (EarTabs, ear_tabs, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, ear_tabs_buildable_init))

static GtkBuildableIface *parent_buildable;

/* @name: (nullable):
 * Returns: (nullable): the page, if it is visible */
static GtkWidget *
find_page (EarTabs *self, const char *name)
{
  GtkWidget *child = name != NULL ? adw_view_stack_get_child_by_name (self->stack, name) : NULL;
  AdwViewStackPage *page = child != NULL ? adw_view_stack_get_page (self->stack, child) : NULL;

  return page != NULL && adw_view_stack_page_get_visible (page) ? child : NULL;
}

static void
update (EarTabs *self)
{
  g_autoptr (GListModel) pages = G_LIST_MODEL (adw_view_stack_get_pages (self->stack));
  GtkWidget *child = find_page (self, self->chosen);
  guint n_visible = 0;

  for (guint i = 0; i < g_list_model_get_n_items (pages); i++)
    {
      g_autoptr (AdwViewStackPage) page = g_list_model_get_item (pages, i);

      n_visible += adw_view_stack_page_get_visible (page);
    }
  gtk_widget_set_visible (self->switcher, n_visible > 1);
  if (child != NULL)
    adw_view_stack_set_visible_child (self->stack, child);
}

/* The stack itself shows the first page when the chosen one becomes invisible. */
static void
shown_changed_cb (EarTabs *self)
{
  GtkWidget *shown = adw_view_stack_get_visible_child (self->stack);

  if (shown == NULL || (shown == gtk_widget_get_first_child (GTK_WIDGET (self->stack)) &&
                        find_page (self, self->chosen) == NULL))
    return;

  ear_property_set_string (self, "chosen", adw_view_stack_get_visible_child_name (self->stack));
}

static void
chosen_changed_cb (EarTabs *self)
{
  if (self->stack != NULL)
    update (self);
}

static void
centered_changed_cb (EarTabs *self)
{
  gtk_widget_set_halign (self->switcher, self->centered ? GTK_ALIGN_CENTER : GTK_ALIGN_START);
}

static void
ear_tabs_add_child (GtkBuildable *buildable, GtkBuilder *builder, GObject *child, const char *type)
{
  EarTabs *self = EAR_TABS (buildable);
  GtkBuildable *stack;

  if (!ADW_IS_VIEW_STACK_PAGE (child))
    {
      parent_buildable->add_child (buildable, builder, child, type);
      return;
    }

  stack = GTK_BUILDABLE (self->stack);
  GTK_BUILDABLE_GET_IFACE (stack)->add_child (stack, builder, child, type);
  g_signal_connect_object (child, "notify::visible", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  update (self);
}

static void
ear_tabs_buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = ear_tabs_add_child;
}

static void
ear_tabs_dispose (GObject *object)
{
  EarTabs *self = EAR_TABS (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_TABS);
  g_clear_pointer (&self->chosen, g_free);

  G_OBJECT_CLASS (ear_tabs_parent_class)->dispose (object);
}

static void
ear_tabs_class_init (EarTabsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Name of the page that the listener chose, visible or not */
    { "chosen", G_TYPE_STRING, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTabs, chosen),
      .changed = G_CALLBACK (chosen_changed_cb) },
    /* Whether the switcher is in the middle */
    { "centered", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarTabs, centered),
      .changed = G_CALLBACK (centered_changed_cb) },
  };

  object_class->dispose = ear_tabs_dispose;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-tabs.ui");
  gtk_widget_class_set_css_name (widget_class, "tabs");
  gtk_widget_class_bind_template_child (widget_class, EarTabs, switcher);
  gtk_widget_class_bind_template_child (widget_class, EarTabs, stack);
  gtk_widget_class_bind_template_callback (widget_class, shown_changed_cb);
}

static void
ear_tabs_init (EarTabs *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * ear_tabs_move:
 * @step: 1 for the next page, -1 for the previous one; wraps around
 */
void
ear_tabs_move (EarTabs *self, int step)
{
  g_autoptr (GListModel) pages = G_LIST_MODEL (adw_view_stack_get_pages (self->stack));
  const int n_pages = (int) g_list_model_get_n_items (pages);
  int at = 0;

  g_return_if_fail (EAR_IS_TABS (self));

  while (at < n_pages &&
         !gtk_selection_model_is_selected (GTK_SELECTION_MODEL (pages), (guint) at))
    at++;
  /* There may be no visible page. */
  for (int i = 0; i < n_pages; i++)
    {
      g_autoptr (AdwViewStackPage) page = NULL;

      at = (at + n_pages + step) % n_pages;
      page = g_list_model_get_item (pages, (guint) at);
      if (adw_view_stack_page_get_visible (page))
        {
          ear_property_set_string (self, "chosen", adw_view_stack_page_get_name (page));
          return;
        }
    }
}
