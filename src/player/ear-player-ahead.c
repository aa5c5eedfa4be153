/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-player-internal.h"

/* Opens the next episode during the last seconds of the current one, so that the
 * listener does not wait for its server and redirects. The pipeline is silent and
 * emits nothing. If it fails, the player opens the episode again in its turn and
 * reports the error then. */

static void
ignore (gpointer user_data)
{
}

static void
ignore_number (int number, gpointer user_data)
{
}

static void
ignore_length (gint64 length, gpointer user_data)
{
}

static void
keep_tags_cb (GPtrArray *tags, gpointer user_data)
{
  EarPlayer *self = user_data;

  if (self->ahead_tags == NULL || self->ahead_tags->len < tags->len)
    {
      g_clear_pointer (&self->ahead_tags, g_ptr_array_unref);
      self->ahead_tags = g_ptr_array_ref (tags);
    }
}

/* Keep the URI, so that the player does not retry ahead of time. */
static void
failed_cb (const GError *error, gpointer user_data)
{
  EarPlayer *self = user_data;

  g_debug ("what is next cannot be opened ahead: %s", error->message);
  g_clear_object (&self->ahead);
}

static const EarPipelineEvents events = {
  .ready = ignore,
  .sounding = ignore_number,
  .buffering = ignore_number,
  .changed = ignore,
  .tags = keep_tags_cb,
  .volume = ignore,
  .cut = ignore_length,
  .picture = ignore_number,
  .ended = ignore,
  .again = ignore,
  .unplugged = ignore,
  .failed = failed_cb,
};

void
ear_player_drop_ahead (EarPlayer *self)
{
  if (self->ahead != NULL)
    ear_pipeline_close (self->ahead);
  g_clear_object (&self->ahead);
  g_clear_pointer (&self->ahead_uri, g_free);
  g_clear_pointer (&self->ahead_tags, g_ptr_array_unref);
}

/* Takes over the pipeline if it is for the current URI. The pipeline
 * then emits @own_events.
 * Returns: (transfer full) (nullable): a silent pipeline that is opening or open */
EarPipeline *
ear_player_take_ahead (EarPlayer *self, const EarPipelineEvents *own_events)
{
  g_autoptr (EarPipeline) taken = NULL;

  /* The pipeline was opened without credentials. */
  if (self->ahead != NULL && g_strcmp0 (self->ahead_uri, self->uri) == 0 && self->user == NULL)
    {
      taken = g_steal_pointer (&self->ahead);
      ear_pipeline_set_events (taken, own_events, self);
      /* Two episodes may share one media file, whose tags are known already. */
      if (self->tags == NULL)
        self->tags = g_steal_pointer (&self->ahead_tags);
    }
  ear_player_drop_ahead (self);

  return g_steal_pointer (&taken);
}

/**
 * ear_player_set_next:
 * @self: a player
 * @path: (nullable) (type filename): the file to open next, as in
 *   [method@EarPlayer.open_file]
 * @address: (nullable): without @path, the web address to open next
 *
 * Opens the sound of the next episode in advance. The pipeline stays silent until the
 * episode is opened, and is dropped when the player pauses, or with neither @path nor
 * @address.
 */
void
ear_player_set_next (EarPlayer *self, const char *path, const char *address)
{
  g_autoptr (EarSource) source = NULL;
  g_autofree char *uri = NULL;

  g_return_if_fail (EAR_IS_PLAYER (self));
  g_return_if_fail (path == NULL || g_path_is_absolute (path));

  uri = path != NULL ? g_filename_to_uri (path, NULL, NULL) : g_strdup (address);
  if (g_strcmp0 (self->ahead_uri, uri) == 0)
    return;
  ear_player_drop_ahead (self);
  if (uri == NULL || (path == NULL && !ear_address_is_web (uri)))
    return;

  self->ahead_uri = g_steal_pointer (&uri);
  source = ear_source_new (self->ahead_uri, self->user_agent, self->timeout);
  self->ahead = ear_pipeline_new (source, &events, self);
  ear_pipeline_set_sink (self->ahead, self->make_sink, self->sink_owner);
  ear_player_arrange (self, self->ahead);
  ear_pipeline_open (self->ahead);
}
