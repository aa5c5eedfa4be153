/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episodes-page-private.h"

#include "ear-cover-image.h"
#include "ear-podcast-search.h"
#include "ear-search-filter.h"

/*
 * Podcasts that a search in all of them finds by title or author, above the episodes.
 */

#define PODCASTS_LIMIT 20

#define COVER_SIZE 32

static GtkWidget *
create_row (EarPodcast *podcast)
{
  const char *author = ear_podcast_get_facts (podcast)->author;
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *cover = g_object_new (EAR_TYPE_COVER_IMAGE, "size", COVER_SIZE, "valign", GTK_ALIGN_CENTER,
                                   "address", ear_podcast_get_facts (podcast)->image, "title", ear_podcast_get_name (podcast),
                                   NULL);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), ear_podcast_get_name (podcast));
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  if (author != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), author);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), cover);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "podcast", g_object_ref (podcast), g_object_unref);

  return row;
}

static gboolean
has_rows_of (GtkListBox *box, GPtrArray *podcasts)
{
  for (guint i = 0; i < podcasts->len; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (box, (int) i);

      if (row == NULL || g_object_get_data (G_OBJECT (row), "podcast") != podcasts->pdata[i])
        return FALSE;
    }

  return gtk_list_box_get_row_at_index (box, (int) podcasts->len) == NULL;
}

/* Shows the podcasts that the search finds, if it looks everywhere. */
void
ear_episodes_page_update_found_podcasts (EarEpisodesPage *self)
{
  g_autoptr (EarSearchFilter) search = NULL;
  g_autoptr (GPtrArray) podcasts = NULL;
  GListModel *all = self->library != NULL ? ear_library_get_podcasts (self->library) : NULL;

  if (self->search != NULL && self->everywhere && all != NULL)
    search = ear_search_filter_parse (self->search, all, ear_lists_get_all (ear_library_get_lists (self->library)));
  podcasts = search != NULL ? ear_podcast_search (all, search->words, PODCASTS_LIMIT)
                            : g_ptr_array_new_with_free_func (g_object_unref);
  gtk_widget_set_visible (self->found_podcasts_box, podcasts->len > 0);
  if (has_rows_of (self->found_podcasts, podcasts))
    return;
  gtk_list_box_remove_all (self->found_podcasts);
  for (guint i = 0; i < podcasts->len; i++)
    gtk_list_box_append (self->found_podcasts, create_row (podcasts->pdata[i]));
}

/* Returns: whether there is a podcast that has the focus now */
gboolean
ear_episodes_page_focus_found_podcast (EarEpisodesPage *self)
{
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (self->found_podcasts, 0);

  return first != NULL && gtk_widget_grab_focus (GTK_WIDGET (first));
}

static void
found_podcast_activated_cb (EarEpisodesPage *self, GtkListBoxRow *row)
{
  g_autoptr (EarPodcast) podcast = g_object_ref (g_object_get_data (G_OBJECT (row), "podcast"));

  g_signal_emit_by_name (self, "podcast-activated", podcast);
}

/* The arrow down leads from the last podcast to the episodes. */
static gboolean
found_podcasts_left_cb (EarEpisodesPage *self, GtkDirectionType direction)
{
  return direction == GTK_DIR_DOWN && ear_episode_view_focus_first (self->view);
}

/* Makes the callbacks of this file known to the template. */
void
ear_episodes_page_bind_found_podcasts (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, found_podcasts);
  gtk_widget_class_bind_template_child (widget_class, EarEpisodesPage, found_podcasts_box);
  gtk_widget_class_bind_template_callback (widget_class, found_podcast_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, found_podcasts_left_cb);
}
