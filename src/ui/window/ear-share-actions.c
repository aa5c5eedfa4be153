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
ask_about_private (GtkWidget *widget,
                   const char *yes,
                   GAsyncReadyCallback callback,
                   gpointer user_data)
{
  AdwDialog *dialog = ear_alert_new (_("Share a Private Address?"));

  adw_alert_dialog_set_body (
      ADW_ALERT_DIALOG (dialog),
      _("This address works like a password. Anyone with it could listen in your name."));
  adw_alert_dialog_add_responses (ADW_ALERT_DIALOG (dialog), "cancel", _("_Cancel"), YES, yes,
                                  NULL);
  adw_alert_dialog_set_default_response (ADW_ALERT_DIALOG (dialog), "cancel");
  /* Without it, Escape would give a response of its own. */
  adw_alert_dialog_set_close_response (ADW_ALERT_DIALOG (dialog), "cancel");
  adw_alert_dialog_set_response_appearance (ADW_ALERT_DIALOG (dialog), YES,
                                            ADW_RESPONSE_DESTRUCTIVE);
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

/* An address that is copied once the listener agrees */
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

static void
quoted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autofree char *quotation = ear_bookmarks_quote_finish (result, NULL);

  if (quotation != NULL)
    copy (widget, quotation);
}

/* Copies the sentence that is spoken at @time, with its source. Only public addresses are in it,
 * so no question is asked. */
void
ear_copy_quote (GtkWidget *widget, EarBookmarks *bookmarks, EarEpisode *episode, gint64 time)
{
  ear_bookmarks_quote_async (bookmarks, episode, time, NULL, quoted_cb, g_object_ref (widget));
}

/* --- The code ---------------------------------------------------------------------------- */

static void
present_code (GtkWidget *widget, EarEpisode *episode, gint64 time, gboolean with_private)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));

  if (window != NULL && ear_single_dialog_raise (window, "phone", episode) == NULL)
    ear_single_dialog_present (ADW_DIALOG (ear_phone_dialog_new (episode, time, with_private)),
                               window, "phone", episode);
}

/* The episode and the time of the code that is asked for */
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

/* Shows a code with which a phone goes on from @time. */
void
ear_show_code (GtkWidget *widget, EarEpisode *episode, gint64 time)
{
  Code *self;

  if (!ear_episode_is_address_private (episode, EAR_ADDRESS_MEDIA))
    {
      present_code (widget, episode, time, FALSE);
      return;
    }

  self = g_new0 (Code, 1);
  self->widget = g_object_ref (widget);
  self->episode = g_object_ref (episode);
  self->time = time;
  ask_about_private (widget, _("_Show Code"), code_answered_cb, self);
}
