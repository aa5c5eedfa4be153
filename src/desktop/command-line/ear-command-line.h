/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * EarCommandVerb:
 * @EAR_COMMAND_OPEN: none: shows the window, with what the arguments name
 * @EAR_COMMAND_HELP: tells what there is
 * @EAR_COMMAND_VERSION: tells the version
 * @EAR_COMMAND_PLAY_PAUSE: pauses what plays, plays what pauses
 * @EAR_COMMAND_PLAY: plays
 * @EAR_COMMAND_PAUSE: pauses
 * @EAR_COMMAND_NEXT: plays the next episode
 * @EAR_COMMAND_PREVIOUS: plays the episode before
 * @EAR_COMMAND_NEXT_CHAPTER: goes on to the next chapter
 * @EAR_COMMAND_PREVIOUS_CHAPTER: goes back to where the chapter begins, or to the one before
 * @EAR_COMMAND_SEEK: goes to another place
 * @EAR_COMMAND_SPEED: plays faster or slower
 * @EAR_COMMAND_BOOKMARK: keeps the moment that plays
 * @EAR_COMMAND_SLEEP: pauses later
 * @EAR_COMMAND_STATUS: tells what plays
 * @EAR_COMMAND_REFRESH: checks for new episodes
 * @EAR_COMMAND_ADD: follows a podcast
 * @EAR_COMMAND_IMPORT: follows a list of podcasts
 * @EAR_COMMAND_EXPORT: writes the list of podcasts
 * @EAR_COMMAND_STATISTICS: tells for how long was listened
 * @EAR_COMMAND_READING_LIST: tells what episodes link to
 * @EAR_COMMAND_QUIT: ends the program
 *
 * What a command line asks for. What only the player does is from @EAR_COMMAND_PLAY_PAUSE to @EAR_COMMAND_SLEEP.
 */
typedef enum
{
  EAR_COMMAND_OPEN,
  EAR_COMMAND_HELP,
  EAR_COMMAND_VERSION,
  EAR_COMMAND_PLAY_PAUSE,
  EAR_COMMAND_PLAY,
  EAR_COMMAND_PAUSE,
  EAR_COMMAND_NEXT,
  EAR_COMMAND_PREVIOUS,
  EAR_COMMAND_NEXT_CHAPTER,
  EAR_COMMAND_PREVIOUS_CHAPTER,
  EAR_COMMAND_SEEK,
  EAR_COMMAND_SPEED,
  EAR_COMMAND_BOOKMARK,
  EAR_COMMAND_SLEEP,
  EAR_COMMAND_STATUS,
  EAR_COMMAND_REFRESH,
  EAR_COMMAND_ADD,
  EAR_COMMAND_IMPORT,
  EAR_COMMAND_EXPORT,
  EAR_COMMAND_STATISTICS,
  EAR_COMMAND_READING_LIST,
  EAR_COMMAND_QUIT,
} EarCommandVerb;

/**
 * EarCommandStatus:
 * @EAR_COMMAND_DONE: it is done
 * @EAR_COMMAND_FAILED: it could not be done
 * @EAR_COMMAND_MISUSED: the command line makes no sense
 * @EAR_COMMAND_NOT_RUNNING: only a running Earmark could do it, and none runs
 * @EAR_COMMAND_PARTLY: some of it could not be done
 * @EAR_COMMAND_WAITING: some podcasts were not checked, as their servers ask to wait
 * @EAR_COMMAND_TRY_AGAIN: who was asked is about to go, or to make room: never what the program ends with
 *
 * With what the program ends. The values are documented for scripts, and never change.
 */
typedef enum
{
  EAR_COMMAND_DONE = 0,
  EAR_COMMAND_FAILED = 1,
  EAR_COMMAND_MISUSED = 2,
  EAR_COMMAND_NOT_RUNNING = 3,
  EAR_COMMAND_PARTLY = 4,
  EAR_COMMAND_WAITING = 5,
  EAR_COMMAND_TRY_AGAIN = 75,
} EarCommandStatus;

/* What was asked for, understood and checked. */
typedef struct
{
  EarCommandVerb verb;
  char *value;         /* (nullable): what came with the verb, in the file system's encoding */
  GStrv uris;          /* (nullable): what to open: addresses, and files as `file:` addresses */
  gint64 time;         /* for seeking: microseconds */
  double speed;
  gboolean relative;   /* @time is from where it is now */
  int skip;            /* instead of @time: 1 forward or -1 back, as far as the listener has set */
  gboolean json;
  gboolean force;
  gboolean with_private;
  gboolean service;    /* started by the bus: no window until one is asked for */
} EarCommandLine;

EarCommandLine *ear_command_line_parse      (const char * const *arguments,
                                             GError            **error);
void            ear_command_line_free       (EarCommandLine *self);
char           *ear_command_line_dup_help   (void);
GStrv           ear_command_line_dup_argv   (EarCommandLine *self,
                                             const char     *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCommandLine, ear_command_line_free)

G_END_DECLS
