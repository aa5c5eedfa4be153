/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-file.h"

#include "ear-backup.h"
#include "ear-time.h"

#include <glib/gstdio.h>
#include <string.h>

/* A state file of any kind, as entries in memory. Only the entries are kept, not the JSON
 * tree: they suffice to find the news in a file changed from outside, and to write back
 * lost values. Each write merges them into the file as it is then, so members of newer
 * versions and of other programs stay. now.json has no entries, and is read and written as
 * a tree. */

/* Programs that do not replace files but write into them leave partial files for a
 * moment: a recent change is read again before the file counts as damaged. */
#define SETTLE_TIME G_TIME_SPAN_SECOND
#define SETTLE_PAUSE (100 * G_TIME_SPAN_MILLISECOND)
#define SETTLE_TRIES 20

/* Replaces a byte that is not UTF-8 */
#define REPLACEMENT "\xef\xbf\xbd"

/* More wrong bytes than a character has: a part of the file is lost, and text before and behind
 * it may be of two entries */
#define LOST_PART REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT

/* Limits the file's size for feeds that give their episodes new guids each time */
#define ALIASES_LIMIT 16

/* A change with an older stamp than this was not made just now. */
#define RECENT (5 * G_TIME_SPAN_SECOND)

typedef struct
{
  GVariant *value; /* (nullable) */
  gint64 stamp;    /* Unix microseconds; 0: there is no value */
} Entry;

typedef struct
{
  const EarEntryTable *table;
  char *name;
  char *facts[EAR_N_ENTRY_FACTS]; /* (nullable) */
  GPtrArray *aliases; /* (nullable) (element-type utf8): other names, not written yet */
  gboolean edited;                /* its facts are not written yet */
  guint32 news; /* a bit for each key learned from the file, and not reported yet */
  Entry entries[];
} Subject;

/* The entries of one table */
typedef struct
{
  const EarEntryTable *about;
  GPtrArray *subjects;        /* (element-type Subject): in the file's order */
  GHashTable *by_name;        /* (element-type utf8 Subject): items of `subjects` */
  gboolean has_news;
} Table;

struct _EarUserdataFile
{
  /* Owned */
  char *name;
  char *address; /* (nullable): a podcast's file has its addresses and title */
  char *feed_address;
  char *title;
  Table tables[EAR_N_ENTRY_TABLES];

  EarJsonIdentity identity; /* of the content last read or written */
  gboolean is_read;         /* or written: its content is known */
  int lock;                 /* while it is open */
  gboolean dirty;     /* something is not written yet */

  /* Borrowed */
  EarJsonFolder *folder;
  const char *kind;
};

static void
subject_free (gpointer data)
{
  Subject *self = data;

  for (guint i = 0; i < self->table->n_keys; i++)
    g_clear_pointer (&self->entries[i].value, g_variant_unref);
  g_clear_pointer (&self->aliases, g_ptr_array_unref);
  ear_texts_clear (&self->name, &self->facts[EAR_N_ENTRY_FACTS - 1]);
  g_free (self);
}

/* @folder: the folder of the file; must outlive it
 * @name: its name, which determines its kind; now.json may have any other name
 * Returns: (transfer full): the file, not read yet; for use on one thread */
EarUserdataFile *
ear_userdata_file_new (EarJsonFolder *folder, const char *name)
{
  const char *kind = ear_userdata_shape_get_kind (name);
  EarUserdataFile *self = g_new0 (EarUserdataFile, 1);

  self->folder = folder;
  self->name = g_strdup (name);
  self->kind = kind != NULL ? kind : EAR_USERDATA_KIND_NOW;
  for (guint i = 0; i < EAR_N_ENTRY_TABLES; i++)
    {
      self->tables[i].about = &ear_entry_tables_find (self->kind)[i];
      self->tables[i].subjects = g_ptr_array_new_with_free_func (subject_free);
      self->tables[i].by_name = g_hash_table_new (g_str_hash, g_str_equal);
    }

  return self;
}

