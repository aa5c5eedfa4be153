/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-list-private.h"

#include "ear-catalogue-private.h"
#include "ear-episode-rows.h"

/*
 * How many rows the list shows, and the objects of those that somebody looks at: a list that shows the first ids of an
 * answer becomes all of it step by step, so that no frame has to wait for it; and whatever row is asked for, the rows
 * around it are read with it, and their objects are kept for a while.
 */

/* A list view makes widgets for two hundred rows and a few, in sight or not, at up to 1 ms
 * each: they come a few in each frame. More than those cost it about 1 µs a row. */
#define WIDGETS 220
#define WIDGETS_STEP 8
#define STEP 4000
#define STEP_INTERVAL 20 /* milliseconds: a frame comes between two steps */
#define FIRST_INTERVAL 100

/* What a list view looks at on either side of what is in sight, a hundred rows, with whole pages of them. */
#define ROWS_AROUND (3 * EAR_EPISODE_ROWS_PAGE)

/* --- Growing ------------------------------------------------------------------------- */

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
  /* Whoever hears of it may stop this. */
  ear_id_sequence_extend (self->ids, all, n_new);

  return G_SOURCE_CONTINUE;
}

/* Stops, and begins to grow to another answer.
 * @all: (element-type gint64): what the sequence is to become
 * Returns: (transfer full) (element-type gint64): what the caller is to show */
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

/* Leaves the sequence as it is. */
void
ear_episode_list_stop_growing (EarEpisodeList *self)
{
  if (self->growth_source != NULL)
    g_source_destroy (self->growth_source);
  g_clear_pointer (&self->growth_source, g_source_unref);
  g_clear_pointer (&self->growing_to, g_array_unref);
}

/* @all: (element-type gint64): what the sequence is to become
 * Returns: how much of it to show at once: all, when it is grown and there is not much more */
guint
ear_episode_list_count_at_once (EarEpisodeList *self, GArray *all, guint n_shown)
{
  return self->growing_to == NULL && all->len <= n_shown + get_step (n_shown) ? all->len : MIN (n_shown, all->len);
}

/* --- Pages --------------------------------------------------------------------------- */

/* The row is gone from the catalogue, and will be from the list as soon as it knows. */
static EarEpisode *
make_placeholder (gint64 id)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (0, "");

  return ear_episode_new (id, podcast, "");
}

/* What is in the page that begins at @start: nothing beyond the end. */
static guint
get_page_ids (EarEpisodeList *self, guint start, gint64 *page)
{
  const guint n_all = ear_id_sequence_get_n_ids (self->ids);
  const guint n_ids = start < n_all ? MIN (n_all - start, EAR_EPISODE_ROWS_PAGE) : 0;

  for (guint i = 0; i < n_ids; i++)
    page[i] = ear_id_sequence_get (self->ids, start + i);

  return n_ids;
}

/* Whoever scrolls comes to the pages beside it next. */
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

/* Returns: (transfer full): the episode there, live or loaded with the rows around it */
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

/* Lets go of all objects: other rows are going to be looked at. */
void
ear_episode_list_drop_pages (EarEpisodeList *self)
{
  for (guint i = 0; i < EAR_EPISODE_LIST_N_PAGES; i++)
    g_clear_pointer (&self->pages[i], g_ptr_array_unref);
}

/* Gives how many. */
static guint
get_rows_around (GArray *ids, guint position, guint *first)
{
  const guint end = position < ids->len ? position + ROWS_AROUND : ids->len;

  *first = position > ROWS_AROUND ? position - ROWS_AROUND : 0;

  return MIN (end, ids->len) - MIN (*first, ids->len);
}

/* @ids: (element-type gint64): an answer of the catalogue
 * Returns: whether no disk has to be asked for the rows around @position: the reader thread has read the
 *     first ones before it answered, or somebody holds them all */
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

/* Has the rows around @position fetched from the disk.
 * @ids: (element-type gint64): what the list is going to show */
void
ear_episode_list_prefetch_async (
    EarEpisodeList *self, GArray *ids, guint position, GAsyncReadyCallback callback, gpointer user_data)
{
  guint first;
  const guint n_ids = get_rows_around (ids, position, &first);

  ear_catalogue_prefetch_async (self->catalogue, self->catalogue->reader, &g_array_index (ids, gint64, first), n_ids,
                                self->cancellable, callback, user_data);
}
