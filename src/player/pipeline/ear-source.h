/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

#include "ear-media-content.h"

G_BEGIN_DECLS

/* The reader of HLS in GStreamer's good plugins, which opens no files, as older readers do */
#define EAR_SOURCE_STREAM_READER "hlsdemux2"

/**
 * EarSourceRefusal:
 * @EAR_SOURCE_FITS: nothing speaks against the answer
 * @EAR_SOURCE_CHANGED: part of another file than the one that was begun
 * @EAR_SOURCE_UNRANGED: another part than the one that was asked for
 * @EAR_SOURCE_PLAYLIST: addresses of media in place of media
 * @EAR_SOURCE_NO_MEDIA: certainly no media, by its first bytes
 *
 * Why an answer must not be played.
 */
typedef enum
{
  EAR_SOURCE_FITS,
  EAR_SOURCE_CHANGED,
  EAR_SOURCE_UNRANGED,
  EAR_SOURCE_PLAYLIST,
  EAR_SOURCE_NO_MEDIA,
} EarSourceRefusal;

/**
 * EarSource:
 *
 * Where the media comes from, and how its server is to be asked: sets up GStreamer's
 * own HTTP source so that it behaves like the rest of the application, remembers what
 * the server answered, and knows the other ways to ask once the first one failed.
 *
 * Set up in a streaming thread, it changes on the main thread only while no pipeline
 * uses it.
 */
typedef struct
{
  /* How to ask */
  char *uri;
  char *user_agent; /* (nullable) */
  char *user;       /* (nullable): for the server of the address, and for no other */
  char *password;
  guint timeout;    /* how many seconds the server may say nothing */
  gboolean local;   /* a file, where looking for an exact place costs little */
  guint redirects;
  gboolean plain_agent;
  gboolean ranges;  /* FALSE: the server sends only the whole */
  gboolean distrusts_table; /* the table of contents of an MP3 was found to be wrong */
  GStrv entries;    /* (nullable): addresses in a playlist, to be tried one after the other */
  guint n_entries;  /* that were tried */
  guint changes;    /* how often another file was found at the address */

  /* What came back */
  char *location;   /* (nullable): where the last answer sent us, as the server wrote it */
  gboolean answered;
  gboolean web_page;
  gboolean bad_certificate;
  gint64 size;      /* bytes of the whole; -1: unknown */
  gint64 asked;     /* when the server was asked first, or answered last */

  /* The file that the first answer came from; set in the streaming thread */
  char *etag;          /* (nullable): a strong one */
  char *last_modified; /* (nullable) */
  gint64 total;        /* bytes; -1: unknown */
  int has_table;       /* atomic: the length is from a table of contents */
  int called_playlist; /* atomic: by the address or the type that the server gave */
  int content;         /* EarMediaContent, atomic: by the first bytes */
  GByteArray *head;    /* (nullable): what has come of a playlist */
  int refused;         /* EarSourceRefusal, atomic: the last answer must not be played */
} EarSource;

EarSource *ear_source_new            (const char *uri,
                                      const char *user_agent,
                                      guint       timeout);
EarSource *ear_source_ref            (EarSource  *self);
void       ear_source_unref          (EarSource  *self);
void       ear_source_go_to          (EarSource  *self,
                                      const char *target);
void       ear_source_set_up         (EarSource  *self,
                                      GstElement *element);
void       ear_source_take_message   (EarSource  *self,
                                      GstMessage *message);
void       ear_source_check_answer   (EarSource  *self,
                                      GstMessage *message);
gboolean   ear_source_ask_anew       (EarSource  *self);
EarMediaContent ear_source_get_content (EarSource *self);
gboolean        ear_source_is_location_lost (EarSource *self);
gboolean   ear_source_find_other_way (EarSource  *self,
                                      GstMessage *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSource, ear_source_unref)

G_END_DECLS
