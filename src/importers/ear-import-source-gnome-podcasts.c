/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-source-program.h"

/*
 * GNOME Podcasts. An episode is listened to once it has a date in `played`: Unix seconds up
 * to version 0.7, a date in words (UTC) since then. Positions came with version 0.5: before that,
 * the column is that of `absent`.
 */
const EarImportSourceProgram ear_import_source_gnome_podcasts = {
  .name = "GNOME Podcasts",
  .host_paths = { "gnome-podcasts/podcasts.db" },
  .home_paths = { ".var/app/org.gnome.Podcasts/data/gnome-podcasts/podcasts.db", ".local/share/gnome-podcasts/podcasts.db" },
  .tables = "'source', 'shows', 'episodes'",
  .count = "SELECT count (*) FROM source",
  .indexes = "CREATE INDEX IF NOT EXISTS earmark_episodes ON episodes (show_id)",
  .podcasts = "SELECT source.id, source.uri, (SELECT title FROM shows WHERE source_id = source.id), NULL, NULL, NULL FROM source",
  .episodes = "SELECT guid, uri, episodes.title,"
              "  (SELECT play_position FROM episodes AS same WHERE same.rowid = episodes.rowid) AS place, played IS NOT NULL, 0, 0,"
              "  CASE typeof (played) WHEN 'integer' THEN played ELSE CAST (strftime ('%s', played) AS INTEGER) END "
              "FROM (SELECT 0 AS play_position) AS absent CROSS JOIN shows CROSS JOIN episodes ON episodes.show_id = shows.id "
              "WHERE source_id = ?1 AND (played IS NOT NULL OR place > 0)",
};
