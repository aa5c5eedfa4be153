/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-takeover-program.h"

/* Kasts. A podcast is called by its address, positions are in milliseconds; favourites came
 * with version 7 of its tables. */
const EarTakeoverProgram ear_takeover_kasts = {
  .name = "Kasts",
  .host_paths = { "KDE/kasts/database.db3", "kasts/database.db3" },
  .home_paths = { ".var/app/org.kde.kasts/data/KDE/kasts/database.db3", ".local/share/KDE/kasts/database.db3" },
  .tables = "'Feeds', 'Entries', 'Enclosures'",
  .count = "SELECT count (*) FROM Feeds",
  .podcasts = "SELECT url, url, name, NULL, NULL, NULL FROM Feeds",
  .episodes = "SELECT Entries.id, Enclosures.url, Entries.title, Enclosures.playposition / 1000.0, Entries.read,"
              "  Entries.favorite, 0, 0 "
              "FROM Entries LEFT JOIN Enclosures ON Enclosures.id = Entries.id AND Enclosures.feed = Entries.feed "
              "WHERE Entries.feed = ?1 AND (Entries.read OR Entries.favorite OR Enclosures.playposition > 0)",
};
