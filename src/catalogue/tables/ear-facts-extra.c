/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-facts-extra.h"

#include <string.h>

#define MAX_MEMBERS 9
#define NONE (-1)

typedef struct
{
  char type; /* of the member and in the variant: `s` text, `x` 64 bits, `b` boolean */
  gsize offset;
} Member;

/* A list of the facts. Its name and the members' order and types are written to the file:
 * a change of them needs another name. */
typedef struct
{
  const char *key;
  int in_episode; /* offset of the list, or NONE */
  int in_podcast;
  guint first; /* the first stored entry: columns may have those before */
  gpointer (*new_entry) (void);
  Member members[MAX_MEMBERS];
} List;

/* A single fact */
typedef struct
{
  const char *key;
  gboolean is_episode;
  Member member;
} Single;

#define EPISODE(member) ((int) G_STRUCT_OFFSET (EarEpisodeFacts, member))
#define PODCAST(member) ((int) G_STRUCT_OFFSET (EarPodcastFacts, member))
#define TEXT(type, member) { 's', G_STRUCT_OFFSET (type, member) }
#define NUMBER(type, member) { 'x', G_STRUCT_OFFSET (type, member) }
#define FLAG(type, member) { 'b', G_STRUCT_OFFSET (type, member) }
#define NEW(function) ((gpointer (*) (void)) (function))

static const List lists[] = {
  /* The first enclosure has columns of its own. */
  { "enclosures", EPISODE (enclosures), NONE, 1, NEW (ear_enclosure_new),
    { TEXT (EarEnclosure, address), TEXT (EarEnclosure, mime_type), NUMBER (EarEnclosure, size) } },
  { "chapters", EPISODE (chapters), NONE, 0, NEW (ear_chapter_new),
    { NUMBER (EarChapter, start), TEXT (EarChapter, title), TEXT (EarChapter, link), TEXT (EarChapter, image), FLAG (EarChapter, hidden) } },
  { "transcripts", EPISODE (transcripts), NONE, 0, NEW (ear_transcript_link_new),
    { TEXT (EarTranscriptLink, address), TEXT (EarTranscriptLink, mime_type), TEXT (EarTranscriptLink, language) } },
  { "persons", EPISODE (persons), PODCAST (persons), 0, NEW (ear_person_new),
    { TEXT (EarPerson, name), TEXT (EarPerson, role), TEXT (EarPerson, image), TEXT (EarPerson, link) } },
  { "funding", EPISODE (funding), PODCAST (funding), 0, NEW (ear_funding_new),
    { TEXT (EarFunding, address), TEXT (EarFunding, text) } },
  { "alternates", EPISODE (alternates), NONE, 0, NEW (ear_alternate_new),
    { TEXT (EarAlternate, address), TEXT (EarAlternate, mime_type), TEXT (EarAlternate, title), TEXT (EarAlternate, language),
      NUMBER (EarAlternate, size), NUMBER (EarAlternate, bitrate), NUMBER (EarAlternate, height), FLAG (EarAlternate, is_default),
      NUMBER (EarAlternate, group) } },
  { "soundbites", EPISODE (soundbites), NONE, 0, NEW (ear_soundbite_new),
    { NUMBER (EarSoundbite, start), NUMBER (EarSoundbite, duration), TEXT (EarSoundbite, title) } },
  { "podroll", NONE, PODCAST (podroll), 0, NEW (ear_remote_item_new),
    { TEXT (EarRemoteItem, feed_guid), TEXT (EarRemoteItem, feed_address), TEXT (EarRemoteItem, item_guid),
      TEXT (EarRemoteItem, medium), TEXT (EarRemoteItem, title) } },
  { "live-items", NONE, PODCAST (live_items), 0, NEW (ear_live_item_new),
    { TEXT (EarLiveItem, status), NUMBER (EarLiveItem, start), NUMBER (EarLiveItem, end), TEXT (EarLiveItem, guid),
      TEXT (EarLiveItem, title), TEXT (EarLiveItem, link), TEXT (EarLiveItem, address), TEXT (EarLiveItem, mime_type) } },
  { "trailers", NONE, PODCAST (trailers), 0, NEW (ear_trailer_new),
    { TEXT (EarTrailer, address), TEXT (EarTrailer, mime_type), TEXT (EarTrailer, title), NUMBER (EarTrailer, published),
      NUMBER (EarTrailer, size), NUMBER (EarTrailer, season) } },
  { "texts", NONE, PODCAST (texts), 0, NEW (ear_feed_text_new),
    { TEXT (EarFeedText, purpose), TEXT (EarFeedText, text) } },
};

