/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync.h"

#include "ear-error.h"
#include "ear-keyring.h"
#include "ear-notices.h"
#include "ear-player.h"
#include "ear-property.h"
#include "ear-settings.h"
#include "ear-subscriptions.h"
#include "ear-thread.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

/* Groups of the file */
#define ACCOUNT "Account"
#define PODCASTS "Podcasts"
#define SYNC "Sync"

/* Seconds */
#define MIN_INTERVAL 60
#define INTERVAL (60 * 60)
#define DELAY 3

/* Keeps podcasts, positions and played episodes the same as on a server, and so on the
 * listener's other devices: the account, and the times of syncs. */
struct _EarSync
{
  GObject parent_instance;

  /* Owned */
  EarServices services;
  char *path;
  EarSyncState *state;
  EarThread *thread;         /* (nullable): writes the file */
  EarSyncExchange *exchange; /* (nullable): the sync that is running, or is asked about */
  GError *error;             /* (nullable): of the last sync */

  EarSyncStatus status;
  guint timer_id;
  gint64 ended_at;    /* monotonic time of the last sync; 0: none */
  gboolean is_wanted; /* begin once the account is read */
  gboolean stopped;
};

G_DEFINE_FINAL_TYPE (EarSync, ear_sync, G_TYPE_OBJECT)

EAR_DEFINE_GET (EarSync, ear_sync, EarSyncStatus, status)
EAR_DEFINE_GET (EarSync, ear_sync, const EarSyncState *, state)
EAR_DEFINE_GET (EarSync, ear_sync, const GError *, error)

static void
set_status (EarSync *self, EarSyncStatus status)
{
  self->status = status;
  g_object_notify (G_OBJECT (self), "status");
}

/* --- The file ----------------------------------------------------------------------- */

/* Returns: (transfer full) (nullable): the state in the content of the file; %NULL without an
 *   account */
static EarSyncState *
parse_state (const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (EarSyncState) self = ear_sync_state_new ();
  EarSyncAccount *account = &self->account;
  g_autofree char *service = NULL;
  g_autofree char *clean = NULL;
  g_auto (GStrv) podcasts = NULL;

  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error))
    return NULL;

  service = g_key_file_get_string (file, ACCOUNT, "Service", NULL);
  account->service = g_strcmp0 (service, "nextcloud") == 0 ? EAR_SYNC_NEXTCLOUD : EAR_SYNC_GPODDER;
  account->address = g_key_file_get_string (file, ACCOUNT, "Address", NULL);
  account->user = g_key_file_get_string (file, ACCOUNT, "User", NULL);
  account->device = g_key_file_get_string (file, ACCOUNT, "Device", NULL);
  account->name = g_key_file_get_string (file, ACCOUNT, "Name", NULL);
  if (account->address == NULL || account->user == NULL || account->device == NULL ||
      account->name == NULL)
    return NULL;
  self->agreed = g_key_file_get_boolean (file, SYNC, "Agreed", NULL);
  self->since = MAX (g_key_file_get_int64 (file, SYNC, "Since", NULL), 0);
  self->sent = MAX (g_key_file_get_int64 (file, SYNC, "Sent", NULL), 0);
  self->synced = MAX (g_key_file_get_int64 (file, SYNC, "Synced", NULL), 0);
  self->compared = MAX (g_key_file_get_int64 (file, SYNC, "Compared", NULL), 0);
  /* Addresses are no valid keys: each value is a pair. */
  podcasts = g_key_file_get_keys (file, PODCASTS, NULL, NULL);
  for (guint i = 0; podcasts != NULL && podcasts[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_key_file_get_string_list (file, PODCASTS, podcasts[i], NULL, NULL);

      if (pair != NULL && g_strv_length (pair) == 2)
        g_hash_table_insert (self->podcasts, g_strdup (pair[0]), g_strdup (pair[1]));
    }
  clean = ear_sync_clean_address (account->address);

  return g_strcmp0 (clean, account->address) == 0 ? g_steal_pointer (&self) : NULL;
}

