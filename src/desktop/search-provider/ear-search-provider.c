/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-provider.h"

#include "ear-address.h"
#include "ear-search-filter.h"
#include "ear-search-peek.h"
#include "ear-search-provider-interface.h"

#define OBJECT_PATH EAR_RESOURCE_BASE "/SearchProvider"

/* More than the shell shows. */
#define MOST_RESULTS 20

/* Limits for untrusted callers; a listener who types stays below them. */
#define MOST_IDS 50
#define WORDS_LIMIT 400

/* Cached episodes: enough for the results of a few keystrokes. */
#define MOST_KNOWN 400

/**
 * EarSearchProvider:
 *
 * Finds episodes for GNOME Shell's search (`org.gnome.Shell.SearchProvider2`), and
 * activates the application's actions for the chosen ones.
 *
 * It searches the library while that is open. Otherwise the shell has started Earmark
 * only for the search, and EarSearchPeek reads the stored catalogue: typing in the
 * overview starts, fetches, writes and shows nothing, and a while after the last
 * keystroke the program ends.
 */
struct _EarSearchProvider
{
  GObject parent_instance;

  /* Owned */
  GDBusConnection *connection;
  EarLibrary *library;     /* (nullable): open library */
  EarSearchPeek *peek;     /* (nullable): reader without a library; %NULL after dispose */
  GCancellable *searching; /* (nullable): for the last search */
  GHashTable *known;       /* (element-type utf8 EarEpisode): found episodes by key */
  char *covers_directory;
  guint id;

  EarSearchDescribeFunc describe;
};

G_DEFINE_FINAL_TYPE (EarSearchProvider, ear_search_provider, G_TYPE_OBJECT)

typedef struct _Call Call;

/* A method call, until it is answered */
struct _Call
{
  EarSearchProvider *provider;
  GDBusMethodInvocation *invocation;
  EarCatalogue *catalogue;    /* (nullable): catalogue to search; %NULL if there is none */
  void (*go_on) (Call *call); /* next step, once @catalogue is open */
  GCancellable *cancellable;  /* (nullable): canceled by the next search */
  char *words;                /* (nullable): search words */
  GStrv keys;                 /* (nullable): keys of the requested episodes */
  GVariantBuilder metas;
  guint32 timestamp;
};

static Call *
call_new (EarSearchProvider *self, GDBusMethodInvocation *invocation)
{
  Call *call = g_new0 (Call, 1);

  call->provider = g_object_ref (self);
  call->invocation = invocation;
  g_variant_builder_init (&call->metas, G_VARIANT_TYPE ("aa{sv}"));

  return call;
}

/* Replies and frees the call. Every call must get here.
 * @reply: (nullable) (transfer floating): a tuple */
static void
end_call (Call *call, GVariant *reply)
{
  g_dbus_method_invocation_return_value (call->invocation, reply);
  g_variant_builder_clear (&call->metas);
  g_strfreev (call->keys);
  g_free (call->words);
  g_clear_object (&call->cancellable);
  g_clear_object (&call->catalogue);
  g_object_unref (call->provider);
  g_free (call);
}

/* The cached episodes belong to another catalogue. */
static void
forget_known (EarSearchProvider *self)
{
  g_hash_table_remove_all (self->known);
}

static EarCatalogue *
get_catalogue (EarSearchProvider *self)
{
  if (self->library != NULL)
    return ear_library_get_catalogue (self->library);

  return self->peek != NULL ? ear_search_peek_get_catalogue (self->peek) : NULL;
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;
  g_autoptr (GError) error = NULL;

  call->catalogue = ear_search_peek_open_finish (EAR_SEARCH_PEEK (source), result, &error);
  if (call->catalogue == NULL)
    g_info ("Nothing can be searched: %s", error->message);
  call->go_on (call);
}

