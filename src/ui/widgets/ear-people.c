/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-people.h"

#include <glib/gi18n.h>

/* Some feeds list a whole crew. */
#define MOST_SHOWN 20

/* Roles of the Podcast Taxonomy, which feeds write in English, in upper or lower case */
static const char *const roles[] = {
  /* Translators: the role of a person in a podcast, of any gender: “Ann Lee (host)”; so
   * are the next ones */
  N_("host"),
  N_("co-host"),
  N_("guest host"),
  N_("guest"),
  N_("announcer"),
  N_("narrator"),
  N_("voice actor"),
  N_("reporter"),
  N_("researcher"),
  N_("writer"),
  N_("author"),
  N_("editor"),
  N_("audio editor"),
  N_("producer"),
  N_("executive producer"),
  N_("audio engineer"),
  N_("music contributor"),
  N_("theme music"),
  N_("cover art designer"),
  N_("transcriber"),
  N_("translator"),
};

/* Returns: the translation, or @role as the feed has it */
static const char *
translate_role (const char *role)
{
  for (gsize i = 0; i < G_N_ELEMENTS (roles); i++)
    if (g_ascii_strcasecmp (role, roles[i]) == 0)
      return _(roles[i]);

  return role;
}

static char *
format_person (const EarPerson *person)
{
  if (person->role == NULL)
    return g_strdup (person->name);

  /* Translators: a name, and the person’s role in the podcast: “Ann Lee (host)” */
  return g_strdup_printf (_("%s (%s)"), person->name, translate_role (person->role));
}

/* @persons: (element-type EarPerson): the persons
 * Returns: (transfer full) (nullable): “Ann Lee (host), Bob (guest)”;
 * %NULL without persons */
char *
ear_people_format (GPtrArray *persons)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const guint n_shown = persons->len > MOST_SHOWN ? MOST_SHOWN - 1 : persons->len;

  for (guint i = 0; i < n_shown; i++)
    {
      g_autofree char *person = format_person (g_ptr_array_index (persons, i));

      if (text->len > 0)
        /* Translators: the separator in a list, as in “Technology, Science” */
        g_string_append (text, _(", "));
      g_string_append (text, person);
    }
  if (n_shown < persons->len)
    {
      const guint n_more = persons->len - n_shown;

      /* Translators: at the end of a long list of names */
      g_string_append_printf (text, ngettext (", and %u more", ", and %u more", n_more), n_more);
    }

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* An episode without persons of its own has those of its podcast.
 * Returns: (transfer full) (nullable): “With Ann Lee (host), Bob (guest)” */
char *
ear_people_format_of_episode (EarEpisode *episode)
{
  GPtrArray *persons = ear_episode_get_facts (episode)->persons;
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  g_autofree char *people = NULL;

  if (persons->len == 0 && podcast != NULL)
    persons = ear_podcast_get_facts (podcast)->persons;
  people = ear_people_format (persons);
  if (people == NULL)
    return NULL;

  /* Translators: below an episode's title, the people in it: “With Ann Lee (host), Bob (guest)” */
  return g_strdup_printf (_("With %s"), people);
}
