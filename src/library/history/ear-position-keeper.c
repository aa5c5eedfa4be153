/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-position-keeper.h"

/* While playing, the position goes to a file of its own this often: what a power cut costs. */
#define SAVE_INTERVAL 5

/**
 * EarPositionKeeper:
 *
 * Sees to it that no place is ever lost: it follows the player and writes where the
 * listener is, every few seconds while playing and at once when that changes by hand.
 */
struct _EarPositionKeeper
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarCatalogue *catalogue;
  EarStateStore *state;
  EarEpisode *episode; /* the one whose playback we show */
  guint save_id;
};

G_DEFINE_FINAL_TYPE (EarPositionKeeper, ear_position_keeper, G_TYPE_OBJECT)

static EarPlayback
get_playback (EarPlayerState state)
{
  switch (state)
    {
    case EAR_PLAYER_LOADING:
      return EAR_PLAYBACK_LOADING;
    case EAR_PLAYER_PLAYING:
      return EAR_PLAYBACK_PLAYING;
    case EAR_PLAYER_EMPTY:
      return EAR_PLAYBACK_NONE;
    case EAR_PLAYER_PAUSED:
    case EAR_PLAYER_ENDED:
    case EAR_PLAYER_FAILED:
    default:
      return EAR_PLAYBACK_PAUSED;
    }
}

static void
keep (EarPositionKeeper *self, EarEpisode *episode, const EarEpisodeState *state)
{
  ear_catalogue_set_state (self->catalogue, episode, state);
  ear_state_store_set_episode (self->state, episode, state);
}

/* Only a position that playback has really reached is worth keeping: before the
 * restoring seek is done, the one that is stored is the better one. */
static gboolean
has_position (EarPositionKeeper *self)
{
  return self->episode != NULL && ear_player_get_restored (self->player) &&
         ear_player_get_state (self->player) != EAR_PLAYER_ENDED;
}

static void
save_now (EarPositionKeeper *self)
{
  if (has_position (self))
    {
      gint64 position = ear_player_get_position (self->player);

      ear_episode_set_position (self->episode, position);
      ear_state_store_set_now (self->state, self->episode, position);
    }
}

static gboolean
save_now_cb (gpointer user_data)
{
  save_now (user_data);

  return G_SOURCE_CONTINUE;
}

static void
update_timer (EarPositionKeeper *self)
{
  gboolean playing = ear_player_get_state (self->player) == EAR_PLAYER_PLAYING;

  if (playing && self->save_id == 0)
    self->save_id = g_timeout_add_seconds (SAVE_INTERVAL, save_now_cb, self);
  else if (!playing)
    g_clear_handle_id (&self->save_id, g_source_remove);
}

/* What the player changes at one stroke it tells in no order: each time it has to be looked first
 * whose state, place and length these are. */
static void
take_episode (EarPositionKeeper *self)
{
  EarEpisode *episode = ear_player_get_episode (self->player);

  if (self->episode == episode)
    return;
  if (self->episode != NULL)
    ear_episode_set_playback (self->episode, EAR_PLAYBACK_NONE);
  g_set_object (&self->episode, episode);
}

static void
state_changed_cb (EarPositionKeeper *self)
{
  EarPlayerState state = ear_player_get_state (self->player);

  take_episode (self);
  if (self->episode != NULL)
    ear_episode_set_playback (self->episode, get_playback (state));
  update_timer (self);
  /* Also the first moment counts: it tells which episode is played. */
  if (state == EAR_PLAYER_PLAYING)
    save_now (self);
  else if (state == EAR_PLAYER_PAUSED || state == EAR_PLAYER_FAILED)
    ear_position_keeper_save (self);
}

static void
seeked_cb (EarPositionKeeper *self)
{
  ear_position_keeper_save (self);
}

static void
duration_changed_cb (EarPositionKeeper *self)
{
  gint64 duration = ear_player_get_duration (self->player);

  take_episode (self);
  /* The media knows its length better than the feed does. */
  if (self->episode != NULL && duration > 0 && duration != ear_episode_get_duration (self->episode))
    {
      ear_episode_set_duration (self->episode, duration);
      ear_catalogue_set_duration (self->catalogue, self->episode, duration);
    }
}

