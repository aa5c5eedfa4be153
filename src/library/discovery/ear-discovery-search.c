/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery-private.h"

#include "ear-error.h"
#include "ear-feed-probe.h"
#include "ear-opml-loader.h"
#include "ear-opml.h"

/* Who is asked what, and what becomes of the answers. */

/* Names on a chart, or in one author's list, are many. */
#define MAX_CATEGORIES 2
#define MAX_RECOMMENDED 10

/* One question to one directory. Who does not want its answer any more cancels it. */
typedef struct
{
  EarDiscovery *discovery; /* borrowed */
  EarDiscoveryReason reason;
} Ask;

static Ask *
ask_new (EarDiscovery *self, EarDiscoveryReason reason)
{
  Ask *ask = g_new0 (Ask, 1);

  ask->discovery = self;
  ask->reason = reason;
  self->n_running++;

  return ask;
}

/* Whose question just ended, if it still matters; counts it as ended if it does. */
static EarDiscovery *
dup_asker (Ask *ask, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return NULL;

  ask->discovery->n_running--;

  return g_object_ref (ask->discovery);
}

static void
note_failure (EarDiscovery *self, const GError *error)
{
  if (self->failure == NULL && error != NULL)
    self->failure = g_error_copy (error);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Ask *ask = user_data;
  EarDirectory *directory = EAR_DIRECTORY (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = ear_directory_ask_finish (directory, result, &error);
  g_autoptr (EarDiscovery) self = dup_asker (ask, error);

  if (self == NULL)
    return;

  if (entries != NULL)
    {
      if (self->input == EAR_DISCOVERY_APPLE && entries->len == 0)
        {
          g_autoptr (GError) none = g_error_new_literal (EAR_ERROR, EAR_ERROR_NOT_FOUND, "The directory has no feed of that number");

          note_failure (self, none);
        }
      ear_discovery_list_add (self->list, entries, ask->reason, self->input == EAR_DISCOVERY_WORDS ? self->value : NULL);
    }
  else
    {
      g_autofree char *others = g_steal_pointer (&self->unanswered);

      g_info ("%s does not answer: %s", ear_directory_get_name (directory), error->message);
      self->unanswered = g_strconcat (others != NULL ? others : "", others != NULL ? ", " : "", ear_directory_get_name (directory), NULL);
      note_failure (self, error);
    }
  ear_discovery_end_step (self);
}

static void
ask_directories (EarDiscovery *self, EarDirectoryQuestion question, const char *text, EarDiscoveryReason reason)
{
  for (guint i = 0; i < self->directories->len; i++)
    {
      EarDirectory *directory = g_ptr_array_index (self->directories, i);

      if (ear_directory_can_answer (directory, question, text))
        ear_directory_ask_async (directory, question, text, self->cancellable, answered_cb, ask_new (self, reason));
    }
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Ask *ask = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *refused = NULL;
  g_autoptr (EarProbe) probe = ear_feed_probe_finish (result, &refused, &error);
  g_autoptr (EarDiscovery) self = dup_asker (ask, error);

  if (self == NULL)
    return;

  if (probe != NULL)
    {
      ear_discovery_list_add (self->list, probe->entries, ask->reason, NULL);
      if (ask->reason == EAR_DISCOVERY_FITS)
        ear_discovery_set_outlines (self, probe->outlines);
    }
  else
    note_failure (self, error);
  if (probe == NULL && ask->reason == EAR_DISCOVERY_FITS)
    g_set_str (&self->refused, refused);
  ear_discovery_end_step (self);
}

static void
probe (EarDiscovery *self, const char *address, EarDiscoveryReason reason)
{
  ear_feed_probe_async (self->http, address, self->cancellable, probed_cb, ask_new (self, reason));
}

/* Of one podcast more can be shown than that it could be imported. */
static void
add_only (EarDiscovery *self, const EarOpmlOutline *outline, EarDiscoveryReason reason)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) ear_directory_entry_unref);
  EarDirectoryEntry *entry = ear_directory_entry_new ();

  entry->address = g_strdup (outline->address);
  entry->title = g_strdup (outline->title);
  entry->link = g_strdup (outline->link);
  g_ptr_array_add (entries, entry);
  ear_discovery_list_add (self->list, entries, reason, NULL);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Ask *ask = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outlines = ear_opml_load_finish (result, &error);
  g_autoptr (EarDiscovery) self = dup_asker (ask, error);

  if (self == NULL)
    return;

  if (outlines != NULL && outlines->len == 1)
    add_only (self, g_ptr_array_index (outlines, 0), ask->reason);
  else
    ear_discovery_set_outlines (self, outlines);
  note_failure (self, error);
  ear_discovery_end_step (self);
}

static void
load_file (EarDiscovery *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->value);

  ear_opml_load_async (file, self->cancellable, loaded_cb, ask_new (self, EAR_DISCOVERY_FITS));
}

/* A podcast that recommends others says where they are. */
static void
find_like (EarDiscovery *self)
{
  EarPodcastFacts *facts = ear_podcast_get_facts (self->like);

  for (guint i = 0; facts->podroll != NULL && i < MIN (facts->podroll->len, MAX_RECOMMENDED); i++)
    {
      const EarRemoteItem *item = g_ptr_array_index (facts->podroll, i);

      if (item->feed_address != NULL)
        probe (self, item->feed_address, EAR_DISCOVERY_RECOMMENDED);
    }
  if (facts->author != NULL)
    ask_directories (self, EAR_DIRECTORY_AUTHOR, facts->author, EAR_DISCOVERY_SAME_AUTHOR);
  for (guint i = 0; facts->categories != NULL && i < MIN (facts->categories->len, MAX_CATEGORIES); i++)
    ask_directories (self, EAR_DIRECTORY_CATEGORY, g_ptr_array_index (facts->categories, i), EAR_DISCOVERY_SAME_CATEGORY);
}

/* Asks whoever may know what is looked for now. Who has answered calls ear_discovery_end_step(). */
void
ear_discovery_ask (EarDiscovery *self)
{
  switch (self->input)
    {
    case EAR_DISCOVERY_WORDS:
      ask_directories (self, EAR_DIRECTORY_WORDS, self->value, EAR_DISCOVERY_FITS);
      break;
    case EAR_DISCOVERY_APPLE:
      ask_directories (self, EAR_DIRECTORY_ID, self->value, EAR_DISCOVERY_FITS);
      break;
    case EAR_DISCOVERY_ADDRESS:
      probe (self, self->value, EAR_DISCOVERY_FITS);
      break;
    case EAR_DISCOVERY_FILE:
      load_file (self);
      break;
    case EAR_DISCOVERY_LIKE:
      find_like (self);
      break;
    case EAR_DISCOVERY_UNKNOWN:
      self->failure = g_error_new_literal (EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "No web address");
      break;
    case EAR_DISCOVERY_NOTHING:
    default:
      break;
    }
}
