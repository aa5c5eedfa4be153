/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery-result.h"

#include "ear-address.h"
#include "ear-library-enums.h"

#include <string.h>

/**
 * EarDiscoveryResult:
 *
 * A podcast that was found, by one directory or by several. See the header for its
 * properties.
 */
struct _EarDiscoveryResult
{
  GObject parent_instance;

  /* Owned */
  char *key;
  char *address;
  char *title;
  char *author;
  char *image;
  char *description;
  EarPodcast *podcast;

  EarDiscoveryReason reason;
  guint n_episodes;
  double score;
  gboolean secure;
};

G_DEFINE_FINAL_TYPE (EarDiscoveryResult, ear_discovery_result, G_TYPE_OBJECT)

typedef enum
{
  PROP_ADDRESS = 1,
  PROP_TITLE,
  PROP_AUTHOR,
  PROP_IMAGE,
  PROP_DESCRIPTION,
  PROP_N_EPISODES,
  PROP_REASON,
  PROP_PODCAST,
  PROP_FOLLOWED,
} EarDiscoveryResultProperty;

static GParamSpec *props[PROP_FOLLOWED + 1];

static void
ear_discovery_result_get_property (GObject *object, guint property_id, GValue *value, GParamSpec *pspec)
{
  EarDiscoveryResult *self = EAR_DISCOVERY_RESULT (object);

  switch ((EarDiscoveryResultProperty) property_id)
    {
    case PROP_ADDRESS:
      g_value_set_string (value, self->address);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_AUTHOR:
      g_value_set_string (value, self->author);
      break;
    case PROP_IMAGE:
      g_value_set_string (value, self->image);
      break;
    case PROP_DESCRIPTION:
      g_value_set_string (value, self->description);
      break;
    case PROP_N_EPISODES:
      g_value_set_uint (value, self->n_episodes);
      break;
    case PROP_REASON:
      g_value_set_enum (value, self->reason);
      break;
    case PROP_PODCAST:
      g_value_set_object (value, self->podcast);
      break;
    case PROP_FOLLOWED:
      g_value_set_boolean (value, self->podcast != NULL);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
ear_discovery_result_finalize (GObject *object)
{
  EarDiscoveryResult *self = EAR_DISCOVERY_RESULT (object);

  g_free (self->key);
  g_free (self->address);
  g_free (self->title);
  g_free (self->author);
  g_free (self->image);
  g_free (self->description);
  g_clear_object (&self->podcast);

  G_OBJECT_CLASS (ear_discovery_result_parent_class)->finalize (object);
}

static void
ear_discovery_result_class_init (EarDiscoveryResultClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ear_discovery_result_get_property;
  object_class->finalize = ear_discovery_result_finalize;

  props[PROP_ADDRESS] = g_param_spec_string ("address", NULL, NULL, NULL, flags);
  props[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  props[PROP_AUTHOR] = g_param_spec_string ("author", NULL, NULL, NULL, flags);
  props[PROP_IMAGE] = g_param_spec_string ("image", NULL, NULL, NULL, flags);
  props[PROP_DESCRIPTION] = g_param_spec_string ("description", NULL, NULL, NULL, flags);
  props[PROP_N_EPISODES] = g_param_spec_uint ("n-episodes", NULL, NULL, 0, G_MAXUINT, 0, flags);
  props[PROP_REASON] = g_param_spec_enum ("reason", NULL, NULL, EAR_TYPE_DISCOVERY_REASON, EAR_DISCOVERY_FITS, flags);
  props[PROP_PODCAST] = g_param_spec_object ("podcast", NULL, NULL, EAR_TYPE_PODCAST, flags);
  props[PROP_FOLLOWED] = g_param_spec_boolean ("followed", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (props), props);
}

static void
ear_discovery_result_init (EarDiscoveryResult *self)
{
}

EarDiscoveryResult *
ear_discovery_result_new (EarDirectoryEntry *entry, EarDiscoveryReason reason)
{
  EarDiscoveryResult *self = g_object_new (EAR_TYPE_DISCOVERY_RESULT, NULL);

  self->address = g_strdup (entry->address);
  self->key = ear_address_key (entry->address);
  self->reason = reason;
  ear_discovery_result_add (self, entry, 0);

  return self;
}

/* What is known already stays: a second opinion only fills the gaps. */
static void
fill (EarDiscoveryResult *self, char **member, const char *value, EarDiscoveryResultProperty property)
{
  if (*member != NULL || value == NULL)
    return;

  *member = g_strdup (value);
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

/* Of two ways to write an address: https, and then the plainer one, whoever answered first */
static gboolean
is_better (const char *address, const char *other)
{
  const gboolean secure = g_str_has_prefix (address, "https:");

  if (secure != g_str_has_prefix (other, "https:"))
    return secure;

  return strlen (address) < strlen (other);
}

/**
 * ear_discovery_result_add:
 * @score: how well it fits, by that directory
 *
 * Joins what two directories know of a podcast.
 */
void
ear_discovery_result_add (EarDiscoveryResult *self, EarDirectoryEntry *entry, double score)
{
  self->score += score;
  if (is_better (entry->address, self->address) && g_set_str (&self->address, entry->address))
    {
      self->secure = FALSE;
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ADDRESS]);
    }
  if (g_str_equal (entry->address, self->address))
    self->secure |= entry->secure;
  fill (self, &self->title, entry->title, PROP_TITLE);
  fill (self, &self->author, entry->author, PROP_AUTHOR);
  fill (self, &self->image, entry->image, PROP_IMAGE);
  fill (self, &self->description, entry->description, PROP_DESCRIPTION);
  if (self->n_episodes == 0 && entry->n_episodes > 0)
    {
      self->n_episodes = entry->n_episodes;
      g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_EPISODES]);
    }
}

