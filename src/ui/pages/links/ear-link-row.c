/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-row.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-episode-actions.h"
#include "ear-format.h"
#include "ear-link-export.h"
#include "ear-property.h"
#include "ear-row-action.h"
#include "ear-widget.h"

/**
 * EarLinkRow:
 *
 * A link with its star and menu, in Saved or on the page of an episode, where the row does not name
 * the episode.
 */
struct _EarLinkRow
{
  AdwBin parent_instance;

  /* Template children */
  GtkMenuButton *menu_button;
  GMenuModel *menu;

  /* Owned */
  EarReadingList *reading_list;
  EarLink *link;
  char *facts;
  char *source; /* (nullable): which episodes have it */
  char *spoken;
  char *star_icon;

  gboolean within; /* the page of the episode */
  gboolean read;
  gboolean starred;
};

G_DEFINE_FINAL_TYPE (EarLinkRow, ear_link_row, ADW_TYPE_BIN)

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

/* Returns: what such a page is; nothing where nobody knows */
static const char *
get_kind_text (EarLinkKind kind)
{
  return kinds[kind].one != NULL ? g_dpgettext2 (NULL, "links", kinds[kind].one) : "";
}

/* Returns: what all of the kind are called */
const char *
ear_link_kind_text_plural (EarLinkKind kind)
{
  return g_dpgettext2 (NULL, "links", kinds[kind].all);
}

/* Returns: (transfer full): what it is, where, and under which heading of the notes */
static char *
format_facts (EarLink *link)
{
  const char *heading = ear_link_get_heading (link);

  return ear_format_join ((const char *[]){ get_kind_text (ear_link_get_kind (link)),
                                            ear_link_get_host (link),
                                            heading != NULL ? heading : "", NULL });
}

/* Returns: (transfer full): which episodes link to it */
static char *
format_source (EarLink *link)
{
  const guint n = ear_link_get_n_episodes (link);
  /* Translators: in how many episodes something is linked to */
  g_autofree char *count =
    n > 1 ? g_strdup_printf (ngettext ("In %'u episode", "In %'u episodes", n), n) : g_strdup ("");
  const char *title = ear_link_get_title (link);
  const char *podcast = ear_link_get_podcast (link);

  return ear_format_join (
    (const char *[]){ count, title != NULL ? title : "", podcast != NULL ? podcast : "", NULL });
}

static char *
dup_spoken (EarLinkRow *self)
{
  const char *const parts[] = { ear_link_get_words (self->link),
                                self->read ? C_("spoken link", "Read")
                                           : C_("spoken link", "Unread"),
                                self->starred ? C_("spoken link", "Starred") : NULL, self->facts,
                                self->source };
  GString *spoken = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL && *parts[i] != '\0')
      g_string_append_printf (spoken, "%s%s", spoken->len > 0 ? C_("spoken separator", ", ") : "",
                              parts[i]);

  return g_string_free_and_steal (spoken);
}

static void
take_mark (EarLinkRow *self, const char *name, gboolean *mark, gboolean value)
{
  if (*mark == value)
    return;
  *mark = value;
  g_object_notify (G_OBJECT (self), name);
}

static void
update_marks (EarLinkRow *self)
{
  g_autofree char *spoken = NULL;

  if (self->link == NULL)
    return;
  take_mark (self, "read", &self->read,
             ear_reading_list_has (self->reading_list, self->link, EAR_LINK_READ));
  take_mark (self, "starred", &self->starred,
             ear_reading_list_has (self->reading_list, self->link, EAR_LINK_STARRED));
  ear_property_set_string (self, "star-icon",
                           self->starred ? "starred-symbolic" : "non-starred-symbolic");
  ear_set_css_class (GTK_WIDGET (self), "read", self->read);
  spoken = dup_spoken (self);
  ear_property_set_string (self, "spoken", spoken);
}

static void
set_read (EarLinkRow *self, gboolean read)
{
  if (self->link != NULL)
    ear_reading_list_set (self->reading_list, self->link, EAR_LINK_READ, read);
  else
    take_mark (self, "read", &self->read, read);
}

static void
set_starred (EarLinkRow *self, gboolean starred)
{
  if (self->link != NULL)
    ear_reading_list_set (self->reading_list, self->link, EAR_LINK_STARRED, starred);
  else
    take_mark (self, "starred", &self->starred, starred);
}

/* --- What can be done with it ------------------------------------------------------------ */

/* Shows the page in the browser. */
void
ear_link_row_open (EarLinkRow *self)
{
  g_return_if_fail (EAR_IS_LINK_ROW (self));

  if (self->link == NULL)
    return;
  ear_open_address (GTK_WIDGET (self), ear_link_get_address (self->link));
  ear_reading_list_open (self->reading_list, self->link);
}

static void
open_link (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_link_row_open (EAR_LINK_ROW (widget));
}

static void
copy_text (GtkWidget *widget, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  gtk_widget_activate_action (widget, "win.notify", "s", _("Copied"));
}

static void
copy_address (GtkWidget *widget, const char *name, GVariant *parameter)
{
  copy_text (widget, ear_link_get_address (EAR_LINK_ROW (widget)->link));
}

static void
copy_markdown (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = ear_link_dup_markdown (EAR_LINK_ROW (widget)->link);

  copy_text (widget, text);
}

static void
show_episode (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action (widget, "app.show-episode", "s",
                              ear_link_get_episode (EAR_LINK_ROW (widget)->link));
}

/* Not when it is pressed: the menu takes the release away, and GTK (4.18) has the row pressed for
 * ever. */
