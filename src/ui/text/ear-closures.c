/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-closures.h"

#include <glib/gi18n.h>

#include "ear-error.h"
#include "ear-error-text.h"
#include "ear-format.h"
#include "ear-sleep-timer.h"

static gboolean
ear_closure_not (gpointer object, gboolean value)
{
  return !value;
}

static gboolean
ear_closure_shows_video (gpointer object, gboolean video, gboolean narrow, GObject *episode,
                         GObject *playing)
{
  return video && !narrow && episode != NULL && episode == playing;
}

/* The text, if the episode is the one in the player; else %NULL. */
static char *
ear_closure_text_of_playing (gpointer object, const char *text, GObject *episode, GObject *playing)
{
  return episode != NULL && episode == playing ? g_strdup (text) : NULL;
}

static gboolean
ear_closure_and (gpointer object, gboolean first, gboolean second)
{
  return first && second;
}

static gboolean
ear_closure_and_not (gpointer object, gboolean first, gboolean second)
{
  return first && !second;
}

/* Returns: one of two names: of icons, actions or pages of a stack */
static char *
ear_closure_pick (gpointer object, gboolean first, const char *name, const char *other)
{
  return g_strdup (first ? name : other);
}

static gboolean
ear_closure_wants_login (gpointer object, const GError *error)
{
  return ear_error_wants_login (error);
}

/* Whether two values of an enumeration are the same */
static gboolean
ear_closure_equals (gpointer object, int first, int second)
{
  return first == second;
}

static gboolean
ear_closure_is_set (gpointer object, GObject *value)
{
  return value != NULL;
}

static gboolean
ear_closure_has_text (gpointer object, const char *text)
{
  return !ear_is_empty (text);
}

/* Returns: (transfer full): the first text that there is */
static char *
ear_closure_first_text (gpointer object, const char *first, const char *second)
{
  return g_strdup (ear_closure_has_text (object, first) ? first : second);
}

/* The tabs of an episode. A narrow window has room for their names alone. */
char *
ear_closure_chapters_title (gpointer object, guint n_chapters, guint n_rows, gboolean narrow)
{
  if (narrow)
    return g_strdup (n_chapters == 0 ? _("Bookmarks") : _("Chapters"));
  if (n_chapters == 0)
    /* Translators: the name of a tab: %'u is how many bookmarks the listener has in the episode */
    return g_strdup_printf (_("Bookmarks %'u"), n_rows);

  /* Translators: the name of a tab: %'u is how many chapters the episode has */
  return g_strdup_printf (_("Chapters %'u"), n_chapters);
}

char *
ear_closure_links_title (gpointer object, guint n_links, gboolean narrow)
{
  if (narrow)
    return g_strdup (_("Links"));

  /* Translators: the name of a tab: %'u is how many links the notes of an episode have */
  return g_strdup_printf (_("Links %'u"), n_links);
}

static gboolean
ear_closure_is_positive (gpointer object, guint number)
{
  return number > 0;
}

static GtkOrientation
ear_closure_narrow_orientation (gpointer object, gboolean narrow)
{
  return narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;
}

static char *
ear_closure_count (gpointer object, guint count)
{
  return g_strdup_printf ("%'u", count);
}

char *
ear_closure_page_title (gpointer object, const char *title)
{
  return g_strdup (!ear_is_empty (title) ? title : _("Episodes"));
}

static char *
summarize (guint n, const char *sum)
{
  g_autofree char *count = ear_format_episodes (n);

  return ear_format_join (count, sum);
}

/* Returns: (nullable): number and size of the downloads; %NULL without any */
char *
ear_closure_download_room (gpointer object, guint n_done, guint64 size)
{
  g_autofree char *room = ear_format_size ((gint64) MIN (size, G_MAXINT64));

  return n_done > 0 ? summarize (n_done, room) : NULL;
}

/* A narrow window has no room for three parts: the size still to come
 * replaces the number. */
static char *
summarize_downloads (guint n_done, guint64 size, gint64 to_come)
{
  g_autofree char *amount = ear_format_size (to_come);
  g_autofree char *there = amount == NULL ? ear_closure_download_room (NULL, n_done, size)
                           : n_done > 0   ? ear_format_size ((gint64) MIN (size, G_MAXINT64))
                                          : NULL;
  /* Translators: %s is how much is still to be downloaded, as in “120 MB left” */
  g_autofree char *coming = amount != NULL ? g_strdup_printf (_("%s left"), amount) : NULL;

  return ear_format_join (there, coming);
}

