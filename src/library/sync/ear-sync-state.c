/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-sync-state.h"

#define ACCOUNT "Account"
#define PODCASTS "Podcasts"
#define SYNC "Sync"

typedef struct
{
  const char *key;
  gsize offset;
} Entry;

static const Entry words[] = {
  { "Address", G_STRUCT_OFFSET (EarSyncState, account.address) },
  { "User", G_STRUCT_OFFSET (EarSyncState, account.user) },
  { "Device", G_STRUCT_OFFSET (EarSyncState, account.device) },
  { "Name", G_STRUCT_OFFSET (EarSyncState, account.name) },
};

static const Entry numbers[] = {
  { "Since", G_STRUCT_OFFSET (EarSyncState, since) },
  { "Sent", G_STRUCT_OFFSET (EarSyncState, sent) },
  { "Synced", G_STRUCT_OFFSET (EarSyncState, synced) },
  { "Compared", G_STRUCT_OFFSET (EarSyncState, compared) },
};

static const char *const services[] = { "gpodder", "nextcloud" };

/* Returns: (transfer full): without an account; g_rc_box_acquire() makes a reference */
EarSyncState *
ear_sync_state_new (void)
{
  EarSyncState *self = g_rc_box_new0 (EarSyncState);

  self->podcasts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return self;
}

static void
clear (gpointer self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    g_free (G_STRUCT_MEMBER (char *, self, words[i].offset));
  g_free (((EarSyncState *) self)->account.password);
  g_hash_table_unref (((EarSyncState *) self)->podcasts);
}

void
ear_sync_state_unref (EarSyncState *self)
{
  g_rc_box_release_full (self, clear);
}

/* Reads the content of the file.
 * @self: a new one
 * Returns: whether there is an account, and no error */
gboolean
ear_sync_state_load (EarSyncState *self, const char *text, gsize length, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *service = NULL;
  g_autofree char *clean = NULL;
  g_auto (GStrv) podcasts = NULL;

  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error))
    return FALSE;

  service = g_key_file_get_string (file, ACCOUNT, "Service", NULL);
  self->account.service =
      g_strcmp0 (service, services[EAR_SYNC_NEXTCLOUD]) == 0 ? EAR_SYNC_NEXTCLOUD : EAR_SYNC_GPODDER;
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      char *word = g_key_file_get_string (file, ACCOUNT, words[i].key, NULL);

      if (word == NULL)
        return FALSE;
      G_STRUCT_MEMBER (char *, self, words[i].offset) = word;
    }
  self->agreed = g_key_file_get_boolean (file, SYNC, "Agreed", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    G_STRUCT_MEMBER (gint64, self, numbers[i].offset) =
        MAX (g_key_file_get_int64 (file, SYNC, numbers[i].key, NULL), 0);
  /* Addresses are no valid keys: each value is a pair. */
  podcasts = g_key_file_get_keys (file, PODCASTS, NULL, NULL);
  for (guint i = 0; podcasts != NULL && podcasts[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_key_file_get_string_list (file, PODCASTS, podcasts[i], NULL, NULL);

      if (pair != NULL && g_strv_length (pair) == 2)
        g_hash_table_insert (self->podcasts, g_strdup (pair[0]), g_strdup (pair[1]));
    }
  clean = ear_sync_clean_address (self->account.address);

  return g_strcmp0 (clean, self->account.address) == 0;
}

/* Returns: (transfer full): the content of the file */
char *
ear_sync_state_print (const EarSyncState *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  GHashTableIter iter;
  gpointer address, known;

  if (self->account.address != NULL)
    g_key_file_set_string (file, ACCOUNT, "Service", services[self->account.service]);
  for (gsize i = 0; self->account.address != NULL && i < G_N_ELEMENTS (words); i++)
    g_key_file_set_string (file, ACCOUNT, words[i].key,
                           G_STRUCT_MEMBER (char *, self, words[i].offset));
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
