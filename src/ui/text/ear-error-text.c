/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error-text.h"

#include <glib/gi18n.h>

/*
 * Errors in the listener's words: a short title, and a sentence with advice. The layers
 * below raise codes; their messages are for developers and never shown.
 */

typedef struct
{
  const char *title;
  const char *feed;
  const char *media;
  const char *search;
  const char *download;
  const char *sync;
  const char *brief; /* the reason of a failed download in a row: "Failed: no network" */
} ErrorText;

/* A text that is NULL falls back to the one for a feed; a text for a download falls back
 * to the one for media first, and a brief one to that of EAR_ERROR_FAILED. */
static const ErrorText texts[] = {
  [EAR_ERROR_FAILED] = {
    N_("Something Went Wrong"),
    N_("The podcast could not be checked. Try again later."),
    N_("The episode could not be played. Try again later."),
    N_("The search failed. Try again later."),
    N_("The episode could not be downloaded. Try again later."),
    .sync = N_("Syncing failed. Try again later."),
    .brief = NC_("failed", "something went wrong"),
  },
  [EAR_ERROR_OFFLINE] = {
    N_("No Network"),
    N_("Episodes appear once you are online."),
    N_("Connect to a network, then try again."),
    N_("Connect to a network to find podcasts."),
    .sync = N_("Podcasts are synced once you are online."),
    .brief = NC_("failed", "no network"),
  },
  [EAR_ERROR_UNREACHABLE] = {
    N_("Could Not Reach Server"),
    N_("The podcast’s server refused the connection. The server may be down."),
    N_("The audio server refused the connection. The server may be down."),
    N_("The server refused the connection. The server may be down."),
    .sync = N_("The server refused the connection. The server may be down."),
    .brief = NC_("failed", "could not reach server"),
  },
  [EAR_ERROR_TIMED_OUT] = {
    N_("Server Not Responding"),
    N_("The server took too long to respond. Check your connection, or try again later."),
    .brief = NC_("failed", "server not responding"),
  },
  [EAR_ERROR_CERTIFICATE] = {
    N_("Insecure Connection"),
    N_("The server’s certificate is not trusted, so nothing was loaded. Check the date of this "
       "computer. If it is right, only the publisher can fix this."),
    .sync = N_("The server’s certificate is not trusted, so nothing was sent. Check the address "
               "and the date of this computer."),
    .brief = NC_("failed", "insecure connection"),
  },
  [EAR_ERROR_NOT_FOUND] = {
    N_("Not Found"),
    N_("No podcast was found at this address. Look for its new address on its website."),
    N_("The link to this episode’s audio is broken."),
    .sync = N_("There is no podcast service at this address. Nextcloud needs the app gPodder "
               "Sync."),
    .brief = NC_("failed", "not found"),
  },
  [EAR_ERROR_GONE] = {
    N_("No Longer Available"),
    N_("The publisher removed this podcast. Its episodes stay in your library."),
    N_("The publisher removed the audio of this episode."),
    N_("The publisher removed the podcast at this address."),
    .brief = NC_("failed", "no longer available"),
  },
  [EAR_ERROR_UNAUTHORIZED] = {
    N_("Password Required"),
    N_("This podcast requires a user name and password."),
    N_("This episode requires a user name and password."),
    .sync = N_("Sign out, then sign in again."),
    .brief = NC_("failed", "password required"),
  },
  [EAR_ERROR_FORBIDDEN] = {
    N_("Access Denied"),
    N_("The server does not allow access to this podcast."),
    N_("The server does not allow access to the audio of this episode."),
    N_("The server does not allow access. Try again later."),
    .sync = N_("The server does not allow access. Try again later."),
    .brief = NC_("failed", "access denied"),
  },
  [EAR_ERROR_BUSY] = {
    N_("Server Busy"),
    N_("The server asks to try again later."),
    .brief = NC_("failed", "server busy"),
  },
  [EAR_ERROR_SERVER] = {
    N_("Server Error"),
    N_("The server answered with an error. Try again later."),
    .brief = NC_("failed", "server error"),
  },
  [EAR_ERROR_REDIRECTS] = {
    N_("Too Many Redirects"),
    N_("The server keeps redirecting to other addresses. Only the publisher can fix this."),
    .brief = NC_("failed", "too many redirects"),
  },
  [EAR_ERROR_TOO_LARGE] = {
    N_("Too Much Data"),
    N_("The podcast’s feed is too large. Only the first part was loaded."),
    N_("The file is too large for an episode."),
    N_("The file at this address is too large for a podcast."),
    .sync = N_("The server’s answer is too large."),
    .brief = NC_("failed", "too much data"),
  },
  [EAR_ERROR_INCOMPLETE] = {
    N_("Connection Lost"),
    N_("Only part of the podcast was loaded. Try again for the rest."),
    N_("The connection was lost during playback. Your position is kept."),
    N_("The connection was lost. Try again."),
    N_("Only part of the episode was downloaded. Try again for the rest."),
    .sync = N_("The connection was lost. Try again."),
    .brief = NC_("failed", "connection lost"),
  },
  [EAR_ERROR_UNSAFE_ADDRESS] = {
    N_("Not a Web Address"),
    N_("Podcast addresses begin with https:// or http://."),
    N_("The feed has no valid address for the audio of this episode."),
    N_("This is not a web address. Web addresses look like https://example.org/feed.xml."),
    .sync = N_("Addresses of servers look like https://cloud.example.org."),
    .brief = NC_("failed", "not a web address"),
  },
  [EAR_ERROR_NOT_XML] = {
    N_("Not a Podcast"),
    N_("The file at this address is not a podcast feed."),
    N_("The server did not send audio for this episode."),
    N_("The file is neither a podcast feed nor a list of podcasts."),
    .brief = NC_("failed", "not audio"),
  },
  [EAR_ERROR_NOT_A_FEED] = {
    N_("Not a Podcast"),
    N_("The file at this address is not a podcast feed."),
    N_("The server did not send audio for this episode."),
    .brief = NC_("failed", "not audio"),
  },
  [EAR_ERROR_WEB_PAGE] = {
    N_("No Podcast on This Page"),
    N_("This web page does not link to a podcast feed."),
    N_("The server sent a web page instead of audio. Some networks require you to sign in first."),
    N_("If the page has a link named “RSS” or “Feed”, paste that link."),
    .brief = NC_("failed", "not audio"),
  },
  [EAR_ERROR_DAMAGED] = {
    N_("Damaged File"),
    N_("A damaged file was set aside. Earmark continues without it."),
    N_("The download is damaged. Remove it to stream the episode instead."),
    N_("The file is damaged, or from a version of its app that Earmark does not know."),
  },
  [EAR_ERROR_NO_SPACE] = {
    N_("No Space Left"),
    N_("The disk is full or read-only. Free some space, then try again."),
    .brief = NC_("failed", "disk full"),
  },
  [EAR_ERROR_NO_MEDIA] = {
    N_("Nothing to Play"),
    N_("This episode has no audio. Its notes may link to it."),
    .brief = NC_("failed", "no audio"),
  },
  [EAR_ERROR_CODEC] = {
    N_("Unknown Format"),
    N_("This computer cannot play the format of this episode. Try the web browser."),
  },
  [EAR_ERROR_SOUND_DEVICE] = {
    N_("No Sound Output"),
    N_("Connect speakers or headphones, or check the sound settings. Then try again."),
  },
  [EAR_ERROR_NO_ADDRESS] = {
    N_("Feed Address Missing"),
    N_("This copy of a feed does not contain its web address. Add the podcast by its address."),
  },
  [EAR_ERROR_NEWER] = {
    N_("Newer Version Required"),
    N_("Your library was last used with a newer version of Earmark. Nothing was changed. Update "
       "Earmark to continue."),
  },
  [EAR_ERROR_FOLLOWED] = {
    N_("Already Followed"),
    N_("You already follow the podcast at this address."),
  },
  [EAR_ERROR_WRONG_LOGIN] = {
    N_("Wrong User Name or Password"),
    N_("Check your user name and password, then sign in again."),
    .brief = NC_("failed", "wrong password"),
  },
  [EAR_ERROR_NOT_A_FOLDER] = {
    N_("Not a Folder"),
    N_("A file has the name of the downloads folder or of a folder in it. Move the file away, "
       "then try again."),
    .brief = NC_("failed", "not a folder"),
  },
  [EAR_ERROR_NO_FOLDER] = {
    N_("Downloads Folder Not Found"),
    N_("The downloads folder was not found. Connect its disk, or choose another folder in "
       "Preferences."),
    .brief = NC_("failed", "downloads folder not found"),
  },
  [EAR_ERROR_STREAM_ONLY] = {
    N_("Streaming Only"),
    N_("This episode can only be streamed, not downloaded."),
    .brief = NC_("failed", "streaming only"),
  },
  [EAR_ERROR_OTHER_PODCAST] = {
    N_("The Feed Answers With Another Podcast"),
    N_("The feed answers with another podcast. None of it was added. Such mistakes of a "
       "publisher often last for an hour; Earmark checks again later."),
  },
};

