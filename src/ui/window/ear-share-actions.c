/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-share-actions.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-alert.h"
#include "ear-episode-address.h"
#include "ear-library.h"
#include "ear-phone-dialog.h"
#include "ear-single-dialog.h"

/* --- The question ------------------------------------------------------------------------ */

#define YES "share"

/* @yes: what the button says that hands it on */
static void
ask_about_private (GtkWidget *widget, const char *yes, GAsyncReadyCallback callback, gpointer user_data)
{
  AdwDialog *dialog = ear_alert_new (_("Share a Private Address?"));

  adw_alert_dialog_set_body (ADW_ALERT_DIALOG (dialog), _("This address works like a password. Anyone with it could listen in your name."));
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _("_Cancel"), YES, yes, NULL);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  /* Else Escape would answer in a word of its own. */
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), YES, ADW_RESPONSE_DESTRUCTIVE);
  adw_alert_dialog_choose (ADW_ALERT_DIALOG (dialog), widget, NULL, callback, user_data);
}

static gboolean
is_yes (GObject *dialog, GAsyncResult *result)
{
  return g_str_equal (adw_alert_dialog_choose_finish (ADW_ALERT_DIALOG (dialog), result), YES);
}

/* --- Copying ----------------------------------------------------------------------------- */

static void
copy (GtkWidget *widget, const char *text)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  gtk_widget_activate_action (widget, "win.notify", "s",
                              /* Translators: an address, or a quotation, is on the clipboard now */
                              _("Copied"));
}

/* What is to be copied, and from where */
typedef struct
{
  GtkWidget *widget;
  char *address;
} Copy;

static void
copy_answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Copy *self = user_data;
  g_autoptr (GtkWidget) widget = self->widget;
  g_autofree char *address = self->address;

  if (is_yes (source, result))
    copy (widget, address);
}

/* Puts an address on the clipboard, and says so.
 * @widget: within a window
 * @is_private: whether the listener is asked before */
void
ear_copy_address (GtkWidget *widget, const char *address, gboolean is_private)
{
  Copy *self;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (address != NULL);

  if (!is_private)
    {
      copy (widget, address);
      return;
    }

  self = g_new0 (Copy, 1);
  self->widget = g_object_ref (widget);
  self->address = g_strdup (address);
  ask_about_private (widget, _("_Copy"), copy_answered_cb, self);
}

static const struct
{
  const char *name;
  EarAddressKind kind;
  gboolean at_time;
} copies[] = {
  { "episode.copy-link", EAR_ADDRESS_LINK, FALSE },
  { "episode.copy-link-at-time", EAR_ADDRESS_LINK, TRUE },
  { "episode.copy-media", EAR_ADDRESS_MEDIA, FALSE },
  { "episode.copy-feed", EAR_ADDRESS_FEED, FALSE },
};

/* The episode, and where the listener is in it; both to be let go of */
static gboolean
get_subject (GtkWidget *widget, EarEpisode **episode, EarLibrary **library, gint64 *time)
{
  g_object_get (widget, "target", episode, "library", library, NULL);
  if (*episode == NULL || *library == NULL)
    return FALSE;
  *time = ear_play_control_get_time (ear_library_get_play_control (*library), *episode);

  return TRUE;
}

static void
copy_address (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarLibrary) library = NULL;
  gint64 time;

  if (!get_subject (widget, &episode, &library, &time))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      const char *address = ear_episode_get_address (episode, copies[i].kind);
      g_autofree char *at_time = NULL;

      if (!g_str_equal (copies[i].name, name) || address == NULL)
        continue;
      at_time = ear_address_at_time (address, copies[i].at_time ? time : 0);
      ear_copy_address (widget, at_time, ear_episode_is_address_private (episode, copies[i].kind));
    }
}

static void
quoted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autofree char *quotation = ear_bookmarks_quote_finish (result, NULL);

  if (quotation != NULL)
    copy (widget, quotation);
}

/* Public addresses only are in it: it needs no question. */
static void
copy_quote (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarLibrary) library = NULL;
  gint64 time;

  if (get_subject (widget, &episode, &library, &time))
    ear_bookmarks_quote_async (ear_library_get_bookmarks (library), episode, time, NULL, quoted_cb, g_object_ref (widget));
}

/* --- The code ---------------------------------------------------------------------------- */

static void
present_code (GtkWidget *widget, EarEpisode *episode, gint64 time, gboolean with_private)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));

  if (window != NULL && ear_single_dialog_raise (window, "phone", episode) == NULL)
    ear_single_dialog_present (ADW_DIALOG (ear_phone_dialog_new (episode, time, with_private)), window, "phone", episode);
}

/* What the code is to show, and from where */
typedef struct
{
  GtkWidget *widget;
  EarEpisode *episode;
  gint64 time;
} Code;

static void
code_answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Code *self = user_data;
  g_autoptr (GtkWidget) widget = self->widget;
  g_autoptr (EarEpisode) episode = self->episode;

  if (is_yes (source, result))
    present_code (widget, episode, self->time, TRUE);
}

static void
show_code (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (EarEpisode) episode = NULL;
  g_autoptr (EarLibrary) library = NULL;
  gint64 time;
  Code *self;

  if (!get_subject (widget, &episode, &library, &time) || !ear_phone_dialog_can_show (episode))
    return;
  if (!ear_episode_is_address_private (episode, EAR_ADDRESS_MEDIA))
    {
      present_code (widget, episode, time, FALSE);
      return;
    }

  self = g_new0 (Code, 1);
  self->widget = g_object_ref (widget);
  self->episode = g_steal_pointer (&episode);
  self->time = time;
  ask_about_private (widget, _("_Show Code"), code_answered_cb, self);
}

/* --- The actions and their menu ---------------------------------------------------------- */

/* Gives a class the actions.
 * @widget_class: the class of a widget with the properties `library` and `target` */
void
ear_share_actions_install (GtkWidgetClass *widget_class)
{
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    gtk_widget_class_install_action (widget_class, copies[i].name, NULL, copy_address);
  gtk_widget_class_install_action (widget_class, "episode.copy-quote", NULL, copy_quote);
  gtk_widget_class_install_action (widget_class, "episode.show-code", NULL, show_code);
}

/* Switches off what this episode cannot do.
 * @episode: (nullable): the one */
void
ear_share_actions_update (GtkWidget *widget, EarEpisode *episode)
{
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    gtk_widget_action_set_enabled (widget, copies[i].name,
                                   episode != NULL && ear_episode_get_address (episode, copies[i].kind) != NULL);
  gtk_widget_action_set_enabled (widget, "episode.copy-quote", episode != NULL && ear_episode_get_podcast (episode) != NULL);
  gtk_widget_action_set_enabled (widget, "episode.show-code", episode != NULL && ear_phone_dialog_can_show (episode));
}

/* Returns: (transfer full): the menu of the ways to hand an episode on */
GMenuModel *
ear_share_menu_new (void)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (EAR_RESOURCE_BASE "/ui/ear-share-menu.ui");

  return G_MENU_MODEL (g_object_ref (gtk_builder_get_object (builder, "share_menu")));
}

/* Puts it below others, as one entry. */
void
ear_share_menu_append_to (GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenuModel) share_menu = ear_share_menu_new ();

  /* Translators: the entry of a menu that leads to the ways of handing an episode on */
  g_menu_append_submenu (section, C_("menu", "S_hare"), share_menu);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}
