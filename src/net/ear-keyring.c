/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-keyring.h"

#include "ear-address.h"
#include "ear-http-route.h"

#include <glib/gi18n-lib.h>
#include <libsecret/secret.h>

/**
 * EarKeyring:
 *
 * Stores user names and passwords for servers in the Secret Service of the desktop.
 * Without such a service, or if it refuses, the keyring stores them in memory until
 * Earmark quits.
 *
 * A login belongs to one podcast and one server; it is never sent to another server.
 * Addresses may contain secrets, and the service does not protect attributes: attributes
 * are digests of addresses.
 *
 * A new login is tried first and stored only after the server has accepted it: a typing
 * mistake is not stored and does not replace the correct login.
 */
struct _EarKeyring
{
  GObject parent_instance;

  /* Owned */
  GHashTable *logins; /* by digest: EarLogin, or %NULL if known to be missing */
  GHashTable *trials; /* by digest: EarLogin not yet accepted or rejected */
};

G_DEFINE_FINAL_TYPE (EarKeyring, ear_keyring, G_TYPE_OBJECT)

static const SecretSchema schema = {
  "io.github.earmark_app.Earmark.Podcast",
  SECRET_SCHEMA_NONE,
  { { "podcast", SECRET_SCHEMA_ATTRIBUTE_STRING }, { "server", SECRET_SCHEMA_ATTRIBUTE_STRING } },
};

/**
 * ear_login_new:
 * @user: a user name
 * @password: (nullable): the password
 *
 * Returns: (transfer full): a login
 */
EarLogin *
ear_login_new (const char *user, const char *password)
{
  EarLogin *self = g_new0 (EarLogin, 1);

  self->user = g_strdup (user);
  self->password = g_strdup (password != NULL ? password : "");

  return self;
}

EarLogin *
ear_login_copy (const EarLogin *self)
{
  return ear_login_new (self->user, self->password);
}

void
ear_login_free (EarLogin *self)
{
  g_free (self->user);
  secret_password_wipe (self->password);
  g_free (self->password);
  g_free (self);
}

/* Returns: "host" or "host:port": http and https share a login */
static char *
dup_server (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_PARSE_RELAXED | G_URI_FLAGS_SCHEME_NORMALIZE, NULL);
  g_autofree char *host = NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL)
    return g_strdup ("");
  host = g_ascii_strdown (g_uri_get_host (uri), -1);
  if (g_uri_get_port (uri) <= 0 || g_uri_get_port (uri) == 80 || g_uri_get_port (uri) == 443)
    return g_steal_pointer (&host);

  return g_strdup_printf ("%s:%d", host, g_uri_get_port (uri));
}

static char *
dup_digest (const char *podcast)
{
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, podcast, -1);
}

static char *
dup_key (const char *podcast, const char *address)
{
  g_autofree char *digest = dup_digest (podcast);
  g_autofree char *server = dup_server (address);

  return g_strconcat (digest, " ", server, NULL);
}

/* Splits "user:password" as in HTTP Basic (RFC 7617): a user name has no colon. */
static EarLogin *
split_secret (const char *secret)
{
  const char *colon = strchr (secret, ':');
  g_autofree char *user = colon != NULL ? g_strndup (secret, colon - secret) : g_strdup (secret);

  return ear_login_new (user, colon != NULL ? colon + 1 : NULL);
}

static void
ear_keyring_finalize (GObject *object)
{
  g_clear_pointer (&EAR_KEYRING (object)->logins, g_hash_table_unref);
  g_clear_pointer (&EAR_KEYRING (object)->trials, g_hash_table_unref);

  G_OBJECT_CLASS (ear_keyring_parent_class)->finalize (object);
}

static void
ear_keyring_class_init (EarKeyringClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ear_keyring_finalize;

  /**
   * EarKeyring::not-stored:
   * @self: the keyring
   * @error: the reason
   *
   * An accepted login could not be stored: the keyring forgets it when Earmark quits.
   */
  g_signal_new ("not-stored", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
login_clear (gpointer data)
{
  if (data != NULL)
    ear_login_free (data);
}

static void
ear_keyring_init (EarKeyring *self)
{
  self->logins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, login_clear);
  self->trials = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, login_clear);
}

/* A trial login is newer than a stored one. */
static gboolean
look_up (EarKeyring *self, const char *key, const EarLogin **login)
{
  return g_hash_table_lookup_extended (self->trials, key, NULL, (gpointer *) login) ||
         g_hash_table_lookup_extended (self->logins, key, NULL, (gpointer *) login);
}

EarKeyring *
ear_keyring_new (void)
{
  return g_object_new (EAR_TYPE_KEYRING, NULL);
}