/* The line above a view: the size of downloads, the length of Up Next */
static char *
ear_closure_view_summary (gpointer object, EarSidebarItem *collection, guint n_done, guint64 size,
                          gint64 to_come, guint n_queued, gint64 left)
{
  const EarSidebarItemKind kind =
      collection != NULL ? ear_sidebar_item_get_kind (collection) : EAR_SIDEBAR_ITEM_PODCAST;
  g_autofree char *sum = NULL;

  if (kind == EAR_SIDEBAR_ITEM_DOWNLOADS)
    return summarize_downloads (n_done, size, to_come);
  if (kind == EAR_SIDEBAR_ITEM_QUEUE && n_queued > 0)
    {
      sum = ear_format_duration (left);
      return summarize (n_queued, sum);
    }

  return g_strdup ("");
}

static gboolean
ear_closure_is_history (gpointer object, EarSidebarItem *collection)
{
  return collection != NULL && ear_sidebar_item_get_kind (collection) == EAR_SIDEBAR_ITEM_HISTORY;
}

/* Podcasts and folders have a filter and an order. */
static gboolean
ear_closure_is_arranged (gpointer object, EarSidebarItem *collection)
{
  return collection != NULL && (ear_sidebar_item_get_podcast (collection) != NULL ||
                                ear_sidebar_item_get_folder (collection) != NULL);
}

static char *
ear_closure_selected_label (gpointer object, guint n_selected)
{
  if (n_selected == 0)
    return g_strdup (_("Select episodes"));

  /* Translators: how many episodes are selected */
  return g_strdup_printf (ngettext ("%'u selected", "%'u selected", n_selected), n_selected);
}

/* The pane beside a list with no, one or several selected episodes; @n_ticked is -1
 * outside of selection mode. */
static gboolean
ear_closure_is_single (gpointer object, GObject *episode, int n_ticked)
{
  return episode != NULL && n_ticked < 0;
}

/* Returns: the CSS classes of the toasts, which stand above the selection bar */
static char **
ear_closure_toast_classes (gpointer object, int n_ticked)
{
  const char *const classes[] = { n_ticked >= 0 ? "above-bar" : NULL, NULL };

  return g_strdupv ((char **) classes);
}

static gboolean
ear_closure_has_pane_status (gpointer object, gboolean choosable, GObject *episode, int n_ticked)
{
  return n_ticked >= 0 || (choosable && episode == NULL);
}

static char *
ear_closure_pane_title (gpointer object, int n_ticked)
{
  if (n_ticked <= 0)
    return g_strdup (_("No Episode Selected"));

  /* Translators: a heading in place of an episode while several are selected */
  return g_strdup_printf (ngettext ("%'d Episode Selected", "%'d Episodes Selected",
                                    (gulong)n_ticked),
                          n_ticked);
}

static char *
ear_closure_pane_words (gpointer object, int n_ticked)
{
  if (n_ticked < 0)
    return g_strdup (_("Select an episode to read its notes and play it."));
  if (n_ticked == 0)
    return g_strdup (_("Select episodes to mark, like or download."));

  return g_strdup (_("Use the buttons below the list."));
}

char *
ear_closure_scope_label (gpointer object, gboolean is_podcast, const char *title)
{
  if (is_podcast)
    return g_strdup (_("This Podcast"));

  /* Translators: where to search: in New, in History ... */
  return g_strdup_printf (C_("search", "In “%s”"), title != NULL ? title : "");
}

/* The time that the rest of a series takes at a speed, which is named unless it is 1 */
static char *
format_rest (gint64 left, double speed)
{
  g_autofree char *length = ear_format_duration ((gint64) ((double) left / speed));
  g_autofree char *rate = NULL;

  if (length == NULL)
    return NULL;
  if (speed == 1)
    return g_strdup_printf (_("%s left"), length);

  rate = ear_format_rate (speed);
  /* Translators: the time left of a series at a speed: "9 h 40 min" left at "1.5×" */
  return g_strdup_printf (_("%1$s left at %2$s"), length, rate);
}

/* How far the listener is in a series: "31 of 83 played · 9 h 40 min left at 1.5×".
 * @left: how long the rest lasts at normal speed, in microseconds */