static void
ended_cb (EarPositionKeeper *self)
{
  if (self->episode == NULL)
    return;

  /* The next time it starts at its beginning. */
  ear_position_keeper_set_position (self, self->episode, 0);
  ear_position_keeper_set_listened (self, self->episode, TRUE);
}

static void
ear_position_keeper_dispose (GObject *object)
{
  EarPositionKeeper *self = EAR_POSITION_KEEPER (object);

  g_clear_handle_id (&self->save_id, g_source_remove);
  if (self->player != NULL)
    g_signal_handlers_disconnect_by_data (self->player, self);
  g_clear_object (&self->player);
  g_clear_object (&self->catalogue);
  g_clear_object (&self->state);
  g_clear_object (&self->episode);

  G_OBJECT_CLASS (ear_position_keeper_parent_class)->dispose (object);
}

static void
ear_position_keeper_class_init (EarPositionKeeperClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_position_keeper_dispose;
}

static void
ear_position_keeper_init (EarPositionKeeper *self)
{
}

/**
 * ear_position_keeper_new:
 * @player: the player to follow
 * @catalogue: gets a copy of the state, for its filters
 * @state: keeps the state
 *
 * Returns: (transfer full): the keeper, at work
 */
EarPositionKeeper *
ear_position_keeper_new (EarPlayer *player, EarCatalogue *catalogue, EarStateStore *state)
{
  EarPositionKeeper *self = g_object_new (EAR_TYPE_POSITION_KEEPER, NULL);

  self->player = g_object_ref (player);
  self->catalogue = g_object_ref (catalogue);
  self->state = g_object_ref (state);
  g_signal_connect_swapped (player, "notify::state", G_CALLBACK (state_changed_cb), self);
  g_signal_connect_swapped (player, "notify::episode", G_CALLBACK (state_changed_cb), self);
  g_signal_connect_swapped (player, "notify::duration", G_CALLBACK (duration_changed_cb), self);
  g_signal_connect_swapped (player, "seeked", G_CALLBACK (seeked_cb), self);
  g_signal_connect_swapped (player, "ended", G_CALLBACK (ended_cb), self);

  return self;
}

/**
 * ear_position_keeper_save:
 * @self: the keeper
 *
 * Keeps where the player is now, if it has got anywhere, and that this is the episode
 * to begin with the next time. Called before another episode takes the player and
 * before the program ends.
 */
void
ear_position_keeper_save (EarPositionKeeper *self)
{
  gint64 position;

  g_return_if_fail (EAR_IS_POSITION_KEEPER (self));

  if (!has_position (self))
    return;

  position = ear_player_get_position (self->player);
  ear_position_keeper_set_position (self, self->episode, position);
  ear_state_store_set_now (self->state, self->episode, position);
}

/**
 * ear_position_keeper_set_position:
 * @self: the keeper
 * @episode: an episode
 * @position: where the listener is in it, in microseconds
 *
 * Keeps a position.
 */
void
ear_position_keeper_set_position (EarPositionKeeper *self, EarEpisode *episode, gint64 position)
{
  EarEpisodeState state = { .position = position, .position_updated = g_get_real_time () };

  g_return_if_fail (EAR_IS_POSITION_KEEPER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  ear_episode_set_position (episode, position);
  keep (self, episode, &state);
}

/**
 * ear_position_keeper_set_listened:
 * @self: the keeper
 * @episode: an episode
 * @listened: whether the listener has listened to it
 *
 * Keeps whether an episode was listened to. Its position stays, so that this can be
 * taken back.
 */
void
ear_position_keeper_set_listened (EarPositionKeeper *self, EarEpisode *episode, gboolean listened)
{
  EarEpisodeState state = { .listened = !!listened, .listened_updated = g_get_real_time () };

  g_return_if_fail (EAR_IS_POSITION_KEEPER (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  ear_episode_set_listened (episode, listened);
  keep (self, episode, &state);
}
