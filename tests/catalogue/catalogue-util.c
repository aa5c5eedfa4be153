/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "catalogue-util.h"

#include "ear-catalogue-private.h"
#include "ear-episode-sql.h"
#include "ear-show-notes.h"
#include "ear-test-folder.h"
#include "ear-tokenizer.h"

#include <sqlite3.h>
#include <string.h>

static void
changed_cb (EarCatalogue *catalogue, gint64 podcast, EarEpisodeChange what, guint n_new, Fixture *fixture)
{
  const char *kind = (what & EAR_CHANGE_INSERTED) != 0 ? "inserted" : (what & EAR_CHANGE_HIDDEN) != 0 ? "hidden" : "changed";

  g_string_append_printf (fixture->log, "%s %" G_GINT64_FORMAT, kind, podcast);
  if (n_new > 0)
    g_string_append_printf (fixture->log, ": %u", n_new);
  g_string_append (fixture->log, "; ");
  fixture->n_new += n_new;
}

static void
damaged_cb (EarCatalogue *catalogue, const char *set_aside, Fixture *fixture)
{
  g_autofree char *name = set_aside != NULL ? g_path_get_basename (set_aside) : g_strdup ("lost");

  g_assert_true (set_aside == NULL || g_file_test (set_aside, G_FILE_TEST_IS_REGULAR));
  g_string_append_printf (fixture->log, "%s %s; ", ear_catalogue_is_restored (catalogue) ? "restored" : "damaged", name);
}

static void
damage_found_cb (EarCatalogue *catalogue, Fixture *fixture)
{
  g_string_append (fixture->log, "damage found; ");
}

static void
failed_cb (EarCatalogue *catalogue, GError *error, gboolean episodes, Fixture *fixture)
{
  g_string_append_printf (fixture->log, "failed %d%s; ", error->code, episodes ? ", episodes lost" : "");
}

/* Waits until everything is stored, and forgets the signals. */
void
fixture_forget (Fixture *fixture)
{
  if (fixture->catalogue != NULL)
    flush (fixture->catalogue);
  g_string_truncate (fixture->log, 0);
  fixture->n_new = 0;
}

EarCatalogue *
open_catalogue (const char *path, GError **error)
{
  EarCatalogue *catalogue = ear_catalogue_read (path, g_main_context_default (), error);

  if (catalogue != NULL)
    ear_catalogue_begin (catalogue);

  return catalogue;
}

/* Scans some episodes at once. */
void
scan (EarCatalogue *catalogue)
{
  ear_writer_push (catalogue->writer, (EarCatalogueOp) { .perform = ear_writer_scan });
}

EarLinksFunc fixture_links_func;
gint64 fixture_tidy_delay = -1;

void
fixture_open (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->catalogue = ear_catalogue_read (fixture->path, g_main_context_default (), &error);
  g_assert_no_error (error);
  ear_catalogue_set_notes_funcs (fixture->catalogue, ear_show_notes_to_text, fixture_links_func);
  if (fixture_tidy_delay >= 0)
    fixture->catalogue->writer->tidy_delay = fixture_tidy_delay;
  ear_catalogue_begin (fixture->catalogue);
  g_signal_connect (fixture->catalogue, "episodes-changed", G_CALLBACK (changed_cb), fixture);
  g_signal_connect (fixture->catalogue, "damaged", G_CALLBACK (damaged_cb), fixture);
  g_signal_connect (fixture->catalogue, "damage-found", G_CALLBACK (damage_found_cb), fixture);
  g_signal_connect (fixture->catalogue, "failed", G_CALLBACK (failed_cb), fixture);
}

