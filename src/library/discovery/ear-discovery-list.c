/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery-list.h"

#include "ear-address.h"
#include "ear-discovery-rank.h"

/* Joins the answers of several directories: one row a feed, however its URL is written.
 * The results of an older question stay until the new one has some, so that rows do not
 * flicker during typing. */
struct _EarDiscoveryList
{
  /* Owned */
  GListStore *model;     /* of EarDiscoveryResult */
  GPtrArray *results;    /* (element-type EarDiscoveryResult): its items */
  GHashTable *by_key;    /* (element-type utf8 EarDiscoveryResult): of this question */
  GListModel *podcasts;
  GHashTable *followed;  /* (element-type utf8 EarPodcast): by the keys of their URLs */
  EarPodcast *like;

  gboolean is_old;       /* the results are of an older question */
};

#define RESULT_LIMIT 300

static int
compare_results (gconstpointer a, gconstpointer b)
{
  EarDiscoveryResult *one = *(EarDiscoveryResult **) a;
  EarDiscoveryResult *other = *(EarDiscoveryResult **) b;
  EarDiscoveryReason one_reason, other_reason;
  const double difference =
      ear_discovery_result_get_score (other) - ear_discovery_result_get_score (one);

  g_object_get (one, "reason", &one_reason, NULL);
  g_object_get (other, "reason", &other_reason, NULL);
  if (one_reason != other_reason)
    return one_reason < other_reason ? -1 : 1;

  return (difference > 0) - (difference < 0);
}

/* Replaces the rows between the equal ones at the top and at the end. */
static void
show (EarDiscoveryList *self, GPtrArray *results)
{
  g_autoptr (GPtrArray) old = g_steal_pointer (&self->results);
  guint first = 0;
  guint last = 0;

  self->results = g_ptr_array_ref (results);
  while (first < old->len && first < results->len && old->pdata[first] == results->pdata[first])
    first++;
  while (last < old->len - first && last < results->len - first &&
         old->pdata[old->len - 1 - last] == results->pdata[results->len - 1 - last])
    last++;
  if (first < old->len || first < results->len)
    g_list_store_splice (self->model, first, old->len - first - last, results->pdata + first,
                         results->len - first - last);
}

static EarPodcast *
find_followed (EarDiscoveryList *self, EarDiscoveryResult *result)
{
  return g_hash_table_lookup (self->followed, ear_discovery_result_get_key (result));
}

static void
add_followed (EarDiscoveryList *self, EarPodcast *podcast, const char *address)
{
  if (address != NULL)
    g_hash_table_insert (self->followed, ear_address_key (address), g_object_ref (podcast));
}

static void
podcasts_changed_cb (EarDiscoveryList *self)
{
  g_hash_table_remove_all (self->followed);
  for (guint i = 0; self->podcasts != NULL && i < g_list_model_get_n_items (self->podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (self->podcasts, i);

      add_followed (self, podcast, ear_podcast_get_address (podcast));
      add_followed (self, podcast, ear_podcast_get_feed_address (podcast));
    }
  for (guint i = 0; i < self->results->len; i++)
    ear_discovery_result_set_podcast (self->results->pdata[i],
                                      find_followed (self, self->results->pdata[i]));
}

EarDiscoveryList *
ear_discovery_list_new (void)
{
  EarDiscoveryList *self = g_new0 (EarDiscoveryList, 1);

  self->model = g_list_store_new (EAR_TYPE_DISCOVERY_RESULT);
  self->results = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  self->followed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);

  return self;
}

/* @self: (transfer full): the list */
void
ear_discovery_list_free (EarDiscoveryList *self)
{
  ear_discovery_list_set_podcasts (self, NULL);
  g_clear_object (&self->like);
  g_object_unref (self->model);
  g_ptr_array_unref (self->results);
  g_hash_table_unref (self->by_key);
  g_hash_table_unref (self->followed);
  g_free (self);
}

GListModel *
ear_discovery_list_get_model (EarDiscoveryList *self)
{
  return G_LIST_MODEL (self->model);
}

/* @podcasts: (nullable) (element-type EarPodcast): the followed podcasts, which the
 * results refer to */