static void
right_released_cb (EarLinkRow *self)
{
  gtk_menu_button_popup (self->menu_button);
}

static gboolean
key_cb (GtkWidget *list, GVariant *arguments, gpointer user_data)
{
  GtkWidget *row = ear_row_with_focus (list, EAR_TYPE_LINK_ROW);

  if (row == NULL)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action (row, g_variant_get_string (arguments, NULL), NULL);

  return GDK_EVENT_STOP;
}

/* The keys of an episode, and the actions on a link that they stand for */
static const struct
{
  guint key;
  GdkModifierType modifiers;
  const char *of_episode; /* of the window, which has its keys before anything else */
  const char *of_link;
} keys[] = {
  { GDK_KEY_l, GDK_CONTROL_MASK, "toggle-listened", "link.read" },
  { GDK_KEY_d, GDK_CONTROL_MASK, "toggle-liked", "link.starred" },
  { GDK_KEY_b, GDK_CONTROL_MASK, "open-link", "link.open" },
  { GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "copy-link", "link.copy" },
};

/* Adds the keys that the window has only while it shows an episode. */
void
ear_link_row_add_keys (GtkWidgetClass *widget_class)
{
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding (widget_class, keys[i].key, keys[i].modifiers, key_cb, "s",
                                  keys[i].of_link);
}

/* Runs the key of an episode on the focused link. @area: where to look for the focus @what: the
 * action on an episode Returns: whether a link has the focus */
gboolean
ear_link_row_take_action (GtkWidget *area, const char *what)
{
  GtkWidget *row = ear_row_with_focus (area, EAR_TYPE_LINK_ROW);

  for (gsize i = 0; row != NULL && i < G_N_ELEMENTS (keys); i++)
    if (g_str_equal (keys[i].of_episode, what))
      return gtk_widget_activate_action (row, keys[i].of_link, NULL);

  return FALSE;
}

static void
ear_link_row_dispose (GObject *object)
{
  EarLinkRow *self = EAR_LINK_ROW (object);

  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_LINK_ROW);
  g_clear_object (&self->link);
  g_clear_object (&self->reading_list);

  G_OBJECT_CLASS (ear_link_row_parent_class)->dispose (object);
}

static void
ear_link_row_finalize (GObject *object)
{
  EarLinkRow *self = EAR_LINK_ROW (object);

  g_free (self->facts);
  g_free (self->source);
  g_free (self->spoken);
  g_free (self->star_icon);

  G_OBJECT_CLASS (ear_link_row_parent_class)->finalize (object);
}

static void
ear_link_row_class_init (EarLinkRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "link", EAR_TYPE_LINK, G_PARAM_READABLE, G_STRUCT_OFFSET (EarLinkRow, link) },
    /* Its kind, host and heading */
    { "facts", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarLinkRow, facts) },
    /* Which episodes have it */
    { "source", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarLinkRow, source) },
    /* The row as a screen reader reads it */
    { "spoken", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarLinkRow, spoken) },
    { .spec =
        g_param_spec_string ("star-icon", NULL, NULL, "non-starred-symbolic", G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarLinkRow, star_icon) },
    { "read", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarLinkRow, read),
      .set = G_CALLBACK (set_read) },
    { "starred", G_TYPE_BOOLEAN, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarLinkRow, starred),
      .set = G_CALLBACK (set_starred) },
  };

  object_class->dispose = ear_link_row_dispose;
  object_class->finalize = ear_link_row_finalize;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_install_action (widget_class, "link.open", NULL, open_link);
  gtk_widget_class_install_action (widget_class, "link.copy", NULL, copy_address);
  gtk_widget_class_install_action (widget_class, "link.copy-markdown", NULL, copy_markdown);
  gtk_widget_class_install_action (widget_class, "link.show-episode", NULL, show_episode);
  gtk_widget_class_install_property_action (widget_class, "link.read", "read");
  gtk_widget_class_install_property_action (widget_class, "link.starred", "starred");

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-link-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EarLinkRow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, EarLinkRow, menu);
  gtk_widget_class_bind_template_callback (widget_class, right_released_cb);
  ear_closures_bind (widget_class);
}

static void
ear_link_row_init (EarLinkRow *self)
{
  self->star_icon = g_strdup ("non-starred-symbolic");
  gtk_widget_init_template (GTK_WIDGET (self));
  ear_menu_later_set (self->menu_button, self->menu);
}

/* @within: whether it stands on the page of the episode that has it */
EarLinkRow *
ear_link_row_new (EarReadingList *reading_list, gboolean within)
{
  EarLinkRow *self = g_object_new (EAR_TYPE_LINK_ROW, NULL);

  self->reading_list = g_object_ref (reading_list);
  self->within = within;
  g_signal_connect_object (reading_list, "changed", G_CALLBACK (update_marks), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "link.show-episode", !within);

  return self;
}

EAR_DEFINE_GET (EarLinkRow, ear_link_row, EarLink *, link)

void
ear_link_row_set_link (EarLinkRow *self, EarLink *link)
{
  g_autofree char *facts = NULL;
  g_autofree char *source = NULL;

  g_return_if_fail (EAR_IS_LINK_ROW (self));

  if (!g_set_object (&self->link, link))
    return;
  g_object_notify (G_OBJECT (self), "link");
  if (link == NULL)
    return;
  facts = format_facts (link);
  source = self->within ? NULL : format_source (link);
  ear_property_set_string (self, "facts", facts);
  ear_property_set_string (self, "source", source);
  update_marks (self);
}
