/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-client.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-json-bounds.h"
#include "ear-thread.h"

#include <json-glib/json-glib.h>

/* The API of gpodder.net (https://gpoddernet.readthedocs.io), and Nextcloud's gPodder Sync
 * with its login (https://docs.nextcloud.com, "Login flow v2"). Servers differ in the case
 * of words, in zones of times and in members that they leave out, so everything in an
 * answer is optional. */

/* 60,000 actions take half of it. */
#define ANSWER_LIMIT (32 * 1024 * 1024)
static const EarJsonBounds bounds = { .depth = 16, .containers = 130000, .values = 1500000 };

#define ADDRESS_LIMIT 4096
#define PODCASTS_LIMIT 10000
#define DEVICES_LIMIT 100
/* A hundred days, in seconds */
#define SECONDS_LIMIT 8640000

/* --- Actions, answers --------------------------------------------------------------- */

/* @guid: (nullable)
 * @time: Unix seconds */
EarSyncAction *
ear_sync_action_new (const char *podcast, const char *media, const char *guid, gint64 time)
{
  EarSyncAction *self = g_new0 (EarSyncAction, 1);

  self->podcast = g_strdup (podcast);
  self->media = g_strdup (media);
  self->guid = g_strdup (guid);
  self->time = time;
  self->position = self->total = -1;

  return self;
}

EAR_DEFINE_TEXTS_FREE (EarSyncAction, ear_sync_action_free, guid)

static void
answer_free (EarSyncAnswer *self)
{
  g_ptr_array_unref (self->podcasts);
  g_hash_table_unref (self->moved);
  g_ptr_array_unref (self->actions);
  g_ptr_array_unref (self->devices);
  g_hash_table_unref (self->words);
  g_byte_array_unref (self->body);
  g_free (self);
}

/* --- Addresses ---------------------------------------------------------------------- */

/* @typed: a server as the listener types or pastes it, perhaps with a part of a path of
 *   the API
 * Returns: (transfer full) (nullable): its address, or %NULL if it is none */
