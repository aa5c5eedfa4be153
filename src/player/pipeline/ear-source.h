/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>

G_BEGIN_DECLS

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
  gboolean ranges;  /* FALSE once the server has refused to send a part only */

  /* What came back */
  char *location;   /* (nullable): where the last answer sent us, as the server wrote it */
  gboolean answered;
  gboolean web_page;
  gboolean bad_certificate;
  gint64 asked;     /* when the server was asked first, or answered last */
} EarSource;

EarSource *ear_source_new            (const char *uri,
                                      const char *user_agent,
                                      guint       timeout);
EarSource *ear_source_ref            (EarSource  *self);
void       ear_source_unref          (EarSource  *self);
void       ear_source_set_up         (EarSource  *self,
                                      GstElement *element);
void       ear_source_take_message   (EarSource  *self,
                                      GstMessage *message);
gboolean   ear_source_find_other_way (EarSource  *self,
                                      GstMessage *error,
                                      gboolean    seeking);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarSource, ear_source_unref)

G_END_DECLS
