/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-list-rule.h"

#include "ear-podcast-settings.h"
#include "ear-record.h"

/* Maximum length, 68 years */
#define MOST_MICROSECONDS (G_MAXINT32 * (double) G_USEC_PER_SEC)

G_DEFINE_BOXED_TYPE (EarListRule, ear_list_rule, ear_list_rule_copy, ear_list_rule_free)

/* Words of the condition `played` in the state files */
static const struct
{
  const char *word;
  EarEpisodeFilter filter;
} played[] = {
  { "no", EAR_FILTER_UNPLAYED },
  { "begun", EAR_FILTER_IN_PROGRESS },
  { "yes", EAR_FILTER_PLAYED },
};

/* Returns: (transfer full): a rule that all episodes match */
EarListRule *
ear_list_rule_new (void)
{
  return g_new0 (EarListRule, 1);
}

EarListRule *
ear_list_rule_copy (const EarListRule *self)
{
  EarListRule *copy = g_memdup2 (self, sizeof *self);

  copy->podcasts = g_strdupv (self->podcasts);
  copy->words = g_strdup (self->words);

  return copy;
}

void
ear_list_rule_free (EarListRule *self)
{
  g_strfreev (self->podcasts);
  g_free (self->words);
  g_free (self);
}

static char **
read_podcasts (GVariant *value)
{
  g_autoptr (GVariant) addresses = NULL;
  g_autoptr (GStrvBuilder) podcasts = g_strv_builder_new ();
  GVariantIter iter;
  GVariant *address;

  if (!g_variant_lookup (value, "podcasts", "@av", &addresses) ||
      g_variant_n_children (addresses) == 0)
    return NULL;
  g_variant_iter_init (&iter, addresses);
  while (g_variant_iter_loop (&iter, "v", &address))
    if (g_variant_is_of_type (address, G_VARIANT_TYPE_STRING))
      g_strv_builder_add (podcasts, g_variant_get_string (address, NULL));

  return g_strv_builder_end (podcasts);
}

static guint
read_flag (GVariant *value, const char *name, EarEpisodeFilter filter)
{
  gboolean flag;

  return g_variant_lookup (value, name, "b", &flag) && flag ? 1u << filter : 0;
}

/* Invalid conditions are ignored.
 * @value: the rule of a record, `a{sv}` */
EarListRule *
ear_list_rule_read (GVariant *value)
{
  EarListRule *self = ear_list_rule_new ();
  const char *word = NULL;

  self->podcasts = read_podcasts (value);
  g_variant_lookup (value, "played", "&s", &word);
  for (gsize i = 0; i < G_N_ELEMENTS (played); i++)
    if (g_strcmp0 (word, played[i].word) == 0)
      self->terms.filters = 1u << played[i].filter;
  self->terms.filters |= read_flag (value, "liked", EAR_FILTER_LIKED) |
                         read_flag (value, "downloaded", EAR_FILTER_DOWNLOADED);
  self->terms.shortest =
      (gint64) CLAMP (ear_record_get_number (value, "shortest", 0), 0, MOST_MICROSECONDS);
  self->terms.longest =
      (gint64) CLAMP (ear_record_get_number (value, "longest", 0), 0, MOST_MICROSECONDS);
  self->terms.days =
      (guint) CLAMP (ear_record_get_number (value, "days", 0), 0, EAR_LIST_RULE_MOST_DAYS);
  if (g_variant_lookup (value, "words", "&s", &word) && *word != '\0')
    self->words = g_strdup (word);
  word = NULL;
  g_variant_lookup (value, "sort", "&s", &word);
  self->sort = ear_episode_sort_from_name (word);

  return self;
}

/* @value: (nullable): a floating value; %NULL for a condition that is not set */
static void
add (GVariantBuilder *builder, const char *name, GVariant *value)
{
  if (value != NULL)
    g_variant_builder_add (builder, "{sv}", name, value);
}

static GVariant *
create_number (gint64 number)
{
  return number > 0 ? g_variant_new_int64 (number) : NULL;
}

static GVariant *
create_flag (const EarListRule *self, EarEpisodeFilter filter)
{
  return ear_episode_conditions_have (&self->terms, filter) ? g_variant_new_boolean (TRUE) : NULL;
}

/* Unset conditions are left out. Arrays are `av`, as when read from JSON. The order is always
 * the same: the variants of two rules are compared. */
GVariant *
ear_list_rule_to_variant (const EarListRule *self)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  if (self->podcasts != NULL)
    {
      g_auto (GVariantBuilder) podcasts = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

      for (guint i = 0; self->podcasts[i] != NULL; i++)
        g_variant_builder_add (&podcasts, "v", g_variant_new_string (self->podcasts[i]));
      add (&builder, "podcasts", g_variant_builder_end (&podcasts));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (played); i++)
    if (ear_episode_conditions_have (&self->terms, played[i].filter))
      add (&builder, "played", g_variant_new_string (played[i].word));
  add (&builder, "liked", create_flag (self, EAR_FILTER_LIKED));
  add (&builder, "downloaded", create_flag (self, EAR_FILTER_DOWNLOADED));
  add (&builder, "shortest", create_number (self->terms.shortest));
  add (&builder, "longest", create_number (self->terms.longest));
  add (&builder, "days", create_number (self->terms.days));
  if (self->words != NULL)
    add (&builder, "words", g_variant_new_string (self->words));
  if (self->sort != EAR_SORT_NEWEST)
    add (&builder, "sort",
         g_variant_new_string (ear_podcast_setting_get_word (EAR_PODCAST_SETTING_SORT,
                                                             (int) self->sort)));

  return g_variant_builder_end (&builder);
}
