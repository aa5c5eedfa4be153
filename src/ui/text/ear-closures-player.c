/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-closures.h"

#include <glib/gi18n.h>

#include "ear-format.h"
#include "ear-sleep-timer.h"

/* What the templates compute of what plays, and of the buttons that have it play. */

static gboolean
is_active (EarPlayerState state)
{
  return state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING;
}

char *
ear_closure_player_icon (gpointer object, EarPlayerState state)
{
  return g_strdup (is_active (state) ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
}

char *
ear_closure_player_tooltip (gpointer object, EarPlayerState state, int buffering)
{
  if (state == EAR_PLAYER_LOADING && buffering > 0 && buffering < 100)
    /* Translators: how full the buffer is, in percent */
    return g_strdup_printf (_("Buffering, %d%%"), buffering);
  if (state == EAR_PLAYER_FAILED)
    return g_strdup (_("Try Again"));

  return g_strdup (is_active (state) ? _("Pause") : _("Play"));
}

gboolean
ear_closure_player_waits (gpointer object, EarPlayerState state)
{
  return state == EAR_PLAYER_LOADING;
}

char *
ear_closure_player_page (gpointer object, EarPlayerState state, gboolean waiting)
{
  return g_strdup (waiting && state != EAR_PLAYER_FAILED ? "waiting" : "time");
}

gboolean
ear_closure_is_failed (gpointer object, EarPlayerState state)
{
  return state == EAR_PLAYER_FAILED;
}

/* @text: (nullable): what stands there else */
char *
ear_closure_waiting_or (gpointer object, gboolean waiting, const char *text)
{
  return g_strdup (waiting ? _("Waiting for the network…") : text);
}

char *
ear_closure_rate (gpointer object, double rate)
{
  return ear_format_rate (rate);
}

/* Time saved by shorter pauses in this episode, and in all, in microseconds; "" below a second */
char *
ear_closure_time_saved (gpointer object, gint64 episode, gint64 total)
{
  g_autofree char *here = ear_format_duration (episode);
  g_autofree char *everywhere = ear_format_duration (total);

  if (everywhere == NULL || total < G_TIME_SPAN_SECOND)
    return g_strdup ("");
  if (here == NULL || episode < G_TIME_SPAN_SECOND)
    /* Translators: how much time shorter pauses have saved since Earmark is used: “2 h 5 min” */
    return g_strdup_printf (_("%s saved in total"), everywhere);

  /* Translators: how much time shorter pauses have saved: “40 s” in the episode that plays, “2 h 5 min” in all */
  return g_strdup_printf (_("%s saved in this episode, %s in total"), here, everywhere);
}

/* Which podcasts are played as is set now: one line in either case, so that nothing moves under the pointer.
 * @rate: the speed of the podcasts that have none of their own */
char *
ear_closure_whose_playback (gpointer object, gboolean own, double rate)
{
  g_autofree char *speed = ear_format_rate (rate);

  if (!own)
    return g_strdup (_("All podcasts play like this"));

  /* Translators: below “Only for This Podcast”; %s is a speed: “1.5×” */
  return g_strdup_printf (_("Other podcasts play at %s"), speed);
}

double
ear_closure_fraction (gpointer object, gint64 position, gint64 duration)
{
  return duration > 0 ? CLAMP ((double) position / duration, 0.0, 1.0) : 0.0;
}

/* @remaining: seconds until the sleep timer pauses; 0 where it is no matter of time */
char *
ear_closure_sleep_label (gpointer object, const char *choice, guint remaining)
{
  if (remaining > 60)
    return ear_format_duration ((gint64) ((remaining + 59) / 60) * G_TIME_SPAN_MINUTE);
  if (remaining > 0)
    return ear_format_clock (remaining * G_TIME_SPAN_SECOND);

  /* Translators: as short as can be, beside the icon of the sleep timer: it pauses at the end of the episode */
  return g_strdup (g_strcmp0 (choice, EAR_SLEEP_EPISODE) == 0 || g_strcmp0 (choice, EAR_SLEEP_CHAPTER) == 0 ? C_("sleep timer", "End") : "");
}

char *
ear_closure_sleep_words (gpointer object, const char *choice, guint remaining)
{
  g_autofree char *left = NULL;

  if (g_strcmp0 (choice, EAR_SLEEP_EPISODE) == 0)
    return g_strdup (_("Sleep timer: end of the episode"));
  if (g_strcmp0 (choice, EAR_SLEEP_CHAPTER) == 0 && remaining == 0)
    return g_strdup (_("Sleep timer: end of the chapter"));
  if (remaining == 0)
    return g_strdup (_("Sleep Timer"));
  if (remaining > 60)
    left = ear_format_duration_spoken ((gint64) ((remaining + 59) / 60) * G_TIME_SPAN_MINUTE);
  else
    left = ear_format_clock_spoken (remaining * G_TIME_SPAN_SECOND);

  /* Translators: %s is a time: "14 minutes" */
  return g_strdup_printf (_("Sleep timer: %s left"), left);
}

char *
ear_closure_volume_icon (gpointer object, double volume, gboolean muted)
{
  if (muted || volume <= 0.0)
    return g_strdup ("audio-volume-muted-symbolic");
  if (volume < 0.34)
    return g_strdup ("audio-volume-low-symbolic");
  if (volume < 0.67)
    return g_strdup ("audio-volume-medium-symbolic");

  return g_strdup ("audio-volume-high-symbolic");
}

char *
ear_closure_play_label (gpointer    object,
                        EarPlayback playback,
                        gint64      position,
                        gint64      duration,
                        gboolean    listened)
{
  g_autofree char *clock = NULL;

  if (playback == EAR_PLAYBACK_PLAYING || playback == EAR_PLAYBACK_LOADING)
    return g_strdup (_("Pause"));
  if (position < G_TIME_SPAN_SECOND || (listened && playback == EAR_PLAYBACK_NONE))
    return g_strdup (_("Play"));

  clock = ear_format_clock (position);
  /* Translators: the button that goes on where the listener stopped: Resume at 12:03 */
  return g_strdup_printf (_("Resume at %s"), clock);
}

char *
ear_closure_play_icon (gpointer object, EarPlayback playback)
{
  const gboolean active = playback == EAR_PLAYBACK_PLAYING || playback == EAR_PLAYBACK_LOADING;

  return g_strdup (active ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
}

/* Those that have their number in the icon. */
static gboolean
is_drawn (guint seconds)
{
  return seconds == 10 || seconds == 15 || seconds == 30;
}

char *
ear_closure_back_icon (gpointer object, guint seconds)
{
  return is_drawn (seconds) ? g_strdup_printf ("ear-back-%u-symbolic", seconds) : g_strdup ("ear-back-symbolic");
}

char *
ear_closure_forward_icon (gpointer object, guint seconds)
{
  return is_drawn (seconds) ? g_strdup_printf ("ear-forward-%u-symbolic", seconds) : g_strdup ("ear-forward-symbolic");
}

char *
ear_closure_back_label (gpointer object, guint seconds)
{
  /* Translators: what a button does with an episode that plays */
  return g_strdup_printf (ngettext ("Back %u Second", "Back %u Seconds", seconds), seconds);
}

char *
ear_closure_forward_label (gpointer object, guint seconds)
{
  /* Translators: what a button does with an episode that plays */
  return g_strdup_printf (ngettext ("Forward %u Second", "Forward %u Seconds", seconds), seconds);
}
