/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-feed-fetch.h"
#include "ear-feed-probe.h"
#include "ear-import-loader.h"
#include "ear-library-enums.h"
#include "ear-list-store.h"
#include "ear-property.h"
#include "ear-text-find.h"

#include <string.h>

/* A podcast that one directory or several found. See the header for its properties. */
struct _EarDiscoveryResult
{
  GObject parent_instance;

  /* Owned */
  char *key;
  char *address;
  char *title;
  char *author;
  char *image;
  EarPodcast *podcast;

  EarDiscoveryReason reason;
  guint n_episodes;
  double score;
  gboolean secure;
};

G_DEFINE_FINAL_TYPE (EarDiscoveryResult, ear_discovery_result, G_TYPE_OBJECT)

static gboolean
is_followed (EarDiscoveryResult *self)
{
  return self->podcast != NULL;
}

static void
ear_discovery_result_release (EarDiscoveryResult *self)
{
  g_clear_pointer (&self->key, g_free);
  g_clear_object (&self->podcast);
}

static void
ear_discovery_result_class_init (EarDiscoveryResultClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarDiscoveryResult, address, G_TYPE_STRING),
    EAR_READABLE (EarDiscoveryResult, title, G_TYPE_STRING),
    EAR_READABLE (EarDiscoveryResult, author, G_TYPE_STRING),
    EAR_READABLE (EarDiscoveryResult, image, G_TYPE_STRING),
    EAR_READABLE (EarDiscoveryResult, n_episodes, G_TYPE_UINT),
    EAR_READABLE (EarDiscoveryResult, reason, EAR_TYPE_DISCOVERY_REASON),
    { "followed", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_followed) },
  };

  ear_class_set_release (klass, ear_discovery_result_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_discovery_result_init (EarDiscoveryResult *self)
{
}

/* Adds the entry of another directory, of which only the URL may be used: the one with https,
 * or else the shorter one.
 * @score: its score by that directory */
static void
add_entry (EarDiscoveryResult *self, EarDirectoryEntry *entry, double score)
{
  const gboolean secure = g_str_has_prefix (entry->address, "https:");
  const gboolean is_better = secure != g_str_has_prefix (self->address, "https:")
                                 ? secure
                                 : strlen (entry->address) < strlen (self->address);

  self->score += score;
  if (is_better && ear_property_set_string (self, "address", entry->address))
    self->secure = FALSE;
  if (g_str_equal (entry->address, self->address))
    self->secure |= entry->secure;
}

EarDiscoveryResult *
ear_discovery_result_new (EarDirectoryEntry *entry, EarDiscoveryReason reason)
{
  EarDiscoveryResult *self = g_object_new (EAR_TYPE_DISCOVERY_RESULT, NULL);

  self->address = g_strdup (entry->address);
  self->key = ear_address_key (entry->address);
  self->title = g_strdup (entry->title);
  self->author = g_strdup (entry->author);
  self->image = g_strdup (entry->image);
  self->n_episodes = entry->n_episodes;
  self->secure = entry->secure;
  self->reason = reason;

  return self;
}

EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, const char *, address)

/* Returns: whether its feed was fetched by https during this search */
EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, gboolean, secure)

EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, const char *, title)
EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, const char *, author)

/* Returns: (transfer none) (nullable): the podcast, if it is followed */
EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, EarPodcast *, podcast)

static void
set_podcast (EarDiscoveryResult *self, EarPodcast *podcast)
{
  if (g_set_object (&self->podcast, podcast))
    ear_notify (self, "followed");
}

/* Finds podcasts by words, by an address of whatever kind, in a file, by likeness, or on
 * a chart. See the header for its properties.
 *
 * All directories are asked at once, and each answer shows when it comes; answers to an
 * older question are dropped. A directory gets words, names of authors and categories,
 * and never a URL. The answers are joined: one row a feed, however its URL is written. The
 * results of an older question stay until the new one has some, so that rows do not
 * flicker during typing. */
struct _EarDiscovery
{
  EAR_PART_MEMBERS;

