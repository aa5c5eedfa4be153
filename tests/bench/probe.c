/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

/* Watches a program from within: preloaded (LD_PRELOAD) into the installed earmark, which
 * does not know about it. Events go to the file named by EARMARK_BENCH_PROBE, a ring that
 * the benchmark reads while the program runs (probe.h).
 *
 * The probe is the poll function of the default main context, and so measures each turn
 * of the main loop; SQLite's hooks report rows and commits; and a wrapper of
 * g_list_model_items_changed() sees changes of rows. */

static EarProbe *probe;

static gint64
get_thread_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static void
add_event (EarProbeKind kind, gint64 time, gint64 first, gint64 second, gint64 third)
{
  const guint64 index = __atomic_fetch_add (&probe->n_events, 1, __ATOMIC_ACQ_REL);
  EarProbeEvent *event = &probe->events[index % EAR_PROBE_EVENTS];

  __atomic_store_n (&event->number, 0, __ATOMIC_RELEASE);
  event->kind = kind;
  event->time = time;
  event->first = first;
  event->second = second;
  event->third = third;
  /* Readers treat the event as complete once it has its number. */
  __atomic_store_n (&event->number, index + 1, __ATOMIC_RELEASE);
}

/* Stacks of long turns, one per millisecond, and of the present turn */
#define STACKS 20000
#define TURNS 500
#define FRAMES 56

typedef struct
{
  void *frames[FRAMES];
  int n_frames;
} Stack;

typedef struct
{
  gint64 turn; /* microseconds */
  gint64 work;
  struct rusage before;
  struct rusage after;
  int n_stacks; /* of all turns up to this one */
} Turn;

static pthread_t main_thread;
static gint64 shortest_told; /* microseconds; 0 if not requested */
static Stack *stacks;
static Turn turns[TURNS];
static int n_stacks;
static int n_turns;

/* Main thread. */
static void
stack_wanted_cb (int number)
{
  if (n_stacks == STACKS)
    return;

  stacks[n_stacks].n_frames = backtrace (stacks[n_stacks].frames, FRAMES);
  n_stacks++;
}

/* Samples the main thread's stack a thousand times a second. */
static gpointer
ask_why_thread (gpointer data)
{
  for (;;)
    {
      if (__atomic_load_n (&probe->busy_since, __ATOMIC_ACQUIRE) != 0)
        pthread_kill (main_thread, SIGPROF);
      g_usleep (1000);
    }

  return NULL;
}

/* Keeps the stacks of a long turn: to print them now would hold up the next turn. */
static void
keep_why (gint64 turn, gint64 work, const struct rusage *before)
{
  const int n_kept = n_turns > 0 ? turns[n_turns - 1].n_stacks : 0;

  if (shortest_told == 0 || turn < shortest_told || n_turns == TURNS)
    {
      n_stacks = n_kept;
      return;
    }
  turns[n_turns] = (Turn) { .turn = turn, .work = work, .before = *before, .n_stacks = n_stacks };
  getrusage (RUSAGE_THREAD, &turns[n_turns].after);
  n_turns++;
}

/* Prints the stacks of long turns, and whether the machine held them up: by page faults, or by
 * others on its processor. */
__attribute__ ((destructor)) static void
tell_why (void)
{
  int at = 0;

  for (int i = 0; i < n_turns; i++)
    {
      const Turn *turn = &turns[i];

      dprintf (STDERR_FILENO, "turn: %.1f ms, %.1f of the processor; %ld page faults, %ld from the disk; %ld times interrupted, %ld times waiting\n\n",
               turn->turn / 1000.0, turn->work / 1000.0, turn->after.ru_minflt - turn->before.ru_minflt,
               turn->after.ru_majflt - turn->before.ru_majflt, turn->after.ru_nivcsw - turn->before.ru_nivcsw,
               turn->after.ru_nvcsw - turn->before.ru_nvcsw);
      for (; at < turn->n_stacks; at++)
        {
          backtrace_symbols_fd (stacks[at].frames, stacks[at].n_frames, STDERR_FILENO);
          dprintf (STDERR_FILENO, "\n");
        }
    }
}

static void
begin_asking (const char *limit)
{
  struct sigaction action = { .sa_handler = stack_wanted_cb, .sa_flags = SA_RESTART };
  void *frame;

  backtrace (&frame, 1); /* loads a library, which a signal handler must not */
  main_thread = pthread_self ();
  stacks = g_new (Stack, STACKS);
  shortest_told = MAX (1, atoi (limit)) * G_TIME_SPAN_MILLISECOND;
  sigaction (SIGPROF, &action, NULL);
  g_thread_unref (g_thread_new ("bench-why", ask_why_thread, NULL));
}

