/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-source-program.h"

#define KASTS_HOST_PATHS { "KDE/kasts/database.db3", "kasts/database.db3" }
#define KASTS_HOME_PATHS { ".var/app/org.kde.kasts/data/KDE/kasts/database.db3", ".local/share/KDE/kasts/database.db3" }
#define ANTENNAPOD_PLAYED "max (coalesce (last_played_time, 0), coalesce (playback_completion_date, 0)) / 1000"

const EarImportSourceProgram ear_import_source_programs[] = {
  /* GNOME Podcasts. An episode is played if `played` has a date: Unix seconds up to
   * version 0.7, a date as text (UTC) since then. Positions came with version 0.5; older
   * databases use the column of `absent`. */
  {
    .name = "GNOME Podcasts",
    .host_paths = { "gnome-podcasts/podcasts.db" },
    .home_paths = { ".var/app/org.gnome.Podcasts/data/gnome-podcasts/podcasts.db", ".local/share/gnome-podcasts/podcasts.db" },
    .tables = "'source', 'shows', 'episodes'",
    .count = "SELECT count (*) FROM source",
    .indexes = "CREATE INDEX IF NOT EXISTS earmark_episodes ON episodes (show_id)",
    .podcasts = "SELECT source.id, source.uri, (SELECT title FROM shows WHERE source_id = source.id), NULL, NULL, NULL, 0 FROM source",
    .episodes = "SELECT guid, uri, episodes.title,"
                "  (SELECT play_position FROM episodes AS same WHERE same.rowid = episodes.rowid) AS place, played IS NOT NULL, 0, 0,"
                "  CASE typeof (played) WHEN 'integer' THEN played ELSE CAST (strftime ('%s', played) AS INTEGER) END, 0 "
                "FROM (SELECT 0 AS play_position) AS absent CROSS JOIN shows CROSS JOIN episodes ON episodes.show_id = shows.id "
                "WHERE source_id = ?1 AND (played IS NOT NULL OR place > 0)",
  },
  /* Kasts since 26.04 (version 12 of its tables): rows have numbers. Positions
   * are in milliseconds. */
  {
    .name = "Kasts",
    .host_paths = KASTS_HOST_PATHS,
    .home_paths = KASTS_HOME_PATHS,
    .tables = "'Feeds', 'Entries', 'FeedAuthors'",
    .count = "SELECT count (*) FROM Feeds",
    .indexes = "CREATE INDEX IF NOT EXISTS earmark_entries ON Entries (feeduid);"
               "CREATE INDEX IF NOT EXISTS earmark_enclosures ON Enclosures (entryuid)",
    .podcasts = "SELECT feeduid, url, name, NULL, NULL, NULL, 0 FROM Feeds",
    .episodes = "SELECT Entries.id, Enclosures.url, Entries.title, Enclosures.playposition / 1000.0, Entries.read,"
                "  Entries.favorite, 0, 0, 0 "
                "FROM Entries LEFT JOIN Enclosures ON Enclosures.entryuid = Entries.entryuid "
                "WHERE Entries.feeduid = ?1 AND (Entries.read OR Entries.favorite OR Enclosures.playposition > 0)",
  },
  /* Older Kasts: the key of a podcast is its address. This entry comes second, because
   * the newer version has all of its tables, too. Favorites came with version 7 of the
   * tables; older databases use the column of `absent`. */
  {
    .name = "Kasts",
    .host_paths = KASTS_HOST_PATHS,
    .home_paths = KASTS_HOME_PATHS,
    .tables = "'Feeds', 'Entries', 'Enclosures'",
    .count = "SELECT count (*) FROM Feeds",
    .indexes = "CREATE INDEX IF NOT EXISTS earmark_entries ON Entries (feed);"
               "CREATE INDEX IF NOT EXISTS earmark_enclosures ON Enclosures (id)",
    .podcasts = "SELECT url, url, name, NULL, NULL, NULL, 0 FROM Feeds",
    .episodes = "SELECT Entries.id, Enclosures.url, Entries.title, Enclosures.playposition / 1000.0, Entries.read,"
                "  (SELECT favorite FROM Entries AS same WHERE same.rowid = Entries.rowid) AS liked, 0, 0, 0 "
                "FROM (SELECT 0 AS favorite) AS absent CROSS JOIN Entries "
                "  LEFT JOIN Enclosures ON Enclosures.id = Entries.id AND Enclosures.feed = Entries.feed "
                "WHERE Entries.feed = ?1 AND (Entries.read OR liked OR Enclosures.playposition > 0)",
  },
  /* gPodder 3. The database stores whether an episode is new, not whether it was
   * played: an episode that is neither new nor started counts as played. Its
   * sections become folders. */
  {
    .name = "gPodder",
    .host_paths = { NULL },
    .home_paths = { "gPodder/Database", ".var/app/org.gpodder.gpodder/gPodder/Database" },
    .tables = "'podcast', 'episode', 'version'",
    .count = "SELECT count (*) FROM podcast",
    .podcasts = "SELECT id, url, title, section, auth_username, auth_password, 0 FROM podcast",
    .episodes = "SELECT guid, url, title, current_position,"
                "  is_new = 0 AND NOT (current_position > 0 AND total_time > 0 AND current_position + 10 < total_time),"
                "  0, current_position_updated, last_playback, 0 "
                "FROM episode WHERE podcast_id = ?1 AND (is_new = 0 OR current_position > 0)",
  },
  /* AntennaPod, from its "Database export". Positions and times are in milliseconds. A
   * podcast may be looked at without being subscribed to (1), or be archived (2). The
   * columns `state` and `tags` are younger than the others; older databases use those of
   * `absent`. Of several tags, the first one becomes the folder; "#root" and "#untagged" are
   * the program's own. */
  {
    .name = "AntennaPod",
    .tables = "'FeedItems', 'FeedMedia', 'Favorites'",
    .count = "SELECT count (*) FROM Feeds",
    .indexes = "CREATE INDEX IF NOT EXISTS earmark_items ON FeedItems (feed);"
               "CREATE INDEX IF NOT EXISTS earmark_media ON FeedMedia (feeditem);"
               "CREATE INDEX IF NOT EXISTS earmark_queue ON Queue (feeditem)",
    .podcasts = "SELECT id, download_url, coalesce (nullif (custom_title, ''), title),"
                "  substr (known, 1, instr (known, char (30)) - 1), username, password, missing "
                "FROM (SELECT id, download_url, custom_title, title, username, password,"
                "    trim (replace (replace ((SELECT tags FROM Feeds AS same WHERE same.id = Feeds.id),"
                "      '#root', ''), '#untagged', ''), char (30)) || char (30) AS known,"
                "    (SELECT state FROM Feeds AS same WHERE same.id = Feeds.id) <> 0 AS missing "
                "  FROM (SELECT '' AS tags, 0 AS state) AS absent CROSS JOIN Feeds)",
    .episodes = "SELECT item_identifier, FeedMedia.download_url, FeedItems.title, position / 1000.0, read = 1,"
                "  FeedItems.id IN (SELECT feeditem FROM Favorites) AS liked,"
                "  " ANTENNAPOD_PLAYED ", " ANTENNAPOD_PLAYED ","
                "  (SELECT Queue.id + 1 FROM Queue WHERE Queue.feeditem = FeedItems.id) AS place "
                "FROM FeedItems LEFT JOIN FeedMedia ON FeedMedia.feeditem = FeedItems.id "
                "WHERE FeedItems.feed = ?1 AND (read = 1 OR position > 0 OR liked OR place > 0)",
  },
  { NULL },
};