static char *
ear_closure_series (gpointer object, guint n_heard, guint n_episodes, gint64 left, double speed)
{
  g_autofree char *heard = NULL;
  g_autofree char *rest = NULL;

  if (n_heard >= n_episodes)
    /* Translators: of a series; %u is how many episodes it has */
    return g_strdup_printf (ngettext ("%'u episode played", "All %'u episodes played", n_episodes),
                            n_episodes);

  /* Translators: the listener’s progress in a series: the number played of all its
   * episodes */
  heard = g_strdup_printf (_("%1$'u of %2$'u played"), n_heard, n_episodes);
  rest = format_rest (left, speed);

  return ear_format_join (heard, rest);
}

static char *
ear_closure_error_title (gpointer object, const GError *error)
{
  return g_strdup (ear_error_text_title (error, EAR_ERROR_ABOUT_FEED));
}

static char *
ear_closure_feed_error_body (gpointer object, const GError *error)
{
  return g_strdup (ear_error_text_body (error, EAR_ERROR_ABOUT_FEED));
}

static char *
ear_closure_n_listed (gpointer object, guint n_listed)
{
  /* Translators: of a list of podcasts that was found; a button "Follow All" stands below */
  return g_strdup_printf (ngettext ("Follow %'u Podcast?", "Follow %'u Podcasts?", n_listed),
                          n_listed);
}

/* Returns: the page of a stack for the state of an EarDiscovery */
static char *
ear_closure_discovery_page (gpointer object, EarDiscoveryInput input, guint n_results,
                            guint n_listed, gboolean searching, const GError *error)
{
  if (input == EAR_DISCOVERY_NOTHING)
    return g_strdup ("start");
  if (n_results > 0)
    return g_strdup ("results");
  if (n_listed > 0)
    return g_strdup ("list");
  if (searching)
    return g_strdup ("searching");
  if (error != NULL)
    return g_strdup ("error");

  return g_strdup (input == EAR_DISCOVERY_LIKE ? "alone" : "empty");
}

char *
ear_closure_search_error_body (gpointer object, const GError *error, EarDiscoveryInput input)
{
  /* The words for a feed, which suggest its web page, do not fit a missing file. */
  if (input == EAR_DISCOVERY_FILE && g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_FOUND))
    return g_strdup (ear_error_text_importing (error));

  return g_strdup (ear_error_text_body (error, EAR_ERROR_ABOUT_SEARCH));
}

static char *
describe_error (const GError *error, EarErrorSubject subject)
{
  if (error == NULL)
    return NULL;

  /* Translators: what went wrong, and what to do about it, in one line */
  return g_strdup_printf (C_("error", "%s. %s"), ear_error_text_title (error, subject),
                          ear_error_text_body (error, subject));
}

static char *
ear_closure_media_error (gpointer object, const GError *error)
{
  char *text = describe_error (error, EAR_ERROR_ABOUT_MEDIA);

  /* AdwBanner warns of a title that is %NULL. */
  return text != NULL ? text : g_strdup ("");
}

static char *
ear_closure_media_retry_label (gpointer object, const GError *error)
{
  return g_strdup (ear_error_wants_login (error) ? _("_Sign In…") : _("_Retry"));
}

/* Returns: (nullable): %NULL for no button: where there is no audio, there is
 * none the next time */
char *
ear_closure_media_error_button (gpointer object, const GError *error)
{
  if (error == NULL || g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_MEDIA))
    return NULL;

  return ear_closure_media_retry_label (object, error);
}

/* Returns: the justification of a label whose lines begin on the window's side, in
 * whatever language the text is */
GtkJustification
ear_closure_title_justify (gpointer object, const char *text)
{
  const GtkTextDirection direction = ear_format_find_direction (text);

  return direction != GTK_TEXT_DIR_NONE && direction != gtk_widget_get_default_direction ()
             ? GTK_JUSTIFY_RIGHT
             : GTK_JUSTIFY_LEFT;
}

double
ear_closure_part (gpointer object, guint done, guint total)
{
  return total > 0 ? MIN ((double) done / total, 1.0) : 1.0;
}

char *
ear_closure_refresh_label (gpointer object, guint done, guint total)
{
  if (total == 0)
    return NULL;

  /* Translators: the progress of the check of all podcasts: Checking 12 of 200 */
  return g_strdup_printf (_("Checking %'u of %'u"), MIN (done + 1, total), total);
}

char *
ear_closure_listened_label (gpointer object, gboolean listened)
{
  return g_strdup (listened ? _("Mark as Unplayed") : _("Mark as Played"));
}

static char *
ear_closure_queued_label (gpointer object, gboolean queued)
{
  return g_strdup (queued ? _("Remove From Up Next") : _("Add to Up Next"));
}

