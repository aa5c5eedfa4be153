/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discover-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ear-address.h"
#include "ear-chart.h"
#include "ear-closures.h"
#include "ear-discover-row.h"
#include "ear-import-bar.h"
#include "ear-preview-page.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarDiscoverDialog:
 *
 * Add Podcast. Its first page has an entry that takes words, an address or the path of a file, and
 * the results below it; charts, categories and imports while the entry is empty. For podcasts
 * similar to another one there is no entry. Pages above preview podcasts and episodes.
 */
struct _EarDiscoverDialog
{
  AdwDialog parent_instance;

  /* Template children */
  AdwNavigationView *navigation;
  GtkWidget *entry_area;
  GtkEditable *entry;
  GtkListView *list_view;
  GtkNoSelection *results;
  EarChart *chart;
  AdwPreferencesGroup *offers;

  /* Owned */
  EarLibrary *library;
  EarDiscovery *discovery;
  EarPodcast *like;

  gboolean typing; /* until it is shown: the listener types the text of the entry */
  gboolean direct; /* opens a single result at once: no list shows whether it is followed */
};

G_DEFINE_FINAL_TYPE (EarDiscoverDialog, ear_discover_dialog, ADW_TYPE_DIALOG)

/* --- Pages --------------------------------------------------------------------------------- */

static void
choose (EarDiscoverDialog *self, EarPodcast *podcast)
{
  g_signal_emit_by_name (self, "chosen", podcast);
  adw_dialog_close (ADW_DIALOG (self));
}

/* Closes the dialog before the toast about a podcast that was followed before. */
static void
recognize (EarDiscoverDialog *self, EarPodcast *podcast)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));
  const char *name = ear_podcast_get_name (podcast);
  /* Translators: %s is the title of a podcast */
  g_autofree char *message =
      g_strdup_printf (_("You already follow “%s”"), name != NULL ? name : "");

  choose (self, podcast);
  gtk_widget_activate_action (window, "win.notify", "s", message);
}

/* Ignores a second Enter while the page of the first one slides in. */
static gboolean
can_preview (EarDiscoverDialog *self)
{
  return !EAR_IS_PREVIEW_PAGE (adw_navigation_view_get_visible_page (self->navigation));
}

static EarPreviewPage *
create_preview (EarDiscoverDialog *self, const char *address, const char *title, gboolean asks)
{
  EarPreviewPage *page = ear_preview_page_new (self->library, address, title, asks);

  ear_connect (page, "followed", choose, self);

  return page;
}

static void
replace_search (EarDiscoverDialog *self, const char *address, const char *title)
{
  AdwNavigationPage *page = ADW_NAVIGATION_PAGE (create_preview (self, address, title, FALSE));

  adw_navigation_view_replace (self->navigation, &page, 1);
}

static void
preview (EarDiscoverDialog *self, const char *address, const char *title, gboolean asks)
{
  adw_navigation_view_push (self->navigation,
                            ADW_NAVIGATION_PAGE (create_preview (self, address, title, asks)));
}

/* A followed podcast is shown in the window, any other in a preview: in place of the search
 * if the listener typed no address, but chose it somewhere else. */
static void
open_result (EarDiscoverDialog *self, EarDiscoveryResult *result)
{
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  EarPodcast *podcast =
      ear_subscriptions_find (subscriptions, ear_discovery_result_get_address (result));

  if (podcast != NULL)
    {
      ear_subscriptions_prefer_secure (subscriptions, podcast, result);
      if (self->direct)
        recognize (self, podcast);
      else
        choose (self, podcast);
    }
  else if (self->direct && ear_discovery_get_input (self->discovery) == EAR_DISCOVERY_ADDRESS)
    replace_search (self, ear_discovery_result_get_address (result),
                    ear_discovery_result_get_title (result));
  else if (can_preview (self))
    preview (self, ear_discovery_result_get_address (result),
             ear_discovery_result_get_title (result), FALSE);
}

/* The listener has chosen a result or a podcast of a chart. */
static void
chosen_cb (EarDiscoverDialog *self, EarDiscoveryResult *result)
{
  self->direct = FALSE;
  open_result (self, result);
}

