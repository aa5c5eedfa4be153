/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-list.h"

#include "ear-catalogue-private.h"
#include "ear-episode-pages.h"
#include "ear-episode-sql.h"
#include "ear-id-growth.h"

/* Of a search, the newest hits come first, and the best of them as soon as they are known. */
#define RANKED_STEP 1000

/* A list view holds a hundred rows on either side of those in sight. */
#define ROWS_BEHIND 120

/* While a refresh brings batch after batch, asking again takes this part of the time. */
#define REST_FACTOR 8
#define REST_MIN (50 * G_TIME_SPAN_MILLISECOND)
#define REST_MAX (2 * G_TIME_SPAN_SECOND)

/**
 * EarEpisodeList:
 *
 * The episodes that a query finds, as a list model over an array of row ids.
 *
 * Objects are made for the rows that somebody looks at, a page at a time. When the
 * catalogue says that something changed which the query looks at, it is asked again, and
 * only the rows that differ come or go.
 */
struct _EarEpisodeList
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarEpisodeQuery *query;
  GCancellable *cancellable;
  GMainContext *context;
  EarIdSequence *ids;      /* what the list shows */
  EarEpisodePages *pages;  /* (nullable): of what somebody looks at */
  EarIdGrowth *growth;     /* of @ids */
  GSource *requery_source; /* (nullable) */
  EarEpisode *pinned;      /* (nullable) */

  guint in_sight; /* position in the middle of what somebody looks at; 0 at the top */
  guint serial;   /* of the query; answers to earlier ones are not for us */
  gboolean asking; /* a query is on its way */
  gboolean dirty; /* something has changed since it was sent */
  gboolean loading;
  gint64 rest_until; /* monotonic time */
};

typedef enum
{
  PROP_CATALOGUE = 1,
  PROP_QUERY,
  PROP_LOADING,
  PROP_N_ITEMS,
  PROP_PINNED,
} EarEpisodeListProperty;

static GParamSpec *props[PROP_PINNED + 1];

/* A query on its way; it does not keep the list. */
typedef struct
{
  GWeakRef list;
  GArray *ids; /* (nullable) (element-type gint64): its answer, while the rows are fetched that will be in sight */
  guint serial;
  guint limit;
  gboolean again; /* because something has changed */
  gint64 sent;    /* monotonic time */
} Question;

static void
question_free (Question *question)
{
  g_weak_ref_clear (&question->list);
  g_clear_pointer (&question->ids, g_array_unref);
  g_free (question);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

/* --- List model ---------------------------------------------------------------------- */

static GType
ear_episode_list_get_item_type (GListModel *model)
{
  return EAR_TYPE_EPISODE;
}

static guint
ear_episode_list_get_n_items (GListModel *model)
{
  return ear_id_sequence_get_n_ids (EAR_EPISODE_LIST (model)->ids);
}

static gpointer
ear_episode_list_get_item (GListModel *model, guint position)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (model);

  if (position >= ear_id_sequence_get_n_ids (self->ids))
    return NULL;

  return ear_episode_pages_get (self->pages, self->ids, position);
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = ear_episode_list_get_item_type;
  iface->get_n_items = ear_episode_list_get_n_items;
  iface->get_item = ear_episode_list_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (EarEpisodeList,
                               ear_episode_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

/* --- Changing what is shown ---------------------------------------------------------- */

static void
ids_changed_cb (guint position, guint n_removed, guint n_added, gpointer user_data)
{
  EarEpisodeList *self = user_data;

  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
  if (n_removed != n_added)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_ITEMS]);
}

static void
make_ids (EarEpisodeList *self)
{
  self->ids = ear_id_sequence_new (ids_changed_cb, self);
  self->growth = ear_id_growth_new (self->ids, self->context);
}

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* Whether an answer of that size is only the newest of those that are asked for by rank. */
static gboolean
is_newest_only (const EarEpisodeQuery *query, guint limit)
{
  return ear_episode_query_is_ranked (query) && limit == ear_episode_query_get_n_first (query);
}

/* How much of a new answer to show at once: up to the last row that is shown already, of hits that are put
 * in order up to where somebody is going to look, and all of it when there is not much more. */