/* Frees the file's data in memory; unwritten changes are lost. */
void
ear_userdata_file_free (EarUserdataFile *self)
{
  for (guint i = 0; i < EAR_N_ENTRY_TABLES; i++)
    {
      g_hash_table_unref (self->tables[i].by_name);
      g_ptr_array_unref (self->tables[i].subjects);
    }
  ear_texts_free (self, &self->title);
}

const char *
ear_userdata_file_get_kind (EarUserdataFile *self)
{
  return self->kind;
}

/* Returns: (nullable): the first address of the podcast whose file it is */
const char *
ear_userdata_file_get_address (EarUserdataFile *self)
{
  return self->address;
}

gboolean
ear_userdata_file_is_dirty (EarUserdataFile *self)
{
  return self->dirty;
}

/* Makes sure that all known values will be in the file. */
void
ear_userdata_file_set_dirty (EarUserdataFile *self)
{
  self->dirty = TRUE;
}

/* --- The file as a tree ------------------------------------------------------------- */

/* Whether the file was changed from outside since it was last read or written here.
 * Returns: %TRUE if its content may have changed */
gboolean
ear_userdata_file_is_changed (EarUserdataFile *self)
{
  EarJsonIdentity identity;

  ear_json_folder_identify (self->folder, self->name, &identity);

  return memcmp (&identity, &self->identity, sizeof identity) != 0;
}

static gboolean
is_settled (const EarJsonIdentity *identity)
{
  const gint64 age = g_get_real_time () - identity->modified / 1000;

  return age < 0 || age > SETTLE_TIME;
}

/* Whether a file is unusable, and another attempt to read it would not help */
static gboolean
is_damage (const GError *error)
{
  return error != NULL && !g_error_matches (error, EAR_ERROR, EAR_ERROR_BUSY);
}

/* Reads a file, which should be of the kind @self has; %NULL without an error if it is
 * missing. */
static JsonObject *
read_tree (EarUserdataFile *self, const char *name, EarJsonIdentity *identity, GError **error)
{
  gsize length;
  g_autofree char *text = ear_json_folder_read (self->folder, name, identity, &length, error);
  g_autoptr (JsonObject) tree = text != NULL ? ear_json_parse (text, length, error) : NULL;

  return tree != NULL && ear_userdata_shape_check (tree, self->kind, error)
             ? g_steal_pointer (&tree)
             : NULL;
}

/* @error: not %NULL */
static JsonObject *
read_settled_tree (EarUserdataFile *self, const char *name, EarJsonIdentity *identity,
                   GError **error)
{
  for (guint i = 0;; i++)
    {
      JsonObject *root = read_tree (self, name, identity, error);

      if (!is_damage (*error) || is_settled (identity) || i == SETTLE_TRIES)
        return root;
      g_clear_error (error);
      g_usleep (SETTLE_PAUSE);
    }
}

/* Reads the file from the newest backup that has it undamaged. */
static JsonObject *
read_backup (EarUserdataFile *self)
{
  g_autoptr (GPtrArray) backups = ear_backup_folder_list (self->folder->path);

  for (guint i = 0; i < backups->len; i++)
    {
      const EarBackup *backup = g_ptr_array_index (backups, i);
      /* A damaged backup may still have this file. */
      g_autoptr (GHashTable) contents = ear_backup_file_read (backup->path, NULL);
      GBytes *content = g_hash_table_lookup (contents, self->name);
      JsonObject *root = content != NULL ? ear_userdata_shape_parse (content, self->kind) : NULL;

      if (root != NULL)
        return root;
    }

  return NULL;
}

/* Adds entries with wrong bytes in their text, unless there is another version of them.
 * @root: (transfer full) (nullable): the intact entries
 * Returns: (transfer full) (nullable): all entries */
static JsonObject *
add_repaired (JsonObject *root, const char *text, gsize length, const char *kind)
{
  const char *table = ear_userdata_shape_get_table (kind);
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, (gssize) length) : NULL;
  g_autoptr (JsonObject) repaired = valid != NULL && strstr (valid, LOST_PART) == NULL
                                        ? ear_userdata_shape_salvage (valid, strlen (valid), kind)
                                        : NULL;
  JsonObject *from =
      repaired != NULL && table != NULL ? ear_json_get_object (repaired, table) : NULL;
  JsonObjectIter iter;
  JsonObject *into;
  const char *name;
  JsonNode *member;

  if (root == NULL || from == NULL)
    return root != NULL ? root : g_steal_pointer (&repaired);
  into = ear_json_ensure_object (root, table);
  json_object_iter_init_ordered (&iter, from);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    /* A repaired name may be another entry's. */
    if (strstr (name, REPLACEMENT) == NULL && !json_object_has_member (into, name))
      json_object_set_member (into, name, json_node_copy (member));

  return root;
}

