/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library that can be taken back: marking, liking, unfollowing. */

#include "ear-library-private.h"

#include <glib/gi18n-lib.h>

/* --- Marks ---------------------------------------------------------------------------- */

/* What was marked, for taking it back: exactly those episodes that were otherwise before. */
typedef struct
{
  EarLibrary *library;
  EarMarks *marks;
} Marking;

static gboolean
is_liking (const EarMarks *marks)
{
  return marks->state.liked_updated != 0;
}

static void
marking_free (gpointer data)
{
  Marking *marking = data;

  g_object_unref (marking->library);
  ear_marks_unref (marking->marks);
  g_free (marking);
}

/* The files get what the catalogue has, on their own thread. */
static EarMarks *
finish_marking (EarLibrary *self, GObject *source, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EarMarks) marks = ear_catalogue_mark_finish (EAR_CATALOGUE (source), result, &error);

  if (marks == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
        ear_notices_give (self->notices, _("The episodes could not be marked. Is the disk full?"), TRUE);
      return NULL;
    }
  if (marks->ids->len == 0 || self->state == NULL)
    return NULL;
  ear_state_store_set_marks (self->state, marks);

  return g_steal_pointer (&marks);
}

static void
taken_back_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EarLibrary) self = user_data;
  g_autoptr (EarMarks) marks = finish_marking (self, source, result);
}

static void
take_marking_back (gpointer user_data)
{
  Marking *marking = user_data;
  EarLibrary *self = marking->library;

  if (self->catalogue == NULL)
    return;
  if (is_liking (marking->marks))
    ear_catalogue_like_async (self->catalogue, marking->marks->ids, !marking->marks->state.liked, taken_back_cb, g_object_ref (self));
  else
    ear_catalogue_mark_async (self->catalogue, marking->marks->ids, NULL, !marking->marks->state.listened, taken_back_cb,
                              g_object_ref (self));
}

static char *
describe_liking (guint n, gboolean liked)
{
  if (liked)
    /* Translators: %u is how many episodes the listener likes since just now. */
    return g_strdup_printf (ngettext ("%'u episode liked", "%'u episodes liked", n), n);

  /* Translators: %u is how many episodes the listener has just said not to like any more. */
  return g_strdup_printf (ngettext ("%'u episode no longer liked", "%'u episodes no longer liked", n), n);
}

static char *
describe_marks (const EarMarks *marks)
{
  const guint n = marks->ids->len;

  if (is_liking (marks))
    return describe_liking (n, marks->state.liked);
  if (marks->state.listened)
    /* Translators: %u is how many episodes the listener has just marked. */
    return g_strdup_printf (ngettext ("%'u episode marked as played", "%'u episodes marked as played", n), n);

  /* Translators: %u is how many episodes the listener has just marked. */
  return g_strdup_printf (ngettext ("%'u episode marked as unplayed", "%'u episodes marked as unplayed", n), n);
}

/* What is being marked */
typedef struct
{
  EarLibrary *library;
  EarChange *change;
} Asking;

static Asking *
asking_new (EarLibrary *library)
{
  Asking *asking = g_new0 (Asking, 1);

  asking->library = g_object_ref (library);
  asking->change = ear_notices_begin_change (library->notices);

  return asking;
}

static void
asking_free (Asking *asking)
{
  ear_change_end (asking->change);
  g_object_unref (asking->library);
  g_free (asking);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Asking, asking_free)

static void
offer_marking_back (Asking *asking, EarMarks *marks)
{
  g_autofree char *message = describe_marks (marks);
  g_autoptr (EarUndo) undo = NULL;
  Marking *marking = g_new0 (Marking, 1);

  marking->library = g_object_ref (asking->library);
  marking->marks = marks;
  undo = ear_undo_new (message, take_marking_back, marking, marking_free);
  ear_change_offer_back (asking->change, undo);
}

static void
marked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Asking) asking = user_data;
  EarMarks *marks = finish_marking (asking->library, source, result);

  if (marks != NULL)
    offer_marking_back (asking, marks);
}

/**
 * ear_library_mark_listened:
 * @self: the library
 * @ids: (element-type gint64): row ids of episodes; not changed any more by anybody
 * @older_than: (nullable): only those of them that are older than this one
 * @listened: whether the listener has listened to them
 *
 * Marks episodes as listened, or not. Their positions stay. What that changed can be taken
 * back: see [signal@EarNotices::undo-offered].
 */
void
ear_library_mark_listened (EarLibrary *self, GArray *ids, EarEpisode *older_than, gboolean listened)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (ids != NULL);

  if (self->catalogue != NULL && ids->len > 0)
    ear_catalogue_mark_async (self->catalogue, ids, older_than, listened, marked_cb, asking_new (self));
}

/**
 * ear_library_like_many:
 * @self: the library
 * @ids: (element-type gint64): row ids of episodes; not changed any more by anybody
 * @liked: whether the listener likes them
 *
 * Keeps whether the listener likes episodes. What that changed can be taken back.
 */
void
ear_library_like_many (EarLibrary *self, GArray *ids, gboolean liked)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (ids != NULL);

  if (self->catalogue != NULL && ids->len > 0)
    ear_catalogue_like_async (self->catalogue, ids, liked, marked_cb, asking_new (self));
}

/**
 * ear_library_mark_query_listened:
 * @self: the library
 * @query: which episodes
 * @older_than: (nullable): only those that are older than this one
 * @listened: whether the listener has listened to them
 *
 * Marks all episodes that a query finds, as [method@EarLibrary.mark_listened] does. However
 * many there are, the main thread does not wait. A search may find more than a list of it shows.
 */