char *
ear_sync_clean_address (const char *typed)
{
  static const char *const ends[] = { "?", "#", "/index.php", "/api/2", "/apps/" };
  g_autofree char *stripped = g_strstrip (g_strdup (typed));
  g_autofree char *whole = NULL;
  g_autoptr (GUri) uri = NULL;
  char *end;

  if (strpbrk (stripped, " \t\r\n") != NULL)
    return NULL;
  whole = strstr (stripped, "://") != NULL ? g_strdup (stripped)
                                           : g_strconcat ("https://", stripped, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    if ((end = strstr (whole, ends[i])) != NULL)
      *end = '\0';
  while (g_str_has_suffix (whole, "/"))
    whole[strlen (whole) - 1] = '\0';
  uri = ear_address_is_web (whole) ? g_uri_parse (whole, EAR_ADDRESS_FLAGS, NULL) : NULL;

  return uri != NULL && g_uri_get_userinfo (uri) == NULL ? g_steal_pointer (&whole) : NULL;
}

/* The methods and paths of the calls; U stands for the user, D for the device. */
static const struct
{
  const char *method;    /* (nullable): GET */
  const char *gpodder;   /* (nullable): not in this service */
  const char *nextcloud; /* (nullable): likewise */
} calls[] = {
  [EAR_SYNC_LIST_PODCASTS] = { NULL, "/api/2/subscriptions/U/D.json?since=",
                               "/index.php/apps/gpoddersync/subscriptions?since=" },
  [EAR_SYNC_CHANGE_PODCASTS] = { "POST", "/api/2/subscriptions/U/D.json",
                                 "/index.php/apps/gpoddersync/subscription_change/create" },
  [EAR_SYNC_LIST_ACTIONS] = { NULL, "/api/2/episodes/U.json?since=",
                              "/index.php/apps/gpoddersync/episode_action?since=" },
  [EAR_SYNC_ADD_ACTIONS] = { "POST", "/api/2/episodes/U.json",
                             "/index.php/apps/gpoddersync/episode_action/create" },
  [EAR_SYNC_SET_DEVICE] = { "POST", "/api/2/devices/U/D.json", NULL },
  [EAR_SYNC_LIST_DEVICES] = { NULL, "/api/2/sync-devices/U.json", NULL },
  [EAR_SYNC_LINK_DEVICES] = { "POST", "/api/2/sync-devices/U.json", NULL },
  [EAR_SYNC_START_LOGIN] = { "POST", NULL, "/index.php/login/v2" },
  [EAR_SYNC_POLL_LOGIN] = { "POST", NULL, "" },
  [EAR_SYNC_LOG_OUT] = { "DELETE", NULL, "/ocs/v2.php/core/apppassword" },
};

static char *
build_address (const EarSyncAccount *account, EarSyncCall call, gint64 since)
{
  const char *path =
      account->service == EAR_SYNC_GPODDER ? calls[call].gpodder : calls[call].nextcloud;
  GString *address = g_string_new (account->address);

  for (const char *p = path; *p != '\0'; p++)
    if (*p == 'U' && p[-1] == '/')
      g_string_append_uri_escaped (address, account->user, NULL, FALSE);
    else if (*p == 'D' && p[-1] == '/')
      g_string_append (address, account->device);
    else
      g_string_append_c (address, *p);
  if (g_str_has_suffix (path, "since="))
    g_string_append_printf (address, "%" G_GINT64_FORMAT, since);

  return g_string_free (address, FALSE);
}

/* --- Uploaded actions --------------------------------------------------------------- */

/* Nextcloud keeps only play actions: there, playing from the beginning stands for an
 * episode that was marked as unplayed. */
GVariant *
ear_sync_action_print (const EarSyncAction *action, const EarSyncAccount *account)
{
  const gboolean is_play = !action->unplayed || account->service == EAR_SYNC_NEXTCLOUD;
  const gboolean is_end = action->position == action->total;
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (action->time);
  g_autofree char *printed = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");
  g_auto (GVariantDict) members = G_VARIANT_DICT_INIT (NULL);

  g_variant_dict_insert (&members, "podcast", "s", action->podcast);
  g_variant_dict_insert (&members, "episode", "s", action->media);
  if (action->guid != NULL)
    g_variant_dict_insert (&members, "guid", "s", action->guid);
  if (account->service == EAR_SYNC_GPODDER)
    g_variant_dict_insert (&members, "device", "s", account->device);
  g_variant_dict_insert (&members, "action", "s", is_play ? "play" : "new");
  g_variant_dict_insert (&members, "timestamp", "s", printed);
  if (is_play)
    {
      /* The part that was heard is not known, and is not made up. */
      g_variant_dict_insert (&members, "started", "x", is_end ? 0 : action->position);
      g_variant_dict_insert (&members, "position", "x", action->unplayed ? 0 : action->position);
      g_variant_dict_insert (&members, "total", "x", action->total);
    }

  return g_variant_dict_end (&members);
}

/* --- Answers ------------------------------------------------------------------------ */

static const char *
get_string (JsonObject *object, const char *name)
{
  return json_object_get_string_member_with_default (object, name, NULL);
}

static const char *
read_string (JsonNode *node)
{
  return json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

/* Some servers send numbers as strings.
 * Returns: a number of seconds, or -1 if there is none */
static gint64
get_seconds (JsonObject *object, const char *name, gint64 limit)
{
  JsonNode *node = json_object_get_member (object, name);
  double value = -1;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return -1;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    value = g_ascii_strtod (json_node_get_string (node), NULL);
  else if (json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    value = json_node_get_double (node);

  return value >= 0 && value <= (double) limit ? (gint64) value : -1;
}

/* Returns: (nullable): a web address */
static const char *
check_address (const char *address)
{
  return address != NULL && strlen (address) <= ADDRESS_LIMIT && ear_address_is_web (address)
             ? address
             : NULL;
}

/* An address, or an object that has one */
static void
read_podcast (JsonArray *array, guint index, JsonNode *node, gpointer podcasts)
{
  const char *address = JSON_NODE_HOLDS_OBJECT (node)
                            ? get_string (json_node_get_object (node), "url")
                            : read_string (node);

  if (check_address (address) != NULL && ((GPtrArray *) podcasts)->len < PODCASTS_LIMIT)
    g_ptr_array_add (podcasts, g_strdup (address));
}

/* A pair of an address that was sent, and the server's correction. An empty one refuses the
 * address. */
static void
read_moved (JsonArray *array, guint index, JsonNode *node, gpointer moved)
{
  JsonArray *pair = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  const gboolean is_pair = pair != NULL && json_array_get_length (pair) == 2;
  const char *sent = is_pair ? read_string (json_array_get_element (pair, 0)) : NULL;
  const char *corrected;

  if (sent == NULL || g_hash_table_size (moved) >= PODCASTS_LIMIT)
    return;
  corrected = check_address (read_string (json_array_get_element (pair, 1)));
  g_hash_table_insert (moved, g_strdup (sent), g_strdup (corrected != NULL ? corrected : ""));
}

/* The id of a device, or a group of them */
static void
read_device (JsonArray *array, guint index, JsonNode *node, gpointer devices)
{
  const char *id = read_string (node);

  if (JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), read_device, devices);
  else if (id != NULL && ((GPtrArray *) devices)->len < DEVICES_LIMIT)
    g_ptr_array_add (devices, g_strdup (id));
}

static void
read_array (JsonObject *object, const char *name, JsonArrayForeach func, gpointer results)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), func, results);
}

