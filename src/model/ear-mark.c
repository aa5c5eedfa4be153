/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-mark.h"

/* The members of EarEpisodeState are in the order of EarMark. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, position) ==
                 G_STRUCT_OFFSET (EarEpisodeState, values[EAR_MARK_POSITION]));
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, listened) ==
                 G_STRUCT_OFFSET (EarEpisodeState, values[EAR_MARK_LISTENED]));
G_STATIC_ASSERT (G_STRUCT_OFFSET (EarEpisodeState, position_updated) ==
                 G_STRUCT_OFFSET (EarEpisodeState, updated));
G_STATIC_ASSERT (sizeof (EarEpisodeState) == 2 * EAR_N_MARKS * sizeof (gint64));

/* The highest integer that all JSON readers represent exactly */
#define HIGHEST_PLACE ((G_GINT64_CONSTANT (1) << 53) - 1)

/* A further mark needs a line here, and its names in the header. The column of its stamp has
 * its name and "_updated". */
const EarValueType ear_mark_types[EAR_N_MARKS] = {
  [EAR_MARK_POSITION] = { "position", EAR_VALUE_SECONDS, 0, EAR_POSITION_LIMIT },
  [EAR_MARK_LISTENED] = { "listened", EAR_VALUE_FLAG, FALSE, TRUE },
  [EAR_MARK_LIKED] = { "liked", EAR_VALUE_FLAG, FALSE, TRUE },
  [EAR_MARK_SHIFT] = { "shift", EAR_VALUE_SECONDS, -EAR_POSITION_LIMIT, EAR_POSITION_LIMIT },
  [EAR_MARK_QUEUED] = { "queued", EAR_VALUE_PLACE, 0, HIGHEST_PLACE },
  /* State files and the catalogue have always used this name: older versions
   * read them, too. */
  [EAR_MARK_REMOVED] = { "archived", EAR_VALUE_FLAG, FALSE, TRUE },
};

gint64
ear_mark_bound (EarMark mark, gint64 value)
{
  const EarValueType *type = &ear_mark_types[mark];

  return type->kind == EAR_VALUE_FLAG ? !!value : CLAMP (value, type->lowest, type->highest);
}

/* Returns: a state with this mark, set by the listener now */
EarEpisodeState
ear_episode_state_new_mark (EarMark mark, gint64 value)
{
  EarEpisodeState self = { 0 };

  self.values[mark] = ear_mark_bound (mark, value);
  self.updated[mark] = g_get_real_time ();

  return self;
}

/* Returns: %TRUE if no mark has a stamp */
gboolean
ear_episode_state_is_empty (const EarEpisodeState *self)
{
  return ear_episode_state_get_latest (self) == 0;
}

EarMark
ear_episode_state_find_mark (const EarEpisodeState *self)
{
  for (guint i = 0; i < EAR_N_MARKS; i++)
    if (self->updated[i] != 0)
      return (EarMark) i;

  g_return_val_if_reached (EAR_MARK_POSITION);
}

/* Returns: the latest of its stamps, 0 if there is none */
gint64
ear_episode_state_get_latest (const EarEpisodeState *self)
{
  gint64 latest = 0;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    latest = MAX (latest, self->updated[i]);

  return latest;
}

EarDownloadMark *
ear_download_mark_new (gint64 podcast, const char *guid, EarDownloadKind kind, gint64 place)
{
  EarDownloadMark *self = g_new0 (EarDownloadMark, 1);

  self->podcast = podcast;
  self->guid = g_strdup (guid);
  self->kind = kind;
  self->place = kind == EAR_DOWNLOAD_KIND_WANTED ? place : 0;

  return self;
}

static EAR_DEFINE_TEXTS_FREE (EarDownloadMark, download_mark_free, guid)

GPtrArray *
ear_download_mark_new_array (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) download_mark_free);
}

/* --- Marks on their way to the state files ------------------------------------------- */

/* The texts are in blocks, as there may be hundreds of thousands; those of one episode
 * need one block. */
#define BLOCK_SIZE 1024

static void
podcast_free (gpointer data)
{
  EarMarkedPodcast *podcast = data;

  g_array_unref (podcast->episodes);
  g_free (podcast);
}

static void
marks_clear (EarMarks *self)
{
  g_array_unref (self->ids);
  g_ptr_array_unref (self->podcasts);
  g_string_chunk_free (self->texts);
}

/* @state: the marks of each episode
 * @updated: time of the change, Unix microseconds; 0: elsewhere, only the stamps count
 * Returns: (transfer full): marks without episodes yet */
EarMarks *
ear_marks_new (const EarEpisodeState *state, gint64 updated)
{
  EarMarks *self = g_atomic_rc_box_new0 (EarMarks);

  self->state = *state;
  self->updated = updated;
  self->ids = ear_ids_new ();
  self->podcasts = g_ptr_array_new_with_free_func (podcast_free);
  self->texts = g_string_chunk_new (BLOCK_SIZE);

  return self;
}

EAR_DEFINE_REF_COUNTED (EarMarks, ear_marks, marks_clear)

static const char *
keep (EarMarks *self, const char *text)
{
  return text != NULL ? g_string_chunk_insert (self->texts, text) : NULL;
}

/* Begins a podcast, to which the next added episodes belong.
 * @address: address that it was first followed at */
void
ear_marks_add_podcast (EarMarks *self, const char *address, const char *feed_address,
                       const char *title)
{
  EarMarkedPodcast *marked = g_new0 (EarMarkedPodcast, 1);

  marked->address = keep (self, address);
  marked->feed_address = keep (self, feed_address);
  marked->title = keep (self, title);
  marked->episodes = g_array_new (FALSE, FALSE, sizeof (EarMarkedEpisode));
  g_ptr_array_add (self->podcasts, marked);
}

/* Adds an episode of the podcast added last.
 * @episode: description of the episode; copied */
void
ear_marks_add (EarMarks *self, gint64 id, EarMarkedEpisode episode)
{
  EarMarkedPodcast *marked = g_ptr_array_index (self->podcasts, self->podcasts->len - 1);

  episode.guid = keep (self, episode.guid);
  episode.alias = keep (self, episode.alias);
  episode.title = keep (self, episode.title);
  episode.enclosure = keep (self, episode.enclosure);
  g_array_append_val (marked->episodes, episode);
  g_array_append_val (self->ids, id);
}

/* @address: address that the podcast was first followed at
 * Returns: (transfer full): marks from elsewhere of an episode that may have no row */
EarMarks *
ear_marks_new_single (const char *address, const char *guid, const EarEpisodeState *state)
{
  EarMarks *self = ear_marks_new (state, 0);

  ear_marks_add_podcast (self, address, NULL, NULL);
  ear_marks_add (self, 0, (EarMarkedEpisode) { .guid = guid });

  return self;
}

/* Returns: (transfer none): the first podcast */
const EarMarkedPodcast *
ear_marks_get_podcast (const EarMarks *self)
{
  return g_ptr_array_index (self->podcasts, 0);
}

/* Returns: (transfer none): the first episode of the first podcast */
const EarMarkedEpisode *
ear_marks_get_episode (const EarMarks *self)
{
  return &g_array_index (ear_marks_get_podcast (self)->episodes, EarMarkedEpisode, 0);
}
