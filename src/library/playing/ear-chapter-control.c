/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapter-control.h"

#include <glib/gi18n.h>
#include <string.h>

#include "ear-address.h"
#include "ear-property.h"

/* Within this time of a chapter's start, Previous goes to the chapter before. */
#define BEGINNING (3 * G_TIME_SPAN_SECOND)

/* Skipping the last chapter seeks to this time before the end, so that the end is reached
 * as usual. */
#define BEFORE_END (G_TIME_SPAN_SECOND / 4)

/* Maximum time played after a chapter was skipped for Undo to return into it */
#define WAY_BACK (10 * G_TIME_SPAN_SECOND)

/* The chapters of the current episode: the current one, going to others, and those that
 * the listener always skips in a podcast, by title, each of which is a record. Main
 * thread only.
 * Chapters are only skipped when playback runs into them; one that the listener goes to
 * is played. */
struct _EarChapterControl
{
  EAR_PART_MEMBERS;

  /* Owned */
  EarChapterFinder *finder;
  EarRecords *skipped;
  GPtrArray *chapters; /* (element-type EarChapter) */
  char *title; /* (nullable): of the current chapter */
  char *image; /* (nullable): URL of the current chapter's picture */
  int last; /* index of the last chapter that has begun; -1: none */
  int current; /* @last; -1 after the end of a skipped one, where no chapter plays. After the
                * end of any other chapter, that one stays current until the next begins. */
  gint64 seen; /* last position seen or skipped to, in microseconds; -1: none */
  gint64 chosen; /* last position the listener went to in this episode; -1: none */
  gboolean unseen; /* the position was not checked since the chapters were loaded */
  gboolean has_next;
  gboolean has_previous;
};

G_DEFINE_FINAL_TYPE (EarChapterControl, ear_chapter_control, EAR_TYPE_PART)

/* Returns: the start of the current chapter, which must exist */
static gint64
get_start (EarChapterControl *self)
{
  return ear_chapters_get (self->chapters, (guint) self->current)->start;
}

static gboolean
is_skipped (EarChapterControl *self, guint index)
{
  const EarChapter *chapter = ear_chapters_get (self->chapters, index);
  EarPodcast *podcast = ear_episode_get_podcast (ear_player_get_episode (self->player));

  return chapter->title != NULL && ear_chapter_control_skips (self, podcast, chapter->title);
}

static gint64
find_end (EarChapterControl *self, int index)
{
  return ear_chapters_get_end (self->chapters, (guint) index,
                               ear_player_get_duration (self->player));
}

static void
update_current (EarChapterControl *self)
{
  const gboolean playing = ear_player_get_episode (self->player) != NULL;
  const gint64 position = ear_player_get_position (self->player);
  const int count = (int) self->chapters->len;
  const int last = playing ? ear_chapters_find (self->chapters, position) : -1;
  const gint64 chapter_end = last >= 0 ? find_end (self, last) : -1;
  const gboolean is_over = chapter_end >= 0 && position >= chapter_end;
  const int current = is_over && is_skipped (self, (guint) last) ? -1 : last;
  const EarChapter *chapter =
      current >= 0 ? ear_chapters_get (self->chapters, (guint) current) : NULL;

  self->last = last;
  self->current = current;
  g_object_freeze_notify (G_OBJECT (self));
  ear_property_set_string (self, "title", chapter != NULL ? chapter->title : NULL);
  ear_property_set_string (self, "image", chapter != NULL ? chapter->image : NULL);
  ear_property_set_boolean (self, "has-next", playing && last + 1 < count);
  ear_property_set_boolean (self, "has-previous", playing && last >= 0);
  g_object_thaw_notify (G_OBJECT (self));
}

/* @address: URL of the podcast
 * @title: a chapter title, not case-sensitive; empty for the beginning of all such ids
 * Returns: (transfer full): the id of the record that marks such chapters as skipped */
