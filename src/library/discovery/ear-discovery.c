/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-discovery-private.h"

#include "ear-library-enums.h"
#include "ear-property.h"

/**
 * EarDiscovery:
 *
 * Finds podcasts by words, by an address of whatever kind, in a file, or by likeness.
 * See the header for its properties.
 *
 * All directories are asked at once and each answer shows when it comes; what belongs to
 * an older question is dropped. A directory gets words, names of authors and categories,
 * and never an address.
 */
G_DEFINE_FINAL_TYPE (EarDiscovery, ear_discovery, G_TYPE_OBJECT)

/* Until somebody who types is taken to have finished a word; an address takes longer, since
 * half of one is another host's. */
#define WORDS_PAUSE_MS 300
#define ADDRESS_PAUSE_MS 800

static void
set_error (EarDiscovery *self, const GError *error)
{
  if (self->error == NULL && error == NULL)
    return;

  g_clear_error (&self->error);
  self->error = error != NULL ? g_error_copy (error) : NULL;
  g_object_notify (G_OBJECT (self), "error");
}

/* A list with nothing in it leads to nothing: nobody is asked whether to follow no podcasts.
 * @outlines: (nullable) (element-type EarOpmlOutline): the list that the question leads to */
void
ear_discovery_set_outlines (EarDiscovery *self, GPtrArray *outlines)
{
  if (outlines != NULL && outlines->len == 0)
    outlines = NULL;
  if (self->outlines == outlines)
    return;

  g_clear_pointer (&self->outlines, g_ptr_array_unref);
  self->outlines = outlines != NULL ? g_ptr_array_ref (outlines) : NULL;
  g_object_notify (G_OBJECT (self), "n-listed");
}

/* Ends the search if nobody is left who was asked and has not answered. */
void
ear_discovery_end_step (EarDiscovery *self)
{
  gboolean found;

  if (self->n_running > 0)
    return;

  /* What an older question found goes, when the new one found nothing at all. */
  ear_discovery_list_end (self->list);
  found = g_list_model_get_n_items (ear_discovery_list_get_model (self->list)) > 0 || self->outlines != NULL;
  set_error (self, found ? NULL : self->failure);
  g_object_notify (G_OBJECT (self), "unanswered");
  ear_property_set_boolean (self, "searching", FALSE);
}

static void
forget_question (EarDiscovery *self)
{
  g_clear_handle_id (&self->wait_id, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_error (&self->failure);
  g_clear_pointer (&self->refused, g_free);
  self->cancellable = g_cancellable_new ();
  self->n_running = 0;
  g_clear_pointer (&self->unanswered, g_free);
}

static gboolean
search_cb (gpointer user_data)
{
  EarDiscovery *self = EAR_DISCOVERY (user_data);

  self->wait_id = 0;
  forget_question (self);
  ear_discovery_list_begin (self->list, self->like);
  ear_discovery_ask (self);
  ear_discovery_end_step (self);

  return G_SOURCE_REMOVE;
}

/* What was asked before is of no interest any more; what it found stays until there is better. */
static void
begin (EarDiscovery *self, guint pause)
{
  forget_question (self);
  set_error (self, NULL);
  ear_discovery_set_outlines (self, NULL);
  g_object_notify (G_OBJECT (self), "unanswered");
  if (self->input == EAR_DISCOVERY_NOTHING)
    {
      ear_discovery_list_begin (self->list, NULL);
      ear_discovery_list_end (self->list);
      ear_property_set_boolean (self, "searching", FALSE);
      return;
    }

  ear_property_set_boolean (self, "searching", TRUE);
  /* After what was typed meanwhile on a busy machine: it would be searched for half a word else. Before what is drawn. */
  self->wait_id = g_timeout_add_full (G_PRIORITY_HIGH_IDLE, pause, search_cb, self, NULL);
}

static const char *
get_unanswered (EarDiscovery *self)
{
  return self->n_running == 0 ? self->unanswered : NULL;
}

static int
get_n_listed (EarDiscovery *self)
{
  return self->outlines != NULL ? (int) self->outlines->len : 0;
}

static void
ear_discovery_dispose (GObject *object)
{
  EarDiscovery *self = EAR_DISCOVERY (object);

  g_clear_handle_id (&self->wait_id, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->http);
  g_clear_object (&self->like);
  g_clear_pointer (&self->directories, g_ptr_array_unref);
  g_clear_pointer (&self->outlines, g_ptr_array_unref);
  g_clear_pointer (&self->list, ear_discovery_list_free);
  g_clear_error (&self->error);
  g_clear_error (&self->failure);
  g_clear_pointer (&self->unanswered, g_free);
  g_clear_pointer (&self->refused, g_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->value, g_free);

  G_OBJECT_CLASS (ear_discovery_parent_class)->dispose (object);
}

static void
ear_discovery_class_init (EarDiscoveryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "input", EAR_TYPE_DISCOVERY_INPUT, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscovery, input) },
    { "results", G_TYPE_LIST_MODEL, G_PARAM_READABLE, .get = G_CALLBACK (ear_discovery_get_results) },
    { "searching", G_TYPE_BOOLEAN, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscovery, searching) },
    { "error", G_TYPE_ERROR, G_PARAM_READABLE, G_STRUCT_OFFSET (EarDiscovery, error) },
    { "unanswered", G_TYPE_STRING, G_PARAM_READABLE, .get = G_CALLBACK (get_unanswered) },
    { "n-listed", G_TYPE_UINT, G_PARAM_READABLE, .get = G_CALLBACK (get_n_listed) },
  };

  object_class->dispose = ear_discovery_dispose;

  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_discovery_init (EarDiscovery *self)
{
  self->cancellable = g_cancellable_new ();
  self->list = ear_discovery_list_new ();
}