  /* Owned */
  GPtrArray *directories; /* (element-type EarDirectory) */
  GListStore *results;    /* of EarDiscoveryResult: best first */
  char *text;
  char *value; /* words, URL, number, path or category of the question */
  EarPodcast *like;
  GCancellable *cancellable; /* of all requests of the current question */
  GError *failure;     /* (nullable): the first one of the current question */
  char *refused;       /* (nullable): the URL that requires a password */
  char *unanswered;    /* (nullable): names of directories that failed */
  GPtrArray *outlines; /* (element-type EarListedPodcast) (nullable) */

  EarDiscoveryInput input;
  guint wait_id;
  guint n_running;
  gboolean searching;
  gboolean is_old; /* the results are of an older question */
};

G_DEFINE_FINAL_TYPE (EarDiscovery, ear_discovery, EAR_TYPE_PART)

/* Pauses after the last key before a search; half a URL names another host, so URLs wait
 * longer. */
#define WORDS_PAUSE_MS 300
#define ADDRESS_PAUSE_MS 800

/* Limits of requests for similar podcasts */
#define MAX_CATEGORIES 2
#define MAX_RECOMMENDED 10

static int
count_listed (GPtrArray *podcasts)
{
  int n = 0;

  for (guint i = 0; i < podcasts->len; i++)
    n += ear_listed_podcast_can_follow (g_ptr_array_index (podcasts, i));

  return n;
}

/* An empty list counts as none: "Follow 0 Podcasts?" makes no sense.
 * @outlines: (nullable) (element-type EarListedPodcast): podcasts of a list */
static void
set_outlines (EarDiscovery *self, GPtrArray *outlines)
{
  if (outlines != NULL && count_listed (outlines) == 0)
    outlines = NULL;
  if (self->outlines == outlines)
    return;

  g_clear_pointer (&self->outlines, g_ptr_array_unref);
  self->outlines = outlines != NULL ? g_ptr_array_ref (outlines) : NULL;
  ear_notify (self, "n-listed");
}

/* Ends the search once all requests have ended. */
static void
end_step (EarDiscovery *self)
{
  if (self->n_running > 0)
    return;

  if (self->is_old)
    g_list_store_remove_all (self->results);
  self->is_old = FALSE;
  ear_notify (self, "unanswered");
  ear_property_set_boolean (self, "searching", FALSE);
  ear_notify (self, "error");
}

/* One request of a question, canceled with it */
typedef struct
{
  EarDiscovery *discovery; /* borrowed */
  EarDiscoveryReason reason;
} Ask;

static Ask *
ask_new (EarDiscovery *self, EarDiscoveryReason reason)
{
  Ask *ask = g_new0 (Ask, 1);

  ask->discovery = self;
  ask->reason = reason;
  self->n_running++;

  return ask;
}

/* Returns: (transfer full) (nullable): the discovery, unless the request was canceled;
 * counts the request as ended */
static EarDiscovery *
dup_asker (Ask *ask, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return NULL;

  ask->discovery->n_running--;

  return g_object_ref (ask->discovery);
}

static void
store_failure (EarDiscovery *self, const GError *error)
{
  if (self->failure == NULL && error != NULL)
    self->failure = g_error_copy (error);
}

#define RESULT_LIMIT 300

static int
compare_results (gconstpointer a, gconstpointer b)
{
  EarDiscoveryResult *one = *(EarDiscoveryResult **) a;
  EarDiscoveryResult *other = *(EarDiscoveryResult **) b;

  if (one->reason != other->reason)
    return ear_compare (one->reason, other->reason);

  return (other->score > one->score) - (other->score < one->score);
}

/* Directories match the words of an author's name anywhere. */
static gboolean
fits (EarDiscovery *self, EarDirectoryEntry *entry, const char *key, EarDiscoveryReason reason)
{
  if (self->like == NULL)
    return TRUE;
  if (g_str_equal (key, ear_podcast_get_feed_key (self->like)) ||
      ear_feed_is_title_equal (entry->title, ear_podcast_get_title (self->like)))
    return FALSE;

  return reason != EAR_DISCOVERY_SAME_AUTHOR ||
         ear_feed_is_title_equal (entry->author, ear_podcast_get_facts (self->like)->author);
}

