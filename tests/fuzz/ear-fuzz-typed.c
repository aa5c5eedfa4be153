/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-fuzz.h"

#include "ear-address.h"
#include "ear-command-line.h"
#include "ear-discovery-input.h"
#include "ear-podcast.h"
#include "ear-search-filter.h"

#include <fenv.h>
#include <string.h>

/* Texts typed by the listener or passed on by another program: a search, the URL of a
 * podcast, a command line */

/* Unix seconds of the years 1 to 9999 */
#define EARLIEST (-G_GINT64_CONSTANT (62135596800))
#define LATEST G_GINT64_CONSTANT (253402300800)

/* 1000 hours */
#define LONGEST ((gint64) 1000 * 3600 * G_USEC_PER_SEC)

/* The podcasts are used for the listener's lists, too: both have a title. */
static GListModel *
create_podcasts (void)
{
  static const char *const titles[] = { "Café Torche", "The Lighthouse Hour", "\"Quoted\" torch: is:new" };
  GListStore *podcasts = g_list_store_new (EAR_TYPE_PODCAST);

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_autoptr (EarPodcast) podcast = ear_podcast_new (i + 1, "https://example.org/");
      g_autoptr (EarPodcastFacts) facts = ear_podcast_facts_new ();

      facts->title = g_strdup (titles[i]);
      ear_podcast_set_facts (podcast, facts);
      g_list_store_append (podcasts, podcast);
    }

  return G_LIST_MODEL (podcasts);
}

static void
check_proposals (const char *text, int position, GListModel *podcasts)
{
  g_autoptr (GListStore) proposals = ear_search_proposals_create (text, position, podcasts, podcasts, 2026);

  for (guint i = 0; proposals != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (proposals)); i++)
    {
      g_autoptr (EarSearchProposal) proposal = g_list_model_get_item (G_LIST_MODEL (proposals), i);
      int after = position;
      g_autofree char *applied = ear_search_proposal_apply (proposal, text, &after);

      g_assert_true (g_utf8_validate (ear_search_proposal_get_label (proposal), -1, NULL));
      g_assert_true (g_utf8_validate (applied, -1, NULL));
      g_assert_true (after >= 0 && after <= g_utf8_strlen (applied, -1));
    }
}

void
ear_fuzz_search (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (GListModel) podcasts = create_podcasts ();
  g_autoptr (EarSearchFilter) search = NULL;

  feclearexcept (FE_ALL_EXCEPT);
  search = ear_search_filter_parse (text, podcasts, podcasts);
  /* An out-of-range cast raises this flag. */
  g_assert_false (fetestexcept (FE_INVALID));
  g_assert_true (search->words == NULL || g_utf8_validate (search->words, -1, NULL));
  g_assert_true (search->wrong_value == NULL || g_utf8_validate (search->wrong_value, -1, NULL));
  g_assert_true (search->terms.shortest >= 0 && search->terms.shortest <= LONGEST);
  g_assert_true (search->terms.longest >= 0 && search->terms.longest <= LONGEST);
  g_assert_true (search->terms.after >= EARLIEST && search->terms.after <= LATEST);
  g_assert_true (search->terms.before >= EARLIEST && search->terms.before <= LATEST);
  if (strlen (valid) <= EAR_SEARCH_FILTER_LIMIT)
    check_proposals (valid, (int) (length % (gsize) (g_utf8_strlen (valid, -1) + 1)), podcasts);
}

void
ear_fuzz_input (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_autofree char *value = NULL;
  const EarDiscoveryInput input = ear_discovery_input_read (text, &value);

  g_assert_true ((value == NULL) == (input == EAR_DISCOVERY_NOTHING || input == EAR_DISCOVERY_UNKNOWN));
  /* File names may contain any bytes. */
  g_assert_true (value == NULL || input == EAR_DISCOVERY_FILE || g_utf8_validate (value, -1, NULL));
  g_assert_true (input != EAR_DISCOVERY_ADDRESS || ear_address_is_web (value));
  g_assert_true (input != EAR_DISCOVERY_APPLE || (*value != '\0' && strspn (value, "0123456789") == strlen (value)));
  g_assert_true (input != EAR_DISCOVERY_FILE || g_path_is_absolute (value));
  /* Text that may contain a password is never searched for. */
  g_assert_true (input != EAR_DISCOVERY_WORDS || strstr (value, "://") == NULL);
}

/* The arguments that reopen the same items contain the same URLs and files. */
static void
check_opened (EarCommandLine *line)
{
  g_auto (GStrv) argv = ear_command_line_dup_argv (line, "earmark");
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCommandLine) again = ear_command_line_parse ((const char *const *) argv, &error);

  g_assert_no_error (error);
  g_assert_cmpint (again->verb, ==, EAR_COMMAND_OPEN);
  g_assert_true (again->service == line->service);
  g_assert_true ((again->uris == NULL) == (line->uris == NULL));
  g_assert_true (again->uris == NULL || g_strv_equal ((const char *const *) again->uris, (const char *const *) line->uris));
}

/* Each line is an argument. */
void
ear_fuzz_command (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  g_autofree char *all = g_strconcat ("earmark\n", text, NULL);
  g_auto (GStrv) arguments = g_strsplit (all, "\n", 200);
  g_autoptr (GError) error = NULL;
  g_autoptr (EarCommandLine) line = NULL;

  feclearexcept (FE_ALL_EXCEPT);
  line = ear_command_line_parse ((const char *const *) arguments, &error);
  g_assert_false (fetestexcept (FE_INVALID));
  g_assert_true ((line == NULL) == (error != NULL));
  if (line == NULL)
    return;
  g_assert_true (line->verb != EAR_COMMAND_SPEED || (line->speed >= 0.5 && line->speed <= 4));
  g_assert_true (line->time > -EAR_POSITION_LIMIT && line->time < EAR_POSITION_LIMIT);
  for (guint i = 0; line->uris != NULL && line->uris[i] != NULL; i++)
    g_assert_true (ear_address_is_web (line->uris[i]) || g_str_has_prefix (line->uris[i], "file:"));
  if (line->verb == EAR_COMMAND_OPEN)
    check_opened (line);
}
