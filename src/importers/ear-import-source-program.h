/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * EarImportSourceProgram:
 * @name: the program's own name
 * @host_paths: paths of its database in the listener's data folder
 * @home_paths: other paths of it in the home folder, Flatpak's among them
 * @tables: tables that identify its database, separated by commas
 * @count: SQL that counts the podcasts
 * @indexes: (nullable): SQL that adds indexes to the copy, for large databases
 * @podcasts: SQL for the podcasts: key, address, title, folder, user name, password, and
 *   whether the listener does not follow it
 * @episodes: SQL for the episodes of the podcast ?1 that the listener used: guid,
 *   enclosure, title, position in seconds (a real number), whether played, whether liked,
 *   when the position and the played flag were set (Unix seconds, 0 if unknown), and the
 *   place in its queue, from 1 (0 or %NULL if it is not there)
 *
 * How to read another program's database.
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

/* All known programs; the last entry has no name. */
extern const EarImportSourceProgram ear_import_source_programs[];

G_END_DECLS
