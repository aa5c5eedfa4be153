/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-list.h"

#include "ear-episode-list.h"
#include "ear-podcast-settings.h"
#include "ear-property.h"
#include "ear-record.h"

#include <glib/gi18n-lib.h>

/* Maximum length, 68 years */
#define MOST_MICROSECONDS (G_MAXINT32 * (double) G_USEC_PER_SEC)

G_DEFINE_BOXED_TYPE (EarListRule, ear_list_rule, ear_list_rule_copy, ear_list_rule_free)

/* Names of EarEpisodePlayed in the state files */
static const char *const played[] = { "any", "no", "begun", "yes" };

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

/* Invalid conditions are ignored.
 * @value: the rule of a record, `a{sv}` */
EarListRule *
ear_list_rule_read (GVariant *value)
{
  EarListRule *self = ear_list_rule_new ();
  const char *word = NULL;

  self->podcasts = read_podcasts (value);
  for (guint i = 0; g_variant_lookup (value, "played", "&s", &word) && i < G_N_ELEMENTS (played);
       i++)
    if (g_str_equal (word, played[i]))
      self->terms.played = (EarEpisodePlayed) i;
  g_variant_lookup (value, "liked", "b", &self->terms.liked);
  g_variant_lookup (value, "downloaded", "b", &self->terms.downloaded);
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

/* Unset conditions are left out. Arrays are `av`, as when read from JSON. */
GVariant *
ear_list_rule_to_variant (const EarListRule *self)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  if (self->podcasts != NULL)
    {
      g_auto (GVariantBuilder) podcasts = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

      for (guint i = 0; self->podcasts[i] != NULL; i++)
        g_variant_builder_add (&podcasts, "v", g_variant_new_string (self->podcasts[i]));
      g_variant_builder_add (&builder, "{sv}", "podcasts", g_variant_builder_end (&podcasts));
    }
  if (self->terms.played != EAR_PLAYED_ANY)
    g_variant_builder_add (&builder, "{sv}", "played",
                           g_variant_new_string (played[self->terms.played]));
  if (self->terms.liked)
    g_variant_builder_add (&builder, "{sv}", "liked", g_variant_new_boolean (TRUE));
  if (self->terms.downloaded)
    g_variant_builder_add (&builder, "{sv}", "downloaded", g_variant_new_boolean (TRUE));
  if (self->terms.shortest > 0)
    g_variant_builder_add (&builder, "{sv}", "shortest",
                           g_variant_new_int64 (self->terms.shortest));
  if (self->terms.longest > 0)
    g_variant_builder_add (&builder, "{sv}", "longest", g_variant_new_int64 (self->terms.longest));
  if (self->terms.days > 0)
    g_variant_builder_add (&builder, "{sv}", "days", g_variant_new_int64 (self->terms.days));
  if (self->words != NULL)
    g_variant_builder_add (&builder, "{sv}", "words", g_variant_new_string (self->words));
  if (self->sort != EAR_SORT_NEWEST)
    g_variant_builder_add (&builder, "{sv}", "sort",
                           g_variant_new_string (ear_podcast_setting_get_word (
                               EAR_PODCAST_SETTING_SORT, (int) self->sort)));

  return g_variant_builder_end (&builder);
}

/* A list of the listener: either of episodes in their own order, or a smart list of
 * episodes that match a rule. EarLists sets its contents from records; an ordinary
 * [class@EarEpisodeList] shows its episodes. */
struct _EarList
{
  GObject parent_instance;

  /* Owned */
  EarCatalogue *catalogue;
  char *id;
  char *title;
  EarListRule *rule;     /* (nullable) */
  GArray *rule_podcasts; /* (nullable) (element-type gint64): row ids */
  GHashTable *members;   /* (element-type utf8 EarMember): by record id */
  GHashTable *known;     /* (element-type utf8 gboolean): guids and aliases of members, as
                          * make_key() writes them; %TRUE for a guid */
  EarEpisodeList *episodes; /* (nullable): to be counted */

  gint64 place;
  guint count;
};

G_DEFINE_FINAL_TYPE (EarList, ear_list, G_TYPE_OBJECT)

static void
member_free (gpointer data)
{
  EarMember *member = data;

  g_free (member->record);
  g_free (member->address);
  g_free (member->guid);
  g_free (member->alias);
  g_free (member);
}

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const EarMember *first = *(EarMember *const *) a;
  const EarMember *second = *(EarMember *const *) b;

  if (first->place != second->place)
    return first->place < second->place ? -1 : 1;

  return g_strcmp0 (first->record, second->record);
}

/* Returns: whether the member is the episode, by guid or alias */
gboolean
ear_member_is (const EarMember *self, EarEpisode *episode)
{
  EarPodcast *podcast = ear_episode_get_podcast (episode);
  const char *guid = ear_episode_get_guid (episode);
  const char *alias = ear_episode_get_facts (episode)->guid;

  return podcast != NULL && self->podcast == ear_podcast_get_id (podcast) &&
         (g_str_equal (self->guid, guid) || g_strcmp0 (self->guid, alias) == 0 ||
          g_strcmp0 (self->alias, guid) == 0);
}