/* Opens the catalogue, then runs @go_on. */
static void
find_catalogue (Call *call, void (*go_on) (Call *call))
{
  EarSearchProvider *self = call->provider;

  call->go_on = go_on;
  /* A call that arrived before dispose gets its answer after it, without a catalogue. */
  if (self->library == NULL && self->peek != NULL)
    {
      ear_search_peek_open_async (self->peek, opened_cb, call);
      return;
    }
  if (self->library != NULL)
    call->catalogue = g_object_ref (ear_library_get_catalogue (self->library));
  go_on (call);
}

/* Episodes of a catalogue that was closed meanwhile are not the objects of
 * the open one. */
static void
remember (EarSearchProvider *self, EarCatalogue *catalogue, const char *key, EarEpisode *episode)
{
  if (catalogue != get_catalogue (self))
    return;

  if (g_hash_table_size (self->known) >= MOST_KNOWN)
    g_hash_table_remove_all (self->known);
  g_hash_table_replace (self->known, g_strdup (key), g_object_ref (episode));
}

static char *
join_words (GVariant *terms)
{
  g_autoptr (GString) words = g_string_new (NULL);
  GVariantIter iter;
  const char *term;

  g_variant_iter_init (&iter, terms);
  while (words->len < WORDS_LIMIT && g_variant_iter_next (&iter, "&s", &term))
    {
      g_autofree char *start = g_utf8_substring (term, 0, MIN (g_utf8_strlen (term, WORDS_LIMIT), WORDS_LIMIT));

      g_string_append_printf (words, "%s%s", words->len > 0 ? " " : "", start);
    }

  return g_strstrip (g_string_free_and_steal (g_steal_pointer (&words)));
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;
  EarCatalogue *catalogue = EAR_CATALOGUE (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) ids = ear_catalogue_read_finish (catalogue, result, &error);
  g_auto (GVariantBuilder) keys = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      g_autoptr (EarEpisode) episode = ear_catalogue_dup_episode (catalogue, g_array_index (ids, gint64, i));
      g_autofree char *key = episode != NULL ? ear_episode_dup_key (episode) : NULL;

      if (key == NULL)
        continue;
      g_variant_builder_add (&keys, "s", key);
      remember (call->provider, catalogue, key, episode);
    }
  /* A search that the next keystroke canceled has no results. */
  end_call (call, g_variant_new ("(as)", &keys));
}

/* Parses words and filters. Only an open library knows the listener's lists. */
static EarSearchFilter *
parse (Call *call)
{
  EarLibrary *library = call->provider->library;

  return ear_search_filter_parse (call->words, ear_catalogue_get_podcasts (call->catalogue),
                                  library != NULL ? ear_lists_get_all (ear_library_get_lists (library)) : NULL);
}

static EarEpisodeQuery *
create_query (EarSearchFilter *search)
{
  EarEpisodeQuery *query = search->list != NULL ? ear_list_create_query (EAR_LIST (search->list), EAR_SORT_RANKED, search->words)
                                                : ear_episode_query_new (0, EAR_FILTER_ALL, EAR_SORT_RANKED, search->words);

  ear_episode_query_narrow (query, &search->terms);

  return query;
}

static void
find_words (Call *call)
{
  g_autoptr (EarSearchFilter) search = call->catalogue != NULL ? parse (call) : NULL;
  g_autoptr (EarEpisodeQuery) query = NULL;

  if (search == NULL || ear_search_filter_is_empty (search))
    {
      end_call (call, g_variant_new ("(as)", NULL));
      return;
    }

  query = create_query (search);
  ear_catalogue_read_async (call->catalogue, ear_read_query (query, MOST_RESULTS), call->cancellable, found_cb, call);
}

/* Searches the catalogue again for each keystroke, which is as fast as narrowing
 * the last results. */
