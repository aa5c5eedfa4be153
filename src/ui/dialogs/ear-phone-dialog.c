/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-phone-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ear-address.h"
#include "ear-closures.h"
#include "ear-episode-address.h"
#include "ear-format.h"
#include "ear-property.h"
#include "ear-qr-code.h"

/* Bytes of the longest address that is shown: a code holds 2953, of which some are
 * left for the time. */
#define ADDRESS_LIMIT 2900

/**
 * EarPhoneDialog:
 *
 * An episode, at a time, as a QR code with which another device continues. The media file
 * comes first, as any browser plays it at once and from that time; the web page is the
 * other choice.
 */
struct _EarPhoneDialog
{
  AdwDialog parent_instance;

  /* Template children */
  AdwToggleGroup *kinds;
  GtkPicture *code;

  /* Owned */
  EarEpisode *episode;
  char *address;
  char *facts;

  gint64 time;
};

G_DEFINE_FINAL_TYPE (EarPhoneDialog, ear_phone_dialog, ADW_TYPE_DIALOG)

/* Escapes an address to ASCII: programs that read codes guess the encoding
 * of other letters (zbar takes Hebrew for Chinese).
 * Returns: (transfer full) (nullable): the text of the code; %NULL if it
 * has no room for it */
static char *
dup_readable (const char *address)
{
  g_autofree char *readable =
      address != NULL
          ? g_uri_escape_string (address, G_URI_RESERVED_CHARS_ALLOWED_IN_PATH "?#[]%", FALSE)
          : NULL;

  return readable != NULL && strlen (readable) <= ADDRESS_LIMIT ? g_steal_pointer (&readable)
                                                                : NULL;
}

static gboolean
fits (const char *address)
{
  g_autofree char *readable = dup_readable (address);

  return readable != NULL;
}

static const char *
get_media (EarEpisode *episode)
{
  return ear_episode_get_address (episode, EAR_ADDRESS_MEDIA);
}

/* Returns: (transfer none) (nullable): the address of the episode's web page, which may
 * be private as well */
static const char *
get_page (EarEpisode *episode)
{
  const char *link = ear_episode_get_address (episode, EAR_ADDRESS_LINK);

  return link != get_media (episode) ? link : NULL;
}

static void
kind_chosen_cb (EarPhoneDialog *self)
{
  const gboolean is_media =
      g_strcmp0 (adw_toggle_group_get_active_name (self->kinds), "media") == 0;
  g_autofree char *address =
      dup_readable (is_media ? get_media (self->episode) : get_page (self->episode));
  g_autofree char *at_time = address != NULL ? ear_address_at_time (address, self->time) : NULL;
  g_autofree char *clock = ear_format_clock (self->time);
  /* Translators: the position in an episode at which another device starts: Starts at
   * 12:03 */
  g_autofree char *start = g_strdup_printf (_("Starts at %s"), clock);
  EarPodcast *podcast = ear_episode_get_podcast (self->episode);
  /* Web pages may ignore a time. */
  const char *const parts[] = { podcast != NULL ? ear_podcast_get_name (podcast) : "",
                                is_media && self->time >= G_TIME_SPAN_SECOND ? start : "", NULL };
  g_autofree char *facts = ear_format_join (parts);
  g_autoptr (GdkTexture) code = NULL;

  if (at_time != NULL)
    code = ear_qr_code_create_texture (at_time);
  gtk_picture_set_paintable (self->code, GDK_PAINTABLE (code));
  ear_property_set_string (self, "address", at_time);
  ear_property_set_string (self, "facts", facts);
}

static void
add_kind (EarPhoneDialog *self, const char *name, const char *label)
{
  AdwToggle *toggle = adw_toggle_new ();

  adw_toggle_set_name (toggle, name);
  adw_toggle_set_label (toggle, label);
  adw_toggle_group_add (self->kinds, toggle);
}

static void
ear_phone_dialog_dispose (GObject *object)
{
  EarPhoneDialog *self = EAR_PHONE_DIALOG (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_PHONE_DIALOG);
  g_clear_object (&self->episode);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->facts, g_free);

  G_OBJECT_CLASS (ear_phone_dialog_parent_class)->dispose (object);
}

static void
ear_phone_dialog_class_init (EarPhoneDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPhoneDialog, episode) },
    /* The text of the code */
    { "address", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPhoneDialog, address) },
    /* The line below the title */
    { "facts", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarPhoneDialog, facts) },
  };

  object_class->dispose = ear_phone_dialog_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-phone-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarPhoneDialog, kinds);
  gtk_widget_class_bind_template_child (widget_class, EarPhoneDialog, code);
  ear_closures_bind (widget_class);
}

static void
ear_phone_dialog_init (EarPhoneDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Returns: whether a code has room for an address of the episode */
gboolean
ear_phone_dialog_can_show (EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_EPISODE (episode), FALSE);

  return ear_qr_code_available () && (fits (get_media (episode)) || fits (get_page (episode)));
}

/* @time: microseconds
 * @with_private: whether private addresses are shown, too */
EarPhoneDialog *
ear_phone_dialog_new (EarEpisode *episode, gint64 time, gboolean with_private)
{
  EarPhoneDialog *self = g_object_new (EAR_TYPE_PHONE_DIALOG, NULL);

  self->episode = g_object_ref (episode);
  self->time = time;
  g_object_notify (G_OBJECT (self), "episode");
  if (fits (get_media (episode)) &&
      (with_private || !ear_episode_is_address_private (episode, EAR_ADDRESS_MEDIA)))
    /* Translators: the kind of address that another device opens */
    add_kind (self, "media", ear_episode_is_video (episode) ? _("Video") : _("Audio"));
  if (fits (get_page (episode)) &&
      (with_private || !ear_episode_is_address_private (episode, EAR_ADDRESS_LINK)))
    /* Translators: the kind of address that another device opens */
    add_kind (self, "page", _("Web Page"));
  adw_toggle_group_set_active (self->kinds, 0);
  gtk_widget_set_visible (GTK_WIDGET (self->kinds),
                          adw_toggle_group_get_n_toggles (self->kinds) > 1);
  g_signal_connect_object (self->kinds, "notify::active-name", G_CALLBACK (kind_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  kind_chosen_cb (self);

  return self;
}
