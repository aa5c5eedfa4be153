/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-update.h"

#include "ear-catalogue-schema.h"

#include "ear-address.h"

/* Moves a podcast to another address. If another machine has already followed it there,
 * the podcast at the new address stays, and the old one is hidden. */
static gboolean
move_podcast (EarDatabase *database, const char *address, const char *plain, GError **error)
{
  static const char *const steps[] = {
    /* A podcast that is about to be purged keeps its row until then. */
    "UPDATE podcast SET address = 'purged:' || id WHERE address = ?2 AND hidden <> 0 AND ?1 <> ?2",
    "UPDATE OR IGNORE podcast SET address = ?2 WHERE address = ?1",
    "UPDATE podcast SET hidden = unixepoch () WHERE address = ?1 AND ?1 <> ?2",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    if (!ear_database_execute (database, error, steps[i], "ss", address, plain))
      return FALSE;

  return TRUE;
}

static gboolean
move_feed (EarDatabase *database, const char *plain, GError **error)
{
  g_autofree char *feed = NULL;
  g_autofree char *plain_feed = NULL;
  g_autoptr (EarStatement) statement = ear_database_query (
      database, error,
      "SELECT feed_address FROM podcast_check WHERE podcast = (SELECT id FROM podcast WHERE address = ?1)", "s", plain);
  gboolean row = FALSE;

  if (!ear_database_step (database, statement, &row, error))
    return FALSE;
  feed = row ? ear_statement_dup_text (statement, 0) : NULL;
  if (feed == NULL)
    return TRUE;
  plain_feed = ear_address_without_login (feed);

  return ear_database_execute (database, error,
                               "UPDATE podcast_check SET feed_address = ?2"
                               " WHERE podcast = (SELECT id FROM podcast WHERE address = ?1)", "ss", plain, plain_feed);
}

static gboolean
move_all (EarDatabase *database, GHashTable *addresses, GError **error)
{
  GHashTableIter iter;
  gpointer address, plain;

  g_hash_table_iter_init (&iter, addresses);
  while (g_hash_table_iter_next (&iter, &address, &plain))
    if (!move_podcast (database, address, plain, error) || !move_feed (database, plain, error))
      return FALSE;

  return TRUE;
}

/**
 * ear_catalogue_readdress:
 * @path: path of catalogue.db, not open anywhere
 * @addresses: (element-type utf8 utf8): by the address that a podcast was first followed
 *   at, the same address without a user name and password
 * @error: return location for an `EAR_ERROR`
 *
 * Moves podcasts to other addresses. Repeating it does no harm.
 *
 * Returns: whether the change is stored
 */
gboolean
ear_catalogue_readdress (const char *path, GHashTable *addresses, GError **error)
{
  g_autoptr (EarDatabase) database = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  database = ear_database_open (path, EAR_DATABASE_READ_WRITE, error);
  if (database == NULL || !ear_catalogue_schema_accept (database, error) || !ear_database_exec (database, "BEGIN IMMEDIATE", error))
    return FALSE;
  if (move_all (database, addresses, error))
    return ear_database_exec (database, "COMMIT", error);
  ear_database_exec (database, "ROLLBACK", NULL);

  return FALSE;
}
