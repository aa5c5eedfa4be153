/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-collector.h"

#include "ear-link-facts.h"
#include "ear-show-notes.h"
#include "ear-worker.h"

/* Milliseconds to wait, as fetching feeds and opening the window come first */
#define DELAY_MS 3000

/* Collects the links of all episodes for the catalogue. It reads the notes of episodes
 * without collected links, some at a time and the newest first, parses them on a worker
 * and stores the links, together with the chapters in feeds. Collecting takes a sixth of
 * the time of a first fetch, which it does not delay; episodes stored by an earlier
 * version are handled in the same way. It continues where the last session ended. */
struct _EarLinkCollector
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  GSource *wait; /* (nullable): timeout until it starts */
  GCancellable *ended;

  guint delay;    /* milliseconds */
  gboolean busy;  /* a batch is being parsed or stored */
  gboolean again; /* episodes were added since the batch was read */
};

G_DEFINE_FINAL_TYPE (EarLinkCollector, ear_link_collector, G_TYPE_OBJECT)

static void collect (EarLinkCollector *self);

static void
look_through_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GPtrArray *episodes = task_data;

  for (guint i = 0; i < episodes->len; i++)
    {
      EarUnlinked *one = g_ptr_array_index (episodes, i);
      g_autoptr (EarNotes) notes =
          one->notes != NULL ? ear_show_notes_parse (one->notes, one->base, EAR_DURATION_UNKNOWN)
                             : ear_notes_new ();

      one->links = ear_link_facts_list (notes);
      g_clear_pointer (&one->notes, g_free);
    }
  g_task_return_pointer (task, g_ptr_array_ref (episodes), (GDestroyNotify) g_ptr_array_unref);
}

static gboolean
collect_cb (gpointer user_data)
{
  EarLinkCollector *self = user_data;

  g_clear_pointer (&self->wait, g_source_unref);
  self->again = FALSE;
  collect (self);

  return G_SOURCE_REMOVE;
}

static void
stop_waiting (EarLinkCollector *self)
{
  if (self->wait != NULL)
    g_source_destroy (self->wait);
  g_clear_pointer (&self->wait, g_source_unref);
}

/* Restarts the delay while episodes are being added. */
static void
collect_later (EarLinkCollector *self)
{
  if (self->busy)
    {
      self->again = TRUE;
      return;
    }
  if (g_cancellable_is_cancelled (self->ended))
    return;
  stop_waiting (self);
  self->wait = g_timeout_source_new (self->delay);
  g_source_set_static_name (self->wait, "[earmark] links are collected");
  g_source_set_priority (self->wait, G_PRIORITY_LOW);
  g_source_set_callback (self->wait, collect_cb, self, NULL);
  g_source_attach (self->wait, g_main_context_get_thread_default ());
}

static void
end (EarLinkCollector *self)
{
  self->busy = FALSE;
  if (self->again)
    collect_later (self);
}

/* After a failure, it is tried again when more episodes are added. */
static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLinkCollector) self = user_data;

  if (ear_catalogue_store_links_finish (EAR_CATALOGUE (source), result) &&
      !g_cancellable_is_cancelled (self->ended))
    collect (self);
  else
    end (self);
}

static void
looked_through_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLinkCollector) self = user_data;
  g_autoptr (GPtrArray) episodes = g_task_propagate_pointer (G_TASK (result), NULL);

  if (episodes != NULL)
    ear_catalogue_store_links_async (self->catalogue, episodes, stored_cb, g_object_ref (self));
  else
    end (self);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLinkCollector) self = user_data;
  gboolean later = FALSE;
  g_autoptr (GPtrArray) episodes =
      ear_catalogue_list_unlinked_finish (EAR_CATALOGUE (source), result, &later, NULL);

  self->again = self->again || later;
  if (episodes != NULL && episodes->len > 0 && !g_cancellable_is_cancelled (self->ended))
    {
      GTask *task = g_task_new (NULL, self->ended, looked_through_cb, g_object_ref (self));

      g_task_set_source_tag (task, listed_cb);
      g_task_set_task_data (task, g_steal_pointer (&episodes), (GDestroyNotify) g_ptr_array_unref);
      ear_worker_run (task, look_through_thread, (GDestroyNotify) g_ptr_array_unref);
    }
  else
    end (self);
}

static void
collect (EarLinkCollector *self)
{
  self->busy = TRUE;
  ear_catalogue_list_unlinked_async (self->catalogue, self->ended, listed_cb, g_object_ref (self));
}

static void
ear_link_collector_dispose (GObject *object)
{
  EarLinkCollector *self = EAR_LINK_COLLECTOR (object);

  g_cancellable_cancel (self->ended);
  stop_waiting (self);
  if (self->catalogue != NULL)
    g_signal_handlers_disconnect_by_data (self->catalogue, self);

  G_OBJECT_CLASS (ear_link_collector_parent_class)->dispose (object);
}

static void
ear_link_collector_finalize (GObject *object)
{
  EarLinkCollector *self = EAR_LINK_COLLECTOR (object);

  g_clear_object (&self->catalogue);
  g_clear_object (&self->ended);

  G_OBJECT_CLASS (ear_link_collector_parent_class)->finalize (object);
}

static void
ear_link_collector_class_init (EarLinkCollectorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_link_collector_dispose;
  G_OBJECT_CLASS (klass)->finalize = ear_link_collector_finalize;
}

static void
ear_link_collector_init (EarLinkCollector *self)
{
  self->ended = g_cancellable_new ();
  self->delay = DELAY_MS;
}

/* @catalogue: an open catalogue */
EarLinkCollector *
ear_link_collector_new (EarCatalogue *catalogue)
{
  EarLinkCollector *self = g_object_new (EAR_TYPE_LINK_COLLECTOR, NULL);

  self->catalogue = g_object_ref (catalogue);
  g_signal_connect_swapped (catalogue, "episodes-inserted", G_CALLBACK (collect_later), self);
  g_signal_connect_swapped (catalogue, "links-changed", G_CALLBACK (collect_later), self);
  collect_later (self);

  return self;
}

/* For tests: sets the delay before collecting. */
void
ear_link_collector_set_delay (EarLinkCollector *self, guint milliseconds)
{
  g_return_if_fail (EAR_IS_LINK_COLLECTOR (self));

  self->delay = milliseconds;
  collect_later (self);
}