/* Returns: (transfer full): the content of the file */
static char *
print_state (const EarSyncState *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  const EarSyncAccount *account = &self->account;
  GHashTableIter iter;
  gpointer address, known;

  if (account->address != NULL)
    {
      g_key_file_set_string (file, ACCOUNT, "Service",
                             account->service == EAR_SYNC_NEXTCLOUD ? "nextcloud" : "gpodder");
      g_key_file_set_string (file, ACCOUNT, "Address", account->address);
      g_key_file_set_string (file, ACCOUNT, "User", account->user);
      g_key_file_set_string (file, ACCOUNT, "Device", account->device);
      g_key_file_set_string (file, ACCOUNT, "Name", account->name);
    }
  g_key_file_set_boolean (file, SYNC, "Agreed", self->agreed);
  g_key_file_set_int64 (file, SYNC, "Since", self->since);
  g_key_file_set_int64 (file, SYNC, "Sent", self->sent);
  g_key_file_set_int64 (file, SYNC, "Synced", self->synced);
  g_key_file_set_int64 (file, SYNC, "Compared", self->compared);
  g_hash_table_iter_init (&iter, self->podcasts);
  for (guint i = 1; g_hash_table_iter_next (&iter, &address, &known); i++)
    {
      const char *const pair[] = { address, known };
      g_autofree char *key = g_strdup_printf ("%u", i);

      g_key_file_set_string_list (file, PODCASTS, key, pair, G_N_ELEMENTS (pair));
    }

  return g_key_file_to_data (file, NULL, NULL);
}

/* @data: (transfer full): the path and the content of the file */
static void
write_file (gpointer data)
{
  g_auto (GStrv) file = data;
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents_full (file[0], file[1], -1,
                                 G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
                                 0600, &error))
    g_message ("The state of syncing cannot be stored: %s", error->message);
}

/* A state that cannot be written is written with the next sync: until then, that one
 * begins where the last one did. */
static void
save (EarSync *self)
{
  char **file = g_new0 (char *, 3);

  file[0] = g_strdup (self->path);
  file[1] = print_state (self->state);
  self->state->changed = FALSE;
  if (self->thread == NULL)
    self->thread = ear_thread_new ("sync", EAR_WORKER_STORES);
  ear_thread_push (self->thread, write_file, file);
}

/* --- A sync ------------------------------------------------------------------------- */

static void schedule (EarSync *self, guint seconds);

/* @error: (transfer full) (nullable) */
static void
end_sync (EarSync *self, GError *error)
{
  const gboolean is_due = self->timer_id != 0 || self->exchange->is_incomplete;

  g_clear_pointer (&self->exchange, ear_sync_exchange_end);
  if (self->state->changed)
    save (self);
  self->ended_at = g_get_monotonic_time ();
  g_clear_error (&self->error);
  self->error = error;
  set_status (self, self->state->account.address == NULL ? EAR_SYNC_SIGNED_OUT
                    : error != NULL                      ? EAR_SYNC_FAILED
                                                         : EAR_SYNC_WAITING);
  schedule (self, is_due ? DELAY : INTERVAL);
}

/* The account works. */
static void
adopt (EarSync *self)
{
  const EarSyncAccount *account = &self->exchange->state->account;
  g_autoptr (EarLogin) login = ear_login_new (account->user, account->password);

  ear_keyring_keep (self->services.keyring, EAR_SYNC_KEYRING_NAME, account->address, login);
  ear_sync_state_unref (self->state);
  self->state = g_rc_box_acquire (self->exchange->state);
  save (self);
  set_status (self, EAR_SYNC_RUNNING);
  ear_sync_exchange_compare (self->exchange);
}

