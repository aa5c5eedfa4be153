/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "served-library.h"

#include <glib/gstdio.h>
#include <string.h>

#include "ear-address.h"
#include "ear-test-folder.h"
#include "library-fixture.h"

/* Hosts of the server */
#define ADDRESSES 20

static void
undo_offered_cb (Fixture *fixture, EarUndo *undo)
{
  g_set_object (&fixture->undo, undo);
  fixture->n_undos++;
}

static void
notice_cb (Fixture *fixture, const char *message, gboolean lasting)
{
  g_string_append_printf (fixture->notices, "%s\n", message);
  fixture->n_notices++;
  fixture->lasting = lasting;
}

static void
forget_undo_cb (gpointer fixture, GObject *library)
{
  g_clear_object (&((Fixture *) fixture)->undo);
}

/* Creates the library before it is opened, for tests that connect to all its signals. */
void
make_library (Fixture *fixture)
{
  fixture->library = ear_library_new (fixture->data, fixture->cache);
  fixture->parts = &fixture->library->services;
  fixture->player = fixture->parts->player;
  EarNotices *notices = fixture->parts->notices;
  g_string_truncate (fixture->notices, 0);
  fixture->n_notices = 0;
  g_object_weak_ref (G_OBJECT (fixture->library), forget_undo_cb, fixture);
  g_signal_connect_swapped (notices, "undo-offered", G_CALLBACK (undo_offered_cb), fixture);
  g_signal_connect_swapped (notices, "notice", G_CALLBACK (notice_cb), fixture);
}

void
open_library (Fixture *fixture, const char *welcome)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = welcome != NULL ? g_file_new_for_path (welcome) : NULL;

  if (fixture->library == NULL)
    make_library (fixture);
  ear_library_open (fixture->library, &error);
  g_assert_no_error (error);
  fixture->control = fixture->parts->playback_controller;
  ear_library_start (fixture->library, file, FALSE);
}

/* Waits until the list of followed podcasts is loaded. */
void
open_and_wait (Fixture *fixture, const char *welcome)
{
  guint n_started = 0;

  open_library (fixture, welcome);
  EarSubscriptions *subscriptions = fixture->parts->subscriptions;
  g_signal_connect_swapped (subscriptions, "started", G_CALLBACK (ear_test_count_cb), &n_started);
  EAR_TEST_WAIT_UNTIL (n_started > 0);
  g_signal_handlers_disconnect_by_data (subscriptions, &n_started);
}

/* Drops the fixture's objects first, which hold the library. */
void
close_library (Fixture *fixture)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixture->lamps); i++)
    g_clear_object (&fixture->lamps[i]);
  g_clear_pointer (&fixture->chosen, g_ptr_array_unref);
  g_clear_object (&fixture->undo);
  g_clear_object (&fixture->overstated);
  g_clear_object (&fixture->first);
  g_clear_object (&fixture->second);
  g_clear_object (&fixture->list);
  library_fixture_close (&fixture->library);
}

void
restart (Fixture *fixture)
{
  close_library (fixture);
  open_and_wait (fixture, NULL);
}

/* The library must be closed. */
void
remove_catalogue (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->data, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->data, name, NULL);

      if (g_str_has_prefix (name, "catalogue"))
        g_assert_no_errno (g_unlink (path));
    }
}

/* Opens the library without its catalogue: all that is left comes from the state files. */
void
restart_without_catalogue (Fixture *fixture)
{
  close_library (fixture);
  remove_catalogue (fixture);
  open_and_wait (fixture, NULL);
}

void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("earmark-library-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->data = g_build_filename (fixture->folder, "data", NULL);
  fixture->cache = g_build_filename (fixture->folder, "cache", NULL);
  fixture->told = g_string_new (NULL);
  fixture->notices = g_string_new (NULL);
  fixture->server = ear_test_server_new ();
  ear_test_server_set_addresses (fixture->server, ADDRESSES);
  ear_test_server_start (fixture->server, &error);
  g_assert_no_error (error);
}

