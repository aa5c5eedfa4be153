/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-upkeep.h"

/* Intervals between copies, and between attempts after a failure */
#define BACKUP_INTERVAL (24 * G_TIME_SPAN_HOUR)
#define BACKUP_PATIENCE (1 * G_TIME_SPAN_HOUR)
#define COPY_INTERVAL (7 * G_TIME_SPAN_DAY)
#define COPY_PATIENCE (6 * G_TIME_SPAN_HOUR)

/* Checks after the first are this many times further apart: a daily task can wait, and
 * each check wakes the processor. */
#define LATER_LOOKS 5

/* Makes copies in the background: a backup of the listener's data each day, and a copy of
 * the catalogue each week. Copying the catalogue causes much disk traffic, so it runs
 * only while nothing plays and no feed is refreshed, and is canceled as soon as that
 * changes. */
struct _EarUpkeep
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  EarUserdataStore *state;
  EarPlayer *player;
  EarRefresher *refresher;
  GCancellable *cancellable;
  guint source;
  guint pause; /* milliseconds until the first check */

  gint64 next_backup; /* earliest time, monotonic, as the system clock may be set back */
  gint64 next_copy;
  gboolean is_backing_up;
  gboolean is_copying;
};

G_DEFINE_FINAL_TYPE (EarUpkeep, ear_upkeep, G_TYPE_OBJECT)

static gboolean
is_busy (EarUpkeep *self)
{
  const EarPlayerState state = ear_player_get_state (self->player);

  return state == EAR_PLAYER_PLAYING || state == EAR_PLAYER_LOADING ||
         ear_refresher_get_refreshing (self->refresher);
}

static void
busy_changed_cb (EarUpkeep *self)
{
  if (self->is_copying && is_busy (self))
    ear_catalogue_stop_copying (self->catalogue);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarUpkeep) self = user_data;
  g_autoptr (GError) error = NULL;

  self->is_copying = FALSE;
  if (!ear_catalogue_copy_finish (EAR_CATALOGUE (source), result, &error) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      self->next_copy = g_get_monotonic_time () + COPY_PATIENCE;
      g_message ("There is no new copy of the catalogue: %s", error->message);
    }
}

static void
copy_if_due (EarUpkeep *self)
{
  const gint64 now = g_get_real_time ();
  const gint64 last = ear_catalogue_get_last_copy (self->catalogue) * G_USEC_PER_SEC;

  /* The clock has been set back since a copy that is dated in the future. */
  if (self->is_copying || is_busy (self) || g_get_monotonic_time () < self->next_copy ||
      (last <= now && now - last < COPY_INTERVAL))
    return;
  self->is_copying = TRUE;
  ear_catalogue_copy_async (self->catalogue, copied_cb, g_object_ref (self));
}

static void
backed_up_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarUpkeep) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EarBackup) backup =
      ear_userdata_store_back_up_finish (EAR_USERDATA_STORE (source), result, &error);

  self->is_backing_up = FALSE;
  self->next_backup = g_get_monotonic_time () + BACKUP_PATIENCE;
  if (backup == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_message ("There is no new backup: %s", error->message);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarUpkeep) self = user_data;
  g_autoptr (GPtrArray) backups =
      ear_userdata_store_list_backups_finish (EAR_USERDATA_STORE (source), result, NULL);
  const EarBackup *newest =
      backups != NULL && backups->len > 0 ? g_ptr_array_index (backups, 0) : NULL;
  const gint64 now = g_get_real_time ();
  const gint64 last = newest != NULL ? newest->made : 0;

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (last <= now && now - last < BACKUP_INTERVAL)
    {
      self->is_backing_up = FALSE;
      self->next_backup =
          g_get_monotonic_time () + MIN (last + BACKUP_INTERVAL - now, BACKUP_PATIENCE);
      return;
    }
  ear_userdata_store_back_up_async (self->state, EAR_BACKUP_DAILY, self->cancellable, backed_up_cb,
                                    g_object_ref (self));
}

static void
back_up_if_due (EarUpkeep *self)
{
  if (self->is_backing_up || g_get_monotonic_time () < self->next_backup)
    return;
  self->is_backing_up = TRUE;
  ear_userdata_store_list_backups_async (self->state, self->cancellable, listed_cb,
                                         g_object_ref (self));
}

static void
look_cb (gpointer user_data)
{
  EarUpkeep *self = EAR_UPKEEP (user_data);

  self->source = g_timeout_add_once (LATER_LOOKS * self->pause, look_cb, self);
  back_up_if_due (self);
  copy_if_due (self);
}

static void
ear_upkeep_dispose (GObject *object)
{
  EarUpkeep *self = EAR_UPKEEP (object);

  ear_upkeep_stop (self);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->state);
  g_clear_object (&self->player);
  g_clear_object (&self->refresher);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (ear_upkeep_parent_class)->dispose (object);
}

static void
ear_upkeep_class_init (EarUpkeepClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_upkeep_dispose;
}

static void
ear_upkeep_init (EarUpkeep *self)
{
  self->cancellable = g_cancellable_new ();
}

EarUpkeep *
ear_upkeep_new (EarCatalogue *catalogue, EarUserdataStore *state, EarPlayer *player,
                EarRefresher *refresher)
{
  EarUpkeep *self = g_object_new (EAR_TYPE_UPKEEP, NULL);

  self->catalogue = g_object_ref (catalogue);
  self->state = g_object_ref (state);
  self->player = g_object_ref (player);
  self->refresher = g_object_ref (refresher);
  g_signal_connect_object (player, "notify::state", G_CALLBACK (busy_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (refresher, "notify::refreshing", G_CALLBACK (busy_changed_cb), self,
                           G_CONNECT_SWAPPED);

  return self;
}

/* Starts the periodic checks.
 * @pause: milliseconds until the first check */
void
ear_upkeep_start (EarUpkeep *self, guint pause)
{
  g_return_if_fail (EAR_IS_UPKEEP (self));

  if (self->source != 0)
    return;
  self->pause = pause;
  self->source = g_timeout_add_once (pause, look_cb, self);
}

/* Starts no further copies. A copy in progress is canceled, or ends soon. */
void
ear_upkeep_stop (EarUpkeep *self)
{
  g_return_if_fail (EAR_IS_UPKEEP (self));

  g_clear_handle_id (&self->source, g_source_remove);
  g_cancellable_cancel (self->cancellable);
}
