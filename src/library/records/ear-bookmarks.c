/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmarks.h"

#include "ear-address.h"
#include "ear-list-store.h"
#include "ear-property.h"
#include "ear-record.h"
#include "ear-text-find.h"
#include "ear-thread.h"
#include "ear-time.h"
#include "ear-userdata-store.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* End of the last year that the calendar supports, 9999 */
#define CREATED_LIMIT G_GINT64_CONSTANT (253402300799)

/* A position in an episode that the listener wants to find again.
 * Its record has the members `address` (the podcast's first URL), `guid`, `podcast`,
 * `title`, `link`, `time` (in seconds), `text`, `note` and `created` (Unix seconds). */
struct _EarBookmark
{
  GObject parent_instance;

  /* Owned */
  char *id;
  char *address;
  char *guid;
  char *podcast;
  char *title;
  char *link; /* (nullable) */
  char *text; /* (nullable) */
  char *note; /* (nullable) */
  EarEpisode *episode; /* (nullable): of one that is not in a list */

  gint64 time;
  gint64 created;
};

G_DEFINE_FINAL_TYPE (EarBookmark, ear_bookmark, G_TYPE_OBJECT)

/* String members of the record */
static const struct
{
  const char *name;
  gsize offset;
} text_members[] = {
  { "address", G_STRUCT_OFFSET (EarBookmark, address) },
  { "guid", G_STRUCT_OFFSET (EarBookmark, guid) },
  { "podcast", G_STRUCT_OFFSET (EarBookmark, podcast) },
  { "title", G_STRUCT_OFFSET (EarBookmark, title) },
  { "link", G_STRUCT_OFFSET (EarBookmark, link) },
  { "text", G_STRUCT_OFFSET (EarBookmark, text) },
  { "note", G_STRUCT_OFFSET (EarBookmark, note) },
};

static char **
get_text_field (EarBookmark *self, guint i)
{
  return G_STRUCT_MEMBER_P (self, text_members[i].offset);
}

static void
ear_bookmark_release (EarBookmark *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (text_members); i++)
    g_clear_pointer (get_text_field (self, i), g_free);
  g_clear_pointer (&self->id, g_free);
  g_clear_object (&self->episode);
}

static void
ear_bookmark_class_init (EarBookmarkClass *klass)
{
  ear_class_set_release (klass, ear_bookmark_release);

  ear_signal_new (klass, "changed", 0);
}

static void
ear_bookmark_init (EarBookmark *self)
{
}

/* Returns: (transfer full): a bookmark created now */
static EarBookmark *
bookmark_new_for_episode (EarEpisode *episode, gint64 time)
{
  EarBookmark *self = g_object_new (EAR_TYPE_BOOKMARK, NULL);
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  self->id = g_uuid_string_random ();
  self->episode = g_object_ref (episode);
  self->address = g_strdup (ear_podcast_get_address (podcast));
  self->guid = g_strdup (ear_episode_get_guid (episode));
  self->podcast = g_strdup (ear_podcast_get_name (podcast));
  self->title = g_strdup (ear_episode_get_name (episode));
  self->link = g_strdup (ear_episode_get_public_address (episode));
  self->time = MAX (time, 0);
  self->created = g_get_real_time () / G_TIME_SPAN_SECOND;

  return self;
}

/* Returns: (transfer full) (nullable): the text up to the limit; %NULL if it is empty */
static char *
dup_cut (const char *text)
{
  return *text != '\0'
             ? g_utf8_make_valid (text, (gssize) strnlen (text, EAR_BOOKMARK_TEXT_LIMIT))
             : NULL;
}

/* @value: the record; untrusted
 * Returns: (transfer full) (nullable): the bookmark; %NULL if the record is invalid */