static int
poll_cb (GPollFD *fds, guint n_fds, int timeout)
{
  static gint64 turn_began;
  static gint64 work_began;
  static struct rusage before;
  const gint64 now = g_get_monotonic_time ();
  const gint64 turn = now - turn_began;
  const gint64 work = get_thread_time () - work_began;
  int n_ready;

  if (turn_began != 0 && turn >= EAR_PROBE_SHORTEST_TURN)
    add_event (EAR_PROBE_TURN, turn_began, turn, work, 0);
  __atomic_store_n (&probe->busy_since, 0, __ATOMIC_RELEASE);
  keep_why (turn, work, &before);
  n_ready = g_poll (fds, n_fds, timeout);
  turn_began = g_get_monotonic_time ();
  work_began = get_thread_time ();
  getrusage (RUSAGE_THREAD, &before);
  __atomic_store_n (&probe->busy_since, turn_began, __ATOMIC_RELEASE);

  return n_ready;
}

static gint64 n_episodes;
static gint64 n_texts;

static int
committed_cb (void *data)
{
  add_event (EAR_PROBE_COMMIT, g_get_monotonic_time (), __atomic_load_n (&n_episodes, __ATOMIC_RELAXED),
             __atomic_load_n (&n_texts, __ATOMIC_RELAXED), 0);

  return 0;
}

/* The full text index has one row of sizes for each text. */
static void
row_changed_cb (void *data, int operation, const char *database, const char *table, sqlite3_int64 row)
{
  if (g_str_equal (table, "episode"))
    {
      if (operation == SQLITE_INSERT)
        __atomic_fetch_add (&n_episodes, 1, __ATOMIC_RELAXED);
      else
        __atomic_fetch_add (&probe->n_episodes_touched, 1, __ATOMIC_RELAXED);
    }
  else if (operation == SQLITE_INSERT && g_str_has_suffix (table, "_docsize"))
    __atomic_fetch_add (&n_texts, 1, __ATOMIC_RELAXED);
}

int
sqlite3_open_v2 (const char *path, sqlite3 **handle, int flags, const char *vfs)
{
  static int (*open_v2) (const char *, sqlite3 **, int, const char *);
  int code;

  if (open_v2 == NULL)
    open_v2 = (int (*) (const char *, sqlite3 **, int, const char *)) dlsym (RTLD_NEXT, "sqlite3_open_v2");
  code = open_v2 (path, handle, flags, vfs);
  if (probe != NULL && code == SQLITE_OK && (flags & SQLITE_OPEN_READWRITE) != 0)
    {
      sqlite3_commit_hook (*handle, committed_cb, NULL);
      sqlite3_update_hook (*handle, row_changed_cb, NULL);
    }

  return code;
}

void
g_list_model_items_changed (GListModel *list, guint position, guint removed, guint added)
{
  static void (*items_changed) (GListModel *, guint, guint, guint);

  if (items_changed == NULL)
    items_changed = (void (*) (GListModel *, guint, guint, guint)) dlsym (RTLD_NEXT, "g_list_model_items_changed");
  if (probe != NULL && g_str_equal (G_OBJECT_TYPE_NAME (list), "EarEpisodeList"))
    add_event (EAR_PROBE_ROWS, g_get_monotonic_time (), removed, added, g_list_model_get_n_items (list));
  items_changed (list, position, removed, added);
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *path = g_getenv ("EARMARK_BENCH_PROBE");
  int file = path != NULL ? open (path, O_RDWR | O_CLOEXEC) : -1;
  void *memory;

  if (file < 0)
    return;
  /* Child processes are not watched. */
  g_unsetenv ("EARMARK_BENCH_PROBE");
  g_unsetenv ("LD_PRELOAD");
  memory = ftruncate (file, sizeof (EarProbe)) == 0
             ? mmap (NULL, sizeof (EarProbe), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
             : MAP_FAILED;
  close (file);
  if (memory == MAP_FAILED)
    return;

  probe = memory;
  g_main_context_set_poll_func (g_main_context_default (), poll_cb);
  if (g_getenv ("EARMARK_BENCH_WHY") != NULL)
    begin_asking (g_getenv ("EARMARK_BENCH_WHY"));
}