static void
find (EarSearchProvider *self, GVariant *terms, GDBusMethodInvocation *invocation)
{
  Call *call = call_new (self, invocation);

  g_cancellable_cancel (self->searching);
  g_clear_object (&self->searching);
  self->searching = g_cancellable_new ();
  call->cancellable = g_object_ref (self->searching);
  call->words = join_words (terms);
  find_catalogue (call, find_words);
}

/* The stored cover, else the application's icon. */
static GIcon *
create_icon (EarSearchProvider *self, EarEpisode *episode)
{
  const char *const addresses[] = { ear_episode_get_facts (episode)->image,
                                    ear_podcast_get_facts (ear_episode_get_podcast (episode))->image };

  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_autofree char *path = ear_cover_cache_find_path (self->covers_directory, addresses[i]);
      g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

      if (file != NULL)
        return g_file_icon_new (file);
    }

  return g_themed_icon_new (EAR_APP_ID);
}

static void
add_meta (Call *call, const char *key, EarEpisode *episode)
{
  g_auto (GVariantDict) meta = G_VARIANT_DICT_INIT (NULL);
  g_autoptr (GIcon) icon = create_icon (call->provider, episode);
  g_autofree char *description = call->provider->describe (episode);

  g_variant_dict_insert (&meta, "id", "s", key);
  g_variant_dict_insert (&meta, "name", "s", ear_episode_get_name (episode));
  g_variant_dict_insert (&meta, "description", "s", description);
  g_variant_dict_insert_value (&meta, "icon", g_icon_serialize (icon));
  g_variant_builder_add_value (&call->metas, g_variant_dict_end (&meta));
}

/* Skips unknown keys.
 * @found: (nullable) (element-type EarEpisode): an episode or %NULL for each key; if
 * %NULL, the cached episodes are used */
static void
describe (Call *call, GPtrArray *found)
{
  for (guint i = 0; call->keys[i] != NULL; i++)
    {
      EarEpisode *episode = found != NULL ? g_ptr_array_index (found, i) : g_hash_table_lookup (call->provider->known, call->keys[i]);

      if (episode != NULL)
        add_meta (call, call->keys[i], episode);
    }
  end_call (call, g_variant_new ("(aa{sv})", &call->metas));
}

static void
keys_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;
  g_autoptr (GPtrArray) episodes = ear_catalogue_find_keys_finish (EAR_CATALOGUE (source), result, NULL);

  for (guint i = 0; episodes != NULL && i < episodes->len; i++)
    if (g_ptr_array_index (episodes, i) != NULL)
      remember (call->provider, EAR_CATALOGUE (source), call->keys[i], g_ptr_array_index (episodes, i));
  describe (call, episodes);
}

/* Looks up keys that are not cached, for example those found by an Earmark that
 * has quit since. */
static void
find_metas (Call *call)
{
  gboolean all_known = TRUE;

  for (guint i = 0; call->keys[i] != NULL; i++)
    if (i >= MOST_IDS)
      g_clear_pointer (&call->keys[i], g_free);
    else
      all_known = all_known && g_hash_table_contains (call->provider->known, call->keys[i]);
  if (all_known || call->catalogue == NULL)
    describe (call, NULL);
  else
    ear_catalogue_read_async (call->catalogue, ear_read_keys ((const char *const *) call->keys), NULL, keys_found_cb, call);
}

/* On X11 the time of the click raises the window. Wayland needs a token, which the
 * interface cannot pass. */
static GVariant *
create_platform_data (guint32 timestamp)
{
  g_auto (GVariantDict) data = G_VARIANT_DICT_INIT (NULL);
  g_autofree char *id = g_strdup_printf ("earmark-search_TIME%u", timestamp);

  if (timestamp != 0 && g_getenv ("WAYLAND_DISPLAY") == NULL)
    g_variant_dict_insert (&data, "desktop-startup-id", "s", id);

  return g_variant_dict_end (&data);
}