EarBookmark *
ear_bookmark_new_for_value (const char *id, GVariant *value)
{
  g_autoptr (EarBookmark) self = g_object_new (EAR_TYPE_BOOKMARK, NULL);
  const double seconds = ear_record_get_number (value, "time", -1);

  for (guint i = 0; i < G_N_ELEMENTS (text_members); i++)
    {
      const char *text;

      if (g_variant_lookup (value, text_members[i].name, "&s", &text))
        *get_text_field (self, i) = dup_cut (text);
    }
  if (!ear_address_is_web (self->address) || self->guid == NULL ||
      !(seconds >= 0 && seconds <= (double) EAR_POSITION_LIMIT / G_TIME_SPAN_SECOND))
    return NULL;
  if (!ear_address_is_web (self->link))
    g_clear_pointer (&self->link, g_free);
  if (self->title == NULL)
    self->title = g_strdup (self->guid);
  if (self->podcast == NULL)
    self->podcast = g_strdup (self->address);
  self->id = g_strdup (id);
  self->time = (gint64) (seconds * G_TIME_SPAN_SECOND + 0.5);
  self->created =
      (gint64) CLAMP (ear_record_get_number (value, "created", 0), 0, (double) CREATED_LIMIT);

  return g_steal_pointer (&self);
}

/* @value: (nullable): the former record, whose unknown members are kept
 * Returns: (transfer floating): the new record */
GVariant *
ear_bookmark_change_value (EarBookmark *self, GVariant *value)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, value);
  for (guint i = 0; i < G_N_ELEMENTS (text_members); i++)
    if (*get_text_field (self, i) != NULL)
      g_variant_dict_insert (&dict, text_members[i].name, "s", *get_text_field (self, i));
    else
      g_variant_dict_remove (&dict, text_members[i].name);
  g_variant_dict_insert (&dict, "time", "d", (double) self->time / G_TIME_SPAN_SECOND);
  g_variant_dict_insert (&dict, "created", "x", self->created);

  return g_variant_dict_end (&dict);
}

static void
bookmark_update (EarBookmark *self, EarBookmark *from)
{
  for (guint i = 0; i < G_N_ELEMENTS (text_members); i++)
    g_set_str (get_text_field (self, i), *get_text_field (from, i));
  self->time = from->time;
  self->created = from->created;
  g_signal_emit_by_name (self, "changed");
}

/* Sets the sentence spoken at the position, or the listener's note. The `changed` signal
 * follows when the record is stored. */
static void
set_text (char **field, const char *text)
{
  g_autofree char *stripped = text != NULL ? g_strstrip (g_utf8_make_valid (text, -1)) : NULL;
  g_autofree char *cut = stripped != NULL ? dup_cut (stripped) : NULL;

  g_set_str (field, cut);
}

gboolean
ear_bookmark_is_in (EarBookmark *self, EarEpisode *episode)
{
  return g_str_equal (self->guid, ear_episode_get_guid (episode)) &&
         g_str_equal (self->address, ear_podcast_get_address (ear_episode_get_podcast (episode)));
}

EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, id)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, title)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, podcast)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, text)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, note)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, gint64, time)

/* Returns: (transfer full): the key of the episode, as [method@EarEpisode.dup_key] */
char *
ear_bookmark_dup_key (EarBookmark *self)
{
  return ear_address_hash (self->address, self->guid);
}

/* Returns: (transfer full): the text for the search index: the note and the sentence */
static EarBookmarkText *
bookmark_create_text (EarBookmark *self)
{
  g_autofree char *both = self->note != NULL && self->text != NULL
                              ? g_strdup_printf ("%s · %s", self->note, self->text)
                              : g_strdup (self->note != NULL ? self->note : self->text);

  return ear_bookmark_text_new (self->address, self->guid, self->time, both);
}

/* Returns: (transfer full) (nullable): the episode's URL with the time; %NULL if there is
 *   none that can be shared */
char *
ear_bookmark_dup_link (EarBookmark *self)
{
  return self->link != NULL ? ear_address_at_time (self->link, self->time) : NULL;
}

/* Returns: (transfer full): the bookmark in a few lines of plain text: the quoted
 *   sentence, its episode, and the URL with the time */
