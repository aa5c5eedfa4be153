/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-source-program.h"

#define HOST_PATHS { "KDE/kasts/database.db3", "kasts/database.db3" }
#define HOME_PATHS { ".var/app/org.kde.kasts/data/KDE/kasts/database.db3", ".local/share/KDE/kasts/database.db3" }

/* Kasts since 26.04 (version 12 of its tables): rows have numbers. Positions are in milliseconds. */
const EarImportSourceProgram ear_import_source_kasts = {
  .name = "Kasts",
  .host_paths = HOST_PATHS,
  .home_paths = HOME_PATHS,
  .tables = "'Feeds', 'Entries', 'FeedAuthors'",
  .count = "SELECT count (*) FROM Feeds",
  .indexes = "CREATE INDEX IF NOT EXISTS earmark_entries ON Entries (feeduid);"
             "CREATE INDEX IF NOT EXISTS earmark_enclosures ON Enclosures (entryuid)",
  .podcasts = "SELECT feeduid, url, name, NULL, NULL, NULL FROM Feeds",
  .episodes = "SELECT Entries.id, Enclosures.url, Entries.title, Enclosures.playposition / 1000.0, Entries.read,"
              "  Entries.favorite, 0, 0 "
              "FROM Entries LEFT JOIN Enclosures ON Enclosures.entryuid = Entries.entryuid "
              "WHERE Entries.feeduid = ?1 AND (Entries.read OR Entries.favorite OR Enclosures.playposition > 0)",
};

/* Before that, a podcast is called by its address. Favourites came with version 7 of the tables: before that,
 * the column is that of `absent`. */
const EarImportSourceProgram ear_import_source_kasts_25 = {
  .name = "Kasts",
  .host_paths = HOST_PATHS,
  .home_paths = HOME_PATHS,
  .tables = "'Feeds', 'Entries', 'Enclosures'",
  .count = "SELECT count (*) FROM Feeds",
  .indexes = "CREATE INDEX IF NOT EXISTS earmark_entries ON Entries (feed);"
             "CREATE INDEX IF NOT EXISTS earmark_enclosures ON Enclosures (id)",
  .podcasts = "SELECT url, url, name, NULL, NULL, NULL FROM Feeds",
  .episodes = "SELECT Entries.id, Enclosures.url, Entries.title, Enclosures.playposition / 1000.0, Entries.read,"
              "  (SELECT favorite FROM Entries AS same WHERE same.rowid = Entries.rowid) AS liked, 0, 0 "
              "FROM (SELECT 0 AS favorite) AS absent CROSS JOIN Entries "
              "  LEFT JOIN Enclosures ON Enclosures.id = Entries.id AND Enclosures.feed = Entries.feed "
              "WHERE Entries.feed = ?1 AND (Entries.read OR liked OR Enclosures.playposition > 0)",
};
