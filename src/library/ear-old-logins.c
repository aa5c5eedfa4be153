/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Names and passwords in the addresses of podcasts that an earlier version followed. They are put into the
 * keyring once the library runs. What is known of a podcast is known by its address, on the disk and in
 * memory: all of that gets the address without them when the library is opened the next time, before
 * anybody has read it. Which podcasts these are is in a file in between.
 */

#include "ear-old-logins.h"

#include "ear-address.h"
#include "ear-catalogue-update.h"
#include "ear-download-folder.h"
#include "ear-http-route.h"
#include "ear-userdata-readdress.h"

#include <glib/gstdio.h>

#define LIST_NAME "logins-kept"

/* Those of all podcasts, while the keyring is asked. */
typedef struct
{
  char *directory;
  EarKeyring *keyring;
  GPtrArray *kept; /* (element-type utf8): first addresses of podcasts whose logins are all in the keyring */
  guint n_left;
  guint n_lost;  /* podcasts that have to stay as they are */
  GError *error; /* (nullable): why */
} Round;

/* Those of one podcast: its own, and that of where it has moved to. */
typedef struct
{
  Round *round;
  char *address;
  guint n_left;
  GError *error; /* (nullable) */
} Errand;

/* One of them. */
typedef struct
{
  Errand *errand;
  char *podcast; /* its address without the secret */
  char *plain;
  EarLogin *login;
} Step;

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

/* --- While the library runs ------------------------------------------------------------ */

static void
end_round (Round *round)
{
  g_autofree char *path = build_list_path (round->directory);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (round->n_lost > 0)
    g_message ("The passwords of %u podcasts stay in their addresses: %s", round->n_lost, round->error->message);
  g_ptr_array_add (round->kept, NULL);
  text = g_strjoinv ("\n", (char **) round->kept->pdata);
  if (*text != '\0' && !g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, &error))
    g_info ("Which passwords are in the keyring cannot be written down: %s", error->message);

  g_ptr_array_unref (round->kept);
  g_clear_error (&round->error);
  g_free (round->directory);
  g_object_unref (round->keyring);
  g_free (round);
}

static void
end_errand (Errand *errand)
{
  Round *round = errand->round;

  if (errand->error == NULL)
    {
      g_ptr_array_add (round->kept, g_steal_pointer (&errand->address));
    }
  else
    {
      round->n_lost++;
      g_clear_error (&round->error);
      round->error = g_steal_pointer (&errand->error);
    }
  g_free (errand->address);
  g_free (errand);
  if (--round->n_left == 0)
    end_round (round);
}

static void
end_step (Step *step, GError *error)
{
  Errand *errand = step->errand;

  if (error != NULL)
    {
      g_clear_error (&errand->error);
      errand->error = error;
    }
  g_free (step->podcast);
  g_free (step->plain);
  ear_login_free (step->login);
  g_free (step);
  if (--errand->n_left == 0)
    end_errand (errand);
}

static void
kept_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GError *error = NULL;

  ear_keyring_keep_finish (EAR_KEYRING (source), result, &error);
  end_step (user_data, error);
}

/* What was typed since, because the server wanted it, is newer than what the address says. */
static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Step *step = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarLogin) typed = ear_keyring_find_finish (EAR_KEYRING (source), result, &error);

  if (error != NULL)
    end_step (step, g_steal_pointer (&error));
  else
    ear_keyring_keep_async (EAR_KEYRING (source), step->podcast, step->plain, typed != NULL ? typed : step->login, NULL, kept_cb, step);
}

static void
begin_step (Errand *errand, const char *address)
{
  g_autofree char *plain = ear_address_without_login (address);
  g_autofree char *user = NULL;
  g_autofree char *password = NULL;
  Step *step;

  if (!ear_http_route_find_login (address, plain, &user, &password))
    return;
  step = g_new0 (Step, 1);
  step->errand = errand;
  step->podcast = ear_address_without_login (errand->address);
  step->plain = g_steal_pointer (&plain);
  step->login = ear_login_new (user, password);
  errand->n_left++;
  ear_keyring_find_async (errand->round->keyring, errand->address, step->plain, NULL, found_cb, step);
}

static void
begin_errand (Round *round, EarPodcast *podcast)
{
  const char *address = ear_podcast_get_address (podcast);
  const char *feed = ear_podcast_get_feed_address (podcast);
  Errand *errand = g_new0 (Errand, 1);

  errand->round = round;
  errand->address = g_strdup (address);
  errand->n_left = 1;
  round->n_left++;
  begin_step (errand, address);
  if (feed != NULL && !g_str_equal (feed, address))
    begin_step (errand, feed);
  if (--errand->n_left == 0)
    end_errand (errand);
}

/* Puts the names and passwords that are in the addresses of podcasts into the keyring. Where there is none, all stays
 * as it is. */
void
ear_old_logins_keep (const char *directory, EarCatalogue *catalogue, EarKeyring *keyring)
{
  GListModel *podcasts = ear_catalogue_get_podcasts (catalogue);
  Round *round = g_new0 (Round, 1);

  round->directory = g_strdup (directory);
  round->keyring = g_object_ref (keyring);
  round->kept = g_ptr_array_new_with_free_func (g_free);
  round->n_left = 1;
  for (guint i = 0; i < g_list_model_get_n_items (podcasts); i++)
    {
      g_autoptr (EarPodcast) podcast = g_list_model_get_item (podcasts, i);

      if (has_login (ear_podcast_get_address (podcast)) || has_login (ear_podcast_get_feed_address (podcast)))
        begin_errand (round, podcast);
    }
  if (--round->n_left == 0)
    end_round (round);
}

/* --- Before it is opened the next time ------------------------------------------------- */

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
  g_autoptr (EarDownloadFolder) folder = ear_download_folder_new (downloads);

  return ear_catalogue_readdress (catalogue, addresses, error) && ear_download_folder_readdress (folder, addresses, error) &&
         ear_userdata_readdress (state, addresses, error);
}

/**
 * ear_old_logins_are_kept:
 *
 * Returns: whether [func@ear_old_logins_remove] has something to do
 */
gboolean
ear_old_logins_are_kept (const char *directory)
{
  g_autofree char *path = build_list_path (directory);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/**
 * ear_old_logins_remove:
 * @directory: where the data of a library is that is about to be opened, and that nobody else has open
 *
 * Has the podcasts whose names and passwords are in the keyring by now known by addresses without them. What cannot
 * be done is tried again the next time, and what was done is found done.
 */
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
      g_info ("The passwords of %u podcasts are in the keyring now, and not in their addresses", g_hash_table_size (addresses));
      g_unlink (path);
    }
  else
    g_message ("Passwords cannot be removed from the addresses of podcasts: %s", error->message);
}
