/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* How the probe and whoever reads it share a file. machine.py knows it by heart. */

#define EAR_PROBE_EVENTS 65536

/* Shorter turns of the main loop are no news, in microseconds. */
#define EAR_PROBE_SHORTEST_TURN 500

typedef enum
{
  EAR_PROBE_TURN = 1, /* the main loop was busy: time of its begin, microseconds, of which the processor's */
  EAR_PROBE_COMMIT,   /* a transaction that changed something: episodes and texts inserted since the start */
  EAR_PROBE_ROWS,     /* a list of episodes changed: rows that went, rows that came, rows that it has now */
} EarProbeKind;

typedef struct
{
  guint64 number; /* its place among all events, from 1; 0 while it is written */
  gint64 kind;
  gint64 time;    /* monotonic, microseconds */
  gint64 first;
  gint64 second;
  gint64 third;
} EarProbeEvent;

typedef struct
{
  guint64 n_events;
  gint64 busy_since;         /* the main loop's present turn; 0 while it waits */
  gint64 n_episodes_touched; /* rows of episodes that were changed or removed */
  gint64 reserved;
  EarProbeEvent events[EAR_PROBE_EVENTS];
} EarProbe;
