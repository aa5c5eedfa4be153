/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-format-episode.h"

#include "ear-error-text.h"
#include "ear-format.h"
#include "ear-queue.h"

#include <glib/gi18n.h>

/* The facts of an episode as lines of text, shown and spoken */

/* Returns: (nullable): the name of the podcast; %NULL for an episode without a title,
 * which has that name itself */
const char *
ear_format_row_podcast (EarEpisode *episode)
{
  return ear_episode_get_title (episode) != NULL
             ? ear_podcast_get_name (ear_episode_get_podcast (episode))
             : NULL;
}

static char *
format_length_or_rest (EarEpisode *episode)
{
  char *left = NULL;

  if (!ear_episode_get_listened (episode))
    left = ear_format_time_left (ear_episode_get_duration (episode),
                                 ear_episode_get_position (episode));

  return left != NULL ? left : ear_format_duration (ear_episode_get_duration (episode));
}

/* Returns: (transfer full) (nullable): the progress of a download, or the reason why
 * it failed or waits */
char *
ear_format_download (EarEpisode *episode)
{
  const EarDownload download = ear_episode_get_download (episode);
  const gint64 total = ear_episode_get_download_total (episode);
  const GError *error = ear_episode_get_download_error (episode);
  g_autofree char *text = NULL;
  g_autofree char *percent = NULL;

  if (download == EAR_DOWNLOAD_FAILED)
    /* Translators: of a download; %s is why, such as "not audio" or "no network" */
    return g_strdup_printf (_("Failed: %s"), ear_error_text_brief (error));
  if (download == EAR_DOWNLOAD_PAUSED)
    return g_strdup (C_("download", "Paused"));
  if (download == EAR_DOWNLOAD_WAITING && error != NULL)
    /* Translators: a download that resumes automatically; %s is the reason for the
     * wait, such as "no network" */
    return g_strdup_printf (_("Waiting: %s"), ear_error_text_brief (error));
  if (download != EAR_DOWNLOAD_RUNNING || total == 0)
    return NULL;
  text = ear_format_size (total > 0 ? total : ear_episode_get_download_received (episode));
  if (text == NULL)
    return NULL;
  if (total < 0)
    /* Translators: the size of a download so far, if its total is unknown: "7 MB so
     * far" */
    return g_strdup_printf (_("%s so far"), text);

  percent = ear_format_percent ((int) (ear_episode_get_download_progress (episode) * 100));

  /* Translators: the progress of a download: "42 %" of "16 MB" */
  return g_strdup_printf (_("%1$s of %2$s"), percent, text);
}

static gint64
get_date (EarEpisode *episode, gboolean heard)
{
  return heard && ear_episode_get_heard (episode) > 0
             ? ear_episode_get_heard (episode) / G_USEC_PER_SEC
             : ear_episode_get_facts (episode)->published;
}

/* Returns: (transfer none): the kind; "" for an ordinary episode */
static const char *
describe_kind (EarEpisodeType kind)
{
  if (kind == EAR_EPISODE_TRAILER)
    /* Translators: what kind of episode it is */
    return _("Trailer");

  /* Translators: what kind of episode it is */
  return kind == EAR_EPISODE_BONUS ? _("Bonus") : "";
}

/* The facts under the title in a list. In a list of several podcasts the name of the
 * podcast comes first.
 * @heard: whether the list is the history, which shows the day of listening
 * @now: Unix seconds */
char *
ear_format_row (EarEpisode *episode, gboolean heard, gint64 now)
{
  g_autofree char *date = ear_format_date (get_date (episode, heard), now);
  g_autofree char *length = format_length_or_rest (episode);
  g_autofree char *download = ear_format_download (episode);

  return ear_format_join (describe_kind (ear_episode_get_facts (episode)->type), download, date,
                          length);
}

/* Podcast, date and time left, where other lists have a title with one line below it
 * @now: Unix seconds; 0: without the date */
char *
ear_format_result (EarEpisode *episode, gint64 now)
{
  g_autofree char *date =
      now > 0 ? ear_format_date (ear_episode_get_facts (episode)->published, now) : NULL;
  g_autofree char *length = format_length_or_rest (episode);

  return ear_format_join (ear_format_row_podcast (episode), date, length);
}

static const char *
describe_state (EarEpisode *episode)
{
  const EarPlayback playback = ear_episode_get_playback (episode);

  if (playback == EAR_PLAYBACK_LOADING)
    /* Translators: the state of an episode, as a screen reader reads it; so are the next
     * ones */
    return C_("episode", "loading");
  if (playback == EAR_PLAYBACK_PLAYING)
    return C_("episode", "playing");
  /* At its end an episode is still in the player. */
  if (ear_episode_get_listened (episode))
    return C_("episode", "played");

  return playback == EAR_PLAYBACK_PAUSED ? C_("episode", "paused") : "";
}

static const char *const downloads[] = {
  [EAR_DOWNLOAD_WAITING] = NC_("episode", "waiting to be downloaded"),
  [EAR_DOWNLOAD_RUNNING] = NC_("episode", "downloading"),
  [EAR_DOWNLOAD_FAILED] = NC_("episode", "download failed"),
  [EAR_DOWNLOAD_DONE] = NC_("episode", "downloaded"),
  [EAR_DOWNLOAD_PAUSED] = NC_("episode", "download paused"),
};

/* A row as a screen reader reads it: title, podcast, date, length, marks, state.
 * @mixed: whether the list is of several podcasts
 * @heard: whether the list is the history, which shows the day of listening */
