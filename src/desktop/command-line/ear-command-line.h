/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * EarCommandVerb:
 * @EAR_COMMAND_OPEN: no verb: show the window and open the arguments
 * @EAR_COMMAND_HELP: print the options
 * @EAR_COMMAND_VERSION: print the version
 * @EAR_COMMAND_PLAY_PAUSE: toggle playback
 * @EAR_COMMAND_PLAY: start playback
 * @EAR_COMMAND_PAUSE: pause playback
 * @EAR_COMMAND_NEXT: play the next episode
 * @EAR_COMMAND_PREVIOUS: play the previous episode
 * @EAR_COMMAND_NEXT_CHAPTER: seek to the next chapter
 * @EAR_COMMAND_PREVIOUS_CHAPTER: seek to the start of the chapter, or to the previous one
 * @EAR_COMMAND_SEEK: change the position
 * @EAR_COMMAND_SPEED: set the playback speed
 * @EAR_COMMAND_BOOKMARK: bookmark the current position
 * @EAR_COMMAND_SLEEP: set the sleep timer
 * @EAR_COMMAND_STATUS: print the current episode and chapter
 * @EAR_COMMAND_REFRESH: check for new episodes
 * @EAR_COMMAND_SYNC: sync with the server
 * @EAR_COMMAND_ADD: follow a podcast
 * @EAR_COMMAND_IMPORT: follow the podcasts of a list
 * @EAR_COMMAND_EXPORT: write the list of podcasts
 * @EAR_COMMAND_STATISTICS: print listening statistics
 * @EAR_COMMAND_READING_LIST: print the links of all episodes
 * @EAR_COMMAND_QUIT: quit Earmark
 *
 * The verb of a command line. The values from @EAR_COMMAND_PLAY_PAUSE to
 * @EAR_COMMAND_SLEEP need the player.
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
  EAR_COMMAND_SYNC,
  EAR_COMMAND_ADD,
  EAR_COMMAND_IMPORT,
  EAR_COMMAND_EXPORT,
  EAR_COMMAND_STATISTICS,
  EAR_COMMAND_READING_LIST,
  EAR_COMMAND_QUIT,
} EarCommandVerb;

/**
 * EarCommandStatus:
 * @EAR_COMMAND_DONE: success
 * @EAR_COMMAND_FAILED: failure
 * @EAR_COMMAND_MISUSED: usage error
 * @EAR_COMMAND_NOT_RUNNING: the verb needs a running Earmark, and none runs
 * @EAR_COMMAND_PARTLY: partial success
 * @EAR_COMMAND_WAITING: some podcasts were not checked, because their servers ask to wait
 * @EAR_COMMAND_TRY_AGAIN: the process that was asked is about to quit, or to make way for
 *   a window; never an exit status of the program
 *
 * The exit status. Scripts rely on the documented values, which never change.
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

/* A parsed and checked command line. */
typedef struct
{
  EarCommandVerb verb;
  char *value;         /* (nullable): value of the verb, in the file system's encoding */
  GStrv uris;          /* (nullable): URLs, and `file:` URIs, to open */
  gint64 time;         /* microseconds, for EAR_COMMAND_SEEK */
  double speed;
  gboolean relative;   /* @time counts from the current position */
  int skip;            /* instead of @time: 1 or -1 skips by the step in the settings */
  gboolean json;
  gboolean force;
  gboolean with_private;
  gboolean service;    /* started by the bus: no window until one is requested */
} EarCommandLine;

EarCommandLine *ear_command_line_parse      (const char * const *arguments,
                                             GError            **error);
void            ear_command_line_free       (EarCommandLine *self);
char           *ear_command_line_dup_help   (void);
GStrv           ear_command_line_dup_argv   (EarCommandLine *self,
                                             const char     *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarCommandLine, ear_command_line_free)

G_END_DECLS