static const Single singles[] = {
  { "chapters-address", TRUE, TEXT (EarEpisodeFacts, chapters_address) },
  { "podlove-address", TRUE, TEXT (EarEpisodeFacts, podlove_address) },
  { "comments-address", TRUE, TEXT (EarEpisodeFacts, comments_address) },
  { "season-name", TRUE, TEXT (EarEpisodeFacts, season_name) },
  { "medium", FALSE, TEXT (EarPodcastFacts, medium) },
  { "license", FALSE, TEXT (EarPodcastFacts, license) },
  { "location", FALSE, TEXT (EarPodcastFacts, location) },
  { "update-text", FALSE, TEXT (EarPodcastFacts, update_text) },
  { "update-interval", FALSE, NUMBER (EarPodcastFacts, update_interval) },
};

/* Converts an untrusted text to a variant; %NULL becomes an empty one. */
static GVariant *
text_to_variant (const char *text)
{
  if (text == NULL)
    return g_variant_new_string ("");
  if (!g_utf8_validate (text, -1, NULL))
    return g_variant_new_take_string (g_utf8_make_valid (text, -1));

  return g_variant_new_string (text);
}

static GVariant *
member_to_variant (const Member *member, gconstpointer owner)
{
  switch (member->type)
    {
    case 's':
      return text_to_variant (G_STRUCT_MEMBER (const char *, owner, member->offset));
    case 'x':
      return g_variant_new_int64 (G_STRUCT_MEMBER (gint64, owner, member->offset));
    case 'b':
      return g_variant_new_boolean (G_STRUCT_MEMBER (gboolean, owner, member->offset));
    default:
      g_assert_not_reached ();
    }
}

static void
member_from_variant (const Member *member, gpointer owner, GVariant *value)
{
  const char *text;

  switch (member->type)
    {
    case 's':
      text = g_variant_get_string (value, NULL);
      G_STRUCT_MEMBER (char *, owner, member->offset) = *text != '\0' ? g_strdup (text) : NULL;
      break;
    case 'x':
      G_STRUCT_MEMBER (gint64, owner, member->offset) = g_variant_get_int64 (value);
      break;
    case 'b':
      G_STRUCT_MEMBER (gboolean, owner, member->offset) = g_variant_get_boolean (value);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* Returns the type of the list as a variant, "a(ssx)". */
static const GVariantType *
get_list_type (const List *list, char type[MAX_MEMBERS + 4])
{
  gsize length = g_strlcpy (type, "a(", MAX_MEMBERS + 4);

  for (guint i = 0; i < MAX_MEMBERS && list->members[i].type != '\0'; i++)
    type[length++] = list->members[i].type;
  type[length++] = ')';
  type[length] = '\0';

  return G_VARIANT_TYPE (type);
}

static void
write_list (GVariantBuilder *dict, const List *list, GPtrArray *entries)
{
  char type[MAX_MEMBERS + 4];
  GVariantBuilder builder;

  g_variant_builder_init (&builder, get_list_type (list, type));
  for (guint i = list->first; i < entries->len; i++)
    {
      g_variant_builder_open (&builder, G_VARIANT_TYPE (type + 1));
      for (guint j = 0; j < MAX_MEMBERS && list->members[j].type != '\0'; j++)
        g_variant_builder_add_value (&builder, member_to_variant (&list->members[j], g_ptr_array_index (entries, i)));
      g_variant_builder_close (&builder);
    }
  g_variant_builder_add (dict, "{sv}", list->key, g_variant_builder_end (&builder));
}

static void
read_list (GVariantDict *dict, const List *list, GPtrArray *entries)
{
  char type[MAX_MEMBERS + 4];
  g_autoptr (GVariant) value = g_variant_dict_lookup_value (dict, list->key, get_list_type (list, type));
  gsize n = value != NULL ? g_variant_n_children (value) : 0;

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) entry = g_variant_get_child_value (value, i);
      gpointer read = list->new_entry ();

      for (guint j = 0; j < MAX_MEMBERS && list->members[j].type != '\0'; j++)
        {
          g_autoptr (GVariant) member = g_variant_get_child_value (entry, j);

          member_from_variant (&list->members[j], read, member);
        }
      g_ptr_array_add (entries, read);
    }
}