char *
ear_bookmark_dup_quotation (EarBookmark *self)
{
  GString *text = g_string_new (NULL);
  g_autofree char *clock = ear_clock_format (self->time);
  g_autofree char *link = ear_bookmark_dup_link (self);

  if (self->text != NULL)
    g_string_append_printf (text, "“%s”\n", self->text);
  if (self->note != NULL)
    g_string_append_printf (text, "%s\n", self->note);
  g_string_append_printf (text, "%s, %s, %s", self->title, self->podcast, clock);
  if (link != NULL)
    g_string_append_printf (text, "\n%s", link);

  return g_string_free_and_steal (text);
}

/* @words: the words to find in its texts, not case-sensitive; without words, it
 * matches */
gboolean
ear_bookmark_matches (EarBookmark *self, const char *words)
{
  g_autofree char *texts = g_strjoin ("\n", self->title, self->podcast,
                                      self->text != NULL ? self->text : "", self->note, NULL);
  g_auto (GStrv) wanted = g_str_tokenize_and_fold (words != NULL ? words : "", NULL, NULL);
  gsize start;
  gsize end;

  for (guint i = 0; wanted[i] != NULL; i++)
    if (!ear_text_find (texts, wanted[i], &start, &end))
      return FALSE;

  return TRUE;
}

/* Two presses of the key within a second make one bookmark. */
#define SAME_MOMENT G_TIME_SPAN_SECOND

/* The listener's bookmarks, each with the sentence spoken there if there is a transcript,
 * or else the chapter. */
struct _EarBookmarks
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarRecords *records;
  GListStore *list;    /* (element-type EarBookmark) */
  GHashTable *by_id;   /* (element-type utf8 EarBookmark) */
};

G_DEFINE_FINAL_TYPE (EarBookmarks, ear_bookmarks, EAR_TYPE_PART)

static guint
count (EarBookmarks *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->list));
}

static int
compare_newest_first (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const EarBookmark *one = a;
  const EarBookmark *other = b;

  if (one->created != other->created)
    return ear_compare (other->created, one->created);
  /* Of bookmarks made in the same second, the later position counts as newer. */
  if (one->time != other->time)
    return ear_compare (other->time, one->time);

  return g_strcmp0 (one->id, other->id);
}

static void
update (EarBookmarks *self, const char *id)
{
  EarBookmark *known = g_hash_table_lookup (self->by_id, id);
  GVariant *value = ear_records_lookup (self->records, id);
  g_autoptr (EarBookmark) bookmark = value != NULL ? ear_bookmark_new_for_value (id, value) : NULL;
  guint position;

  if (known != NULL && bookmark != NULL)
    bookmark_update (known, bookmark);
  else if (bookmark != NULL)
    {
      g_list_store_insert_sorted (self->list, bookmark, compare_newest_first, NULL);
      g_hash_table_insert (self->by_id, g_strdup (id), g_steal_pointer (&bookmark));
    }
  else if (known != NULL && g_list_store_find (self->list, known, &position))
    {
      g_list_store_remove (self->list, position);
      g_hash_table_remove (self->by_id, id);
    }
}

static void
changed_cb (EarBookmarks *self, char **ids)
{
  g_autoptr (GPtrArray) texts =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ear_bookmark_text_free);
  EarBookmark *bookmark;

  for (guint i = 0; ids[i] != NULL; i++)
    update (self, ids[i]);
  for (guint i = 0; (bookmark = ear_list_peek (G_LIST_MODEL (self->list), i)) != NULL; i++)
    g_ptr_array_add (texts, bookmark_create_text (bookmark));
  ear_catalogue_set_bookmarks (self->catalogue, texts);
}

static void
items_changed_cb (EarBookmarks *self)
{
  ear_notify (self, "n-bookmarks");
}

static void
ear_bookmarks_release (EarBookmarks *self)
{
  g_clear_object (&self->records);
  g_clear_object (&self->list);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
}

static void
ear_bookmarks_class_init (EarBookmarksClass *klass)
{
  const EarProperty properties[] = {
    { .spec = g_param_spec_uint ("n-bookmarks", NULL, NULL, 0, G_MAXUINT, 0, G_PARAM_READABLE),
      .get = G_CALLBACK (count) },
  };

  ear_class_set_release (klass, ear_bookmarks_release);
  ear_class_add_properties (klass, properties);
}