void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->library != NULL)
    close_library (fixture);
  ear_test_server_stop (fixture->server);
  g_clear_object (&fixture->server);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->data);
  g_free (fixture->cache);
  g_string_free (fixture->told, TRUE);
  g_string_free (fixture->notices, TRUE);
}

void
put_feed (Fixture *fixture, guint first, guint last)
{
  g_autoptr (GString) items = g_string_new (NULL);

  for (guint i = last; i >= first && i > 0; i--)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);
      g_autofree char *noise = g_compute_checksum_for_string (G_CHECKSUM_SHA512, number, -1);

      /* The comment keeps the compressed feed from getting tiny. */
      g_string_append_printf (
          items,
          "<item><guid>lamp-%u</guid><title>Lamp %u</title>"
          "<pubDate>Mon, %02u Jan 2024 12:00:00 +0000</pubDate>"
          "<description>&lt;p&gt;Of &lt;b&gt;lamp&lt;/b&gt; %u&lt;/p&gt;</description><!-- %s -->"
          "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1000\"/></item>\n",
          i, i, 1 + i % 28, i, noise, i);
    }
  put_format (fixture, "/feed.xml",
              RSS ("The Lighthouse Hour", "<description>About lamps</description>%s"), items->str);
}

/* Serves a feed. */
void
put_text (Fixture *fixture, const char *path, const char *text)
{
  ear_test_server_put (fixture->server, path, "application/rss+xml", text);
}

void
put_format (Fixture *fixture, const char *path, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  put_text (fixture, path, text);
}

/* Serves "/NAME.xml" with episodes of the last days: each is an hour younger than the one before
 * it. @head is added to the channel, @notes to each episode; both may be %NULL. */
void
put_news (Fixture *fixture, const char *name, guint first, guint last, const char *head,
          const char *notes)
{
  g_autoptr (GString) items = g_string_new (head);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *path = g_strdup_printf ("/%s.xml", name);

  for (guint i = last; i >= first && i > 0; i--)
    {
      g_autoptr (GDateTime) published = g_date_time_add_hours (now, (int) i - 100);
      g_autofree char *date = g_date_time_format (published, "%a, %d %b %Y %H:00:00 +0000");

      g_string_append_printf (items,
                              "<item><guid>%s-%u</guid><title>%s%u</title><pubDate>%s</pubDate>"
                              "<description>%s</description>"
                              "<enclosure url=\"/audio/%u.mp3\" type=\"audio/mpeg\" length=\"1\"/>"
                              "</item>",
                              name, i, name, i, date, notes != NULL ? notes : "", i);
    }
  put_format (fixture, path, RSS ("%s", "%s"), name, items->str);
}

/* Returns: (transfer none): the URL of a path on the server, which is never freed */
const char *
get_url (Fixture *fixture, const char *path)
{
  g_autofree char *url = ear_test_server_dup_url (fixture->server, 1, path);

  return g_intern_string (url);
}

EarPodcast *
follow (Fixture *fixture, const char *path)
{
  return ear_subscriptions_follow (fixture->parts->subscriptions, get_url (fixture, path), NULL);
}

static gboolean
is_fetched (EarPodcast *podcast)
{
  return !ear_podcast_get_refreshing (podcast) &&
         (ear_podcast_get_checked (podcast) > 0 || ear_podcast_get_error (podcast) != NULL);
}

/* Opens the library if it is closed, and follows a podcast until it is fetched, or failed. */
EarPodcast *
fetch (Fixture *fixture, const char *path)
{
  if (fixture->library == NULL)
    open_and_wait (fixture, NULL);
  EarPodcast *podcast = follow (fixture, path);
  EAR_TEST_WAIT_UNTIL (is_fetched (podcast));

  return podcast;
}

