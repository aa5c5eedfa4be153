/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-file.h"

#include "ear-backup-folder.h"
#include "ear-userdata-merge.h"

/* A program that does not replace files but writes into them leaves them in parts for a moment;
 * what was changed so recently is looked at again before it is called damaged. */
#define SETTLE_TIME G_TIME_SPAN_SECOND
#define SETTLE_PAUSE (100 * G_TIME_SPAN_MILLISECOND)
#define SETTLE_TRIES 20

struct _EarUserdataFile
{
  /* Owned */
  char *name;
  EarJsonIdentity identity; /* of what was last read or written */
  gboolean is_read;          /* or written: what is in it is known */

  /* Borrowed */
  EarJsonFolder *folder;
  const char *kind;
};

/* @folder: where it is; must outlive it
 * @kind: what it is about, an `EAR_USERDATA_KIND_`
 * Returns: (transfer full): a file of the listened state, for use on one thread */
EarUserdataFile *
ear_userdata_file_new (EarJsonFolder *folder, const char *name, const char *kind)
{
  EarUserdataFile *self = g_new0 (EarUserdataFile, 1);

  self->folder = folder;
  self->name = g_strdup (name);
  self->kind = kind;

  return self;
}

/* Frees what is known of the file. */
void
ear_userdata_file_free (EarUserdataFile *self)
{
  g_free (self->name);
  g_free (self);
}

static gboolean
identity_equal (const EarJsonIdentity *a, const EarJsonIdentity *b)
{
  return a->device == b->device && a->inode == b->inode && a->size == b->size && a->modified == b->modified &&
         a->changed == b->changed;
}

/* Whether somebody else changed the file since it was last read or written here.
 * Returns: %TRUE if its content may be another one */
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

/* Reads a file that should be of our kind. */
static EarJsonRead
read_tree (EarUserdataFile *self, const char *name, EarJsonIdentity *identity, JsonObject **root, GError **error)
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
read_settled_tree (EarUserdataFile *self, const char *name, EarJsonIdentity *identity, JsonObject **root, GError **error)
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

/* What could not be read again would be taken for damaged, and so for lost: then rather what there is stays. */
static gboolean
put_tree (EarUserdataFile *self, JsonObject *root, EarJsonIdentity *identity, GError **error)
{
  gsize length;
  g_autofree char *text = ear_json_print (root, &length);

  if (!ear_json_is_bounded (text, length))
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "there is too much in a file of the listened state");
      return FALSE;
    }

  return ear_json_folder_write (self->folder, self->name, text, length, identity, error);
}

/* What somebody has put beside the file by hand. */
static gboolean
restore_neighbour (EarUserdataFile *self)
{
  g_autofree char *name = g_strconcat (self->name, ".bak", NULL);
  g_autoptr (JsonObject) root = NULL;
  EarJsonIdentity identity;

  return read_tree (self, name, &identity, &root, NULL) == EAR_JSON_READ_OK && put_tree (self, root, &identity, NULL);
}

/* What the file was in the newest backup that has it whole. */
static gboolean
restore_backup (EarUserdataFile *self)
{
  g_autofree char *path = ear_backup_folder_dup_path (ear_json_folder_get_path (self->folder));
  g_autoptr (GBytes) content = NULL;
  EarJsonIdentity identity;

  for (guint i = 0; (content = ear_backup_folder_find (path, self->name, i)) != NULL; i++)
    {
      gsize length;
      const char *text = g_bytes_get_data (content, &length);
      g_autoptr (JsonObject) root = ear_json_parse (text, length, NULL);

      if (root != NULL && ear_userdata_shape_check (root, self->kind, NULL))
        return put_tree (self, root, &identity, NULL);
      g_clear_pointer (&content, g_bytes_unref);
    }

  return FALSE;
}

