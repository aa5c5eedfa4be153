/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error-text.h"

#include <glib/gi18n.h>

/*
 * What went wrong in the listener's words: a short title, and a sentence that says
 * what to do about it. Codes are what the layers below raise; their messages are for
 * developers and never shown.
 */

typedef struct
{
  const char *title;
  const char *feed;
  const char *media;
  const char *search;
  const char *download;
} ErrorText;

/* Where the sentence about a feed fits all, the others are NULL. That about a download is where what is said of
 * playing does not fit. */
static const ErrorText texts[] = {
  [EAR_ERROR_FAILED] = {
    N_("Something Went Wrong"),
    N_("The podcast could not be checked. Try again in a while."),
    N_("The episode could not be played. Try again in a while."),
    N_("The search did not work. Try again in a while."),
    N_("The episode could not be downloaded. Try again in a while."),
  },
  [EAR_ERROR_OFFLINE] = {
    N_("No Network"),
    N_("Episodes appear as soon as there is a connection."),
    N_("Connect to a network, then try again."),
    N_("Connect to a network to find podcasts."),
  },
  [EAR_ERROR_UNREACHABLE] = {
    N_("Server Not Reached"),
    N_("The podcast’s server does not accept the connection. It may be down for now."),
    N_("The server with the audio does not accept the connection. It may be down for now."),
    N_("The server does not accept the connection. It may be down for now."),
  },
  [EAR_ERROR_TIMED_OUT] = {
    N_("The Server Does Not Answer"),
    N_("The server took too long to answer. Check the connection, or try again later."),
    NULL,
  },
  [EAR_ERROR_CERTIFICATE] = {
    N_("The Connection Is Not Secure"),
    N_("The server’s certificate cannot be trusted, so nothing was fetched. "
       "If the date of this computer is right, only the podcast’s publisher can fix this."),
    NULL,
  },
  [EAR_ERROR_NOT_FOUND] = {
    N_("Not Found"),
    N_("There is no podcast at this address. It may have moved: look for its new address on its web page."),
    N_("The link to this episode’s audio is broken."),
  },
  [EAR_ERROR_GONE] = {
    N_("No Longer There"),
    N_("The podcast was removed by its publisher. Its episodes stay in your library."),
    N_("The audio of this episode was removed by its publisher."),
    N_("The podcast that was at this address was removed by its publisher."),
  },
  [EAR_ERROR_UNAUTHORIZED] = {
    N_("Password Required"),
    N_("This podcast is for members. Sign in with the user name and password you received."),
    N_("This episode is for members. Sign in with the user name and password you received."),
  },
  [EAR_ERROR_FORBIDDEN] = {
    N_("Access Refused"),
    N_("The podcast’s server does not allow access to this podcast from here."),
    N_("The server does not allow access to the audio of this episode from here."),
    N_("The server does not allow access from here. Try again in a while."),
  },
  [EAR_ERROR_BUSY] = {
    N_("The Server Is Busy"),
    N_("The server asks to try again later."),
    NULL,
  },
  [EAR_ERROR_SERVER] = {
    N_("The Server Has a Problem"),
    N_("The server answered with an error. Try again later."),
    NULL,
  },
  [EAR_ERROR_REDIRECTS] = {
    N_("Too Many Redirects"),
    N_("The server keeps redirecting to other addresses. Only the podcast’s publisher can fix this."),
    NULL,
  },
  [EAR_ERROR_TOO_LARGE] = {
    N_("Too Much Data"),
    N_("The podcast’s feed is far too large. The part that came first was kept."),
    N_("The file is far too large to be an episode."),
    N_("What is at this address is far too large to be a podcast’s feed."),
  },
  [EAR_ERROR_INCOMPLETE] = {
    N_("The Connection Was Lost"),
    N_("Only a part of the podcast arrived. What came is kept; try again for the rest."),
    N_("The connection ended before the episode did. Your place is kept."),
    N_("The connection ended before the answer did. Try again."),
    N_("Only a part of the episode arrived. It is kept; try again for the rest."),
  },
  [EAR_ERROR_UNSAFE_ADDRESS] = {
    N_("Not a Web Address"),
    N_("A podcast’s address begins with https:// or http://."),
    N_("The podcast gives no web address for the audio of this episode, so it is not opened."),
    N_("This is not a web address. Web addresses look like https://example.org/feed.xml."),
  },
  [EAR_ERROR_NOT_XML] = {
    N_("Not a Podcast"),
    N_("What is at this address cannot be read as a podcast’s feed."),
    N_("What the server sends for this episode is not audio."),
    N_("What is there cannot be read as a podcast’s feed or as a list of podcasts."),
  },
  [EAR_ERROR_NOT_A_FEED] = {
    N_("Not a Podcast"),
    N_("There is something other than a podcast’s feed at this address."),
    N_("What the server sends for this episode is not audio."),
  },
  [EAR_ERROR_WEB_PAGE] = {
    N_("No Podcast on This Page"),
    N_("This web page does not link to a podcast’s feed."),
    N_("The server sends a web page instead of audio. Some networks want you to sign in first."),
    N_("If the page has a link named “RSS” or “Feed”, paste that link."),
  },
  [EAR_ERROR_DAMAGED] = {
    N_("A File Is Damaged"),
    N_("It was set aside and its content kept. Earmark goes on without it."),
    N_("The download cannot be played. Remove it, and the episode is played from the web."),
  },
  [EAR_ERROR_NO_SPACE] = {
    N_("No Space Left"),
    N_("Nothing can be saved: the disk is full, or cannot be written to. Free some space, then try again."),
    NULL,
  },
  [EAR_ERROR_NO_MEDIA] = {
    N_("Nothing to Play"),
    N_("There is no audio for this episode. Its notes may link to it."),
    NULL,
  },
  [EAR_ERROR_CODEC] = {
    N_("Unknown Format"),
    N_("This computer cannot play the format of this episode. It may work in the web browser."),
    NULL,
  },
  [EAR_ERROR_SOUND_DEVICE] = {
    N_("No Sound Output"),
    N_("Connect speakers or headphones, or look at the sound settings. Then try again."),
    NULL,
  },
  [EAR_ERROR_NO_ADDRESS] = {
    N_("A Copy of a Podcast"),
    N_("This file is a copy of a podcast’s feed, and does not say where on the web it comes from. Add the podcast by its web address."),
    NULL,
  },
  [EAR_ERROR_NEWER] = {
    N_("Made by a Newer Earmark"),
    N_("Your podcasts were last used with a newer version of Earmark. Nothing was changed: update Earmark to go on."),
    NULL,
  },
  [EAR_ERROR_FOLLOWED] = {
    N_("Already Followed"),
    N_("You already follow the podcast at this address."),
    NULL,
  },
  [EAR_ERROR_WRONG_LOGIN] = {
    N_("Wrong User Name or Password"),
    N_("Sign in again with the user name and password you received."),
    NULL,
  },
  [EAR_ERROR_NOT_A_FOLDER] = {
    N_("Not a Folder"),
    N_("Something else is in the place of the downloads folder, or of a folder in it. Move it away, then try again."),
    NULL,
  },
  [EAR_ERROR_NO_FOLDER] = {
    N_("Downloads Folder Not Found"),
    N_("The folder for downloads is not there. Connect its disk, or choose another folder in the preferences."),
    NULL,
  },
  [EAR_ERROR_STREAM_ONLY] = {
    N_("Streaming Only"),
    N_("This episode can only be streamed, not downloaded."),
    NULL,
  },
};

