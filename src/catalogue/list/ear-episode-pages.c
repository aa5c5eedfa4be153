/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-pages.h"

#include "ear-catalogue-private.h"
#include "ear-episode-rows.h"

/* More rows than a list view holds, so that scrolling makes each object once. */
#define N_PAGES 8

/* What a list view looks at on either side of what is in sight, a hundred rows, with whole pages of them. */
#define ROWS_AROUND (3 * EAR_EPISODE_ROWS_PAGE)

/*
 * The pages of rows that were loaded last, for a list: whatever row is asked for, the
 * rows around it are read with it, and their objects are kept for a while.
 */
struct _EarEpisodePages
{
  /* Owned */
  EarCatalogue *catalogue;
  GPtrArray *pages[N_PAGES]; /* (nullable) (element-type EarEpisode) */

  guint oldest;
};

EarEpisodePages *
ear_episode_pages_new (EarCatalogue *catalogue)
{
  EarEpisodePages *self = g_new0 (EarEpisodePages, 1);

  self->catalogue = g_object_ref (catalogue);

  return self;
}

/**
 * ear_episode_pages_free:
 * @self: (transfer full): pages
 */
void
ear_episode_pages_free (EarEpisodePages *self)
{
  ear_episode_pages_drop (self);
  g_object_unref (self->catalogue);
  g_free (self);
}

/* The row is gone from the catalogue, and will be from the list as soon as it knows. */
static EarEpisode *
make_placeholder (gint64 id)
{
  g_autoptr (EarPodcast) podcast = ear_podcast_new (0, "");

  return ear_episode_new (id, podcast, "");
}

/* What is in the page that begins at @start: nothing beyond the end. */
static guint
get_page_ids (EarIdSequence *ids, guint start, gint64 *page)
{
  const guint n_all = ear_id_sequence_get_n_ids (ids);
  const guint n_ids = start < n_all ? MIN (n_all - start, EAR_EPISODE_ROWS_PAGE) : 0;

  for (guint i = 0; i < n_ids; i++)
    page[i] = ear_id_sequence_get (ids, start + i);

  return n_ids;
}

/* Whoever scrolls comes to the pages beside it next. */
static GPtrArray *
load_page (EarEpisodePages *self, EarIdSequence *ids, guint start)
{
  gint64 page[EAR_EPISODE_ROWS_PAGE];
  GPtrArray *episodes = ear_catalogue_load_page (self->catalogue, page, get_page_ids (ids, start, page));

  ear_catalogue_prefetch_page (self->catalogue, page, get_page_ids (ids, start + EAR_EPISODE_ROWS_PAGE, page));
  if (start >= EAR_EPISODE_ROWS_PAGE)
    ear_catalogue_prefetch_page (self->catalogue, page, get_page_ids (ids, start - EAR_EPISODE_ROWS_PAGE, page));

  return episodes;
}

/**
 * ear_episode_pages_get:
 *
 * Returns: (transfer full): the episode there, live or loaded with the rows around it
 */
EarEpisode *
ear_episode_pages_get (EarEpisodePages *self, EarIdSequence *ids, guint position)
{
  const gint64 id = ear_id_sequence_get (ids, position);
  EarEpisode *live = ear_catalogue_lookup_live (self->catalogue, id);
  GPtrArray *page;

  if (live != NULL)
    return g_object_ref (live);

  page = load_page (self, ids, position - position % EAR_EPISODE_ROWS_PAGE);
  g_clear_pointer (&self->pages[self->oldest], g_ptr_array_unref);
  self->pages[self->oldest] = page;
  self->oldest = (self->oldest + 1) % N_PAGES;
  for (guint i = 0; i < page->len; i++)
    if (ear_episode_get_id (g_ptr_array_index (page, i)) == id)
      return g_object_ref (g_ptr_array_index (page, i));

  return make_placeholder (id);
}

/* Lets go of all objects: other rows are going to be looked at. */
void
ear_episode_pages_drop (EarEpisodePages *self)
{
  for (guint i = 0; i < N_PAGES; i++)
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

/**
 * ear_episode_pages_are_fetched:
 * @ids: (element-type gint64): an answer of the catalogue
 *
 * Returns: whether no disk has to be asked for the rows around @position: the reader thread has read the
 *     first ones before it answered, or somebody holds them all
 */
gboolean
ear_episode_pages_are_fetched (EarEpisodePages *self, GArray *ids, guint position)
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

/**
 * ear_episode_pages_prefetch_async:
 * @ids: (element-type gint64): what the list is going to show
 *
 * Has the rows around @position fetched from the disk.
 */
void
ear_episode_pages_prefetch_async (EarEpisodePages *self, GArray *ids, guint position, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  guint first;
  const guint n_ids = get_rows_around (ids, position, &first);

  ear_catalogue_prefetch_async (self->catalogue, self->catalogue->reader, &g_array_index (ids, gint64, first), n_ids, cancellable,
                                callback, user_data);
}