/* Reads a damaged file: its complete entries, merged with a backup, and then those that can be
 * repaired.
 * @backup: (nullable): the file in a backup
 * Returns: (transfer full) (nullable): a tree of the file's kind; %NULL if there is nothing */
static JsonObject *
salvage_file (EarUserdataFile *self, const char *name, JsonObject *backup)
{
  EarJsonIdentity identity;
  gsize length;
  g_autofree char *text =
      ear_json_folder_read (self->folder, name, &identity, &length, NULL);
  JsonObject *root = ear_userdata_shape_salvage (text, length, self->kind);

  if (root == NULL && backup != NULL)
    root = json_object_ref (backup);
  else if (backup != NULL)
    ear_userdata_merge (root, backup, g_get_real_time ());

  return add_repaired (root, text, length, self->kind);
}

/* @restored: whether readable entries or a backup have replaced the file */
static void
notify_damaged (EarUserdataFile *self, const char *set_aside, gboolean restored)
{
  if (self->folder->damaged != NULL)
    self->folder->damaged (set_aside, restored, self->folder->user_data);
}

/* Called with the lock held: sets the damaged file aside, and writes its readable entries
 * and its backup in its place. On a full disk the damaged file stays, and the entries are
 * only returned. The state in memory is newer, and is merged afterwards. */
static JsonObject *
replace_damaged (EarUserdataFile *self, GError **error)
{
  g_autoptr (JsonObject) backup = read_backup (self);
  JsonObject *root = salvage_file (self, self->name, backup);
  g_autofree char *aside = NULL;
  g_autoptr (GError) local = NULL;

  if (root == NULL)
    {
      aside = ear_json_folder_set_aside (self->folder, self->name, "damaged", FALSE, error);
      self->identity = (EarJsonIdentity) { 0 };
    }
  else
    aside = ear_json_folder_replace_damaged (self->folder, self->name, root, &self->identity,
                                             &local);
  if (aside != NULL)
    notify_damaged (self, aside, root != NULL);
  else if (root != NULL)
    g_message ("%s is damaged, and cannot be replaced now: %s", self->name, local->message);

  return root;
}

/* Called with the lock held: reads the file; %NULL without an error if it is missing. */
static JsonObject *
load (EarUserdataFile *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  JsonObject *root = read_settled_tree (self, self->name, &self->identity, &local);

  if (is_damage (local))
    {
      g_debug ("%s is damaged: %s", self->name, local->message);
      return replace_damaged (self, error);
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return root;
}

/* Reads the file. A damaged file is set aside; its readable entries and its
 * backup replace it.
 * Returns: (transfer full) (nullable): its content; %NULL without an error if
 * it is missing */
JsonObject *
ear_userdata_file_read (EarUserdataFile *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  JsonObject *root = read_tree (self, self->name, &self->identity, &local);

  if (is_damage (local))
    {
      g_autofd int lock = ear_json_folder_lock (self->folder, error);

      return lock >= 0 ? load (self, error) : NULL;
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));

  return root;
}

/* Locks and reads the file, so that no change of others is lost. A damaged file is replaced.
 * Returns: (transfer full) (nullable): its content, or that of a new file, for
 * ear_userdata_file_close() */
JsonObject *
ear_userdata_file_open (EarUserdataFile *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  JsonObject *root;

  self->lock = ear_json_folder_lock (self->folder, error);
  if (self->lock < 0)
    return NULL;
  root = load (self, &local);
  if (local == NULL)
    return root != NULL ? root : ear_userdata_shape_new (self->kind);
  g_clear_fd (&self->lock, NULL);
  g_propagate_error (error, g_steal_pointer (&local));

  return NULL;
}