static const ErrorText *
find_text (const GError *error)
{
  if (error->domain == EAR_ERROR && error->code >= 0 && error->code < (int) G_N_ELEMENTS (texts))
    return &texts[error->code];

  return &texts[EAR_ERROR_FAILED];
}

/* Which is no podcast, and nothing else that was looked for. */
static gboolean
is_something_else (const GError *error)
{
  return g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE) || g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_XML) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_A_FEED);
}

/* Returns: (transfer full) (nullable): a few translated words for a heading */
char *
ear_error_text_title (const GError *error, EarErrorSubject subject)
{
  if (error == NULL)
    return NULL;
  if ((subject == EAR_ERROR_ABOUT_MEDIA || subject == EAR_ERROR_ABOUT_DOWNLOAD) && is_something_else (error))
    return g_strdup (_("Not Audio"));

  return g_strdup (_(find_text (error)->title));
}

/**
 * ear_error_text_body:
 * @error: (nullable): what happened
 * @subject: what was being done
 *
 * Returns: (transfer full) (nullable): translated sentences that say what to do
 */
char *
ear_error_text_body (const GError *error, EarErrorSubject subject)
{
  const ErrorText *text;

  if (error == NULL)
    return NULL;

  text = find_text (error);
  if (subject == EAR_ERROR_ABOUT_DOWNLOAD && text->download != NULL)
    return g_strdup (_(text->download));
  if ((subject == EAR_ERROR_ABOUT_MEDIA || subject == EAR_ERROR_ABOUT_DOWNLOAD) && text->media != NULL)
    return g_strdup (_(text->media));
  if (subject == EAR_ERROR_ABOUT_SEARCH && text->search != NULL)
    return g_strdup (_(text->search));

  return g_strdup (_(text->feed));
}

