/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-chapter-control.h"

#include <glib/gi18n.h>

#include "ear-address.h"
#include "ear-property.h"

/* Who goes back this soon after a chapter has begun wants the one before. */
#define BEGINNING (3 * G_TIME_SPAN_SECOND)

/* Nothing is to be heard of a last chapter that is skipped, but the end must come as it does otherwise. */
#define BEFORE_END (G_TIME_SPAN_SECOND / 4)

/* How far the listener may have heard on behind a chapter that was left, for Undo to lead back into it. */
#define WAY_BACK (10 * G_TIME_SPAN_SECOND)

/**
 * EarChapterControl:
 *
 * The chapters of what plays: which of them it is in, and the way to others; and those that the listener wants to hear in
 * no episode of a podcast, by their titles: a record each. Main thread only.
 *
 * Who goes to such a chapter on purpose hears it: only what plays on goes past it.
 */
struct _EarChapterControl
{
  GObject parent_instance;

  /* Owned */
  EarPlayer *player;
  EarChapterFinder *finder;
  EarRecords *skipped;
  EarNotices *notices;
  EarChapters *chapters;
  char *title; /* (nullable): of the chapter that plays */
  char *image; /* (nullable): where the picture of that one is */
  int last; /* the last that has begun; -1: none */
  int current; /* that one, or -1 where it is over and was skipped: what follows it then is in none */
  gint64 seen; /* where it was when it was looked at the last time, or went to since, microseconds; -1 */
  gint64 chosen; /* where the listener has gone to the last time, since the episode was opened; -1 */
  gboolean unseen; /* what plays was not looked at yet since these are its chapters */
  gboolean has_next;
  gboolean has_previous;
};

G_DEFINE_FINAL_TYPE (EarChapterControl, ear_chapter_control, G_TYPE_OBJECT)

/* Returns: where the present chapter begins, of which there must be one */
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

  return chapter->title != NULL && podcast != NULL && ear_chapter_control_skips (self, podcast, chapter->title);
}

static gint64
find_end (EarChapterControl *self, int index)
{
  return ear_chapters_get_end (self->chapters, (guint) index, ear_player_get_duration (self->player));
}

static gboolean
is_over (EarChapterControl *self, int index, gint64 position)
{
  const gint64 chapter_end = find_end (self, index);

  return chapter_end >= 0 && position >= chapter_end;
}

static void
update_current (EarChapterControl *self)
{
  const gboolean playing = ear_player_get_episode (self->player) != NULL;
  const gint64 position = ear_player_get_position (self->player);
  const int count = (int) ear_chapters_get_count (self->chapters);
  const int last = playing ? ear_chapters_find (self->chapters, position) : -1;
  const int current = last >= 0 && is_over (self, last, position) && is_skipped (self, (guint) last) ? -1 : last;
  const EarChapter *chapter = current >= 0 ? ear_chapters_get (self->chapters, (guint) current) : NULL;

  self->last = last;
  g_object_freeze_notify (G_OBJECT (self));
  ear_property_set_number (self, "current", current);
  ear_property_set_string (self, "title", chapter != NULL ? chapter->title : NULL);
  ear_property_set_string (self, "image", chapter != NULL ? chapter->image : NULL);
  ear_property_set_boolean (self, "has-next", playing && last + 1 < count);
  ear_property_set_boolean (self, "has-previous", playing && last >= 0);
  g_object_thaw_notify (G_OBJECT (self));
}

/* --- Those that are never played --------------------------------------------------------- */

static char *
dup_record (EarPodcast *podcast, const char *title)
{
  g_autofree char *hash = ear_address_hash (ear_podcast_get_address (podcast), NULL);

  return ear_chapter_control_dup_record (hash, title);
}

/* Whether it has come to where it is by playing on, or has just begun. How far it is from where it was seen does not tell: silence that is
 * left out may be long. Where the chapters come later than the sound, it may have been in this one for long. */
static gboolean
has_come_by_itself (EarChapterControl *self, gint64 start)
{
  return (self->unseen ? self->chosen : self->seen) < start;
}

/* Whether another one that is skipped begins as soon as this one ends */
static gboolean
goes_on_skipped (EarChapterControl *self, guint index)
{
  const guint next = index + 1;

  return next < ear_chapters_get_count (self->chapters) && ear_chapters_get (self->chapters, next)->start == find_end (self, (int) index) &&
         is_skipped (self, next);
}

