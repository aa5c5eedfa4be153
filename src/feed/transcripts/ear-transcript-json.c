/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-transcript-cues.h"

#include "ear-feed-json.h"

/* Transcripts as lists of objects. Podcasting 2.0 has "segments",
 * https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/transcripts/transcripts.md
 * and so does Whisper, with other member names; whisper.cpp, Deepgram and AssemblyAI have
 * other lists. */

typedef struct
{
  const char *list;
  const char *times;   /* (nullable): object that holds the times */
  const char *text[2]; /* alternative names, as in the arrays below */
  const char *start[2];
  const char *end[2];
  gint64 unit;         /* unit of the times, in microseconds */
} Shape;

static const Shape shapes[] = {
  { "segments", NULL, { "body", "text" }, { "startTime", "start" }, { "endTime", "end" }, G_TIME_SPAN_SECOND },
  { "transcription", "offsets", { "text" }, { "from" }, { "to" }, G_TIME_SPAN_MILLISECOND },
  { "utterances", NULL, { "transcript" }, { "start" }, { "end" }, G_TIME_SPAN_SECOND },
  { "utterances", NULL, { "text" }, { "start" }, { "end" }, G_TIME_SPAN_MILLISECOND },
};

static const EarJsonBounds bounds = { .depth = 16, .containers = EAR_TRANSCRIPT_LIMIT + 1000, .values = 6 * EAR_TRANSCRIPT_LIMIT };

/* Returns: microseconds; -1 if there is no time */
static gint64
read_time (JsonObject *object, const char *const names[2], gint64 unit)
{
  gint64 time;

  for (guint i = 0; i < 2 && names[i] != NULL; i++)
    if (json_object_has_member (object, names[i]))
      return ear_feed_json_get_time (object, names[i], unit, &time) ? time : -1;

  return -1;
}

static const char *
read_text (JsonObject *object, const char *const names[2])
{
  const char *text = ear_feed_json_get_text (object, names[0]);

  return text == NULL && names[1] != NULL ? ear_feed_json_get_text (object, names[1]) : text;
}

/* Returns: the speaker's name, or the number that a program has assigned to an unknown
 *   voice */
static char *
dup_speaker (JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "speaker");

  if (node != NULL && json_node_get_value_type (node) == G_TYPE_INT64)
    return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));

  return g_strdup (ear_feed_json_get_text (object, "speaker"));
}

static JsonObject *
find_object (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static void
read_segment (JsonNode *node, const Shape *shape, EarTranscript *to)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonObject *times = object != NULL && shape->times != NULL ? find_object (object, shape->times) : object;
  const char *text = times != NULL ? read_text (object, shape->text) : NULL;
  const gint64 start = text != NULL ? read_time (times, shape->start, shape->unit) : -1;

  if (start >= 0)
    {
      g_autofree char *speaker = dup_speaker (object);

      ear_transcript_add_cue (to, start, read_time (times, shape->end, shape->unit), speaker, text);
    }
}

/* Some files have only the list, without the object around it. */
static void
read_shape (JsonNode *root, const Shape *shape, EarTranscript *to)
{
  JsonNode *node = JSON_NODE_HOLDS_OBJECT (root) ? json_object_get_member (json_node_get_object (root), shape->list) : root;
  JsonArray *segments = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; segments != NULL && i < json_array_get_length (segments); i++)
    read_segment (json_array_get_element (segments, i), shape, to);
}

void
ear_transcript_read_json (const char *text, EarTranscript *to)
{
  g_autoptr (JsonNode) root = ear_feed_json_parse (&bounds, text, NULL);
  JsonNode *list = root;

  if (root == NULL)
    return;
  /* Deepgram's */
  if (JSON_NODE_HOLDS_OBJECT (root) && find_object (json_node_get_object (root), "results") != NULL)
    list = json_object_get_member (json_node_get_object (root), "results");
  for (gsize i = 0; i < G_N_ELEMENTS (shapes) && ear_transcript_get_length (to) == 0; i++)
    read_shape (list, &shapes[i], to);
}