/* The verb of the download button */
static const struct
{
  const char *label;
  const char *icon_name;
} downloads[] = {
  /* Translators: what a button does with an episode */
  [EAR_DOWNLOAD_NONE] = { NC_("episode", "Download"), "folder-download-symbolic" },
  [EAR_DOWNLOAD_WAITING] = { N_("Cancel Download"), "process-stop-symbolic" },
  [EAR_DOWNLOAD_RUNNING] = { N_("Cancel Download"), "process-stop-symbolic" },
  [EAR_DOWNLOAD_DONE] = { N_("Remove Download"), "user-trash-symbolic" },
  [EAR_DOWNLOAD_FAILED] = { N_("Download Again"), "view-refresh-symbolic" },
  [EAR_DOWNLOAD_PAUSED] = { N_("Resume Download"), "folder-download-symbolic" },
};

char *
ear_closure_download_label (gpointer object, EarDownload download)
{
  return g_strdup (download == EAR_DOWNLOAD_NONE
                       ? g_dpgettext2 (NULL, "episode", downloads[download].label)
                       : _(downloads[download].label));
}

static char *
ear_closure_download_icon (gpointer object, EarDownload download)
{
  return g_strdup (downloads[download].icon_name);
}

char *
ear_closure_download_error (gpointer object, const GError *error)
{
  return describe_error (error, EAR_ERROR_ABOUT_DOWNLOAD);
}

char *
ear_closure_download_hint (gpointer object, EarDownload download, const GError *error)
{
  const char *title = ear_error_text_title (error, EAR_ERROR_ABOUT_DOWNLOAD);

  /* Waiting for its turn is not worth a hint. */
  if (download != EAR_DOWNLOAD_WAITING || title == NULL)
    return NULL;

  /* Translators: %s is the reason for the wait, as in “No Network” */
  return g_strdup_printf (_("%s. The download resumes automatically."), title);
}

/* --- The player --------------------------------------------------------------------- */

static gboolean
is_active (EarPlayerState state)
{
  return state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING;
}

