/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What makes a backend of one's own is GIO's, but has to be asked for. */
#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gsettingsbackend.h>

#include "ear-settings-file.h"

/* Where the settings go in place of dconf: the name of GIO's extension, which GSETTINGS_BACKEND knows as well */
#define KEY_FILE "keyfile"

/* Who is told of what was changed elsewhere; read and written in the thread that made it only. */
typedef struct
{
  EarSettingsFile *file; /* borrowed; NULL once it has gone */
} Home;

/**
 * EarSettingsFile:
 *
 * Settings where there is no dconf, as in a sandbox: GIO keeps them in a file then, and whoever sets one
 * waits until the disk has all of them, some 100 ms where it is busy. Here all of that happens in a
 * thread, which has the file for itself, as GIO's backend is not made for two. The others set and read a copy in memory.
 */
struct _EarSettingsFile
{
  GObject parent_instance;

  /* Owned, of the thread that made it */
  GSettingsBackend *memory;
  GSettings *copy;
  GHashTable *told; /* by key, what the thread knows of: a GVariant, or NULL where nothing is set */
  Home *home;       /* shared with what is under way */

  /* Owned, of both */
  GThread *thread;
  GMainContext *context;
  GMainContext *home_context;
  GMainLoop *loop;
  GAsyncQueue *begun;
  GType backend;
  char *schema;

  /* Owned, of the thread with the file */
  GSettings *kept;   /* in delay-apply mode: all that is new is written at once */
  GHashTable *known; /* by key, what the file has */
};

G_DEFINE_FINAL_TYPE (EarSettingsFile, ear_settings_file, G_TYPE_OBJECT)

/* --- Values ------------------------------------------------------------------------------ */

static void
free_value (gpointer value)
{
  if (value != NULL)
    g_variant_unref (value);
}

static GHashTable *
new_values (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_value);
}

static gboolean
is_same (GVariant *value, GVariant *other)
{
  return value == NULL || other == NULL ? value == other : g_variant_equal (value, other);
}

/* What is set and is not what VALUES say; they say it then. */
static GHashTable *
take_changes (GSettings *settings, GHashTable *values)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_auto (GStrv) keys = NULL;
  GHashTable *changes = new_values ();

  g_object_get (settings, "settings-schema", &schema, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autoptr (GVariant) value = g_settings_get_user_value (settings, keys[i]);

      if (is_same (value, g_hash_table_lookup (values, keys[i])))
        continue;
      g_hash_table_insert (changes, g_strdup (keys[i]), value != NULL ? g_variant_ref (value) : NULL);
      g_hash_table_insert (values, g_strdup (keys[i]), g_steal_pointer (&value));
    }

  return changes;
}

static void
set_changes (GSettings *settings, GHashTable *changes, GHashTable *values)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, changes);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      /* One that an administrator has locked would hold up all that are written with it. */
      if (!g_settings_is_writable (settings, key))
        continue;
      g_hash_table_insert (values, g_strdup (key), value != NULL ? g_variant_ref (value) : NULL);
      if (value != NULL)
        g_settings_set_value (settings, key, value);
      else
        g_settings_reset (settings, key);
    }
}

static void
post (GMainContext *context, GSourceFunc func, gpointer data, GDestroyNotify destroy)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, func, data, destroy);
  g_source_attach (source, context);
}

/* --- From the file: what is set elsewhere ------------------------------------------------ */

typedef struct
{
  Home *home;
  GHashTable *changes;
} News;

static void
free_news (gpointer data)
{
  News *news = data;

  g_atomic_rc_box_release (news->home);
  g_hash_table_unref (news->changes);
  g_free (news);
}

static gboolean
take_news_cb (gpointer data)
{
  News *news = data;
  EarSettingsFile *self = news->home->file;

  if (self != NULL)
    set_changes (self->copy, news->changes, self->told);

  return G_SOURCE_REMOVE;
}