static char *
dup_record (const char *address, const char *title)
{
  g_autofree char *hash = ear_address_hash (address, NULL);
  g_autofree char *normal = g_utf8_normalize (title, -1, G_NORMALIZE_ALL_COMPOSE);
  g_autofree char *folded = g_utf8_casefold (normal != NULL ? normal : title, -1);

  return g_strconcat (hash, "/", folded, NULL);
}

/* Seeks to the end of the chapter @index and of skipped chapters that follow it.
 * @titles: (nullable): receives their titles
 * Returns: the new position in microseconds; -1 if the end is unknown, without a seek */
static gint64
skip_chapters (EarChapterControl *self, guint index, GString *titles)
{
  const gint64 duration = ear_player_get_duration (self->player);
  gint64 position;

  for (; index + 1 < self->chapters->len && is_skipped (self, index + 1) &&
         ear_chapters_get (self->chapters, index + 1)->start == find_end (self, (int) index);
       index++)
    {
      const char *title = ear_chapters_get (self->chapters, index + 1)->title;

      if (titles != NULL && !g_str_equal (title, ear_chapters_get (self->chapters, index)->title))
        g_string_append_printf (titles, ", %s", title);
    }
  position = find_end (self, (int) index);
  if (position < 0)
    return -1;

  if (duration > 0)
    position = MIN (position, duration - BEFORE_END);
  g_signal_emit_by_name (self, "skipping", get_start (self), position);
  ear_player_seek_unasked (self->player, position);

  return position;
}

