/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-source-program.h"

/*
 * gPodder 3. It does not know whether an episode was listened to, only whether it is new;
 * what is not new any more and is not in the middle counts as listened. Sections are what
 * others call folders.
 */
const EarImportSourceProgram ear_import_source_gpodder = {
  .name = "gPodder",
  .host_paths = { NULL },
  .home_paths = { "gPodder/Database", ".var/app/org.gpodder.gpodder/gPodder/Database" },
  .tables = "'podcast', 'episode', 'version'",
  .count = "SELECT count (*) FROM podcast",
  .podcasts = "SELECT id, url, title, section, auth_username, auth_password FROM podcast",
  .episodes = "SELECT guid, url, title, current_position,"
              "  is_new = 0 AND NOT (current_position > 0 AND total_time > 0 AND current_position + 10 < total_time),"
              "  0, current_position_updated, last_playback "
              "FROM episode WHERE podcast_id = ?1 AND (is_new = 0 OR current_position > 0)",
};