/* Goes on behind @index and those that follow it and are skipped too.
 * @titles: (nullable): what these are called is added
 * Returns: where that is, in microseconds; -1: nobody knows where it ends, and it goes nowhere */
static gint64
go_behind (EarChapterControl *self, guint index, GString *titles)
{
  const gint64 duration = ear_player_get_duration (self->player);
  gint64 place;

  for (; goes_on_skipped (self, index); index++)
    {
      const char *title = ear_chapters_get (self->chapters, index + 1)->title;

      if (titles != NULL && !g_str_equal (title, ear_chapters_get (self->chapters, index)->title))
        g_string_append_printf (titles, ", %s", title);
    }
  place = find_end (self, (int) index);
  if (place < 0)
    return -1;

  if (duration > 0)
    place = MIN (place, duration - BEFORE_END);
  g_signal_emit_by_name (self, "skipping", get_start (self), place);
  ear_player_seek_unasked (self->player, place);

  return place;
}

static void
skip_current (EarChapterControl *self)
{
  g_autoptr (GString) titles = g_string_new (self->title);
  g_autofree char *message = NULL;

  if (go_behind (self, (guint) self->current, titles) < 0)
    return;
  /* Translators: %s is the title of a chapter, such as "Advertising", or of several that follow each other */
  message = g_strdup_printf (_("“%s” was skipped"), titles->str);
  ear_notices_add (self->notices, message, FALSE);
}

static void
position_changed_cb (EarChapterControl *self)
{
  const gint64 position = ear_player_get_position (self->player);
  gboolean skips;

  update_current (self);
  if (ear_player_get_jumping (self->player))
    {
      self->seen = position;
      return;
    }
  if (ear_player_get_state (self->player) != EAR_PLAYER_PLAYING)
    return;
  skips = self->current >= 0 && is_skipped (self, (guint) self->current) && has_come_by_itself (self, get_start (self)) &&
          ear_player_get_jumps_fast (self->player);
  self->seen = position;
  self->unseen = FALSE;
  if (skips)
    skip_current (self);
}

