/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-opml.h"

#include "ear-address.h"
#include "ear-error.h"
#include "ear-text-decoder.h"
#include "ear-text-line.h"
#include "ear-time.h"
#include "ear-xml-reader.h"

#include <libxml/chvalid.h>
#include <libxml/xmlwriter.h>
#include <string.h>

/* OPML 2.0, http://opml.org/spec2.opml */

#define MAX_BYTES (32 * 1024 * 1024)
#define MAX_OUTLINES 20000
#define MAX_LINE 500
#define MAX_EPISODES 200000
#define MAX_SECONDS (1000 * 60 * 60)

/* The joined folder names of an outline are at most this long; deeper folders are
 * dropped. */
#define MAX_FOLDER 1000

typedef struct
{
  GPtrArray *podcasts; /* (element-type EarListedPodcast) */
  GHashTable *seen;    /* (element-type utf8 EarListedPodcast): by URL, borrowed */
  GPtrArray *folders;  /* (element-type utf8) (nullable elements): open ones */
  EarListedPodcast *podcast; /* (nullable): the open podcast outline */
  guint podcast_depth;
  guint n_episodes;
  gint64 now;
} Reader;

static const char *const roots[] = { "opml", NULL };
static const char *const unnested[] = { NULL };

static char *
find_line (const EarXmlAttributes *attributes, const char *name)
{
  const char *value = ear_xml_attributes_get (attributes, name);

  return value != NULL ? ear_text_line (value, EAR_TEXT_ESCAPED, MAX_LINE) : NULL;
}

static char *
join_folders (Reader *reader)
{
  g_autoptr (GString) path = g_string_new (NULL);

  for (guint i = 0; i < reader->folders->len; i++)
    {
      const char *name = g_ptr_array_index (reader->folders, i);

      if (name != NULL && path->len + strlen (name) < MAX_FOLDER)
        g_string_append_printf (path, "%s%s", path->len > 0 ? "/" : "", name);
    }

  return path->len > 0 ? g_string_free (g_steal_pointer (&path), FALSE) : NULL;
}

static gboolean
is_set (const EarXmlAttributes *attributes, const char *name)
{
  const char *value = ear_xml_attributes_get (attributes, name);

  return value != NULL && (g_str_equal (value, "1") || g_ascii_strcasecmp (value, "true") == 0);
}

/* Adds an episode to the podcast outline around it, if the listener used it. Overcast
 * exports these. */
static void
add_episode (Reader *reader, const EarXmlAttributes *attributes)
{
  g_autofree char *enclosure = ear_address_clean (ear_xml_attributes_get (attributes, "enclosureUrl"));
  const char *progress = ear_xml_attributes_get (attributes, "progress");
  const char *starred = ear_xml_attributes_get (attributes, "userRecommendedDate");
  const gint64 updated = ear_stamp_parse (ear_xml_attributes_get (attributes, "userUpdatedDate"), reader->now);
  const double seconds = progress != NULL ? g_ascii_strtod (progress, NULL) : 0;
  const gboolean played = is_set (attributes, "played");
  EarEpisodeState state = { .listened = played, .liked = starred != NULL };
  EarListedEpisode *episode;

  if (!played && seconds > 0 && seconds <= MAX_SECONDS)
    state.position = (gint64) (seconds * G_USEC_PER_SEC);
  /* The history lists the episode under the day on which it was played. */
  if (state.position > 0 || (played && updated > EAR_STAMP_OLDEST))
    state.position_updated = updated;
  if (played)
    state.listened_updated = updated;
  if (starred != NULL)
    state.liked_updated = ear_stamp_parse (starred, reader->now);
  if (reader->podcast == NULL || enclosure == NULL || ear_episode_state_is_empty (&state) ||
      reader->n_episodes >= MAX_EPISODES)
    return;

  reader->n_episodes++;
  episode = g_new0 (EarListedEpisode, 1);
  episode->enclosure = g_steal_pointer (&enclosure);
  episode->title = find_line (attributes, "title");
  episode->state = state;
  g_ptr_array_add (reader->podcast->episodes, episode);
}

/* Types other than feeds, such as "podcast-episode" (Overcast), or "link" and "include"
 * (OPML 2.0) */
static gboolean
is_other_type (const EarXmlAttributes *attributes)
{
  static const char *const types[] = { "link", "include", "song", "playlist" };
  const char *type = ear_xml_attributes_get (attributes, "type");
  g_autofree char *lower = type != NULL ? g_ascii_strdown (type, -1) : NULL;

  for (gsize i = 0; lower != NULL && i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (lower, types[i]))
      return TRUE;

  return ear_xml_attributes_get (attributes, "enclosureUrl") != NULL ||
         (lower != NULL && (strstr (lower, "episode") != NULL || strstr (lower, "playlist") != NULL));
}

/* Returns: (nullable): the feed URL of an outline. Inside a podcast's outline, only
 *   `xmlUrl` counts. */