const char *
ear_discovery_result_get_address (EarDiscoveryResult *self)
{
  g_return_val_if_fail (EAR_IS_DISCOVERY_RESULT (self), NULL);

  return self->address;
}

/**
 * ear_discovery_result_get_secure:
 *
 * Returns: whether its feed was fetched from its address just now, and by https
 */
gboolean
ear_discovery_result_get_secure (EarDiscoveryResult *self)
{
  g_return_val_if_fail (EAR_IS_DISCOVERY_RESULT (self), FALSE);

  return self->secure;
}

/**
 * ear_discovery_result_get_title:
 *
 * Returns: (transfer none) (nullable): its title
 */
const char *
ear_discovery_result_get_title (EarDiscoveryResult *self)
{
  g_return_val_if_fail (EAR_IS_DISCOVERY_RESULT (self), NULL);

  return self->title;
}

/**
 * ear_discovery_result_get_author:
 *
 * Returns: (transfer none) (nullable): who makes it
 */
const char *
ear_discovery_result_get_author (EarDiscoveryResult *self)
{
  g_return_val_if_fail (EAR_IS_DISCOVERY_RESULT (self), NULL);

  return self->author;
}

const char *
ear_discovery_result_get_key (EarDiscoveryResult *self)
{
  return self->key;
}

/**
 * ear_discovery_result_get_score:
 *
 * Returns: how well it fits, by all who found it
 */
double
ear_discovery_result_get_score (EarDiscoveryResult *self)
{
  return self->score;
}

/**
 * ear_discovery_result_get_podcast:
 *
 * Returns: (transfer none) (nullable): the podcast, if it is followed
 */
EarPodcast *
ear_discovery_result_get_podcast (EarDiscoveryResult *self)
{
  g_return_val_if_fail (EAR_IS_DISCOVERY_RESULT (self), NULL);

  return self->podcast;
}

/**
 * ear_discovery_result_set_podcast:
 * @podcast: (nullable): the podcast, if it is followed
 *
 * Notes whether it is followed.
 */
void
ear_discovery_result_set_podcast (EarDiscoveryResult *self, EarPodcast *podcast)
{
  if (!g_set_object (&self->podcast, podcast))
    return;

  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PODCAST]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_FOLLOWED]);
}
