/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <libxml/parser.h>
#include <sqlite3.h>
#include <string.h>
#include <time.h>

/* The lower limits for fetching a library on this machine:
 *
 * floors sax FILE...              libxml2 alone, with callbacks that only count
 * floors insert DATABASE FILE...  inserts their texts into a table and a full text index
 *
 * Prints megabytes and seconds: processor time for the first, which needs nothing
 * else, and elapsed time for the second. Reading the files, and parsing for the
 * second, are excluded. */

#define BATCH 500

/* Minimum of bytes for libxml2, so that it is warm. */
#define ENOUGH (100 * 1000 * 1000)

typedef struct
{
  char *guid;
  char *title;
  char *link;
  char *date;
  char *notes;
} Item;

typedef struct
{
  GPtrArray *items; /* (element-type Item) */
  Item *item;       /* open item */
  char **field;     /* receives the text of the open element */
  GString *text;
  guint64 n_elements;
} Reading;

static void
item_free (Item *item)
{
  g_free (item->guid);
  g_free (item->title);
  g_free (item->link);
  g_free (item->date);
  g_free (item->notes);
  g_free (item);
}

static void
count_element_cb (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
                  const xmlChar **namespaces, int n_attributes, int n_defaulted, const xmlChar **attributes)
{
  ((Reading *) data)->n_elements++;
}

static void
ignore_end_cb (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
}

static void
ignore_text_cb (void *data, const xmlChar *text, int length)
{
}

static char **
find_field (Item *item, const char *name, const char *prefix)
{
  if (prefix == NULL && g_str_equal (name, "guid"))
    return &item->guid;
  if (prefix == NULL && g_str_equal (name, "title"))
    return &item->title;
  if (prefix == NULL && g_str_equal (name, "link"))
    return &item->link;
  if (g_str_equal (name, "pubDate"))
    return &item->date;
  if (g_str_equal (name, "encoded"))
    return &item->notes;

  return NULL;
}

static void
begin_element_cb (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int n_namespaces,
                  const xmlChar **namespaces, int n_attributes, int n_defaulted, const xmlChar **attributes)
{
  Reading *reading = data;

  if (g_str_equal (name, "item"))
    {
      reading->item = g_new0 (Item, 1);
      g_ptr_array_add (reading->items, reading->item);
    }
  reading->field = reading->item != NULL ? find_field (reading->item, (const char *) name, (const char *) prefix) : NULL;
  g_string_truncate (reading->text, 0);
}

static void
end_element_cb (void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  Reading *reading = data;

  if (reading->field != NULL && *reading->field == NULL)
    *reading->field = g_strdup (reading->text->str);
  reading->field = NULL;
}

static void
text_cb (void *data, const xmlChar *text, int length)
{
  Reading *reading = data;

  if (reading->field != NULL)
    g_string_append_len (reading->text, (const char *) text, length);
}

static double
get_work (void)
{
  return (double) clock () / CLOCKS_PER_SEC;
}

/* Returns the seconds of parsing @bytes. */
static double
parse (Reading *reading, char *const *paths, guint n_paths, guint n_rounds, gboolean bare, gsize *bytes)
{
  xmlSAXHandler handler = {
    .initialized = XML_SAX2_MAGIC,
    .startElementNs = bare ? count_element_cb : begin_element_cb,
    .endElementNs = bare ? ignore_end_cb : end_element_cb,
    .characters = bare ? ignore_text_cb : text_cb,
    .cdataBlock = bare ? ignore_text_cb : text_cb,
  };
  double seconds = 0;

  for (guint i = 0; i < n_paths; i++)
    {
      g_autofree char *contents = NULL;
      g_autoptr (GError) error = NULL;
      double start;
      gsize length;

      if (!g_file_get_contents (paths[i], &contents, &length, &error))
        g_error ("%s", error->message);
      start = get_work ();
      for (guint round = 0; round < n_rounds; round++)
        if (xmlSAXUserParseMemory (&handler, reading, contents, (int) length) != 0)
          g_error ("%s is not well-formed", paths[i]);
      seconds += get_work () - start;
      reading->item = NULL;
      *bytes += n_rounds * length;
    }

  return seconds;
}