/* What was written here comes back as well, and is no news. */
static void
changed_cb (EarSettingsFile *self)
{
  g_autoptr (GHashTable) changes = take_changes (self->kept, self->known);
  News *news;

  if (g_hash_table_size (changes) == 0)
    return;

  news = g_new (News, 1);
  news->home = g_atomic_rc_box_acquire (self->home);
  news->changes = g_steal_pointer (&changes);
  post (self->home_context, take_news_cb, news, free_news);
}

/* --- To the file ------------------------------------------------------------------------- */

typedef struct
{
  EarSettingsFile *file; /* borrowed: it waits for its thread before it goes */
  GHashTable *changes;   /* NULL: that was all */
  GTask *task;           /* (nullable): of who wants to know when that is written; only the thread that made @file may free it */
} Order;

static void
free_order (gpointer data)
{
  Order *order = data;

  g_clear_pointer (&order->changes, g_hash_table_unref);
  g_free (order);
}

static gboolean
tell_written_cb (gpointer data)
{
  g_task_return_boolean (G_TASK (data), TRUE);

  return G_SOURCE_REMOVE;
}

static gboolean
follow_order_cb (gpointer data)
{
  Order *order = data;
  EarSettingsFile *self = order->file;

  if (order->changes == NULL)
    {
      g_main_loop_quit (self->loop);
      return G_SOURCE_REMOVE;
    }
  set_changes (self->kept, order->changes, self->known);
  g_settings_apply (self->kept);
  if (order->task != NULL)
    post (self->home_context, tell_written_cb, g_steal_pointer (&order->task), g_object_unref);

  return G_SOURCE_REMOVE;
}

/* In the order in which they are sent. */
static void
send_order (EarSettingsFile *self, GHashTable *changes, GTask *task)
{
  Order *order = g_new (Order, 1);

  order->file = self;
  order->changes = changes;
  order->task = task;
  post (self->context, follow_order_cb, order, free_order);
}

static gpointer
run_thread (gpointer data)
{
  EarSettingsFile *self = data;
  g_autoptr (GSettingsBackend) backend = NULL;

  g_main_context_push_thread_default (self->context);
  /* As GIO makes its own, which others of this program, a file chooser say, may read in their thread. */
  backend = g_object_new (self->backend, NULL);
  self->kept = g_settings_new_with_backend (self->schema, backend);
  g_settings_delay (self->kept);
  self->known = new_values ();
  g_signal_connect_swapped (self->kept, "changed", G_CALLBACK (changed_cb), self);
  g_async_queue_push (self->begun, take_changes (self->kept, self->known));

  g_main_loop_run (self->loop);

  g_signal_handlers_disconnect_by_func (self->kept, changed_cb, self);
  g_clear_object (&self->kept);
  g_clear_object (&backend);
  g_clear_pointer (&self->known, g_hash_table_unref);
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_main_context_pop_thread_default (self->context);

  return NULL;
}

/* --- The object -------------------------------------------------------------------------- */

static void
begin (EarSettingsFile *self, const char *schema, GType backend)
{
  g_autoptr (GHashTable) changes = NULL;

  self->schema = g_strdup (schema);
  self->backend = backend;
  self->copy = g_settings_new_with_backend (schema, self->memory);
  self->home->file = self;
  self->home_context = g_main_context_ref_thread_default ();
  self->thread = g_thread_new ("earmark-settings", run_thread, self);
  /* The window wants to know its size. */
  changes = g_async_queue_pop (self->begun);
  set_changes (self->copy, changes, self->told);
}

static void
ear_settings_file_dispose (GObject *object)
{
  EarSettingsFile *self = EAR_SETTINGS_FILE (object);

  if (self->thread != NULL)
    {
      ear_settings_file_write (self);
      send_order (self, NULL, NULL);
      g_clear_pointer (&self->thread, g_thread_join);
    }
  self->home->file = NULL;
  g_clear_object (&self->copy);
  g_clear_object (&self->memory);

  G_OBJECT_CLASS (ear_settings_file_parent_class)->dispose (object);
}