/* Why a download failed, as it stands in a row: "Failed: no network". */
static const char *const briefly[] = {
  [EAR_ERROR_FAILED] = NC_("failed", "something went wrong"),
  [EAR_ERROR_OFFLINE] = NC_("failed", "no network"),
  [EAR_ERROR_UNREACHABLE] = NC_("failed", "server not reached"),
  [EAR_ERROR_TIMED_OUT] = NC_("failed", "the server does not answer"),
  [EAR_ERROR_CERTIFICATE] = NC_("failed", "the connection is not secure"),
  [EAR_ERROR_NOT_FOUND] = NC_("failed", "not found"),
  [EAR_ERROR_GONE] = NC_("failed", "no longer there"),
  [EAR_ERROR_UNAUTHORIZED] = NC_("failed", "password required"),
  [EAR_ERROR_FORBIDDEN] = NC_("failed", "access refused"),
  [EAR_ERROR_BUSY] = NC_("failed", "the server is busy"),
  [EAR_ERROR_SERVER] = NC_("failed", "the server has a problem"),
  [EAR_ERROR_REDIRECTS] = NC_("failed", "too many redirects"),
  [EAR_ERROR_TOO_LARGE] = NC_("failed", "too much data"),
  [EAR_ERROR_INCOMPLETE] = NC_("failed", "connection lost"),
  [EAR_ERROR_UNSAFE_ADDRESS] = NC_("failed", "not a web address"),
  [EAR_ERROR_NOT_XML] = NC_("failed", "not audio"),
  [EAR_ERROR_NOT_A_FEED] = NC_("failed", "not audio"),
  [EAR_ERROR_WEB_PAGE] = NC_("failed", "not audio"),
  [EAR_ERROR_NO_SPACE] = NC_("failed", "the disk is full"),
  [EAR_ERROR_NO_MEDIA] = NC_("failed", "no audio"),
  [EAR_ERROR_WRONG_LOGIN] = NC_("failed", "wrong password"),
  [EAR_ERROR_NOT_A_FOLDER] = NC_("failed", "not a folder"),
  [EAR_ERROR_NO_FOLDER] = NC_("failed", "no downloads folder"),
  [EAR_ERROR_STREAM_ONLY] = NC_("failed", "streaming only"),
};

/* Returns: (transfer full): that in two or three words, to stand after a colon */
char *
ear_error_text_brief (const GError *error)
{
  const int code = error != NULL && error->domain == EAR_ERROR ? error->code : EAR_ERROR_FAILED;
  const char *text = code >= 0 && code < (int) G_N_ELEMENTS (briefly) ? briefly[code] : NULL;

  return g_strdup (g_dpgettext2 (NULL, "failed", text != NULL ? text : briefly[EAR_ERROR_FAILED]));
}

/**
 * ear_error_text_importing:
 * @error: why nothing was imported from a file
 *
 * Returns: (transfer full): a translated sentence, without a full stop
 */
char *
ear_error_text_importing (const GError *error)
{
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_FOUND) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return g_strdup (_("There is no such file"));
  if (is_something_else (error) || g_error_matches (error, EAR_ERROR, EAR_ERROR_TOO_LARGE))
    return g_strdup (_("This file is not a list of podcasts"));
  if (error->domain == EAR_ERROR)
    return ear_error_text_body (error, EAR_ERROR_ABOUT_SEARCH);

  return g_strdup (_("The file cannot be read"));
}

/* Returns: (transfer full): a translated sentence, without a full stop */
char *
ear_error_text_restoring (const GError *error)
{
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    return g_strdup (_("Nothing was restored: the disk is full, or cannot be written to"));
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED) || g_error_matches (error, EAR_ERROR, EAR_ERROR_TOO_LARGE))
    return g_strdup (_("Nothing was restored: the file is not a backup, or it is damaged"));

  return g_strdup (_("The backup could not be restored"));
}