/* Returns: Unix seconds, or 0 if unknown. A time without a zone is UTC. */
static gint64
read_time (JsonObject *object)
{
  const char *text = get_string (object, "timestamp");
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = NULL;

  if (text == NULL)
    return MAX (get_seconds (object, "timestamp", G_MAXUINT32), 0);
  time = g_date_time_new_from_iso8601 (text, utc);

  return time != NULL ? CLAMP (g_date_time_to_unix (time), 0, G_MAXUINT32) : 0;
}

/* Nextcloud keeps only play actions: see ear_sync_action_print(). */
static void
read_action (JsonObject *object, EarSyncAnswer *answer)
{
  const char *podcast = check_address (get_string (object, "podcast"));
  const char *media = check_address (get_string (object, "episode"));
  const char *guid = get_string (object, "guid");
  const char *kind = get_string (object, "action");
  const gint64 time = read_time (object);
  EarSyncAction *action;

  if (podcast == NULL || media == NULL || kind == NULL || time == 0 ||
      (g_ascii_strcasecmp (kind, "play") != 0 && g_ascii_strcasecmp (kind, "new") != 0))
    return;

  action = ear_sync_action_new (
      podcast, media,
      !ear_is_empty (guid) && strlen (guid) <= ADDRESS_LIMIT ? guid : NULL, time);
  action->position = get_seconds (object, "position", SECONDS_LIMIT);
  action->total = get_seconds (object, "total", SECONDS_LIMIT);
  action->unplayed = g_ascii_strcasecmp (kind, "new") == 0 ||
                     (answer->service == EAR_SYNC_NEXTCLOUD && action->position == 0);
  if (action->unplayed || action->position >= 0)
    g_ptr_array_add (answer->actions, action);
  else
    ear_sync_action_free (action);
}

/* Each object in a list is an action. The parser does not keep them, as there may be many. */
static void
element_cb (JsonParser *parser, JsonArray *array, int index, EarSyncAnswer *answer)
{
  const guint last = json_array_get_length (array) - 1;
  JsonNode *node = json_array_get_element (array, last);
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

  if (object == NULL || !json_object_has_member (object, "episode"))
    return;
  answer->n_actions++;
  read_action (object, answer);
  json_array_remove_element (array, last);
}

static void
read_word (JsonObject *object, const char *name, JsonNode *node, gpointer words)
{
  static const char *const names[] = { "login", "endpoint", "token", "loginName",
                                       "appPassword", NULL };
  const char *word = read_string (node);

  if (JSON_NODE_HOLDS_OBJECT (node) && (name == NULL || g_str_equal (name, "poll")))
    json_object_foreach_member (json_node_get_object (node), read_word, words);
  else if (word != NULL && strlen (word) <= ADDRESS_LIMIT && g_strv_contains (names, name))
    g_hash_table_insert (words, g_strdup (name), g_strdup (word));
}

