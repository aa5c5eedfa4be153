/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>

G_BEGIN_DECLS

/* Forward declarations, so that headers need not include each other. */

typedef struct _EarEpisode EarEpisode;
typedef struct _EarPodcast EarPodcast;

typedef struct _EarChapter EarChapter;
typedef struct _EarEnclosure EarEnclosure;
typedef struct _EarTranscriptLink EarTranscriptLink;
typedef struct _EarPerson EarPerson;
typedef struct _EarFunding EarFunding;
typedef struct _EarRemoteItem EarRemoteItem;
typedef struct _EarEpisodeFacts EarEpisodeFacts;
typedef struct _EarPodcastFacts EarPodcastFacts;
typedef struct _EarNotes EarNotes;
typedef struct _EarImage EarImage;
typedef struct _EarTranscript EarTranscript;

/* Units used everywhere: a position or a duration is a `gint64` of microseconds (GLib's
 * `GTimeSpan`, MPRIS's unit); a date is a `gint64` of Unix seconds in UTC. */

/* A date that the feed lacks, or that cannot be parsed */
#define EAR_DATE_UNKNOWN G_MININT64

/* Unix microseconds: a clock before this (2026-01-01) has lost its battery; nothing is
 * judged by it. */
#define EAR_CLOCK_FLOOR G_GINT64_CONSTANT (1767225600000000)

/* Limit of positions */
#define EAR_POSITION_LIMIT (366 * G_TIME_SPAN_DAY)

/* A duration that is not known yet */
#define EAR_DURATION_UNKNOWN ((gint64) 0)

/* Defines prefix_ref() and prefix_unref(), which any thread may call, of a structure made by
 * g_atomic_rc_box_new0(). @clear frees its members. */
#define EAR_DEFINE_REF_COUNTED(Type, prefix, clear) \
  Type * \
  prefix##_ref (Type *self) \
  { \
    return g_atomic_rc_box_acquire (self); \
  } \
\
  void \
  prefix##_unref (Type *self) \
  { \
    g_atomic_rc_box_release_full (self, (GDestroyNotify) clear); \
  }

/* Texts that are members of a structure in a row; most structures begin with them. */
void ear_texts_clear (gpointer first, char **last);
void ear_texts_free (gpointer self, char **last);
gpointer ear_texts_copy (gconstpointer self, gsize size, char *const *last);

/* Defines a function that frees a structure whose texts, up to @last, are all that it owns. */
#define EAR_DEFINE_TEXTS_FREE(Type, function, last) \
  void \
  function (Type *self) \
  { \
    ear_texts_free (self, &self->last); \
  }

/* Returns: (transfer full) (element-type gint64): an array for ids: row ids, ids of links */
static inline GArray *
ear_ids_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (gint64));
}

/* @ids: (inout) (nullable): an array of ids, made with the first one */
static inline void
ear_ids_append (GArray **ids, gint64 id)
{
  if (*ids == NULL)
    *ids = ear_ids_new ();
  g_array_append_val (*ids, id);
}

/* @text: (nullable): a text */
static inline gboolean
ear_is_empty (const char *text)
{
  return text == NULL || *text == '\0';
}

/* Compares two numbers like strcmp(): their difference may not fit in an int. */
static inline int
ear_compare (gint64 a, gint64 b)
{
  return (a > b) - (a < b);
}

/* A GCompareFunc for arrays of ids */
static inline int
ear_ids_compare (gconstpointer a, gconstpointer b)
{
  return ear_compare (*(const gint64 *) a, *(const gint64 *) b);
}

G_END_DECLS