/* Calls over the bus, as the desktop does: no other API passes platform data. */
static void
activate (EarSearchProvider *self, const char *action, GVariant *parameter, guint32 timestamp)
{
  g_autofree char *path = g_strdelimit (g_strdup ("/" EAR_APP_ID), ".", '/');
  g_autoptr (GVariant) held = g_variant_ref_sink (parameter);
  g_auto (GVariantBuilder) parameters = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  if (self->connection == NULL)
    return;

  g_variant_builder_add (&parameters, "v", held);
  g_dbus_connection_call (self->connection, EAR_APP_ID, path, "org.freedesktop.Application", "ActivateAction",
                          g_variant_new ("(sav@a{sv})", action, &parameters, create_platform_data (timestamp)), NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
}

/* A result with a time plays from there. Any other is shown, because its notes
 * may have matched. */
static void
snippet_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;
  g_autoptr (EarSnippet) snippet = ear_catalogue_read_finish (EAR_CATALOGUE (source), result, NULL);

  if (snippet != NULL && snippet->time >= 0)
    activate (call->provider, "open-episode-at", g_variant_new ("(sx)", call->keys[0], snippet->time), call->timestamp);
  else
    activate (call->provider, "show-episode", g_variant_new_string (call->keys[0]), call->timestamp);
  end_call (call, NULL);
}

static void
open_episode (Call *call, EarEpisode *episode)
{
  ear_catalogue_read_async (call->catalogue, ear_read_snippet (episode, call->words), NULL, snippet_loaded_cb, call);
}

static void
chosen_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;
  g_autoptr (EarEpisode) episode = ear_catalogue_find_key_finish (EAR_CATALOGUE (source), result, NULL);

  if (episode != NULL)
    open_episode (call, episode);
  else
    {
      activate (call->provider, "show-episode", g_variant_new_string (call->keys[0]), call->timestamp);
      end_call (call, NULL);
    }
}

static void
find_chosen (Call *call)
{
  EarEpisode *episode = g_hash_table_lookup (call->provider->known, call->keys[0]);
  g_autoptr (EarSearchFilter) search = NULL;

  if (call->catalogue == NULL)
    {
      end_call (call, NULL);
      return;
    }

  search = parse (call);
  g_set_str (&call->words, search->words != NULL ? search->words : "");
  if (episode != NULL && call->catalogue == get_catalogue (call->provider))
    open_episode (call, episode);
  else
    ear_catalogue_read_async (call->catalogue, ear_read_keys ((const char *const[]) { call->keys[0], NULL }), NULL, chosen_found_cb, call);
}

static void
open_result (EarSearchProvider *self, GVariant *parameters, GDBusMethodInvocation *invocation)
{
  Call *call = call_new (self, invocation);
  g_autoptr (GVariant) terms = NULL;
  const char *key;

  g_variant_get (parameters, "(&s@asu)", &key, &terms, &call->timestamp);
  call->keys = g_strdupv ((char *[]) { (char *) key, NULL });
  call->words = join_words (terms);
  if (ear_address_is_hash (key))
    find_catalogue (call, find_chosen);
  else
    end_call (call, NULL);
}

