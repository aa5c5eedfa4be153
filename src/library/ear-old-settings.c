/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Moves data that an earlier version kept in the settings to the state files, where it is
 * backed up and merged: each is copied once, and removed from the settings when it is on
 * the disk. The keys stay in the schema to be read, so that nobody who skips versions
 * loses data. */

#include "ear-old-settings.h"

#include "ear-chapter-control.h"

#define CHAPTERS "skipped-chapters"
#define TIME_SAVED "time-saved"

/* A setting to remove */
typedef struct
{
  EarSettings *settings;
  const char *key;
} Moved;

static void
flushed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Moved *moved = user_data;
  g_autoptr (EarSettings) settings = moved->settings;
  g_autoptr (GError) error = NULL;

  if (ear_userdata_store_flush_finish (EAR_USERDATA_STORE (source), result, &error))
    ear_settings_forget_former (settings, moved->key);
  else
    g_message ("What the settings had stays there, too: %s", error->message);
}

static void
forget_later (EarSettings *settings, EarUserdataStore *state, const char *key)
{
  Moved *moved = g_new0 (Moved, 1);

  moved->settings = g_object_ref (settings);
  moved->key = key;
  ear_userdata_store_flush_async (state, NULL, flushed_cb, moved);
}

/* Moves the chapters that are always skipped.
 * @chapters: loaded records */
void
ear_old_settings_move_chapters (EarSettings *settings, EarUserdataStore *state,
                                EarRecords *chapters)
{
  g_autoptr (GVariant) all = ear_settings_dup_former (settings, CHAPTERS);
  GVariantIter iter;
  const char *podcast;
  char **titles;

  if (g_variant_n_children (all) == 0)
    return;

  g_variant_iter_init (&iter, all);
  while (g_variant_iter_loop (&iter, "{&s^a&s}", &podcast, &titles))
    for (guint i = 0; titles[i] != NULL; i++)
      {
        g_autofree char *id = ear_chapter_control_dup_record (podcast, titles[i]);
        g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

        g_variant_dict_insert (&dict, "title", "s", titles[i]);
        if (ear_records_lookup (chapters, id) == NULL)
          ear_records_set (chapters, id, g_variant_dict_end (&dict));
      }
  forget_later (settings, state, CHAPTERS);
}

/* Moves the time saved by trimming silence.
 * @listening: loaded */
void
ear_old_settings_move_listening (EarSettings *settings, EarUserdataStore *state,
                                 EarListening *listening)
{
  g_autoptr (GVariant) saved = ear_settings_dup_former (settings, TIME_SAVED);

  if (g_variant_get_int64 (saved) < G_USEC_PER_SEC)
    return;

  ear_listening_keep_former (listening, g_variant_get_int64 (saved));
  forget_later (settings, state, TIME_SAVED);
}
