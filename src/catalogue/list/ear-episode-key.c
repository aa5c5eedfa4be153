/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-episode-key.h"

#include "ear-address.h"

/**
 * ear_episode_key_find:
 * @id: (out): its row id, 0 when there is none of a podcast that is followed
 *
 * Finds out which episode is meant, the newest rows first: it is those that other programs
 * are told of. A key cannot be looked up, only compared; it is asked for by hand.
 *
 * Returns: %FALSE on an error
 */
gboolean
ear_episode_key_find (EarDatabase *database, const char *key, gint64 *id, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_prepare (
      database,
      "SELECT episode.id, address, episode.guid FROM episode JOIN podcast ON podcast.id = podcast WHERE hidden = 0"
      " ORDER BY episode.id DESC",
      error);
  gboolean row = FALSE;

  *id = 0;
  if (statement == NULL)
    return FALSE;
  while (*id == 0 && ear_database_step (database, statement, &row, error) && row)
    {
      const char *address = (const char *) sqlite3_column_text (statement, 1);
      const char *guid = (const char *) sqlite3_column_text (statement, 2);
      g_autofree char *own = address != NULL && guid != NULL ? ear_address_hash (address, guid) : NULL;

      if (g_strcmp0 (own, key) == 0)
        *id = sqlite3_column_int64 (statement, 0);
    }

  return *id != 0 || !row;
}
