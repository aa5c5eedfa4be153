/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-file.h"

#include "ear-backup.h"

#include <string.h>

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

struct _EarUserdataFile
{
  /* Owned */
  char *name;
  EarJsonIdentity identity; /* of the content last read or written */
  gboolean is_read;          /* or written: its content is known */

  /* Borrowed */
  EarJsonFolder *folder;
  const char *kind;
};

/* @folder: the folder; must outlive the file
 * Returns: (transfer full): a state file, for use on one thread */
EarUserdataFile *
ear_userdata_file_new (EarJsonFolder *folder, const char *name, const char *kind)
{
  EarUserdataFile *self = g_new0 (EarUserdataFile, 1);

  self->folder = folder;
  self->name = g_strdup (name);
  self->kind = kind;

  return self;
}

/* Frees the file's data in memory. */
void
ear_userdata_file_free (EarUserdataFile *self)
{
  g_free (self->name);
  g_free (self);
}

static gboolean
identity_equal (const EarJsonIdentity *a, const EarJsonIdentity *b)
{
  return a->device == b->device && a->inode == b->inode && a->size == b->size &&
         a->modified == b->modified &&
         a->changed == b->changed;
}

/* Whether the file was changed from outside since it was last read or written here.
 * Returns: %TRUE if its content may have changed */
gboolean
ear_userdata_file_is_changed (EarUserdataFile *self)
{
  EarJsonIdentity identity;

  ear_json_folder_identify (self->folder, self->name, &identity);

  return !identity_equal (&identity, &self->identity);
}

static gboolean
is_settled (const EarJsonIdentity *identity)
{
  const gint64 age = g_get_real_time () - identity->modified / 1000;

  return age < 0 || age > SETTLE_TIME;
}

/* Reads a file, which should be of the kind @self has. */
static EarJsonRead
read_tree (EarUserdataFile *self, const char *name, EarJsonIdentity *identity, JsonObject **root,
           GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (JsonObject) tree = NULL;
  gsize length;
  EarJsonRead result;

  *root = NULL;
  result = ear_json_folder_read (self->folder, name, identity, &text, &length, error);
  if (result != EAR_JSON_READ_OK)
    return result;
  tree = ear_json_parse (text, length, error);
  if (tree == NULL || !ear_userdata_shape_check (tree, self->kind, error))
    return EAR_JSON_READ_DAMAGED;
  *root = g_steal_pointer (&tree);

  return EAR_JSON_READ_OK;
}

static EarJsonRead
read_settled_tree (EarUserdataFile *self, const char *name, EarJsonIdentity *identity,
                   JsonObject **root, GError **error)
{
  for (guint i = 0;; i++)
    {
      g_autoptr (GError) local = NULL;
      const EarJsonRead result = read_tree (self, name, identity, root, &local);

      if (result != EAR_JSON_READ_DAMAGED || is_settled (identity) || i == SETTLE_TRIES)
        {
          if (local != NULL && result != EAR_JSON_READ_MISSING)
            g_propagate_error (error, g_steal_pointer (&local));
          return result;
        }
      g_usleep (SETTLE_PAUSE);
    }
}

