/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-link-address.h"
#include "ear-link-facts.h"
#include "ear-mention-sql.h"

#include <string.h>

G_STATIC_ASSERT (EAR_LINKS_LIMIT <= (1 << EAR_MENTION_PLACE_BITS));

/* Writer thread: links of episodes, for the reading list */

/* Finds the row of a text that many mentions share, or inserts it. */
static gboolean
find_text (EarCatalogueTables *self, gint64 *id, GError **error, const char *find, const char *add, const char *text, const char *more)
{
  *id = 0;
  if (!ear_database_get_int (self->database, error, id, find, "s", text))
    return FALSE;
  if (*id != 0)
    return TRUE;
  if (!ear_database_execute (self->database, error, add, more != NULL ? "ss" : "s", text, more))
    return FALSE;
  *id = sqlite3_last_insert_rowid (ear_database_get_handle (self->database));

  return TRUE;
}

/* Returns the length of the shared part of an address: EAR_MENTION_SQL_SITE_LENGTH */
static gsize
get_site_length (const char *address)
{
  const char *host = strstr (address, "://");
  const char *path = host != NULL ? strchr (host + strlen ("://"), '/') : NULL;

  return path != NULL ? (gsize) (path + 1 - address) : strlen (address);
}

static gboolean
put_mention (EarCatalogueTables *self, gint64 podcast, gint64 key, guint place, const EarLinkFacts *facts, GError **error)
{
  const gsize length = get_site_length (facts->address);
  g_autofree char *site = g_strndup (facts->address, length);
  g_autofree char *host = ear_link_address_dup_host (facts->address);
  gint64 site_id = 0;
  gint64 heading_id = 0;

  if (!find_text (self, &site_id, error, "SELECT id FROM site WHERE address = ?1", "INSERT INTO site (address, host) VALUES (?1, ?2)",
                  site, host != NULL ? host : "") ||
      (facts->heading != NULL && !find_text (self, &heading_id, error, "SELECT id FROM heading WHERE text = ?1",
                                             "INSERT INTO heading (text) VALUES (?1)", facts->heading, NULL)))
    return FALSE;

  return ear_database_execute (self->database, error,
                               "INSERT OR REPLACE INTO mention (id, link, podcast, kind, site, path, heading, words)"
                               " VALUES (" EAR_MENTION_SQL_FIRST ("?1") " + ?2, ?3, ?4, ?5, ?6, ?7, nullif (?8, 0), ?9)", "xixxixsxs",
                               key, (int) place, facts->id, podcast, (int) facts->kind, site_id, facts->address + length, heading_id,
                               facts->words);
}

static gboolean
put_mentions (EarCatalogueTables *self, gint64 podcast, gint64 key, GPtrArray *links, GError **error)
{
  for (guint i = 0; i < MIN (links->len, EAR_LINKS_LIMIT); i++)
    if (!put_mention (self, podcast, key, i, g_ptr_array_index (links, i), error))
      return FALSE;

  return TRUE;
}

/* Skips episodes edited in between, which will be scanned again. */
static gboolean
put_links_of (EarCatalogueTables *self, const EarUnlinked *links, GError **error)
{
  g_autoptr (EarStatement) statement = ear_database_query (
      self->database, error,
      "SELECT podcast, sort_key FROM episode WHERE id = ?1 AND text_digest = ?2 AND digest = ?3 AND links IS NULL", "xxx",
      links->episode, links->text_digest, links->digest);
  gboolean row = FALSE;
  gint64 podcast, key;

  if (!ear_database_step (self->database, statement, &row, error) || !row)
    return !row;
  podcast = sqlite3_column_int64 (statement, 0);
  key = sqlite3_column_int64 (statement, 1);
  ear_statement_reset (statement);
  if (!put_mentions (self, podcast, key, links->links, error) ||
      !ear_database_execute (self->database, error, "UPDATE episode SET links = ?2 WHERE id = ?1", "xi", links->episode,
                             (int) links->links->len) ||
      (links->chapters != NULL && !ear_catalogue_tables_offer_chapters (self, podcast, links->episode, links->chapters, error)))
    return FALSE;
  ear_podcast_event_append (&ear_catalogue_event_get (self->event, podcast)->rewritten, links->episode);

  return TRUE;
}

/* Stores links of episodes, and their chapters, an EarLinksToStore. */
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

/* Deletes an episode's links, so that it is scanned again: its notes, date or
 * chapters have changed.
 * @key: its old sort key */
gboolean
ear_catalogue_tables_forget_links (EarCatalogueTables *self, gint64 episode, gint64 key, GError **error)
{
  self->event->linked = TRUE;

  return ear_database_execute (self->database, error,
                               "DELETE FROM mention WHERE id >= " EAR_MENTION_SQL_FIRST ("?1") " AND id < " EAR_MENTION_SQL_END ("?1"),
                               "x", key) &&
         ear_database_execute (self->database, error, "UPDATE episode SET links = NULL WHERE id = ?1 AND links IS NOT NULL", "x", episode);
}

/* Deletes sites and headings without mentions. */
gboolean
ear_catalogue_tables_drop_links (EarCatalogueTables *self, GError **error)
{
  return ear_database_exec (self->database, "DELETE FROM site WHERE id NOT IN (SELECT site FROM mention)", error) &&
         ear_database_exec (self->database, "DELETE FROM heading WHERE id NOT IN (SELECT heading FROM mention WHERE heading IS NOT NULL)",
                            error);
}
