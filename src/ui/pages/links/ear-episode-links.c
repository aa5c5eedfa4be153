/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-links.h"

#include <glib/gi18n.h>

#include "ear-property.h"
#include "ear-widget.h"

/**
 * EarEpisodeLinks:
 *
 * The links of an episode's notes, in their order. The links that most episodes of its
 * podcast have, such as sponsors and privacy, come last, folded under a heading. A click
 * on a link opens it.
 *
 * The rows are made when they come into sight, so that another episode's notes do
 * not wait for them.
 */
struct _EarEpisodeLinks
{
  AdwBin parent_instance;

  /* Template children */
  GtkListBox *list;

  /* Owned */
  EarLibrary *library;   /* (nullable) */
  GPtrArray *links;      /* (element-type EarLink) */
  GPtrArray *repeated;   /* (nullable) (element-type EarLink): the links that most episodes have */
  GCancellable *finding; /* (nullable): while looking for these */

  gint64 podcast;  /* its id */
  gboolean filled; /* the rows show the links */
};

G_DEFINE_FINAL_TYPE (EarEpisodeLinks, ear_episode_links, ADW_TYPE_BIN)

static guint
get_n_links (EarEpisodeLinks *self)
{
  return self->links != NULL ? self->links->len : 0;
}

static void
update_actions (EarEpisodeLinks *self)
{
  EarReadingList *reading_list = ear_library_get_reading_list (self->library);

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "links.mark-read",
                                 ear_reading_list_count_unread (reading_list, self->links) > 0);
}

static GtkWidget *
create_row (EarEpisodeLinks *self, EarLink *link)
{
  return ear_link_row_new (ear_library_get_reading_list (self->library), link, TRUE);
}

static void
row_activated_cb (EarEpisodeLinks *self, GtkListBoxRow *row)
{
  gtk_widget_activate_action (gtk_list_box_row_get_child (row), "link.open", NULL);
}

static void
add_repeated (EarEpisodeLinks *self)
{
  GtkWidget *folder = g_object_new (ADW_TYPE_EXPANDER_ROW,
                                    /* Translators: a heading above links that most episodes of a
                                       podcast have, such as sponsors and privacy */
                                    "title", C_("links", "In Every Episode"), NULL);

  for (guint i = 0; i < self->repeated->len; i++)
    {
      GtkWidget *row = create_row (self, g_ptr_array_index (self->repeated, i));

      adw_expander_row_add_row (ADW_EXPANDER_ROW (folder), row);
      if (i == 0)
        ear_connect (gtk_widget_get_ancestor (row, GTK_TYPE_LIST_BOX), "row-activated",
                     row_activated_cb, self);
    }
  gtk_list_box_append (self->list, folder);
}

static void
fill (EarEpisodeLinks *self)
{
  gtk_list_box_remove_all (self->list);
  for (guint i = 0; i < self->links->len; i++)
    if (self->repeated == NULL ||
        !g_ptr_array_find (self->repeated, g_ptr_array_index (self->links, i), NULL))
      gtk_list_box_append (self->list, create_row (self, g_ptr_array_index (self->links, i)));
  if (self->repeated != NULL && self->repeated->len > 0)
    add_repeated (self);
  update_actions (self);
  self->filled = TRUE;
}

static void
repeated_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeLinks) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) repeated =
    ear_catalogue_read_finish (EAR_CATALOGUE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->finding);
  self->repeated = g_steal_pointer (&repeated);
  fill (self);
}

static void
stop_finding (EarEpisodeLinks *self)
{
  ear_cancellable_clear (&self->finding);
  g_clear_pointer (&self->repeated, g_ptr_array_unref);
}

static void
find_repeated (EarEpisodeLinks *self)
{
  if (self->filled || self->finding != NULL || self->library == NULL || self->podcast == 0)
    return;
  self->finding = g_cancellable_new ();
  ear_catalogue_read_async (ear_library_get_catalogue (self->library),
                            ear_read_repeated_links (self->podcast, self->links), self->finding,
                            repeated_found_cb, g_object_ref (self));
}

static void
library_changed_cb (EarEpisodeLinks *self)
{
  ear_connect (ear_library_get_reading_list (self->library), "changed", update_actions, self);
}

static void
mark_read (EarEpisodeLinks *self)
{
  ear_reading_list_set_read (ear_library_get_reading_list (self->library), self->links);
}

static void
ear_episode_links_dispose (GObject *object)
{
  EarEpisodeLinks *self = EAR_EPISODE_LINKS (object);

  stop_finding (self);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), EAR_TYPE_EPISODE_LINKS);
  ear_properties_clear (self);
  g_clear_pointer (&self->links, g_ptr_array_unref);

  G_OBJECT_CLASS (ear_episode_links_parent_class)->dispose (object);
}

static void
ear_episode_links_class_init (EarEpisodeLinksClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const EarProperty properties[] = {
    /* Set once */
    { "library", EAR_TYPE_LIBRARY, G_PARAM_READWRITE, G_STRUCT_OFFSET (EarEpisodeLinks, library),
      .changed = G_CALLBACK (library_changed_cb) },
    { "n-links", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (get_n_links) },
  };

  object_class->dispose = ear_episode_links_dispose;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  ear_action_install (widget_class, "links.mark-read", NULL, mark_read);
  ear_link_row_add_keys (widget_class);
  ear_widget_set_template (widget_class, "ear-episode-links");
  gtk_widget_class_bind_template_child (widget_class, EarEpisodeLinks, list);
  gtk_widget_class_bind_template_callback (widget_class, find_repeated);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
ear_episode_links_init (EarEpisodeLinks *self)
{
  self->links = ear_links_of_notes (NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @episode: (nullable): the episode of the notes
 * @notes: (nullable): the notes with the links */
void
ear_episode_links_set_notes (EarEpisodeLinks *self, EarEpisode *episode, EarNotes *notes)
{
  stop_finding (self);
  g_ptr_array_unref (self->links);
  self->links = ear_links_of_notes (notes);
  self->podcast = episode != NULL ? ear_podcast_get_id (ear_episode_get_podcast (episode)) : 0;
  self->filled = FALSE;
  g_object_notify (G_OBJECT (self), "n-links");
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    find_repeated (self);
}
