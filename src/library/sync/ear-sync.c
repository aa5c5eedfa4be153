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
  EarServices services;      /* those that syncing needs */
  char *path;
  EarSyncState *state;
  EarThread *thread;         /* (nullable): writes the file */
  EarSyncExchange *exchange; /* (nullable): the sync that is running, or is asked about */
  GError *error;             /* (nullable): of the last sync */

  EarSyncStatus status;
  EarSyncCounts counts;
  guint timer_id;
  gint64 ended_at;    /* monotonic time of the last sync; 0: none */
  gboolean is_wanted; /* begin once the account is read */
  gboolean stopped;
};

G_DEFINE_FINAL_TYPE (EarSync, ear_sync, G_TYPE_OBJECT)

EAR_DEFINE_GET (EarSync, ear_sync, EarSyncStatus, status)
EAR_DEFINE_GET (EarSync, ear_sync, const EarSyncState *, state)
EAR_DEFINE_GET (EarSync, ear_sync, const GError *, error)

EarHttp *
ear_sync_get_http (EarSync *self)
{
  return self->services.http;
}

static void
set_status (EarSync *self, EarSyncStatus status)
{
  self->status = status;
  g_object_notify (G_OBJECT (self), "status");
}

/* --- The file ----------------------------------------------------------------------- */

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
  file[1] = ear_sync_state_print (self->state);
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

  self->counts = self->exchange->plan.counts;
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

static void
exchange_done (gpointer owner, GError *error)
{
  EarSync *self = owner;

  if (!self->exchange->is_doubtful)
    {
      end_sync (self, error);
      return;
    }
  self->counts = self->exchange->plan.counts;
  set_status (self, EAR_SYNC_ASKING);
  /* The preferences ask; without them, the listener has to know. */
  if (self->state->agreed)
    ear_notices_add (self->services.notices, _("Syncing waits for your answer in Preferences"),
                     TRUE);
}

static void
begin_sync (EarSync *self)
{
  g_clear_handle_id (&self->timer_id, g_source_remove);
  self->counts = (EarSyncCounts){ 0 };
  g_clear_error (&self->error);
  self->exchange = ear_sync_exchange_begin (&self->services, self->state, exchange_done, self);
  set_status (self, EAR_SYNC_RUNNING);
}

/* Answers the question of %EAR_SYNC_ASKING. */
void
ear_sync_answer (EarSync *self, EarSyncChoice choice)
{
  g_return_if_fail (EAR_IS_SYNC (self));

  if (self->status != EAR_SYNC_ASKING)
    return;
  if (choice == EAR_SYNC_DECLINE && !self->state->agreed)
    ear_sync_sign_out (self);
  else if (choice == EAR_SYNC_DECLINE)
    {
      self->exchange->plan.counts = (EarSyncCounts){ 0 };
      end_sync (self, NULL);
    }
  else
    {
      if (choice == EAR_SYNC_KEEP)
        ear_sync_exchange_keep (self->exchange);
      self->state->changed = TRUE;
      set_status (self, EAR_SYNC_RUNNING);
      ear_sync_exchange_apply (self->exchange);
    }
}

/* Syncs now, if there is an account, unless a sync is running or asked about. The status
 * shows when it has ended. */
void
ear_sync_run (EarSync *self)
{
  g_return_if_fail (EAR_IS_SYNC (self));

  self->is_wanted = self->status == EAR_SYNC_LOADING;
  if (self->exchange == NULL && self->state->account.address != NULL && !self->stopped)
    begin_sync (self);
}

/* Returns: the changes that the listener is asked about, or that the last sync has made */
const EarSyncCounts *
ear_sync_get_counts (EarSync *self)
{
  g_return_val_if_fail (EAR_IS_SYNC (self), NULL);

  return &self->counts;
}

/* @line: (transfer full): added unless @n is 0 */
static void
add_line (GStrvBuilder *lines, guint n, char *line)
{
  if (n > 0)
    g_strv_builder_take (lines, line);
  else
    g_free (line);
}

/* Returns: (transfer full) (nullable): the changes of the last sync in words, a line each */
char *
ear_sync_dup_summary (EarSync *self)
{
  const EarSyncCounts n = self->counts;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) lines = NULL;

  add_line (builder, n.follow,
            g_strdup_printf (ngettext ("%'u podcast followed", "%'u podcasts followed", n.follow),
                             n.follow));
  add_line (builder, n.unfollow,
            g_strdup_printf (ngettext ("%'u podcast unfollowed", "%'u podcasts unfollowed",
                                       n.unfollow),
                             n.unfollow));
  add_line (builder, n.add,
            g_strdup_printf (ngettext ("%'u podcast uploaded", "%'u podcasts uploaded", n.add),
                             n.add));
  add_line (builder, n.remove,
            g_strdup_printf (ngettext ("%'u podcast unfollowed on the server",
                                       "%'u podcasts unfollowed on the server", n.remove),
                             n.remove));
  add_line (builder, n.received,
            g_strdup_printf (ngettext ("%'u episode updated", "%'u episodes updated", n.received),
                             n.received));
  add_line (builder, n.sent,
            g_strdup_printf (ngettext ("%'u change uploaded", "%'u changes uploaded", n.sent),
                             n.sent));
  lines = g_strv_builder_end (builder);

  return *lines != NULL ? g_strjoinv ("\n", lines) : NULL;
}

/* --- The time of a sync ------------------------------------------------------------- */