/* @directories: (element-type EarDirectory): whom to ask
 * @podcasts: (nullable): what is followed, a list of [class@EarPodcast] */
EarDiscovery *
ear_discovery_new (EarHttp *http, GPtrArray *directories, GListModel *podcasts)
{
  EarDiscovery *self = g_object_new (EAR_TYPE_DISCOVERY, NULL);

  self->http = g_object_ref (http);
  self->directories = g_ptr_array_ref (directories);
  ear_discovery_list_set_podcasts (self->list, podcasts);

  return self;
}

/**
 * ear_discovery_set_text:
 * @text: (nullable): what was typed, pasted or dropped
 *
 * Looks for something else, as soon as no more is typed for a moment.
 */
void
ear_discovery_set_text (EarDiscovery *self, const char *text)
{
  EarDiscoveryInput input;

  g_return_if_fail (EAR_IS_DISCOVERY (self));

  if (!g_set_str (&self->text, text))
    return;

  g_clear_object (&self->like);
  g_clear_pointer (&self->value, g_free);
  input = ear_discovery_input_read (text != NULL ? text : "", &self->value);
  ear_property_set_number (self, "input", input);
  begin (self, input == EAR_DISCOVERY_WORDS || input == EAR_DISCOVERY_FILE ? WORDS_PAUSE_MS : ADDRESS_PAUSE_MS);
}

/**
 * ear_discovery_set_like:
 * @podcast: (nullable): a podcast
 *
 * Looks for podcasts like another one: those that it recommends, by the same author, and
 * in the same category.
 */
void
ear_discovery_set_like (EarDiscovery *self, EarPodcast *podcast)
{
  g_return_if_fail (EAR_IS_DISCOVERY (self));

  if (!g_set_object (&self->like, podcast))
    return;

  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->value, g_free);
  ear_property_set_number (self, "input", podcast != NULL ? EAR_DISCOVERY_LIKE : EAR_DISCOVERY_NOTHING);
  begin (self, 0);
}

/* Does not wait for more to be typed; asks once more, if there was an error. */
void
ear_discovery_search_now (EarDiscovery *self)
{
  g_return_if_fail (EAR_IS_DISCOVERY (self));

  if (self->input == EAR_DISCOVERY_NOTHING || (self->wait_id == 0 && self->error == NULL))
    return;

  begin (self, 0);
}

EAR_DEFINE_GET (EarDiscovery, ear_discovery, EarDiscoveryInput, input)

GListModel *
ear_discovery_get_results (EarDiscovery *self)
{
  g_return_val_if_fail (EAR_IS_DISCOVERY (self), NULL);

  return ear_discovery_list_get_model (self->list);
}

EAR_DEFINE_GET (EarDiscovery, ear_discovery, gboolean, searching)
EAR_DEFINE_GET (EarDiscovery, ear_discovery, const GError *, error)

/**
 * ear_discovery_dup_address:
 *
 * Returns: (transfer full) (nullable): the web address that was given, if one was
 */
char *
ear_discovery_dup_address (EarDiscovery *self)
{
  g_return_val_if_fail (EAR_IS_DISCOVERY (self), NULL);

  return self->input == EAR_DISCOVERY_ADDRESS ? g_strdup (self->value) : NULL;
}

/**
 * ear_discovery_dup_refused_address:
 *
 * Returns: (transfer full) (nullable): where a name and a password are wanted, if that is the error: the
 *   address that was given, or that of a feed which the page there leads to
 */
char *
ear_discovery_dup_refused_address (EarDiscovery *self)
{
  g_return_val_if_fail (EAR_IS_DISCOVERY (self), NULL);

  return self->error != NULL ? g_strdup (self->refused) : NULL;
}

/**
 * ear_discovery_get_outlines:
 *
 * Returns: (transfer none) (nullable) (element-type EarOpmlOutline): the list of podcasts
 *   that the text leads to
 */
EAR_DEFINE_GET (EarDiscovery, ear_discovery, GPtrArray *, outlines)