/* Writes the file, and unlocks it.
 * @changed: whether there is something to write
 * Returns: %TRUE if @root is on the disk */
gboolean
ear_userdata_file_close (EarUserdataFile *self, JsonObject *root, gboolean changed,
                         GError **error)
{
  const gboolean ok = !changed || ear_json_folder_write_json (self->folder, self->name, root,
                                                              &self->identity, error);

  g_clear_fd (&self->lock, NULL);
  self->is_read |= ok;

  return ok;
}

/* Merges a copy, or the readable entries of a damaged one, into the file, and sets
 * the copy aside.
 * @copy: name of the copy, see ear_json_folder_dup_original()
 * Returns: %TRUE if the copy was set aside */
gboolean
ear_userdata_file_absorb (EarUserdataFile *self, const char *copy, GError **error)
{
  g_autoptr (JsonObject) root = ear_userdata_file_open (self, error);
  g_autoptr (JsonObject) other = NULL;
  g_autofree char *aside = NULL;
  g_autoptr (GError) local = NULL;
  EarJsonIdentity identity;
  gboolean is_damaged;

  if (root == NULL)
    return FALSE;
  other = read_settled_tree (self, copy, &identity, &local);
  is_damaged = is_damage (local);
  if (is_damaged)
    other = salvage_file (self, copy, NULL);
  else if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  if (other == NULL ? is_damaged
                    : !ear_userdata_merge (root, other, g_get_real_time ()) ||
                          ear_json_folder_write_json (self->folder, self->name, root,
                                                      &self->identity, error))
    aside = ear_json_folder_set_aside (self->folder, copy, is_damaged ? "damaged" : "merged",
                                       FALSE, error);
  if (aside != NULL && is_damaged)
    notify_damaged (self, aside, other != NULL);
  g_clear_fd (&self->lock, NULL);

  return aside != NULL;
}

/* --- Learning entries --------------------------------------------------------------- */

static Subject *
ensure_subject (Table *table, const char *name)
{
  Subject *subject = g_hash_table_lookup (table->by_name, name);

  if (subject != NULL)
    return subject;
  subject = g_malloc0 (sizeof (Subject) + table->about->n_keys * sizeof (Entry));
  subject->table = table->about;
  subject->name = g_strdup (name);
  g_ptr_array_add (table->subjects, subject);
  g_hash_table_insert (table->by_name, subject->name, subject);

  return subject;
}

static void
set_entry (Entry *entry, GVariant *value, gint64 stamp)
{
  g_variant_ref (value);
  g_clear_pointer (&entry->value, g_variant_unref);
  entry->value = value;
  entry->stamp = stamp;
}

static gboolean
is_same (const Entry *entry, GVariant *value)
{
  return entry->value != NULL && g_variant_equal (entry->value, value);
}

/* Learns a value. A different one with the same stamp was changed by hand, on purpose: it
 * is applied, with the next stamp. */
static void
learn_entry (Table *table, Subject *subject, guint key, GVariant *value, gint64 stamp)
{
  Entry *entry = &subject->entries[key];
  const gboolean same = is_same (entry, value);
  const gboolean is_removed = g_variant_is_of_type (value, G_VARIANT_TYPE_UNIT);

  if (stamp < entry->stamp || (stamp == entry->stamp && same))
    return;
  /* The removal of a record that was never known is no news. */
  if ((!same || !table->about->ignores_stamps) && (entry->value != NULL || !is_removed))
    {
      subject->news |= 1u << key;
      table->has_news = TRUE;
    }
  set_entry (entry, value, stamp > entry->stamp ? stamp : stamp + 1);
}

static void
learn_facts (Table *table, Subject *subject, JsonObject *object)
{
  const EarEntryTable *about = subject->table;

  for (guint i = 0; about->read_fact != NULL && !subject->edited && i < EAR_N_ENTRY_FACTS; i++)
    {
      const char *fact = about->read_fact (i, object);

      if (fact != NULL && g_set_str (&subject->facts[i], fact))
        table->has_news = TRUE;
    }
}

