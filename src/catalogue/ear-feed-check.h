/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Data of a feed's last responses, stored with the podcast. "Given" members are input
 * of ear_catalogue_store_check() only. */
typedef struct
{
  char *feed_address;  /* final address after redirects */
  char *etag;
  char *last_modified;
  gint64 checked;      /* Unix seconds of the last response; given as 0: there was none */
  gboolean whole;      /* given: the response was complete, to its last byte */
  guint failures;      /* number of consecutive failures */
  int error;           /* #EarError of the last check, plus 1; 0: success */
  gint64 not_before;   /* Unix seconds: no automatic check before */
  gboolean archived;   /* all pages (RFC 5005) were fetched; given: they are now */
  gint64 newest;       /* output only: sort key of the newest episode in Unix seconds: its
                        * date, or when it came; 0: none has one */
} EarFeedCheck;

EarFeedCheck *ear_feed_check_copy (const EarFeedCheck *self);
void ear_feed_check_free (EarFeedCheck *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarFeedCheck, ear_feed_check_free)

G_END_DECLS
