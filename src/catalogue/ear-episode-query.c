/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-query.h"

#include "ear-podcast-settings.h"

/* @name: (nullable): as in EarPodcast:sort
 * Returns: the order of that name, or newest first */
EarEpisodeSort
ear_episode_sort_from_name (const char *name)
{
  int sort;

  return ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, name, &sort)
             ? (EarEpisodeSort) sort
             : EAR_SORT_NEWEST;
}

/* @podcast: row id of a podcast, or 0 for all
 * @search: (nullable): words that all have to occur in title or notes; an empty text
 * counts as %NULL
 * Returns: (transfer full): a query */
EarEpisodeQuery *
ear_episode_query_new (gint64 podcast, EarEpisodeFilter filter, EarEpisodeSort sort,
                       const char *search)
{
  EarEpisodeQuery *self = g_new0 (EarEpisodeQuery, 1);

  self->podcast = podcast;
  self->filter = filter;
  self->sort = sort;
  self->search = !ear_is_empty (search) ? g_strdup (search) : NULL;

  return self;
}

/* Each of these filters has an index, or at least columns in the index
 * of all episodes. */
static EarEpisodeFilter
get_filter (const EarEpisodeConditions *terms)
{
  static const EarEpisodeFilter indexed[] = { EAR_FILTER_LIKED, EAR_FILTER_IN_PROGRESS,
                                              EAR_FILTER_DOWNLOADED, EAR_FILTER_UNPLAYED };

  for (gsize i = 0; i < G_N_ELEMENTS (indexed); i++)
    if (ear_episode_conditions_have (terms, indexed[i]))
      return indexed[i];

  return EAR_FILTER_ALL;
}

/* Sets conditions that replace the query's podcast and filter. */
void
ear_episode_query_set_terms (EarEpisodeQuery *self, const EarEpisodeConditions *terms)
{
  g_clear_pointer (&self->terms.podcasts, g_array_unref);
  self->terms = *terms;
  if (terms->podcasts != NULL)
    g_array_ref (terms->podcasts);
  self->filter = get_filter (terms);
  self->podcast = terms->podcasts != NULL && terms->podcasts->len == 1
                      ? g_array_index (terms->podcasts, gint64, 0)
                      : 0;
}

static gint64
get_lower (gint64 a, gint64 b)
{
  return a == 0 || b == 0 ? MAX (a, b) : MIN (a, b);
}

/* Returns the ids in both arrays, or in the only one. */
static GArray *
intersect (GArray *a, GArray *b)
{
  GArray *both;

  if (a == NULL || b == NULL)
    return a != NULL ? g_array_ref (a) : b != NULL ? g_array_ref (b) : NULL;

  both = ear_ids_new ();
  for (guint i = 0; i < a->len; i++)
    for (guint j = 0; j < b->len; j++)
      if (g_array_index (a, gint64, i) == g_array_index (b, gint64, j))
        g_array_append_val (both, g_array_index (a, gint64, i));

  return both;
}

/* Adds conditions to the query. */
void
ear_episode_query_narrow (EarEpisodeQuery *self, const EarEpisodeConditions *terms)
{
  GArray *podcasts = intersect (self->terms.podcasts, terms->podcasts);

  g_clear_pointer (&self->terms.podcasts, g_array_unref);
  self->terms.podcasts = podcasts;
  self->terms.shortest = MAX (self->terms.shortest, terms->shortest);
  self->terms.longest = get_lower (self->terms.longest, terms->longest);
  self->terms.days = (guint) get_lower (self->terms.days, terms->days);
  self->terms.filters |= terms->filters;
  self->terms.after = MAX (self->terms.after, terms->after);
  self->terms.before = get_lower (self->terms.before, terms->before);
  self->narrowed = TRUE;
}

/* Returns: whether the query is for all episodes of its podcast, view or list */
gboolean
ear_episode_query_is_whole (const EarEpisodeQuery *self)
{
  return self->search == NULL && !self->narrowed;
}

/* Returns: (transfer full): the query without the members of its list */
EarEpisodeQuery *
ear_episode_query_copy (const EarEpisodeQuery *self)
{
  EarEpisodeQuery *copy = g_memdup2 (self, sizeof *self);

  copy->search = g_strdup (self->search);
  copy->list = g_strdup (self->list);
  copy->members = NULL;
  if (copy->terms.podcasts != NULL)
    g_array_ref (copy->terms.podcasts);

  return copy;
}

void
ear_episode_query_free (EarEpisodeQuery *self)
{
  g_free (self->search);
  g_free (self->list);
  g_clear_pointer (&self->members, g_ref_string_release);
  g_clear_pointer (&self->terms.podcasts, g_array_unref);
  g_free (self);
}

/* podcast, filter, sort, list, and the conditions. Three are 0 but for settings that an earlier
 * version has stored: progress, liked, and downloaded. */
#define TEXT_TYPE "(xiimsmaxibbxxuuxx)"

static GVariant *
to_variant (const EarEpisodeQuery *self)
{
  const EarEpisodeConditions *terms = &self->terms;
  GVariant *podcasts = NULL;

  if (terms->podcasts != NULL)
    podcasts = g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, terms->podcasts->data,
                                          terms->podcasts->len, sizeof (gint64));

  return g_variant_ref_sink (
      g_variant_new ("(xiims@maxibbxxuuxx)", self->podcast, (int) self->filter, (int) self->sort,
                     self->list, g_variant_new_maybe (G_VARIANT_TYPE ("ax"), podcasts),
                     0, FALSE, FALSE, terms->shortest, terms->longest, terms->days,
                     terms->filters, terms->after, terms->before));
}