static void
ear_settings_file_finalize (GObject *object)
{
  EarSettingsFile *self = EAR_SETTINGS_FILE (object);

  g_clear_pointer (&self->home, g_atomic_rc_box_release);
  g_clear_pointer (&self->told, g_hash_table_unref);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_pointer (&self->home_context, g_main_context_unref);
  g_clear_pointer (&self->begun, g_async_queue_unref);
  g_clear_pointer (&self->schema, g_free);

  G_OBJECT_CLASS (ear_settings_file_parent_class)->finalize (object);
}

static void
ear_settings_file_class_init (EarSettingsFileClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = ear_settings_file_dispose;
  object_class->finalize = ear_settings_file_finalize;
}

static void
ear_settings_file_init (EarSettingsFile *self)
{
  self->memory = g_memory_settings_backend_new ();
  self->told = new_values ();
  self->home = g_atomic_rc_box_new0 (Home);
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->begun = g_async_queue_new ();
}

/**
 * ear_settings_file_new:
 * @schema: name of the schema
 *
 * Returns: (transfer full) (nullable): the settings in GIO's file, or %NULL where they are kept elsewhere, by
 *   who does not let others wait
 */
EarSettingsFile *
ear_settings_file_new (const char *schema)
{
  g_autoptr (GSettingsBackend) usual = NULL;
  GIOExtension *key_file;
  EarSettingsFile *self;

  g_return_val_if_fail (schema != NULL, NULL);

  usual = g_settings_backend_get_default ();
  key_file = g_io_extension_point_get_extension_by_name (g_io_extension_point_lookup (G_SETTINGS_BACKEND_EXTENSION_POINT_NAME),
                                                         KEY_FILE);
  if (key_file == NULL || G_OBJECT_TYPE (usual) != g_io_extension_get_type (key_file))
    return NULL;

  self = g_object_new (EAR_TYPE_SETTINGS_FILE, NULL);
  begin (self, schema, G_OBJECT_TYPE (usual));

  return self;
}

/**
 * ear_settings_file_new_settings:
 * @self: the settings in a file
 *
 * Returns: (transfer full): the same in memory, for the thread that has made @self: nothing that is done with them waits
 */
GSettings *
ear_settings_file_new_settings (EarSettingsFile *self)
{
  g_return_val_if_fail (EAR_IS_SETTINGS_FILE (self), NULL);

  return g_settings_new_with_backend (self->schema, self->memory);
}

/**
 * ear_settings_file_write:
 * @self: the settings in a file
 *
 * Has all that was set, and applied, written, without waiting for it: [method@EarSettingsFile.flush_async] tells
 * when it is. The last reference to @self waits.
 */
void
ear_settings_file_write (EarSettingsFile *self)
{
  g_autoptr (GHashTable) changes = NULL;

  g_return_if_fail (EAR_IS_SETTINGS_FILE (self));

  changes = take_changes (self->copy, self->told);
  if (g_hash_table_size (changes) > 0)
    send_order (self, g_steal_pointer (&changes), NULL);
}

/**
 * ear_settings_file_flush_async:
 * @self: the settings in a file
 * @callback: called when all that was set, and applied, is in the file
 * @user_data: data of the caller
 *
 * Has it written as [method@EarSettingsFile.write] does, and what was written before with it.
 */
void
ear_settings_file_flush_async (EarSettingsFile *self, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (EAR_IS_SETTINGS_FILE (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ear_settings_file_flush_async);
  send_order (self, take_changes (self->copy, self->told), task);
}

/**
 * ear_settings_file_flush_finish:
 * @self: the settings in a file
 * @result: what the callback got
 *
 * Ends what [method@EarSettingsFile.flush_async] began. GIO does not tell of a file that cannot be written.
 */
void
ear_settings_file_flush_finish (EarSettingsFile *self, GAsyncResult *result)
{
  g_return_if_fail (g_task_is_valid (result, self));

  g_task_propagate_boolean (G_TASK (result), NULL);
}