/* A page with the chart of a category */
static void
show_category (EarDiscoverDialog *self, const char *name, GVariant *parameter)
{
  const char *category = g_variant_get_string (parameter, NULL);
  const char *title = g_dpgettext2 (NULL, "podcast category", category);
  GtkWidget *chart =
      g_object_new (EAR_TYPE_CHART, "category", category, "library", self->library, NULL);
  GtkWidget *clamp = g_object_new (ADW_TYPE_CLAMP, "maximum-size", 560, "child", chart, NULL);
  GtkWidget *scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy",
                                      GTK_POLICY_NEVER, "child", clamp, NULL);
  GtkWidget *view = g_object_new (ADW_TYPE_TOOLBAR_VIEW, "content", scroller, NULL);

  adw_toolbar_view_add_top_bar (ADW_TOOLBAR_VIEW (view), adw_header_bar_new ());
  ear_connect (chart, "opened", chosen_cb, self);
  adw_navigation_view_push (self->navigation, adw_navigation_page_new (view, title));
}

/* --- The search ---------------------------------------------------------------------------- */

static guint
count_results (EarDiscoverDialog *self)
{
  return g_list_model_get_n_items (ear_discovery_get_results (self->discovery));
}

/* Whether another try may succeed */
static gboolean
may_pass (gpointer object, const GError *error)
{
  const int codes[] = { EAR_ERROR_OFFLINE,  EAR_ERROR_UNREACHABLE, EAR_ERROR_TIMED_OUT,
                        EAR_ERROR_BUSY,     EAR_ERROR_SERVER,      EAR_ERROR_INCOMPLETE,
                        EAR_ERROR_FORBIDDEN };

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, EAR_ERROR, codes[i]))
      return TRUE;

  return FALSE;
}

/* @error: not read; the binding runs again when it changes, and the address with it */
static gboolean
is_refused (gpointer object, EarDiscovery *discovery, const GError *error)
{
  g_autofree char *address = ear_discovery_dup_refused_address (discovery);

  return address != NULL;
}

static char *
describe_unanswered (gpointer object, const char *directories)
{
  /* Translators: %s is the name of a service that was asked, or of several with commas */
  return directories != NULL ? g_strdup_printf (_("No answer from %s"), directories) : NULL;
}