static void
position_changed_cb (EarChapterControl *self)
{
  const gint64 position = ear_player_get_position (self->player);
  g_autoptr (GString) titles = NULL;
  gint64 seen;

  update_current (self);
  if (ear_player_get_jumping (self->player))
    {
      self->seen = position;
      return;
    }
  if (ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;
  /* A chapter is skipped if playback has run into it, or has just begun. The distance from
   * the last position is no criterion, as long silence may be trimmed. If the chapters are
   * loaded after playback began, only the listener's seeks count. */
  seen = self->unseen ? self->chosen : self->seen;
  self->seen = position;
  self->unseen = FALSE;
  if (self->current < 0 || !is_skipped (self, (guint) self->current) ||
      seen >= get_start (self) || !ear_player_get_jumps_fast (self->player))
    return;

  titles = g_string_new (self->title);
  if (skip_chapters (self, (guint) self->current, titles) < 0)
    return;
  /* Translators: %s is the title of a chapter, such as "Advertising", or of adjacent ones */
  ear_notices_add (self->notices, FALSE, _("“%s” was skipped"), titles->str);
}

static void
chapters_changed_cb (EarChapterControl *self)
{
  self->unseen = TRUE;
  g_object_freeze_notify (G_OBJECT (self));
  g_ptr_array_unref (self->chapters);
  self->chapters = g_ptr_array_ref (ear_chapter_finder_get_chapters (self->finder));
  ear_notify (self, "chapters");
  update_current (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/* Treats the episode in the player as if it had just been opened. */
void
ear_chapter_control_begin_anew (EarChapterControl *self)
{
  self->seen = self->chosen = -1;
  self->unseen = TRUE;
}

static void
episode_changed_cb (EarChapterControl *self)
{
  ear_chapter_control_begin_anew (self);
  ear_chapter_finder_set_episode (self->finder, ear_player_get_episode (self->player));
  ear_chapter_finder_read_notes (self->finder);
  update_current (self);
}

static void
tags_changed_cb (EarChapterControl *self)
{
  ear_chapter_finder_set_tags (self->finder, ear_player_get_tags (self->player));
}

static void
ear_chapter_control_release (EarChapterControl *self)
{
  g_clear_object (&self->skipped);
  g_clear_object (&self->finder);
}

static void
ear_chapter_control_class_init (EarChapterControlClass *klass)
{
  const EarProperty properties[] = {
    EAR_READABLE (EarChapterControl, chapters, G_TYPE_PTR_ARRAY),
    EAR_READABLE (EarChapterControl, title, G_TYPE_STRING),
    EAR_READABLE (EarChapterControl, image, G_TYPE_STRING),
    EAR_READABLE (EarChapterControl, has_next, G_TYPE_BOOLEAN),
    /* Whether a chapter has begun that Previous can go back to */
    EAR_READABLE (EarChapterControl, has_previous, G_TYPE_BOOLEAN),
  };

  ear_class_set_release (klass, ear_chapter_control_release);
  ear_class_add_properties (klass, properties);

  /* The set of skipped chapters has changed. */
  ear_signal_new (klass, "skips-changed", 0);
  /* Skipped chapters are about to be passed: the start of the first one and the new
   * position, in microseconds. */
  ear_signal_new (klass, "skipping", 2, G_TYPE_INT64, G_TYPE_INT64);
  /* The listener went to a chapter, or to the start of the current one: its index. */
  ear_signal_new (klass, "moved", 1, G_TYPE_UINT);
}

static void
ear_chapter_control_init (EarChapterControl *self)
{
  self->chapters = ear_chapters_new ();
  self->last = self->current = -1;
  self->seen = self->chosen = -1;
}

static void
records_changed_cb (EarChapterControl *self)
{
  update_current (self);
  g_signal_emit_by_name (self, "skips-changed");
}

/* Records the current position as chosen by the listener, so that its chapter is
 * played. */
void
ear_chapter_control_set_chosen (EarChapterControl *self)
{
  self->chosen = ear_player_get_position (self->player);
}

EarChapterControl *
ear_chapter_control_new (const EarServices *services)
{
  EarChapterControl *self = ear_part_new (EAR_TYPE_CHAPTER_CONTROL, services);

  self->finder = ear_chapter_finder_new (services);
  self->skipped = ear_records_new (services->state, EAR_RECORD_CHAPTER);
  ear_connect (self->finder, "notify::chapters", chapters_changed_cb, self);
  ear_connect (self->skipped, "changed", records_changed_cb, self);
  g_object_connect (self->player,
                    "swapped-object-signal::notify::episode", episode_changed_cb, self,
                    "swapped-object-signal::notify::position", position_changed_cb, self,
                    "swapped-object-signal::seeked", ear_chapter_control_set_chosen, self,
                    "swapped-object-signal::tags-changed", tags_changed_cb, self, NULL);
  if (ear_player_get_episode (self->player) != NULL)
    episode_changed_cb (self);

  return self;
}

EAR_DEFINE_GET (EarChapterControl, ear_chapter_control, GPtrArray *, chapters)
EAR_DEFINE_GET (EarChapterControl, ear_chapter_control, const char *, title)

static gboolean
go_to (EarChapterControl *self, int index)
{
  if (index < 0 || index >= (int) self->chapters->len)
    return FALSE;

  ear_player_seek (self->player, ear_chapters_get (self->chapters, (guint) index)->start);
  g_signal_emit_by_name (self, "moved", (guint) index);

  return TRUE;
}

/* Goes to the next chapter.
 * Returns: whether there was one */
gboolean
ear_chapter_control_next (EarChapterControl *self)
{
  return ear_player_get_episode (self->player) != NULL && go_to (self, self->last + 1);
}

/* Goes to the start of the current chapter or, near that, to the previous one; in the
 * first one, to the beginning of the episode.
 * Returns: whether there was something to go back to */
gboolean
ear_chapter_control_previous (EarChapterControl *self)
{
  const gint64 position = ear_player_get_position (self->player);
  gboolean begins_later;

  if (self->last < 0)
    return FALSE;
  /* After the end of a skipped chapter, back to that end */
  if (self->current < 0 && position - find_end (self, self->last) >= BEGINNING)
    {
      ear_player_seek (self->player, find_end (self, self->last));
      return TRUE;
    }
  if (self->current < 0 || position - get_start (self) >= BEGINNING)
    return go_to (self, self->last);
  if (self->current > 0)
    return go_to (self, self->current - 1);

  begins_later = get_start (self) > 0;
  ear_player_seek (self->player, 0);

  return begins_later;
}

/* Returns: whether chapters with that title are skipped in all episodes of the podcast */
gboolean
ear_chapter_control_skips (EarChapterControl *self, EarPodcast *podcast, const char *title)
{
  g_autofree char *record = dup_record (ear_podcast_get_address (podcast), title);

  return ear_records_lookup (self->skipped, record) != NULL;
}

/* Data of Undo for a chapter that was skipped at once */
typedef struct
{
  EarUndo *undo; /* of the record */
  EarEpisode *episode;
  gint64 from; /* position before it was skipped, in microseconds */
  gint64 to;   /* position after that */
} Skip;

static void
skip_free (gpointer data)
{
  Skip *skip = data;

  g_object_unref (skip->undo);
  g_object_unref (skip->episode);
  g_free (skip);
}

/* Returns into the chapter only if little was played since, which would have to be heard
 * again. */
static void
undo_skip (gpointer owner, gpointer data)
{
  EarChapterControl *self = EAR_CHAPTER_CONTROL (owner);
  const Skip *skip = data;
  const gint64 since = ear_player_get_position (self->player) - skip->to;

  ear_undo_run (skip->undo);
  if (ear_player_get_episode (self->player) == skip->episode && ABS (since) < WAY_BACK)
    ear_player_seek (self->player, skip->from);
}

/* Sets whether chapters are skipped, with Undo. A matching current chapter is skipped at
 * once. */
void
ear_chapter_control_set_skips (EarChapterControl *self, EarPodcast *podcast, const char *title,
                               gboolean skips)
{
  g_autofree char *record = dup_record (ear_podcast_get_address (podcast), title);
  const gint64 from = ear_player_get_position (self->player);
  const gboolean heard = self->current >= 0 && !is_skipped (self, (guint) self->current);
  g_autofree char *message = NULL;
  EarUndo *undo;
  gint64 to = -1;
  Skip *skip;

  if (ear_chapter_control_skips (self, podcast, title) == skips)
    return;

  message = g_strdup_printf (
      skips
          /* Translators: %s is the title of a chapter, such as "Advertising" */
          ? _("“%s” will always be skipped in this podcast")
          /* Translators: %s is the title of a chapter that was skipped in a podcast */
          : _("“%s” will no longer be skipped"),
      title);
  /* Only the id of the record is looked up; its value helps people who read the file. */
  undo = ear_records_change_one (
      self->skipped, record,
      skips ? g_variant_new_parsed ("{'podcast': <%s>, 'title': <%s>}",
                                    ear_podcast_get_name (podcast), title)
            : NULL,
      message);
  /* The current chapter is skipped at once, as the listener has just chosen never to hear it.
   * A chapter that is over is no longer current now that it is skipped. */
  if (heard && self->current >= 0 && is_skipped (self, (guint) self->current) &&
      ear_player_get_jumps_fast (self->player))
    to = skip_chapters (self, (guint) self->current, NULL);
  if (to < 0)
    {
      ear_notices_offer_undo (self->notices, undo);
      return;
    }
  skip = g_new (Skip, 1);
  *skip = (Skip) { undo, g_object_ref (ear_player_get_episode (self->player)), from, to };
  ear_notices_offer (self->notices, message, undo_skip, self, skip, skip_free);
}

/* Skips in one podcast what the listener skips in another one with the same episodes. The records
 * of the other podcast stay: Undo of a merge follows it again.
 * @from, @to: addresses of the podcasts */
void
ear_chapter_control_copy_skipped (EarChapterControl *self, const char *from, const char *to)
{
  g_autofree char *prefix = dup_record (from, "");
  g_autoptr (GPtrArray) records = ear_records_new_array ();
  GHashTableIter iter;
  gpointer id, value;

  g_hash_table_iter_init (&iter, ear_records_get_values (self->skipped));
  while (g_hash_table_iter_next (&iter, &id, &value))
    if (g_str_has_prefix (id, prefix))
      {
        g_autofree char *copied = dup_record (to, (const char *) id + strlen (prefix));

        g_ptr_array_add (records, ear_record_new (copied, value, 0));
      }
  ear_records_set_all (self->skipped, records);
}
