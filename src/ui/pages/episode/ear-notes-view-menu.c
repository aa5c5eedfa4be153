/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-notes-view-private.h"

#include <string.h>

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-link.h"
#include "ear-link-address.h"
#include "ear-notes-markup.h"
#include "ear-notes-widgets.h"

/* What can be done with notes: copying what is selected, and following, copying and starring a link. */

/* --- Copying ----------------------------------------------------------------------------- */

static EarNotesRange
get_everything (EarNotesView *self)
{
  return (EarNotesRange) { { 0, 0 }, { self->notes->blocks->len, 0 } };
}

static void
put_on_clipboard (EarNotesView *self, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.notify", "s", _("Copied"));
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);
  EarNotesRange range;
  g_autofree char *text = NULL;

  if (!ear_notes_view_get_selection (self, &range))
    return;
  text = ear_notes_copy_text (self->notes, &range);
  put_on_clipboard (self, text);
}

static void
copy_markdown (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);
  EarNotesRange range;
  g_autofree char *text = NULL;

  if (self->notes == NULL)
    return;
  if (!ear_notes_view_get_selection (self, &range))
    range = get_everything (self);
  text = ear_notes_copy_markdown (self->notes, &range);
  put_on_clipboard (self, text);
}

static void
select_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);

  if (self->notes == NULL)
    return;
  ear_notes_view_clear_labels (self);
  ear_notes_view_select (self, get_everything (self).start, get_everything (self).end);
}

/* --- Links ------------------------------------------------------------------------------- */

static void
open_link (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_notes_view_follow (EAR_NOTES_VIEW (widget), EAR_NOTES_VIEW (widget)->link);
}

static void
copy_link (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);

  if (self->link != NULL)
    put_on_clipboard (self, g_str_has_prefix (self->link, "mailto:") ? self->link + strlen ("mailto:") : self->link);
}

/* Returns: (transfer full) (nullable): the link as the reading list has it; %NULL where it leads to no page, or to another episode */
static EarLink *
dup_reading_link (EarNotesView *self)
{
  g_autofree char *address = self->link != NULL && self->library != NULL ? ear_link_address_dup_clean (self->link) : NULL;
  g_autoptr (EarLink) bare = NULL;
  g_autoptr (GPtrArray) links = NULL;

  if (address == NULL)
    return NULL;
  bare = ear_link_new (address, NULL, NULL, ear_link_kind_find (address));
  links = ear_links_of_notes (self->notes);
  for (guint i = 0; i < links->len; i++)
    {
      EarLink *link = g_ptr_array_index (links, i);

      if (g_str_equal (ear_link_get_key (link), ear_link_get_key (bare)))
        return g_object_ref (link);
    }

  return g_steal_pointer (&bare);
}

static void
star_link (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);
  g_autoptr (EarLink) link = dup_reading_link (self);

  if (link != NULL)
    ear_reading_list_set (ear_library_get_reading_list (self->library), link, EAR_LINK_STARRED, g_str_equal (name, "notes.star-link"));
}

/* The link that is at a place */
static char *
dup_link_at (EarNotesView *self, EarNotesPlace place)
{
  const EarNotesBlock *block = g_ptr_array_index (self->notes->blocks, place.block);
  gsize start = 0;

  for (guint i = 0; i < block->spans->len; i++)
    {
      const EarNotesSpan *span = g_ptr_array_index (block->spans, i);

      start += strlen (span->text);
      if (place.offset < start || block->type == EAR_NOTES_IMAGE)
        return span->time >= 0 ? ear_address_with_time (self->place, span->time) : g_strdup (span->link);
    }

  return NULL;
}

/* --- The menu ---------------------------------------------------------------------------- */

static void
update_actions (EarNotesView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  EarNotesRange range;
  gint64 time;
  const gboolean is_time = ear_notes_seek_address (self->link, self->place, &time);
  g_autoptr (EarLink) link = is_time ? NULL : dup_reading_link (self);
  const gboolean is_starred = link != NULL && ear_reading_list_has (ear_library_get_reading_list (self->library), link, EAR_LINK_STARRED);

  gtk_widget_action_set_enabled (widget, "notes.play-link", is_time);
  gtk_widget_action_set_enabled (widget, "notes.open-link", self->link != NULL && !is_time);
  gtk_widget_action_set_enabled (widget, "notes.copy-link", self->link != NULL && *self->link != '#');
  gtk_widget_action_set_enabled (widget, "notes.star-link", link != NULL && !is_starred);
  gtk_widget_action_set_enabled (widget, "notes.unstar-link", is_starred);
  gtk_widget_action_set_enabled (widget, "notes.copy", ear_notes_view_get_selection (self, &range));
}

