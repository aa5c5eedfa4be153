/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/* Errors, by what the caller can do about them. Messages are for developers; the user
 * interface has a sentence for each code. */
typedef enum
{
  EAR_ERROR_FAILED, /* an error without a code of its own */
  EAR_ERROR_OFFLINE, /* no network, or the host's name cannot be resolved */
  EAR_ERROR_UNREACHABLE, /* the host is known but refuses or drops the connection */
  EAR_ERROR_TIMED_OUT, /* the host stopped responding */
  EAR_ERROR_CERTIFICATE, /* the host's certificate is not trusted */
  EAR_ERROR_NOT_FOUND, /* 404 */
  EAR_ERROR_GONE, /* 410 */
  EAR_ERROR_UNAUTHORIZED, /* 401, user name and password required */
  EAR_ERROR_FORBIDDEN, /* 403 */
  EAR_ERROR_BUSY, /* 429 or 503, try again later */
  EAR_ERROR_SERVER, /* any other response without success */
  EAR_ERROR_REDIRECTS, /* a redirect loop, or too many redirects */
  EAR_ERROR_TOO_LARGE, /* more bytes than the limit */
  EAR_ERROR_INCOMPLETE, /* the connection ended before the body did */
  EAR_ERROR_UNSAFE_ADDRESS, /* an address that is not http or https */
  EAR_ERROR_NOT_XML, /* no XML at all */
  EAR_ERROR_NOT_A_FEED, /* XML, but no feed; for an episode, no media */
  EAR_ERROR_WEB_PAGE, /* an HTML page in place of a feed or media */
  EAR_ERROR_DAMAGED, /* one of Earmark's files is unreadable */
  EAR_ERROR_NO_SPACE, /* the disk is full or read-only */
  EAR_ERROR_NO_MEDIA, /* the episode has nothing to play */
  EAR_ERROR_CODEC, /* no decoder for the format */
  EAR_ERROR_SOUND_DEVICE, /* no working sound output */
  EAR_ERROR_NO_ADDRESS, /* a feed in a file, without its address on the web */
  EAR_ERROR_NEWER, /* a file of a later version of Earmark, which is left unchanged */
  EAR_ERROR_FOLLOWED, /* the podcast at an address is already followed */
  EAR_ERROR_WRONG_LOGIN, /* 401, in spite of a user name and password */
  EAR_ERROR_NOT_A_FOLDER, /* something else has the path of one of Earmark's folders */
  EAR_ERROR_NO_FOLDER, /* a folder that the listener has chosen is missing: its disk may come
                        * back */
  EAR_ERROR_STREAM_ONLY, /* a playlist of a stream's segments, without a file to download */
  EAR_ERROR_OTHER_PODCAST, /* a podcast's address has another podcast now */
} EarError;

#define EAR_N_ERRORS (EAR_ERROR_OTHER_PODCAST + 1)

#define EAR_ERROR (ear_error_quark ())
GQuark ear_error_quark (void);

gboolean ear_error_wants_login (const GError *error);

G_END_DECLS
