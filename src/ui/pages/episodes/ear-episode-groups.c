/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-groups.h"

#include <glib/gi18n.h>

#include "ear-format.h"
#include "ear-property.h"

/* Longer lists have no headings, unless those of days: finding the end of a section loads
 * all of its rows. */
#define MAX_ROWS 2000

/**
 * EarEpisodeGroups:
 *
 * A list of episodes whose rows are in sections, each with a heading: the seasons of a
 * podcast, the days of the history, or the states of downloads. An episode without a
 * season, such as a trailer, is in the section of the row above it.
 */
struct _EarEpisodeGroups
{
  GObject parent_instance;

  /* Owned */
  EarEpisodeList *list;

  EarGrouping grouping;
};

/* Groups of downloads, in their order */
enum
{
  FAILED = 1,
  WAITING,
  DONE,
};

/* Returns: the season, Julian day or state of the download; 0: none */
static int
get_group (EarEpisodeGroups *self, guint position)
{
  g_autoptr (EarEpisode) episode = g_list_model_get_item (G_LIST_MODEL (self->list), position);
  EarDownload download;
  GDate day;

  if (episode == NULL)
    return 0;
  if (self->grouping == EAR_GROUPING_SEASONS)
    return ear_episode_get_facts (episode)->season;
  if (self->grouping == EAR_GROUPING_DAYS)
    {
      g_date_clear (&day, 1);
      g_date_set_time_t (&day, ear_episode_get_heard (episode) / G_USEC_PER_SEC);
      return (int) g_date_get_julian (&day);
    }
  download = ear_episode_get_download (episode);

  return download == EAR_DOWNLOAD_FAILED ? FAILED : download == EAR_DOWNLOAD_DONE ? DONE : WAITING;
}

/* --- List and section model --------------------------------------------------------- */

static GType
ear_episode_groups_get_item_type (GListModel *model)
{
  return EAR_TYPE_EPISODE;
}

static guint
ear_episode_groups_get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (EAR_EPISODE_GROUPS (model)->list));
}

static gpointer
ear_episode_groups_get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (EAR_EPISODE_GROUPS (model)->list), position);
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = ear_episode_groups_get_item_type;
  iface->get_n_items = ear_episode_groups_get_n_items;
  iface->get_item = ear_episode_groups_get_item;
}

/* Returns: whether a row is the first of its section. Rows above the first season belong
 * to it. */
static gboolean
begins (EarEpisodeGroups *self, guint position)
{
  const int group = get_group (self, position);
  int above = 0;

  for (guint i = position; i > 0 && group != 0 && above == 0; i--)
    above = get_group (self, i - 1);

  return above != 0 && above != group;
}

/* Returns: the first row of the next section, or the number of rows */
static guint
find_end (EarEpisodeGroups *self, guint position)
{
  const guint n = ear_episode_groups_get_n_items (G_LIST_MODEL (self));

  do
    position++;
  while (position < n && !begins (self, position));

  return MIN (position, n);
}

static void
ear_episode_groups_get_section (GtkSectionModel *model, guint position, guint *start, guint *end)
{
  EarEpisodeGroups *self = EAR_EPISODE_GROUPS (model);
  const guint n = ear_episode_groups_get_n_items (G_LIST_MODEL (self));

  *start = MIN (position, n);
  *end = position < n ? find_end (self, position) : G_MAXUINT;
  while (position < n && *start > 0 && !begins (self, *start))
    (*start)--;
}

static void
section_model_iface_init (GtkSectionModelInterface *iface)
{
  iface->get_section = ear_episode_groups_get_section;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (
    EarEpisodeGroups, ear_episode_groups, G_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init)
    G_IMPLEMENT_INTERFACE (GTK_TYPE_SECTION_MODEL, section_model_iface_init))

/* --- Class -------------------------------------------------------------------------- */

static void
ear_episode_groups_dispose (GObject *object)
{
  g_clear_object (&EAR_EPISODE_GROUPS (object)->list);

  G_OBJECT_CLASS (ear_episode_groups_parent_class)->dispose (object);
}

static void
ear_episode_groups_class_init (EarEpisodeGroupsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_episode_groups_dispose;
}

static void
ear_episode_groups_init (EarEpisodeGroups *self)
{
}

EarEpisodeGroups *
ear_episode_groups_new (EarEpisodeList *list, EarGrouping grouping)
{
  EarEpisodeGroups *self = g_object_new (EAR_TYPE_EPISODE_GROUPS, NULL);

  self->list = g_object_ref (list);
  self->grouping = grouping;
  ear_connect (list, "items-changed", g_list_model_items_changed, self);

  return self;
}

/* Returns: whether there are several groups in a list that is not too long, or one of days */
gboolean
ear_episode_groups_have_headings (EarEpisodeGroups *self)
{
  const guint n = ear_episode_groups_get_n_items (G_LIST_MODEL (self));

  return self->grouping == EAR_GROUPING_DAYS || (n <= MAX_ROWS && find_end (self, 0) < n);
}

/* @position: of the first row of a section
 * Returns: (transfer full) (nullable): the heading */
char *
ear_episode_groups_describe (EarEpisodeGroups *self, guint position)
{
  const guint n = ear_episode_groups_get_n_items (G_LIST_MODEL (self));
  int group = get_group (self, position);
  g_autoptr (EarEpisode) episode = NULL;
  g_autofree char *number = NULL;

  if (self->grouping == EAR_GROUPING_DOWNLOADS)
    /* Translators: headings of the downloads */
    return g_strdup (group == FAILED    ? C_ ("downloads", "Failed")
                     : group == WAITING ? C_ ("downloads", "Waiting")
                                        : C_ ("downloads", "Done"));
  if (self->grouping == EAR_GROUPING_DAYS)
    return ear_format_day (group, g_get_real_time () / G_USEC_PER_SEC);
  while (group == 0 && position + 1 < n)
    group = get_group (self, ++position);
  episode = g_list_model_get_item (G_LIST_MODEL (self->list), position);
  number = ear_format_number (group, NULL);

  return ear_format_join (number, ear_episode_get_facts (episode)->season_name);
}
