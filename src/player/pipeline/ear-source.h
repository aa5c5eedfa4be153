/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

#include "ear-media-content.h"

G_BEGIN_DECLS

/* The HLS reader of GStreamer's good plugins, which opens no files; older readers do */
#define EAR_SOURCE_STREAM_READER "hlsdemux2"

/**
 * EarSourceRefusal:
 * @EAR_SOURCE_FITS: acceptable
 * @EAR_SOURCE_CHANGED: a range of another file
 * @EAR_SOURCE_UNRANGED: another range than requested
 * @EAR_SOURCE_PLAYLIST: addresses of media in place of media
 * @EAR_SOURCE_NO_MEDIA: certainly not media, by its first bytes
 *
 * Why a response must not be played.
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
 * The address of the media and how to request it: configures GStreamer's HTTP source to
 * behave like the rest of the application, records the server's responses, and knows what
 * else to try after a failure.
 *
 * A streaming thread configures it. The main thread changes it only while no
 * pipeline uses it.
 */
typedef struct
{
  /* Request */
  char *uri;
  char *user_agent; /* (nullable) */
  char *user;       /* (nullable): for the server of the address, and no other */
  char *password;
  guint timeout;    /* seconds that the server may be silent */
  gboolean local;   /* a file: exact seeks cost little */
  guint redirects;
  gboolean plain_agent;
  gboolean ranges;  /* FALSE: the server sends no ranges */
  gboolean distrusts_table; /* the table of contents of the MP3 is wrong */
  GStrv entries;    /* (nullable): addresses from a playlist that are left to try */
  guint n_entries;  /* tried so far */
  guint changes;    /* how often another file was found */

  /* Response */
  char *location;   /* (nullable): redirect of the last response, as the server wrote it */
  gboolean answered;
  gboolean web_page;
  gboolean bad_certificate;
  gint64 size;      /* bytes of the whole file; -1: unknown */
  gint64 asked;     /* time of the first request or the last response */

  /* File of the first response; set in the streaming thread */
  char *etag;          /* (nullable): strong tag */
  char *last_modified; /* (nullable) */
  gint64 total;        /* bytes; -1: unknown */
  int has_table;       /* atomic: the duration is from a table of contents */
  int called_playlist; /* atomic: a playlist, by its address or the server's type */
  int content;         /* EarMediaContent, atomic: by the first bytes */
  GByteArray *head;    /* (nullable): part of a playlist received so far */
  int refused;         /* EarSourceRefusal, atomic: of the last response */
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