static GPtrArray *
find_list (const List *list, gboolean is_episode, gconstpointer facts)
{
  int offset = is_episode ? list->in_episode : list->in_podcast;

  return offset != NONE ? G_STRUCT_MEMBER (GPtrArray *, facts, offset) : NULL;
}

/* Whether a single fact is set */
static gboolean
is_told (const Single *single, gconstpointer facts)
{
  return single->member.type == 's' ? G_STRUCT_MEMBER (const char *, facts, single->member.offset) != NULL
                                    : G_STRUCT_MEMBER (gint64, facts, single->member.offset) != 0;
}

static void
write_texts (GVariantBuilder *dict, const char *key, GPtrArray *texts)
{
  GVariantBuilder builder;

  if (texts->len == 0)
    return;
  g_variant_builder_init (&builder, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < texts->len; i++)
    g_variant_builder_add_value (&builder, text_to_variant (g_ptr_array_index (texts, i)));
  g_variant_builder_add (dict, "{sv}", key, g_variant_builder_end (&builder));
}

static void
read_texts (GVariantDict *dict, const char *key, GPtrArray *texts)
{
  g_autoptr (GVariantIter) iter = NULL;
  const char *text;

  if (!g_variant_dict_lookup (dict, key, "as", &iter))
    return;
  while (g_variant_iter_loop (iter, "&s", &text))
    g_ptr_array_add (texts, g_strdup (text));
}

/* Without @dict, only checks whether there is anything to write. */
static gboolean
write_facts (GVariantBuilder *dict, gboolean is_episode, gconstpointer facts)
{
  gboolean any = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      GPtrArray *entries = find_list (&lists[i], is_episode, facts);

      if (entries == NULL || entries->len <= lists[i].first)
        continue;
      any = TRUE;
      if (dict != NULL)
        write_list (dict, &lists[i], entries);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (singles); i++)
    if (singles[i].is_episode == is_episode && is_told (&singles[i], facts))
      {
        any = TRUE;
        if (dict != NULL)
          g_variant_builder_add (dict, "{sv}", singles[i].key, member_to_variant (&singles[i].member, facts));
      }

  return any;
}

static void
read_facts (GVariantDict *dict, gboolean is_episode, gpointer facts)
{
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      GPtrArray *entries = find_list (&lists[i], is_episode, facts);

      if (entries != NULL)
        read_list (dict, &lists[i], entries);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (singles); i++)
    {
      const char type[] = { singles[i].member.type, '\0' };
      g_autoptr (GVariant) value = singles[i].is_episode == is_episode
                                       ? g_variant_dict_lookup_value (dict, singles[i].key, G_VARIANT_TYPE (type)) : NULL;

      if (value != NULL)
        member_from_variant (&singles[i].member, facts, value);
    }
}

static GVariant *
end_dict (GVariantBuilder *dict)
{
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_builder_end (dict));

  if (g_variant_n_children (value) == 0)
    return NULL;
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    return g_variant_byteswap (value);

  return g_steal_pointer (&value);
}

