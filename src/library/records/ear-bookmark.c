/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-bookmark.h"

#include "ear-address.h"
#include "ear-episode-address.h"
#include "ear-property.h"
#include "ear-record.h"
#include "ear-text-find.h"

#include <string.h>

/* End of the last year that the calendar supports, 9999 */
#define CREATED_LIMIT G_GINT64_CONSTANT (253402300799)

/* A position in an episode that the listener wants to find again. See the header for its
 * properties.
 * Its record has the members `address` (the podcast's first URL), `guid`, `podcast`,
 * `title`, `link`, `time` (in seconds), `text`, `note` and `created` (Unix seconds). */
struct _EarBookmark
{
  GObject parent_instance;

  /* Owned */
  char *id;
  char *address;
  char *guid;
  char *podcast;
  char *title;
  char *link; /* (nullable) */
  char *text; /* (nullable) */
  char *note; /* (nullable) */

  gint64 time;
  gint64 created;
};

G_DEFINE_FINAL_TYPE (EarBookmark, ear_bookmark, G_TYPE_OBJECT)

/* String members of the record */
static const struct
{
  const char *name;
  gsize offset;
} texts[] = {
  { "address", G_STRUCT_OFFSET (EarBookmark, address) },
  { "guid", G_STRUCT_OFFSET (EarBookmark, guid) },
  { "podcast", G_STRUCT_OFFSET (EarBookmark, podcast) },
  { "title", G_STRUCT_OFFSET (EarBookmark, title) },
  { "link", G_STRUCT_OFFSET (EarBookmark, link) },
  { "text", G_STRUCT_OFFSET (EarBookmark, text) },
  { "note", G_STRUCT_OFFSET (EarBookmark, note) },
};

static char **
get_text_field (EarBookmark *self, guint i)
{
  return G_STRUCT_MEMBER_P (self, texts[i].offset);
}

static void
ear_bookmark_finalize (GObject *object)
{
  EarBookmark *self = EAR_BOOKMARK (object);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (*get_text_field (self, i));
  g_free (self->id);

  G_OBJECT_CLASS (ear_bookmark_parent_class)->finalize (object);
}

static void
ear_bookmark_class_init (EarBookmarkClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmark, title) },
    { "podcast", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmark, podcast) },
    { "time", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmark, time) },
    { "text", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmark, text) },
    { "note", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmark, note) },
    { "created", G_TYPE_INT64, G_PARAM_READABLE, G_STRUCT_OFFSET (EarBookmark, created) },
  };

  object_class->finalize = ear_bookmark_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_bookmark_init (EarBookmark *self)
{
}

/* @time: microseconds
 * Returns: (transfer full): a bookmark created now */
EarBookmark *
ear_bookmark_new_for_episode (EarEpisode *episode, gint64 time)
{
  EarBookmark *self = g_object_new (EAR_TYPE_BOOKMARK, NULL);
  EarPodcast *podcast = ear_episode_get_podcast (episode);

  self->id = g_uuid_string_random ();
  self->address = g_strdup (ear_podcast_get_address (podcast));
  self->guid = g_strdup (ear_episode_get_guid (episode));
  self->podcast = g_strdup (ear_podcast_get_name (podcast));
  self->title = g_strdup (ear_episode_get_name (episode));
  self->link = g_strdup (ear_episode_get_public_address (episode));
  self->time = MAX (time, 0);
  self->created = g_get_real_time () / G_TIME_SPAN_SECOND;

  return self;
}

static char *
dup_cut (const char *text)
{
  if (*text == '\0')
    return NULL;
  if (strlen (text) <= EAR_BOOKMARK_TEXT_LIMIT)
    return g_strdup (text);

  return g_utf8_make_valid (text, EAR_BOOKMARK_TEXT_LIMIT);
}

/* @id: the record id
 * @value: the record; untrusted
 * Returns: (transfer full) (nullable): the bookmark; %NULL if the record is invalid */
EarBookmark *
ear_bookmark_new_for_value (const char *id, GVariant *value)
{
  g_autoptr (EarBookmark) self = g_object_new (EAR_TYPE_BOOKMARK, NULL);
  const double seconds = ear_record_get_number (value, "time", -1);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *text;

      if (g_variant_lookup (value, texts[i].name, "&s", &text))
        *get_text_field (self, i) = dup_cut (text);
    }
  if (!ear_address_is_web (self->address) || self->guid == NULL ||
      !(seconds >= 0 && seconds <= (double) EAR_POSITION_LIMIT / G_TIME_SPAN_SECOND))
    return NULL;
  if (!ear_address_is_web (self->link))
    g_clear_pointer (&self->link, g_free);
  if (self->title == NULL)
    self->title = g_strdup (self->guid);
  if (self->podcast == NULL)
    self->podcast = g_strdup (self->address);
  self->id = g_strdup (id);
  self->time = (gint64) (seconds * G_TIME_SPAN_SECOND + 0.5);
  self->created =
      (gint64) CLAMP (ear_record_get_number (value, "created", 0), 0, (double) CREATED_LIMIT);

  return g_steal_pointer (&self);
}