/* A feed that redirects to the URL of a followed podcast is that podcast. */
static void
follow_move (EarDiscovery *self, EarDirectoryEntry *entry)
{
  if (entry->moved != NULL &&
      ear_catalogue_find_podcast (self->catalogue, entry->address) == NULL &&
      ear_catalogue_find_podcast (self->catalogue, entry->moved) != NULL)
    g_set_str (&entry->address, entry->moved);
}

/* Scores that merge the lists of several directories. A directory gives no score but the
 * rank in its list. The reciprocals of the ranks are added, so that results of two
 * directories come before those of one; a title that matches the words adds to them. */

#define INDEX_OFFSET 5.0

/* @results: (element-type EarDiscoveryResult): results
 * Returns: (transfer none) (nullable): the one with this key */
static EarDiscoveryResult *
find_result (GPtrArray *results, const char *key)
{
  for (guint i = 0; i < results->len; i++)
    if (g_str_equal (((EarDiscoveryResult *) results->pdata[i])->key, key))
      return results->pdata[i];

  return NULL;
}

/* Joins an answer with those of other directories.
 * @entries: (element-type EarDirectoryEntry): an answer, best first
 * @words: (nullable): words of the search */
static void
add_results (EarDiscovery *self, GPtrArray *entries, EarDiscoveryReason reason, const char *words)
{
  GListModel *shown = G_LIST_MODEL (self->results);
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; !self->is_old && i < g_list_model_get_n_items (shown); i++)
    g_ptr_array_add (results, g_list_model_get_item (shown, i));
  for (guint i = 0; i < entries->len && results->len < RESULT_LIMIT; i++)
    {
      EarDirectoryEntry *entry = g_ptr_array_index (entries, i);
      g_autofree char *key = NULL;
      EarDiscoveryResult *result;

      follow_move (self, entry);
      key = ear_address_key (entry->address);
      result = find_result (results, key);
      if (!fits (self, entry, key, reason))
        continue;
      if (result == NULL)
        {
          result = ear_discovery_result_new (entry, reason);
          set_podcast (result, ear_catalogue_find_podcast (self->catalogue, entry->address));
          g_ptr_array_add (results, result);
          if (words != NULL)
            result->score = ear_discovery_rank_title (entry->title, entry->author, words);
        }
      add_entry (result, entry, 1 / (INDEX_OFFSET + i));
    }
  if (results->len == 0)
    return;

  g_ptr_array_sort (results, compare_results);
  self->is_old = FALSE;
  ear_list_store_update (self->results, results);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Ask *ask = user_data;
  EarDirectory *directory = EAR_DIRECTORY (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = ear_directory_ask_finish (directory, result, &error);
  g_autoptr (EarDiscovery) self = dup_asker (ask, error);

  if (self == NULL)
    return;

  if (entries != NULL)
    add_results (self, entries, ask->reason,
                 self->input == EAR_DISCOVERY_WORDS ? self->value : NULL);
  else
    {
      const char *name = ear_directory_get_name (directory);
      g_autofree char *others = g_steal_pointer (&self->unanswered);

      g_info ("%s does not answer: %s", name, error->message);
      self->unanswered = others != NULL ? g_strjoin (", ", others, name, NULL) : g_strdup (name);
    }
  if (entries != NULL && entries->len == 0 && self->input == EAR_DISCOVERY_APPLE)
    g_set_error_literal (&error, EAR_ERROR, EAR_ERROR_NOT_FOUND,
                         "The directory has no feed of that number");
  store_failure (self, error);
  end_step (self);
}

static void
ask_directories (EarDiscovery *self, EarDirectoryQuestion question, const char *text,
                 EarDiscoveryReason reason)
{
  for (guint i = 0; i < self->directories->len; i++)
    {
      EarDirectory *directory = g_ptr_array_index (self->directories, i);

      if (ear_directory_can_answer (directory, question, text))
        ear_directory_ask_async (directory, question, text, self->cancellable, answered_cb,
                                 ask_new (self, reason));
    }
}

