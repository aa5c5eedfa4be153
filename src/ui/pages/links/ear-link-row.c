/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-links.h"

#include <glib/gi18n.h>

#include "ear-bookmark-export.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-share.h"
#include "ear-widget.h"

/**
 * EarLinkRow:
 *
 * A link with its star and menu, in Saved or on the page of an episode, where the row
 * does not name the episode. Unread links are bold.
 */
struct _EarLinkRow
{
  EarItemRow parent_instance;

  /* Owned */
  EarReadingList *reading_list;
  EarLink *link; /* (nullable) */

  gboolean within; /* the page of the episode */
  gboolean read;
  gboolean starred;
};

G_DEFINE_FINAL_TYPE (EarLinkRow, ear_link_row, EAR_TYPE_ITEM_ROW)

static const struct
{
  const char *one;
  const char *all;
} kinds[EAR_N_LINK_KINDS] = {
  [EAR_LINK_OTHER] = { NULL, NC_("links", "Other") },
  [EAR_LINK_PULL_REQUEST] = { NC_("links", "Pull request"), NC_("links", "Pull Requests") },
  [EAR_LINK_ISSUE] = { NC_("links", "Issue"), NC_("links", "Issues") },
  [EAR_LINK_SOURCE] = { NC_("links", "Source code"), NC_("links", "Source Code") },
  [EAR_LINK_PAPER] = { NC_("links", "Paper"), NC_("links", "Papers") },
  [EAR_LINK_DOCUMENTATION] = { NC_("links", "Documentation"), NC_("links", "Documentation") },
  [EAR_LINK_BLOG] = { NC_("links", "Blog"), NC_("links", "Blogs") },
};

/* Returns: the word for links of the kind */
const char *
ear_link_kind_text_plural (EarLinkKind kind)
{
  return g_dpgettext2 (NULL, "links", kinds[kind].all);
}

static gboolean
has (EarLinkRow *self, EarLinkMark mark)
{
  return ear_reading_list_has (self->reading_list, self->link, mark);
}

static void
read_changed_cb (EarLinkRow *self)
{
  if (self->link != NULL && has (self, EAR_LINK_READ) != self->read)
    ear_reading_list_set (self->reading_list, self->link, EAR_LINK_READ, self->read);
}

static void
starred_changed_cb (EarLinkRow *self)
{
  if (self->link != NULL && has (self, EAR_LINK_STARRED) != self->starred)
    ear_reading_list_set (self->reading_list, self->link, EAR_LINK_STARRED, self->starred);
}

/* Returns: (transfer full): its kind, its host, and its heading in the notes */
static char *
format_detail (EarLink *link)
{
  const EarLinkKind kind = link->kind;
  const char *one = kinds[kind].one != NULL ? g_dpgettext2 (NULL, "links", kinds[kind].one) : NULL;

  return ear_format_join (one, link->host, link->heading);
}

/* Returns: (transfer full): the episodes that link to it */
static char *
format_source (EarLink *link)
{
  const guint n = link->n_episodes;
  /* Translators: in how many episodes something is linked to */
  g_autofree char *count =
    n > 1 ? g_strdup_printf (ngettext ("In %'u episode", "In %'u episodes", n), n) : NULL;

  return ear_format_join (count, link->title, link->podcast);
}

static void
update (EarLinkRow *self)
{
  const char *words = self->link != NULL ? self->link->words : NULL;
  g_autofree char *detail = NULL;
  g_autofree char *source = NULL;
  g_autofree char *name = NULL;

  if (self->link == NULL)
    return;
  ear_property_set_boolean (self, "read", has (self, EAR_LINK_READ));
  ear_property_set_boolean (self, "starred", has (self, EAR_LINK_STARRED));
  detail = format_detail (self->link);
  source = self->within ? NULL : format_source (self->link);
  ear_set_css_class (GTK_WIDGET (self), "unread", !self->read);
  name = ear_format_speak (words,
                           self->read ? C_("spoken link", "Read") : C_("spoken link", "Unread"),
                           self->starred ? C_("spoken link", "Starred") : NULL, detail, source);
  ear_item_row_set_texts (EAR_ITEM_ROW (self), words, detail, source, name);
}

