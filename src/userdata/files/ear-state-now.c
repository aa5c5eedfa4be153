/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-state-now.h"

#include "ear-address.h"

/*
 * now.json: what is being played, and where. Saved every few seconds while playing, so it is kept
 * small and apart from the podcast's file, which may be long. It is one thing: unlike the other
 * files it is not merged but replaced, and what another one had left there is handed out.
 */

/* For people who look into the file; the whole title is in the podcast's. */
#define TITLE_LENGTH 100

struct _EarStateNow
{
  /* Owned */
  EarStateFile *file;
  EarStateDeed *deed;  /* (nullable): what is played here */
  EarStateDeed *found; /* (nullable): what the file had, when somebody else wrote it */
  gboolean dirty;
};

/**
 * ear_state_now_new:
 * @folder: where it is; must outlive it
 *
 * Returns: (transfer full): the file, not read yet; for use on one thread
 */
EarStateNow *
ear_state_now_new (EarStateFolder *folder, const char *name)
{
  EarStateNow *self = g_new0 (EarStateNow, 1);

  self->file = ear_state_file_new (folder, name, EAR_STATE_KIND_NOW);

  return self;
}

/* Frees what is known of the file; what was not written is lost. */
void
ear_state_now_free (EarStateNow *self)
{
  ear_state_file_free (self->file);
  g_clear_pointer (&self->deed, ear_state_deed_free);
  g_clear_pointer (&self->found, ear_state_deed_free);
  g_free (self);
}

/**
 * ear_state_now_is_dirty:
 *
 * Returns: %TRUE if what is played is not in the file yet
 */
gboolean
ear_state_now_is_dirty (EarStateNow *self)
{
  return self->dirty;
}

/**
 * ear_state_now_is_foreign:
 *
 * Returns: %TRUE if somebody else may have written it since it was read or written here
 */
gboolean
ear_state_now_is_foreign (EarStateNow *self)
{
  return ear_state_file_is_changed (self->file);
}

/**
 * ear_state_now_get:
 *
 * Returns: (transfer none) (nullable): what was last set
 */
const EarStateDeed *
ear_state_now_get (EarStateNow *self)
{
  return self->deed;
}

static EarStateDeed *
decode (JsonObject *root, gint64 now)
{
  const char *address = ear_state_shape_get_string (root, "address", G_MAXSIZE);
  const char *guid = ear_state_shape_get_string (root, "guid", EAR_STATE_GUID_LIMIT);
  g_autoptr (EarStateDeed) deed = g_new0 (EarStateDeed, 1);
  const char *title;

  deed->state.position_updated = ear_state_shape_get_position (root, "position", now, &deed->state.position);
  if (!ear_address_is_web (address) || guid == NULL || deed->state.position_updated == 0)
    return NULL;
  deed->address = g_strdup (address);
  deed->guid = g_strdup (guid);
  title = ear_state_shape_get_string (root, "title", EAR_STATE_TITLE_LIMIT);
  /* A title that was cut must not replace the whole one. */
  if (title != NULL && g_utf8_strlen (title, -1) < TITLE_LENGTH)
    deed->title = g_strdup (title);

  return g_steal_pointer (&deed);
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
  EarStateNow *self = user_data;
  const EarStateDeed *deed = self->deed;
  g_autofree char *title = deed->title != NULL ? g_utf8_truncate_middle (deed->title, TITLE_LENGTH) : NULL;

  g_clear_pointer (&self->found, ear_state_deed_free);
  self->found = decode (root, g_get_real_time ());
  put_string (root, "address", deed->address);
  put_string (root, "guid", deed->guid);
  put_string (root, "title", title);
  ear_state_shape_set_position (root, "position", deed->state.position, deed->state.position_updated);

  return TRUE;
}

/**
 * ear_state_now_read:
 *
 * Reads what was played last.
 *
 * Returns: (transfer full) (nullable): what and where; %NULL without an error when that is not known
 */
EarStateDeed *
ear_state_now_read (EarStateNow *self, GError **error)
{
  g_autoptr (JsonObject) root = ear_state_file_read (self->file, error);

  return root != NULL ? decode (root, g_get_real_time ()) : NULL;
}

/**
 * ear_state_now_set:
 * @deed: (transfer full): what is played, and where
 *
 * Sets what is to be written.
 */
void
ear_state_now_set (EarStateNow *self, EarStateDeed *deed)
{
  g_clear_pointer (&self->deed, ear_state_deed_free);
  self->deed = deed;
  self->dirty = TRUE;
}

/**
 * ear_state_now_write:
 * @found: (out) (transfer full) (nullable): what another one had written there in between
 *
 * Replaces the file.
 *
 * Returns: %TRUE if it is on the disk; else it stays dirty
 */
gboolean
ear_state_now_write (EarStateNow *self, EarStateDeed **found, GError **error)
{
  const gboolean foreign = ear_state_now_is_foreign (self);

  *found = NULL;
  if (!ear_state_file_update (self->file, replace, self, error))
    return FALSE;

  self->dirty = FALSE;
  if (foreign)
    *found = g_steal_pointer (&self->found);
  g_clear_pointer (&self->found, ear_state_deed_free);

  return TRUE;
}
