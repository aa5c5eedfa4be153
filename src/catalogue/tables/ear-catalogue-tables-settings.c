/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-catalogue-tables-private.h"

#include "ear-stamp.h"

/* The listener's settings for a podcast, a copy of those in the state files */

static gboolean
put_setting (EarCatalogueTables *self, gint64 podcast, EarPodcastSetting setting, int value, gint64 updated, GError **error)
{
  /* Replace a stamp from a clock that was ahead: it would win until that day. */
  return ear_database_execute (
      self->database, error,
      "INSERT INTO podcast_setting (podcast, setting, value, updated) SELECT id, ?2, ?3, ?4 FROM podcast WHERE id = ?1"
      " ON CONFLICT (podcast, setting) DO UPDATE SET value = excluded.value, updated = excluded.updated"
      " WHERE excluded.updated > podcast_setting.updated"
      " OR (excluded.updated > ?5 AND podcast_setting.updated > ?6)",
      "xsixxx", podcast, ear_podcast_setting_get_name (setting), value, updated, (gint64) EAR_STAMP_OLDEST,
      ear_stamp_latest (g_get_real_time ()));
}

/* Stores newer settings, an EarPodcastSettings. */
gboolean
ear_catalogue_tables_put_settings (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const EarPodcastSettings *settings = op->data;

  for (guint i = 0; i < EAR_N_PODCAST_SETTINGS; i++)
    if (settings->updated[i] != 0 && !put_setting (self, op->podcast, i, settings->values[i], settings->updated[i], error))
      return FALSE;

  return TRUE;
}

/* Stores the folder of a podcast, a name or %NULL, as one more setting with a text value,
 * which SQLite allows in a column of numbers. A "/" before it keeps a name like "2024"
 * from becoming a number. */
gboolean
ear_catalogue_tables_put_folder (EarCatalogueTables *self, EarCatalogueOp *op, GError **error)
{
  const char *folder = op->data;

  if (folder == NULL)
    return ear_database_execute (self->database, error, "DELETE FROM podcast_setting WHERE podcast = ?1 AND setting = ?2", "xs",
                                 op->podcast, EAR_CATALOGUE_FOLDER);

  return ear_database_execute (self->database, error,
                               "INSERT OR REPLACE INTO podcast_setting (podcast, setting, value, updated)"
                               " SELECT id, ?2, '/' || ?3, 0 FROM podcast WHERE id = ?1", "xss", op->podcast, EAR_CATALOGUE_FOLDER, folder);
}
