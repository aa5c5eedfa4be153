/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Moves logins out of the addresses of podcasts that an earlier version followed. They
 * are stored in the keyring while the library runs. Since all data of a podcast refers to
 * its address, on the disk and in memory, the address without the login is set when the
 * library is opened the next time, before anything is read. A file lists these podcasts
 * in between. */

#include "ear-old-logins.h"

#include "ear-address.h"
#include "ear-catalogue-update.h"
#include "ear-download-folder.h"
#include "ear-http-route.h"
#include "ear-userdata-readdress.h"

#include <glib/gstdio.h>

#define LIST_NAME "logins-kept"

/* Data of storing the logins, one after the other */
typedef struct
{
  char *directory;
  EarKeyring *keyring;
  GPtrArray *podcasts; /* (element-type EarPodcast): podcasts with logins */
  guint next;          /* twice the index of a podcast, plus 1 for its feed address */
  char *plain;         /* (nullable): the current address without the login */
  EarLogin *login;     /* (nullable): the current login */
  GHashTable *lost;    /* (element-type EarPodcast): podcasts left unchanged */
  GError *error;       /* (nullable): the reason */
} Round;

static char *
build_list_path (const char *directory)
{
  return g_build_filename (directory, LIST_NAME, NULL);
}

static gboolean
has_login (const char *address)
{
  g_autofree char *plain = ear_address_without_login (address);

  return !g_str_equal (plain, address);
}

static void
round_free (Round *round)
{
  g_ptr_array_unref (round->podcasts);
  g_hash_table_unref (round->lost);
  g_clear_error (&round->error);
  g_free (round->directory);
  g_object_unref (round->keyring);
  g_free (round);
}

static void
end_round (Round *round)
{
  g_autofree char *path = build_list_path (round->directory);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (round->error != NULL)
    g_message ("The passwords of %u podcasts stay in their addresses: %s",
               g_hash_table_size (round->lost), round->error->message);
  for (guint i = 0; i < round->podcasts->len; i++)
    if (!g_hash_table_contains (round->lost, g_ptr_array_index (round->podcasts, i)))
      g_string_append_printf (text, "%s\n",
                              ear_podcast_get_address (g_ptr_array_index (round->podcasts, i)));
  if (text->len > 0 &&
      !g_file_set_contents_full (path, text->str, -1,
                                 G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600,
                                 &error))
    g_info ("Which passwords are in the keyring cannot be written down: %s", error->message);
  round_free (round);
}

static void go_on (Round *round);

static void
end_step (Round *round, GError *error)
{
  if (error != NULL)
    {
      g_hash_table_add (round->lost, g_ptr_array_index (round->podcasts, round->next / 2));
      g_clear_error (&round->error);
      round->error = error;
    }
  g_clear_pointer (&round->plain, g_free);
  g_clear_pointer (&round->login, ear_login_free);
  round->next++;
  go_on (round);
}

static void
kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;

  ear_keyring_keep_finish (EAR_KEYRING (source), result, &error);
  end_step (user_data, error);
}

/* A login typed since then, because the server required one, is newer than that in the
 * address. */
static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Round *round = user_data;
  g_autofree char *podcast = ear_address_without_login (
      ear_podcast_get_address (g_ptr_array_index (round->podcasts, round->next / 2)));
  GError *error = NULL;
  g_autoptr (EarLogin) typed = ear_keyring_find_finish (EAR_KEYRING (source), result, &error);

  if (error != NULL)
    end_step (round, error);
  else
    ear_keyring_keep_async (round->keyring, podcast, round->plain,
                            typed != NULL ? typed : round->login, NULL, kept_cb, round);
}

static void
go_on (Round *round)
{
  for (; round->next / 2 < round->podcasts->len; round->next++)
    {
      EarPodcast *podcast = g_ptr_array_index (round->podcasts, round->next / 2);
      const char *address = round->next % 2 == 0 ? ear_podcast_get_address (podcast)
                                                 : ear_podcast_get_feed_address (podcast);
      g_autofree char *plain = ear_address_without_login (address);
      g_autofree char *user = NULL;
      g_autofree char *password = NULL;

      if (!ear_http_route_find_login (address, plain, &user, &password))
        continue;
      round->plain = g_steal_pointer (&plain);
      round->login = ear_login_new (user, password);
      ear_keyring_find_async (round->keyring, ear_podcast_get_address (podcast), round->plain, NULL,
                              found_cb, round);
      return;
    }
  end_round (round);
}

/* Stores the logins in addresses of podcasts in the keyring. Without a keyring, nothing
 * changes. */
void
ear_old_logins_keep (const char *directory, EarCatalogue *catalogue, EarKeyring *keyring)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (catalogue);
  Round *round = g_new0 (Round, 1);

  round->directory = g_strdup (directory);
  round->keyring = g_object_ref (keyring);
  round->podcasts = g_ptr_array_new_with_free_func (g_object_unref);
  round->lost = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (has_login (ear_podcast_get_address (podcast)) ||
          has_login (ear_podcast_get_feed_address (podcast)))
        g_ptr_array_add (round->podcasts, g_steal_pointer (&podcast));
    }
  go_on (round);
}

static GHashTable *
read_list (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GHashTable *addresses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return addresses;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (ear_address_is_web (lines[i]))
      g_hash_table_insert (addresses, g_strdup (lines[i]), ear_address_without_login (lines[i]));

  return addresses;
}

static gboolean
move_all (const char *directory, GHashTable *addresses, GError **error)
{
  g_autofree char *catalogue = g_build_filename (directory, "catalogue.db", NULL);
  g_autofree char *state = g_build_filename (directory, "state", NULL);
  g_autofree char *downloads = g_build_filename (directory, "downloads", NULL);
  g_autoptr (EarDownloadFolder) folder = ear_download_folder_new (downloads, FALSE);

  return ear_catalogue_readdress (catalogue, addresses, error) &&
         ear_download_folder_readdress (folder, addresses, error) &&
         ear_userdata_readdress (state, addresses, error);
}

/* Returns: whether [func@ear_old_logins_remove] has something to do */
gboolean
ear_old_logins_are_kept (const char *directory)
{
  g_autofree char *path = build_list_path (directory);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Removes the logins that are in the keyring by now from the addresses of podcasts. A
 * failure is retried at the next start; steps that were completed are detected.
 * @directory: the data directory of a library that is about to be opened, and not open in
 *   another process */
void
ear_old_logins_remove (const char *directory)
{
  g_autofree char *path = build_list_path (directory);
  g_autoptr (GHashTable) addresses = NULL;
  g_autoptr (GError) error = NULL;

  if (!ear_old_logins_are_kept (directory))
    return;
  addresses = read_list (path);
  if (move_all (directory, addresses, &error))
    {
      g_info ("The passwords of %u podcasts are in the keyring now, and not in their addresses",
              g_hash_table_size (addresses));
      g_unlink (path);
    }
  else
    g_message ("Passwords cannot be removed from the addresses of podcasts: %s", error->message);
}
