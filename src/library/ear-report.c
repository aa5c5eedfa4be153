/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Writes a report for debugging. */

#include "ear-report.h"

#include "ear-database.h"
#include "ear-feed-parser.h"
#include "ear-list-store.h"

#include <glib/gstdio.h>

/* Adds sums over all podcasts, without data of a single one. */
static void
add_podcasts (GString *text, EarLibrary *library)
{
  GListModel *podcasts = ear_library_get_podcasts (library);
  EarSubscriptions *subscriptions = ear_library_get_subscriptions (library);
  EarDownloader *downloader = ear_library_get_downloader (library);
  guint n_podcasts = 0;
  guint n_episodes = 0, n_unplayed = 0, n_ended = 0, n_never = 0;
  guint errors[EAR_N_ERRORS] = { 0 };
  gint64 checked = 0;
  g_autoptr (GDateTime) date = NULL;
  g_autofree char *when = NULL;
  EarPodcast *podcast;

  for (; podcasts != NULL && (podcast = ear_list_peek (podcasts, n_podcasts)) != NULL; n_podcasts++)
    {
      const GError *error = ear_podcast_get_error (podcast);

      n_episodes += ear_podcast_get_n_episodes (podcast);
      n_unplayed += ear_podcast_get_n_unplayed (podcast);
      n_ended += ear_podcast_get_ended (podcast);
      n_never += ear_podcast_get_checked (podcast) <= 0;
      checked = MAX (checked, ear_podcast_get_checked (podcast));
      if (error != NULL && error->domain == EAR_ERROR && error->code > 0 &&
          error->code < EAR_N_ERRORS)
        errors[error->code]++;
      else if (error != NULL)
        errors[EAR_ERROR_FAILED]++;
    }
  g_string_append_printf (
      text, "- Podcasts: %u, of which %u are private, %u ended, %u never checked\n", n_podcasts,
      subscriptions != NULL ? ear_subscriptions_count_private (subscriptions) : 0, n_ended,
      n_never);
  g_string_append_printf (text, "- Episodes: %u, of which %u are not played\n", n_episodes,
                          n_unplayed);
  g_string_append_printf (text, "- Downloads under way: %u\n",
                          downloader != NULL ? ear_downloader_get_n_active (downloader) : 0);
  date = checked > 0 ? g_date_time_new_from_unix_utc (checked) : NULL;
  when = date != NULL ? g_date_time_format_iso8601 (date) : NULL;
  g_string_append_printf (text, "- Last check: %s\n", when != NULL ? when : "never");
  for (guint code = 0; code < EAR_N_ERRORS; code++)
    if (errors[code] > 0)
      g_string_append_printf (text, "- Last checks that failed with error %u: %u\n", code,
                              errors[code]);
}

static void
add_size (GString *text, const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  GStatBuf status;

  if (g_stat (path, &status) == 0)
    g_string_append_printf (text, "- %s: %" G_GINT64_FORMAT " bytes\n", name,
                            (gint64) status.st_size);
}

static void
add_settings (GString *text, EarSettings *settings)
{
  static const char *const names[] = {
    "refresh-interval", "refresh-on-metered", "notifications", "background-refresh",
    "keep-playing",     "continuous",         "remove-played", "rate",
    "trim-silence",     "level-volume",       "volume"
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;
      g_autofree char *words = NULL;

      g_object_get_property (G_OBJECT (settings), names[i], &value);
      words = g_strdup_value_contents (&value);
      g_string_append_printf (text, "- %s: %s\n", names[i], words);
    }
}

static void
add_version (GString *text, const char *name, char *version)
{
  g_string_append_printf (text, "- %s: %s\n", name, version);
  g_free (version);
}

/* Writes a report for debugging that can be published: it contains no addresses, titles,
 * paths or names.
 * Returns: (transfer full): lines of text, in English */
char *
ear_report_write (EarLibrary *library)
{
  GNetworkMonitor *network = g_network_monitor_get_default ();
  EarPlayer *player = ear_library_get_player (library);
  const GError *error = ear_player_get_error (player);
  const char *directory = ear_library_get_data_directory (library);
  GString *text = g_string_new ("Libraries:\n");

  add_version (text, "libsoup", ear_http_dup_version ());
  add_version (text, "GStreamer", ear_player_dup_version ());
  add_version (text, "SQLite", ear_database_dup_version ());
  add_version (text, "libxml2", ear_feed_parser_dup_version ());
  g_string_append (text, "\nLibrary:\n");
  add_podcasts (text, library);
  add_size (text, directory, "catalogue.db");
  add_size (text, directory, "catalogue.db-wal");
  g_string_append_printf (text, "- Network: %s%s\n",
                          g_network_monitor_get_network_available (network) ? "yes" : "no",
                          g_network_monitor_get_network_metered (network) ? ", metered" : "");
  g_string_append_printf (text, "- Player: state %d, error %d\n", ear_player_get_state (player),
                          error != NULL ? error->code : -1);
  g_string_append (text, "\nSettings:\n");
  add_settings (text, ear_library_get_settings (library));

  return g_string_free_and_steal (text);
}
