/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-snippet-queue.h"

#include "ear-property.h"

/* Delay of a new search after a change, and after the next ones */
#define SOON_MS 100
#define AGAIN_MS 2000

/**
 * EarSnippetQueue:
 *
 * Finds out where the words of a search are, for one row after the other: a list view
 * has two hundred of them, and the next keystroke must not wait behind all.
 */
struct _EarSnippetQueue
{
  GObject parent_instance;

  /* Owned */
  EarLibrary *library;
  char *search;
  GQueue waiting;            /* (element-type Request) */
  GCancellable *cancellable; /* (nullable): of the one on its way */
  GSignalGroup *catalogue_signals;
  guint stale; /* source: repeats the search after a change */
  gint64 told; /* monotonic time: when it was the last time */

  /* Borrowed */
  EarSnippetFunc func; /* (nullable): who waits for it */
  gpointer user_data;
};

G_DEFINE_FINAL_TYPE (EarSnippetQueue, ear_snippet_queue, G_TYPE_OBJECT)

typedef struct
{
  EarEpisode *episode; /* owned */
  EarSnippetFunc func;
  gpointer user_data;
} Request;

static void
request_free (Request *request)
{
  g_object_unref (request->episode);
  g_free (request);
}

static void ask_next (EarSnippetQueue *self);

static void
snippet_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSnippetQueue) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarSnippet) snippet =
      ear_catalogue_load_snippet_finish (EAR_CATALOGUE (object), result, &error);

  /* Another search has begun, with a request of its own. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  g_clear_object (&self->cancellable);
  if (self->func != NULL)
    self->func (snippet, self->user_data);
  self->func = NULL;
  ask_next (self);
}

static void
ask_next (EarSnippetQueue *self)
{
  Request *request;

  if (self->cancellable != NULL || self->library == NULL || self->search == NULL)
    return;
  request = g_queue_pop_head (&self->waiting);
  if (request == NULL)
    return;

  self->cancellable = g_cancellable_new ();
  self->func = request->func;
  self->user_data = request->user_data;
  ear_catalogue_load_snippet_async (ear_library_get_catalogue (self->library), request->episode,
                                    self->search, self->cancellable, snippet_loaded_cb,
                                    g_object_ref (self));
  request_free (request);
}

static void
forget_all (EarSnippetQueue *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->func = NULL;
  g_queue_clear_full (&self->waiting, (GDestroyNotify) request_free);
}

static void
stale_cb (gpointer user_data)
{
  EarSnippetQueue *self = user_data;

  self->stale = 0;
  self->told = g_get_monotonic_time ();
  forget_all (self);
  g_object_notify (G_OBJECT (self), "search");
}

/* Many changes may come one after the other: all rows look for their words again after each. */
static void
look_again (EarSnippetQueue *self)
{
  const gboolean again =
      self->told != 0 && g_get_monotonic_time () - self->told < AGAIN_MS * G_TIME_SPAN_MILLISECOND;

  if (self->search != NULL && self->stale == 0)
    self->stale = g_timeout_add_once (again ? AGAIN_MS : SOON_MS, stale_cb, self);
}

/* Changes that excerpts depend on */
#define INTEREST (EAR_CHANGE_TEXT | EAR_CHANGE_MOMENTS | EAR_CHANGE_MARK (EAR_MARK_SHIFT))

static void
episodes_changed_cb (EarCatalogue *catalogue, gint64 podcast, GArray *ids, EarSnippetQueue *self)
{
  if ((ear_catalogue_get_change (catalogue) & INTEREST) != 0)
    look_again (self);
}

static void
ear_snippet_queue_dispose (GObject *object)
{
  EarSnippetQueue *self = EAR_SNIPPET_QUEUE (object);

  forget_all (self);
  g_clear_handle_id (&self->stale, g_source_remove);
  g_clear_object (&self->catalogue_signals);
  g_clear_object (&self->library);
  g_clear_pointer (&self->search, g_free);

  G_OBJECT_CLASS (ear_snippet_queue_parent_class)->dispose (object);
}

static void
ear_snippet_queue_class_init (EarSnippetQueueClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* The words that are looked for, %NULL for none; told, too, when they may be somewhere else now
     */
    { "search", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSnippetQueue, search) },
  };

  object_class->dispose = ear_snippet_queue_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_snippet_queue_init (EarSnippetQueue *self)
{
  g_queue_init (&self->waiting);
  self->catalogue_signals = g_signal_group_new (EAR_TYPE_CATALOGUE);
  g_signal_group_connect (self->catalogue_signals, "episodes-changed",
                          G_CALLBACK (episodes_changed_cb), self);
  g_signal_group_connect_swapped (self->catalogue_signals, "bookmarks-changed",
                                  G_CALLBACK (look_again), self);
}

EAR_DEFINE_GET (EarSnippetQueue, ear_snippet_queue, const char *, search)

/* Sets [property@EarSnippetQueue:search], and forgets who waits: whoever still wants to
 * know asks again.
 * @library: (nullable): where the episodes are
 * @search: (nullable): the new value */
void
ear_snippet_queue_set_search (EarSnippetQueue *self, EarLibrary *library, const char *search)
{
  g_return_if_fail (EAR_IS_SNIPPET_QUEUE (self));

  if (g_set_object (&self->library, library))
    g_signal_group_set_target (self->catalogue_signals,
                               library != NULL ? ear_library_get_catalogue (library) : NULL);
  if (!g_set_str (&self->search, search))
    return;

  forget_all (self);
  g_clear_handle_id (&self->stale, g_source_remove);
  g_object_notify (G_OBJECT (self), "search");
}

/* Asks where the words are in an episode. */
void
ear_snippet_queue_add (EarSnippetQueue *self,
                       EarEpisode *episode,
                       EarSnippetFunc func,
                       gpointer user_data)
{
  Request *request;

  g_return_if_fail (EAR_IS_SNIPPET_QUEUE (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  ear_snippet_queue_remove (self, user_data);
  request = g_new0 (Request, 1);
  request->episode = g_object_ref (episode);
  request->func = func;
  request->user_data = user_data;
  g_queue_push_tail (&self->waiting, request);
  ask_next (self);
}

/* Wants no answer any more. */
void
ear_snippet_queue_remove (EarSnippetQueue *self, gpointer user_data)
{
  g_return_if_fail (EAR_IS_SNIPPET_QUEUE (self));

  if (self->user_data == user_data)
    self->func = NULL;
  for (GList *item = self->waiting.head; item != NULL; item = item->next)
    {
      Request *request = item->data;

      if (request->user_data != user_data)
        continue;
      request_free (request);
      g_queue_delete_link (&self->waiting, item);
      break;
    }
}
