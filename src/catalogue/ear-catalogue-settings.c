/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-private.h"

/* Main thread: the listener's settings for a podcast. */

static void
take_folder (EarPodcast *podcast, EarStatement *statement)
{
  g_autofree char *value = ear_statement_dup_text (statement, 2);

  if (value != NULL && *value == '/')
    ear_podcast_set_folder (podcast, value + 1);
}

static void
take_setting (EarPodcast *podcast, EarStatement *statement)
{
  g_autofree char *name = ear_statement_dup_text (statement, 1);
  const int value = sqlite3_column_int (statement, 2);
  EarPodcastSettings settings;
  EarPodcastSetting setting;

  if (g_strcmp0 (name, EAR_CATALOGUE_FOLDER) == 0)
    {
      take_folder (podcast, statement);
      return;
    }
  if (!ear_podcast_setting_find (name, &setting) || !ear_podcast_setting_accepts (setting, value))
    return;
  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  settings.updated[setting] = sqlite3_column_int64 (statement, 3);
  ear_podcast_take_settings (podcast, &settings);
}

/* Loads the settings of all podcasts; most have none. */
gboolean
ear_catalogue_load_settings (EarCatalogue *self, EarDatabase *database, GError **error)
{
  g_autoptr (EarStatement) statement =
      ear_database_prepare (database, "SELECT podcast, setting, value, updated FROM podcast_setting", error);
  gboolean is_row = FALSE;

  while (ear_database_step (database, statement, &is_row, error) && is_row)
    {
      EarPodcast *podcast = ear_catalogue_lookup_podcast (self, sqlite3_column_int64 (statement, 0));

      if (podcast != NULL)
        take_setting (podcast, statement);
    }

  return !is_row;
}

static const EarCatalogueOpKind settings_kind = {
  .flags = EAR_OP_URGENT | EAR_OP_NEEDS_PODCAST,
  .data_free = g_free,
  .perform = ear_catalogue_tables_put_settings,
};

/**
 * ear_catalogue_set_settings:
 * @self: the catalogue
 * @podcast: a podcast
 * @settings: the listener's settings for it: those whose stamp is not 0
 *
 * Applies newer settings, and stores them.
 *
 * Returns: whether something was newer
 */
gboolean
ear_catalogue_set_settings (EarCatalogue *self, EarPodcast *podcast, const EarPodcastSettings *settings)
{
  const EarPodcastSettings *all;

  g_return_val_if_fail (EAR_IS_CATALOGUE (self), FALSE);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), FALSE);
  g_return_val_if_fail (settings != NULL, FALSE);

  if (self->closed || !ear_podcast_take_settings (podcast, settings))
    return FALSE;
  all = ear_podcast_get_settings (podcast);
  ear_catalogue_push (self, ear_catalogue_op_new (&settings_kind, ear_podcast_get_id (podcast),
                                                  g_memdup2 (all, sizeof *all)));

  return TRUE;
}

static const EarCatalogueOpKind folder_kind = {
  .flags = EAR_OP_URGENT | EAR_OP_NEEDS_PODCAST,
  .data_free = g_free,
  .perform = ear_catalogue_tables_put_folder,
};

/**
 * ear_catalogue_set_folder:
 * @self: the catalogue
 * @podcast: a podcast
 * @folder: (nullable): its folder
 *
 * Sets [property@EarPodcast:folder], and stores it, so that the sidebar is the same at
 * the next start.
 */
void
ear_catalogue_set_folder (EarCatalogue *self, EarPodcast *podcast, const char *folder)
{
  g_return_if_fail (EAR_IS_CATALOGUE (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  if (self->closed || g_strcmp0 (folder, ear_podcast_get_folder (podcast)) == 0)
    return;
  ear_podcast_set_folder (podcast, folder);
  ear_catalogue_push (self, ear_catalogue_op_new (&folder_kind, ear_podcast_get_id (podcast), g_strdup (folder)));
}
