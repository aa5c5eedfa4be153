/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-error-text.h"

/* Every code has words of its own for the listener, for a feed and for an episode. */
static void
test_every_code (void)
{
  for (int code = EAR_ERROR_FAILED; code < EAR_N_ERRORS; code++)
    {
      g_autoptr (GError) error = g_error_new (EAR_ERROR, code, "developers' words");

      for (int subject = EAR_ERROR_ABOUT_FEED; subject <= EAR_ERROR_ABOUT_SEARCH; subject++)
        {
          const char *title = ear_error_text_title (error, subject);
          const char *body = ear_error_text_body (error, subject);

          g_assert_nonnull (title);
          g_assert_nonnull (body);
          g_assert_cmpint (g_utf8_strlen (title, -1), >, 5);
          g_assert_cmpint (g_utf8_strlen (body, -1), >, 15);
          g_assert_true (g_str_has_suffix (body, "."));
          g_assert_null (strstr (body, "developers"));
          if (code != EAR_ERROR_FAILED)
            g_assert_cmpstr (title, !=, "Something Went Wrong");
        }
    }
}

static void
test_subjects (void)
{
  g_autoptr (GError) error = g_error_new (EAR_ERROR, EAR_ERROR_NOT_FOUND, "404");
  const char *feed = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED);
  const char *media = ear_error_text_body (error, EAR_ERROR_ABOUT_MEDIA);

  g_assert_cmpstr (feed, !=, media);
}

/* Downloads share the texts of playback, except where those only fit playback. */
static void
test_download (void)
{
  static const int playing[] = { EAR_ERROR_FAILED, EAR_ERROR_INCOMPLETE };
  g_autoptr (GError) page = g_error_new (EAR_ERROR, EAR_ERROR_WEB_PAGE, "html");
  const char *of_media = ear_error_text_body (page, EAR_ERROR_ABOUT_MEDIA);
  const char *of_download = ear_error_text_body (page, EAR_ERROR_ABOUT_DOWNLOAD);

  g_assert_cmpstr (of_media, ==, of_download);
  for (gsize i = 0; i < G_N_ELEMENTS (playing); i++)
    {
      g_autoptr (GError) error = g_error_new (EAR_ERROR, playing[i], "while playing");
      const char *media = ear_error_text_body (error, EAR_ERROR_ABOUT_MEDIA);
      const char *download = ear_error_text_body (error, EAR_ERROR_ABOUT_DOWNLOAD);

      g_assert_cmpstr (media, !=, download);
      g_assert_null (strstr (download, "play"));
    }
}

/* The error of a file does not mention web pages. */
static void
test_importing (void)
{
  static const int others[] = { EAR_ERROR_NOT_XML, EAR_ERROR_NOT_A_FEED, EAR_ERROR_WEB_PAGE, EAR_ERROR_TOO_LARGE };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = g_error_new (EAR_ERROR, others[i], "something else");
      const char *text = ear_error_text_importing (error);

      g_assert_cmpstr (text, ==, "This file is not a list of podcasts");
    }
}

/* The command line and a tooltip show the sentence without its title. */
static void
test_other_podcast (void)
{
  g_autoptr (GError) error = g_error_new (EAR_ERROR, EAR_ERROR_OTHER_PODCAST, "another guid");
  const char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_FEED);

  g_assert_true (g_str_has_prefix (body, "The feed answers with another podcast."));
}

static void
test_certificate (void)
{
  g_autoptr (GError) error = g_error_new (EAR_ERROR, EAR_ERROR_CERTIFICATE, "tls");
  const char *body = ear_error_text_body (error, EAR_ERROR_ABOUT_MEDIA);

  g_assert_nonnull (strstr (body, "certificate"));
}

static void
test_strangers (void)
{
  g_autoptr (GError) other = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "other domain");
  g_autoptr (GError) newer = g_error_new (EAR_ERROR, 4711, "newer code");
  const char *first = ear_error_text_title (other, EAR_ERROR_ABOUT_FEED);
  const char *second = ear_error_text_title (newer, EAR_ERROR_ABOUT_FEED);

  g_assert_cmpstr (first, ==, "Something Went Wrong");
  g_assert_cmpstr (second, ==, "Something Went Wrong");
  g_assert_null (ear_error_text_title (NULL, EAR_ERROR_ABOUT_FEED));
  g_assert_null (ear_error_text_body (NULL, EAR_ERROR_ABOUT_FEED));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/error-text/every-code", test_every_code);
  g_test_add_func ("/error-text/subjects", test_subjects);
  g_test_add_func ("/error-text/download", test_download);
  g_test_add_func ("/error-text/importing", test_importing);
  g_test_add_func ("/error-text/other-podcast", test_other_podcast);
  g_test_add_func ("/error-text/certificate", test_certificate);
  g_test_add_func ("/error-text/strangers", test_strangers);

  return g_test_run ();
}
