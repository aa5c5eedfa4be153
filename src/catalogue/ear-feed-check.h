/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* What is known of the feed's last answers, kept beside the podcast. */
typedef struct
{
  char *feed_address;  /* where it was fetched from in the end */
  char *etag;
  char *last_modified;
  gint64 checked;      /* Unix seconds of the last answer; given as 0: there was none */
  gboolean whole;      /* given only: this was all that the feed has, to its last byte */
  guint failures;      /* how many checks in a row have failed */
  int error;           /* #EarError of the last check, and 1; 0 when it went well */
  gint64 not_before;   /* Unix seconds: not to be asked before then without being told to */
  gboolean archived;   /* all its pages (RFC 5005) were fetched; given: they are now */
  gint64 newest;       /* told only: the newest episode's place in the order, Unix seconds: its date, or when
                        * it came (sort_key); 0 when there is none that has one */
} EarFeedCheck;

EarFeedCheck *ear_feed_check_copy (const EarFeedCheck *self);
void          ear_feed_check_free (EarFeedCheck       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedCheck, ear_feed_check_free)

G_END_DECLS