static void
count_cb (EarList *self)
{
  if (!ear_episode_list_get_asking (self->episodes))
    ear_property_set_number (self, "count",
                             (int) g_list_model_get_n_items (G_LIST_MODEL (self->episodes)));
}

static void
ear_list_finalize (GObject *object)
{
  EarList *self = EAR_LIST (object);

  g_clear_object (&self->episodes);
  g_clear_pointer (&self->known, g_hash_table_unref);
  g_clear_pointer (&self->members, g_hash_table_unref);
  g_clear_pointer (&self->rule, ear_list_rule_free);
  g_clear_pointer (&self->rule_podcasts, g_array_unref);
  g_clear_pointer (&self->id, g_free);
  g_clear_pointer (&self->title, g_free);
  g_clear_object (&self->catalogue);

  G_OBJECT_CLASS (ear_list_parent_class)->finalize (object);
}

static void
ear_list_class_init (EarListClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarList, title) },
    { "rule", EAR_TYPE_LIST_RULE, G_PARAM_READABLE, G_STRUCT_OFFSET (EarList, rule) },
    { "smart", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (ear_list_is_smart) },
    { "count", G_TYPE_UINT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarList, count) },
  };

  object_class->finalize = ear_list_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_list_init (EarList *self)
{
  self->members = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, member_free);
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

EarList *
ear_list_new (EarCatalogue *catalogue, const char *id)
{
  EarList *self = g_object_new (EAR_TYPE_LIST, NULL);

  self->id = g_strdup (id);
  self->catalogue = g_object_ref (catalogue);

  return self;
}

/* Maximum length of a title in bytes; longer ones from files are cut. */
#define TITLE_LIMIT 400

/* Returns: (transfer full): the title in one line, without control characters */
static char *
dup_title (const char *title)
{
  g_autofree char *cut =
      strlen (title) > TITLE_LIMIT ? g_utf8_make_valid (title, TITLE_LIMIT) : g_strdup (title);

  for (char *c = cut; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  g_strstrip (cut);

  return *cut != '\0' ? g_steal_pointer (&cut) : g_strdup (_("Untitled list"));
}

/* Sets title, position and rule from a record. */
void
ear_list_take_value (EarList *self, GVariant *value)
{
  g_autoptr (GVariant) rule = NULL;
  g_autofree char *name = NULL;
  const char *title = "";

  g_variant_lookup (value, "title", "&s", &title);
  name = dup_title (title);
  g_variant_lookup (value, "rule", "@a{sv}", &rule);
  self->place = (gint64) ear_record_get_number (value, "place", 0);
  g_clear_pointer (&self->rule, ear_list_rule_free);
  self->rule = rule != NULL ? ear_list_rule_read (rule) : NULL;
  ear_property_set_string (self, "title", name);
  g_object_notify (G_OBJECT (self), "rule");
  g_object_notify (G_OBJECT (self), "smart");
}

/* @record: the record id of a member
 * @value: (nullable): the record; %NULL if it was removed */
void
ear_list_take_member (EarList *self, const char *record, GVariant *value)
{
  EarMember *member;
  const char *address = NULL;
  const char *guid = NULL;

  g_hash_table_remove (self->members, record);
  if (value == NULL || !g_variant_lookup (value, "podcast", "&s", &address) ||
      !g_variant_lookup (value, "guid", "&s", &guid))
    return;

  member = g_new0 (EarMember, 1);
  member->record = g_strdup (record);
  member->address = g_strdup (address);
  member->guid = g_strdup (guid);
  g_variant_lookup (value, "alias", "s", &member->alias);
  member->place = (gint64) ear_record_get_number (value, "place", 0);
  g_hash_table_insert (self->members, member->record, member);
}

gint64
ear_list_get_position (EarList *self)
{
  return self->place;
}

/* Returns: (transfer container) (element-type EarMember): all members in order, even
 * those without a row in the catalogue */
GPtrArray *
ear_list_dup_members (EarList *self)
{
  GPtrArray *members = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer member;

  g_hash_table_iter_init (&iter, self->members);
  while (g_hash_table_iter_next (&iter, NULL, &member))
    g_ptr_array_add (members, member);
  g_ptr_array_sort (members, compare_members);

  return members;
}

static char *
make_key (gint64 podcast, const char *guid)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", podcast, guid);
}

static void
know_member (EarList *self, const EarMember *member)
{
  g_autofree char *alias =
      member->alias != NULL ? make_key (member->podcast, member->alias) : NULL;

  g_hash_table_insert (self->known, make_key (member->podcast, member->guid),
                       GINT_TO_POINTER (TRUE));
  if (alias != NULL && !g_hash_table_contains (self->known, alias))
    g_hash_table_insert (self->known, g_steal_pointer (&alias), GINT_TO_POINTER (FALSE));
}