static guint
get_n_shown (EarEpisodeList *self, GArray *all, guint in_sight)
{
  guint n_shown = ear_episode_query_get_n_first (self->query);

  if (ear_episode_query_is_ranked (self->query))
    n_shown = MAX (n_shown, MAX (ear_id_sequence_get_n_ids (self->ids), in_sight > 0 ? in_sight + ROWS_BEHIND : 0));
  else
    n_shown = MAX (n_shown, ear_id_sequence_get_n_covered (self->ids, all));

  return ear_id_growth_count_at_once (self->growth, all, n_shown);
}

static void
take_first_answer (EarEpisodeList *self, GArray *ids)
{
  g_autoptr (GArray) start = ear_id_growth_start (self->growth, ids, ear_episode_query_get_n_first (self->query));

  ear_episode_pages_drop (self->pages);
  self->loading = FALSE;
  ear_id_sequence_replace (self->ids, start);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LOADING]);
}

/* The pinned row stays where it is; the ranked ones are put around it. */
static gint64
hold_pinned (EarEpisodeList *self, GArray *ids)
{
  const gboolean pinning = self->pinned != NULL && ear_episode_query_is_ranked (self->query);
  const gint64 id = pinning ? ear_episode_get_id (self->pinned) : 0;

  return pinning && ear_id_sequence_hold (self->ids, ids, id) ? id : 0;
}

/* Who is at the top, and has chosen nothing there, wants to see the best as soon as it is known; rows that
 * stayed would take the list view along to wherever they belong. */
static gboolean
begins_with_best (EarEpisodeList *self, const Question *question, gint64 pinned)
{
  return question->limit == RANKED_STEP && pinned == 0 && self->in_sight == 0;
}

/* Where of an answer somebody is going to look; 0 at the top. */
static guint
foresee (EarEpisodeList *self, GArray *ids, gint64 pinned)
{
  return self->in_sight > 0 ? ear_id_sequence_foresee (self->ids, ids, pinned, self->in_sight) : 0;
}

static void
take_next_answer (EarEpisodeList *self, const Question *question, GArray *ids)
{
  const gint64 pinned = hold_pinned (self, ids);
  const gboolean anew = begins_with_best (self, question, pinned) && !ear_id_sequence_is_start_of (self->ids, ids);
  const guint in_sight = ear_episode_query_is_ranked (self->query) ? foresee (self, ids, pinned) : 0;
  g_autoptr (GArray) start = ear_id_growth_start (self->growth, ids, get_n_shown (self, ids, in_sight));

  if (anew)
    ear_id_sequence_replace (self->ids, start);
  else
    ear_id_sequence_change_to (self->ids, start, pinned, self->in_sight);
}

/* --- Asking -------------------------------------------------------------------------- */

/* The answer may be a reason to ask again. */
static void answered_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
ask (EarEpisodeList *self, guint limit, gboolean again)
{
  Question *question = g_new0 (Question, 1);
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_copy (self->query);

  /* The newest ones are there before all are found and put in order. */
  if (is_newest_only (query, limit))
    query->sort = EAR_SORT_NEWEST;

  g_weak_ref_init (&question->list, self);
  question->serial = self->serial;
  question->limit = limit;
  question->again = again;
  question->sent = g_get_monotonic_time ();
  self->asking = TRUE;
  self->dirty = FALSE;
  ear_catalogue_query_async (self->catalogue, query, limit, self->cancellable, answered_cb, question);
}

static gboolean
requery_cb (gpointer user_data)
{
  EarEpisodeList *self = user_data;

  clear_source (&self->requery_source);
  ask (self, 0, TRUE);

  return G_SOURCE_REMOVE;
}

/* At once when it has been quiet, else after a rest. */
static void
ask_again (EarEpisodeList *self)
{
  gint64 rest = self->rest_until - g_get_monotonic_time ();

  self->dirty = TRUE;
  if (self->query == NULL || self->asking || self->requery_source != NULL)
    return;
  if (rest <= 0)
    {
      ask (self, 0, TRUE);
      return;
    }
  self->requery_source = g_timeout_source_new ((guint) (rest / G_TIME_SPAN_MILLISECOND) + 1);
  g_source_set_static_name (self->requery_source, "[earmark] episode list asks again");
  g_source_set_callback (self->requery_source, requery_cb, self, NULL);
  g_source_attach (self->requery_source, self->context);
}