static void
exchange_done (gpointer owner, GError *error)
{
  EarSync *self = owner;

  if (error == NULL && self->exchange->is_new)
    adopt (self);
  else if (error == NULL && self->exchange->is_doubtful)
    {
      set_status (self, EAR_SYNC_ASKING);
      /* The preferences ask; without them, the listener has to know. */
      if (self->state->agreed)
        ear_notices_add (self->services.notices, TRUE,
                         _("Syncing waits for your answer in Preferences"));
    }
  else
    end_sync (self, error);
}

static void
begin (EarSync *self, EarSyncState *state, EarSyncStatus status)
{
  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_clear_error (&self->error);
  self->exchange = ear_sync_exchange_begin (&self->services, state, status == EAR_SYNC_SIGNING_IN,
                                            exchange_done, self);
  set_status (self, status);
}

/* Answers the question of %EAR_SYNC_ASKING. */
void
ear_sync_answer (EarSync *self, EarSyncChoice choice)
{
  g_return_if_fail (EAR_IS_SYNC (self));

  if (self->status != EAR_SYNC_ASKING)
    return;
  if (choice != EAR_SYNC_DECLINE)
    {
      self->state->changed = TRUE;
      set_status (self, EAR_SYNC_RUNNING);
      ear_sync_exchange_apply (self->exchange, choice == EAR_SYNC_KEEP);
    }
  else if (self->state->agreed)
    {
      self->state->counts = (EarSyncCounts){ 0 };
      end_sync (self, NULL);
    }
  else
    ear_sync_sign_out (self);
}

/* Syncs now, if there is an account, unless a sync is running or asked about. The status
 * shows when it has ended. */
void
ear_sync_run (EarSync *self)
{
  g_return_if_fail (EAR_IS_SYNC (self));

  self->is_wanted = self->status == EAR_SYNC_LOADING;
  if (self->exchange == NULL && self->state->account.address != NULL && !self->stopped)
    begin (self, self->state, EAR_SYNC_RUNNING);
}

/* Adds a line, unless its number is 0. */
static void G_GNUC_PRINTF (3, 4)
add_line (GStrvBuilder *lines, guint n, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (n > 0)
    g_strv_builder_take (lines, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* Returns: (transfer full) (nullable): the changes of the last sync in words, a line each */
char *
ear_sync_dup_summary (EarSync *self)
{
  const EarSyncCounts n = self->state->counts;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) lines = NULL;

  add_line (builder, n.follow,
            ngettext ("%'u podcast followed", "%'u podcasts followed", n.follow), n.follow);
  add_line (builder, n.unfollow,
            ngettext ("%'u podcast unfollowed", "%'u podcasts unfollowed", n.unfollow), n.unfollow);
  add_line (builder, n.add,
            ngettext ("%'u podcast uploaded", "%'u podcasts uploaded", n.add), n.add);
  add_line (builder, n.remove,
            ngettext ("%'u podcast unfollowed on the server",
                      "%'u podcasts unfollowed on the server", n.remove), n.remove);
  add_line (builder, n.received,
            ngettext ("%'u episode updated", "%'u episodes updated", n.received), n.received);
  add_line (builder, n.sent,
            ngettext ("%'u change uploaded", "%'u changes uploaded", n.sent), n.sent);
  lines = g_strv_builder_end (builder);

  return *lines != NULL ? g_strjoinv ("\n", lines) : NULL;
}

/* --- The time of a sync ------------------------------------------------------------- */

static void
timer_cb (gpointer user_data)
{
  EarSync *self = user_data;
  GNetworkMonitor *network = self->services.network;

  self->timer_id = 0;
  if (self->exchange != NULL)
    schedule (self, self->status == EAR_SYNC_RUNNING ? DELAY : INTERVAL);
  else if (!g_network_monitor_get_network_available (network) ||
           (g_network_monitor_get_network_metered (network) &&
            !ear_settings_get_boolean (self->services.settings, "refresh-on-metered")))
    schedule (self, INTERVAL);
  else
    begin (self, self->state, EAR_SYNC_RUNNING);
}

/* Starts a sync after some seconds, but not too soon after the last one. */
static void
schedule (EarSync *self, guint seconds)
{
  const gint64 passed = (g_get_monotonic_time () - self->ended_at) / G_USEC_PER_SEC;

  g_clear_handle_id (&self->timer_id, g_source_remove);
  if (self->stopped || self->state->account.address == NULL)
    return;
  if (self->ended_at != 0 && passed < MIN_INTERVAL)
    seconds = MAX (seconds, (guint) (MIN_INTERVAL - passed));
  self->timer_id = g_timeout_add_seconds_once (seconds, timer_cb, self);
}

static void
schedule_soon (EarSync *self)
{
  schedule (self, DELAY);
}

static void
state_changed_cb (EarSync *self)
{
  const EarPlayerState state = ear_player_get_state (self->services.player);

  if (state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_ENDED)
    schedule_soon (self);
}

/* --- The account -------------------------------------------------------------------- */

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSync) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  EarSyncState *state = NULL;
  gsize length;

  if (g_file_load_contents_finish (G_FILE (source), result, &text, &length, NULL, &error))
    state = parse_state (text, length, &error);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_autofree char *aside = g_strconcat (self->path, ".damaged", NULL);

      g_message ("The state of syncing cannot be read: %s", error->message);
      g_rename (self->path, aside);
    }
  if (state != NULL)
    {
      ear_sync_state_unref (self->state);
      self->state = state;
    }
  if (self->stopped)
    return;
  if (state != NULL && self->is_wanted)
    begin (self, state, EAR_SYNC_RUNNING);
  else
    {
      set_status (self, state != NULL ? EAR_SYNC_WAITING : EAR_SYNC_SIGNED_OUT);
      schedule_soon (self);
    }
}

