/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-entry-file.h"

#include "ear-time.h"
#include "ear-userdata-shape.h"

/* A state file of any kind, as entries in memory. Only the entries are kept, not the JSON
 * tree: they suffice to find the news in a file changed from outside, and to write back
 * lost values. Each write merges them into the file as it is then, so members of newer
 * versions and of other programs stay. */

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
  char *alias;                    /* (nullable): another name, to be written */
  char *facts[EAR_N_ENTRY_FACTS]; /* (nullable) */
  gboolean edited;                /* its facts are not written yet */
  guint32 news; /* a bit for each key learned from the file, and not reported yet */
  Entry entries[];
} Subject;

struct _EarEntryFile
{
  /* Owned */
  EarUserdataFile *file;
  char *address; /* (nullable): a podcast's file has its addresses and title */
  char *feed_address;
  char *title;
  GPtrArray *subjects[EAR_N_ENTRY_TABLES]; /* (element-type Subject): in the file's order */

  gboolean has_news[EAR_N_ENTRY_TABLES];
  gboolean is_behind; /* the file, as last read, lacked a known value */
  gboolean dirty;     /* something is not written yet */

  /* Borrowed */
  const char *kind;
  const EarEntryTable *tables;
  GHashTable *by_name[EAR_N_ENTRY_TABLES]; /* (element-type utf8 Subject): items of `subjects` */
};

static void
subject_free (gpointer data)
{
  Subject *self = data;

  for (guint i = 0; i < self->table->n_keys; i++)
    g_clear_pointer (&self->entries[i].value, g_variant_unref);
  for (guint i = 0; i < EAR_N_ENTRY_FACTS; i++)
    g_free (self->facts[i]);
  g_free (self->alias);
  g_free (self->name);
  g_free (self);
}

/* @folder: the folder of the file; must outlive it
 * Returns: (transfer full): the file, not read yet; for use on one thread */
EarEntryFile *
ear_entry_file_new (EarJsonFolder *folder, const char *name, const char *kind)
{
  EarEntryFile *self = g_new0 (EarEntryFile, 1);

  self->file = ear_userdata_file_new (folder, name, kind);
  self->kind = kind;
  self->tables = ear_entry_tables_find (kind);
  for (guint i = 0; i < EAR_N_ENTRY_TABLES; i++)
    {
      self->subjects[i] = g_ptr_array_new_with_free_func (subject_free);
      self->by_name[i] = g_hash_table_new (g_str_hash, g_str_equal);
    }

  return self;
}

/* Frees the file's data in memory; unwritten changes are lost. */
void
ear_entry_file_free (EarEntryFile *self)
{
  ear_userdata_file_free (self->file);
  for (guint i = 0; i < EAR_N_ENTRY_TABLES; i++)
    {
      g_hash_table_unref (self->by_name[i]);
      g_ptr_array_unref (self->subjects[i]);
    }
  g_free (self->address);
  g_free (self->feed_address);
  g_free (self->title);
  g_free (self);
}

const char *
ear_entry_file_get_kind (EarEntryFile *self)
{
  return self->kind;
}

/* Returns: (nullable): the first address of the podcast whose file it is */
const char *
ear_entry_file_get_address (EarEntryFile *self)
{
  return self->address;
}

gboolean
ear_entry_file_is_dirty (EarEntryFile *self)
{
  return self->dirty;
}

/* Makes sure that all known values will be in the file. */
void
ear_entry_file_set_dirty (EarEntryFile *self)
{
  self->dirty = TRUE;
}