static void
execute (sqlite3 *database, const char *sql)
{
  if (sqlite3_exec (database, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (database));
}

static void
run (sqlite3_stmt *statement, gint64 id, const char *const *texts)
{
  sqlite3_bind_int64 (statement, 1, id);
  for (int i = 0; texts[i] != NULL; i++)
    sqlite3_bind_text (statement, i + 2, texts[i], -1, SQLITE_STATIC);
  if (sqlite3_step (statement) != SQLITE_DONE)
    g_error ("The row cannot be inserted");
  sqlite3_reset (statement);
}

static double
insert (GPtrArray *items, const char *path)
{
  const gint64 start = g_get_monotonic_time ();
  sqlite3 *database;
  sqlite3_stmt *row, *text;

  if (sqlite3_open (path, &database) != SQLITE_OK)
    g_error ("%s cannot be opened", path);
  execute (database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                     "CREATE TABLE episode (id INTEGER PRIMARY KEY, guid TEXT, title TEXT, link TEXT, date TEXT, notes TEXT);"
                     "CREATE VIRTUAL TABLE episode_text USING fts5 (title, notes, content = '',"
                     "  tokenize = \"unicode61 remove_diacritics 2 tokenchars '_'\");"
                     "INSERT INTO episode_text (episode_text, rank) VALUES ('hashsize', 33554432);");
  sqlite3_prepare_v2 (database, "INSERT INTO episode VALUES (?1, ?2, ?3, ?4, ?5, ?6)", -1, &row, NULL);
  sqlite3_prepare_v2 (database, "INSERT INTO episode_text (rowid, title, notes) VALUES (?1, ?2, ?3)", -1, &text, NULL);
  for (guint i = 0; i < items->len; i++)
    {
      const Item *item = g_ptr_array_index (items, i);

      if (i % BATCH == 0)
        execute (database, i == 0 ? "BEGIN" : "COMMIT; BEGIN");
      run (row, i + 1, (const char *const[]) { item->guid, item->title, item->link, item->date, item->notes, NULL });
      run (text, i + 1, (const char *const[]) { item->title, item->notes, NULL });
    }
  if (items->len > 0)
    execute (database, "COMMIT");
  sqlite3_finalize (row);
  sqlite3_finalize (text);
  sqlite3_close (database);

  return (double) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}

int
main (int argc, char *argv[])
{
  const gboolean bare = argc > 2 && g_str_equal (argv[1], "sax");
  Reading reading = { 0 };
  gsize bytes = 0;
  guint n_rounds;
  double seconds;

  if (!bare && (argc < 4 || !g_str_equal (argv[1], "insert")))
    {
      g_printerr ("usage: floors sax FILE...\n       floors insert DATABASE FILE...\n");
      return 2;
    }

  reading.items = g_ptr_array_new_with_free_func ((GDestroyNotify) item_free);
  reading.text = g_string_new (NULL);
  if (bare)
    {
      parse (&reading, argv + 2, 1, 1, TRUE, &bytes);
      n_rounds = (guint) (1 + ENOUGH / MAX (1, bytes) / ((guint) argc - 2));
      bytes = 0;
      seconds = parse (&reading, argv + 2, (guint) argc - 2, n_rounds, TRUE, &bytes);
    }
  else
    {
      parse (&reading, argv + 3, (guint) argc - 3, 1, FALSE, &bytes);
      g_unlink (argv[2]);
      seconds = insert (reading.items, argv[2]);
    }
  g_print ("%.1f MB in %.3f s\n", (double) bytes / 1e6, seconds);
  g_string_free (reading.text, TRUE);
  g_ptr_array_unref (reading.items);

  return 0;
}
