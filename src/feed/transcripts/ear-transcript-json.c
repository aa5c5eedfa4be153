/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-cues.h"

#include "ear-json-bounds.h"

#include <json-glib/json-glib.h>
#include <string.h>

/* Podcasting 2.0, https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/transcripts/transcripts.md:
 * {"version", "segments": [{"speaker", "startTime", "endTime", "body"}]}; and what Whisper writes: "start", "end", "text". */

static const EarJsonBounds bounds = { .depth = 16, .containers = EAR_TRANSCRIPT_LIMIT + 1000, .values = 6 * EAR_TRANSCRIPT_LIMIT };

/* Seconds as a number, or as a text that is one
 * Returns: microseconds; -1 for everything else */
static gint64
read_time (JsonObject *object, const char *name, const char *other)
{
  JsonNode *node = json_object_get_member (object, name);
  double seconds = -1;
  char *end;

  if (node == NULL)
    node = json_object_get_member (object, other);
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return -1;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    {
      seconds = g_ascii_strtod (json_node_get_string (node), &end);
      if (*end != '\0' || end == json_node_get_string (node))
        return -1;
    }
  else if (json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    {
      seconds = json_node_get_double (node);
    }
  /* Written so that what is no number fails as well */
  if (!(seconds >= 0 && seconds < (double) EAR_POSITION_LIMIT / G_USEC_PER_SEC))
    return -1;

  return (gint64) (seconds * G_USEC_PER_SEC);
}

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

static void
read_segment (JsonNode *node, EarTranscript *to)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *text;
  gint64 start;

  if (object == NULL)
    return;
  text = get_text (object, "body");
  if (text == NULL)
    text = get_text (object, "text");
  start = read_time (object, "startTime", "start");
  if (text != NULL && start >= 0)
    ear_transcript_add_cue (to, start, read_time (object, "endTime", "end"), get_text (object, "speaker"), text);
}

void
ear_transcript_read_json (const char *text, EarTranscript *to)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root;
  JsonArray *segments = NULL;

  if (!ear_json_bounds_hold (&bounds, text, strlen (text)) || !json_parser_load_from_data (parser, text, -1, NULL))
    return;
  root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    root = json_object_get_member (json_node_get_object (root), "segments");
  if (root != NULL && JSON_NODE_HOLDS_ARRAY (root))
    segments = json_node_get_array (root);
  for (guint i = 0; segments != NULL && i < json_array_get_length (segments); i++)
    read_segment (json_array_get_element (segments, i), to);
}