static void
learn_subject (Table *table, const char *name, JsonObject *container, JsonObject *object,
               gint64 now)
{
  const EarEntryTable *about = table->about;
  JsonObject *holder = ear_entry_get_holder (about, container, object);
  Subject *subject = g_hash_table_lookup (table->by_name, name);

  if (about->accepts != NULL && !about->accepts (name))
    return;
  for (guint key = 0; key < about->n_keys; key++)
    {
      g_autoptr (GVariant) value = NULL;
      const gint64 stamp = ear_entry_read (about, holder, name, key, now, &value);

      /* Other entries, written without the first key, would imply a value for it. */
      if (key == 0 && about->implies_first && stamp == 0)
        return;
      if (stamp == 0)
        continue;
      if (subject == NULL)
        subject = ensure_subject (table, name);
      learn_entry (table, subject, key, value, stamp);
    }
  if (subject != NULL)
    learn_facts (table, subject, object);
}

/* Learns all entries of a table, under each name of their subjects. */
static void
learn_table (Table *table, JsonObject *container, gint64 now)
{
  JsonObjectIter iter;
  const char *name;
  JsonObject *object;

  json_object_iter_init_ordered (&iter, container);
  while (ear_entry_next (table->about, &iter, &name, &object))
    {
      g_autofree const char **names = ear_entry_list_names (table->about, name, object);

      for (guint i = 0; names[i] != NULL; i++)
        learn_subject (table, names[i], container, object, now);
    }
}

/* Corrects future stamps of known values. Unwritten values are left alone: they would be
 * lost. */
static void
clamp_stamps (EarUserdataFile *self, gint64 now)
{
  if (self->dirty)
    return;
  for (Table *table = self->tables; table < self->tables + EAR_N_ENTRY_TABLES; table++)
    for (guint i = 0; i < table->subjects->len; i++)
      {
        Subject *subject = g_ptr_array_index (table->subjects, i);

        for (guint key = 0; key < subject->table->n_keys; key++)
          subject->entries[key].stamp = ear_stamp_clamp_future (subject->entries[key].stamp, now);
      }
}

/* --- Writing entries ---------------------------------------------------------------- */

/* Writes facts that were set here; facts that were only read are written back only if the
 * file has lost them. */
static gboolean
put_facts (const Subject *subject, JsonObject *object)
{
  gboolean changed = FALSE;

  for (guint i = 0; subject->aliases != NULL && i < subject->aliases->len; i++)
    {
      JsonArray *written = ear_json_get_array (object, "aliases");

      if (written == NULL || json_array_get_length (written) < ALIASES_LIMIT)
        changed |= ear_json_add_to_array (object, "aliases", subject->aliases->pdata[i]);
    }
  for (guint i = 0; i < EAR_N_ENTRY_FACTS; i++)
    if (subject->facts[i] != NULL &&
        (subject->edited || !json_object_has_member (object, subject->table->facts[i])))
      changed |= ear_json_set_string (object, subject->table->facts[i], subject->facts[i]);

  return changed;
}

static gboolean
has_entries (const Subject *subject)
{
  for (guint key = 0; key < subject->table->n_keys; key++)
    if (subject->entries[key].stamp != 0)
      return TRUE;

  return FALSE;
}

static gboolean
put_subject (const Subject *subject, JsonObject *container, GHashTable *names, gint64 now)
{
  const EarEntryTable *about = subject->table;
  JsonObject *object = g_hash_table_lookup (names, subject->name);
  JsonObject *holder;
  gboolean changed;

  if (!has_entries (subject))
    return FALSE;
  if (object == NULL)
    object = ear_json_ensure_object (container, subject->name);
  holder = ear_entry_get_holder (about, container, object);
  changed = put_facts (subject, object);
  for (guint key = 0; key < about->n_keys; key++)
    changed |= ear_entry_write (about, holder, subject->name, key, subject->entries[key].value,
                                subject->entries[key].stamp, now);

  return changed;
}

static gboolean
put_description (EarUserdataFile *self, JsonObject *root)
{
  gboolean changed = FALSE;

  if (self->address == NULL)
    return FALSE;
  changed = ear_json_add_to_array (root, "addresses", self->address);
  if (self->feed_address != NULL)
    changed |= ear_json_add_to_array (root, "addresses", self->feed_address);
  changed |= ear_json_set_string (root, "title", self->title);
  if (json_object_has_member (root, "settings"))
    return changed;
  ear_json_ensure_object (root, "settings");

  return TRUE;
}