/* --- Actions ------------------------------------------------------------------------ */

static void
open_link (EarLinkRow *self)
{
  ear_open_address (GTK_WIDGET (self), self->link->address);
  ear_reading_list_open (self->reading_list, self->link);
}

static void
copy (EarLinkRow *self, const char *name)
{
  g_autofree char *text = g_str_equal (name, "link.copy")
                          ? g_strdup (self->link->address)
                          : ear_link_dup_markdown (self->link);

  ear_copy_text (GTK_WIDGET (self), text);
}

static void
show_episode (EarLinkRow *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "app.show-episode", "s", self->link->episode);
}

/* Keys of an episode, and the actions on a link that they run */
static const struct
{
  guint key;
  GdkModifierType modifiers;
  const char *of_episode; /* an action of the window, which has its keys before anything else */
  const char *of_link;
} keys[] = {
  { GDK_KEY_l, GDK_CONTROL_MASK, "toggle-listened", "link.read" },
  { GDK_KEY_d, GDK_CONTROL_MASK, "toggle-liked", "link.starred" },
  { GDK_KEY_b, GDK_CONTROL_MASK, "open-link", "link.open" },
  { GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "copy-link", "link.copy" },
};

/* Adds the keys that the window has only while it shows an episode, and
 * those of the menu. */
void
ear_link_row_add_keys (GtkWidgetClass *widget_class)
{
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    ear_item_row_add_key (widget_class, keys[i].key, keys[i].modifiers, keys[i].of_link);
  ear_item_row_add_key (widget_class, GDK_KEY_Menu, 0, "row.menu");
  ear_item_row_add_key (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "row.menu");
}

/* Runs the key of an episode on the focused link.
 * @action: the action on an episode
 * Returns: whether a link has the focus */
gboolean
ear_link_row_take_action (GtkWidget *area, const char *action)
{
  GtkWidget *row = ear_row_with_focus (area, EAR_TYPE_LINK_ROW);

  for (gsize i = 0; row != NULL && i < G_N_ELEMENTS (keys); i++)
    if (g_str_equal (keys[i].of_episode, action))
      return gtk_widget_activate_action (row, keys[i].of_link, NULL);

  return FALSE;
}

static void
ear_link_row_dispose (GObject *object)
{
  EarLinkRow *self = EAR_LINK_ROW (object);

  ear_properties_clear (self);
  g_clear_object (&self->reading_list);

  G_OBJECT_CLASS (ear_link_row_parent_class)->dispose (object);
}

static void
ear_link_row_class_init (EarLinkRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "link", EAR_TYPE_LINK, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarLinkRow, link),
      .changed = G_CALLBACK (update) },
    { "read", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarLinkRow, read),
      .changed = G_CALLBACK (read_changed_cb) },
    { "starred", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarLinkRow, starred),
      .changed = G_CALLBACK (starred_changed_cb) },
  };

  G_OBJECT_CLASS (klass)->dispose = ear_link_row_dispose;
  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  ear_action_install (widget_class, "link.open", NULL, open_link);
  ear_action_install (widget_class, "link.copy", NULL, copy);
  ear_action_install (widget_class, "link.copy-markdown", NULL, copy);
  ear_action_install (widget_class, "link.show-episode", NULL, show_episode);
  gtk_widget_class_install_property_action (widget_class, "link.read", "read");
  gtk_widget_class_install_property_action (widget_class, "link.starred", "starred");

  ear_widget_set_template (widget_class, "ear-link-row");
}

static void
ear_link_row_init (EarLinkRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @link: (nullable)
 * @within: whether the row is on the page of the link's episode */
GtkWidget *
ear_link_row_new (EarReadingList *reading_list, EarLink *link, gboolean within)
{
  EarLinkRow *self = g_object_new (EAR_TYPE_LINK_ROW, NULL);

  self->reading_list = g_object_ref (reading_list);
  self->within = within;
  ear_connect (reading_list, "changed", update, self);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "link.show-episode", !within);
  g_object_set (self, "link", link, NULL);

  return GTK_WIDGET (self);
}
