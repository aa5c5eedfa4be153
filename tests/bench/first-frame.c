/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* first-frame ROWS SETTLE COMMAND [ARGS]: starts COMMAND and watches the screen. Prints
 * when it has drawn its first frame and, unless ROWS is 0, when the middle pane of its
 * window shows that many rows of text, with the processor time used until then, and its
 * memory. Prints both again after SETTLE milliseconds, and ends COMMAND.
 *
 * Uses only the pixels on the screen, and no help from the program. */

#define LIMIT (120 * G_TIME_SPAN_SECOND)

/* Position of the middle pane's rows, as fractions of the window. */
#define LEFT 0.27
#define RIGHT 0.55
#define TOP 0.35
#define BOTTOM 0.88

typedef struct
{
  Display *display;
  int damage_event;
  int n_rows;
  pid_t pid;
  gint64 start;
} Watch;

static gint64
get_work (Watch *watch)
{
  clockid_t clock;
  struct timespec time;

  if (clock_getcpuclockid (watch->pid, &clock) != 0 || clock_gettime (clock, &time) != 0)
    return 0;

  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* Returns the proportional set size, in kB. */
static gint64
get_memory (Watch *watch)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", (int) watch->pid);
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (line = strstr (text, "\nPss:")) == NULL)
    return 0;

  return g_ascii_strtoll (line + strlen ("\nPss:"), NULL, 10);
}

static void
tell (Watch *watch, const char *name)
{
  const gint64 now = g_get_monotonic_time ();
  const gint64 work = get_work (watch);

  g_print ("%s_ms=%.1f\n%s_cpu_ms=%.1f\n", name, (double) (now - watch->start) / 1000, name, (double) work / 1000);
}

/* Call after the last time is printed: the kernel takes milliseconds, in which the
 * program is stopped. */
static void
tell_memory (Watch *watch, const char *name)
{
  g_print ("%s_pss_kb=%" G_GINT64_FORMAT "\n", name, get_memory (watch));
}

/* Finds the largest window on the screen; no other program is running. */
static gboolean
find_window (Watch *watch, XWindowAttributes *found)
{
  Window root = DefaultRootWindow (watch->display), parent;
  Window *windows = NULL;
  unsigned int n_windows = 0;

  found->width = found->height = 0;
  if (!XQueryTree (watch->display, root, &root, &parent, &windows, &n_windows))
    return FALSE;
  for (unsigned int i = 0; i < n_windows; i++)
    {
      XWindowAttributes window;

      if (XGetWindowAttributes (watch->display, windows[i], &window) && window.map_state == IsViewable &&
          window.width * window.height > found->width * found->height)
        *found = window;
    }
  XFree (windows);

  return found->width > 200 && found->height > 200;
}

static XImage *
take_picture (Watch *watch, const XWindowAttributes *window, double left, double top, double right, double bottom)
{
  return XGetImage (watch->display, DefaultRootWindow (watch->display), window->x + (int) (window->width * left),
                    window->y + (int) (window->height * top), (unsigned int) (window->width * (right - left)),
                    (unsigned int) (window->height * (bottom - top)), AllPlanes, ZPixmap);
}

static gboolean
differs (unsigned long a, unsigned long b)
{
  int difference = 0;

  for (int shift = 0; shift < 24; shift += 8)
    difference += ABS ((int) (a >> shift & 0xff) - (int) (b >> shift & 0xff));

  return difference > 96;
}

/* Text changes between ink and paper many times along a line, unlike a picture
 * or a button. */
static gboolean
is_text (XImage *image, int y)
{
  int n_changes = 0;

  for (int x = 1; x < image->width; x++)
    n_changes += differs (XGetPixel (image, x, y), XGetPixel (image, x - 1, y));

  return n_changes >= 24;
}

static int
count_rows (XImage *image)
{
  int n_rows = 0;
  gboolean inside = FALSE;

  for (int y = 0; y < image->height; y++)
    {
      const gboolean text = is_text (image, y);

      n_rows += text && !inside;
      inside = text;
    }

  return n_rows;
}

/* A window that is mapped but not drawn yet shows the black screen. */
static gboolean
is_drawn (Watch *watch)
{
  XWindowAttributes window;
  XImage *image;
  gboolean drawn;

  if (!find_window (watch, &window) || (image = take_picture (watch, &window, 0.5, 0.5, 0.52, 0.52)) == NULL)
    return FALSE;
  drawn = (XGetPixel (image, 0, 0) & 0xffffff) != 0;
  XDestroyImage (image);

  return drawn;
}

static gboolean
has_rows (Watch *watch)
{
  XWindowAttributes window;
  XImage *image;
  gboolean rows;

  if (!find_window (watch, &window) || (image = take_picture (watch, &window, LEFT, TOP, RIGHT, BOTTOM)) == NULL)
    return FALSE;
  rows = count_rows (image) >= watch->n_rows;
  XDestroyImage (image);

  return rows;
}

/* Waits until something is drawn, or MILLISECONDS have passed. */
static void
wait_for_damage (Watch *watch, Damage damage, int milliseconds)
{
  struct pollfd fd = { ConnectionNumber (watch->display), POLLIN, 0 };

  XFlush (watch->display);
  if (XPending (watch->display) == 0 && poll (&fd, 1, milliseconds) <= 0)
    return;
  while (XPending (watch->display) > 0)
    {
      XEvent event;

      XNextEvent (watch->display, &event);
    }
  XDamageSubtract (watch->display, damage, None, None);
}

static gboolean
watch_until (Watch *watch, Damage damage, gboolean (*holds) (Watch *), const char *name)
{
  while (!holds (watch))
    {
      if (waitpid (watch->pid, NULL, WNOHANG) != 0 || g_get_monotonic_time () - watch->start > LIMIT)
        {
          g_printerr ("first-frame: %s never came\n", name);
          return FALSE;
        }
      wait_for_damage (watch, damage, 100);
    }
  tell (watch, name);

  return TRUE;
}

static int
ignore_error (Display *display, XErrorEvent *event)
{
  return 0; /* windows come and go while they are examined */
}

int
main (int argc, char *argv[])
{
  Watch watch = { XOpenDisplay (NULL), 0, argc > 3 ? atoi (argv[1]) : 0, 0, 0 };
  int error, status;
  Damage damage;
  gboolean seen;

  if (argc < 4 || watch.display == NULL || !XDamageQueryExtension (watch.display, &watch.damage_event, &error))
    {
      g_printerr ("usage: first-frame ROWS SETTLE COMMAND [ARGS], on an X11 display\n");
      return 2;
    }

  XSetErrorHandler (ignore_error);
  damage = XDamageCreate (watch.display, DefaultRootWindow (watch.display), XDamageReportNonEmpty);
  XSync (watch.display, False);
  watch.start = g_get_monotonic_time ();
  watch.pid = fork ();
  if (watch.pid == 0)
    {
      close (ConnectionNumber (watch.display));
      execvp (argv[3], argv + 3);
      _exit (127);
    }

  seen = watch_until (&watch, damage, is_drawn, "frame") &&
         (watch.n_rows == 0 || watch_until (&watch, damage, has_rows, "rows"));
  if (seen)
    {
      tell_memory (&watch, watch.n_rows == 0 ? "frame" : "rows");
      g_usleep ((gulong) atoi (argv[2]) * 1000);
      tell (&watch, "settled");
      tell_memory (&watch, "settled");
    }
  kill (watch.pid, seen ? SIGTERM : SIGKILL);
  waitpid (watch.pid, &status, 0);
  XCloseDisplay (watch.display);

  return seen ? 0 : 1;
}
