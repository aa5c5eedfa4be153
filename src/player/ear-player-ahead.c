/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-address.h"
#include "ear-player-internal.h"

/*
 * What is to be heard next, opened while the last seconds of what plays are heard, so that nobody waits between the two for servers
 * that lead from one to the other. It waits in silence, and nothing is told of it: what cannot be had is opened anew when its
 * turn comes, and the listener hears then why not.
 */

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

/* Not tried again before its turn: its address is kept. */
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

/* Lets go of it. */
void
ear_player_drop_ahead (EarPlayer *self)
{
  if (self->ahead != NULL)
    ear_pipeline_close (self->ahead);
  g_clear_object (&self->ahead);
  g_clear_pointer (&self->ahead_uri, g_free);
  g_clear_pointer (&self->ahead_tags, g_ptr_array_unref);
}

/* Takes over what was opened ahead, if that is what is to be played; it tells what happens from now on.
 * Returns: (transfer full) (nullable): a pipeline that is being opened, or is open, and silent */
EarPipeline *
ear_player_take_ahead (EarPlayer *self, const EarPipelineEvents *own_events)
{
  g_autoptr (EarPipeline) taken = NULL;

  /* Whose server asks for a name and a password was opened without. */
  if (self->ahead != NULL && g_strcmp0 (self->ahead_uri, self->uri) == 0 && self->user == NULL)
    {
      taken = g_steal_pointer (&self->ahead);
      ear_pipeline_set_events (taken, own_events, self);
      /* Two episodes may have the same sound, of which more is known already. */
      if (self->tags == NULL)
        self->tags = g_steal_pointer (&self->ahead_tags);
    }
  ear_player_drop_ahead (self);

  return g_steal_pointer (&taken);
}

/**
 * ear_player_set_next:
 * @self: a player
 * @path: (nullable) (type filename): what will be opened next, as in [method@EarPlayer.open_file]
 * @address: (nullable): without @path, its web address
 *
 * Begins to fetch what will be played next, which waits in silence until it is opened, or the player pauses; only its sound. With
 * neither @path nor @address, what was to be next is not any more.
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