gboolean
ear_episode_query_equal (const EarEpisodeQuery *a, const EarEpisodeQuery *b)
{
  g_autoptr (GVariant) first = a != NULL ? to_variant (a) : NULL;
  g_autoptr (GVariant) second = b != NULL ? to_variant (b) : NULL;

  if (a == NULL || b == NULL)
    return a == b;

  return g_variant_equal (first, second) &&
         a->terms.only_notes == b->terms.only_notes && g_strcmp0 (a->search, b->search) == 0;
}

/* Returns: (transfer full) (nullable): the query as a text for
 * ear_episode_query_new_from_text(); %NULL for a search, as the listener's search
 * words stay private */
char *
ear_episode_query_to_text (const EarEpisodeQuery *self)
{
  g_autoptr (GVariant) value = self->search == NULL ? to_variant (self) : NULL;

  return value != NULL ? g_variant_print (value, FALSE) : NULL;
}

/* Progress as an earlier version has stored it */
static const guint former_conditions[] = { 0, 1u << EAR_FILTER_UNPLAYED,
                                           1u << EAR_FILTER_IN_PROGRESS, 1u << EAR_FILTER_PLAYED };

/* @text: from ear_episode_query_to_text(), or untrusted
 * Returns: (transfer full) (nullable): the query, or %NULL if the text is invalid */
EarEpisodeQuery *
ear_episode_query_new_from_text (const char *text)
{
  g_autoptr (GVariant) value = g_variant_parse (G_VARIANT_TYPE (TEXT_TYPE), text, NULL, NULL, NULL);
  g_autoptr (EarEpisodeQuery) self = g_new0 (EarEpisodeQuery, 1);
  EarEpisodeConditions *terms = &self->terms;
  g_autoptr (GVariant) podcasts = NULL;
  gboolean liked, downloaded;
  guint played;

  if (value == NULL)
    return NULL;
  g_variant_get (value, "(xiims@maxibbxxuuxx)", &self->podcast, &self->filter, &self->sort,
                 &self->list, &podcasts, &played, &liked, &downloaded, &terms->shortest,
                 &terms->longest, &terms->days, &terms->filters, &terms->after, &terms->before);
  if ((guint) self->filter > EAR_FILTER_PLAYED || (guint) self->sort > EAR_SORT_RANKED ||
      played >= G_N_ELEMENTS (former_conditions))
    return NULL;
  terms->filters &= (1u << (EAR_FILTER_PLAYED + 1)) - 1;
  terms->filters |= former_conditions[played];
  terms->filters |= (liked ? 1u << EAR_FILTER_LIKED : 0) |
                    (downloaded ? 1u << EAR_FILTER_DOWNLOADED : 0);
  if (g_variant_n_children (podcasts) > 0)
    {
      g_autoptr (GVariant) ids = g_variant_get_child_value (podcasts, 0);
      gsize n = 0;
      const gint64 *elements = g_variant_get_fixed_array (ids, &n, sizeof (gint64));

      terms->podcasts = ear_ids_new ();
      if (n > 0)
        g_array_append_vals (terms->podcasts, elements, (guint) n);
    }

  return g_steal_pointer (&self);
}

/* Whether the filter determines the order, whatever the sort. */
gboolean
ear_episode_query_has_own_order (const EarEpisodeQuery *self)
{
  return self->filter == EAR_FILTER_HISTORY || self->filter == EAR_FILTER_QUEUED ||
         self->filter == EAR_FILTER_DOWNLOADS || (self->list != NULL && self->search == NULL);
}

gboolean
ear_episode_query_is_ranked (const EarEpisodeQuery *self)
{
  return self->search != NULL && self->sort == EAR_SORT_RANKED &&
         !ear_episode_query_has_own_order (self);
}

/* Whether an index has the rows in the wanted order, so that the first ones can be read
 * without the others. */
gboolean
ear_episode_query_is_in_order (const EarEpisodeQuery *self)
{
  return ear_episode_query_has_own_order (self)
             ? self->search == NULL
             : self->sort != EAR_SORT_TITLE && self->sort != EAR_SORT_LONGEST;
}

/* Returns: (transfer full): a bookmark for ear_catalogue_set_bookmarks()
 * @text: (nullable): text to search */
EarBookmarkText *
ear_bookmark_text_new (const char *address, const char *guid, gint64 time, const char *text)
{
  EarBookmarkText *self = g_new0 (EarBookmarkText, 1);

  self->address = g_strdup (address);
  self->guid = g_strdup (guid);
  self->text = g_strdup (text != NULL ? text : "");
  self->time = time;

  return self;
}

EAR_DEFINE_TEXTS_FREE (EarBookmarkText, ear_bookmark_text_free, text)

EarLinkQuery *
ear_link_query_new (void)
{
  EarLinkQuery *self = g_new0 (EarLinkQuery, 1);

  self->kind = -1;

  return self;
}

EarLinkQuery *
ear_link_query_copy (const EarLinkQuery *self)
{
  EarLinkQuery *copy = g_memdup2 (self, sizeof *self);

  copy->host = g_strdup (self->host);
  copy->search = g_strdup (self->search);
  if (copy->only != NULL)
    g_array_ref (copy->only);
  if (copy->without != NULL)
    g_array_ref (copy->without);

  return copy;
}

void
ear_link_query_free (EarLinkQuery *self)
{
  g_free (self->host);
  g_free (self->search);
  g_clear_pointer (&self->only, g_array_unref);
  g_clear_pointer (&self->without, g_array_unref);
  g_free (self);
}
