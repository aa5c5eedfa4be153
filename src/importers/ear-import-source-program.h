/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * EarImportSourceProgram:
 * @name: what it calls itself
 * @host_paths: where its database is, in the listener's data folder
 * @home_paths: or else in the home folder: Flatpak's among them
 * @tables: tables that tell its database from others, with commas
 * @count: SQL for how many podcasts there are
 * @indexes: (nullable): SQL for what makes the copy of a large database quick to read
 * @podcasts: SQL for the podcasts: key, address, title, folder, user name, password
 * @episodes: SQL for what was done with episodes of the podcast ?1: guid, enclosure, title,
 *   position in seconds (a real number), whether listened, whether liked, and in Unix seconds, 0 where it is not known,
 *   when the position and when the mark was set
 *
 * How to read what another program knows.
 */
typedef struct
{
  const char *name;
  const char *host_paths[3];
  const char *home_paths[4];
  const char *tables;
  const char *count;
  const char *indexes;
  const char *podcasts;
  const char *episodes;
} EarImportSourceProgram;

/* All that are known; the last one has no name. */
extern const EarImportSourceProgram ear_import_source_programs[];

G_END_DECLS