/* With the lock held. What is in memory is newer than any backup, and merged with it afterwards. */
static gboolean
replace_damaged (EarUserdataFile *self, GError **error)
{
  g_autofree char *aside = ear_json_folder_set_aside (self->folder, self->name, "damaged", error);

  if (aside == NULL)
    return FALSE;
  ear_json_folder_notify_damaged (self->folder, self->name, aside, restore_neighbour (self) || restore_backup (self));

  return TRUE;
}

/* With the lock held: the file as it is now, %NULL without an error if there is none. */
static gboolean
load (EarUserdataFile *self, JsonObject **root, GError **error)
{
  g_autoptr (GError) local = NULL;
  EarJsonRead result = read_settled_tree (self, self->name, &self->identity, root, &local);

  if (result == EAR_JSON_READ_DAMAGED)
    {
      g_debug ("%s is damaged: %s", self->name, local->message);
      g_clear_error (&local);
      if (!replace_damaged (self, error))
        return FALSE;
      result = read_tree (self, self->name, &self->identity, root, &local);
    }
  if (result == EAR_JSON_READ_OK || result == EAR_JSON_READ_MISSING)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

/* Reads the file. One that is damaged is set aside, and its backup taken if there is one.
 * Returns: (transfer full) (nullable): its content; %NULL without an error when there is none */
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

/* Reads the file, and leaves it as it is, whatever that may be.
 * Returns: (transfer full) (nullable): its content; %NULL when there is none that can be read */
JsonObject *
ear_userdata_file_peek (EarUserdataFile *self)
{
  JsonObject *root;

  read_tree (self, self->name, &self->identity, &root, NULL);

  return root;
}

/* Reads the file if it was never read or somebody else changed it.
 * @learn: (scope call): called with the content, if there is any that may be new; what it
 *   changes is not written
 * Returns: %TRUE unless the file could not be read */
gboolean
ear_userdata_file_refresh (EarUserdataFile *self, EarReconcile learn, gpointer user_data, GError **error)
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
  return put_tree (self, root, &self->identity, error);
}

/* Reads, merges and writes the file under the lock, so that no change of others is lost.
 * @reconcile: (scope call): changes the content; also called when the file is new
 * Returns: %TRUE if what @reconcile made is on the disk */
gboolean
ear_userdata_file_update (EarUserdataFile *self, EarReconcile reconcile, gpointer user_data, GError **error)
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

static gboolean
set_copy_aside (EarUserdataFile *self, const char *copy, const char *reason, GError **error)
{
  g_autofree char *aside = ear_json_folder_set_aside (self->folder, copy, reason, error);

  if (aside != NULL && g_str_equal (reason, "damaged"))
    ear_json_folder_notify_damaged (self->folder, copy, aside, FALSE);

  return aside != NULL;
}

/* Merges a copy into the file, and sets it aside.
 * @copy: the name of another copy of it, see ear_json_folder_dup_original()
 * Returns: %TRUE if the copy is out of the way */
gboolean
ear_userdata_file_absorb (EarUserdataFile *self, const char *copy, GError **error)
{
  g_autoptr (JsonObject) root = NULL;
  g_autoptr (JsonObject) other = NULL;
  EarJsonIdentity identity;
  EarJsonRead result;
  const int lock = ear_json_folder_lock (self->folder, error);
  gboolean ok = FALSE;

  if (lock < 0)
    return FALSE;

  result = read_settled_tree (self, copy, &identity, &other, NULL);
  if (result == EAR_JSON_READ_DAMAGED)
    ok = set_copy_aside (self, copy, "damaged", error);
  else if (result == EAR_JSON_READ_OK && load (self, &root, error))
    {
      if (root == NULL)
        ok = save (self, other, error);
      else
        ok = !ear_userdata_merge (root, other, g_get_real_time ()) || save (self, root, error);
      ok = ok && set_copy_aside (self, copy, "merged", error);
    }
  ear_json_folder_unlock (lock);

  return ok;
}