void
ear_library_mark_query_listened (EarLibrary *self, const EarEpisodeQuery *query, EarEpisode *older_than, gboolean listened)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (query != NULL);

  if (self->catalogue != NULL)
    ear_catalogue_mark_query_async (self->catalogue, query, older_than, listened, marked_cb, asking_new (self));
}

/* --- One episode ---------------------------------------------------------------------- */

typedef struct
{
  EarLibrary *library;
  EarEpisode *episode;
  gboolean value; /* what was set */
} Mark;

static void
mark_free (gpointer data)
{
  Mark *mark = data;

  g_object_unref (mark->library);
  g_object_unref (mark->episode);
  g_free (mark);
}

/* Without words: the mark itself says it. */
static void
offer_unmarking (EarLibrary *self, EarEpisode *episode, gboolean value, EarUndoFunc take_back)
{
  g_autoptr (EarUndo) undo = NULL;
  Mark *mark = g_new0 (Mark, 1);

  mark->library = g_object_ref (self);
  mark->episode = g_object_ref (episode);
  mark->value = value;
  undo = ear_undo_new (NULL, take_back, mark, mark_free);
  ear_notices_offer_undo (self->notices, undo);
}

static void
take_listened_back (gpointer user_data)
{
  const Mark *mark = user_data;

  if (mark->library->keeper != NULL)
    ear_position_keeper_set_listened (mark->library->keeper, mark->episode, !mark->value);
}

/**
 * ear_library_set_listened:
 * @self: the library
 * @episode: an episode
 * @listened: whether the listener has listened to it
 *
 * Marks an episode as listened, or not. Its position stays. That can be taken back.
 */
void
ear_library_set_listened (EarLibrary *self, EarEpisode *episode, gboolean listened)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (self->keeper == NULL || !ear_episode_get_listened (episode) == !listened)
    return;
  ear_position_keeper_set_listened (self->keeper, episode, listened);
  offer_unmarking (self, episode, listened, take_listened_back);
}

static void
keep_liked (EarLibrary *self, EarEpisode *episode, gboolean liked)
{
  EarEpisodeState state = { .liked = !!liked, .liked_updated = g_get_real_time () };

  if (self->catalogue == NULL || self->state == NULL)
    return;
  ear_catalogue_set_state (self->catalogue, episode, &state);
  ear_state_store_set_episode (self->state, episode, &state);
}

static void
take_liking_back (gpointer user_data)
{
  const Mark *mark = user_data;

  keep_liked (mark->library, mark->episode, !mark->value);
}

/**
 * ear_library_set_liked:
 * @self: the library
 * @episode: an episode
 * @liked: whether the listener likes it
 *
 * Keeps whether the listener likes an episode. That can be taken back.
 */
void
ear_library_set_liked (EarLibrary *self, EarEpisode *episode, gboolean liked)
{
  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_EPISODE (episode));

  if (!ear_episode_get_liked (episode) == !liked)
    return;
  keep_liked (self, episode, liked);
  offer_unmarking (self, episode, liked, take_liking_back);
}

/* --- Unfollowing ---------------------------------------------------------------------- */

typedef struct
{
  EarLibrary *library;
  EarPodcast *podcast;
  EarEpisode *episode; /* (nullable): what was in the player */
} Unfollowing;

static void
unfollowing_free (gpointer data)
{
  Unfollowing *unfollowing = data;

  g_object_unref (unfollowing->library);
  g_object_unref (unfollowing->podcast);
  g_clear_object (&unfollowing->episode);
  g_free (unfollowing);
}

/* Also what was in the player is there again, silent and where it was; or as soon as it was fetched, where
 * so much time has passed that nothing of the podcast was left. */
static void
take_unfollowing_back (gpointer user_data)
{
  const Unfollowing *unfollowing = user_data;
  EarLibrary *self = unfollowing->library;
  EarEpisode *episode = unfollowing->episode;
  EarPodcast *podcast;

  if (self->subscriptions == NULL)
    return;
  podcast = ear_subscriptions_follow_again (self->subscriptions, ear_podcast_get_address (unfollowing->podcast),
                                            ear_podcast_get_title (unfollowing->podcast));
  if (episode == NULL || self->keeper == NULL || ear_player_get_episode (self->player) != NULL)
    return;
  if (podcast != unfollowing->podcast)
    {
      g_set_str (&self->last_address, ear_podcast_get_address (unfollowing->podcast));
      g_set_str (&self->last_guid, ear_episode_get_guid (episode));
      self->last_position = ear_episode_get_position (episode);
      return;
    }
  ear_play_order_set (self->order, NULL, episode);
  ear_library_open_media (self, episode, ear_episode_get_position (episode));
}

/**
 * ear_library_unfollow:
 * @self: the library
 * @podcast: a followed podcast
 *
 * Unfollows a podcast. That can be taken back, and brings everything back as it was.
 */
void
ear_library_unfollow (EarLibrary *self, EarPodcast *podcast)
{
  const char *title;
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;
  Unfollowing *unfollowing;
  EarEpisode *episode;

  g_return_if_fail (EAR_IS_LIBRARY (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  title = ear_podcast_get_title (podcast);
  /* Translators: %s is the title of a podcast. */
  message = g_strdup_printf (_("Unfollowed “%s”"), title != NULL ? title : ear_podcast_get_address (podcast));
  episode = ear_player_get_episode (self->player);
  unfollowing = g_new0 (Unfollowing, 1);
  unfollowing->library = g_object_ref (self);
  unfollowing->podcast = g_object_ref (podcast);
  if (episode != NULL && ear_episode_get_podcast (episode) == podcast)
    unfollowing->episode = g_object_ref (episode);
  undo = ear_undo_new (message, take_unfollowing_back, unfollowing, unfollowing_free);
  ear_subscriptions_unfollow (self->subscriptions, podcast);
  ear_notices_offer_undo (self->notices, undo);
}
