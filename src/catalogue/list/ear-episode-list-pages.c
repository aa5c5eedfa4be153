/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-list-private.h"

#include "ear-catalogue-private.h"
#include "ear-episode-rows.h"

/* The length of the list, and its live objects. A list grows step by step from the first
 * ids of a result to all of them, so that no frame waits for it. Reading one row also
 * reads the rows around it, and keeps their objects for a while. */

/* A list view makes about two hundred widgets, visible or not, at up to 1 ms each: they
 * are added a few per frame. Further rows take about 1 µs each. */
#define WIDGETS 220
#define WIDGETS_STEP 8
#define STEP 4000
#define STEP_INTERVAL 20 /* milliseconds: one frame comes between two steps */
#define FIRST_INTERVAL 100

/* Rows that a list view reads on either side of the visible ones: a hundred,
 * plus whole pages. */
#define ROWS_AROUND (3 * EAR_EPISODE_ROWS_PAGE)

static guint
get_step (guint n_shown)
{
  return n_shown < WIDGETS ? WIDGETS_STEP : STEP;
}

static gboolean
grow_cb (gpointer user_data)
{
  EarEpisodeList *self = user_data;
  g_autoptr (GArray) all = g_array_ref (self->growing_to);
  const guint n_shown = ear_id_sequence_get_n_ids (self->ids);
  const guint n_new = MIN (all->len - n_shown, get_step (n_shown));

  if (n_shown + n_new == all->len)
    ear_episode_list_stop_growing (self);
  /* Handlers of the change may stop the growth. */
  ear_id_sequence_extend (self->ids, all, n_new);

  return G_SOURCE_CONTINUE;
}

/* Starts growing to another result.
 * @all: (element-type gint64): the final sequence
 * Returns: (transfer full) (element-type gint64): the ids to show at once */
GArray *
ear_episode_list_start_growing (EarEpisodeList *self, GArray *all, guint n_first)
{
  const guint n_ids = MIN (n_first, all->len);
  GArray *first = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n_ids);

  ear_episode_list_stop_growing (self);
  if (n_ids > 0)
    g_array_append_vals (first, all->data, n_ids);
  if (n_ids == all->len)
    return first;

  self->growing_to = g_array_ref (all);
  self->growth_source = g_timeout_source_new (STEP_INTERVAL);
  g_source_set_priority (self->growth_source, G_PRIORITY_DEFAULT_IDLE);
  g_source_set_ready_time (self->growth_source, g_get_monotonic_time () + FIRST_INTERVAL * G_TIME_SPAN_MILLISECOND);
  g_source_set_static_name (self->growth_source, "[earmark] episode list grows");
  g_source_set_callback (self->growth_source, grow_cb, self, NULL);
  g_source_attach (self->growth_source, self->context);

  return first;
}

/* Stops growing, and leaves the sequence unchanged. */
void
ear_episode_list_stop_growing (EarEpisodeList *self)
{
  if (self->growth_source != NULL)
    g_source_destroy (self->growth_source);
  g_clear_pointer (&self->growth_source, g_source_unref);
  g_clear_pointer (&self->growing_to, g_array_unref);
}

/* @all: (element-type gint64): the final sequence
 * Returns: number of its ids to show at once: all, if the list has grown and @all is only
 * a little longer */
guint
ear_episode_list_count_at_once (EarEpisodeList *self, GArray *all, guint n_shown)
{
  return self->growing_to == NULL && all->len <= n_shown + get_step (n_shown) ? all->len : MIN (n_shown, all->len);
}

/* The row was deleted from the catalogue; the list will learn of it soon. */
static EarEpisode *
make_placeholder (gint64 id)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (0, "");

  return ear_episode_new (id, podcast, "");
}

