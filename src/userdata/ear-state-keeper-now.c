/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-state-keeper-private.h"

#include <string.h>

/* What is played, and where: now.json, and how that gets into the podcasts' files. */

/**
 * ear_state_keeper_absorb_now:
 *
 * Where the other machine stopped goes to the podcast's file.
 *
 * Returns: %TRUE if the copy is out of the way
 */
gboolean
ear_state_keeper_absorb_now (EarStateKeeper *self, const char *copy, GError **error)
{
  g_autoptr (EarStateNow) now = ear_state_now_new (self->folder, copy);
  g_autoptr (GError) local = NULL;
  g_autoptr (EarStateDeed) deed = ear_state_now_read (now, &local);
  g_autofree char *aside = NULL;
  EarStateDocument *document;
  int lock;

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (deed == NULL)
    return TRUE;
  ear_state_keeper_apply_deed (self, deed);
  document = ear_state_keeper_need_document (self, deed->address);
  if (ear_state_document_is_dirty (document) && !ear_state_document_write (document, error))
    return FALSE;
  lock = ear_state_folder_lock (self->folder, error);
  if (lock < 0)
    return FALSE;
  aside = ear_state_folder_set_aside (self->folder, copy, "merged", error);
  ear_state_folder_unlock (lock);

  return aside != NULL;
}

/* The place is to be in the podcast's file before now.json is about something else. */
static void
leave (EarStateKeeper *self, const char *address)
{
  EarStateDocument *document = ear_state_keeper_need_document (self, address);

  if (!g_ptr_array_find (self->left, document, NULL))
    g_ptr_array_add (self->left, document);
}

/**
 * ear_state_keeper_set_now:
 * @deed: (transfer full): what is played, and where
 *
 * Keeps it in memory until it is written to now.json. What was played before, if that is another
 * episode, will be in its podcast's file.
 */
void
ear_state_keeper_set_now (EarStateKeeper *self, EarStateDeed *deed)
{
  const EarStateDeed *before = ear_state_now_get (self->now);
  EarStateDocument *document = ear_state_keeper_need_document (self, deed->address);
  const EarEpisodeState *known;

  ear_state_keeper_tell_news (self, document);
  if (before != NULL && (strcmp (before->guid, deed->guid) != 0 || strcmp (before->address, deed->address) != 0))
    {
      ear_state_document_set_dirty (ear_state_keeper_need_document (self, before->address));
      leave (self, before->address);
    }

  ear_state_document_apply (document, deed);
  known = ear_state_document_lookup (document, deed->guid);
  if (known != NULL)
    deed->state = *known;
  ear_state_now_set (self->now, deed);
}

/**
 * ear_state_keeper_load_now:
 * @reply: takes the address, the guid and the position
 *
 * What was played last, and where: in now.json or, where that is newer, in the podcast's file.
 */
void
ear_state_keeper_load_now (EarStateKeeper *self, EarStateEvent *reply)
{
  g_autoptr (EarStateDeed) deed = ear_state_now_read (self->now, &reply->error);
  const EarEpisodeState *known;

  if (deed == NULL)
    return;

  ear_state_keeper_apply_deed (self, deed);
  leave (self, deed->address);
  known = ear_state_document_lookup (ear_state_keeper_need_document (self, deed->address), deed->guid);
  reply->address = g_strdup (deed->address);
  reply->guid = g_strdup (deed->guid);
  reply->position = known != NULL ? known->position : deed->state.position;
}

/* Makes sure that what is played will be in its podcast's file too. */
void
ear_state_keeper_settle (EarStateKeeper *self)
{
  const EarStateDeed *deed = ear_state_now_get (self->now);

  if (deed != NULL)
    ear_state_document_set_dirty (ear_state_keeper_need_document (self, deed->address));
}

static void
save_left (EarStateKeeper *self, GError **first)
{
  g_autoptr (EarStateDeed) found = ear_state_now_is_foreign (self->now) ? ear_state_now_read (self->now, NULL) : NULL;

  if (found != NULL)
    {
      ear_state_keeper_apply_deed (self, found);
      leave (self, found->address);
    }
  for (guint i = self->left->len; i > 0; i--)
    {
      EarStateDocument *document = g_ptr_array_index (self->left, i - 1);

      if (ear_state_document_is_dirty (document) && !ear_state_document_write (document, *first == NULL ? first : NULL))
        continue;
      ear_state_keeper_tell_news (self, document);
      g_ptr_array_remove_index_fast (self->left, i - 1);
    }
}

/**
 * ear_state_keeper_write_now:
 *
 * Writes what is played, if it is not in now.json yet. What another instance had left there goes to
 * its podcast's file, and so does what was played before: first, for whoever is killed in between.
 *
 * Returns: %TRUE if all of that is on the disk
 */
gboolean
ear_state_keeper_write_now (EarStateKeeper *self, GError **error)
{
  g_autoptr (EarStateDeed) found = NULL;
  g_autoptr (GError) first = NULL;

  if (!ear_state_now_is_dirty (self->now))
    return TRUE;
  save_left (self, &first);
  ear_state_now_write (self->now, &found, first == NULL ? &first : NULL);
  if (found != NULL)
    ear_state_keeper_apply_deed (self, found);
  if (first == NULL)
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&first));

  return FALSE;
}
