/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-sign-in.h"

#include "ear-address.h"
#include "ear-error.h"

#define POLL_INTERVAL_MS 2000
#define LOGIN_TIME (20 * G_TIME_SPAN_MINUTE)

typedef struct
{
  EarHttp *http;
  EarSyncAccount *account;
  char *endpoint; /* (nullable): where a login in the browser is reported */
  char *token;    /* (nullable): likewise */
  gint64 until;   /* monotonic time */
} SignIn;

static void
sign_in_free (SignIn *self)
{
  g_object_unref (self->http);
  g_clear_pointer (&self->account, ear_sync_account_free);
  g_free (self->endpoint);
  g_free (self->token);
  g_free (self);
}

/* @task: (transfer full) */
static void
call (GTask *task, EarSyncCall what, GBytes *body, GAsyncReadyCallback callback)
{
  SignIn *self = g_task_get_task_data (task);

  ear_sync_call_async (self->http, self->account, what, 0, body, g_task_get_cancellable (task),
                       callback, task);
}

/* --- The account -------------------------------------------------------------------- */

static void
return_account (GTask *task)
{
  SignIn *self = g_task_get_task_data (task);

  g_task_return_pointer (task, g_steal_pointer (&self->account),
                         (GDestroyNotify) ear_sync_account_free);
}

/* Many servers keep one list of podcasts for all devices, and refuse to link them. */
static void
linked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, NULL);

  return_account (task);
}

static void
devices_listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SignIn *self = g_task_get_task_data (task);
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, NULL);
  g_autoptr (GBytes) body = NULL;
  guint own;

  if (answer != NULL && g_ptr_array_find_with_equal_func (answer->devices, self->account->device,
                                                          g_str_equal, &own))
    g_ptr_array_remove_index (answer->devices, own);
  if (answer == NULL || answer->devices->len == 0)
    {
      return_account (task);
      return;
    }
  body = ear_sync_print_link (self->account, answer->devices);
  call (g_steal_pointer (&task), EAR_SYNC_LINK_DEVICES, body, linked_cb);
}

static void
tried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SignIn *self = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);

  if (answer == NULL)
    g_task_return_error (task, error);
  else if (self->account->service == EAR_SYNC_NEXTCLOUD)
    return_account (task);
  else
    call (g_steal_pointer (&task), EAR_SYNC_LIST_DEVICES, NULL, devices_listed_cb);
}

/* @task: (transfer full) */
static void
try_account (GTask *task)
{
  SignIn *self = g_task_get_task_data (task);
  const gboolean is_nextcloud = self->account->service == EAR_SYNC_NEXTCLOUD;
  g_autoptr (GBytes) body = is_nextcloud ? NULL : ear_sync_print_device (self->account);

  call (task, is_nextcloud ? EAR_SYNC_LIST_PODCASTS : EAR_SYNC_SET_DEVICE, body, tried_cb);
}

/* --- Nextcloud's login in the web browser ------------------------------------------- */

static gboolean poll_cb (gpointer user_data);

static void
polled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SignIn *self = g_task_get_task_data (task);
  GError *error = NULL;
  guint status = 0;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, &status, &error);

  if (status == 404 && g_get_monotonic_time () < self->until)
    {
      g_autoptr (GSource) timeout = g_timeout_source_new (POLL_INTERVAL_MS);

      g_clear_error (&error);
      g_task_attach_source (g_steal_pointer (&task), timeout, poll_cb);
    }
  else if (status == 404)
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_TIMED_OUT, error->message);
  else if (error != NULL)
    g_task_return_error (task, error);
  else if (answer->user == NULL || answer->password == NULL)
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_SERVER,
                                     "The login has no result");
  else
    {
      g_set_str (&self->account->user, answer->user);
      g_set_str (&self->account->password, answer->password);
      try_account (g_steal_pointer (&task));
    }
}

static gboolean
poll_cb (gpointer user_data)
{
  GTask *task = user_data;
  SignIn *self = g_task_get_task_data (task);

  ear_sync_poll_async (self->http, self->endpoint, self->token, g_task_get_cancellable (task),
                       polled_cb, task);

  return G_SOURCE_REMOVE;
}

static void
login_started_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SignIn *self = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, &error);

  if (answer == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  /* A server behind a proxy may not know that it is reached by https. */
  if (answer->endpoint != NULL && g_str_has_prefix (self->account->address, "https://") &&
      g_str_has_prefix (answer->endpoint, "http://"))
    self->endpoint = g_strconcat ("https://", answer->endpoint + strlen ("http://"), NULL);
  else
    self->endpoint = g_strdup (answer->endpoint);
  if (answer->login == NULL || answer->token == NULL || self->endpoint == NULL ||
      !ear_address_trusts (self->account->address, self->endpoint))
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_SERVER,
                                       "The server has no such login, or it is elsewhere");
      return;
    }
  self->token = g_strdup (answer->token);
  self->until = g_get_monotonic_time () + LOGIN_TIME;
  g_signal_emit_by_name (g_task_get_source_object (task), "open-address", answer->login);
  poll_cb (g_steal_pointer (&task));
}

/* Creates an account that works, and links the podcasts of the listener's devices.
 * @owner: the source object; its signal `open-address` has the page for the web browser
 * @typed: address of the server, as typed
 * @user: (nullable): without a name, the listener signs in to Nextcloud with the web browser,
 *   within twenty minutes
 * @password: (nullable): likewise */
void
ear_sync_try_account_async (gpointer owner, EarHttp *http, EarSyncService service,
                            const char *typed, const char *user, const char *password,
                            GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task = g_task_new (owner, cancellable, callback, user_data);
  SignIn *self = g_new0 (SignIn, 1);
  g_autofree char *id = g_uuid_string_random ();

  g_task_set_source_tag (task, ear_sync_try_account_async);
  g_task_set_task_data (task, self, (GDestroyNotify) sign_in_free);
  self->http = g_object_ref (http);
  self->account = g_new0 (EarSyncAccount, 1);
  self->account->service = service;
  self->account->address = ear_sync_clean_address (typed);
  self->account->user = g_strdup (user);
  self->account->password = g_strdup (password);
  self->account->device = g_strdup_printf ("earmark-%.8s", id);
  self->account->name = g_strdup (g_get_host_name ());
  if (self->account->address == NULL)
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS,
                                       "That is no web address");
      g_object_unref (task);
    }
  else if (user != NULL)
    try_account (task);
  else
    call (task, EAR_SYNC_START_LOGIN, NULL, login_started_cb);
}

/* Returns: (transfer full) (nullable) */
EarSyncAccount *
ear_sync_try_account_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