static void
timer_cb (gpointer user_data)
{
  EarSync *self = user_data;
  GNetworkMonitor *network = self->services.network;
  gboolean on_metered;

  self->timer_id = 0;
  g_object_get (self->services.settings, "refresh-on-metered", &on_metered, NULL);
  if (self->exchange != NULL)
    schedule (self, self->status == EAR_SYNC_RUNNING ? DELAY : INTERVAL);
  else if (!g_network_monitor_get_network_available (network) ||
           (g_network_monitor_get_network_metered (network) && !on_metered))
    schedule (self, INTERVAL);
  else
    begin_sync (self);
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
  g_autoptr (EarSyncState) state = ear_sync_state_new ();
  gboolean has_account = FALSE;
  gsize length;

  if (g_file_load_contents_finish (G_FILE (source), result, &text, &length, NULL, &error))
    has_account = ear_sync_state_load (state, text, length, &error);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_autofree char *aside = g_strconcat (self->path, ".damaged", NULL);

      g_message ("The state of syncing cannot be read: %s", error->message);
      g_rename (self->path, aside);
    }
  /* The listener may have been quicker, and have signed in. */
  if (self->status != EAR_SYNC_LOADING)
    return;
  if (has_account)
    {
      ear_sync_state_unref (self->state);
      self->state = g_steal_pointer (&state);
    }
  if (has_account && self->is_wanted)
    begin_sync (self);
  else
    {
      set_status (self, has_account ? EAR_SYNC_WAITING : EAR_SYNC_SIGNED_OUT);
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
  if (self->exchange != NULL)
    end_sync (self, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Syncing was stopped"));
  else if (self->status == EAR_SYNC_LOADING)
    set_status (self, EAR_SYNC_SIGNED_OUT);
  g_clear_handle_id (&self->timer_id, g_source_remove);
  g_clear_pointer (&self->thread, ear_thread_stop);
}

static void
password_kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!ear_keyring_keep_finish (EAR_KEYRING (source), result, &error))
    g_signal_emit_by_name (source, "not-stored", error);
}

/* Takes over an account that works, unless there is one, and begins the first sync. */
void
ear_sync_adopt (EarSync *self, EarSyncState *state)
{
  const EarSyncAccount *account = &state->account;
  g_autoptr (EarLogin) login = NULL;

  g_return_if_fail (EAR_IS_SYNC (self));

  if (self->state->account.address != NULL || self->stopped)
    return;
  login = ear_login_new (account->user, account->password);
  ear_keyring_keep_async (self->services.keyring, EAR_SYNC_KEYRING_NAME, account->address, login,
                          NULL, password_kept_cb, NULL);
  ear_sync_state_unref (self->state);
  self->state = g_rc_box_acquire (state);
  save (self);
  begin_sync (self);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarSyncAnswer) answer = ear_sync_call_finish (result, NULL, NULL);
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
      ear_sync_call_async (self->services.http, account, EAR_SYNC_LOG_OUT, 0, NULL, NULL,
                           answered_cb, NULL);
    }
  ear_keyring_forget (self->services.keyring, EAR_SYNC_KEYRING_NAME);
}

/* Forgets the account, and makes the password invalid where the server made it for Earmark.
 * Podcasts and marks stay, here and on the server. */
void
ear_sync_sign_out (EarSync *self)
{
  GTask *task;

  g_return_if_fail (EAR_IS_SYNC (self));

  if (self->state->account.address == NULL)
    return;
  task = g_task_new (self, NULL, NULL, NULL);
  g_task_set_source_tag (task, ear_sync_sign_out);
  g_task_set_task_data (task, self->state, (GDestroyNotify) ear_sync_state_unref);
  ear_keyring_find_async (self->services.keyring, EAR_SYNC_KEYRING_NAME,
                          self->state->account.address, NULL, password_to_forget_found_cb, task);
  self->state = ear_sync_state_new ();
  save (self);
  if (self->exchange != NULL)
    end_sync (self, NULL);
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
                         answered_cb, NULL);
}

/* --- Class -------------------------------------------------------------------------- */

/* The services that syncing needs */
static const gsize needed[] = {
  G_STRUCT_OFFSET (EarServices, catalogue),     G_STRUCT_OFFSET (EarServices, state),
  G_STRUCT_OFFSET (EarServices, subscriptions), G_STRUCT_OFFSET (EarServices, http),
  G_STRUCT_OFFSET (EarServices, keyring),       G_STRUCT_OFFSET (EarServices, notices),
  G_STRUCT_OFFSET (EarServices, settings),      G_STRUCT_OFFSET (EarServices, player),
  G_STRUCT_OFFSET (EarServices, network),
};

static void
ear_sync_dispose (GObject *object)
{
  EarSync *self = EAR_SYNC (object);

  if (self->thread != NULL || self->exchange != NULL)
    ear_sync_stop (self);
  g_clear_handle_id (&self->timer_id, g_source_remove);
  for (gsize i = 0; i < G_N_ELEMENTS (needed); i++)
    g_clear_object (&G_STRUCT_MEMBER (GObject *, &self->services, needed[i]));

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

  g_signal_new ("open-address", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_STRING);
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

  for (gsize i = 0; i < G_N_ELEMENTS (needed); i++)
    G_STRUCT_MEMBER (GObject *, &self->services, needed[i]) =
        g_object_ref (G_STRUCT_MEMBER (GObject *, services, needed[i]));
  self->path = g_strdup (path);
  g_signal_connect_object (services->subscriptions, "followed", G_CALLBACK (schedule_soon), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (services->subscriptions, "unfollowed", G_CALLBACK (schedule_soon), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (services->player, "notify::state", G_CALLBACK (state_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (services->network, "network-changed", G_CALLBACK (schedule_soon), self,
                           G_CONNECT_SWAPPED);

  return self;
}