static void
read_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  EarSyncAnswer *answer = task_data;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autofree char *cut =
      ear_json_bounds_cut (&bounds, answer->body->len > 0 ? (const char *) answer->body->data : "",
                           answer->body->len);
  g_autofree char *valid = NULL;
  JsonNode *root = NULL;

  if (cut == NULL)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_TOO_LARGE, "Too many values");
      return;
    }
  if (!g_utf8_validate (cut, -1, NULL))
    valid = g_utf8_make_valid (cut, -1);
  g_signal_connect (parser, "array-element", G_CALLBACK (element_cb), answer);
  if (json_parser_load_from_data (parser, valid != NULL ? valid : cut, -1, NULL))
    root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    {
      JsonObject *object = json_node_get_object (root);

      read_array (object, "add", read_podcast, answer->podcasts);
      read_array (object, "update_urls", read_moved, answer->moved);
      read_array (object, "synchronized", read_device, answer->devices);
      read_array (object, "not-synchronized", read_device, answer->devices);
      answer->timestamp = MAX (get_seconds (object, "timestamp", G_MAXUINT32), 0);
      read_word (NULL, NULL, root, answer->words);
    }
  else if (answer->needs_text && (root == NULL || !JSON_NODE_HOLDS_ARRAY (root)))
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_SERVER,
                                       "The server's answer is no JSON");
      return;
    }
  g_task_return_pointer (task, answer, NULL);
}

/* --- Calls -------------------------------------------------------------------------- */

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarSyncAnswer *answer = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (EarHttpResponse) response =
      ear_http_stream_finish (EAR_HTTP (source), result, &error);

  answer->status = ear_http_get_refused_status (EAR_HTTP (source), result);
  if (response == NULL)
    g_task_return_error (task, error);
  else
    ear_worker_run (g_steal_pointer (&task), read_thread, NULL);
}

/* Sends a request to the account's server.
 * @account: for %EAR_SYNC_POLL_LOGIN, its address is the one to ask
 * @since: Unix seconds, for lists
 * @body: (nullable): floating: the JSON to send, or for %EAR_SYNC_POLL_LOGIN a form as a string */
void
ear_sync_call_async (EarHttp *http, const EarSyncAccount *account, EarSyncCall call, gint64 since,
                     GVariant *body, GCancellable *cancellable, GAsyncReadyCallback callback,
                     gpointer user_data)
{
  GTask *task = g_task_new (http, cancellable, callback, user_data);
  g_autofree char *address = build_address (account, call, since);
  g_autoptr (EarHttpRequest) request = ear_http_request_new (address);
  EarSyncAnswer *answer = g_new0 (EarSyncAnswer, 1);

  g_task_set_source_tag (task, ear_sync_call_async);
  g_task_set_task_data (task, answer, (GDestroyNotify) answer_free);
  answer->podcasts = g_ptr_array_new_with_free_func (g_free);
  answer->moved = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  answer->actions = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_sync_action_free);
  answer->devices = g_ptr_array_new_with_free_func (g_free);
  answer->words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  answer->body = g_byte_array_new ();
  answer->service = account->service;
  answer->needs_text = calls[call].method == NULL;
  request->accept = g_strdup ("application/json");
  request->method = g_strdup (calls[call].method);
  request->user = account->password != NULL ? g_strdup (account->user) : NULL;
  request->password = g_strdup (account->password);
  request->max_bytes = ANSWER_LIMIT;
  if (body != NULL)
    {
      const gboolean is_form = g_variant_is_of_type (body, G_VARIANT_TYPE_STRING);
      g_autoptr (GVariant) owned = g_variant_ref_sink (body);
      char *text = is_form ? g_variant_dup_string (owned, NULL)
                           : json_gvariant_serialize_data (owned, NULL);

      request->body = g_bytes_new_take (text, strlen (text));
      request->body_type = g_strdup (is_form ? "application/x-www-form-urlencoded"
                                             : "application/json");
    }
  ear_http_stream_async (http, request, ear_http_collect_chunk, answer->body, cancellable,
                         fetched_cb, task);
}

/* Returns: (transfer none): the answer, as long as there is the result; after an error, it
 *   has only the status */
EarSyncAnswer *
ear_sync_call_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_sync_call_async), NULL);

  g_task_propagate_pointer (G_TASK (result), error);

  return g_task_get_task_data (G_TASK (result));
}