char *
ear_closure_player_icon (gpointer object, EarPlayerState state)
{
  return g_strdup (is_active (state) ? "media-playback-pause-symbolic"
                                     : "media-playback-start-symbolic");
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

char *
ear_closure_player_page (gpointer object, EarPlayerState state, gboolean waiting)
{
  return g_strdup (waiting && state != EAR_PLAYER_FAILED ? "waiting" : "time");
}

/* @text: (nullable): shown otherwise */
static char *
ear_closure_waiting_or (gpointer object, gboolean waiting, const char *text)
{
  return g_strdup (waiting ? _("Waiting for the network…") : text);
}

static char *
ear_closure_rate (gpointer object, double rate)
{
  return ear_format_rate (rate);
}

/* Time saved by shorter pauses in this episode, and in all, in microseconds;
 * "" below a second */
static char *
ear_closure_time_saved (gpointer object, gint64 episode, gint64 total)
{
  g_autofree char *here = ear_format_duration (episode);
  g_autofree char *everywhere = ear_format_duration (total);

  if (everywhere == NULL || total < G_TIME_SPAN_SECOND)
    return g_strdup ("");
  if (here == NULL || episode < G_TIME_SPAN_SECOND)
    /* Translators: how much time shorter pauses have saved since Earmark is used: “2 h 5 min” */
    return g_strdup_printf (_("%s saved in total"), everywhere);

  /* Translators: how much time shorter pauses have saved: “40 s” in the episode that plays, “2 h 5
   * min” in all */
  return g_strdup_printf (_("%s saved in this episode, %s in total"), here, everywhere);
}

/* The text has one line in either case, so that nothing moves under the pointer.
 * @rate: the speed of all other podcasts */
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

  /* Translators: as short as can be, beside the icon of the sleep timer: it pauses at the end of
   * the episode */
  return g_strdup (g_strcmp0 (choice, EAR_SLEEP_EPISODE) == 0 ||
                           g_strcmp0 (choice, EAR_SLEEP_CHAPTER) == 0
                       ? C_("sleep timer", "End")
                       : "");
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
ear_closure_play_label (gpointer object, EarPlayback playback, gint64 position, gboolean listened)
{
  g_autofree char *clock = NULL;

  if (playback == EAR_PLAYBACK_PLAYING || playback == EAR_PLAYBACK_LOADING)
    return g_strdup (_("Pause"));
  if (position < G_TIME_SPAN_SECOND || (listened && playback == EAR_PLAYBACK_NONE))
    return g_strdup (_("Play"));

  clock = ear_format_clock (position);
  /* Translators: the button that resumes where the listener stopped: Resume at 12:03 */
  return g_strdup_printf (_("Resume at %s"), clock);
}

static char *
ear_closure_play_icon (gpointer object, EarPlayback playback)
{
  const gboolean active = playback == EAR_PLAYBACK_PLAYING || playback == EAR_PLAYBACK_LOADING;

  return g_strdup (active ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
}

/* @direction: "back" or "forward" */
char *
ear_closure_skip_icon (gpointer object, guint seconds, const char *direction)
{
  return seconds == 10 || seconds == 15 || seconds == 30
             ? g_strdup_printf ("ear-%s-%u-symbolic", direction, seconds)
             : g_strdup_printf ("ear-%s-symbolic", direction);
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

/* --- The table ---------------------------------------------------------------------- */

static const struct
{
  const char *name;
  GCallback function;
} closures[] = {
#define CLOSURE(name) { #name, G_CALLBACK (name) }
  CLOSURE (ear_closure_not),
  CLOSURE (ear_closure_and),
  CLOSURE (ear_closure_shows_video),
  CLOSURE (ear_closure_title_justify),
  CLOSURE (ear_closure_text_of_playing),
  CLOSURE (ear_closure_and_not),
  CLOSURE (ear_closure_pick),
  CLOSURE (ear_closure_wants_login),
  CLOSURE (ear_closure_equals),
  CLOSURE (ear_closure_is_set),
  CLOSURE (ear_closure_has_text),
  CLOSURE (ear_closure_first_text),
  CLOSURE (ear_closure_chapters_title),
  CLOSURE (ear_closure_links_title),
  CLOSURE (ear_closure_is_positive),
  CLOSURE (ear_closure_count),
  CLOSURE (ear_closure_narrow_orientation),
  CLOSURE (ear_closure_page_title),
  CLOSURE (ear_closure_view_summary),
  CLOSURE (ear_closure_is_history),
  CLOSURE (ear_closure_is_arranged),
  CLOSURE (ear_closure_selected_label),
  CLOSURE (ear_closure_is_single),
  CLOSURE (ear_closure_has_pane_status),
  CLOSURE (ear_closure_toast_classes),
  CLOSURE (ear_closure_pane_title),
  CLOSURE (ear_closure_pane_words),
  CLOSURE (ear_closure_scope_label),
  CLOSURE (ear_closure_feed_error_body),
  CLOSURE (ear_closure_error_title),
  CLOSURE (ear_closure_media_error),
  CLOSURE (ear_closure_media_error_button),
  CLOSURE (ear_closure_n_listed),
  CLOSURE (ear_closure_discovery_page),
  CLOSURE (ear_closure_media_retry_label),
  CLOSURE (ear_closure_search_error_body),
  CLOSURE (ear_closure_player_icon),
  CLOSURE (ear_closure_player_tooltip),
  CLOSURE (ear_closure_player_page),
  CLOSURE (ear_closure_waiting_or),
  CLOSURE (ear_closure_rate),
  CLOSURE (ear_closure_time_saved),
  CLOSURE (ear_closure_whose_playback),
  CLOSURE (ear_closure_series),
  CLOSURE (ear_closure_fraction),
  CLOSURE (ear_closure_part),
  CLOSURE (ear_closure_refresh_label),
  CLOSURE (ear_closure_sleep_label),
  CLOSURE (ear_closure_sleep_words),
  CLOSURE (ear_closure_volume_icon),
  CLOSURE (ear_closure_play_label),
  CLOSURE (ear_closure_play_icon),
  CLOSURE (ear_closure_listened_label),
  CLOSURE (ear_closure_queued_label),
  CLOSURE (ear_closure_download_label),
  CLOSURE (ear_closure_download_icon),
  CLOSURE (ear_closure_download_error),
  CLOSURE (ear_closure_download_hint),
  CLOSURE (ear_closure_skip_icon),
  CLOSURE (ear_closure_back_label),
  CLOSURE (ear_closure_forward_label),
#undef CLOSURE
};

void
ear_closures_bind (GtkWidgetClass *widget_class)
{
  for (gsize i = 0; i < G_N_ELEMENTS (closures); i++)
    gtk_widget_class_bind_template_callback_full (widget_class, closures[i].name,
                                                  closures[i].function);
}

void
ear_closures_add (GtkBuilderCScope *scope)
{
  for (gsize i = 0; i < G_N_ELEMENTS (closures); i++)
    gtk_builder_cscope_add_callback_symbol (scope, closures[i].name, closures[i].function);
}
