/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-directory.h"

G_BEGIN_DECLS

/* The result of examining an address */
typedef struct
{
  GPtrArray *entries;  /* (element-type EarDirectoryEntry): the feed, or all of a page */
  GPtrArray *outlines; /* (element-type EarListedPodcast) (nullable): a list of podcasts */
} EarProbe;

void ear_probe_free (EarProbe *self);
void ear_feed_probe_async (EarHttp *http, const char *address, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data);
EarProbe *ear_feed_probe_finish (GAsyncResult *result, char **refused, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarProbe, ear_probe_free)

G_END_DECLS