void
fixture_close (Fixture *fixture)
{
  if (fixture->catalogue == NULL)
    return;
  ear_catalogue_close (fixture->catalogue);
  /* Pending answers hold the catalogue. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_signal_handlers_disconnect_by_data (fixture->catalogue, fixture);
  g_assert_finalize_object (fixture->catalogue);
  fixture->catalogue = NULL;
}

void
fixture_reopen (Fixture *fixture)
{
  fixture_close (fixture);
  fixture_open (fixture);
}

static void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("earmark-store-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "data", "catalogue.db", NULL);
  fixture->log = g_string_new (NULL);
  fixture_open (fixture);
}

static void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  fixture_close (fixture);
  ear_test_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
  g_string_free (fixture->log, TRUE);
}

int
fixture_run_tests (int argc, char **argv, const FixtureTest *tests, gsize n_tests)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < n_tests; i++)
    g_test_add (tests[i].path, Fixture, tests[i].data, fixture_set_up, tests[i].func,
                fixture_tear_down);

  return g_test_run ();
}

EarEpisodeFacts *
make_episode (const char *guid, const char *title, gint64 published, const char *notes)
{
  EarEpisodeFacts *facts = ear_episode_facts_new ();
  EarEnclosure *enclosure = ear_enclosure_new ();

  facts->guid = g_strdup (guid);
  facts->title = g_strdup (title);
  facts->published = published;
  facts->notes = g_strdup (notes);
  facts->duration = 20 * 60 * G_USEC_PER_SEC;
  enclosure->address = g_strdup_printf ("https://example.org/audio/%s.mp3", guid);
  enclosure->mime_type = g_strdup ("audio/mpeg");
  enclosure->size = 15000000;
  g_ptr_array_add (facts->enclosures, enclosure);

  return facts;
}

/* Changes the media URL. Returns: (transfer full): @take */
EarEpisodeFacts *
with_media (EarEpisodeFacts *take, const char *address)
{
  g_set_str (&((EarEnclosure *) g_ptr_array_index (take->enclosures, 0))->address, address);

  return take;
}

/* Newest first, a day apart, as in feeds */
GPtrArray *
make_episodes (const char *prefix, guint n, gint64 newest)
{
  GPtrArray *episodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);

  for (guint i = 0; i < n; i++)
    {
      const char *guid = ear_test_format ("%s-%u", prefix, n - i);
      const char *title = ear_test_format ("Episode %u of %s", n - i, prefix);

      g_ptr_array_add (episodes, make_episode (guid, title, newest - i * DAY,
                                               "<p>Words of the <b>notes</b></p>"));
    }

  return episodes;
}

void
store (EarCatalogue *catalogue, EarPodcast *podcast, GPtrArray *episodes)
{
  ear_catalogue_store_batch (catalogue, ear_podcast_get_id (podcast), NULL, episodes);
}

void
store_one (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFacts *take)
{
  store_all (catalogue, podcast, take, NULL);
}

/* Stores a batch of episodes, which it takes. */
void
store_all (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFacts *first, ...)
{
  g_autoptr (GPtrArray) episodes =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_episode_facts_unref);
  va_list more;

  va_start (more, first);
  for (EarEpisodeFacts *facts = first; facts != NULL; facts = va_arg (more, EarEpisodeFacts *))
    g_ptr_array_add (episodes, facts);
  va_end (more);
  store (catalogue, podcast, episodes);
}

void
store_answer (EarCatalogue *catalogue, EarPodcast *podcast, GPtrArray *episodes, gboolean whole)
{
  ear_catalogue_begin_response (catalogue, ear_podcast_get_id (podcast));
  store (catalogue, podcast, episodes);
  finish_answer (catalogue, podcast, "One", NULL, whole);
}

/* Stores an episode as part of a later response. */
void
store_later (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFacts *take)
{
  ear_catalogue_begin_response (catalogue, ear_podcast_get_id (podcast));
  store_one (catalogue, podcast, take);
}

void
finish_answer (EarCatalogue *catalogue, EarPodcast *podcast, const char *title, const char *etag, gboolean whole)
{
  g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();
  EarFeedCheck check = { .etag = (char *) etag, .checked = 1700000000, .whole = whole };

  facts->title = g_strdup (title);
  ear_catalogue_store_check (catalogue, ear_podcast_get_id (podcast), facts, &check);
}

/* Adds the name of a property to a string. */
void
notify_cb (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  g_string_append_printf (user_data, "%s ", pspec->name);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  EAR_TEST_WAIT_UNTIL (*result != NULL);

  return *result;
}

void
flush (EarCatalogue *catalogue)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  ear_catalogue_flush_async (catalogue, NULL, ear_test_result_cb, &result);
  ear_catalogue_write_finish (catalogue, wait_for (&result), &error);
  g_assert_no_error (error);
}

/* Reads from the catalogue, as soon as everything is stored. */
gpointer
read_now (EarCatalogue *catalogue, EarRead read)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gpointer answer;

  flush (catalogue);
  ear_catalogue_read_async (catalogue, read, NULL, ear_test_result_cb, &result);
  answer = ear_catalogue_read_finish (catalogue, wait_for (&result), &error);
  g_assert_no_error (error);

  return answer;
}