/* Returns: (transfer full): a picture from the server */
EarImage *
load_cover (Fixture *fixture, const char *address, EarCoverSize size)
{
  EarCoverCache *covers = fixture->parts->covers;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  ear_cover_cache_load_async (covers, address, size, NULL, ear_test_result_cb, &result);
  EAR_TEST_WAIT_UNTIL (result != NULL);
  EarImage *image = ear_cover_cache_load_finish (covers, result, &error);
  g_assert_no_error (error);

  return image;
}

/* Opens the library, and follows "/feed.xml" unless it is followed. */
EarPodcast *
follow_served (Fixture *fixture)
{
  open_and_wait (fixture, NULL);
  if (!has_podcast (fixture))
    follow (fixture, "/feed.xml");
  EAR_TEST_WAIT_UNTIL (is_settled (fixture));

  return get_podcast (fixture);
}

/* Follows "/feed.xml" with so many episodes. */
EarPodcast *
follow_feed (Fixture *fixture, guint n)
{
  put_feed (fixture, 1, n);

  return follow_served (fixture);
}

/* Sets the fixture up with a podcast of so many episodes. */
void
set_up_feed (Fixture *fixture, gconstpointer n_episodes)
{
  set_up (fixture, NULL);
  follow_feed (fixture, GPOINTER_TO_UINT (n_episodes));
}

/* Unfollows the only podcast. */
void
unfollow (Fixture *fixture)
{
  ear_subscriptions_unfollow (fixture->parts->subscriptions, get_podcast (fixture));
  g_assert_false (has_podcast (fixture));
}

EarPodcast *
get_podcast (Fixture *fixture)
{
  g_autoptr (EarPodcast) podcast = g_list_model_get_item (fixture->parts->podcasts, 0);

  return podcast;
}

guint
count_followed (Fixture *fixture)
{
  return g_list_model_get_n_items (fixture->parts->podcasts);
}

gboolean
has_podcast (Fixture *fixture)
{
  return count_followed (fixture) == 1;
}

gboolean
is_at_rest (Fixture *fixture)
{
  return !ear_refresher_get_refreshing (fixture->parts->refresher);
}

/* Fetches the feed again, and waits until it is stored. */
void
refresh (Fixture *fixture)
{
  EAR_TEST_WAIT_UNTIL (is_refreshed (fixture));
  EarPodcast *podcast = get_podcast (fixture);
  ear_refresher_refresh (fixture->parts->refresher, podcast, EAR_REFRESH_ONE);
  g_assert_true (ear_podcast_get_refreshing (podcast));
  EAR_TEST_WAIT_UNTIL (!ear_podcast_get_refreshing (podcast));
}

gboolean
is_refreshed (Fixture *fixture)
{
  EarPodcast *podcast = get_podcast (fixture);

  return podcast != NULL && is_fetched (podcast);
}

gboolean
is_settled (Fixture *fixture)
{
  return is_refreshed (fixture) && ear_podcast_get_error (get_podcast (fixture)) == NULL;
}

char *
dup_subscriptions_path (Fixture *fixture)
{
  return g_build_filename (fixture->data, "state", "subscriptions.json", NULL);
}

/* The state file of the first podcast, whose name is a hash */
char *
dup_state_path (Fixture *fixture)
{
  g_autofree char *hash = ear_address_hash (ear_podcast_get_address (get_podcast (fixture)), NULL);
  g_autofree char *name = g_strconcat (hash, ".json", NULL);

  return g_build_filename (fixture->data, "state", name, NULL);
}

char *
read_text (const char *path)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));

  return text;
}

gboolean
file_has (const char *path, const char *text)
{
  g_autofree char *content = NULL;

  return g_file_get_contents (path, &content, NULL, NULL) && strstr (content, text) != NULL;
}

/* Makes missing folders. */
void
write_text (const char *path, const char *text)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* @part: (nullable): of the names of files to count; %NULL for all */
guint
count_files (const char *folder, const char *part)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    n += part == NULL || (strstr (name, part) != NULL && !g_str_has_suffix (name, ".tmp"));

  return n;
}