static void
take_answer (EarEpisodeList *self, const Question *question, GArray *ids)
{
  /* There is more than was asked for at first, or it has changed since. */
  const gboolean more = question->limit > 0 && (ids->len == question->limit || is_newest_only (self->query, question->limit));

  self->asking = FALSE;
  if (self->loading)
    take_first_answer (self, ids);
  else
    take_next_answer (self, question, ids);
  if (question->serial != self->serial)
    return;
  if (more)
    ask (self, is_newest_only (self->query, question->limit) ? RANKED_STEP : 0, FALSE);
  else if (self->dirty)
    ask_again (self);
}

static void
warmed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autoptr (EarEpisodeList) self = g_weak_ref_get (&question->list);

  if (self != NULL && question->serial == self->serial)
    take_answer (self, question, question->ids);
}

/* Of hits that are going to be in another order, those that will be in sight are fetched from the disk
 * first: the list view asks for each as it comes. */
static gboolean
warm_first (EarEpisodeList *self, Question *question, GArray *ids)
{
  g_autoptr (GArray) held = NULL;
  guint in_sight;

  if (self->loading || self->in_sight == 0 || !ear_episode_query_is_ranked (self->query))
    return FALSE;
  held = g_array_copy (ids);
  in_sight = foresee (self, held, hold_pinned (self, held));
  if (ear_episode_pages_are_warm (self->pages, held, in_sight))
    return FALSE;
  question->ids = g_array_ref (ids);
  ear_episode_pages_warm_async (self->pages, held, in_sight, self->cancellable, warmed_cb, question);

  return TRUE;
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autoptr (EarEpisodeList) self = g_weak_ref_get (&question->list);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_query_finish (EAR_CATALOGUE (source), result, &error);
  const gint64 now = g_get_monotonic_time ();

  if (self == NULL || question->serial != self->serial)
    return;
  if (question->again)
    self->rest_until = now + CLAMP (REST_FACTOR * (now - question->sent), REST_MIN, REST_MAX);
  if (ids == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
          !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
        g_message ("A list of episodes cannot be loaded: %s", error->message);
      ids = g_array_new (FALSE, FALSE, sizeof (gint64));
      if (!self->loading)
        {
          /* What is shown stays, and what has changed meanwhile is a reason to ask all the same. */
          self->asking = FALSE;
          if (self->dirty)
            ask_again (self);
          return;
        }
    }

  if (warm_first (self, question, ids))
    question = NULL;
  else
    take_answer (self, question, ids);
}

/* --- What the catalogue says --------------------------------------------------------- */

static gboolean
is_about (EarEpisodeList *self, gint64 podcast)
{
  return self->query != NULL && (self->query->podcast == 0 || self->query->podcast == podcast);
}

static void
episodes_moved_cb (EarCatalogue *catalogue, gint64 podcast, GArray *ids, EarEpisodeList *self)
{
  if (is_about (self, podcast))
    ask_again (self);
}

static void
episodes_changed_cb (EarCatalogue *catalogue, gint64 podcast, GArray *ids, EarEpisodeList *self)
{
  if (is_about (self, podcast) && (ear_episode_query_get_interest (self->query) & ear_catalogue_get_change (catalogue)) != 0)
    ask_again (self);
}

/* --- Class --------------------------------------------------------------------------- */

