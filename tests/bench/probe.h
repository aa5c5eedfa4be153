/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Layout of the file that the probe shares with its readers. machine.py has a copy. */

#define EAR_PROBE_EVENTS 65536

/* Microseconds; shorter turns of the main loop are not recorded. */
#define EAR_PROBE_SHORTEST_TURN 500

typedef enum
{
  EAR_PROBE_TURN = 1, /* turn of the main loop: start, microseconds, processor time */
  EAR_PROBE_COMMIT,   /* commit with changes: episodes and texts inserted since the start */
  EAR_PROBE_ROWS,     /* change of a list of episodes: rows removed, rows added, rows in the list */
} EarProbeKind;

typedef struct
{
  guint64 number; /* index among all events, from 1; 0 while being written */
  gint64 kind;
  gint64 time;    /* monotonic, microseconds */
  gint64 first;
  gint64 second;
  gint64 third;
} EarProbeEvent;

typedef struct
{
  guint64 n_events;
  gint64 busy_since;         /* start of the main loop's current turn; 0 while it waits */
  gint64 n_episodes_touched; /* rows of episodes changed or removed */
  gint64 reserved;
  EarProbeEvent events[EAR_PROBE_EVENTS];
} EarProbe;