/* @limit: the number of episodes at most, or 0 */
GArray *
run_query (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFilter filter,
           EarEpisodeSort sort, const char *search, guint limit)
{
  const gint64 id = podcast != NULL ? ear_podcast_get_id (podcast) : 0;
  g_autoptr (EarEpisodeQuery) query = ear_episode_query_new (id, filter, sort, search);

  return read_now (catalogue, ear_read_query (query, limit));
}

/* The guids of the episodes, separated by spaces */
char *
describe_ids (EarCatalogue *catalogue, GArray *ids)
{
  GString *guids = g_string_new (NULL);

  for (guint i = 0; i < ids->len; i++)
    {
      g_autoptr (EarEpisode) episode =
          ear_catalogue_dup_episode (catalogue, g_array_index (ids, gint64, i));

      g_assert_nonnull (episode);
      g_string_append_printf (guids, "%s%s", i > 0 ? " " : "", ear_episode_get_guid (episode));
    }

  return g_string_free (guids, FALSE);
}

char *
describe_query (EarCatalogue *catalogue, EarPodcast *podcast, EarEpisodeFilter filter,
                EarEpisodeSort sort, const char *search)
{
  g_autoptr (GArray) ids = run_query (catalogue, podcast, filter, sort, search, 0);

  return describe_ids (catalogue, ids);
}

EarSnippet *
load_snippet (EarCatalogue *catalogue, EarPodcast *podcast, const char *guid, const char *search)
{
  g_autoptr (EarEpisode) episode = get_episode (catalogue, podcast, guid);

  return read_now (catalogue, ear_read_snippet (episode, search));
}

/* @base: (out) (optional) */
char *
load_notes (EarCatalogue *catalogue, EarEpisode *episode, char **base)
{
  g_autoptr (EarEpisodeNotes) notes = read_now (catalogue, ear_read_notes (episode));

  if (base != NULL)
    *base = g_steal_pointer (&notes->base);

  return g_steal_pointer (&notes->text);
}

/* Returns: an episode, as soon as everything is stored */
EarEpisode *
get_episode (EarCatalogue *catalogue, EarPodcast *podcast, const char *guid)
{
  EarEpisode *episode;

  flush (catalogue);
  episode = ear_catalogue_dup_episode_by_guid (catalogue, podcast, guid);
  g_assert_nonnull (episode);

  return episode;
}

/* Sets a mark of an episode, as soon as everything is stored. */
void
set_mark (Fixture *fixture, EarPodcast *podcast, const char *guid, EarMark mark, gint64 value, gint64 stamp)
{
  g_autoptr (EarEpisode) episode = get_episode (fixture->catalogue, podcast, guid);
  EarEpisodeState state = { 0 };

  state.values[mark] = value;
  state.updated[mark] = stamp;
  ear_catalogue_set_state (fixture->catalogue, episode, &state);
}

void
set_listened (EarCatalogue *catalogue, EarEpisode *episode, gboolean listened)
{
  EarEpisodeState state = { .listened = listened, .listened_updated = g_get_real_time () };

  ear_catalogue_set_state (catalogue, episode, &state);
}

gint64
count_podcasts (EarCatalogue *catalogue)
{
  return g_list_model_get_n_items (ear_catalogue_get_podcasts (catalogue));
}

/* For changes without a signal: polls the file. */
void
wait_for_number (Fixture *fixture, const char *sql, gint64 expected)
{
  EAR_TEST_WAIT_UNTIL (read_number (fixture->path, sql) == expected);
}