/* Reads the file from the newest backup that has it undamaged. */
static JsonObject *
read_backup (EarUserdataFile *self)
{
  g_autofree char *path = ear_backup_folder_dup_path (ear_json_folder_get_path (self->folder));
  g_autoptr (GBytes) content = NULL;

  for (guint i = 0; (content = ear_backup_folder_find (path, self->name, i)) != NULL; i++)
    {
      gsize length;
      const char *text = g_bytes_get_data (content, &length);
      g_autoptr (JsonObject) root = ear_json_parse (text, length, NULL);

      if (root != NULL && ear_userdata_shape_check (root, self->kind, NULL))
        return g_steal_pointer (&root);
      g_clear_pointer (&content, g_bytes_unref);
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
  g_autofree char *text = NULL;
  EarJsonIdentity identity;
  JsonObject *root;
  gsize length;

  ear_json_folder_read (self->folder, name, &identity, &text, &length, NULL);
  root = ear_userdata_shape_salvage (text, length, self->kind);
  if (root == NULL && backup != NULL)
    root = json_object_ref (backup);
  else if (backup != NULL)
    ear_userdata_merge (root, backup, g_get_real_time ());

  return add_repaired (root, text, length, self->kind);
}

/* Called with the lock held: sets the damaged file aside, and writes its readable entries
 * and its backup in its place. On a full disk the damaged file stays, and the entries are
 * only returned. The state in memory is newer, and is merged afterwards. */
static gboolean
replace_damaged (EarUserdataFile *self, JsonObject **root, GError **error)
{
  g_autoptr (JsonObject) backup = read_backup (self);
  g_autofree char *aside = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  gsize length;

  *root = salvage_file (self, self->name, backup);
  if (*root == NULL)
    {
      aside = ear_json_folder_set_aside (self->folder, self->name, "damaged", error);
      self->identity = (EarJsonIdentity) { 0 };
    }
  else
    {
      text = ear_json_print (*root, &length);
      aside = ear_json_folder_replace_damaged (self->folder, self->name, text, length,
                                               &self->identity, &local);
    }
  if (aside != NULL)
    ear_json_folder_notify_damaged (self->folder, self->name, aside, *root != NULL);
  else if (*root != NULL)
    g_message ("%s is damaged, and cannot be replaced now: %s", self->name, local->message);

  return aside != NULL || *root != NULL;
}

/* Called with the lock held: reads the file; %NULL without an error if it is missing. */
static gboolean
load (EarUserdataFile *self, JsonObject **root, GError **error)
{
  g_autoptr (GError) local = NULL;
  const EarJsonRead result = read_settled_tree (self, self->name, &self->identity, root, &local);

  if (result == EAR_JSON_READ_DAMAGED)
    {
      g_debug ("%s is damaged: %s", self->name, local->message);
      return replace_damaged (self, root, error);
    }
  if (result == EAR_JSON_READ_OK || result == EAR_JSON_READ_MISSING)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

/* Reads the file. A damaged file is set aside; its readable entries and its
 * backup replace it.
 * Returns: (transfer full) (nullable): its content; %NULL without an error if
 * it is missing */
JsonObject *
ear_userdata_file_read (EarUserdataFile *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  JsonObject *root;
  int lock;

  switch (read_tree (self, self->name, &self->identity, &root, &local))
    {
    case EAR_JSON_READ_OK:
    case EAR_JSON_READ_MISSING:
      return root;
    case EAR_JSON_READ_DAMAGED:
      lock = ear_json_folder_lock (self->folder, error);
      if (lock < 0)
        return NULL;
      load (self, &root, error);
      ear_json_folder_unlock (lock);
      return root;
    case EAR_JSON_READ_FAILED:
    default:
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
}

/* Reads the file without repairing it.
 * Returns: (transfer full) (nullable): its readable content */
JsonObject *
ear_userdata_file_peek (EarUserdataFile *self)
{
  JsonObject *root;

  if (read_tree (self, self->name, &self->identity, &root, NULL) == EAR_JSON_READ_DAMAGED)
    root = salvage_file (self, self->name, NULL);

  return root;
}

/* Reads the file if it was never read, or was changed from outside.
 * @learn: (scope call): called with the content, if it may be new; changes to the content
 * are not written
 * Returns: %TRUE unless the file could not be read */
gboolean
ear_userdata_file_refresh (EarUserdataFile *self, EarReconcile learn, gpointer user_data,
                           GError **error)
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
    learn (root, user_data);

  return TRUE;
}

static gboolean
save (EarUserdataFile *self, JsonObject *root, GError **error)
{
  gsize length;
  g_autofree char *text = ear_json_print (root, &length);

  return ear_json_folder_write_json (self->folder, self->name, text, length, &self->identity,
                                     error);
}

/* Reads, merges and writes the file under the lock, so that no change of others is lost.
 * @reconcile: (scope call): changes the content; also called for a new file
 * Returns: %TRUE if the result of @reconcile is on the disk */
gboolean
ear_userdata_file_update (EarUserdataFile *self, EarReconcile reconcile, gpointer user_data,
                          GError **error)
{
  g_autoptr (JsonObject) root = NULL;
  const int lock = ear_json_folder_lock (self->folder, error);
  gboolean ok;

  if (lock < 0)
    return FALSE;

  ok = load (self, &root, error);
  if (ok && root == NULL)
    root = ear_userdata_shape_new (self->kind);
  if (ok && reconcile (root, user_data))
    ok = save (self, root, error);
  ear_json_folder_unlock (lock);
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
  g_autoptr (JsonObject) root = NULL;
  g_autoptr (JsonObject) other = NULL;
  g_autofree char *aside = NULL;
  g_autoptr (GError) local = NULL;
  EarJsonIdentity identity;
  EarJsonRead result;
  const int lock = ear_json_folder_lock (self->folder, error);
  gboolean is_damaged, ok;

  if (lock < 0)
    return FALSE;

  result = read_settled_tree (self, copy, &identity, &other, &local);
  is_damaged = result == EAR_JSON_READ_DAMAGED;
  if (is_damaged)
    other = salvage_file (self, copy, NULL);
  else if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  ok = other != NULL ? load (self, &root, error) : is_damaged;
  if (ok && other != NULL && root == NULL)
    ok = save (self, other, error);
  else if (ok && other != NULL && ear_userdata_merge (root, other, g_get_real_time ()))
    ok = save (self, root, error);
  if (ok)
    aside = ear_json_folder_set_aside (self->folder, copy, is_damaged ? "damaged" : "merged",
                                       error);
  if (aside != NULL && is_damaged)
    ear_json_folder_notify_damaged (self->folder, copy, aside, other != NULL);
  ear_json_folder_unlock (lock);

  return aside != NULL;
}
