/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-state.h"

#include "ear-error.h"

#include <string.h>

#define ACCOUNT "Account"
#define PODCASTS "Podcasts"
#define SYNC "Sync"

/* @account: (transfer full) (nullable) */
EarSyncState *
ear_sync_state_new (EarSyncAccount *account)
{
  EarSyncState *self = g_new0 (EarSyncState, 1);

  self->account = account;
  self->podcasts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

void
ear_sync_state_free (EarSyncState *self)
{
  g_clear_pointer (&self->account, ear_sync_account_free);
  g_hash_table_unref (self->podcasts);
  g_free (self);
}

/* The numbers of the state, by their keys in the file */
static const struct
{
  const char *key;
  gsize offset;
} numbers[] = {
  { "Since", G_STRUCT_OFFSET (EarSyncState, since) },
  { "Sent", G_STRUCT_OFFSET (EarSyncState, sent) },
  { "Synced", G_STRUCT_OFFSET (EarSyncState, synced) },
};

static EarSyncAccount *
read_account (GKeyFile *file)
{
  g_autofree char *service = g_key_file_get_string (file, ACCOUNT, "Service", NULL);
  g_autofree char *address = g_key_file_get_string (file, ACCOUNT, "Address", NULL);
  g_autofree char *user = g_key_file_get_string (file, ACCOUNT, "User", NULL);
  g_autofree char *device = g_key_file_get_string (file, ACCOUNT, "Device", NULL);
  g_autofree char *clean = address != NULL ? ear_sync_clean_address (address) : NULL;
  EarSyncAccount *account;

  if (service == NULL || clean == NULL || user == NULL || device == NULL)
    return NULL;
  account = ear_sync_account_new (g_str_equal (service, "nextcloud") ? EAR_SYNC_NEXTCLOUD
                                                                     : EAR_SYNC_GPODDER,
                                  clean, user);
  account->device = g_steal_pointer (&device);
  account->name = g_key_file_get_string (file, ACCOUNT, "Name", NULL);
  if (account->name == NULL)
    account->name = g_strdup (g_get_host_name ());

  return account;
}

/* Any thread. A missing file is a signed out state.
 * @error: %EAR_ERROR_DAMAGED, or that the file cannot be read
 * Returns: (transfer full) (nullable) */
EarSyncState *
ear_sync_state_load (const char *path, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) failure = NULL;
  g_auto (GStrv) podcasts = NULL;
  EarSyncState *self;

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &failure))
    {
      if (g_error_matches (failure, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return ear_sync_state_new (NULL);
      if (failure->domain == G_KEY_FILE_ERROR)
        g_set_error_literal (error, EAR_ERROR, EAR_ERROR_DAMAGED, failure->message);
      else
        g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }

  self = ear_sync_state_new (read_account (file));
  self->agreed = g_key_file_get_boolean (file, SYNC, "Agreed", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    G_STRUCT_MEMBER (gint64, self, numbers[i].offset) =
        MAX (g_key_file_get_int64 (file, SYNC, numbers[i].key, NULL), 0);
  /* Addresses are no valid keys: each value is a pair. */
  podcasts = g_key_file_get_keys (file, PODCASTS, NULL, NULL);
  for (guint i = 0; podcasts != NULL && podcasts[i] != NULL; i++)
    {
      g_auto (GStrv) pair =
          g_key_file_get_string_list (file, PODCASTS, podcasts[i], NULL, NULL);

      if (pair != NULL && g_strv_length (pair) == 2)
        g_hash_table_insert (self->podcasts, g_strdup (pair[0]), g_strdup (pair[1]));
    }

  return self;
}

/* Returns: (transfer full): the content of the file */
GBytes *
ear_sync_state_print (const EarSyncState *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  const EarSyncAccount *account = self->account;
  GHashTableIter iter;
  gpointer address, known;
  char *text;
  gsize length;

  if (account != NULL)
    {
      g_key_file_set_string (file, ACCOUNT, "Service",
                             account->service == EAR_SYNC_NEXTCLOUD ? "nextcloud" : "gpodder");
      g_key_file_set_string (file, ACCOUNT, "Address", account->address);
      g_key_file_set_string (file, ACCOUNT, "User", account->user);
      g_key_file_set_string (file, ACCOUNT, "Device", account->device);
      g_key_file_set_string (file, ACCOUNT, "Name", account->name);
    }
  g_key_file_set_boolean (file, SYNC, "Agreed", self->agreed);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_key_file_set_int64 (file, SYNC, numbers[i].key,
                          G_STRUCT_MEMBER (gint64, self, numbers[i].offset));
  g_hash_table_iter_init (&iter, self->podcasts);
  for (guint i = 1; g_hash_table_iter_next (&iter, &address, &known); i++)
    {
      const char *const pair[] = { address, known };
      g_autofree char *key = g_strdup_printf ("%u", i);

      g_key_file_set_string_list (file, PODCASTS, key, pair, G_N_ELEMENTS (pair));
    }
  text = g_key_file_to_data (file, &length, NULL);

  return g_bytes_new_take (text, length);
}
