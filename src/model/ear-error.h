/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-types.h"

G_BEGIN_DECLS

/**
 * EarError:
 * @EAR_ERROR_FAILED: something without a code of its own
 * @EAR_ERROR_OFFLINE: no network, or the host's name cannot be looked up
 * @EAR_ERROR_UNREACHABLE: the host is known but refuses or drops the connection
 * @EAR_ERROR_TIMED_OUT: the host stopped answering
 * @EAR_ERROR_CERTIFICATE: the certificate of the host is not to be trusted
 * @EAR_ERROR_NOT_FOUND: 404
 * @EAR_ERROR_GONE: 410
 * @EAR_ERROR_UNAUTHORIZED: 401, a name and a password are wanted
 * @EAR_ERROR_FORBIDDEN: 403
 * @EAR_ERROR_BUSY: 429 or 503, come back later
 * @EAR_ERROR_SERVER: any other answer that is no success
 * @EAR_ERROR_REDIRECTS: redirects that lead in a circle, or too many
 * @EAR_ERROR_TOO_LARGE: more bytes than we take
 * @EAR_ERROR_INCOMPLETE: the connection ended before the body did
 * @EAR_ERROR_UNSAFE_ADDRESS: an address that is not http or https
 * @EAR_ERROR_NOT_XML: bytes that are no XML at all
 * @EAR_ERROR_NOT_A_FEED: XML, but no feed; in place of an episode, something that is no sound
 * @EAR_ERROR_WEB_PAGE: an HTML page where a feed, or sound, was expected
 * @EAR_ERROR_DAMAGED: a file of ours that cannot be read
 * @EAR_ERROR_NO_SPACE: the disk is full or may not be written to
 * @EAR_ERROR_NO_MEDIA: the episode has nothing to play
 * @EAR_ERROR_CODEC: the sound is in a format that cannot be played here
 * @EAR_ERROR_SOUND_DEVICE: there is no working sound output
 * @EAR_ERROR_NO_ADDRESS: a feed in a file, which does not say where on the web it comes from
 * @EAR_ERROR_NEWER: a file of a later version of the program, which is left as it is
 * @EAR_ERROR_FOLLOWED: the podcast at an address is followed already
 * @EAR_ERROR_WRONG_LOGIN: 401, though a name and a password were told
 * @EAR_ERROR_NOT_A_FOLDER: something else is in the place of a folder of ours
 * @EAR_ERROR_NO_FOLDER: a folder that the listener has chosen is not there: its disk may come back
 * @EAR_ERROR_STREAM_ONLY: a playlist of the pieces of a stream, of which there is no file to download
 * @EAR_ERROR_OTHER_PODCAST: the address of a podcast answers with another podcast
 *
 * What can go wrong, by what the caller can do about it. Messages are for
 * developers; listeners read the sentence that the user interface has for a code.
 */
typedef enum
{
  EAR_ERROR_FAILED,
  EAR_ERROR_OFFLINE,
  EAR_ERROR_UNREACHABLE,
  EAR_ERROR_TIMED_OUT,
  EAR_ERROR_CERTIFICATE,
  EAR_ERROR_NOT_FOUND,
  EAR_ERROR_GONE,
  EAR_ERROR_UNAUTHORIZED,
  EAR_ERROR_FORBIDDEN,
  EAR_ERROR_BUSY,
  EAR_ERROR_SERVER,
  EAR_ERROR_REDIRECTS,
  EAR_ERROR_TOO_LARGE,
  EAR_ERROR_INCOMPLETE,
  EAR_ERROR_UNSAFE_ADDRESS,
  EAR_ERROR_NOT_XML,
  EAR_ERROR_NOT_A_FEED,
  EAR_ERROR_WEB_PAGE,
  EAR_ERROR_DAMAGED,
  EAR_ERROR_NO_SPACE,
  EAR_ERROR_NO_MEDIA,
  EAR_ERROR_CODEC,
  EAR_ERROR_SOUND_DEVICE,
  EAR_ERROR_NO_ADDRESS,
  EAR_ERROR_NEWER,
  EAR_ERROR_FOLLOWED,
  EAR_ERROR_WRONG_LOGIN,
  EAR_ERROR_NOT_A_FOLDER,
  EAR_ERROR_NO_FOLDER,
  EAR_ERROR_STREAM_ONLY,
  EAR_ERROR_OTHER_PODCAST,
} EarError;

#define EAR_ERROR (ear_error_quark ())
GQuark   ear_error_quark       (void);

gboolean ear_error_wants_login (const GError *error);

G_END_DECLS
