/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discover-page-private.h"

#include <glib/gi18n.h>

#include "ear-closures.h"
#include "ear-discover-row.h"
#include "ear-first-focus.h"
#include "ear-import-offers.h"
#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarDiscoverPage:
 *
 * One entry that takes words, an address or the path of a file, and what was found
 * below it. With a podcast to be alike, there is no entry, and what is found is like it.
 */
G_DEFINE_FINAL_TYPE (EarDiscoverPage, ear_discover_page, ADW_TYPE_NAVIGATION_PAGE)

static guint
count_results (EarDiscoverPage *self)
{
  return g_list_model_get_n_items (ear_discovery_get_results (self->discovery));
}

static const char *
find_state (EarDiscoverPage *self)
{
  const EarDiscoveryInput input = ear_discovery_get_input (self->discovery);

  if (input == EAR_DISCOVERY_NOTHING)
    return "start";
  if (count_results (self) > 0)
    return "results";
  if (ear_discovery_get_outlines (self->discovery) != NULL)
    return "list";
  if (ear_discovery_get_searching (self->discovery))
    return "searching";
  if (ear_discovery_get_error (self->discovery) != NULL)
    return "error";

  return input == EAR_DISCOVERY_LIKE ? "alone" : "empty";
}

/* What may be better in a while, or elsewhere; all else is as it is. */
static gboolean
may_pass (const GError *error)
{
  const int codes[] = { EAR_ERROR_OFFLINE, EAR_ERROR_UNREACHABLE, EAR_ERROR_TIMED_OUT, EAR_ERROR_BUSY,
                        EAR_ERROR_SERVER, EAR_ERROR_INCOMPLETE, EAR_ERROR_FORBIDDEN };

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, EAR_ERROR, codes[i]))
      return TRUE;

  return FALSE;
}

static void
update_buttons (EarDiscoverPage *self)
{
  const GError *error = ear_discovery_get_error (self->discovery);
  g_autofree char *address = ear_discovery_dup_address (self->discovery);
  g_autofree char *refused = ear_discovery_dup_refused_address (self->discovery);
  const gboolean passes = may_pass (error);

  gtk_widget_set_visible (self->retry_button, passes);
  gtk_widget_set_visible (self->sign_in_button, refused != NULL);
  /* A feed that cannot be had now is fetched later. */
  gtk_widget_set_visible (self->follow_anyway_button, address != NULL && passes);
}

static char *
make_footnote (EarDiscoverPage *self)
{
  g_autofree char *unanswered = NULL;

  g_object_get (self->discovery, "unanswered", &unanswered, NULL);
  if (unanswered == NULL || count_results (self) == 0)
    return NULL;

  /* Translators: %s is the name of a service that was asked, or of several with commas */
  return g_strdup_printf (_("No answer from %s"), unanswered);
}

static void
update (EarDiscoverPage *self)
{
  g_autofree char *footnote = make_footnote (self);

  ear_property_set_string (self, "footnote", footnote);
  update_buttons (self);
  ear_property_set_string (self, "state", find_state (self));
}