/* Learns newer values from the file, and adds those that it lacks.
 * Returns: whether it lacked any */
static gboolean
reconcile (EarUserdataFile *self, JsonObject *root)
{
  const gint64 now = g_get_real_time ();
  gboolean is_behind = FALSE;

  clamp_stamps (self, now);
  for (guint i = 0; i < EAR_N_ENTRY_TABLES && self->tables[i].about->n_keys > 0; i++)
    {
      Table *table = &self->tables[i];
      JsonObject *container = ear_entry_ensure_container (table->about, root);
      g_autoptr (GHashTable) names = ear_entry_index_names (table->about, container);

      learn_table (table, container, now);
      for (guint j = 0; j < table->subjects->len; j++)
        is_behind |= put_subject (g_ptr_array_index (table->subjects, j), container, names, now);
    }

  return is_behind;
}

/* Reads the file without repairing it. */
void
ear_userdata_file_peek (EarUserdataFile *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) root = read_tree (self, self->name, &self->identity, &error);

  if (is_damage (error))
    root = salvage_file (self, self->name, NULL);
  if (root != NULL)
    reconcile (self, root);
}

/* Reads the file if it was never read, or was changed from outside. Newer values in it are
 * learned (see ear_userdata_file_report()); older ones make the file dirty.
 * Returns: %TRUE unless the file could not be read */
gboolean
ear_userdata_file_refresh (EarUserdataFile *self, GError **error)
{
  g_autoptr (JsonObject) root = NULL;
  g_autoptr (GError) local = NULL;

  if (self->is_read && !ear_userdata_file_is_changed (self))
    return TRUE;
  root = ear_userdata_file_read (self, &local);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  self->is_read = TRUE;
  if (root != NULL)
    self->dirty |= reconcile (self, root);

  return TRUE;
}

/* Merges all known values into the file.
 * Returns: %TRUE if it is on the disk; otherwise the file stays dirty */
gboolean
ear_userdata_file_write (EarUserdataFile *self, GError **error)
{
  g_autoptr (JsonObject) root = ear_userdata_file_open (self, error);
  gboolean changed;

  if (root == NULL)
    return FALSE;
  changed = put_description (self, root);
  changed |= reconcile (self, root);
  if (!ear_userdata_file_close (self, root, changed, error))
    return FALSE;
  self->dirty = FALSE;
  for (Table *table = self->tables; table < self->tables + EAR_N_ENTRY_TABLES; table++)
    for (guint i = 0; i < table->subjects->len; i++)
      {
        Subject *subject = g_ptr_array_index (table->subjects, i);

        subject->edited = FALSE;
        g_clear_pointer (&subject->aliases, g_ptr_array_unref);
        for (guint n = 0; subject->table->read_fact == NULL && n < EAR_N_ENTRY_FACTS; n++)
          g_clear_pointer (&subject->facts[n], g_free);
      }

  return TRUE;
}

/* --- Changes by the listener -------------------------------------------------------- */

/* Decides whether a new value wins, and with which stamp. The listener's present change
 * wins even if the clock was set back, or another machine's is ahead: then its stamp comes
 * right after the replaced value's. Otherwise no stamp is ahead of the clock. A value that
 * another instance has set since, however, is newer, though it was read first.
 * @given: stamp of the new value, Unix microseconds; 0: none
 * @done: the clock when the listener set it; 0: it was not set here
 * Returns: the new value's stamp, 0 if the old value stays */
gint64
ear_entry_next_stamp (gint64 given, gint64 done, gint64 known, gboolean same, gint64 now)
{
  const gint64 stamp = done != 0 ? MIN (given, done) : given;

  if (given <= 0)
    return 0;
  if (stamp > known)
    return stamp;
  if (!same && done != 0 && done - stamp < RECENT && (known > now || known == stamp))
    return known + 1;

  return 0;
}

