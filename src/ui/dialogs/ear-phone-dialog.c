/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-dialog.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ear-address.h"
#include "ear-episode.h"
#include "ear-format.h"
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
  AdwToggleGroup *kinds; /* "media", "page" */
  GtkPicture *code;
  GtkLabel *facts;

  /* Owned */
  EarEpisode *episode;

  gint64 time;
};

#define EAR_TYPE_PHONE_DIALOG (ear_phone_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarPhoneDialog, ear_phone_dialog, EAR, PHONE_DIALOG, AdwDialog)
G_DEFINE_FINAL_TYPE (EarPhoneDialog, ear_phone_dialog, ADW_TYPE_DIALOG)

/* Escapes an address of the episode to ASCII: programs that read codes guess the encoding
 * of other letters (zbar takes Hebrew for Chinese).
 * Returns: (transfer full) (nullable): the address of the media file or of the web page,
 * which may be private as well; %NULL if there is none, or a code has no room for it */
static char *
dup_readable (EarEpisode *episode, gboolean media)
{
  const char *file = ear_episode_get_address (episode, EAR_ADDRESS_MEDIA);
  const char *link = ear_episode_get_address (episode, EAR_ADDRESS_LINK);
  const char *address = media ? file : link != file ? link : NULL;
  g_autofree char *readable =
      address != NULL
          ? g_uri_escape_string (address, G_URI_RESERVED_CHARS_ALLOWED_IN_PATH "?#[]%", FALSE)
          : NULL;

  return readable != NULL && strlen (readable) <= ADDRESS_LIMIT ? g_steal_pointer (&readable)
                                                                : NULL;
}

static void
kind_chosen_cb (EarPhoneDialog *self)
{
  const gboolean media = g_strcmp0 (adw_toggle_group_get_active_name (self->kinds), "media") == 0;
  EarPodcast *podcast = ear_episode_get_podcast (self->episode);
  g_autofree char *address = dup_readable (self->episode, media);
  g_autofree char *at_time = address != NULL ? ear_address_at_time (address, self->time) : NULL;
  g_autofree char *clock = ear_format_clock (self->time);
  /* Translators: the position in an episode at which another device starts: Starts at
   * 12:03 */
  g_autofree char *start = g_strdup_printf (_("Starts at %s"), clock);
  /* Web pages may ignore a time. */
  g_autofree char *facts =
      ear_format_join (podcast != NULL ? ear_podcast_get_name (podcast) : NULL,
                       media && self->time >= G_TIME_SPAN_SECOND ? start : NULL);
  g_autoptr (GdkTexture) code = at_time != NULL ? ear_qr_code_create_texture (at_time) : NULL;

  gtk_picture_set_paintable (self->code, GDK_PAINTABLE (code));
  gtk_picture_set_alternative_text (self->code, at_time);
  gtk_label_set_label (self->facts, facts);
}

static void
add_kind (EarPhoneDialog *self, const char *name, const char *label)
{
  g_autofree char *address = dup_readable (self->episode, g_str_equal (name, "media"));
  AdwToggle *toggle;

  if (address == NULL)
    return;
  toggle = adw_toggle_new ();
  adw_toggle_set_name (toggle, name);
  adw_toggle_set_label (toggle, label);
  adw_toggle_group_add (self->kinds, toggle);
}

static void
ear_phone_dialog_class_init (EarPhoneDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    { "episode", EAR_TYPE_EPISODE, G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY,
      G_STRUCT_OFFSET (EarPhoneDialog, episode) },
  };

  ear_properties_install (G_OBJECT_CLASS (klass), properties, G_N_ELEMENTS (properties));

  gtk_widget_class_set_template_from_resource (widget_class,
                                               EAR_RESOURCE_BASE "/ui/ear-phone-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, EarPhoneDialog, kinds);
  gtk_widget_class_bind_template_child (widget_class, EarPhoneDialog, code);
  gtk_widget_class_bind_template_child (widget_class, EarPhoneDialog, facts);
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
  g_autofree char *media = dup_readable (episode, TRUE);
  g_autofree char *page = dup_readable (episode, FALSE);

  return media != NULL || page != NULL;
}

/* @time: microseconds
 * @with_private: whether private addresses are shown, too */
AdwDialog *
ear_phone_dialog_new (EarEpisode *episode, gint64 time, gboolean with_private)
{
  EarPhoneDialog *self = g_object_new (EAR_TYPE_PHONE_DIALOG, "episode", episode, NULL);

  self->time = time;
  if (with_private || !ear_episode_is_address_private (episode, EAR_ADDRESS_MEDIA))
    /* Translators: the kind of address that another device opens */
    add_kind (self, "media", ear_episode_is_video (episode) ? _("Video") : _("Audio"));
  if (with_private || !ear_episode_is_address_private (episode, EAR_ADDRESS_LINK))
    /* Translators: the kind of address that another device opens */
    add_kind (self, "page", _("Web Page"));
  adw_toggle_group_set_active (self->kinds, 0);
  gtk_widget_set_visible (GTK_WIDGET (self->kinds),
                          adw_toggle_group_get_n_toggles (self->kinds) > 1);
  ear_connect (self->kinds, "notify::active-name", kind_chosen_cb, self);
  kind_chosen_cb (self);

  return ADW_DIALOG (self);
}