static void
ear_episode_list_constructed (GObject *object)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  G_OBJECT_CLASS (ear_episode_list_parent_class)->constructed (object);

  if (self->catalogue == NULL)
    return;
  self->pages = ear_episode_pages_new (self->catalogue);
  g_signal_connect_object (self->catalogue, "episodes-inserted", G_CALLBACK (episodes_moved_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (self->catalogue, "episodes-removed", G_CALLBACK (episodes_moved_cb), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (self->catalogue, "episodes-changed", G_CALLBACK (episodes_changed_cb), self,
                           G_CONNECT_DEFAULT);
}

static void
ear_episode_list_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  switch ((EarEpisodeListProperty) property_id)
    {
    case PROP_CATALOGUE:
      g_value_set_object (value, self->catalogue);
      break;
    case PROP_QUERY:
      g_value_set_boxed (value, self->query);
      break;
    case PROP_LOADING:
      g_value_set_boolean (value, self->loading);
      break;
    case PROP_N_ITEMS:
      g_value_set_uint (value, ear_id_sequence_get_n_ids (self->ids));
      break;
    case PROP_PINNED:
      g_value_set_object (value, self->pinned);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_list_set_property (GObject *object, guint property_id, const GValue *value, GParamSpec *pspec)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  switch (property_id)
    {
    case PROP_CATALOGUE:
      self->catalogue = g_value_dup_object (value);
      break;
    case PROP_QUERY:
      ear_episode_list_set_query (self, g_value_get_boxed (value));
      break;
    case PROP_PINNED:
      ear_episode_list_set_pinned (self, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_episode_list_dispose (GObject *object)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  g_cancellable_cancel (self->cancellable);
  clear_source (&self->requery_source);
  g_clear_pointer (&self->growth, ear_id_growth_free);
  g_clear_pointer (&self->ids, ear_id_sequence_free);
  make_ids (self);
  g_clear_pointer (&self->pages, ear_episode_pages_free);
  g_clear_pointer (&self->query, ear_episode_query_free);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->pinned);

  G_OBJECT_CLASS (ear_episode_list_parent_class)->dispose (object);
}

static void
ear_episode_list_finalize (GObject *object)
{
  EarEpisodeList *self = EAR_EPISODE_LIST (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->growth, ear_id_growth_free);
  g_clear_pointer (&self->ids, ear_id_sequence_free);
  g_clear_pointer (&self->context, g_main_context_unref);

  G_OBJECT_CLASS (ear_episode_list_parent_class)->finalize (object);
}

static void
ear_episode_list_class_init (EarEpisodeListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = ear_episode_list_constructed;
  object_class->get_property = ear_episode_list_get_property;
  object_class->set_property = ear_episode_list_set_property;
  object_class->dispose = ear_episode_list_dispose;
  object_class->finalize = ear_episode_list_finalize;

  /**
   * EarEpisodeList:catalogue:
   *
   * Where the episodes are.
   */
  props[PROP_CATALOGUE] =
      g_param_spec_object ("catalogue", NULL, NULL, EAR_TYPE_CATALOGUE,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  /**
   * EarEpisodeList:query:
   *
   * Which episodes the list shows. Until the answer is there, it shows what it showed.
   */
  props[PROP_QUERY] =
      g_param_spec_boxed ("query", NULL, NULL, EAR_TYPE_EPISODE_QUERY,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  /**
   * EarEpisodeList:loading:
   *
   * Whether the first answer to the query has not come yet.
   */
  props[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, readable);
  /**
   * EarEpisodeList:n-items:
   *
   * How many episodes the list shows.
   */
  props[PROP_N_ITEMS] = g_param_spec_uint ("n-items", NULL, NULL, 0, G_MAXUINT, 0, readable);
  /**
   * EarEpisodeList:pinned:
   *
   * An episode whose row stays where it is when the hits of a search, which come newest
   * first, are put in the order of %EAR_SORT_RANKED: the one that the listener looks at.
   */
  props[PROP_PINNED] =
      g_param_spec_object ("pinned", NULL, NULL, EAR_TYPE_EPISODE,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_episode_list_init (EarEpisodeList *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->cancellable = g_cancellable_new ();
  make_ids (self);
}

/* --- Public -------------------------------------------------------------------------- */

/**
 * ear_episode_list_new:
 * @catalogue: where the episodes are
 *
 * Returns: (transfer full): a list that is empty until it has a query
 */
EarEpisodeList *
ear_episode_list_new (EarCatalogue *catalogue)
{
  return g_object_new (EAR_TYPE_EPISODE_LIST, "catalogue", catalogue, NULL);
}

/**
 * ear_episode_list_get_query:
 * @self: a list
 *
 * Returns: (transfer none) (nullable): the value of [property@EarEpisodeList:query]
 */
const EarEpisodeQuery *
ear_episode_list_get_query (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), NULL);

  return self->query;
}

static void
empty_list (EarEpisodeList *self)
{
  g_autoptr (GArray) nothing = g_array_new (FALSE, FALSE, sizeof (gint64));

  ear_id_growth_stop (self->growth);
  ear_id_sequence_replace (self->ids, nothing);
}

/**
 * ear_episode_list_set_query:
 * @self: a list
 * @query: (nullable): the new value; %NULL empties the list
 *
 * Sets [property@EarEpisodeList:query]. An answer to an earlier query that is still on its
 * way is not waited for.
 */
void
ear_episode_list_set_query (EarEpisodeList *self, const EarEpisodeQuery *query)
{
  gboolean loading;
  gboolean changed;

  g_return_if_fail (EAR_IS_EPISODE_LIST (self));

  if (ear_episode_query_equal (self->query, query))
    return;

  g_clear_pointer (&self->query, ear_episode_query_free);
  self->query = query != NULL ? ear_episode_query_copy (query) : NULL;
  self->serial++;
  self->asking = FALSE;
  clear_source (&self->requery_source);
  loading = query != NULL && self->catalogue != NULL;
  changed = self->loading != loading;
  self->loading = loading;
  /* In the order of an index the first rows are there at once; else all have to be sorted. */
  if (loading)
    ask (self, ear_episode_query_is_in_order (query) ? ear_episode_query_get_n_first (query) : 0, FALSE);

  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_QUERY]);
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LOADING]);
  if (self->query == NULL)
    empty_list (self);
}

/**
 * ear_episode_list_get_loading:
 * @self: a list
 *
 * Returns: the value of [property@EarEpisodeList:loading]
 */
gboolean
ear_episode_list_get_loading (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  return self->loading;
}

/**
 * ear_episode_list_get_id:
 * @self: a list
 * @position: of a row that the list has
 *
 * Tells which episode a row shows without making any object.
 *
 * Returns: row id of the episode
 */
gint64
ear_episode_list_get_id (EarEpisodeList *self, guint position)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), 0);
  g_return_val_if_fail (position < ear_id_sequence_get_n_ids (self->ids), 0);

  return ear_id_sequence_get (self->ids, position);
}