static Subject *
ensure_subject (EarEntryFile *self, guint table, const char *name)
{
  const guint n_keys = self->tables[table].n_keys;
  Subject *subject = g_hash_table_lookup (self->by_name[table], name);

  if (subject != NULL)
    return subject;
  subject = g_malloc0 (sizeof (Subject) + n_keys * sizeof (Entry));
  subject->table = &self->tables[table];
  subject->name = g_strdup (name);
  g_ptr_array_add (self->subjects[table], subject);
  g_hash_table_insert (self->by_name[table], subject->name, subject);

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

/* --- Reading ------------------------------------------------------------------------ */

/* Learns a value. A different one with the same stamp was changed by hand, on purpose: it
 * is applied, with the next stamp. */
static void
learn_entry (EarEntryFile *self, guint table, Subject *subject, guint key, GVariant *value,
             gint64 stamp)
{
  Entry *entry = &subject->entries[key];
  const gboolean same = is_same (entry, value);
  const gboolean is_removed = g_variant_is_of_type (value, G_VARIANT_TYPE_UNIT);

  if (stamp < entry->stamp || (stamp == entry->stamp && same))
    return;
  /* The removal of a record that was never known is no news. */
  if ((!same || !self->tables[table].ignores_stamps) && (entry->value != NULL || !is_removed))
    {
      subject->news |= 1u << key;
      self->has_news[table] = TRUE;
    }
  set_entry (entry, value, stamp > entry->stamp ? stamp : stamp + 1);
}

static void
learn_facts (EarEntryFile *self, guint table, Subject *subject, JsonObject *object)
{
  const EarEntryTable *about = subject->table;

  for (guint i = 0; about->read_fact != NULL && !subject->edited && i < EAR_N_ENTRY_FACTS; i++)
    {
      const char *fact = about->read_fact (i, object);

      if (fact != NULL && g_set_str (&subject->facts[i], fact))
        self->has_news[table] = TRUE;
    }
}

static void
learn_subject (EarEntryFile *self, guint table, const char *name, JsonObject *container,
               JsonObject *object, gint64 now)
{
  const EarEntryTable *about = &self->tables[table];
  JsonObject *holder = about->get_key != NULL ? object : container;
  Subject *subject = g_hash_table_lookup (self->by_name[table], name);

  if (about->accepts != NULL && !about->accepts (name))
    return;
  for (guint key = 0; key < about->n_keys; key++)
    {
      g_autoptr (GVariant) value = NULL;
      gint64 stamp = ear_entry_read (about, holder, name, key, now, &value);

      if (key == 0 && about->imply != NULL &&
          !json_object_has_member (holder, ear_entry_get_member (about, name, key)))
        {
          value = g_variant_ref_sink (about->imply ());
          stamp = EAR_STAMP_OLDEST;
        }
      /* Nothing may be written of a subject that would then be read with the implied value. */
      if (key == 0 && about->imply != NULL && stamp == 0)
        return;
      if (stamp == 0)
        continue;
      if (subject == NULL)
        subject = ensure_subject (self, table, name);
      learn_entry (self, table, subject, key, value, stamp);
    }
  if (subject != NULL)
    learn_facts (self, table, subject, object);
}

/* Learns all entries of a table, under each name of their subjects. */
static void
learn_table (EarEntryFile *self, guint table, JsonObject *container, gint64 now)
{
  const EarEntryTable *about = &self->tables[table];
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, container);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    {
      JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      JsonArray *others = object != NULL ? ear_entry_get_aliases (about, object) : NULL;

      if (object == NULL || (about->subject != NULL && !g_str_equal (name, about->subject)))
        continue;
      learn_subject (self, table, name, container, object, now);
      for (guint i = 0; i < ear_json_count (others); i++)
        {
          const char *alias = ear_json_get_item (others, i);

          if (alias != NULL)
            learn_subject (self, table, alias, container, object, now);
        }
    }
}

/* Corrects future stamps of known values. Unwritten values are left alone: they would be
 * lost. */
static void
clamp_stamps (EarEntryFile *self, gint64 now)
{
  if (self->dirty)
    return;
  for (guint table = 0; table < EAR_N_ENTRY_TABLES; table++)
    for (guint i = 0; i < self->subjects[table]->len; i++)
      {
        Subject *subject = g_ptr_array_index (self->subjects[table], i);

        for (guint key = 0; key < subject->table->n_keys; key++)
          subject->entries[key].stamp = ear_stamp_clamp_future (subject->entries[key].stamp, now);
      }
}

/* --- Writing ------------------------------------------------------------------------ */

/* Writes facts that were set here; facts that were only read are written back only if the
 * file has lost them. */
static gboolean
put_facts (const Subject *subject, JsonObject *object)
{
  gboolean changed = FALSE;

  if (subject->alias != NULL &&
      ear_json_count (ear_json_get_array (object, "aliases")) < ALIASES_LIMIT)
    changed = ear_json_add_to_array (object, "aliases", subject->alias);
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
  holder = about->get_key != NULL ? object : container;
  changed = put_facts (subject, object);
  for (guint key = 0; key < about->n_keys; key++)
    if (subject->entries[key].stamp != 0)
      changed |= ear_entry_write (about, holder, subject->name, key, subject->entries[key].value,
                                  subject->entries[key].stamp, now);

  return changed;
}

static gboolean
put_description (EarEntryFile *self, JsonObject *root)
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

/* Learns newer values from the file, and adds those that it lacks. */
static gboolean
reconcile (JsonObject *root, gpointer user_data)
{
  EarEntryFile *self = user_data;
  const gint64 now = g_get_real_time ();
  const gboolean described = put_description (self, root);

  self->is_behind = FALSE;
  clamp_stamps (self, now);
  for (guint table = 0; table < EAR_N_ENTRY_TABLES && self->tables[table].n_keys > 0; table++)
    {
      const char *member = self->tables[table].member;
      JsonObject *container = member != NULL ? ear_json_ensure_object (root, member) : root;
      g_autoptr (GHashTable) names = ear_entry_index_names (&self->tables[table], container);

      learn_table (self, table, container, now);
      for (guint i = 0; i < self->subjects[table]->len; i++)
        self->is_behind |=
            put_subject (g_ptr_array_index (self->subjects[table], i), container, names, now);
    }

  return self->is_behind || described;
}