static const ErrorText *
find_text (const GError *error)
{
  if (error->domain == EAR_ERROR && error->code >= 0 && error->code < (int) G_N_ELEMENTS (texts))
    return &texts[error->code];

  return &texts[EAR_ERROR_FAILED];
}

static gboolean
is_something_else (const GError *error)
{
  return g_error_matches (error, EAR_ERROR, EAR_ERROR_WEB_PAGE) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_XML) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_A_FEED);
}

/* Returns: (nullable): a few translated words for a heading */
const char *
ear_error_text_title (const GError *error, EarErrorSubject subject)
{
  if (error == NULL)
    return NULL;
  if ((subject == EAR_ERROR_ABOUT_MEDIA || subject == EAR_ERROR_ABOUT_DOWNLOAD) &&
      is_something_else (error))
    return _("Not Audio");

  return _(find_text (error)->title);
}

/* Returns: (nullable): translated sentences with advice */
const char *
ear_error_text_body (const GError *error, EarErrorSubject subject)
{
  const ErrorText *text;

  if (error == NULL)
    return NULL;

  text = find_text (error);
  if (subject == EAR_ERROR_ABOUT_DOWNLOAD && text->download != NULL)
    return _(text->download);
  if ((subject == EAR_ERROR_ABOUT_MEDIA || subject == EAR_ERROR_ABOUT_DOWNLOAD) &&
      text->media != NULL)
    return _(text->media);
  if (subject == EAR_ERROR_ABOUT_SYNC && text->sync != NULL)
    return _(text->sync);
  if (subject == EAR_ERROR_ABOUT_SEARCH && text->search != NULL)
    return _(text->search);

  return _(text->feed);
}