/* Reads the account, once the followed podcasts are known. */
void
ear_sync_start (EarSync *self)
{
  g_autoptr (GFile) file = NULL;

  g_return_if_fail (EAR_IS_SYNC (self));

  file = g_file_new_for_path (self->path);
  g_file_load_contents_async (file, NULL, loaded_cb, g_object_ref (self));
}

/* Ends a sync that is running, and starts no more. */
void
ear_sync_stop (EarSync *self)
{
  g_return_if_fail (EAR_IS_SYNC (self));

  self->stopped = TRUE;
  if (self->status == EAR_SYNC_SIGNING_IN)
    ear_sync_sign_out (self);
  else if (self->exchange != NULL)
    end_sync (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Syncing was stopped"));
  else if (self->status == EAR_SYNC_LOADING)
    set_status (self, EAR_SYNC_SIGNED_OUT);
  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_clear_pointer (&self->thread, ear_thread_stop);
}

/* Signs in, and begins the first sync.
 * @address: of the server, as typed
 * @user: (nullable): without a name, the listener signs in to Nextcloud with the web browser,
 *   within twenty minutes: [signal@EarSync::open-address] has the page for it
 * @password: (nullable): likewise */
void
ear_sync_sign_in (EarSync *self, EarSyncService service, const char *address, const char *user,
                  const char *password)
{
  g_autoptr (EarSyncState) state = ear_sync_state_new ();
  g_autofree char *id = g_uuid_string_random ();

  g_return_if_fail (EAR_IS_SYNC (self));

  if (self->status != EAR_SYNC_SIGNED_OUT || self->stopped)
    return;
  state->account = (EarSyncAccount){
    .service = service,
    .address = ear_sync_clean_address (address),
    .user = g_strdup (user),
    .password = g_strdup (password),
    .device = g_strdup_printf ("earmark-%.8s", id),
    .name = g_strdup (g_get_host_name ()),
  };
  if (state->account.address == NULL)
    {
      g_clear_error (&self->error);
      self->error = g_error_new_literal (EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "No web address");
      set_status (self, EAR_SYNC_SIGNED_OUT);
    }
  else
    begin (self, state, EAR_SYNC_SIGNING_IN);
}

/* The listener may have signed in again: the password is another one then. */
static void
password_to_forget_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarSync *self = g_task_get_source_object (task);
  EarSyncAccount *account = &((EarSyncState *) g_task_get_task_data (task))->account;
  g_autoptr (EarLogin) login = ear_keyring_find_finish (EAR_KEYRING (source), result, NULL);

  g_task_return_boolean (task, TRUE);
  if (self->state->account.address != NULL)
    return;
  if (login != NULL && account->service == EAR_SYNC_NEXTCLOUD)
    {
      g_set_str (&account->password, login->password);
      ear_sync_call_async (self->services.http, account, EAR_SYNC_LOG_OUT, 0, NULL, NULL, NULL,
                           NULL);
    }
  ear_keyring_forget (self->services.keyring, EAR_SYNC_KEYRING_NAME);
}