static void
ear_bookmarks_init (EarBookmarks *self)
{
  self->list = g_list_store_new (EAR_TYPE_BOOKMARK);
  self->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  g_signal_connect_swapped (self->list, "items-changed", G_CALLBACK (items_changed_cb), self);
}

EarBookmarks *
ear_bookmarks_new (const EarServices *services)
{
  EarBookmarks *self = ear_part_new (EAR_TYPE_BOOKMARKS, services);

  self->records = ear_records_new (services->state, EAR_RECORD_BOOKMARK);
  ear_connect (self->records, "changed", changed_cb, self);

  return self;
}

/* Returns: (transfer none): a list of [class@EarBookmark], newest first */
GListModel *
ear_bookmarks_get_list (EarBookmarks *self)
{
  return G_LIST_MODEL (self->list);
}

static void
store (EarBookmarks *self, EarBookmark *bookmark)
{
  GVariant *before = ear_records_lookup (self->records, bookmark->id);

  ear_records_set (self->records, bookmark->id, ear_bookmark_change_value (bookmark, before));
}

EarBookmark *
ear_bookmarks_lookup (EarBookmarks *self, const char *id)
{
  return g_hash_table_lookup (self->by_id, id);
}

/* The times of a transcript may differ from those of the media. */
static gboolean
set_sentence (EarBookmark *bookmark, EarEpisode *episode, EarTranscript *transcript)
{
  const gint64 time = bookmark->time - ear_episode_get_mark (episode, EAR_MARK_SHIFT);
  const int index = transcript != NULL && ear_transcript_get_timed (transcript)
                        ? ear_transcript_find (transcript, time)
                        : -1;

  if (index >= 0)
    set_text (&bookmark->text, ear_transcript_get (transcript, (guint) index)->text);

  return index >= 0;
}

static void
transcript_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarBookmarks *self = g_task_get_source_object (task);
  EarBookmark *bookmark = g_task_get_task_data (task);
  g_autoptr (EarTranscript) transcript = ear_documents_load_finish (result, NULL);
  const gboolean adds = g_task_get_source_tag (task) == ear_bookmarks_add;
  /* The bookmark may have been removed. */
  EarBookmark *known = adds ? ear_bookmarks_lookup (self, bookmark->id) : bookmark;

  if (known != NULL && set_sentence (known, bookmark->episode, transcript) && adds)
    store (self, known);
  g_task_return_pointer (task, adds ? NULL : ear_bookmark_dup_quotation (bookmark), g_free);
}

/* Finds the sentence spoken at a bookmark that is not in the list.
 * @task: (transfer full): returns the quotation, or stores the sentence in the list */
static void
find_sentence (GTask *task, EarBookmark *bookmark)
{
  EarBookmarks *self = g_task_get_source_object (task);

  g_task_set_task_data (task, g_object_ref (bookmark), g_object_unref);
  ear_documents_load_async (self->documents, bookmark->episode, EAR_DOCUMENT_TRANSCRIPT, NULL,
                            transcript_loaded_cb, task);
}

static EarBookmark *
find_moment (EarBookmarks *self, EarEpisode *episode, gint64 time)
{
  g_autoptr (GPtrArray) known = ear_bookmarks_find (self, episode);

  for (guint i = 0; i < known->len; i++)
    if (ABS (((EarBookmark *) g_ptr_array_index (known, i))->time - time) < SAME_MOMENT)
      return g_ptr_array_index (known, i);

  return NULL;
}

/* Adds a bookmark at the current position. If there is one already, it only receives the
 * note.
 * Returns: %FALSE if the player is empty */
