/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-feed-intake.h"

G_BEGIN_DECLS

/* How fetching the pages of a feed ended.
 * @EAR_PAGES_LAST: there are no more pages, or none that may be fetched
 * @EAR_PAGES_KNOWN: further pages are known
 * @EAR_PAGES_BROKEN: a page is unavailable for now; the rest must be fetched another time */
typedef enum
{
  EAR_PAGES_LAST,
  EAR_PAGES_KNOWN,
  EAR_PAGES_BROKEN,
} EarPagesEnd;

void ear_feed_pages_async (EarHttp *http, EarCatalogue *catalogue, gint64 podcast,
                           const EarHttpRequest *origin, const char *found, const char *next,
                           gboolean until_known, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data);
EarPagesEnd ear_feed_pages_finish (GAsyncResult *result, GError **error);

G_END_DECLS