/* Returns: the error in two or three words, for after a colon */
const char *
ear_error_text_brief (const GError *error)
{
  const char *brief = error != NULL ? find_text (error)->brief : NULL;

  return g_dpgettext2 (NULL, "failed", brief != NULL ? brief : texts[EAR_ERROR_FAILED].brief);
}

/* Returns: whether the address has no podcast, which may have moved */
gboolean
ear_error_blames_address (const GError *error)
{
  return is_something_else (error) || g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_FOUND) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_GONE) ||
         g_error_matches (error, EAR_ERROR, EAR_ERROR_REDIRECTS);
}

/* Returns: a translated sentence, without a full stop */
const char *
ear_error_text_importing (const GError *error)
{
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NOT_FOUND) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return _("The file does not exist");
  if (is_something_else (error) || g_error_matches (error, EAR_ERROR, EAR_ERROR_TOO_LARGE))
    return _("This file is not a list of podcasts");
  if (error->domain == EAR_ERROR)
    return ear_error_text_body (error, EAR_ERROR_ABOUT_SEARCH);

  return _("The file could not be read");
}

/* Returns: a translated sentence, without a full stop */
const char *
ear_error_text_restoring (const GError *error)
{
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_NO_SPACE))
    return _("Nothing was restored: the disk is full or read-only");
  if (g_error_matches (error, EAR_ERROR, EAR_ERROR_DAMAGED) ||
      g_error_matches (error, EAR_ERROR, EAR_ERROR_TOO_LARGE))
    return _("Nothing was restored: the file is damaged or not a backup");

  return _("The backup could not be restored");
}