static void
announce (EarDiscoverDialog *self)
{
  const guint n_results = count_results (self);
  g_autofree char *message = NULL;

  if (n_results > 0)
    message = g_strdup_printf (ngettext ("%'u podcast found", "%'u podcasts found", n_results),
                               n_results);
  else if (ear_discovery_get_error (self->discovery) != NULL)
    message = ear_closure_search_error_body (NULL, ear_discovery_get_error (self->discovery),
                                             ear_discovery_get_input (self->discovery));
  else
    message = g_strdup (_("No podcasts found"));
  ear_announce (GTK_ACCESSIBLE (self), message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* The best result may come last: show the top, unless the listener moves through the rows. */
static void
results_changed_cb (EarDiscoverDialog *self)
{
  if (count_results (self) > 0 && gtk_widget_get_focus_child (GTK_WIDGET (self->list_view)) == NULL)
    gtk_list_view_scroll_to (self->list_view, 0, GTK_LIST_SCROLL_NONE, NULL);
}

static void
entry_changed_cb (EarDiscoverDialog *self)
{
  self->direct = FALSE;
  ear_discovery_set_text (self->discovery, gtk_editable_get_text (self->entry));
}

static void
activated_cb (EarDiscoverDialog *self, guint position)
{
  g_autoptr (EarDiscoveryResult) result =
      g_list_model_get_item (G_LIST_MODEL (self->results), position);

  chosen_cb (self, result);
}

static void
searched_cb (EarDiscoverDialog *self)
{
  g_autoptr (EarDiscoveryResult) first = NULL;

  if (ear_discovery_get_searching (self->discovery) ||
      ear_discovery_get_input (self->discovery) == EAR_DISCOVERY_NOTHING)
    return;

  announce (self);
  if (self->direct && count_results (self) == 1)
    {
      first = g_list_model_get_item (G_LIST_MODEL (self->results), 0);
      open_result (self, first);
    }
  self->direct = FALSE;
}

static void
import_list (EarDiscoverDialog *self)
{
  GPtrArray *outlines = ear_discovery_get_outlines (self->discovery);

  if (outlines == NULL)
    return;

  ear_importer_add (ear_library_get_importer (self->library), outlines);
  gtk_widget_activate_action (GTK_WIDGET (self), "window.close", NULL);
}

/* From the database of another program */
static void
take_over (GtkWidget *self, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action_variant (self, "app.import-file", parameter);
  gtk_widget_activate_action (self, "window.close", NULL);
}

static void
sign_in (EarDiscoverDialog *self)
{
  g_autofree char *address = ear_discovery_dup_refused_address (self->discovery);
  g_autofree char *host = address != NULL ? ear_address_dup_host (address) : NULL;

  if (address != NULL && can_preview (self))
    preview (self, address, host, TRUE);
}

/* Enter searches at once; a second Enter opens a single result. */
static void
entry_activated_cb (EarDiscoverDialog *self)
{
  if (!ear_discovery_get_searching (self->discovery) && count_results (self) == 1)
    activated_cb (self, 0);
  else if (count_results (self) == 0 && ear_discovery_get_outlines (self->discovery) != NULL)
    import_list (self);
  else if (is_refused (NULL, self->discovery, NULL))
    sign_in (self);
  else
    ear_discovery_search_now (self->discovery);
}

static void
to_results (EarDiscoverDialog *self)
{
  if (count_results (self) > 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
  else if (ear_discovery_get_input (self->discovery) == EAR_DISCOVERY_NOTHING)
    gtk_widget_grab_focus (GTK_WIDGET (self->chart));
}

static void
retry (EarDiscoverDialog *self)
{
  ear_discovery_search_now (self->discovery);
}

static void
follow_anyway (EarDiscoverDialog *self)
{
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  g_autofree char *address = ear_discovery_dup_address (self->discovery);
  gboolean is_known;
  EarPodcast *podcast;

  if (address == NULL)
    return;
  is_known = ear_subscriptions_find (subscriptions, address) != NULL;
  podcast = ear_subscriptions_follow (subscriptions, address, NULL);
  if (podcast == NULL)
    return;
  if (is_known)
    recognize (self, podcast);
  else
    choose (self, podcast);
}

/* --- The entry ------------------------------------------------------------------------------ */

static void
search_for (EarDiscoverDialog *self, const char *text)
{
  gtk_editable_set_text (self->entry, text);
  ear_discovery_search_now (self->discovery);
}

static gboolean
dropped_cb (EarDiscoverDialog *self, const GValue *value)
{
  g_autofree char *text = G_VALUE_HOLDS_STRING (value)
                              ? g_value_dup_string (value)
                              : g_file_get_path (g_value_get_object (value));

  if (self->like != NULL || text == NULL)
    return FALSE;

  search_for (self, text);

  return TRUE;
}

static void
clipboard_read_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarDiscoverDialog) self = user_data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (object), result, NULL);
  g_autofree char *value = NULL;
  EarDiscoveryInput input;

  if (text == NULL || self->entry == NULL || self->discovery == NULL ||
      *gtk_editable_get_text (self->entry) != '\0')
    return;
  input = ear_discovery_input_read (text, &value);
  if ((input != EAR_DISCOVERY_ADDRESS && input != EAR_DISCOVERY_APPLE) ||
      strstr (text, "://") == NULL)
    return;

  search_for (self, g_strstrip (text));
  gtk_editable_select_region (self->entry, 0, -1);
}

/* Focuses the entry, and fills in an address from the clipboard if it is empty. Coming back
 * from a preview, the focus stays with the result. */
static void
offer_entry (EarDiscoverDialog *self)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (self));
  const gboolean empty = *gtk_editable_get_text (self->entry) == '\0';

  if (self->like != NULL || (!empty && !self->typing))
    return;

  adw_dialog_set_focus (ADW_DIALOG (self), GTK_WIDGET (self->entry));
  /* The focus selected the text, and typing would replace it. */
  gtk_editable_set_position (self->entry, -1);
  self->typing = FALSE;
  if (empty &&
      gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard), G_TYPE_STRING))
    gdk_clipboard_read_text_async (clipboard, NULL, clipboard_read_cb, g_object_ref (self));
}