/* Keys copy what is selected when they are pressed. */
static void
menu_closed_cb (EarNotesView *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "notes.copy", TRUE);
}

static void
open_menu (EarNotesView *self, double x, double y)
{
  const GdkRectangle place = { (int) x, (int) y, 1, 1 };

  update_actions (self);
  if (self->menu == NULL)
    {
      g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-notes-menu.ui");

      self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (gtk_builder_get_object (builder, "menu")));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      g_signal_connect_object (self->menu, "closed", G_CALLBACK (menu_closed_cb), self, G_CONNECT_SWAPPED);
      gtk_widget_insert_after (self->menu, GTK_WIDGET (self), NULL);
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &place);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
open_menu_at (EarNotesView *self, double x, double y)
{
  EarNotesPlace place;

  if (self->notes == NULL || self->notes->blocks->len == 0)
    return;
  g_free (self->link);
  self->link = ear_notes_view_find_place (self, x, y, TRUE, &place) ? dup_link_at (self, place) : NULL;
  open_menu (self, x, y);
}

/* The labels have a menu of their own, for one paragraph. */
static void
right_pressed_cb (EarNotesView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu_at (self, x, y);
}

static void
long_pressed_cb (EarNotesView *self, double x, double y, GtkGesture *gesture)
{
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  open_menu_at (self, x, y);
}

/* Of the link, or the paragraph, that has the focus, or of all of the notes */
static void
menu (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarNotesView *self = EAR_NOTES_VIEW (widget);
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));
  const gboolean in_label = focus != NULL && GTK_IS_LABEL (focus) && gtk_widget_is_ancestor (focus, widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget), 0);

  if (self->notes == NULL || (in_label && !gtk_widget_compute_bounds (focus, widget, &bounds)))
    return;
  g_set_str (&self->link, in_label ? gtk_label_get_current_uri (GTK_LABEL (focus)) : NULL);
  open_menu (self, (double) (bounds.origin.x + bounds.size.width / 2), (double) (bounds.origin.y + bounds.size.height));
}

static void
add_gesture (EarNotesView *self, GtkGesture *gesture, const char *signal, GCallback callback)
{
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (gesture), GTK_PHASE_CAPTURE);
  g_signal_connect_object (gesture, signal, callback, self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
}

/* The labels' own keys are for one paragraph. */
static void
add_keys (EarNotesView *self)
{
  static const struct
  {
    const char *key;
    const char *action;
  } keys[] = {
    { "<Control>c|<Control>Insert", "action(notes.copy)" },
    { "<Control><Alt>c", "action(notes.copy-markdown)" },
    { "<Control>a", "action(notes.select-all)" },
    { "Menu|<Shift>F10", "action(notes.menu)" },
  };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
                                          gtk_shortcut_new (gtk_shortcut_trigger_parse_string (keys[i].key),
                                                            gtk_shortcut_action_parse_string (keys[i].action)));
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

void
ear_notes_view_init_menu (EarNotesView *self)
{
  GtkGesture *click = g_object_new (GTK_TYPE_GESTURE_CLICK, "button", GDK_BUTTON_SECONDARY, NULL);
  GtkGesture *press = g_object_new (GTK_TYPE_GESTURE_LONG_PRESS, "touch-only", TRUE, NULL);

  add_gesture (self, click, "pressed", G_CALLBACK (right_pressed_cb));
  add_gesture (self, press, "pressed", G_CALLBACK (long_pressed_cb));
  add_keys (self);
}

void
ear_notes_view_bind_menu (EarNotesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_install_action (widget_class, "notes.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "notes.copy-markdown", NULL, copy_markdown);
  gtk_widget_class_install_action (widget_class, "notes.select-all", NULL, select_all);
  gtk_widget_class_install_action (widget_class, "notes.play-link", NULL, open_link);
  gtk_widget_class_install_action (widget_class, "notes.open-link", NULL, open_link);
  gtk_widget_class_install_action (widget_class, "notes.copy-link", NULL, copy_link);
  gtk_widget_class_install_action (widget_class, "notes.star-link", NULL, star_link);
  gtk_widget_class_install_action (widget_class, "notes.unstar-link", NULL, star_link);
  gtk_widget_class_install_action (widget_class, "notes.menu", NULL, menu);
}
