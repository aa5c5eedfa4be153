/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-link-address.h"
#include "ear-link-facts.h"

/* Writer thread: what episodes link to, for the reading list. */

static gboolean
find_host (EarCatalogueTables *self, const char *address, gint64 *id, GError **error)
{
  g_autofree char *host = ear_link_address_dup_host (address);

  return ear_database_get_int (self->database, error, id, "SELECT id FROM host WHERE name = ?1", "s", host) &&
         (*id != 0 || (ear_database_execute (self->database, error, "INSERT INTO host (name) VALUES (?1)", "s", host) &&
                       (*id = sqlite3_last_insert_rowid (ear_database_get_handle (self->database))) != 0));
}

/* Finds the row of a link, or makes it. */
static gboolean
find_link (EarCatalogueTables *self, const EarLinkFacts *facts, gint64 *id, GError **error)
{
  gint64 host = 0;

  *id = 0;
  if (!ear_database_get_int (self->database, error, id, "SELECT id FROM link WHERE digest = ?1", "x", facts->id))
    return FALSE;
  if (*id != 0)
    return TRUE;
  if (!find_host (self, facts->address, &host, error) ||
      !ear_database_execute (self->database, error, "INSERT INTO link (digest, host, kind, address) VALUES (?1, ?2, ?3, ?4)", "xxis",
                             facts->id, host, (int) facts->kind, facts->address))
    return FALSE;
  *id = sqlite3_last_insert_rowid (ear_database_get_handle (self->database));

  return TRUE;
}

static gboolean
put_mentions (EarCatalogueTables *self, gint64 podcast, gint64 key, GPtrArray *links, GError **error)
{
  for (guint i = 0; i < links->len; i++)
    {
      const EarLinkFacts *facts = g_ptr_array_index (links, i);
      gint64 link;

      if (!find_link (self, facts, &link, error) ||
          !ear_database_execute (self->database, error,
                                 "INSERT OR REPLACE INTO mention (sort_key, place, link, podcast, words, heading)"
                                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6)", "xixxss",
                                 key, (int) i, link, podcast, facts->words, facts->heading))
        return FALSE;
    }

  return TRUE;
}

/* What was edited in between is looked through again. */
static gboolean
put_links_of (EarCatalogueTables *self, const EarUnlinked *links, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error, "SELECT podcast, sort_key FROM episode WHERE id = ?1 AND text_digest = ?2 AND links IS NULL", "xx",
      links->episode, links->text_digest);
  gboolean row = FALSE;
  gint64 podcast, key;

  if (!ear_database_step (self->database, statement, &row, error) || !row)
    return !row;
  podcast = sqlite3_column_int64 (statement, 0);
  key = sqlite3_column_int64 (statement, 1);
  ear_statement_reset (statement);
  if (!put_mentions (self, podcast, key, links->links, error) ||
      !ear_database_execute (self->database, error, "UPDATE episode SET links = ?2 WHERE id = ?1", "xi", links->episode,
                             (int) links->links->len))
    return FALSE;
  ear_podcast_event_append (&ear_catalogue_event_get (self->event, podcast)->rewritten, links->episode);

  return TRUE;
}

/* Stores what episodes link to, an EarLinksToStore. */
gboolean
ear_catalogue_tables_put_links (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const EarLinksToStore *data = op->data;

  for (guint i = 0; i < data->episodes->len; i++)
    if (!put_links_of (self, g_ptr_array_index (data->episodes, i), error))
      return FALSE;
  self->event->linked = TRUE;

  return TRUE;
}

/* An episode whose notes or date are other ones now is to be looked through again.
 * @key: its sort key until now */
gboolean
ear_catalogue_tables_forget_links (EarCatalogueTables *self, gint64 episode, gint64 key, GError **error)
{
  self->event->linked = TRUE;

  return ear_database_execute (self->database, error, "DELETE FROM mention WHERE sort_key = ?1", "x", key) &&
         ear_database_execute (self->database, error, "UPDATE episode SET links = NULL WHERE id = ?1 AND links IS NOT NULL", "x", episode);
}

/* Links that no episode has any more */
gboolean
ear_catalogue_tables_drop_links (EarCatalogueTables *self, GError **error)
{
  return ear_database_exec (self->database, "DELETE FROM link WHERE id NOT IN (SELECT link FROM mention)", error) &&
         ear_database_exec (self->database, "DELETE FROM host WHERE id NOT IN (SELECT host FROM link)", error);
}
