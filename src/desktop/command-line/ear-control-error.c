/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-control-error.h"

#include "ear-error.h"

#define ERROR_PREFIX "io.github.earmark_app.Earmark.Error."

G_DEFINE_QUARK (ear-control-error-quark, ear_control_error)

static const GDBusErrorEntry control_errors[] = {
  { EAR_CONTROL_ERROR_NOTHING_TO_PLAY, ERROR_PREFIX "NothingToPlay" },
  { EAR_CONTROL_ERROR_NO_NEXT, ERROR_PREFIX "NoNext" },
  { EAR_CONTROL_ERROR_NO_PREVIOUS, ERROR_PREFIX "NoPrevious" },
  { EAR_CONTROL_ERROR_NOT_SEEKABLE, ERROR_PREFIX "NotSeekable" },
  { EAR_CONTROL_ERROR_BEYOND_END, ERROR_PREFIX "BeyondEnd" },
  { EAR_CONTROL_ERROR_NO_ADDRESS, ERROR_PREFIX "NoAddress" },
  { EAR_CONTROL_ERROR_NOTHING_FOUND, ERROR_PREFIX "NothingFound" },
  { EAR_CONTROL_ERROR_LIST, ERROR_PREFIX "List" },
  { EAR_CONTROL_ERROR_EMPTY_LIST, ERROR_PREFIX "EmptyList" },
  { EAR_CONTROL_ERROR_BUSY, ERROR_PREFIX "AskedTooMuch" },
};

/* The codes of EarError, for the other side to find its own words. */
static const GDBusErrorEntry errors[] = {
  { EAR_ERROR_FAILED, ERROR_PREFIX "Failed" },
  { EAR_ERROR_OFFLINE, ERROR_PREFIX "Offline" },
  { EAR_ERROR_UNREACHABLE, ERROR_PREFIX "Unreachable" },
  { EAR_ERROR_TIMED_OUT, ERROR_PREFIX "TimedOut" },
  { EAR_ERROR_CERTIFICATE, ERROR_PREFIX "Certificate" },
  { EAR_ERROR_NOT_FOUND, ERROR_PREFIX "NotFound" },
  { EAR_ERROR_GONE, ERROR_PREFIX "Gone" },
  { EAR_ERROR_UNAUTHORIZED, ERROR_PREFIX "Unauthorized" },
  { EAR_ERROR_FORBIDDEN, ERROR_PREFIX "Forbidden" },
  { EAR_ERROR_BUSY, ERROR_PREFIX "Busy" },
  { EAR_ERROR_SERVER, ERROR_PREFIX "Server" },
  { EAR_ERROR_REDIRECTS, ERROR_PREFIX "Redirects" },
  { EAR_ERROR_TOO_LARGE, ERROR_PREFIX "TooLarge" },
  { EAR_ERROR_INCOMPLETE, ERROR_PREFIX "Incomplete" },
  { EAR_ERROR_UNSAFE_ADDRESS, ERROR_PREFIX "UnsafeAddress" },
  { EAR_ERROR_NOT_XML, ERROR_PREFIX "NotXml" },
  { EAR_ERROR_NOT_A_FEED, ERROR_PREFIX "NotAFeed" },
  { EAR_ERROR_WEB_PAGE, ERROR_PREFIX "WebPage" },
  { EAR_ERROR_DAMAGED, ERROR_PREFIX "Damaged" },
  { EAR_ERROR_NO_SPACE, ERROR_PREFIX "NoSpace" },
  { EAR_ERROR_NO_MEDIA, ERROR_PREFIX "NoMedia" },
  { EAR_ERROR_CODEC, ERROR_PREFIX "Codec" },
  { EAR_ERROR_SOUND_DEVICE, ERROR_PREFIX "SoundDevice" },
  { EAR_ERROR_NO_ADDRESS, ERROR_PREFIX "CopyWithoutAddress" },
  { EAR_ERROR_NEWER, ERROR_PREFIX "Newer" },
  { EAR_ERROR_FOLLOWED, ERROR_PREFIX "Followed" },
  { EAR_ERROR_WRONG_LOGIN, ERROR_PREFIX "WrongLogin" },
};

/**
 * ear_control_error_register:
 *
 * Lets both sides of the bus know our errors by their names.
 */
void
ear_control_error_register (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (control_errors); i++)
    g_dbus_error_register_error (EAR_CONTROL_ERROR, control_errors[i].error_code, control_errors[i].dbus_error_name);
  for (gsize i = 0; i < G_N_ELEMENTS (errors); i++)
    g_dbus_error_register_error (EAR_ERROR, errors[i].error_code, errors[i].dbus_error_name);
}