static void probed_cb (GObject *source, GAsyncResult *result, gpointer user_data);

static void
probe (EarDiscovery *self, const char *address, EarDiscoveryReason reason)
{
  ear_feed_probe_async (self->http, address, self->cancellable, probed_cb, ask_new (self, reason));
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Ask *ask = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *refused = NULL;
  g_autoptr (GPtrArray) outlines = NULL;
  g_autoptr (GPtrArray) entries = ear_feed_probe_finish (result, &outlines, &refused, &error);
  g_autoptr (EarDiscovery) self = dup_asker (ask, error);

  if (self == NULL)
    return;

  store_failure (self, error);
  if (entries != NULL)
    add_results (self, entries, ask->reason, NULL);
  if (entries != NULL && ask->reason == EAR_DISCOVERY_FITS)
    set_outlines (self, outlines);
  else if (ask->reason == EAR_DISCOVERY_FITS)
    g_set_str (&self->refused, refused);
  end_step (self);
}

/* A list of one podcast shows that podcast, unless there are marks to import. */
static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Ask *ask = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = ear_import_load_finish (result, &error);
  g_autoptr (EarDiscovery) self = dup_asker (ask, error);
  const EarListedPodcast *first;

  if (self == NULL)
    return;

  first = outlines != NULL && outlines->len == 1 ? g_ptr_array_index (outlines, 0) : NULL;
  if (first != NULL && ear_listed_podcast_can_follow (first) && first->episodes->len == 0)
    {
      g_autoptr (GPtrArray) entries =
          g_ptr_array_new_with_free_func ((GDestroyNotify) ear_directory_entry_unref);
      EarDirectoryEntry *entry = ear_directory_entry_new ();

      entry->address = g_strdup (first->address);
      entry->title = g_strdup (first->title);
      g_ptr_array_add (entries, entry);
      add_results (self, entries, ask->reason, NULL);
    }
  else
    set_outlines (self, outlines);
  store_failure (self, error);
  end_step (self);
}

static void
find_like (EarDiscovery *self)
{
  EarPodcastFacts *facts = ear_podcast_get_facts (self->like);

  for (guint i = 0; i < MIN (facts->podroll->len, MAX_RECOMMENDED); i++)
    {
      const EarRemoteItem *item = g_ptr_array_index (facts->podroll, i);

      if (item->feed_address != NULL)
        probe (self, item->feed_address, EAR_DISCOVERY_RECOMMENDED);
    }
  if (facts->author != NULL)
    ask_directories (self, EAR_DIRECTORY_AUTHOR, facts->author, EAR_DISCOVERY_SAME_AUTHOR);
  for (guint i = 0; i < MIN (facts->categories->len, MAX_CATEGORIES); i++)
    ask_directories (self, EAR_DIRECTORY_CHART, g_ptr_array_index (facts->categories, i),
                     EAR_DISCOVERY_SAME_CATEGORY);
}

/* Starts the requests of the current question. Each of them calls end_step() when it
 * ends. */
static void
start_requests (EarDiscovery *self)
{
  g_autoptr (GFile) file = NULL;

  switch (self->input)
    {
    case EAR_DISCOVERY_WORDS:
      ask_directories (self, EAR_DIRECTORY_WORDS, self->value, EAR_DISCOVERY_FITS);
      break;
    case EAR_DISCOVERY_APPLE:
      ask_directories (self, EAR_DIRECTORY_ID, self->value, EAR_DISCOVERY_FITS);
      break;
    case EAR_DISCOVERY_ADDRESS:
      probe (self, self->value, EAR_DISCOVERY_FITS);
      break;
    case EAR_DISCOVERY_FILE:
      file = g_file_new_for_path (self->value);
      ear_import_load_async (file, self->cancellable, loaded_cb,
                             ask_new (self, EAR_DISCOVERY_FITS));
      break;
    case EAR_DISCOVERY_LIKE:
      find_like (self);
      break;
    case EAR_DISCOVERY_CHART:
      ask_directories (self, EAR_DIRECTORY_CHART, self->value, EAR_DISCOVERY_FITS);
      break;
    case EAR_DISCOVERY_UNKNOWN:
      self->failure = g_error_new_literal (EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "No web address");
      break;
    case EAR_DISCOVERY_NOTHING:
    default:
      break;
    }
}

