/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-subscriptions-private.h"

#include "ear-podcast-order.h"

/* What the listener wants for one podcast. */

/* Takes over what another machine, or a backup, says of a podcast. */
void
ear_subscriptions_take_settings (EarSubscriptions *self, const char *address, const EarPodcastSettings *settings)
{
  EarPodcast *podcast = ear_catalogue_find_known (self->catalogue, address);

  if (podcast != NULL && ear_catalogue_set_settings (self->catalogue, podcast, settings))
    g_signal_emit_by_name (self, "interval-changed");
}

/* It was kept elsewhere by an earlier version. When is not known: whatever was said since is newer. */
static void
adopt_arrangement (EarSubscriptions *self, EarPodcast *podcast)
{
  g_autofree char *filter = NULL;
  g_autofree char *sort = NULL;
  EarPodcastSettings settings;

  if (!ear_settings_steal_arrangement (self->settings, ear_podcast_get_address (podcast), &filter, &sort))
    return;

  ear_podcast_settings_init (&settings);
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_FILTER, filter, &settings.values[EAR_PODCAST_SETTING_FILTER]))
    settings.updated[EAR_PODCAST_SETTING_FILTER] = 1;
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, sort, &settings.values[EAR_PODCAST_SETTING_SORT]))
    settings.updated[EAR_PODCAST_SETTING_SORT] = 1;
  ear_catalogue_set_settings (self->catalogue, podcast, &settings);
  ear_userdata_store_adopt_settings (self->state, podcast, &settings);
}

/* Has what the listener did with its episodes, and wants for it, read from its file.
 * @podcast: a podcast that is followed, or has new rows */
void
ear_subscriptions_load_state (EarSubscriptions *self, EarPodcast *podcast)
{
  ear_userdata_store_load_podcast (self->state, ear_podcast_get_address (podcast));
  adopt_arrangement (self, podcast);
}

static void
keep_setting (EarSubscriptions *self, EarPodcast *podcast, EarPodcastSetting setting, int value)
{
  EarPodcastSettings settings;

  if (self->state == NULL)
    return;
  ear_podcast_settings_init (&settings);
  settings.values[setting] = value;
  /* What the listener says now replaces what is known, whatever clock that was said by. */
  settings.updated[setting] = MAX (g_get_real_time (), ear_podcast_get_settings (podcast)->updated[setting] + 1);
  ear_catalogue_set_settings (self->catalogue, podcast, &settings);
  ear_userdata_store_set_settings (self->state, podcast, &settings);
  if (setting == EAR_PODCAST_SETTING_REFRESH_INTERVAL)
    g_signal_emit_by_name (self, "interval-changed");
}

/**
 * ear_subscriptions_set_setting:
 * @setting: what of it
 * @value: what it is from now on, one that ear_podcast_setting_accepts()
 *
 * Sets what the listener wants for a podcast, and keeps it with the podcast.
 */
void
ear_subscriptions_set_setting (EarSubscriptions *self, EarPodcast *podcast, EarPodcastSetting setting, int value)
{
  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));
  g_return_if_fail (ear_podcast_setting_accepts (setting, value));

  if (ear_podcast_get_settings (podcast)->values[setting] != value)
    keep_setting (self, podcast, setting, value);
}

/**
 * ear_subscriptions_set_series:
 * @series: whether it is heard from its first episode on
 *
 * Has a podcast be a series, or not: its order becomes the one that goes with it.
 */
void
ear_subscriptions_set_series (EarSubscriptions *self, EarPodcast *podcast, gboolean series)
{
  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (EAR_IS_PODCAST (podcast));

  if (ear_podcast_get_series (podcast) == !!series)
    return;
  keep_setting (self, podcast, EAR_PODCAST_SETTING_SERIES, !!series);
  keep_setting (self, podcast, EAR_PODCAST_SETTING_SORT, series ? EAR_PODCAST_SORT_OLDEST : EAR_PODCAST_SORT_NEWEST);
}

/**
 * ear_subscriptions_set_arrangement:
 * @filter: which of its episodes are listed
 * @sort: in which order
 *
 * Sets [property@EarPodcast:filter] and [property@EarPodcast:sort], and keeps them with the
 * podcast. Words that nobody knows change nothing.
 */
void
ear_subscriptions_set_arrangement (EarSubscriptions *self, EarPodcast *podcast, const char *filter, const char *sort)
{
  int value;

  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_FILTER, filter, &value))
    ear_subscriptions_set_setting (self, podcast, EAR_PODCAST_SETTING_FILTER, value);
  /* That of a series need not be the one that was said. */
  if (ear_podcast_setting_find_word (EAR_PODCAST_SETTING_SORT, sort, &value) && !g_str_equal (ear_podcast_get_sort (podcast), sort))
    keep_setting (self, podcast, EAR_PODCAST_SETTING_SORT, value);
}

/* --- The listener's own order ------------------------------------------------------------ */

/* Where a podcast was before */
typedef struct
{
  EarPodcast *podcast;
  int place;
} Placed;

static void
placed_clear (gpointer data)
{
  g_object_unref (((Placed *) data)->podcast);
}

static void
set_place (EarSubscriptions *self, EarPodcast *podcast, int place, GArray *before)
{
  const Placed placed = { podcast, ear_podcast_get_settings (podcast)->values[EAR_PODCAST_SETTING_PLACE] };

  if (placed.place == place)
    return;
  g_object_ref (podcast);
  g_array_append_val (before, placed);
  ear_subscriptions_set_setting (self, podcast, EAR_PODCAST_SETTING_PLACE, place);
}

static void
take_places_back (gpointer owner, gpointer data)
{
  const GArray *before = data;

  for (guint i = 0; i < before->len; i++)
    {
      const Placed *placed = &g_array_index (before, Placed, i);

      ear_subscriptions_set_setting (owner, placed->podcast, EAR_PODCAST_SETTING_PLACE, placed->place);
    }
}

/**
 * ear_subscriptions_place:
 * @podcasts: (element-type EarPodcast): all that are followed, in the order that the listener wants
 * @position: the one of them that was moved
 *
 * Keeps the listener's own order, with each podcast: so two computers merge it podcast by podcast. That can be taken back,
 * without words, as it is plain to be seen.
 */
void
ear_subscriptions_place (EarSubscriptions *self, GPtrArray *podcasts, guint position)
{
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (Placed));
  g_autoptr (EarUndo) undo = NULL;
  int place;

  g_return_if_fail (EAR_IS_SUBSCRIPTIONS (self));
  g_return_if_fail (position < podcasts->len);

  g_array_set_clear_func (before, placed_clear);
  if (ear_podcast_order_find_place (podcasts, position, &place))
    set_place (self, g_ptr_array_index (podcasts, position), place, before);
  else
    for (guint i = 0; i < podcasts->len; i++)
      set_place (self, g_ptr_array_index (podcasts, i), (int) MIN ((gint64) (i + 1) * EAR_PODCAST_ORDER_STEP, G_MAXINT), before);
  if (before->len == 0)
    return;
  undo = ear_undo_new (NULL, take_places_back, self, g_steal_pointer (&before), (GDestroyNotify) g_array_unref);
  ear_notices_offer_undo (self->notices, undo);
}
