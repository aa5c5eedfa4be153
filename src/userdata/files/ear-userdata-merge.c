/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-userdata-merge.h"

#include "ear-stamp.h"

/* A change with an older stamp than this was not made just now. */
#define RECENT (5 * G_TIME_SPAN_SECOND)

static gboolean
is_stamped (JsonObject *object)
{
  return ear_json_get_string (object, "updated", G_MAXSIZE) != NULL;
}

static gint64
get_stamp (JsonObject *object, gint64 now)
{
  if (!is_stamped (object))
    return 0;

  return ear_stamp_parse (ear_json_get_string (object, "updated", G_MAXSIZE), now);
}

/* Adds @from's members if @from is newer, otherwise only members that @into lacks; but
 * never an older value. */
static gboolean
merge_stamped (JsonObject *into, JsonObject *from, gint64 now)
{
  const gboolean newer = get_stamp (from, now) > get_stamp (into, now);
  gboolean changed = newer;
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  if (newer && json_object_has_member (into, "value") && !json_object_has_member (from, "value"))
    json_object_remove_member (into, "value");
  json_object_iter_init_ordered (&iter, from);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    if (newer || (!g_str_equal (name, "value") && !json_object_has_member (into, name)))
      {
        json_object_set_member (into, name, json_node_copy (member));
        changed = TRUE;
      }

  return changed;
}

static gboolean
merge_arrays (JsonArray *into, JsonArray *from)
{
  gboolean changed = FALSE;

  if (json_array_get_length (into) > EAR_JSON_ARRAY_LIMIT || json_array_get_length (from) > EAR_JSON_ARRAY_LIMIT)
    return FALSE;

  for (guint i = 0; i < json_array_get_length (from); i++)
    if (!ear_json_array_contains (into, json_array_get_element (from, i)))
      {
        json_array_add_element (into, json_node_copy (json_array_get_element (from, i)));
        changed = TRUE;
      }

  return changed;
}

static gboolean
merge_objects (JsonObject *into, JsonObject *from, gint64 now)
{
  gboolean changed = FALSE;
  JsonObjectIter iter;
  const char *name;
  JsonNode *theirs, *ours;

  if (is_stamped (into) || is_stamped (from))
    return merge_stamped (into, from, now);

  json_object_iter_init_ordered (&iter, from);
  while (json_object_iter_next_ordered (&iter, &name, &theirs))
    {
      ours = json_object_get_member (into, name);
      if (ours == NULL)
        {
          json_object_set_member (into, name, json_node_copy (theirs));
          changed = TRUE;
        }
      else if (JSON_NODE_HOLDS_OBJECT (ours) && JSON_NODE_HOLDS_OBJECT (theirs))
        changed |= merge_objects (json_node_get_object (ours), json_node_get_object (theirs), now);
      else if (JSON_NODE_HOLDS_ARRAY (ours) && JSON_NODE_HOLDS_ARRAY (theirs))
        changed |= merge_arrays (json_node_get_array (ours), json_node_get_array (theirs));
    }

  return changed;
}

/* Merges two files: of stamped members the newer one, of arrays all items, and otherwise
 * the members of @into, and those that only @from has.
 * @now: the clock, Unix microseconds
 * Returns: %TRUE if that changed something */
gboolean
ear_userdata_merge (JsonObject *into, JsonObject *from, gint64 now)
{
  double ours, theirs;
  gboolean changed = merge_objects (into, from, now);

  if (ear_json_get_number (json_object_get_member (from, "version"), &theirs) &&
      ear_json_get_number (json_object_get_member (into, "version"), &ours) && theirs > ours)
    {
      json_object_set_member (into, "version", json_node_copy (json_object_get_member (from, "version")));
      changed = TRUE;
    }

  return changed;
}

/* A different value with the same stamp was changed by hand, on purpose: it is applied,
 * with the next stamp.
 * @news: (out caller-allocates): the applied members, all others with the stamp 0
 * Returns: %TRUE if something was applied */
gboolean
ear_episode_state_take_edited (EarEpisodeState *into, const EarEpisodeState *from,
                               EarEpisodeState *news)
{
  EarEpisodeState edited = *from;

  for (guint i = 0; i < EAR_N_MARKS; i++)
    edited.updated[i] += from->updated[i] == into->updated[i] && from->values[i] != into->values[i];

  return ear_episode_state_take_newer (into, &edited, news);
}

/* Corrects stamps after the clock was set back, see ear_stamp_clamp_future(). */
void
ear_episode_state_doubt (EarEpisodeState *state, gint64 now)
{
  for (guint i = 0; i < EAR_N_MARKS; i++)
    state->updated[i] = ear_stamp_clamp_future (state->updated[i], now);
}

/* Decides whether a new value wins, and with which stamp. The listener's present change
 * wins even if the clock was set back, or another machine's is ahead: then its stamp
 * comes right after the replaced value's. Otherwise no stamp is ahead of the clock. A
 * value that another instance has set since, however, is newer, though it was read first.
 * @given: stamp of the new value, Unix microseconds; 0: none
 * @done: the clock when the listener set it; 0: it was not set here
 * @same: whether both values are the same
 * Returns: the new value's stamp, 0 if the old value stays */
gint64
ear_userdata_next_stamp (gint64 given, gint64 done, gint64 known, gboolean same, gint64 now)
{
  const gint64 stamp = done != 0 ? MIN (given, done) : given;

  if (given <= 0)
    return 0;
  if (stamp > known)
    return stamp;
  if (!same && done != 0 && done - stamp < RECENT && (known > now || known == stamp))
    return known + 1;

  return 0;
}