static void
chapters_changed_cb (EarChapterControl *self)
{
  self->unseen = TRUE;
  g_object_freeze_notify (G_OBJECT (self));
  ear_chapters_unref (self->chapters);
  self->chapters = ear_chapters_ref (ear_chapter_finder_get_chapters (self->finder));
  g_object_notify (G_OBJECT (self), "chapters");
  update_current (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/* What is in the player is to be heard as if nobody had heard of it before, or gone anywhere in it. */
void
ear_chapter_control_begin_anew (EarChapterControl *self)
{
  g_return_if_fail (EAR_IS_CHAPTER_CONTROL (self));

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
  ear_chapter_finder_take_tags (self->finder, ear_player_get_tags (self->player));
}

static void
ear_chapter_control_dispose (GObject *object)
{
  EarChapterControl *self = EAR_CHAPTER_CONTROL (object);

  g_clear_object (&self->notices);
  g_clear_object (&self->skipped);
  g_clear_object (&self->finder);
  g_clear_object (&self->player);

  G_OBJECT_CLASS (ear_chapter_control_parent_class)->dispose (object);
}

static void
ear_chapter_control_finalize (GObject *object)
{
  EarChapterControl *self = EAR_CHAPTER_CONTROL (object);

  ear_chapters_unref (self->chapters);
  g_free (self->title);
  g_free (self->image);

  G_OBJECT_CLASS (ear_chapter_control_parent_class)->finalize (object);
}

static void
ear_chapter_control_class_init (EarChapterControlClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    /* Those of what plays, maybe none */
    { "chapters", EAR_TYPE_CHAPTERS, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterControl, chapters) },
    /* Which of them it is in; -1 before the first, behind one that was skipped and is over, and where there are none. Behind any other
     * it is in that one until the next begins. */
    { .spec = g_param_spec_int ("current", NULL, NULL, -1, G_MAXINT, -1, G_PARAM_READABLE),
      .offset = G_STRUCT_OFFSET (EarChapterControl, current) },
    /* What that one is called */
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterControl, title) },
    /* Where its picture is */
    { "image", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterControl, image) },
    /* Whether another follows */
    { "has-next", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterControl, has_next) },
    /* Whether there is a beginning to go back to */
    { "has-previous", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarChapterControl, has_previous) },
  };

  object_class->dispose = ear_chapter_control_dispose;
  object_class->finalize = ear_chapter_control_finalize;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));

  /* Other chapters are skipped than before. */
  g_signal_new ("skips-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* It is about to go on behind chapters that are not to be heard: where the first of these begins, and where it goes, in microseconds. */
  g_signal_new ("skipping", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT64, G_TYPE_INT64);
  /* The listener has gone to another chapter, or to the beginning of the present one: its number, from 0. */
  g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
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

/* The listener has gone to where the player is now: whatever chapter that is in is to be heard. */
void
ear_chapter_control_note_choice (EarChapterControl *self)
{
  g_return_if_fail (EAR_IS_CHAPTER_CONTROL (self));

  self->chosen = ear_player_get_position (self->player);
}

/* @finder: what finds them, for nobody else
 * @skipped: keeps those that are not to be heard, `EAR_RECORD_CHAPTER` */
EarChapterControl *
ear_chapter_control_new (EarPlayer *player, EarChapterFinder *finder, EarRecords *skipped, EarNotices *notices)
{
  EarChapterControl *self = g_object_new (EAR_TYPE_CHAPTER_CONTROL, NULL);

  self->player = g_object_ref (player);
  self->finder = g_object_ref (finder);
  self->skipped = g_object_ref (skipped);
  self->notices = g_object_ref (notices);
  g_signal_connect_object (finder, "notify::chapters", G_CALLBACK (chapters_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::episode", G_CALLBACK (episode_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "notify::position", G_CALLBACK (position_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "seeked", G_CALLBACK (ear_chapter_control_note_choice), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (skipped, "changed", G_CALLBACK (records_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (player, "tags-changed", G_CALLBACK (tags_changed_cb), self, G_CONNECT_SWAPPED);
  if (ear_player_get_episode (player) != NULL)
    episode_changed_cb (self);

  return self;
}

EAR_DEFINE_GET (EarChapterControl, ear_chapter_control, EarChapters *, chapters)
EAR_DEFINE_GET (EarChapterControl, ear_chapter_control, int, current)

static gboolean
go_to (EarChapterControl *self, int index)
{
  if (index < 0 || index >= (int) ear_chapters_get_count (self->chapters))
    return FALSE;

  ear_player_seek (self->player, ear_chapters_get (self->chapters, (guint) index)->start);
  g_signal_emit_by_name (self, "moved", (guint) index);

  return TRUE;
}

/* Goes on to the next chapter. Returns: whether there was one */
gboolean
ear_chapter_control_next (EarChapterControl *self)
{
  g_return_val_if_fail (EAR_IS_CHAPTER_CONTROL (self), FALSE);

  return ear_player_get_episode (self->player) != NULL && go_to (self, self->last + 1);
}

/* Behind one that was skipped. */
static gboolean
go_back_behind (EarChapterControl *self)
{
  const gint64 chapter_end = find_end (self, self->last);

  if (ear_player_get_position (self->player) - chapter_end < BEGINNING)
    return go_to (self, self->last);

  ear_player_seek (self->player, chapter_end);

  return TRUE;
}

/* Goes back to where the chapter begins, or, near that, to the one before; before the first, to the beginning.
 * Returns: whether there was something before */
gboolean
ear_chapter_control_previous (EarChapterControl *self)
{
  gboolean begins_later;

  g_return_val_if_fail (EAR_IS_CHAPTER_CONTROL (self), FALSE);

  if (self->last < 0)
    return FALSE;
  if (self->current < 0)
    return go_back_behind (self);
  if (ear_player_get_position (self->player) - get_start (self) >= BEGINNING)
    return go_to (self, self->current);
  if (self->current > 0)
    return go_to (self, self->current - 1);

  begins_later = get_start (self) > 0;
  ear_player_seek (self->player, 0);

  return begins_later;
}

/**
 * ear_chapter_control_dup_record:
 * @podcast: the hash of the first address of a podcast, by which its state is known too
 * @title: what a chapter is called; small letters and capitals are the same
 *
 * Returns: (transfer full): what the record is called that says that such chapters are never to be heard
 */
char *
ear_chapter_control_dup_record (const char *podcast, const char *title)
{
  g_autofree char *normal = g_utf8_normalize (title, -1, G_NORMALIZE_ALL_COMPOSE);
  g_autofree char *folded = g_utf8_casefold (normal != NULL ? normal : title, -1);

  return g_strconcat (podcast, "/", folded, NULL);
}

/**
 * ear_chapter_control_skips:
 * @podcast: a podcast
 * @title: what a chapter is called
 *
 * Returns: whether chapters of that title are not played in any of its episodes
 */
gboolean
ear_chapter_control_skips (EarChapterControl *self, EarPodcast *podcast, const char *title)
{
  g_autofree char *record = NULL;

  g_return_val_if_fail (EAR_IS_CHAPTER_CONTROL (self), FALSE);
  g_return_val_if_fail (EAR_IS_PODCAST (podcast), FALSE);
  g_return_val_if_fail (title != NULL, FALSE);

  record = dup_record (podcast, title);

  return ear_records_lookup (self->skipped, record) != NULL;
}

/* What is looked up is in the name of the record; the value is for who reads the file. */
static void
store (EarChapterControl *self, EarPodcast *podcast, const char *title, gboolean skips)
{
  g_autofree char *record = dup_record (podcast, title);
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);

  g_variant_dict_insert (&dict, "podcast", "s", ear_podcast_get_name (podcast));
  g_variant_dict_insert (&dict, "title", "s", title);
  ear_records_set (self->skipped, record, skips ? g_variant_dict_end (&dict) : NULL);
}

/* What is done and can be taken back. */
typedef struct
{
  EarPodcast *podcast;
  char *title;
  gboolean skips;
  EarEpisode *left; /* (nullable): in which it was playing, and was left */
  gint64 from;      /* where; microseconds */
  gint64 to;        /* where it went on */
} Choice;

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_object_unref (choice->podcast);
  g_clear_object (&choice->left);
  g_free (choice->title);
  g_free (choice);
}

/* Nobody wants to hear what plays, and what is never to be heard: it is left at once. */
static void
leave_current (EarChapterControl *self, Choice *choice)
{
  const gint64 from = ear_player_get_position (self->player);
  const gint64 to =
      ear_player_get_jumps_fast (self->player) ? go_behind (self, (guint) self->current, NULL) : -1;

  if (to < 0)
    return;
  choice->left = g_object_ref (ear_player_get_episode (self->player));
  choice->from = from;
  choice->to = to;
}

/* Who has listened on for long does not want to hear all of that again. */
static void
take_back (gpointer owner, gpointer data)
{
  EarChapterControl *self = EAR_CHAPTER_CONTROL (owner);
  const Choice *choice = data;
  const gint64 since = ear_player_get_position (self->player) - choice->to;

  store (self, choice->podcast, choice->title, !choice->skips);
  if (choice->left != NULL && ear_player_get_episode (self->player) == choice->left && ABS (since) < WAY_BACK)
    ear_player_seek (self->player, choice->from);
}

/**
 * ear_chapter_control_set_skips:
 * @podcast: a podcast
 * @title: what a chapter is called
 * @skips: whether chapters of that title are not to be played in any of its episodes
 *
 * Keeps what the listener wants of such chapters, and offers to take that back. The one that plays is left at once.
 */
void
ear_chapter_control_set_skips (EarChapterControl *self, EarPodcast *podcast, const char *title, gboolean skips)
{
  g_autofree char *message = NULL;
  g_autoptr (EarUndo) undo = NULL;
  const gboolean heard = self->current >= 0 && !is_skipped (self, (guint) self->current);
  Choice *choice;

  if (ear_chapter_control_skips (self, podcast, title) == skips)
    return;

  store (self, podcast, title, skips);
  message = g_strdup_printf (skips
                               /* Translators: %s is the title of a chapter, such as "Advertising" */
                               ? _("“%s” will always be skipped in this podcast")
                               /* Translators: %s is the title of a chapter that was not played in a podcast */
                               : _("“%s” will no longer be skipped"),
                             title);
  choice = g_new0 (Choice, 1);
  choice->podcast = g_object_ref (podcast);
  choice->title = g_strdup (title);
  choice->skips = skips;
  /* What is over already is not the present one any more, now that it is skipped. */
  if (heard && self->current >= 0 && is_skipped (self, (guint) self->current))
    leave_current (self, choice);
  undo = ear_undo_new (message, take_back, self, choice, choice_free);
  ear_notices_offer_undo (self->notices, undo);
}
