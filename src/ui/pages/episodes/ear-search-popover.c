/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view.h"

#include "ear-property.h"
#include "ear-search-filter.h"
#include "ear-widget.h"

/**
 * EarSearchPopover:
 *
 * Proposes filters and their values below the search entry, as continuations of the text.
 * The entry keeps the focus and forwards its keys.
 */
struct _EarSearchPopover
{
  GtkPopover parent_instance;

  /* Template children */
  GtkSingleSelection *selection;

  /* Owned */
  EarLibrary *library; /* (nullable) */
  GtkWidget *entry;    /* a sibling in the same box */
  gboolean taking;     /* the accepted proposal is being written into the entry */
};

G_DEFINE_FINAL_TYPE (EarSearchPopover, ear_search_popover, GTK_TYPE_POPOVER)

static EarSearchProposal *
get_chosen (EarSearchPopover *self)
{
  return gtk_single_selection_get_selected_item (self->selection);
}

/* Opens below the entry, as wide as the proposals, while it has the focus. */
static void
propose (EarSearchPopover *self)
{
  GtkEditable *editable = GTK_EDITABLE (self->entry);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GListStore) proposals = ear_search_proposals_create (
      gtk_editable_get_text (editable), gtk_editable_get_position (editable),
      ear_library_get_podcasts (self->library),
      ear_lists_get_all (ear_library_get_lists (self->library)), g_date_time_get_year (now));
  const GtkStateFlags flags = gtk_widget_get_state_flags (self->entry);
  graphene_rect_t bounds;

  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (proposals));
  if (g_list_model_get_n_items (G_LIST_MODEL (proposals)) == 0 ||
      (flags & GTK_STATE_FLAG_FOCUS_WITHIN) == 0)
    {
      gtk_popover_popdown (GTK_POPOVER (self));
      return;
    }
  if (gtk_widget_compute_bounds (self->entry, gtk_widget_get_parent (GTK_WIDGET (self)), &bounds))
    gtk_popover_set_pointing_to (
        GTK_POPOVER (self), &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y,
                                             (int) bounds.size.width, (int) bounds.size.height });
  gtk_popover_popup (GTK_POPOVER (self));
}

static void
take (EarSearchPopover *self, EarSearchProposal *proposal)
{
  g_autofree char *text = NULL;
  int position;

  text = ear_search_proposal_apply (proposal, gtk_editable_get_text (GTK_EDITABLE (self->entry)),
                                    &position);
  self->taking = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), position);
  self->taking = FALSE;
  /* The values of a filter follow its name. */
  propose (self);
}

static void
activated_cb (EarSearchPopover *self, guint position)
{
  g_autoptr (EarSearchProposal) proposal =
      g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (proposal != NULL)
    take (self, proposal);
}

/* Chooses the next or the previous proposal; above the first one, none. */
static void
choose (EarSearchPopover *self, gboolean down)
{
  const guint n_items = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  const guint selected = gtk_single_selection_get_selected (self->selection);
  guint next = GTK_INVALID_LIST_POSITION;

  if (down)
    next = selected == GTK_INVALID_LIST_POSITION ? 0 : MIN (selected + 1, n_items - 1);
  else if (selected != GTK_INVALID_LIST_POSITION && selected > 0)
    next = selected - 1;
  gtk_single_selection_set_selected (self->selection, next);
  if (get_chosen (self) != NULL && next != selected)
    gtk_accessible_announce (GTK_ACCESSIBLE (self->entry),
                             ear_search_proposal_get_label (get_chosen (self)),
                             GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

static void
ear_search_popover_dispose (GObject *object)
{
  ear_properties_clear (object);

  G_OBJECT_CLASS (ear_search_popover_parent_class)->dispose (object);
}

static void
ear_search_popover_class_init (EarSearchPopoverClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSearchPopover, library) },
    /* The entry that is typed into */
    { "entry", GTK_TYPE_WIDGET, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarSearchPopover, entry) },
  };

  object_class->dispose = ear_search_popover_dispose;

  g_type_ensure (EAR_TYPE_SEARCH_PROPOSAL);
  ear_widget_set_template (widget_class, "ear-search-popover");
  gtk_widget_class_bind_template_child (widget_class, EarSearchPopover, selection);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_search_popover_init (EarSearchPopover *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Proposes continuations of the text in the entry, which has changed. */
void
ear_search_popover_update (EarSearchPopover *self)
{
  if (!self->taking && self->library != NULL && gtk_widget_get_mapped (self->entry))
    propose (self);
}

/* Writes the chosen proposal into the entry.
 * Returns: whether one was chosen */
gboolean
ear_search_popover_take_chosen (EarSearchPopover *self)
{
  g_autoptr (EarSearchProposal) proposal = NULL;

  if (!gtk_widget_get_visible (GTK_WIDGET (self)) || !g_set_object (&proposal, get_chosen (self)))
    return FALSE;
  take (self, proposal);

  return TRUE;
}

/* The arrows choose, Tab accepts the chosen proposal or the first, Escape closes.
 * Returns: whether the popover handled the key of the entry */
gboolean
ear_search_popover_take_key (EarSearchPopover *self, guint keyval, GdkModifierType state)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (self)) ||
      (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return FALSE;

  switch (keyval)
    {
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      choose (self, TRUE);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      choose (self, FALSE);
      return TRUE;
    case GDK_KEY_Tab:
    case GDK_KEY_KP_Tab:
      if (get_chosen (self) == NULL)
        choose (self, TRUE);
      return ear_search_popover_take_chosen (self);
    case GDK_KEY_Escape:
      gtk_popover_popdown (GTK_POPOVER (self));
      return TRUE;
    default:
      return FALSE;
    }
}