/**
 * ear_keyring_peek:
 * @self: the keyring
 * @podcast: the URL under which the podcast was first followed
 * @address: the URL to be fetched
 *
 * Returns: (transfer none) (nullable): the login, if it is already known
 */
const EarLogin *
ear_keyring_peek (EarKeyring *self, const char *podcast, const char *address)
{
  g_autofree char *key = NULL;
  const EarLogin *login = NULL;

  g_return_val_if_fail (EAR_IS_KEYRING (self), NULL);

  if (g_hash_table_size (self->logins) == 0 && g_hash_table_size (self->trials) == 0)
    return NULL;
  key = dup_key (podcast, address);
  look_up (self, key, &login);

  return login;
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  EarKeyring *self = g_task_get_source_object (task);
  const char *key = g_task_get_task_data (task);
  char *secret = secret_password_lookup_finish (result, &error);
  EarLogin *login = secret != NULL ? split_secret (secret) : NULL;
  const EarLogin *found = NULL;

  secret_password_free (secret);
  if (g_task_return_error_if_cancelled (task))
    {
      login_clear (login);
      return;
    }
  if (error != NULL)
    g_info ("The Secret Service cannot be asked: %s", error->message);

  /* A login typed meanwhile is newer. An error is not remembered as missing: at the start
   * of a session the service may start later than Earmark. */
  if (error == NULL && !g_hash_table_contains (self->logins, key))
    g_hash_table_insert (self->logins, g_strdup (key), g_steal_pointer (&login));
  login_clear (login);
  look_up (self, key, &found);
  g_task_return_pointer (task, found != NULL ? ear_login_copy (found) : NULL, login_clear);
}

/**
 * ear_keyring_find_async:
 * @self: the keyring
 * @podcast: the URL under which the podcast was first followed
 * @address: the URL to be fetched
 * @cancellable: (nullable): a cancellable
 * @callback: called with the result
 * @user_data: data of the caller
 *
 * Looks up the login of a podcast for a server. The Secret Service is asked only once.
 */
void
ear_keyring_find_async (EarKeyring *self, const char *podcast, const char *address, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *digest = NULL;
  g_autofree char *server = NULL;
  char *key;
  GTask *task;
  const EarLogin *login;

  g_return_if_fail (EAR_IS_KEYRING (self));

  key = dup_key (podcast, address);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, ear_keyring_find_async);
  g_task_set_task_data (task, key, g_free);
  if (look_up (self, key, &login))
    {
      g_task_return_pointer (task, login != NULL ? ear_login_copy (login) : NULL, login_clear);
      g_object_unref (task);
      return;
    }

  digest = dup_digest (podcast);
  server = dup_server (address);
  secret_password_lookup (&schema, cancellable, found_cb, task, "podcast", digest, "server", server, NULL);
}

/**
 * ear_keyring_find_finish:
 * @self: the keyring
 * @result: the result passed to the callback
 * @error: return location: only %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (nullable): the login, or %NULL if there is none
 */
EarLogin *
ear_keyring_find_finish (EarKeyring *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, ear_keyring_find_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
stored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarKeyring) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!secret_password_store_finish (result, &error))
    g_signal_emit_by_name (self, "not-stored", error);
}

/**
 * ear_keyring_keep:
 * @self: the keyring
 * @podcast: the URL under which the podcast was first followed
 * @address: the URL that needs the login
 * @login: the login typed by the listener
 *
 * Stores a login. It is valid at once; if it does not outlive this session,
 * [signal@EarKeyring::not-stored] is emitted.
 */
void
ear_keyring_keep (EarKeyring *self, const char *podcast, const char *address, const EarLogin *login)
{
  g_autofree char *digest = dup_digest (podcast);
  g_autofree char *server = dup_server (address);
  g_autofree char *label = NULL;
  char *secret;

  g_return_if_fail (EAR_IS_KEYRING (self));
  g_return_if_fail (login != NULL && login->user != NULL);

  g_hash_table_insert (self->logins, dup_key (podcast, address), ear_login_copy (login));

  /* Translators: label of a password in the list of all passwords; %s is the name of a
   * server */
  label = g_strdup_printf (_("Podcast at %s"), server);
  secret = g_strconcat (login->user, ":", login->password, NULL);
  secret_password_store (&schema, SECRET_COLLECTION_DEFAULT, label, secret, NULL, stored_cb, g_object_ref (self),
                         "podcast", digest, "server", server, NULL);
  secret_password_wipe (secret);
  g_free (secret);
}