/* The episodes of the first podcast */
EarEpisodeQuery *
query_podcast (Fixture *fixture, EarEpisodeFilter filter, EarEpisodeSort sort)
{
  return ear_episode_query_new (ear_podcast_get_id (get_podcast (fixture)), filter, sort, NULL);
}

/* Takes @query, and returns a list that has its rows. */
EarEpisodeList *
open_list (Fixture *fixture, EarEpisodeQuery *query)
{
  EarEpisodeList *list = ear_episode_list_new_with_query (fixture->parts->catalogue, query);

  EAR_TEST_WAIT_UNTIL (!ear_episode_list_get_loading (list));
  ear_episode_query_free (query);

  return list;
}

EarEpisodeList *
list_all (Fixture *fixture)
{
  return open_list (fixture, query_podcast (fixture, EAR_FILTER_ALL, EAR_SORT_NEWEST));
}

gboolean
has_rows (EarEpisodeList *list, guint n)
{
  return g_list_model_get_n_items (G_LIST_MODEL (list)) >= n;
}

/* Whether a list has exactly the episodes with these numbers, as "3 1" */
gboolean
are_episodes (gpointer list, const char *numbers)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (EarEpisode) episode = g_list_model_get_item (list, i);
      const char *number = strrchr (ear_episode_get_guid (episode), '-') + 1;

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", number);
    }

  return g_str_equal (text->str, numbers);
}

/* Whether Up Next has exactly these */
gboolean
is_queue (Fixture *fixture, const char *numbers)
{
  return are_episodes (ear_queue_get_list (fixture->parts->queue), numbers);
}

EarEpisode *
dup_by_guid (Fixture *fixture, EarPodcast *podcast, const char *guid)
{
  EarCatalogue *catalogue = fixture->parts->catalogue;
  EarEpisode *episode = ear_catalogue_dup_episode_by_guid (catalogue, podcast, guid);

  g_assert_nonnull (episode);

  return episode;
}

/* The episode "lamp-@number" of the first podcast */
EarEpisode *
dup_lamp (Fixture *fixture, guint number)
{
  g_autofree char *guid = g_strdup_printf ("lamp-%u", number);

  return dup_by_guid (fixture, get_podcast (fixture), guid);
}

/* Returns: (transfer none): the episode, which is held until the library is closed */
EarEpisode *
get_lamp (Fixture *fixture, guint i)
{
  if (fixture->lamps[i] == NULL)
    fixture->lamps[i] = dup_lamp (fixture, i);

  return fixture->lamps[i];
}

/* Returns: (transfer none): the episodes with these numbers, until the next call */
GPtrArray *
get_lamps (Fixture *fixture, const guint *numbers)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func (g_object_unref);

  for (; *numbers != 0; numbers++)
    g_ptr_array_add (episodes, dup_lamp (fixture, *numbers));
  g_clear_pointer (&fixture->chosen, g_ptr_array_unref);
  fixture->chosen = episodes;

  return episodes;
}

/* The row ids of episodes */
GArray *
dup_ids (GPtrArray *episodes)
{
  GArray *ids = ear_ids_new ();

  for (guint i = 0; i < episodes->len; i++)
    {
      const gint64 id = ear_episode_get_id (episodes->pdata[i]);

      g_array_append_val (ids, id);
    }

  return ids;
}

void
set_mark (Fixture *fixture, guint number, EarMark mark, gint64 value)
{
  g_autoptr (EarEpisode) episode = dup_lamp (fixture, number);

  ear_history_set_mark (fixture->parts->history, episode, mark, value);
}

/* Sets a setting of the first podcast. */
void
set_podcast_setting (Fixture *fixture, EarPodcastSetting setting, int value)
{
  ear_subscriptions_set_setting (fixture->parts->subscriptions, get_podcast (fixture), setting,
                                 value);
}

/* @path: (nullable): %NULL for all paths */
guint
count_requests (Fixture *fixture, const char *path)
{
  return ear_test_server_count_requests (fixture->server, path);
}