static void
forget_question (EarDiscovery *self)
{
  g_clear_handle_id (&self->wait_id, g_source_remove);
  ear_cancellable_clear (&self->cancellable);
  g_clear_error (&self->failure);
  g_clear_pointer (&self->refused, g_free);
  self->cancellable = g_cancellable_new ();
  self->n_running = 0;
  g_clear_pointer (&self->unanswered, g_free);
}

static gboolean
search_cb (gpointer user_data)
{
  EarDiscovery *self = EAR_DISCOVERY (user_data);

  self->wait_id = 0;
  self->is_old = TRUE;
  start_requests (self);
  end_step (self);

  return G_SOURCE_REMOVE;
}

/* Drops the previous question; its results stay until the new one has some. */
static void
begin (EarDiscovery *self, guint pause)
{
  forget_question (self);
  ear_notify (self, "error");
  set_outlines (self, NULL);
  ear_notify (self, "unanswered");
  if (self->input == EAR_DISCOVERY_NOTHING)
    {
      g_list_store_remove_all (self->results);
      ear_property_set_boolean (self, "searching", FALSE);
      return;
    }

  ear_property_set_boolean (self, "searching", TRUE);
  /* Below the priority of events: keys that wait on a busy machine come first. Above that
   * of drawing. */
  self->wait_id = g_timeout_add_full (G_PRIORITY_HIGH_IDLE, pause, search_cb, self, NULL);
}

static const char *
get_unanswered (EarDiscovery *self)
{
  return self->n_running == 0 ? self->unanswered : NULL;
}

static int
get_n_listed (EarDiscovery *self)
{
  return self->outlines != NULL ? count_listed (self->outlines) : 0;
}

static void
podcasts_changed_cb (EarDiscovery *self)
{
  GListModel *results = G_LIST_MODEL (self->results);
  EarDiscoveryResult *result;

  for (guint i = 0; (result = ear_list_peek (results, i)) != NULL; i++)
    set_podcast (result, ear_catalogue_find_podcast (self->catalogue, result->address));
}

static void
ear_discovery_release (EarDiscovery *self)
{
  forget_question (self);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->like);
  g_clear_pointer (&self->directories, g_ptr_array_unref);
  g_clear_pointer (&self->outlines, g_ptr_array_unref);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->value, g_free);
}

static void
ear_discovery_class_init (EarDiscoveryClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarDiscovery, input, EAR_TYPE_DISCOVERY_INPUT),
    EAR_READABLE (EarDiscovery, results, G_TYPE_LIST_MODEL),
    EAR_READABLE (EarDiscovery, searching, G_TYPE_BOOLEAN),
    { "error", G_TYPE_ERROR, G_PARAM_READABLE, .get = G_CALLBACK (ear_discovery_get_error) },
    { "unanswered", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_unanswered) },
    { "n-listed", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (get_n_listed) },
  };

  ear_class_set_release (klass, ear_discovery_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_discovery_init (EarDiscovery *self)
{
  self->cancellable = g_cancellable_new ();
  self->results = g_list_store_new (EAR_TYPE_DISCOVERY_RESULT);
}

/* @directories: (element-type EarDirectory): the directories to ask */
EarDiscovery *
ear_discovery_new (const EarServices *services, GPtrArray *directories)
{
  EarDiscovery *self = ear_part_new (EAR_TYPE_DISCOVERY, services);

  self->directories = g_ptr_array_ref (directories);
  ear_connect (self->podcasts, "items-changed", podcasts_changed_cb, self);

  return self;
}

/* Searches for a text, after a pause in typing.
 * @text: typed, pasted or dropped */
void
ear_discovery_set_text (EarDiscovery *self, const char *text)
{
  EarDiscoveryInput input;

  if (!g_set_str (&self->text, text))
    return;

  g_clear_object (&self->like);
  g_clear_pointer (&self->value, g_free);
  input = ear_discovery_input_read (text, &self->value);
  ear_property_set_number (self, "input", input);
  begin (self, input == EAR_DISCOVERY_WORDS || input == EAR_DISCOVERY_FILE ? WORDS_PAUSE_MS
                                                                           : ADDRESS_PAUSE_MS);
}

/* Finds podcasts like another one: those that it recommends, by the same author, and in
 * the same category. */
void
ear_discovery_set_like (EarDiscovery *self, EarPodcast *podcast)
{
  if (!g_set_object (&self->like, podcast))
    return;

  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->value, g_free);
  ear_property_set_number (self, "input", EAR_DISCOVERY_LIKE);
  begin (self, 0);
}