static void
publish_members (EarList *self)
{
  g_autoptr (GPtrArray) members = ear_list_dup_members (self);
  g_autoptr (GPtrArray) published = g_ptr_array_new_with_free_func (g_free);

  g_hash_table_remove_all (self->known);
  for (guint i = 0; i < members->len; i++)
    {
      EarMember *member = g_ptr_array_index (members, i);
      EarPodcast *podcast = ear_catalogue_find_podcast (self->catalogue, member->address);
      const EarListMember one = { podcast != NULL ? ear_podcast_get_id (podcast) : 0, member->guid,
                                  member->alias };

      member->podcast = one.podcast;
      if (podcast == NULL)
        continue;
      know_member (self, member);
      g_ptr_array_add (published, g_memdup2 (&one, sizeof one));
    }
  ear_catalogue_set_list (self->catalogue, self->id, published);
}

static GArray *
find_podcasts (EarList *self)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; self->rule->podcasts[i] != NULL; i++)
    {
      EarPodcast *podcast = ear_catalogue_find_podcast (self->catalogue, self->rule->podcasts[i]);
      const gint64 id = podcast != NULL ? ear_podcast_get_id (podcast) : 0;

      if (podcast != NULL)
        g_array_append_val (ids, id);
    }

  return ids;
}

/* Sends the members to the catalogue, or resolves the rule of a smart list, and updates
 * the count. */
void
ear_list_publish (EarList *self)
{
  g_autoptr (EarEpisodeQuery) query = NULL;

  g_clear_pointer (&self->rule_podcasts, g_array_unref);
  if (self->rule == NULL)
    publish_members (self);
  else if (self->rule->podcasts != NULL)
    self->rule_podcasts = find_podcasts (self);
  query = ear_list_create_query (self, EAR_SORT_NEWEST, NULL);
  if (self->episodes == NULL ||
      !ear_episode_query_equal (ear_episode_list_get_query (self->episodes), query))
    {
      if (self->episodes != NULL)
        g_signal_handlers_disconnect_by_data (self->episodes, self);
      g_clear_object (&self->episodes);
      self->episodes = ear_episode_list_new_with_query (self->catalogue, query);
      g_signal_connect_object (self->episodes, "notify::asking", G_CALLBACK (count_cb), self,
                               G_CONNECT_SWAPPED);
    }
  if (self->rule != NULL)
    g_object_notify (G_OBJECT (self), "rule");
}

/* Removes the list from the catalogue after its record was removed. */
void
ear_list_end (EarList *self)
{
  ear_catalogue_set_list (self->catalogue, self->id, NULL);
}

/* Returns: (transfer none): the unique id */
EAR_DEFINE_GET (EarList, ear_list, const char *, id)
EAR_DEFINE_GET (EarList, ear_list, const char *, title)

/* Returns: (transfer none) (nullable): the rule of a smart list */
EAR_DEFINE_GET (EarList, ear_list, const EarListRule *, rule)
EAR_DEFINE_GET (EarList, ear_list, guint, count)

gboolean
ear_list_is_smart (EarList *self)
{
  g_return_val_if_fail (EAR_IS_LIST (self), FALSE);

  return self->rule != NULL;
}

/* Returns: whether the listener has put the episode into the list: whether ear_member_is()
 * is %TRUE for any member */
gboolean
ear_list_has (EarList *self, EarEpisode *episode)
{
  EarPodcast *podcast;
  const char *alias;
  g_autofree char *guid_key = NULL;
  g_autofree char *alias_key = NULL;

  g_return_val_if_fail (EAR_IS_LIST (self), FALSE);
  g_return_val_if_fail (EAR_IS_EPISODE (episode), FALSE);

  podcast = ear_episode_get_podcast (episode);
  if (podcast == NULL)
    return FALSE;
  alias = ear_episode_get_facts (episode)->guid;
  guid_key = make_key (ear_podcast_get_id (podcast), ear_episode_get_guid (episode));
  alias_key = alias != NULL ? make_key (ear_podcast_get_id (podcast), alias) : NULL;

  return g_hash_table_contains (self->known, guid_key) ||
         (alias_key != NULL && g_hash_table_lookup (self->known, alias_key) != NULL);
}

/* A search in a smart list requires the words of its rule, too. These come first, as only
 * the last word matches by prefix. */
static char *
join_words (const EarListRule *rule, const char *search)
{
  return rule->words != NULL && search != NULL
             ? g_strdup_printf ("%s %s", rule->words, search)
             : g_strdup (rule->words != NULL ? rule->words : search);
}

/* @sort: the order of search results; without a search, the list's own order is used
 * @search: (nullable): words to search for
 * Returns: (transfer full): the query of the list's episodes */
EarEpisodeQuery *
ear_list_create_query (EarList *self, EarEpisodeSort sort, const char *search)
{
  g_autofree char *words = NULL;
  EarEpisodeConditions terms;
  EarEpisodeQuery *query;

  g_return_val_if_fail (EAR_IS_LIST (self), NULL);

  if (self->rule == NULL)
    return ear_episode_query_new_list (self->id, sort, search);

  words = join_words (self->rule, search);
  query =
      ear_episode_query_new (0, EAR_FILTER_ALL, search != NULL ? sort : self->rule->sort, words);
  terms = self->rule->terms;
  terms.podcasts = self->rule_podcasts;
  terms.only_notes = self->rule->words != NULL;
  ear_episode_query_set_terms (query, &terms);

  return query;
}