/* Returns: (transfer full) (nullable): the facts without a column, or %NULL */
GVariant *
ear_facts_extra_from_episode (EarEpisodeFacts *facts)
{
  GVariantBuilder dict;

  /* Nearly all episodes have none; this check is cheaper than a builder. */
  if (!write_facts (NULL, TRUE, facts))
    return NULL;
  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  write_facts (&dict, TRUE, facts);

  return end_dict (&dict);
}

/* Returns: (transfer full) (nullable): the facts without a column, or %NULL */
GVariant *
ear_facts_extra_from_podcast (EarPodcastFacts *facts)
{
  GVariantBuilder dict;

  g_variant_builder_init (&dict, G_VARIANT_TYPE_VARDICT);
  write_texts (&dict, "categories", facts->categories);
  write_texts (&dict, "keywords", facts->keywords);
  write_facts (&dict, FALSE, facts);

  return end_dict (&dict);
}

/* @extra: (nullable): facts without a column; has to live until the run ends */
void
ear_facts_extra_bind (GVariant *extra, EarStatement *statement, int index)
{
  if (extra != NULL)
    sqlite3_bind_blob64 (statement, index, g_variant_get_data (extra), g_variant_get_size (extra), SQLITE_STATIC);
  else
    sqlite3_bind_null (statement, index);
}

/* Returns the dictionary of a column, validated, as the file may be damaged. */
static GVariant *
read_dict (EarStatement *statement, int column)
{
  const void *data = sqlite3_column_blob (statement, column);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GVariant) value = NULL;

  if (data == NULL)
    return NULL;
  bytes = g_bytes_new (data, (gsize) sqlite3_column_bytes (statement, column));
  value = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, bytes, FALSE));
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    return g_variant_byteswap (value);

  return g_steal_pointer (&value);
}

/* Looks up each fact, though most are missing: a hash table is worth its cost. */
static void
apply_to_podcast (GVariant *stored, EarPodcastFacts *facts)
{
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (stored);

  read_texts (&dict, "categories", facts->categories);
  read_texts (&dict, "keywords", facts->keywords);
  read_facts (&dict, FALSE, facts);
}

/* Adds the facts without a column to @facts.
 * @column: number of the column, from 0
 * @facts: facts whose columns have been read, the first enclosure included */
void
ear_facts_extra_read_episode (EarStatement *statement, int column, EarEpisodeFacts *facts)
{
  g_autoptr (GVariant) stored = read_dict (statement, column);

  if (stored != NULL)
    {
      g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (stored);

      read_facts (&dict, TRUE, facts);
    }
}

/* Reads the chapters only, for scans of many episodes: most have none, and
 * cost one look-up.
 * @column: number of the column, from 0
 * @chapters: (element-type EarChapter): array to extend */
void
ear_facts_extra_read_chapters (EarStatement *statement, int column, GPtrArray *chapters)
{
  g_autoptr (GVariant) stored = read_dict (statement, column);

  if (stored == NULL)
    return;

  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (stored);

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    if (lists[i].in_episode == EPISODE (chapters))
      read_list (&dict, &lists[i], chapters);
}

/* Adds the facts without a column to @facts.
 * @column: number of the column, from 0 */
void
ear_facts_extra_read_podcast (EarStatement *statement, int column, EarPodcastFacts *facts)
{
  g_autoptr (GVariant) dict = read_dict (statement, column);

  if (dict != NULL)
    apply_to_podcast (dict, facts);
}

/* Copies the facts without a column. */
void
ear_facts_extra_copy_podcast (EarPodcastFacts *from, EarPodcastFacts *to)
{
  g_autoptr (GVariant) stored = ear_facts_extra_from_podcast (from);
  g_autoptr (GVariant) dict = NULL;

  if (stored == NULL)
    return;
  dict = G_BYTE_ORDER == G_BIG_ENDIAN ? g_variant_byteswap (stored) : g_variant_ref (stored);
  apply_to_podcast (dict, to);
}