static const char *
find_reference (Reader *reader, const EarXmlAttributes *attributes)
{
  const char *reference = ear_xml_attributes_get (attributes, "xmlUrl");

  if (reference == NULL && reader->podcast == NULL)
    reference = ear_xml_attributes_get (attributes, "url");

  return reference;
}

/* @address: (nullable): its URL, unless that is none of the web */
static void
add_podcast (Reader *reader, const char *address, const char *title, const EarXmlAttributes *attributes)
{
  EarListedPodcast *podcast = address != NULL ? g_hash_table_lookup (reader->seen, address) : NULL;

  if (podcast != NULL)
    podcast->n_repeated++;
  if (podcast != NULL || reader->podcasts->len >= MAX_OUTLINES)
    return;
  podcast = ear_listed_podcast_new ();
  podcast->address = g_strdup (address);
  podcast->title = g_strdup (title);
  podcast->link = ear_address_resolve (NULL, ear_xml_attributes_get (attributes, "htmlUrl"));
  podcast->folder = join_folders (reader);
  podcast->unfollowed = g_strcmp0 (ear_xml_attributes_get (attributes, "subscribed"), "0") == 0;
  g_ptr_array_add (reader->podcasts, podcast);
  if (address == NULL)
    return;
  g_hash_table_insert (reader->seen, podcast->address, podcast);
  if (reader->podcast == NULL)
    {
      reader->podcast = podcast;
      reader->podcast_depth = reader->folders->len;
    }
}

/* Overcast and Pocket Casts put all podcasts into an outline "feeds". */
static gboolean
is_heading (Reader *reader, const char *title)
{
  for (guint i = 0; i < reader->folders->len; i++)
    if (g_ptr_array_index (reader->folders, i) != NULL)
      return FALSE;

  return g_strcmp0 (title, "feeds") == 0;
}

static void
start_element_cb (const char *name, const char *space, const EarXmlAttributes *attributes, gpointer user_data)
{
  Reader *reader = user_data;
  const char *reference;
  g_autofree char *address = NULL;
  g_autofree char *title = NULL;

  if (g_ascii_strcasecmp (ear_xml_get_local (name), "outline") != 0)
    {
      g_ptr_array_add (reader->folders, NULL);
      return;
    }
  if (is_other_type (attributes))
    {
      add_episode (reader, attributes);
      g_ptr_array_add (reader->folders, NULL);
      return;
    }
  reference = find_reference (reader, attributes);
  address = ear_address_clean (reference);
  title = find_line (attributes, "title");
  if (title == NULL)
    title = find_line (attributes, "text");
  if (address != NULL || (reference != NULL && title != NULL))
    add_podcast (reader, address, title, attributes);
  /* An outline without a feed URL is a folder. */
  g_ptr_array_add (reader->folders, reference == NULL && !is_heading (reader, title) ? g_steal_pointer (&title) : NULL);
}

static void
end_element_cb (const char *name, gpointer user_data)
{
  Reader *reader = user_data;

  g_ptr_array_set_size (reader->folders, reader->folders->len - 1);
  if (reader->podcast != NULL && reader->folders->len <= reader->podcast_depth)
    reader->podcast = NULL;
}

static const EarXmlHandler handler = { .start = start_element_cb, .end = end_element_cb };

/* Removes characters that XML forbids (section 2.2). Titles from a state file or another
 * program may contain some, and a single one would make the document unreadable. */
static char *
dup_legal (const char *text)
{
  GString *legal = g_string_sized_new (strlen (text));

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);

      if (xmlIsCharQ (c))
        g_string_append_unichar (legal, c);
    }

  return g_string_free_and_steal (legal);
}

static void
write_attribute (xmlTextWriterPtr writer, const char *name, const char *value)
{
  g_autofree char *legal = value != NULL ? dup_legal (value) : NULL;

  if (legal != NULL)
    xmlTextWriterWriteAttribute (writer, (const xmlChar *) name, (const xmlChar *) legal);
}

/* Closes and opens outlines until @folder is the open one. Folders common to both stay
 * open.
 * @open: (inout): the folder that is open */
static void
change_folder (xmlTextWriterPtr writer, char **open, const char *folder)
{
  g_auto (GStrv) old = g_strsplit (*open != NULL ? *open : "", "/", -1);
  g_auto (GStrv) names = g_strsplit (folder != NULL ? folder : "", "/", -1);
  guint common = 0;

  if (g_strcmp0 (*open, folder) == 0)
    return;
  while (old[common] != NULL && names[common] != NULL && g_str_equal (old[common], names[common]))
    common++;
  for (guint i = common; old[i] != NULL; i++)
    xmlTextWriterEndElement (writer);
  g_set_str (open, folder);
  for (guint i = common; names[i] != NULL; i++)
    {
      xmlTextWriterStartElement (writer, (const xmlChar *) "outline");
      write_attribute (writer, "text", names[i]);
    }
}