/* Finds the most popular podcasts of the directories' country. A second call asks again.
 * @category: English name of a category, "" for all */
void
ear_discovery_set_chart (EarDiscovery *self, const char *category)
{
  g_return_if_fail (category != NULL);

  g_clear_object (&self->like);
  g_clear_pointer (&self->text, g_free);
  g_set_str (&self->value, category);
  ear_property_set_number (self, "input", EAR_DISCOVERY_CHART);
  begin (self, 0);
}

/* Skips the pause in typing; asks once more after an error. */
void
ear_discovery_search_now (EarDiscovery *self)
{
  if (self->input == EAR_DISCOVERY_NOTHING ||
      (self->wait_id == 0 && ear_discovery_get_error (self) == NULL))
    return;

  begin (self, 0);
}

EAR_DEFINE_GET (EarDiscovery, ear_discovery, EarDiscoveryInput, input)

GListModel *
ear_discovery_get_results (EarDiscovery *self)
{
  return G_LIST_MODEL (self->results);
}

EAR_DEFINE_GET (EarDiscovery, ear_discovery, gboolean, searching)

/* Returns: (transfer none) (nullable): why the search has ended without a result */
const GError *
ear_discovery_get_error (EarDiscovery *self)
{
  return !self->searching && self->outlines == NULL &&
                 g_list_model_get_n_items (G_LIST_MODEL (self->results)) == 0
             ? self->failure
             : NULL;
}

/* Returns: (transfer full) (nullable): the web address that was given, if one was */
char *
ear_discovery_dup_address (EarDiscovery *self)
{
  return self->input == EAR_DISCOVERY_ADDRESS ? g_strdup (self->value) : NULL;
}

/* Returns: (transfer full) (nullable): the URL that requires a password, if that is the
 * error: the one that was given, or that of a feed which the page there links to */
char *
ear_discovery_dup_refused_address (EarDiscovery *self)
{
  return ear_discovery_get_error (self) != NULL ? g_strdup (self->refused) : NULL;
}

/* Returns: (transfer none) (nullable) (element-type EarListedPodcast): the podcasts of the
 * list that was found */
EAR_DEFINE_GET (EarDiscovery, ear_discovery, GPtrArray *, outlines)

#define WHOLE_TITLE 0.4
#define TITLE_BEGINS 0.15
#define WORDS_IN_TITLE 0.1
#define WORDS_IN_BOTH 0.03

/* Returns: the words of a text without case, marks and punctuation */
static char *
fold_words (const char *text)
{
  g_autofree char *folded = ear_text_fold (text, -1);
  g_auto (GStrv) words = g_str_tokenize_and_fold (folded, NULL, NULL);

  return g_strjoinv (" ", words);
}

/* @author: (nullable): the author */
double
ear_discovery_rank_title (const char *title, const char *author, const char *words)
{
  g_autofree char *folded_title = fold_words (title);
  g_autofree char *folded_words = fold_words (words);
  g_autofree char *both = g_strjoin (" ", title, author, NULL);

  if (*folded_words == '\0')
    return 0;
  if (g_str_equal (folded_title, folded_words))
    return WHOLE_TITLE;
  if (g_str_has_prefix (folded_title, folded_words))
    return TITLE_BEGINS;
  if (g_str_match_string (words, title, TRUE))
    return WORDS_IN_TITLE;

  return g_str_match_string (words, both, TRUE) ? WORDS_IN_BOTH : 0;
}