/* Forgets the account, and makes the password invalid where the server made it for Earmark.
 * Podcasts and marks stay, here and on the server. Without an account, signing in ends. */
void
ear_sync_sign_out (EarSync *self)
{
  GTask *task;

  g_return_if_fail (EAR_IS_SYNC (self));

  if (self->status == EAR_SYNC_LOADING)
    return;
  if (self->state->account.address != NULL)
    {
      task = g_task_new (self, NULL, NULL, NULL);
      g_task_set_task_data (task, self->state, (GDestroyNotify) ear_sync_state_unref);
      ear_keyring_find_async (self->services.keyring, EAR_SYNC_KEYRING_NAME,
                              self->state->account.address, NULL, password_to_forget_found_cb,
                              task);
      self->state = ear_sync_state_new ();
      save (self);
    }
  g_clear_pointer (&self->exchange, ear_sync_exchange_end);
  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_clear_error (&self->error);
  set_status (self, EAR_SYNC_SIGNED_OUT);
}

/* Sets the name of this computer, by which the account's other devices show it. */
void
ear_sync_set_device_name (EarSync *self, const char *name)
{
  EarSyncAccount *account;

  g_return_if_fail (EAR_IS_SYNC (self));

  account = &self->state->account;
  if (account->address == NULL || *name == '\0' || !g_set_str (&account->name, name))
    return;
  save (self);
  if (account->service == EAR_SYNC_GPODDER && account->password != NULL)
    ear_sync_call_async (self->services.http, account, EAR_SYNC_SET_DEVICE, 0,
                         g_variant_new_parsed ("{'caption': %s, 'type': 'desktop'}", name), NULL,
                         NULL, NULL);
}

/* --- Class -------------------------------------------------------------------------- */

static void
ear_sync_dispose (GObject *object)
{
  EarSync *self = EAR_SYNC (object);

  ear_sync_stop (self);
  ear_services_clear (&self->services);

  G_OBJECT_CLASS (ear_sync_parent_class)->dispose (object);
}

static void
ear_sync_finalize (GObject *object)
{
  EarSync *self = EAR_SYNC (object);

  g_free (self->path);
  ear_sync_state_unref (self->state);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (ear_sync_parent_class)->finalize (object);
}

static void
ear_sync_class_init (EarSyncClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "status", G_TYPE_INT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSync, status) },
  };

  object_class->dispose = ear_sync_dispose;
  object_class->finalize = ear_sync_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  ear_signal_new (klass, "open-address", 1, G_TYPE_STRING);
}

static void
ear_sync_init (EarSync *self)
{
  self->state = ear_sync_state_new ();
}

/* @path: the file of the account's state
 * Returns: (transfer full): signed out, until the file is read */
EarSync *
ear_sync_new (const EarServices *services, const char *path)
{
  EarSync *self = g_object_new (EAR_TYPE_SYNC, NULL);

  ear_services_copy (&self->services, services);
  self->path = g_strdup (path);
  g_object_connect (services->subscriptions, "swapped-object-signal::followed", schedule_soon, self,
                    "swapped-object-signal::unfollowed", schedule_soon, self, NULL);
  ear_connect (services->player, "notify::state", state_changed_cb, self);
  ear_connect (services->network, "network-changed", schedule_soon, self);

  return self;
}