/* Letters that are typed elsewhere on the page go into the entry. */
static gboolean
key_pressed_cb (EarDiscoverDialog *self, guint keyval, guint keycode, GdkModifierType state,
                GtkEventControllerKey *controller)
{
  if (self->like != NULL || !g_unichar_isgraph (gdk_keyval_to_unicode (keyval)) ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;

  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  /* The focus selected the text. */
  gtk_editable_set_position (self->entry, -1);

  return gtk_event_controller_key_forward (controller,
                                           GTK_WIDGET (gtk_editable_get_delegate (self->entry)));
}

/* --- The class ------------------------------------------------------------------------------ */

static void
ear_discover_dialog_class_init (EarDiscoverDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarDiscoverDialog, library) },
    /* Finds podcasts similar to this one; %NULL: asks what to find */
    { "like", EAR_TYPE_PODCAST, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarDiscoverDialog, like) },
    { "discovery", EAR_TYPE_DISCOVERY, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarDiscoverDialog, discovery) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  /* Emitted with a followed podcast, to show it */
  ear_signal_new (klass, "chosen", 1, EAR_TYPE_PODCAST);

  ear_action_install (widget_class, "discover.follow-anyway", NULL, follow_anyway);
  ear_action_install (widget_class, "discover.import", NULL, import_list);
  ear_action_install (widget_class, "discover.retry", NULL, retry);
  ear_action_install (widget_class, "discover.show-category", "s", show_category);
  ear_action_install (widget_class, "discover.sign-in", NULL, sign_in);
  ear_action_install (widget_class, "discover.take-over", "s", take_over);
  ear_action_install (widget_class, "discover.to-results", NULL, to_results);
  g_type_ensure (EAR_TYPE_CHART);
  g_type_ensure (EAR_TYPE_DISCOVERY);
  g_type_ensure (EAR_TYPE_DISCOVER_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-discover-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, navigation);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, entry_area);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, entry);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, results);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, chart);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverDialog, offers);
  gtk_widget_class_bind_template_callback (widget_class, offer_entry);
  gtk_widget_class_bind_template_callback (widget_class, may_pass);
  gtk_widget_class_bind_template_callback (widget_class, is_refused);
  gtk_widget_class_bind_template_callback (widget_class, describe_unanswered);
  gtk_widget_class_bind_template_callback (widget_class, dropped_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
  gtk_widget_class_bind_template_callback (widget_class, results_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, adw_dialog_close);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, chosen_cb);
  ear_closures_bind (widget_class);
}

static void
ear_discover_dialog_init (EarDiscoverDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @like: (nullable): finds podcasts similar to this one
 * @text: (nullable): searches for it as if it was typed, and previews a single result */
EarDiscoverDialog *
ear_discover_dialog_new (EarLibrary *library, EarPodcast *like, const char *text)
{
  EarDiscoverDialog *self =
      g_object_new (EAR_TYPE_DISCOVER_DIALOG, "library", library, "like", like, NULL);

  self->discovery = ear_library_create_discovery (library);
  ear_connect (self->discovery, "notify::searching", searched_cb, self);
  g_object_notify (G_OBJECT (self), "discovery");
  if (like != NULL)
    {
      adw_dialog_set_title (ADW_DIALOG (self), _("Similar Podcasts"));
      gtk_widget_set_visible (self->entry_area, FALSE);
      ear_discovery_set_like (self->discovery, like);
    }
  else
    {
      g_object_set (self->chart, "library", library, NULL);
      ear_import_offers_fill (self->offers, "discover.take-over");
    }
  if (text != NULL)
    {
      search_for (self, text);
      self->direct = TRUE;
    }

  return self;
}

/* Fills in the beginning of a text that the listener is typing. Called before it is shown. */
void
ear_discover_dialog_type (EarDiscoverDialog *self, const char *text)
{
  gtk_editable_set_text (self->entry, text);
  self->typing = TRUE;
}

/* Previews a podcast that is not followed, in place of the search. */
void
ear_discover_dialog_preview (EarDiscoverDialog *self, EarPodcast *podcast)
{
  replace_search (self, ear_podcast_get_address (podcast), ear_podcast_get_name (podcast));
}