/* A screen reader hears what the others see. */
static void
announce (EarDiscoverPage *self)
{
  const guint n_results = count_results (self);
  g_autofree char *message = NULL;

  if (ear_discovery_get_searching (self->discovery) || ear_discovery_get_input (self->discovery) == EAR_DISCOVERY_NOTHING)
    return;

  if (n_results > 0)
    message = g_strdup_printf (ngettext ("%'u podcast found", "%'u podcasts found", n_results), n_results);
  else if (ear_discovery_get_error (self->discovery) != NULL)
    message = ear_closure_search_error_body (NULL, ear_discovery_get_error (self->discovery), ear_discovery_get_input (self->discovery));
  else
    message = g_strdup (_("No podcasts found"));
  ear_announce (GTK_ACCESSIBLE (self), message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
}

/* What fits best may come last; it is in sight, unless the listener is on the way through the rows. */
static void
results_changed_cb (EarDiscoverPage *self)
{
  if (count_results (self) > 0 && gtk_widget_get_focus_child (GTK_WIDGET (self->list_view)) == NULL)
    gtk_list_view_scroll_to (self->list_view, 0, GTK_LIST_SCROLL_NONE, NULL);
}

static void
entry_changed_cb (EarDiscoverPage *self)
{
  self->direct = FALSE;
  ear_discovery_set_text (self->discovery, gtk_editable_get_text (self->entry));
}

static void
open_result (EarDiscoverPage *self, guint position)
{
  g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (G_LIST_MODEL (self->results), position);

  if (result != NULL)
    g_signal_emit_by_name (self, "opened", result);
}

/* What was handed over: nobody has seen in a list whether it is followed. */
static void
open_unseen (EarDiscoverPage *self)
{
  g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (G_LIST_MODEL (self->results), 0);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (self->library);
  EarPodcast *podcast = ear_subscriptions_find (subscriptions, ear_discovery_result_get_address (result));

  if (podcast != NULL)
    ear_subscriptions_prefer_secure (subscriptions, podcast, result);
  if (podcast != NULL)
    g_signal_emit_by_name (self, "recognized", podcast);
  else
    g_signal_emit_by_name (self, "opened", result);
}

/* An address leads to one podcast most of the time. */
static void
searched_cb (EarDiscoverPage *self)
{
  announce (self);
  if (!self->direct || ear_discovery_get_searching (self->discovery))
    return;

  self->direct = FALSE;
  if (count_results (self) == 1)
    open_unseen (self);
}

/* A list of podcasts, from a file or from the web */
static void
import_list (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarDiscoverPage *self = EAR_DISCOVER_PAGE (widget);
  GPtrArray *outlines = ear_discovery_get_outlines (self->discovery);

  if (outlines == NULL)
    return;

  ear_importer_add (ear_library_get_importer (self->library), outlines);
  gtk_widget_activate_action (widget, "window.close", NULL);
}

/* What another program knows, from its own database */
static void
take_over (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action_variant (widget, "app.import-file", parameter);
  gtk_widget_activate_action (widget, "window.close", NULL);
}

/* Who is there is asked where the podcast can be looked at then. */
static void
sign_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarDiscoverPage *self = EAR_DISCOVER_PAGE (widget);
  g_autofree char *address = ear_discovery_dup_refused_address (self->discovery);

  if (address != NULL)
    g_signal_emit_by_name (self, "refused", address);
}

/* Enter asks at once; what an address leads to is opened by a second Enter. */
static void
entry_activated_cb (EarDiscoverPage *self)
{
  if (!ear_discovery_get_searching (self->discovery) && count_results (self) == 1)
    open_result (self, 0);
  else if (g_strcmp0 (self->state, "list") == 0)
    import_list (GTK_WIDGET (self), NULL, NULL);
  else if (g_strcmp0 (self->state, "error") == 0 && gtk_widget_get_visible (self->sign_in_button))
    sign_in (GTK_WIDGET (self), NULL, NULL);
  else
    ear_discovery_search_now (self->discovery);
}

static void
stop_search_cb (EarDiscoverPage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "window.close", NULL);
}