/* Returns the ids of the page that begins at @start, up to the end of the list. */
static guint
get_page_ids (EarEpisodeList *self, guint start, gint64 *page)
{
  const guint n_all = ear_id_sequence_get_n_ids (self->ids);
  const guint n_ids = start < n_all ? MIN (n_all - start, EAR_EPISODE_ROWS_PAGE) : 0;

  for (guint i = 0; i < n_ids; i++)
    page[i] = ear_id_sequence_get (self->ids, start + i);

  return n_ids;
}

/* Scrolling will need the adjacent pages next. */
static GPtrArray *
load_page (EarEpisodeList *self, guint start)
{
  gint64 page[EAR_EPISODE_ROWS_PAGE];
  GPtrArray *episodes = ear_catalogue_load_page (self->catalogue, page, get_page_ids (self, start, page));

  ear_catalogue_prefetch_page (self->catalogue, page, get_page_ids (self, start + EAR_EPISODE_ROWS_PAGE, page));
  if (start >= EAR_EPISODE_ROWS_PAGE)
    ear_catalogue_prefetch_page (self->catalogue, page, get_page_ids (self, start - EAR_EPISODE_ROWS_PAGE, page));

  return episodes;
}

/* Returns: (transfer full): the episode at the position, live or loaded with the
 * rows around it */
EarEpisode *
ear_episode_list_dup_episode (EarEpisodeList *self, guint position)
{
  const gint64 id = ear_id_sequence_get (self->ids, position);
  EarEpisode *live = ear_catalogue_lookup_live (self->catalogue, id);
  GPtrArray *page;

  if (live != NULL)
    return g_object_ref (live);

  page = load_page (self, position - position % EAR_EPISODE_ROWS_PAGE);
  g_clear_pointer (&self->pages[self->oldest_page], g_ptr_array_unref);
  self->pages[self->oldest_page] = page;
  self->oldest_page = (self->oldest_page + 1) % EAR_EPISODE_LIST_N_PAGES;
  for (guint i = 0; i < page->len; i++)
    if (ear_episode_get_id (g_ptr_array_index (page, i)) == id)
      return g_object_ref (g_ptr_array_index (page, i));

  return make_placeholder (id);
}

/* Releases all objects: other rows will be shown. */
void
ear_episode_list_drop_pages (EarEpisodeList *self)
{
  for (guint i = 0; i < EAR_EPISODE_LIST_N_PAGES; i++)
    g_clear_pointer (&self->pages[i], g_ptr_array_unref);
}

/* Returns the number of rows. */
static guint
get_rows_around (GArray *ids, guint position, guint *first)
{
  const guint end = position < ids->len ? position + ROWS_AROUND : ids->len;

  *first = position > ROWS_AROUND ? position - ROWS_AROUND : 0;

  return MIN (end, ids->len) - MIN (*first, ids->len);
}

/* @ids: (element-type gint64): a result of the catalogue
 * Returns: whether the rows around @position need no disk access: the reader thread has
 * read the first ones before it returned the result, or all of them are live */
gboolean
ear_episode_list_is_fetched (EarEpisodeList *self, GArray *ids, guint position)
{
  guint first;
  const guint n_ids = get_rows_around (ids, position, &first);

  if (first + n_ids <= EAR_EPISODE_ROWS_PREFETCHED)
    return TRUE;
  for (guint i = first; i < first + n_ids; i++)
    if (ear_catalogue_lookup_live (self->catalogue, g_array_index (ids, gint64, i)) == NULL)
      return FALSE;

  return TRUE;
}

/* Reads the rows around @position ahead, on the reader thread.
 * @ids: (element-type gint64): the ids to be shown */
void
ear_episode_list_prefetch_async (
    EarEpisodeList *self, GArray *ids, guint position, GAsyncReadyCallback callback, gpointer user_data)
{
  guint first;
  const guint n_ids = get_rows_around (ids, position, &first);

  ear_catalogue_prefetch_async (self->catalogue, self->catalogue->reader, &g_array_index (ids, gint64, first), n_ids,
                                self->cancellable, callback, user_data);
}
