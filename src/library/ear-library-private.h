/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* For ear-library.c and its tests */

#include "ear-library.h"

#include "ear-auto-downloads.h"
#include "ear-podcast-merger.h"
#include "ear-services.h"

G_BEGIN_DECLS

struct _EarLibrary
{
  GObject parent_instance;

  /* Owned */
  EAR_SERVICES_MEMBERS; /* parts that need the catalogue are %NULL until it is opened */
  char *data_directory;
  int lock; /* a file descriptor, or -1: see ear_library_lock() */
  GMemoryMonitor *memory;
  GPtrArray *directories; /* (element-type EarDirectory) (nullable): created on demand */
  GThread *reading;       /* (nullable): opens the catalogue ahead */
  guint settle_source;         /* source; set until startup is complete */
  guint complete_source;       /* source; set after state files were damaged */

  /* Owned, %NULL until it is opened */
  EarAutoDownloads *auto_downloads;
  EarPodcastMerger *merger;

  GError *closing_error; /* (nullable): owned; of a part that could not be written */
  guint n_closing;       /* number of parts that are still being written */
  gboolean headless;     /* run one command-line verb: no refresh, no backups */
  gboolean in_background; /* started in the background */
  gboolean no_space_reported; /* a full disk was reported in this session */
};

G_END_DECLS