char *
ear_format_row_spoken (EarEpisode *episode, gboolean mixed, gboolean heard)
{
  EarEpisodeFacts *facts = ear_episode_get_facts (episode);
  const char *download = downloads[ear_episode_get_download (episode)];
  const gint64 duration = ear_episode_get_duration (episode);
  const gint64 left = duration - ear_episode_get_position (episode);
  const gboolean begun =
      ear_episode_get_position (episode) > 0 && left > 0 && !ear_episode_get_listened (episode);
  g_autofree char *date = ear_format_date_long (get_date (episode, heard));
  g_autofree char *time =
      ear_format_duration_spoken (begun ? MAX (left, G_TIME_SPAN_MINUTE) : duration);
  /* Translators: the time left of an episode: "4 minutes" left */
  g_autofree char *length =
      time != NULL && begun ? g_strdup_printf (_("%s left"), time) : g_steal_pointer (&time);

  return ear_format_speak (
      ear_episode_get_name (episode), mixed ? ear_format_row_podcast (episode) : NULL,
      describe_kind (facts->type), date, length,
      facts->explicit_content == EAR_EXPLICIT_YES ? C_("episode", "explicit") : NULL,
      ear_episode_is_new (episode) ? C_("episode", "new") : NULL,
      ear_queue_has (episode) ? C_("episode", "in Up Next") : NULL,
      ear_episode_get_liked (episode) ? C_("episode", "liked") : NULL,
      download != NULL ? g_dpgettext2 (NULL, "episode", download) : NULL, describe_state (episode));
}

/* The facts on an episode's page: date and length or time left, and in a second line
 * number and size. A single line, if wrapped, would end with a separator. */
char *
ear_format_episode (EarEpisode *episode)
{
  EarEpisodeFacts *facts = ear_episode_get_facts (episode);
  EarEnclosure *enclosure = ear_episode_get_enclosure (episode);
  g_autofree char *date = ear_format_date_long (facts->published);
  g_autofree char *length = format_length_or_rest (episode);
  g_autofree char *size = enclosure != NULL ? ear_format_size (enclosure->size) : NULL;
  g_autofree char *number = ear_format_number (facts->season, facts->number);
  g_autofree char *which = ear_format_join (number, describe_kind (facts->type));
  g_autofree char *above = ear_format_join (date, length, *which == '\0' ? size : NULL);
  g_autofree char *below = ear_format_join (which, *which != '\0' ? size : NULL);

  return g_strconcat (above, *above != '\0' && *below != '\0' ? "\n" : "", below, NULL);
}

/* --- People ------------------------------------------------------------------------- */

/* Some feeds list a whole crew. */
#define MOST_SHOWN 20

/* Roles of the Podcast Taxonomy, which feeds write in English, in upper or lower case */
static const char *const roles[] = {
  /* Translators: the role of a person in a podcast, of any gender: “Ann Lee (host)”; so
   * are the next ones */
  N_("host"),
  N_("co-host"),
  N_("guest host"),
  N_("guest"),
  N_("announcer"),
  N_("narrator"),
  N_("voice actor"),
  N_("reporter"),
  N_("researcher"),
  N_("writer"),
  N_("author"),
  N_("editor"),
  N_("audio editor"),
  N_("producer"),
  N_("executive producer"),
  N_("audio engineer"),
  N_("music contributor"),
  N_("theme music"),
  N_("cover art designer"),
  N_("transcriber"),
  N_("translator"),
};

/* Returns: the translation, or @role as the feed has it */
static const char *
translate_role (const char *role)
{
  for (gsize i = 0; i < G_N_ELEMENTS (roles); i++)
    if (g_ascii_strcasecmp (role, roles[i]) == 0)
      return _(roles[i]);

  return role;
}

static char *
format_person (const EarPerson *person)
{
  if (person->role == NULL)
    return g_strdup (person->name);

  /* Translators: a name, and the person’s role in the podcast: “Ann Lee (host)” */
  return g_strdup_printf (_("%s (%s)"), person->name, translate_role (person->role));
}

/* @persons: (element-type EarPerson): the persons
 * Returns: (transfer full) (nullable): “Ann Lee (host), Bob (guest)”;
 * %NULL without persons */
char *
ear_people_format (GPtrArray *persons)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const guint n_shown = persons->len > MOST_SHOWN ? MOST_SHOWN - 1 : persons->len;

  for (guint i = 0; i < n_shown; i++)
    {
      g_autofree char *person = format_person (g_ptr_array_index (persons, i));

      if (text->len > 0)
        /* Translators: the separator in a list, as in “Technology, Science” */
        g_string_append (text, _(", "));
      g_string_append (text, person);
    }
  if (n_shown < persons->len)
    {
      const guint n_more = persons->len - n_shown;

      /* Translators: at the end of a long list of names */
      g_string_append_printf (text, ngettext (", and %u more", ", and %u more", n_more), n_more);
    }

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* An episode without persons of its own has those of its podcast.
 * Returns: (transfer full) (nullable): “With Ann Lee (host), Bob (guest)” */
char *
ear_people_format_of_episode (EarEpisode *episode)
{
  GPtrArray *persons = ear_episode_get_facts (episode)->persons;
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  g_autofree char *people = NULL;

  if (persons->len == 0 && podcast != NULL)
    persons = ear_podcast_get_facts (podcast)->persons;
  people = ear_people_format (persons);
  if (people == NULL)
    return NULL;

  /* Translators: below an episode's title, the people in it: “With Ann Lee (host), Bob (guest)” */
  return g_strdup_printf (_("With %s"), people);
}