static void
to_results (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarDiscoverPage *self = EAR_DISCOVER_PAGE (widget);

  if (count_results (self) > 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

static void
retry (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ear_discovery_search_now (EAR_DISCOVER_PAGE (widget)->discovery);
}

static EarDiscoveryResult *
find_result (EarDiscoverPage *self, const char *address)
{
  for (guint i = 0; i < count_results (self); i++)
    {
      g_autoptr (EarDiscoveryResult) result = g_list_model_get_item (ear_discovery_get_results (self->discovery), i);

      if (g_strcmp0 (ear_discovery_result_get_address (result), address) == 0)
        return result;
    }

  return NULL;
}

static void
follow (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarDiscoverPage *self = EAR_DISCOVER_PAGE (widget);
  const char *address = g_variant_get_string (parameter, NULL);
  EarDiscoveryResult *result = find_result (self, address);
  const char *title = result != NULL ? ear_discovery_result_get_title (result) : NULL;
  g_autofree char *message = NULL;

  if (ear_subscriptions_follow (ear_library_get_subscriptions (self->library), address, title) == NULL)
    return;

  /* Translators: %s is the title of a podcast */
  message = g_strdup_printf (_("Followed “%s”"), title != NULL ? title : address);
  ear_announce (GTK_ACCESSIBLE (self), message, GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
  /* The button that had the focus is gone. */
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

static void
follow_anyway (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EarDiscoverPage *self = EAR_DISCOVER_PAGE (widget);
  g_autofree char *address = ear_discovery_dup_address (self->discovery);
  EarPodcast *known = address != NULL ? ear_subscriptions_find (ear_library_get_subscriptions (self->library), address) : NULL;
  EarPodcast *podcast = address != NULL ? ear_subscriptions_follow (ear_library_get_subscriptions (self->library), address, NULL) : NULL;

  if (podcast != NULL)
    g_signal_emit_by_name (self, known != NULL ? "recognized" : "followed", podcast);
}

static void
ear_discover_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ear_discover_page_parent_class)->map (widget);
  ear_discover_page_offer_entry (EAR_DISCOVER_PAGE (widget));
}

static void
ear_discover_page_dispose (GObject *object)
{
  EarDiscoverPage *self = EAR_DISCOVER_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_DISCOVER_PAGE);
  g_clear_object (&self->discovery);
  g_clear_object (&self->like);
  g_clear_object (&self->library);
  g_clear_pointer (&self->state, g_free);
  g_clear_pointer (&self->footnote, g_free);

  G_OBJECT_CLASS (ear_discover_page_parent_class)->dispose (object);
}

static void
install_properties (GObjectClass *object_class)
{
  const EarProperty properties[] = {
    /* What is found */
    { "discovery", EAR_TYPE_DISCOVERY, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoverPage, discovery) },
    /* Which child of the stack shows */
    { "state", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoverPage, state) },
    /* What there is to say below what was found */
    { "footnote", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoverPage, footnote) },
  };

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_discover_page_class_init (EarDiscoverPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = ear_discover_page_dispose;
  widget_class->map = ear_discover_page_map;
  install_properties (object_class);

  /* Something that was found is to be looked at. */
  g_signal_new ("opened", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_DISCOVERY_RESULT);
  /* What is at an address is for members, and the listener wants to say who is there. */
  g_signal_new ("refused", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  /* A podcast was added that is to be shown. */
  g_signal_new ("followed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_PODCAST);
  /* What the listener wanted to add is followed, which there was no row to tell. */
  g_signal_new ("recognized", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, EAR_TYPE_PODCAST);

  gtk_widget_class_install_action (widget_class, "discover.follow", "s", follow);
  gtk_widget_class_install_action (widget_class, "discover.follow-anyway", NULL, follow_anyway);
  gtk_widget_class_install_action (widget_class, "discover.import", NULL, import_list);
  gtk_widget_class_install_action (widget_class, "discover.retry", NULL, retry);
  gtk_widget_class_install_action (widget_class, "discover.sign-in", NULL, sign_in);
  gtk_widget_class_install_action (widget_class, "discover.take-over", "s", take_over);
  gtk_widget_class_install_action (widget_class, "discover.to-results", NULL, to_results);
  g_type_ensure (EAR_TYPE_DISCOVERY);
  g_type_ensure (EAR_TYPE_DISCOVER_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, EAR_RESOURCE_BASE "/ui/ear-discover-page.ui");
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverPage, entry_area);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverPage, entry);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverPage, list_view);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverPage, results);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverPage, offers);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverPage, retry_button);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverPage, sign_in_button);
  gtk_widget_class_bind_template_child (widget_class, EarDiscoverPage, follow_anyway_button);
  gtk_widget_class_bind_template_callback (widget_class, results_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_result);
  ear_closures_bind (widget_class);
}

static void
ear_discover_page_init (EarDiscoverPage *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

EarDiscoverPage *
ear_discover_page_new (EarLibrary *library, EarPodcast *like)
{
  EarDiscoverPage *self = g_object_new (EAR_TYPE_DISCOVER_PAGE, NULL);

  self->library = g_object_ref (library);
  self->discovery = ear_library_create_discovery (library);
  g_signal_connect_object (self->discovery, "notify", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->discovery, "notify::searching", G_CALLBACK (searched_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (ear_discovery_get_results (self->discovery), "items-changed", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_object_notify (G_OBJECT (self), "discovery");
  if (like != NULL)
    {
      self->like = g_object_ref (like);
      adw_navigation_page_set_title (ADW_NAVIGATION_PAGE (self), _("Similar Podcasts"));
      gtk_widget_set_visible (self->entry_area, FALSE);
      ear_discovery_set_like (self->discovery, like);
    }
  else
    {
      ear_discover_page_accept_drops (self);
      ear_discover_page_catch_letters (self);
      ear_first_focus_catch_keys (self->entry);
      ear_import_offers_fill (GTK_WIDGET (self->offers), "discover.take-over", "pill", self->cancellable);
    }
  update (self);

  return self;
}