/**
 * ear_keyring_try:
 * @self: the keyring
 * @podcast: the URL under which the podcast was first followed
 * @address: the URL that needs the login
 * @login: the login typed by the listener
 *
 * Uses this login until a server has accepted or rejected it.
 */
void
ear_keyring_try (EarKeyring *self, const char *podcast, const char *address, const EarLogin *login)
{
  g_return_if_fail (EAR_IS_KEYRING (self));
  g_return_if_fail (login != NULL && login->user != NULL);

  g_hash_table_insert (self->trials, dup_key (podcast, address), ear_login_copy (login));
}

static EarLogin *
find_login (const char *address, const char *plain)
{
  g_autofree char *user = NULL;
  g_autofree char *password = NULL;
  EarLogin *login;

  if (!ear_http_route_find_login (address, plain, &user, &password))
    return NULL;
  login = ear_login_new (user, password);
  secret_password_wipe (password);

  return login;
}

/**
 * ear_keyring_take_login:
 * @self: the keyring
 * @podcast: (nullable): the URL under which the podcast was first followed, or %NULL for
 *   the returned one
 * @address: a URL from outside, which may contain a user name and a password
 *
 * Stores the user name and password, so that the URL can be stored and shown without
 * them. Without a keyring they are known until Earmark quits.
 *
 * Returns: (transfer full): the URL without user name and password
 */
char *
ear_keyring_take_login (EarKeyring *self, const char *podcast, const char *address)
{
  char *plain = ear_address_without_login (address);
  g_autoptr (EarLogin) login = NULL;

  g_return_val_if_fail (EAR_IS_KEYRING (self), plain);

  login = find_login (address, plain);
  if (login != NULL)
    ear_keyring_keep (self, podcast != NULL ? podcast : plain, plain, login);

  return plain;
}

/**
 * ear_keyring_try_login:
 * @self: the keyring
 * @podcast: the URL under which the podcast was first followed
 * @address: a URL from outside, which may contain a user name and a password
 *
 * Uses these for the podcast until its server has accepted or rejected them: an imported
 * list with a wrong password must not replace the correct one.
 */
void
ear_keyring_try_login (EarKeyring *self, const char *podcast, const char *address)
{
  g_autofree char *plain = ear_address_without_login (address);
  g_autoptr (EarLogin) login = find_login (address, plain);

  g_return_if_fail (EAR_IS_KEYRING (self));

  if (login != NULL)
    ear_keyring_try (self, podcast, plain, login);
}

/**
 * ear_keyring_judge:
 * @self: the keyring
 * @podcast: the URL under which the podcast was first followed
 * @address: the URL that was requested
 * @user: (nullable): the user name that was sent
 * @password: (nullable): the password that was sent
 * @taken: whether the server accepted them
 *
 * To be called after a response of the server. If the login was on trial, it is stored or
 * dropped; a dropped one uncovers the earlier login.
 */
void
ear_keyring_judge (EarKeyring *self, const char *podcast, const char *address, const char *user, const char *password, gboolean taken)
{
  g_autofree char *key = NULL;
  g_autoptr (EarLogin) login = NULL;
  const EarLogin *trial;

  g_return_if_fail (EAR_IS_KEYRING (self));

  if (g_hash_table_size (self->trials) == 0)
    return;
  key = dup_key (podcast, address);
  trial = g_hash_table_lookup (self->trials, key);
  if (trial == NULL || g_strcmp0 (trial->user, user) != 0 || g_strcmp0 (trial->password, password) != 0)
    return;

  login = ear_login_copy (trial);
  g_hash_table_remove (self->trials, key);
  if (taken)
    ear_keyring_keep (self, podcast, address, login);
}

static void
forgotten_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  /* A missing login is not an error. */
  secret_password_clear_finish (result, &error);
  if (error != NULL)
    g_info ("A password cannot be removed: %s", error->message);
}

static gboolean
is_of_podcast (gpointer key, gpointer login, gpointer digest)
{
  return g_str_has_prefix (key, digest);
}

/**
 * ear_keyring_forget:
 * @self: the keyring
 * @podcast: the URL under which a podcast was first followed
 *
 * Deletes the logins of a podcast for all servers.
 */
void
ear_keyring_forget (EarKeyring *self, const char *podcast)
{
  g_autofree char *digest = NULL;

  g_return_if_fail (EAR_IS_KEYRING (self));
  g_return_if_fail (podcast != NULL);

  digest = dup_digest (podcast);
  g_hash_table_foreach_remove (self->logins, is_of_podcast, digest);
  g_hash_table_foreach_remove (self->trials, is_of_podcast, digest);
  secret_password_clear (&schema, NULL, forgotten_cb, NULL, "podcast", digest, NULL);
}