gboolean
ear_bookmarks_add (EarBookmarks *self, const char *note)
{
  EarEpisode *episode = ear_player_get_episode (self->player);
  const gint64 time = ear_player_get_position (self->player);
  g_autoptr (EarBookmark) bookmark = NULL;
  EarUndo *undo;
  EarBookmark *known;
  GTask *task;

  if (episode == NULL)
    return FALSE;
  known = find_moment (self, episode, time);
  if (known != NULL)
    {
      if (note != NULL)
        ear_bookmarks_set_note (self, known, note);
      else
        ear_notices_add (self->notices, FALSE, _("Already bookmarked"));
      return TRUE;
    }

  bookmark = bookmark_new_for_episode (episode, time);
  set_text (&bookmark->text, ear_chapter_control_get_title (self->chapter_control));
  set_text (&bookmark->note, note);
  undo = ear_records_change_one (self->records, bookmark->id,
                                 ear_bookmark_change_value (bookmark, NULL), _("Bookmark added"));
  if (note == NULL)
    ear_undo_set_note (undo, bookmark->id);
  ear_notices_offer_undo (self->notices, undo);
  task = g_task_new (self, NULL, NULL, NULL);
  g_task_set_source_tag (task, ear_bookmarks_add);
  find_sentence (task, bookmark);

  return TRUE;
}

void
ear_bookmarks_remove (EarBookmarks *self, EarBookmark *bookmark)
{
  ear_notices_offer_undo (self->notices, ear_records_change_one (self->records, bookmark->id, NULL,
                                                                 _("Bookmark removed")));
}

void
ear_bookmarks_set_note (EarBookmarks *self, EarBookmark *bookmark, const char *note)
{
  /* The bookmark may have been removed while the note was edited. */
  if (ear_records_lookup (self->records, bookmark->id) == NULL)
    return;
  set_text (&bookmark->note, note);
  store (self, bookmark);
}

static int
compare_by_time (gconstpointer a, gconstpointer b)
{
  const EarBookmark *one = a;
  const EarBookmark *other = b;

  return ear_compare (one->time, other->time);
}

/* Returns: (transfer full) (element-type EarBookmark): the bookmarks in an episode, by
 * position */
GPtrArray *
ear_bookmarks_find (EarBookmarks *self, EarEpisode *episode)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  EarBookmark *bookmark;

  for (guint i = 0; (bookmark = ear_list_peek (G_LIST_MODEL (self->list), i)) != NULL; i++)
    if (ear_bookmark_is_in (bookmark, episode))
      g_ptr_array_add (found, g_object_ref (bookmark));
  g_ptr_array_sort_values (found, compare_by_time);

  return found;
}

/* Finds the text of [func@ear_bookmark_dup_quotation] for a position, without adding a bookmark:
 * the task returns it. */
void
ear_bookmarks_quote_async (EarBookmarks *self, EarEpisode *episode, gint64 time,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (EarBookmark) moment = bookmark_new_for_episode (episode, time);

  g_task_set_source_tag (task, ear_bookmarks_quote_async);
  if (ear_player_get_episode (self->player) == episode)
    set_text (&moment->text, ear_chapter_control_get_title (self->chapter_control));
  find_sentence (task, moment);
}

/* Assigns the bookmarks of a podcast to another one that has the same episodes. */
void
ear_bookmarks_readdress (EarBookmarks *self, const char *from, const char *to)
{
  g_autoptr (GPtrArray) records =
      ear_records_list_readdressed (self->records, "address", from, to);

  ear_records_set_all (self->records, records);
}

/* Reads the texts of bookmarks for searches without opening a library: the task returns the
 * argument of ear_catalogue_set_bookmarks(). */

static void
read_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GPtrArray) records = ear_userdata_peek_records (task_data, EAR_RECORD_BOOKMARK);
  GPtrArray *texts = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_bookmark_text_free);

  for (guint i = 0; i < records->len; i++)
    {
      const EarRecord *record = g_ptr_array_index (records, i);
      g_autoptr (EarBookmark) bookmark =
          record->value != NULL ? ear_bookmark_new_for_value (record->id, record->value) : NULL;

      if (bookmark != NULL)
        g_ptr_array_add (texts, bookmark_create_text (bookmark));
    }
  g_task_return_pointer (task, texts, (GDestroyNotify) g_ptr_array_unref);
}

void
ear_bookmark_peek_async (const char *data_directory, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, ear_bookmark_peek_async);
  g_task_set_task_data (task, g_build_filename (data_directory, "state", NULL), g_free);
  ear_worker_run (task, read_thread, (GDestroyNotify) g_ptr_array_unref);
}