char *
read_text (const char *path, const char *sql)
{
  sqlite3 *handle = NULL;
  sqlite3_stmt *statement = NULL;
  char *text = NULL;

  g_assert_cmpint (sqlite3_open_v2 (path, &handle, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  g_assert_true (ear_tokenizer_register (handle));
  sqlite3_busy_timeout (handle, 5000);
  if (sqlite3_prepare_v2 (handle, sql, -1, &statement, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (handle));
  if (sqlite3_step (statement) == SQLITE_ROW)
    text = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (handle);

  return text;
}

gint64
read_number (const char *path, const char *sql)
{
  g_autofree char *text = read_text (path, sql);

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : G_MININT64;
}

/* A number in the file, as soon as everything is stored */
gint64
count_stored (Fixture *fixture, const char *sql)
{
  if (fixture->catalogue != NULL)
    flush (fixture->catalogue);

  return read_number (fixture->path, sql);
}

/* The signals, as soon as everything is stored */
const char *
get_log (Fixture *fixture)
{
  flush (fixture->catalogue);

  return fixture->log->str;
}

void
assert_whole (const char *path)
{
  ear_test_assert_text (read_text (path, "PRAGMA integrity_check"), "ok");
}

void
execute (const char *path, const char *sql)
{
  sqlite3 *handle = NULL;

  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  sqlite3_busy_timeout (handle, 5000);
  g_assert_cmpint (sqlite3_exec (handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (handle);
}

/* Makes changes fail as on a full disk, once everything is stored.
 * @when: the kind of change, as in a trigger */
void
fill_disk (Fixture *fixture, const char *when)
{
  flush (fixture->catalogue);
  execute (fixture->path, ear_test_format ("CREATE TRIGGER full BEFORE %s"
                                           " BEGIN SELECT raise (ABORT, 'full'); END", when));
}

void
free_disk (Fixture *fixture)
{
  execute (fixture->path, "DROP TRIGGER full");
}

/* Waits for the next signal in the log, and clears the log. */
void
expect_told (Fixture *fixture, const char *pattern)
{
  while (fixture->log->len == 0)
    g_main_context_iteration (NULL, TRUE);
  if (!g_pattern_match_simple (pattern, fixture->log->str))
    g_error ("expected \"%s\", was told \"%s\"", pattern, fixture->log->str);
  g_string_truncate (fixture->log, 0);
}

gboolean
make_copy (EarCatalogue *catalogue, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  GError *local = NULL;

  ear_catalogue_copy_async (catalogue, ear_test_result_cb, &result);
  ear_catalogue_read_finish (catalogue, wait_for (&result), &local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);

  return FALSE;
}

/* Returns: the number of files beside the catalogue whose names start with its name and
 * @suffix */
guint
count_files (Fixture *fixture, const char *suffix)
{
  g_autofree char *folder = g_path_get_dirname (fixture->path);
  const char *prefix = ear_test_format ("catalogue.db%s", suffix);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, prefix) && !g_str_has_suffix (name, "-wal") && !g_str_has_suffix (name, "-shm");

  return n;
}

/* Overwrites a part of the page that contains a text. */
void
spoil_page_with (const char *path, const char *text)
{
  g_autofree char *content = NULL;
  const char *found;
  gsize page_size = (gsize) read_number (path, "PRAGMA page_size");
  gsize size;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  found = memmem (content, size, text, strlen (text));
  g_assert_nonnull (found);
  memset (content + (gsize) (found - content) / page_size * page_size, 0x5a, page_size);
  g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
}

EarPodcast *
follow (Fixture *fixture, const char *name)
{
  const char *address = ear_test_format ("https://example.org/%s", name);

  return ear_catalogue_follow (fixture->catalogue, address, name);
}

EarPodcast *
fill (Fixture *fixture, const char *name, const char *prefix, guint n)
{
  EarPodcast *podcast = follow (fixture, name);
  g_autoptr (GPtrArray) episodes = make_episodes (prefix, n, NEWEST);

  store (fixture->catalogue, podcast, episodes);
  flush (fixture->catalogue);

  return podcast;
}

guint
scan_notes (Fixture *fixture)
{
  static const char sql[] = "SELECT count (*) FROM episode WHERE links IS NULL";
  gint64 n_all;

  flush (fixture->catalogue);
  n_all = read_number (fixture->path, sql);
  while (read_number (fixture->path, sql) > 0)
    {
      scan (fixture->catalogue);
      flush (fixture->catalogue);
    }

  return (guint) n_all;
}

/* The plan of SQLite for a query */
char *
explain_query (const char *path, const EarEpisodeQuery *query)
{
  g_autoptr (EarDatabase) database = ear_database_open (path, EAR_DATABASE_READ_ONLY, NULL);
  g_autofree char *sql = g_strconcat ("EXPLAIN QUERY PLAN ", ear_episode_sql_get (query), NULL);
  GString *plan = g_string_new (NULL);

  ear_episode_sql_register (database);
  g_autoptr (EarStatement) statement = ear_database_prepare (database, sql);
  while (ear_database_step (database, statement))
    g_string_append_printf (plan, "%s\n", sqlite3_column_text (statement, 3));
  g_assert_true (ear_database_finish (database, NULL));

  return g_string_free_and_steal (plan);
}