/* Sets a value. The caller uses ear_userdata_file_set_dirty() to have it written.
 * @done: the clock when the listener set it; 0: elsewhere, only the stamp counts
 * Returns: whether it is newer than the known one */
gboolean
ear_userdata_file_set (EarUserdataFile *self, guint table, const char *subject, guint key,
                       GVariant *value, gint64 given, gint64 done)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  const EarEntryTable *about = self->tables[table].about;
  const gint64 now = g_get_real_time ();
  Entry *entry;
  gint64 stamp;

  if (about->accepts != NULL && !about->accepts (subject))
    {
      g_message ("A change is not stored: the name of its subject is not UTF-8, or too long");
      return FALSE;
    }
  entry = &ensure_subject (&self->tables[table], subject)->entries[key];
  entry->stamp = ear_stamp_clamp_future (entry->stamp, now);
  stamp = ear_entry_next_stamp (given, done, entry->stamp, is_same (entry, owned), now);
  if (stamp == 0)
    return FALSE;
  set_entry (entry, owned, stamp);

  return TRUE;
}

/* @value: (out) (transfer none) (nullable): the known value
 * Returns: its stamp, 0 if there is none */
gint64
ear_userdata_file_get (EarUserdataFile *self, guint table, const char *subject, guint key,
                       GVariant **value)
{
  const Subject *found = g_hash_table_lookup (self->tables[table].by_name, subject);

  *value = found != NULL ? found->entries[key].value : NULL;

  return found != NULL ? found->entries[key].stamp : 0;
}

/* @text: (nullable): the fact; %NULL changes nothing
 * Returns: whether it is another one */
gboolean
ear_userdata_file_set_fact (EarUserdataFile *self, const char *subject, guint fact,
                            const char *text)
{
  Subject *found = g_hash_table_lookup (self->tables[0].by_name, subject);

  if (found == NULL || text == NULL || !g_set_str (&found->facts[fact], text))
    return FALSE;
  found->edited = TRUE;

  return TRUE;
}

/* Adds another name of a subject.
 * Returns: whether the subject has entries, so that the name is worth writing */
gboolean
ear_userdata_file_add_alias (EarUserdataFile *self, const char *subject, const char *alias)
{
  Subject *found = g_hash_table_lookup (self->tables[0].by_name, subject);

  if (found == NULL || !has_entries (found) || !found->table->accepts (alias))
    return FALSE;
  if (found->aliases == NULL)
    found->aliases = g_ptr_array_new_with_free_func (g_free);
  if (!g_ptr_array_find_with_equal_func (found->aliases, alias, g_str_equal, NULL))
    g_ptr_array_add (found->aliases, g_strdup (alias));

  return TRUE;
}

/* Sets the addresses and the title of the podcast whose file it is.
 * @feed_address: (nullable): %NULL changes nothing
 * @title: (nullable): likewise */
void
ear_userdata_file_describe (EarUserdataFile *self, const char *address, const char *feed_address,
                            const char *title)
{
  g_set_str (&self->address, address);
  if (feed_address != NULL)
    g_set_str (&self->feed_address, feed_address);
  if (title != NULL)
    g_set_str (&self->title, title);
}

/* Reports known entries, and clears the news.
 * @all: %FALSE: only those changed from outside since the last call
 * Returns: whether there were news, or, with @all, any entries */
gboolean
ear_userdata_file_report (EarUserdataFile *self, guint index, gboolean all, EarEntryVisit visit,
                          gpointer user_data)
{
  Table *table = &self->tables[index];
  gboolean found = table->has_news && !all;

  if (!all && !table->has_news)
    return FALSE;
  table->has_news = FALSE;
  for (guint i = 0; i < table->subjects->len; i++)
    {
      Subject *subject = g_ptr_array_index (table->subjects, i);

      for (guint key = 0; key < subject->table->n_keys; key++)
        {
          const Entry *entry = &subject->entries[key];

          if (entry->stamp == 0 || (!all && (subject->news & 1u << key) == 0))
            continue;
          if (visit != NULL)
            visit (subject->name, (const char *const *) subject->facts, key, entry->value,
                   entry->stamp, user_data);
          found = TRUE;
        }
      subject->news = 0;
    }

  return found;
}