static void
open_search (EarSearchProvider *self, GVariant *parameters, GDBusMethodInvocation *invocation)
{
  g_autoptr (GVariant) terms = NULL;
  g_autofree char *words = NULL;
  guint32 timestamp;

  g_variant_get (parameters, "(@asu)", &terms, &timestamp);
  words = join_words (terms);
  activate (self, "search-for", g_variant_new_string (words), timestamp);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
called_cb (GDBusConnection *connection, const char *sender, const char *path, const char *interface, const char *method,
           GVariant *parameters, GDBusMethodInvocation *invocation, gpointer user_data)
{
  EarSearchProvider *self = user_data;

  if (g_str_equal (method, "GetInitialResultSet") || g_str_equal (method, "GetSubsearchResultSet"))
    {
      g_autoptr (GVariant) terms = g_variant_get_child_value (parameters, g_variant_n_children (parameters) - 1);

      find (self, terms, invocation);
    }
  else if (g_str_equal (method, "GetResultMetas"))
    {
      Call *call = call_new (self, invocation);

      g_variant_get (parameters, "(^as)", &call->keys);
      find_catalogue (call, find_metas);
    }
  else if (g_str_equal (method, "ActivateResult"))
    open_result (self, parameters, invocation);
  else
    open_search (self, parameters, invocation);
}

static void
ear_search_provider_dispose (GObject *object)
{
  EarSearchProvider *self = EAR_SEARCH_PROVIDER (object);

  g_cancellable_cancel (self->searching);
  if (self->id != 0)
    g_dbus_connection_unregister_object (self->connection, self->id);
  self->id = 0;
  if (self->peek != NULL)
    ear_search_peek_close (self->peek);
  g_clear_object (&self->peek);
  g_clear_object (&self->searching);
  g_clear_object (&self->library);
  g_clear_object (&self->connection);

  G_OBJECT_CLASS (ear_search_provider_parent_class)->dispose (object);
}

static void
ear_search_provider_finalize (GObject *object)
{
  EarSearchProvider *self = EAR_SEARCH_PROVIDER (object);

  g_hash_table_unref (self->known);
  g_free (self->covers_directory);

  G_OBJECT_CLASS (ear_search_provider_parent_class)->finalize (object);
}

static void
ear_search_provider_class_init (EarSearchProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ear_search_provider_dispose;
  G_OBJECT_CLASS (klass)->finalize = ear_search_provider_finalize;
}

static void
ear_search_provider_init (EarSearchProvider *self)
{
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

/**
 * ear_search_provider_new:
 * @application: not registered yet, so that the shell can call as soon as it owns its
 *   name; with the actions `show-episode`, `open-episode-at` and `search-for`
 * @connection: the session bus
 * @data_directory: the folder of the library
 * @cache_directory: the folder of its caches
 * @describe: describes a found episode
 *
 * Returns: (transfer full): a provider on the bus
 */
EarSearchProvider *
ear_search_provider_new (GApplication *application,
                         GDBusConnection *connection,
                         const char *data_directory,
                         const char *cache_directory,
                         EarSearchDescribeFunc describe_func)
{
  static const GDBusInterfaceVTable vtable = { .method_call = called_cb };
  EarSearchProvider *self = g_object_new (EAR_TYPE_SEARCH_PROVIDER, NULL);
  g_autoptr (GError) error = NULL;

  self->connection = g_object_ref (connection);
  self->peek = ear_search_peek_new (application, data_directory);
  g_signal_connect_object (self->peek, "notify::catalogue", G_CALLBACK (forget_known), self, G_CONNECT_SWAPPED);
  self->covers_directory = g_build_filename (cache_directory, "covers", NULL);
  self->describe = describe_func;
  self->id = g_dbus_connection_register_object (connection, OBJECT_PATH,
                                                (GDBusInterfaceInfo *) &org_gnome_shell_search_provider2_interface, &vtable, self,
                                                NULL, &error);
  if (self->id == 0)
    g_info ("The desktop cannot search: %s", error->message);

  return self;
}

/**
 * ear_search_provider_set_library:
 * @library: (nullable): an open library to search; %NULL when it closes
 */
void
ear_search_provider_set_library (EarSearchProvider *self, EarLibrary *library)
{
  g_return_if_fail (EAR_IS_SEARCH_PROVIDER (self));

  if (!g_set_object (&self->library, library))
    return;

  forget_known (self);
  if (self->peek != NULL)
    ear_search_peek_close (self->peek);
}

/* Shortens the wait for tests. */
void
ear_search_provider_set_patience (EarSearchProvider *self, guint milliseconds)
{
  g_return_if_fail (EAR_IS_SEARCH_PROVIDER (self));

  ear_search_peek_set_patience (self->peek, milliseconds);
}
