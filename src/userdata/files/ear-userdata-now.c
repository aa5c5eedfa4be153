/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-now.h"

#include "ear-address.h"

/*
 * now.json: what is being played, and where. Saved every few seconds while playing, so it is kept
 * small and apart from the podcast's file, which may be long. It is one thing: unlike the other
 * files it is not merged but replaced, and what another one had left there is handed out.
 */

/* For people who look into the file; the whole title is in the podcast's. */
#define TITLE_LENGTH 100

struct _EarUserdataNow
{
  /* Owned */
  EarUserdataFile *file;
  EarUserdataChange *change;  /* (nullable): what is played here */
  EarUserdataChange *found; /* (nullable): what the file had, when somebody else wrote it */
  gboolean dirty;
};

/**
 * ear_userdata_now_new:
 * @folder: where it is; must outlive it
 *
 * Returns: (transfer full): the file, not read yet; for use on one thread
 */
EarUserdataNow *
ear_userdata_now_new (EarJsonFolder *folder, const char *name)
{
  EarUserdataNow *self = g_new0 (EarUserdataNow, 1);

  self->file = ear_userdata_file_new (folder, name, EAR_USERDATA_KIND_NOW);

  return self;
}

/* Frees what is known of the file; what was not written is lost. */
void
ear_userdata_now_free (EarUserdataNow *self)
{
  ear_userdata_file_free (self->file);
  g_clear_pointer (&self->change, ear_userdata_change_free);
  g_clear_pointer (&self->found, ear_userdata_change_free);
  g_free (self);
}

/**
 * ear_userdata_now_is_dirty:
 *
 * Returns: %TRUE if what is played is not in the file yet
 */
gboolean
ear_userdata_now_is_dirty (EarUserdataNow *self)
{
  return self->dirty;
}

/**
 * ear_userdata_now_is_foreign:
 *
 * Returns: %TRUE if somebody else may have written it since it was read or written here
 */
gboolean
ear_userdata_now_is_foreign (EarUserdataNow *self)
{
  return ear_userdata_file_is_changed (self->file);
}

/**
 * ear_userdata_now_get:
 *
 * Returns: (transfer none) (nullable): what was last set
 */
const EarUserdataChange *
ear_userdata_now_get (EarUserdataNow *self)
{
  return self->change;
}

static EarUserdataChange *
decode (JsonObject *root, gint64 now)
{
  const char *address = ear_userdata_shape_get_string (root, "address", G_MAXSIZE);
  const char *guid = ear_userdata_shape_get_string (root, "guid", EAR_USERDATA_GUID_LIMIT);
  g_autoptr (EarUserdataChange) change = g_new0 (EarUserdataChange, 1);
  const char *title;

  change->state.position_updated = ear_userdata_shape_get_position (root, "position", now, &change->state.position);
  if (!ear_address_is_web (address) || guid == NULL || change->state.position_updated == 0)
    return NULL;
  change->address = g_strdup (address);
  change->guid = g_strdup (guid);
  title = ear_userdata_shape_get_string (root, "title", EAR_USERDATA_TITLE_LIMIT);
  /* A title that was cut must not replace the whole one. */
  if (title != NULL && g_utf8_strlen (title, -1) < TITLE_LENGTH)
    change->title = g_strdup (title);

  return g_steal_pointer (&change);
}

/* The names that were there are those of another episode, perhaps. */
static void
put_string (JsonObject *root, const char *name, const char *value)
{
  if (value != NULL)
    json_object_set_string_member (root, name, value);
  else if (json_object_has_member (root, name))
    json_object_remove_member (root, name);
}

static gboolean
replace (JsonObject *root, gpointer user_data)
{
  EarUserdataNow *self = user_data;
  const EarUserdataChange *change = self->change;
  g_autofree char *title = change->title != NULL ? g_utf8_truncate_middle (change->title, TITLE_LENGTH) : NULL;

  g_clear_pointer (&self->found, ear_userdata_change_free);
  self->found = decode (root, g_get_real_time ());
  put_string (root, "address", change->address);
  put_string (root, "guid", change->guid);
  put_string (root, "title", title);
  ear_userdata_shape_set_position (root, "position", change->state.position, change->state.position_updated);

  return TRUE;
}

/**
 * ear_userdata_now_read:
 *
 * Reads what was played last.
 *
 * Returns: (transfer full) (nullable): what and where; %NULL without an error when that is not known
 */
EarUserdataChange *
ear_userdata_now_read (EarUserdataNow *self, GError **error)
{
  g_autoptr (JsonObject) root = ear_userdata_file_read (self->file, error);

  return root != NULL ? decode (root, g_get_real_time ()) : NULL;
}

/**
 * ear_userdata_now_set:
 * @change: (transfer full): what is played, and where
 *
 * Sets what is to be written.
 */
void
ear_userdata_now_set (EarUserdataNow *self, EarUserdataChange *change)
{
  g_clear_pointer (&self->change, ear_userdata_change_free);
  self->change = change;
  self->dirty = TRUE;
}

/**
 * ear_userdata_now_write:
 * @found: (out) (transfer full) (nullable): what another one had written there in between
 *
 * Replaces the file.
 *
 * Returns: %TRUE if it is on the disk; else it stays dirty
 */
gboolean
ear_userdata_now_write (EarUserdataNow *self, EarUserdataChange **found, GError **error)
{
  const gboolean foreign = ear_userdata_now_is_foreign (self);

  *found = NULL;
  if (!ear_userdata_file_update (self->file, replace, self, error))
    return FALSE;

  self->dirty = FALSE;
  if (foreign)
    *found = g_steal_pointer (&self->found);
  g_clear_pointer (&self->found, ear_userdata_change_free);

  return TRUE;
}