/* @value: (nullable): the former record, whose unknown members are kept
 * Returns: (transfer floating): the new record */
GVariant *
ear_bookmark_change_value (EarBookmark *self, GVariant *value)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, value);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*get_text_field (self, i) != NULL)
      g_variant_dict_insert (&dict, texts[i].name, "s", *get_text_field (self, i));
    else
      g_variant_dict_remove (&dict, texts[i].name);
  g_variant_dict_insert (&dict, "time", "d", (double) self->time / G_TIME_SPAN_SECOND);
  g_variant_dict_insert (&dict, "created", "x", self->created);

  return g_variant_dict_end (&dict);
}

/* Copies all properties of another version of the bookmark. */
void
ear_bookmark_take (EarBookmark *self, EarBookmark *from)
{
  static const char *const told[] = { "title", "podcast", "time", "text", "note", "created" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_set_str (get_text_field (self, i), *get_text_field (from, i));
  self->time = from->time;
  self->created = from->created;
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_object_notify (G_OBJECT (self), told[i]);
}

static void
set_text (EarBookmark *self, const char *name, const char *text)
{
  g_autofree char *stripped = text != NULL ? g_strstrip (g_utf8_make_valid (text, -1)) : NULL;
  g_autofree char *cut = stripped != NULL ? dup_cut (stripped) : NULL;

  ear_property_set_string (self, name, cut);
}

/* @text: (nullable): the sentence spoken at the position */
void
ear_bookmark_set_text (EarBookmark *self, const char *text)
{
  g_return_if_fail (EAR_IS_BOOKMARK (self));

  set_text (self, "text", text);
}

/* @note: (nullable): the listener's note */
void
ear_bookmark_set_note (EarBookmark *self, const char *note)
{
  g_return_if_fail (EAR_IS_BOOKMARK (self));

  set_text (self, "note", note);
}

/* Returns: whether the bookmark is in the episode */
gboolean
ear_bookmark_is_in (EarBookmark *self, EarEpisode *episode)
{
  g_return_val_if_fail (EAR_IS_BOOKMARK (self), FALSE);

  return g_strcmp0 (self->guid, ear_episode_get_guid (episode)) == 0 &&
         g_strcmp0 (self->address, ear_podcast_get_address (ear_episode_get_podcast (episode))) ==
             0;
}

EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, id)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, title)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, podcast)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, text)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, const char *, note)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, gint64, time)
EAR_DEFINE_GET (EarBookmark, ear_bookmark, gint64, created)

/* Returns: (transfer full): the key of the episode, as [method@EarEpisode.dup_key] */
char *
ear_bookmark_dup_key (EarBookmark *self)
{
  g_return_val_if_fail (EAR_IS_BOOKMARK (self), NULL);

  return ear_address_hash (self->address, self->guid);
}

/* Returns: (transfer full): the text for the search index: the note and the sentence */
EarBookmarkText *
ear_bookmark_create_text (EarBookmark *self)
{
  g_autofree char *both = NULL;

  g_return_val_if_fail (EAR_IS_BOOKMARK (self), NULL);

  both = self->note != NULL && self->text != NULL
             ? g_strdup_printf ("%s · %s", self->note, self->text)
             : g_strdup (self->note != NULL ? self->note : self->text);

  return ear_bookmark_text_new (self->address, self->guid, self->time, both);
}

/* Returns: (transfer full) (nullable): the episode's URL with the time; %NULL if there is
 *   none that can be shared */
char *
ear_bookmark_dup_link (EarBookmark *self)
{
  g_return_val_if_fail (EAR_IS_BOOKMARK (self), NULL);

  return self->link != NULL ? ear_address_at_time (self->link, self->time) : NULL;
}

/* @words: the words to find in its texts, not case-sensitive; without words, it
 * matches */
gboolean
ear_bookmark_matches (EarBookmark *self, const char *words)
{
  const char *const parts[] = { self->title, self->podcast, self->text, self->note };
  g_auto (GStrv) wanted = g_str_tokenize_and_fold (words != NULL ? words : "", NULL, NULL);
  gsize start;
  gsize end;

  for (guint i = 0; wanted[i] != NULL; i++)
    {
      gboolean found = FALSE;

      for (guint j = 0; !found && j < G_N_ELEMENTS (parts); j++)
        found = parts[j] != NULL && ear_text_find (parts[j], wanted[i], &start, &end);
      if (!found)
        return FALSE;
    }

  return TRUE;
}