/**
 * ear_episode_list_find:
 * @self: a list
 * @id: row id of an episode
 * @position: (out) (optional): where it stands
 *
 * Finds an episode without making any object.
 *
 * Returns: whether the list shows it
 */
gboolean
ear_episode_list_find (EarEpisodeList *self, gint64 id, guint *position)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), FALSE);

  return ear_id_sequence_find (self->ids, id, position);
}

/**
 * ear_episode_list_get_pinned:
 * @self: a list
 *
 * Returns: (transfer none) (nullable): the value of [property@EarEpisodeList:pinned]
 */
EarEpisode *
ear_episode_list_get_pinned (EarEpisodeList *self)
{
  g_return_val_if_fail (EAR_IS_EPISODE_LIST (self), NULL);

  return self->pinned;
}

/**
 * ear_episode_list_set_pinned:
 * @self: a list
 * @pinned: (nullable): the new value
 *
 * Sets [property@EarEpisodeList:pinned].
 */
void
ear_episode_list_set_pinned (EarEpisodeList *self, EarEpisode *pinned)
{
  g_return_if_fail (EAR_IS_EPISODE_LIST (self));
  g_return_if_fail (pinned == NULL || EAR_IS_EPISODE (pinned));

  if (g_set_object (&self->pinned, pinned))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PINNED]);
}

/**
 * ear_episode_list_set_in_sight:
 * @self: a list
 * @position: the row in the middle of what somebody sees, or 0 while that begins with the first one
 *
 * Tells where somebody is who has scrolled: hits that are put in order leave him there, with the rows
 * around him fetched before. At the top, the best come to him.
 */
void
ear_episode_list_set_in_sight (EarEpisodeList *self, guint position)
{
  g_return_if_fail (EAR_IS_EPISODE_LIST (self));

  self->in_sight = position;
}
