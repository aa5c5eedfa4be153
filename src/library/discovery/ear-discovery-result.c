/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery-result.h"

#include "ear-address.h"
#include "ear-library-enums.h"
#include "ear-property.h"

#include <string.h>

/* A podcast that one directory or several found. See the header for its properties. */
struct _EarDiscoveryResult
{
  GObject parent_instance;

  /* Owned */
  char *key;
  char *address;
  char *title;
  char *author;
  char *image;
  EarPodcast *podcast;

  EarDiscoveryReason reason;
  guint n_episodes;
  double score;
  gboolean secure;
};

G_DEFINE_FINAL_TYPE (EarDiscoveryResult, ear_discovery_result, G_TYPE_OBJECT)

static gboolean
is_followed (EarDiscoveryResult *self)
{
  return self->podcast != NULL;
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
  g_clear_object (&self->podcast);

  G_OBJECT_CLASS (ear_discovery_result_parent_class)->finalize (object);
}

static void
ear_discovery_result_class_init (EarDiscoveryResultClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "address", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoveryResult, address) },
    { "title", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoveryResult, title) },
    { "author", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoveryResult, author) },
    { "image", G_TYPE_STRING, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscoveryResult, image) },
    { "n-episodes", G_TYPE_UINT, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarDiscoveryResult, n_episodes) },
    { "reason", EAR_TYPE_DISCOVERY_REASON, G_PARAM_READABLE,
      G_STRUCT_OFFSET (EarDiscoveryResult, reason) },
    { "followed", G_TYPE_BOOLEAN, G_PARAM_READABLE, .get = G_CALLBACK (is_followed) },
  };

  object_class->finalize = ear_discovery_result_finalize;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
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

/* Another directory only fills gaps. */
static void
fill (EarDiscoveryResult *self, const char *property, const char *known, const char *value)
{
  if (known == NULL)
    ear_property_set_string (self, property, value);
}

/* Returns: whether a URL is https, or else shorter */
static gboolean
is_better (const char *address, const char *other)
{
  const gboolean secure = g_str_has_prefix (address, "https:");

  if (secure != g_str_has_prefix (other, "https:"))
    return secure;

  return strlen (address) < strlen (other);
}

/* Adds the entry of another directory.
 * @score: its score by that directory */
void
ear_discovery_result_add (EarDiscoveryResult *self, EarDirectoryEntry *entry, double score)
{
  self->score += score;
  if (is_better (entry->address, self->address) &&
      ear_property_set_string (self, "address", entry->address))
    self->secure = FALSE;
  if (g_str_equal (entry->address, self->address))
    self->secure |= entry->secure;
  fill (self, "title", self->title, entry->title);
  fill (self, "author", self->author, entry->author);
  fill (self, "image", self->image, entry->image);
  if (self->n_episodes == 0)
    ear_property_set_number (self, "n-episodes", (int) entry->n_episodes);
}

EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, const char *, address)

/* Returns: whether its feed was fetched by https during this search */
EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, gboolean, secure)

EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, const char *, title)
EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, const char *, author)

const char *
ear_discovery_result_get_key (EarDiscoveryResult *self)
{
  return self->key;
}

/* Returns: the sum of the scores by all directories */
double
ear_discovery_result_get_score (EarDiscoveryResult *self)
{
  return self->score;
}

/* Returns: (transfer none) (nullable): the podcast, if it is followed */
EAR_DEFINE_GET (EarDiscoveryResult, ear_discovery_result, EarPodcast *, podcast)

/* @podcast: (nullable): the podcast, if it is followed */
void
ear_discovery_result_set_podcast (EarDiscoveryResult *self, EarPodcast *podcast)
{
  if (g_set_object (&self->podcast, podcast))
    g_object_notify (G_OBJECT (self), "followed");
}
