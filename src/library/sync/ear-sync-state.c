/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-state.h"

#define ACCOUNT "Account"
#define PODCASTS "Podcasts"
#define SYNC "Sync"

/* @account: (transfer full) (nullable) */
EarSyncState *
ear_sync_state_new (EarSyncAccount *account)
{
  EarSyncState *self = g_rc_box_new0 (EarSyncState);

  self->account = account;
  self->podcasts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

static void
clear (gpointer data)
{
  EarSyncState *self = data;

  g_clear_pointer (&self->account, ear_sync_account_free);
  g_hash_table_unref (self->podcasts);
}

EarSyncState *
ear_sync_state_ref (EarSyncState *self)
{
  return g_rc_box_acquire (self);
}

void
ear_sync_state_unref (EarSyncState *self)
{
  g_rc_box_release_full (self, clear);
}

/* The numbers of the state, and the words of the account, by their keys in the file */
typedef struct
{
  const char *key;
  gsize offset;
} Entry;

static const Entry numbers[] = {
  { "Since", G_STRUCT_OFFSET (EarSyncState, since) },
  { "Sent", G_STRUCT_OFFSET (EarSyncState, sent) },
  { "Synced", G_STRUCT_OFFSET (EarSyncState, synced) },
  { "Compared", G_STRUCT_OFFSET (EarSyncState, compared) },
};

static const Entry words[] = {
  { "Address", G_STRUCT_OFFSET (EarSyncAccount, address) },
  { "User", G_STRUCT_OFFSET (EarSyncAccount, user) },
  { "Device", G_STRUCT_OFFSET (EarSyncAccount, device) },
  { "Name", G_STRUCT_OFFSET (EarSyncAccount, name) },
};

static EarSyncAccount *
read_account (GKeyFile *file)
{
  g_autofree char *service = g_key_file_get_string (file, ACCOUNT, "Service", NULL);
  g_autoptr (EarSyncAccount) account = g_new0 (EarSyncAccount, 1);
  g_autofree char *clean = NULL;

  account->service = g_strcmp0 (service, "nextcloud") == 0 ? EAR_SYNC_NEXTCLOUD
                                                           : EAR_SYNC_GPODDER;
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      char *word = g_key_file_get_string (file, ACCOUNT, words[i].key, NULL);

      if (word == NULL)
        return NULL;
      G_STRUCT_MEMBER (char *, account, words[i].offset) = word;
    }
  clean = ear_sync_clean_address (account->address);

  return g_strcmp0 (clean, account->address) == 0 ? g_steal_pointer (&account) : NULL;
}

/* Returns: (transfer full) (nullable): the state in the content of the file */
EarSyncState *
ear_sync_state_parse (const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) podcasts = NULL;
  EarSyncState *self;

  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error))
    return NULL;

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
char *
ear_sync_state_print (const EarSyncState *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  const EarSyncAccount *account = self->account;
  GHashTableIter iter;
  gpointer address, known;

  if (account != NULL)
    g_key_file_set_string (file, ACCOUNT, "Service",
                           account->service == EAR_SYNC_NEXTCLOUD ? "nextcloud" : "gpodder");
  for (gsize i = 0; account != NULL && i < G_N_ELEMENTS (words); i++)
    g_key_file_set_string (file, ACCOUNT, words[i].key,
                           G_STRUCT_MEMBER (char *, account, words[i].offset));
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

  return g_key_file_to_data (file, NULL, NULL);
}
