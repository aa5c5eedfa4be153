/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window-rest.h"

#include "ear-test-wait.h"

/* The window is at rest after so many turns of the main loop and so much time without a
 * frame. One of them is not enough: a busy machine draws no frame for a moment either. */
#define TURNS 20
#define TIME (200 * G_TIME_SPAN_MILLISECOND)

typedef struct
{
  guint n_frames;
  guint n_seen;
  guint n_turns; /* since the last frame */
  gint64 since;
} Rest;

static void
update_cb (Rest *rest)
{
  rest->n_frames++;
}

static gboolean
is_at_rest (Rest *rest)
{
  if (rest->n_frames != rest->n_seen || rest->n_turns == 0)
    {
      rest->n_seen = rest->n_frames;
      rest->n_turns = 1;
      rest->since = g_get_monotonic_time ();
      return FALSE;
    }

  return ++rest->n_turns > TURNS && g_get_monotonic_time () - rest->since > TIME;
}

/* Runs the main loop until no widget of the window has to be laid out or drawn. */
void
window_rest_wait (GtkWindow *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  Rest rest = { 0 };
  gulong id = g_signal_connect_swapped (clock, "update", G_CALLBACK (update_cb), &rest);

  EAR_TEST_WAIT_UNTIL (is_at_rest (&rest));
  g_signal_handler_disconnect (clock, id);
}