static void
write_outline (xmlTextWriterPtr writer, const EarListedPodcast *podcast)
{
  const char *title = podcast->title != NULL ? podcast->title : podcast->address;

  xmlTextWriterStartElement (writer, (const xmlChar *) "outline");
  write_attribute (writer, "text", title);
  write_attribute (writer, "title", title);
  write_attribute (writer, "type", "rss");
  write_attribute (writer, "xmlUrl", podcast->address);
  write_attribute (writer, "htmlUrl", podcast->link);
  xmlTextWriterEndElement (writer);
}

/* RFC 822 date with English names in every locale */
static char *
format_now (void)
{
  static const char *const days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
  static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return g_strdup_printf ("%s, %02d %s %d %02d:%02d:%02d GMT", days[g_date_time_get_day_of_week (now) - 1],
                          g_date_time_get_day_of_month (now), months[g_date_time_get_month (now) - 1],
                          g_date_time_get_year (now), g_date_time_get_hour (now), g_date_time_get_minute (now),
                          g_date_time_get_second (now));
}

static void
write_document (xmlTextWriterPtr writer, GPtrArray *podcasts, const char *title)
{
  g_autofree char *date = format_now ();
  g_autofree char *folder = NULL;

  xmlTextWriterSetIndent (writer, 1);
  xmlTextWriterStartDocument (writer, "1.0", "UTF-8", NULL);
  xmlTextWriterStartElement (writer, (const xmlChar *) "opml");
  write_attribute (writer, "version", "2.0");
  xmlTextWriterStartElement (writer, (const xmlChar *) "head");
  xmlTextWriterWriteElement (writer, (const xmlChar *) "title", (const xmlChar *) title);
  xmlTextWriterWriteElement (writer, (const xmlChar *) "dateCreated", (const xmlChar *) date);
  xmlTextWriterEndElement (writer);
  xmlTextWriterStartElement (writer, (const xmlChar *) "body");
  for (guint i = 0; i < podcasts->len; i++)
    {
      const EarListedPodcast *podcast = g_ptr_array_index (podcasts, i);

      change_folder (writer, &folder, podcast->folder);
      write_outline (writer, podcast);
    }
  /* Also closes open elements */
  xmlTextWriterEndDocument (writer);
}

/**
 * ear_opml_parse:
 * @bytes: a document
 * @error: return location for an error, of the domain %EAR_ERROR
 *
 * Reads a list of subscriptions as other programs write it: `url` for `xmlUrl`, without
 * `text` or `type`, in any encoding, malformed, in folders, or with duplicates (the first
 * one is kept and counts the others). Podcasts whose URL is none of the web are kept by
 * title, to be reported. Used episodes in a podcast's outline are kept with it.
 *
 * Returns: (transfer full) (element-type EarListedPodcast): the podcasts, or %NULL
 */
GPtrArray *
ear_opml_parse (GBytes *bytes, GError **error)
{
  g_autoptr (GPtrArray) podcasts = ear_listed_podcasts_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
  Reader reader = { .podcasts = podcasts, .seen = seen, .folders = folders, .now = g_get_real_time () };
  g_autoptr (EarXmlReader) xml = ear_xml_reader_new (roots, unnested, &handler, &reader);
  g_autoptr (GString) text = NULL;
  EarXmlKind kind;

  if (g_bytes_get_size (bytes) > MAX_BYTES)
    {
      g_set_error_literal (error, EAR_ERROR, EAR_ERROR_TOO_LARGE, "Too long for a list of podcasts");
      return NULL;
    }
  text = ear_text_decode (bytes, NULL);
  ear_xml_reader_push (xml, text->str, text->len);
  ear_xml_reader_finish (xml);
  kind = ear_xml_reader_get_kind (xml);
  if (kind != EAR_XML_ROOT)
    {
      g_set_error_literal (error, EAR_ERROR, kind == EAR_XML_WEB_PAGE ? EAR_ERROR_WEB_PAGE : EAR_ERROR_NOT_XML,
                           "No list of podcasts");
      return NULL;
    }

  return g_steal_pointer (&podcasts);
}

/**
 * ear_opml_write:
 * @podcasts: (element-type EarListedPodcast): podcasts, grouped by folder
 * @title: a title for the document
 *
 * Writes a list of subscriptions as OPML 2.0.
 *
 * Returns: (transfer full): the document
 */
GBytes *
ear_opml_write (GPtrArray *podcasts, const char *title)
{
  xmlBufferPtr buffer = xmlBufferCreate ();
  xmlTextWriterPtr writer = xmlNewTextWriterMemory (buffer, 0);
  GBytes *bytes;

  write_document (writer, podcasts, title);
  xmlFreeTextWriter (writer);
  bytes = g_bytes_new (xmlBufferContent (buffer), xmlBufferLength (buffer));
  xmlBufferFree (buffer);

  return bytes;
}
