/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded before the libraries of the app (LD_PRELOAD, see harness.py): makes it as slow as on a busy machine, by up to
 * EARMARK_SLOW milliseconds a step, while questions over the bus are answered at once. A test that looks once, and
 * does not wait for what it looks for, fails then.
 *
 * What is late: frames, idle handlers, what other threads hand over; and now and then all of the main thread. */
#include <dlfcn.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <gio/gio.h>

#define REAL(name) ((typeof (&name)) real (#name))

/* One in so many is late, but for frames and idle handlers, which are all. */
#define ANSWERS 3
#define TURNS 60

static void *
real (const char *name)
{
  return dlsym (RTLD_NEXT, name);
}

static gboolean
is_main_thread (void)
{
  return gettid () == getpid ();
}

/* What only passes on questions and answers, to the bus and the network, is not held up. */
static gboolean
is_worker (void)
{
  char name[16] = "";

  prctl (PR_GET_NAME, name, 0, 0, 0);

  return !is_main_thread () && !g_str_equal (name, "gdbus") && !g_str_equal (name, "gmain");
}

/* Milliseconds. */
static guint
lateness (void)
{
  static guint most = G_MAXUINT;

  if (most == G_MAXUINT)
    {
      const char *value = g_getenv ("EARMARK_SLOW");

      most = value != NULL ? (guint) g_ascii_strtoull (value, NULL, 10) : 0;
    }

  return most > 0 ? g_random_int_range (0, (gint32) most + 1) : 0;
}

static void
hold_up (guint one_in)
{
  if (g_random_int_range (0, (gint32) one_in) == 0)
    g_usleep (lateness () * 1000);
}

/* Frames have this priority. */
guint
g_timeout_add_full (int priority, guint interval, GSourceFunc function, gpointer data, GDestroyNotify notify)
{
  if (is_main_thread () && priority > G_PRIORITY_DEFAULT)
    interval += lateness ();

  return REAL (g_timeout_add_full) (priority, interval, function, data, notify);
}

guint
g_idle_add_full (int priority, GSourceFunc function, gpointer data, GDestroyNotify notify)
{
  if (!is_main_thread ())
    hold_up (ANSWERS);
  /* No event comes before a more urgent handler, however busy the machine is. */
  else if (priority < G_PRIORITY_DEFAULT)
    return REAL (g_idle_add_full) (priority, function, data, notify);

  return REAL (g_timeout_add_full) (priority, is_main_thread () ? lateness () : 0, function, data, notify);
}

guint
g_idle_add (GSourceFunc function, gpointer data)
{
  return g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, function, data, NULL);
}

typedef struct
{
  GSourceOnceFunc function;
  gpointer data;
} Once;

static gboolean
once_cb (gpointer user_data)
{
  Once *once = user_data;

  once->function (once->data);

  return G_SOURCE_REMOVE;
}

guint
g_idle_add_once (GSourceOnceFunc function, gpointer data)
{
  Once *once = g_new (Once, 1);

  *once = (Once) { function, data };

  return g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, once_cb, once, g_free);
}

guint
g_source_attach (GSource *source, GMainContext *context)
{
  if (is_worker () && (context == NULL || context == g_main_context_default ()))
    hold_up (ANSWERS);

  return REAL (g_source_attach) (source, context);
}

void
g_task_return_pointer (GTask *task, gpointer result, GDestroyNotify destroy)
{
  if (is_worker ())
    hold_up (ANSWERS);

  REAL (g_task_return_pointer) (task, result, destroy);
}

void
g_task_return_boolean (GTask *task, gboolean result)
{
  if (is_worker ())
    hold_up (ANSWERS);

  REAL (g_task_return_boolean) (task, result);
}

int
poll (struct pollfd *fds, nfds_t n_fds, int timeout)
{
  int n_ready = REAL (poll) (fds, n_fds, timeout);

  if (is_main_thread () && n_fds > 1 && n_ready > 0)
    hold_up (TURNS);

  return n_ready;
}

int
ppoll (struct pollfd *fds, nfds_t n_fds, const struct timespec *timeout, const sigset_t *signals)
{
  int n_ready = REAL (ppoll) (fds, n_fds, timeout, signals);

  if (is_main_thread () && n_fds > 1 && n_ready > 0)
    hold_up (TURNS);

  return n_ready;
}
