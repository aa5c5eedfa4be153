/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-sign-in.h"

#include "ear-address.h"
#include "ear-error.h"

#define POLL_INTERVAL_MS 2000
#define LOGIN_TIME (20 * G_TIME_SPAN_MINUTE)

typedef struct
{
  EarSyncState *state; /* of the new account */
  EarSyncCall what;    /* the call that is running */

  /* Nextcloud's login in the web browser */
  EarSyncAccount login; /* has the address that reports it */
  char *form;           /* (nullable): to be sent there */
  gint64 until;         /* monotonic time */
} SignIn;

static void
sign_in_free (SignIn *self)
{
  ear_sync_state_unref (self->state);
  g_free (self->login.address);
  g_free (self->form);
  g_free (self);
}

static void answered_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
call (GTask *task, EarSyncCall what, GVariant *body)
{
  SignIn *self = g_task_get_task_data (task);

  self->what = what;
  ear_sync_call_async (ear_sync_get_http (g_task_get_source_object (task)),
                       what == EAR_SYNC_POLL_LOGIN ? &self->login : &self->state->account, what, 0,
                       body, g_task_get_cancellable (task), answered_cb, g_object_ref (task));
}

static gboolean
poll_cb (gpointer user_data)
{
  SignIn *self = g_task_get_task_data (user_data);

  call (user_data, EAR_SYNC_POLL_LOGIN, g_variant_new_string (self->form));

  return G_SOURCE_REMOVE;
}

static void
begin_login (GTask *task, const EarSyncAnswer *answer)
{
  SignIn *self = g_task_get_task_data (task);
  const char *address = self->state->account.address;
  g_autofree char *token = NULL;

  /* A server behind a proxy may not know that it is reached by https. */
  if (answer->endpoint != NULL && g_str_has_prefix (address, "https://") &&
      g_str_has_prefix (answer->endpoint, "http://"))
    self->login.address = g_strconcat ("https://", answer->endpoint + strlen ("http://"), NULL);
  else
    self->login.address = g_strdup (answer->endpoint);
  if (answer->login == NULL || answer->token == NULL || self->login.address == NULL ||
      !ear_address_trusts (address, self->login.address))
    {
      g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_SERVER,
                                       "The server has no such login, or it is elsewhere");
      return;
    }
  token = g_uri_escape_string (answer->token, NULL, FALSE);
  self->form = g_strconcat ("token=", token, NULL);
  self->until = g_get_monotonic_time () + LOGIN_TIME;
  g_signal_emit_by_name (g_task_get_source_object (task), "open-address", answer->login);
  poll_cb (task);
}

/* The server answers 404 until the listener has signed in.
 * @error: (transfer full) */
static void
wait_for_login (GTask *task, GError *error)
{
  g_autoptr (GSource) timeout = g_timeout_source_new (POLL_INTERVAL_MS);

  if (g_get_monotonic_time () < ((SignIn *) g_task_get_task_data (task))->until)
    g_task_attach_source (task, timeout, poll_cb);
  else
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_TIMED_OUT, error->message);
  g_error_free (error);
}

static void
try_account (GTask *task)
{
  const EarSyncAccount *account = &((SignIn *) g_task_get_task_data (task))->state->account;

  if (account->service == EAR_SYNC_NEXTCLOUD)
    call (task, EAR_SYNC_LIST_PODCASTS, NULL);
  else
    call (task, EAR_SYNC_SET_DEVICE,
          g_variant_new_parsed ("{'caption': %s, 'type': 'desktop'}", account->name));
}

static void
adopt (GTask *task)
{
  SignIn *self = g_task_get_task_data (task);

  if (g_task_return_error_if_cancelled (task))
    return;
  ear_sync_adopt (g_task_get_source_object (task), self->state);
  g_task_return_boolean (task, TRUE);
}

/* Lets this device and the account's others share their podcasts.
 * @devices: (element-type utf8): ids of all of them */
static void
link_devices (GTask *task, GPtrArray *devices)
{
  const char *own = ((SignIn *) g_task_get_task_data (task))->state->account.device;
  guint index;

  if (g_ptr_array_find_with_equal_func (devices, own, g_str_equal, &index))
    g_ptr_array_remove_index (devices, index);
  if (devices->len == 0)
    {
      adopt (task);
      return;
    }
  g_ptr_array_insert (devices, 0, g_strdup (own));
  call (task, EAR_SYNC_LINK_DEVICES,
        g_variant_new_parsed ("{'synchronize': <[%@as]>, 'stop-synchronize': <@as []>}",
                              g_variant_new_strv ((const char *const *) devices->pdata,
                                                  devices->len)));
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  SignIn *self = g_task_get_task_data (task);
  GError *error = NULL;
  guint status = 0;
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, &status, &error);

  if (answer == NULL && self->what == EAR_SYNC_POLL_LOGIN && status == 404)
    wait_for_login (task, error);
  else if (answer == NULL && self->what != EAR_SYNC_LIST_DEVICES &&
           self->what != EAR_SYNC_LINK_DEVICES)
    g_task_return_error (task, error);
  else if (self->what == EAR_SYNC_START_LOGIN)
    begin_login (task, answer);
  else if (self->what == EAR_SYNC_POLL_LOGIN && (answer->user == NULL || answer->password == NULL))
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_SERVER,
                                     "The login has no result");
  else if (self->what == EAR_SYNC_POLL_LOGIN)
    {
      g_set_str (&self->state->account.user, answer->user);
      g_set_str (&self->state->account.password, answer->password);
      try_account (task);
    }
  else if (self->what == EAR_SYNC_SET_DEVICE)
    call (task, EAR_SYNC_LIST_DEVICES, NULL);
  else if (self->what == EAR_SYNC_LIST_DEVICES && answer != NULL)
    link_devices (task, answer->devices);
  else
    {
      /* Many servers keep one list of podcasts for all devices, and refuse to link them. */
      g_clear_error (&error);
      adopt (task);
    }
}

/* Signs in, links the podcasts of the listener's devices, and begins the first sync.
 * @address: of the server, as typed
 * @user: (nullable): without a name, the listener signs in to Nextcloud with the web browser,
 *   within twenty minutes: [signal@EarSync::open-address] has the page for it
 * @password: (nullable): likewise */
void
ear_sync_sign_in_async (EarSync *sync, EarSyncService service, const char *address,
                        const char *user, const char *password, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (sync, cancellable, callback, user_data);
  SignIn *self = g_new0 (SignIn, 1);
  g_autofree char *id = g_uuid_string_random ();

  g_task_set_source_tag (task, ear_sync_sign_in_async);
  g_task_set_task_data (task, self, (GDestroyNotify) sign_in_free);
  self->login.service = EAR_SYNC_NEXTCLOUD;
  self->state = ear_sync_state_new ();
  self->state->account = (EarSyncAccount){
    .service = service,
    .address = ear_sync_clean_address (address),
    .user = g_strdup (user),
    .password = g_strdup (password),
    .device = g_strdup_printf ("earmark-%.8s", id),
    .name = g_strdup (g_get_host_name ()),
  };
  if (self->state->account.address == NULL)
    g_task_return_new_error_literal (task, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS,
                                     "That is no web address");
  else if (user != NULL)
    try_account (task);
  else
    call (task, EAR_SYNC_START_LOGIN, NULL);
}

/* @error: return location for an `EAR_ERROR`
 * Returns: whether the account works */
gboolean
ear_sync_sign_in_finish (EarSync *sync, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, sync), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