static gboolean
learn_file (JsonObject *root, gpointer user_data)
{
  EarEntryFile *self = user_data;

  reconcile (root, self);
  self->dirty |= self->is_behind;

  return self->is_behind;
}

/* Reads the file without repairing it. */
void
ear_entry_file_peek (EarEntryFile *self)
{
  g_autoptr (JsonObject) root = ear_userdata_file_peek (self->file);

  if (root != NULL)
    learn_file (root, self);
}

/* Reads the file if it was never read, or was changed from outside. Newer values in it are
 * learned (see ear_entry_file_report()); older ones make the file dirty.
 * Returns: %TRUE unless the file could not be read */
gboolean
ear_entry_file_refresh (EarEntryFile *self, GError **error)
{
  return ear_userdata_file_refresh (self->file, learn_file, self, error);
}

/* Merges all known values into the file.
 * Returns: %TRUE if it is on the disk; otherwise the file stays dirty */
gboolean
ear_entry_file_write (EarEntryFile *self, GError **error)
{
  if (!ear_userdata_file_update (self->file, reconcile, self, error))
    return FALSE;
  self->dirty = FALSE;
  for (guint table = 0; table < EAR_N_ENTRY_TABLES; table++)
    for (guint i = 0; i < self->subjects[table]->len; i++)
      {
        Subject *subject = g_ptr_array_index (self->subjects[table], i);

        subject->edited = FALSE;
        g_clear_pointer (&subject->alias, g_free);
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

/* Sets a value. The caller uses ear_entry_file_set_dirty() to have it written.
 * @done: the clock when the listener set it; 0: elsewhere, only the stamp counts
 * Returns: whether it is newer than the known one */
gboolean
ear_entry_file_set (EarEntryFile *self, guint table, const char *subject, guint key,
                    GVariant *value, gint64 given, gint64 done)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  const EarEntryTable *about = &self->tables[table];
  const gint64 now = g_get_real_time ();
  Entry *entry;
  gint64 stamp;

  if (about->accepts != NULL && !about->accepts (subject))
    {
      g_message ("A change is not stored: the name of its subject is not UTF-8, or too long");
      return FALSE;
    }
  entry = &ensure_subject (self, table, subject)->entries[key];
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
ear_entry_file_get (EarEntryFile *self, guint table, const char *subject, guint key,
                    GVariant **value)
{
  const Subject *found = g_hash_table_lookup (self->by_name[table], subject);

  *value = found != NULL ? found->entries[key].value : NULL;

  return found != NULL ? found->entries[key].stamp : 0;
}

/* @text: (nullable): the fact; %NULL changes nothing
 * Returns: whether it is another one */
gboolean
ear_entry_file_set_fact (EarEntryFile *self, const char *subject, guint fact, const char *text)
{
  Subject *found = g_hash_table_lookup (self->by_name[0], subject);

  if (found == NULL || text == NULL || !g_set_str (&found->facts[fact], text))
    return FALSE;
  found->edited = TRUE;

  return TRUE;
}

const char *
ear_entry_file_get_fact (EarEntryFile *self, const char *subject, guint fact)
{
  const Subject *found = g_hash_table_lookup (self->by_name[0], subject);

  return found != NULL ? found->facts[fact] : NULL;
}

/* Adds another name of a subject.
 * Returns: whether the subject has entries, so that the name is worth writing */
gboolean
ear_entry_file_set_alias (EarEntryFile *self, const char *subject, const char *alias)
{
  Subject *found = g_hash_table_lookup (self->by_name[0], subject);

  if (found == NULL || !has_entries (found) || !found->table->accepts (alias))
    return FALSE;
  g_set_str (&found->alias, alias);

  return TRUE;
}

/* Sets the addresses and the title of the podcast whose file it is.
 * @feed_address: (nullable): %NULL changes nothing
 * @title: (nullable): likewise */
void
ear_entry_file_describe (EarEntryFile *self, const char *address, const char *feed_address,
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
ear_entry_file_report (EarEntryFile *self, guint table, gboolean all, EarEntryVisit visit,
                       gpointer user_data)
{
  gboolean found = self->has_news[table] && !all;

  if (!all && !self->has_news[table])
    return FALSE;
  self->has_news[table] = FALSE;
  for (guint i = 0; i < self->subjects[table]->len; i++)
    {
      Subject *subject = g_ptr_array_index (self->subjects[table], i);

      for (guint key = 0; key < subject->table->n_keys; key++)
        {
          const Entry *entry = &subject->entries[key];

          if (entry->stamp == 0 || (!all && (subject->news & 1u << key) == 0))
            continue;
          if (visit != NULL)
            visit (subject->name, key, entry->value, entry->stamp, user_data);
          found = TRUE;
        }
      subject->news = 0;
    }

  return found;
}