void
ear_discovery_list_set_podcasts (EarDiscoveryList *self, GListModel *podcasts)
{
  if (self->podcasts != NULL)
    g_signal_handlers_disconnect_by_data (self->podcasts, self);
  g_set_object (&self->podcasts, podcasts);
  if (podcasts != NULL)
    g_signal_connect_swapped (podcasts, "items-changed", G_CALLBACK (podcasts_changed_cb), self);
  podcasts_changed_cb (self);
}

/* Begins a new question.
 * @like: (nullable): the podcast of a search for similar ones, which is left out */
void
ear_discovery_list_begin (EarDiscoveryList *self, EarPodcast *like)
{
  g_set_object (&self->like, like);
  g_hash_table_remove_all (self->by_key);
  self->is_old = TRUE;
}

/* Ends the question, which removes the results of an older one. */
void
ear_discovery_list_end (EarDiscoveryList *self)
{
  g_autoptr (GPtrArray) nothing = g_ptr_array_new_with_free_func (g_object_unref);

  if (self->is_old)
    show (self, nothing);
  self->is_old = FALSE;
}

static gboolean
texts_are_same (const char *one, const char *other)
{
  g_autofree char *folded = one != NULL ? g_utf8_casefold (one, -1) : NULL;
  g_autofree char *other_folded = other != NULL ? g_utf8_casefold (other, -1) : NULL;

  return g_strcmp0 (folded, other_folded) == 0;
}

/* Directories match the words of an author's name anywhere. */
static gboolean
fits (EarDiscoveryList *self, EarDirectoryEntry *entry, EarDiscoveryReason reason)
{
  g_autofree char *key = ear_address_key (entry->address);
  g_autofree char *own = NULL;

  if (self->like == NULL)
    return TRUE;
  own = ear_address_key (ear_podcast_get_feed_address (self->like));
  if (g_str_equal (key, own) || texts_are_same (entry->title, ear_podcast_get_title (self->like)))
    return FALSE;

  return reason != EAR_DISCOVERY_SAME_AUTHOR ||
         texts_are_same (entry->author, ear_podcast_get_facts (self->like)->author);
}

/* A feed that redirects to the URL of a followed podcast is that podcast. */
static void
follow_move (EarDiscoveryList *self, EarDirectoryEntry *entry)
{
  g_autofree char *key = ear_address_key (entry->address);
  g_autofree char *moved = entry->moved != NULL ? ear_address_key (entry->moved) : NULL;

  if (moved != NULL && !g_hash_table_contains (self->followed, key) &&
      g_hash_table_contains (self->followed, moved))
    g_set_str (&entry->address, entry->moved);
}

/* Joins an answer with those of other directories.
 * @entries: (element-type EarDirectoryEntry): an answer, best first
 * @words: (nullable): words of the search */
void
ear_discovery_list_add (EarDiscoveryList *self, GPtrArray *entries, EarDiscoveryReason reason,
                        const char *words)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);

  if (entries->len == 0)
    return;
  for (guint i = 0; !self->is_old && i < self->results->len; i++)
    g_ptr_array_add (results, g_object_ref (self->results->pdata[i]));
  for (guint i = 0; i < entries->len && results->len < RESULT_LIMIT; i++)
    {
      EarDirectoryEntry *entry = g_ptr_array_index (entries, i);
      g_autofree char *key = NULL;
      EarDiscoveryResult *result;

      follow_move (self, entry);
      key = ear_address_key (entry->address);
      result = g_hash_table_lookup (self->by_key, key);
      if (!fits (self, entry, reason))
        continue;
      if (result == NULL)
        {
          result = ear_discovery_result_new (entry, reason);
          ear_discovery_result_set_podcast (result, find_followed (self, result));
          g_hash_table_insert (self->by_key, (char *) ear_discovery_result_get_key (result),
                               result);
          g_ptr_array_add (results, result);
          if (words != NULL)
            ear_discovery_result_add (
                result, entry, ear_discovery_rank_title (entry->title, entry->author, words));
        }
      ear_discovery_result_add (result, entry, ear_discovery_rank_place (i));
    }
  if (results->len == 0)
    return;

  g_ptr_array_sort (results, compare_results);
  self->is_old = FALSE;
  show (self, results);
}
