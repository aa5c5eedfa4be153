/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-view-private.h"

#include "ear-format.h"

/*
 * The headings of the seasons above the rows of a series, as long as these are in the order of their dates; and those of the days above
 * the rows of the history.
 */

static const EarEpisodeQuery *
get_query (EarEpisodeView *self)
{
  return self->list != NULL && self->library != NULL ? ear_episode_list_get_query (self->list) : NULL;
}

static gboolean
wants_days (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = get_query (self);

  return query != NULL && query->filter == EAR_FILTER_HISTORY && query->podcast == 0 && query->search == NULL;
}

static char *
describe_season (EarSeasons *seasons, int season)
{
  g_autofree char *number = ear_format_number (season, NULL);
  const char *name = ear_seasons_get_name (seasons, season);

  return ear_format_join ((const char *[]) { number, name != NULL ? name : "", NULL });
}

static void
header_setup_cb (EarEpisodeView *self, GtkListHeader *header)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LEVEL, 2, -1);
  gtk_widget_add_css_class (label, "heading");
  gtk_list_header_set_child (header, label);
}

static void
header_bind_cb (EarEpisodeView *self, GtkListHeader *header)
{
  EarSeasons *seasons = ear_episode_selection_get_seasons (self->selection);
  const guint start = gtk_list_header_get_start (header);
  g_autofree char *text = NULL;
  int season;

  if (seasons == NULL || self->list == NULL || start >= g_list_model_get_n_items (G_LIST_MODEL (self->list)))
    return;

  season = ear_seasons_get (seasons, ear_episode_list_get_id (self->list, start));
  text = wants_days (self) ? ear_format_day (season, g_get_real_time () / G_USEC_PER_SEC) : describe_season (seasons, season);
  gtk_label_set_label (GTK_LABEL (gtk_list_header_get_child (header)), text != NULL ? text : "");
}

static void
update_factory (EarEpisodeView *self, gboolean wanted)
{
  g_autoptr (GtkListItemFactory) factory = NULL;

  if ((gtk_list_view_get_header_factory (self->list_view) != NULL) == wanted)
    return;

  if (wanted)
    {
      factory = gtk_signal_list_item_factory_new ();
      g_signal_connect_swapped (factory, "setup", G_CALLBACK (header_setup_cb), self);
      g_signal_connect_swapped (factory, "bind", G_CALLBACK (header_bind_cb), self);
    }
  gtk_list_view_set_header_factory (self->list_view, factory);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarEpisodeView) self = user_data;
  g_autoptr (GError) error = NULL;
  EarSeasons *seasons = ear_catalogue_read_seasons_finish (EAR_CATALOGUE (source), result, &error);

  if (error != NULL)
    return;
  ear_episode_selection_set_seasons (self->selection, seasons);
  update_factory (self, seasons != NULL);
}

static gboolean
wants_seasons (EarEpisodeView *self)
{
  const EarEpisodeQuery *query = get_query (self);
  EarPodcast *podcast;

  if (query == NULL || query->podcast == 0 || query->search != NULL ||
      (query->sort != EAR_SORT_OLDEST && query->sort != EAR_SORT_NEWEST))
    return FALSE;
  podcast = ear_catalogue_get_podcast (ear_library_get_catalogue (self->library), query->podcast);

  return podcast != NULL && ear_podcast_get_series (podcast);
}

static guint32
get_today (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  GDate date;

  g_date_set_dmy (&date, (GDateDay) g_date_time_get_day_of_month (now), (GDateMonth) g_date_time_get_month (now),
                  (GDateYear) g_date_time_get_year (now));

  return g_date_get_julian (&date);
}

static void
ask (EarEpisodeView *self)
{
  EarCatalogue *catalogue = ear_library_get_catalogue (self->library);

  g_cancellable_cancel (self->seasons_cancellable);
  g_clear_object (&self->seasons_cancellable);
  self->seasons_cancellable = g_cancellable_new ();
  if (wants_days (self))
    {
      self->asked_day = get_today ();
      ear_catalogue_read_days_async (catalogue, self->seasons_cancellable, read_cb, g_object_ref (self));
    }
  else
    ear_catalogue_read_seasons_async (catalogue, get_query (self)->podcast, self->seasons_cancellable, read_cb, g_object_ref (self));
}

static void
inserted_cb (EarEpisodeView *self, gint64 podcast)
{
  if (wants_seasons (self) && get_query (self)->podcast == podcast)
    ask (self);
}

/* What is heard goes to the top. */
static void
moved_cb (EarEpisodeView *self, guint position)
{
  if (position == 0 && ear_episode_selection_get_seasons (self->selection) != NULL && wants_days (self))
    ask (self);
}

/* Has the headings right when it is another day. */
void
ear_episode_view_update_days (EarEpisodeView *self)
{
  if (wants_days (self) && self->asked_day != get_today ())
    ask (self);
}

/* Looks whether there are seasons, when there are other rows. */
void
ear_episode_view_update_seasons (EarEpisodeView *self)
{
  g_cancellable_cancel (self->seasons_cancellable);
  if (wants_seasons (self) || wants_days (self))
    {
      g_signal_group_set_target (self->catalogue_signals, ear_library_get_catalogue (self->library));
      ask (self);
    }
  else
    {
      g_signal_group_set_target (self->catalogue_signals, NULL);
      update_factory (self, FALSE);
    }
}

void
ear_episode_view_init_seasons (EarEpisodeView *self)
{
  self->catalogue_signals = g_signal_group_new (EAR_TYPE_CATALOGUE);
  g_signal_group_connect_swapped (self->catalogue_signals, "episodes-inserted", G_CALLBACK (inserted_cb), self);
  g_signal_connect_object (self->selection, "items-changed", G_CALLBACK (moved_cb), self, G_CONNECT_SWAPPED);
}

void
ear_episode_view_clear_seasons (EarEpisodeView *self)
{
  g_cancellable_cancel (self->seasons_cancellable);
  g_clear_object (&self->seasons_cancellable);
  g_clear_object (&self->catalogue_signals);
}
