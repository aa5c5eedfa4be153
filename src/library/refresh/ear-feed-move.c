/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-feed-move.h"

#include "ear-address.h"
#include "ear-error.h"

/* From one new address to the next, at most. */
#define MOVES_LIMIT 5

/*
 * A feed says that it has moved (`itunes:new-feed-url`). That is believed once what is at
 * the new address was fetched and parsed, and has shown that it is the same podcast. It
 * may say the same in turn; a way that leads back to where it has been leads nowhere.
 */
typedef struct
{
  /* Input, owned */
  EarHttp *http;
  EarCatalogue *catalogue;
  gint64 podcast;
  EarFeedIdentity *identity; /* (nullable) */

  /* In progress, owned */
  GHashTable *visited; /* addresses */
  char *here;
  EarFeedIntake *intake;
} Move;

static void
move_free (Move *move)
{
  g_clear_object (&move->http);
  g_clear_object (&move->catalogue);
  g_clear_pointer (&move->identity, ear_feed_identity_unref);
  g_clear_pointer (&move->visited, g_hash_table_unref);
  g_clear_pointer (&move->here, g_free);
  g_clear_pointer (&move->intake, ear_feed_intake_unref);
  g_free (move);
}

/**
 * ear_feed_move_is_wanted:
 * @new_address: (nullable): where a feed says that it is
 * @permanent: (nullable): where the permanent ones among them led
 *
 * One that names itself, by whatever way it was reached, has not moved.
 */
gboolean
ear_feed_move_is_wanted (const char *new_address, const char *asked, const char *final, const char *permanent)
{
  /* A tag is older than the server's certificate, as it often is: nobody goes back to where all can be read on the way. */
  return new_address != NULL && !g_str_equal (new_address, asked) && !g_str_equal (new_address, final) &&
         g_strcmp0 (new_address, permanent) != 0 && !ear_address_is_secure_twin (asked, new_address) &&
         !ear_address_is_secure_twin (final, new_address);
}

static void loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
load (GTask *task, const char *address)
{
  Move *move = g_task_get_task_data (task);
  g_autoptr (EarHttpRequest) request = NULL;

  if (g_hash_table_size (move->visited) > MOVES_LIMIT || !g_hash_table_add (move->visited, g_strdup (address)))
    {
      g_task_return_new_error (task, EAR_ERROR, EAR_ERROR_REDIRECTS, "The new addresses lead in a circle");
      g_object_unref (task);
      return;
    }

  g_set_str (&move->here, address);
  request = ear_feed_request_new (address, NULL, NULL);
  g_clear_pointer (&move->intake, ear_feed_intake_unref);
  move->intake = ear_feed_intake_new (move->catalogue, move->podcast, EAR_FEED_MOVED, move->identity);
  ear_feed_load_async (move->http, request, move->intake, g_task_get_cancellable (task), loaded_cb, task);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarHttpResponse) response = ear_feed_load_finish (result, NULL, &error);
  Move *move = g_task_get_task_data (task);
  const char *next;

  if (response == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }

  next = ear_feed_intake_get_facts (move->intake)->new_address;
  if (ear_feed_intake_is_redirect (move->intake))
    load (g_steal_pointer (&task), next);
  else if (!ear_feed_move_is_wanted (next, move->here, response->final_address, response->permanent_address))
    g_task_return_pointer (task, g_steal_pointer (&response), (GDestroyNotify) ear_http_response_unref);
  else
    load (g_steal_pointer (&task), next);
}

/**
 * ear_feed_move_async:
 * @said_by: what was found there, with a new address in its facts
 * @identity: (nullable): who has to be there; %NULL for anybody
 *
 * Looks whether a podcast has moved to where its feed says, and fetches it from there.
 */
void
ear_feed_move_async (EarHttp *http, EarCatalogue *catalogue, gint64 podcast, const char *from, EarFeedIntake *said_by,
                     EarFeedIdentity *identity, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (http, cancellable, callback, user_data);
  Move *move = g_new0 (Move, 1);

  move->http = g_object_ref (http);
  move->catalogue = g_object_ref (catalogue);
  move->podcast = podcast;
  move->identity = identity != NULL ? ear_feed_identity_ref (identity) : NULL;
  move->visited = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (move->visited, g_strdup (from));
  g_task_set_source_tag (task, ear_feed_move_async);
  g_task_set_task_data (task, move, (GDestroyNotify) move_free);
  load (task, ear_feed_intake_get_facts (said_by)->new_address);
}

/**
 * ear_feed_move_finish:
 * @address: (out) (transfer full): the new address
 * @intake: (out) (transfer full): what took the feed at its new address
 *
 * Returns: (transfer full) (nullable): the answer from the new address; %NULL if the podcast is not there
 */
EarHttpResponse *
ear_feed_move_finish (GAsyncResult *result, char **address, EarFeedIntake **intake, GError **error)
{
  Move *move = g_task_get_task_data (G_TASK (result));
  EarHttpResponse *response = g_task_propagate_pointer (G_TASK (result), error);

  if (response != NULL)
    {
      *address = g_strdup (move->here);
      *intake = ear_feed_intake_ref (move->intake);
    }

  return response;
}
