/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-search-peek.h"

#include "ear-bookmarks.h"
#include "ear-property.h"

/* Milliseconds that an Earmark started for a search waits for the next keystroke. */
#define PATIENCE (20 * 1000)

/**
 * EarSearchPeek:
 *
 * Reads the catalogue and the listener's bookmarks for a search while no library is open.
 * Holds the application until @patience has passed since the last search.
 */
struct _EarSearchPeek
{
  GObject parent_instance;

  /* Owned */
  GApplication *application;
  EarCatalogue *catalogue;
  char *data_directory;

  gboolean knows_bookmarks; /* @catalogue has the bookmarks */
  guint patience;           /* milliseconds */
  guint patience_id;
};

G_DEFINE_FINAL_TYPE (EarSearchPeek, ear_search_peek, G_TYPE_OBJECT)

static void
patience_cb (gpointer user_data)
{
  EarSearchPeek *self = user_data;

  self->patience_id = 0;
  ear_search_peek_close (self);
}

static void
wait_for_more (EarSearchPeek *self)
{
  g_clear_handle_id (&self->patience_id, g_source_remove);
  self->patience_id = g_timeout_add_once (self->patience, patience_cb, self);
}

static gboolean
open_catalogue (EarSearchPeek *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->data_directory, "catalogue.db", NULL);

  if (self->catalogue != NULL)
    return TRUE;

  self->catalogue = ear_catalogue_peek (path, error);
  if (self->catalogue == NULL)
    return FALSE;
  g_application_hold (self->application);
  g_object_notify (G_OBJECT (self), "catalogue");

  return TRUE;
}

static void
bookmarks_read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  EarSearchPeek *self = g_task_get_source_object (task);
  EarCatalogue *catalogue = g_task_get_task_data (task);
  g_autoptr (GPtrArray) bookmarks = g_task_propagate_pointer (G_TASK (result), NULL);

  if (bookmarks != NULL && catalogue == self->catalogue)
    {
      ear_catalogue_set_bookmarks (catalogue, bookmarks);
      self->knows_bookmarks = TRUE;
    }
  g_task_return_pointer (task, g_object_ref (catalogue), g_object_unref);
}

static void
ear_search_peek_dispose (GObject *object)
{
  EarSearchPeek *self = EAR_SEARCH_PEEK (object);

  ear_search_peek_close (self);
  g_clear_object (&self->application);

  G_OBJECT_CLASS (ear_search_peek_parent_class)->dispose (object);
}

static void
ear_search_peek_finalize (GObject *object)
{
  EarSearchPeek *self = EAR_SEARCH_PEEK (object);

  g_free (self->data_directory);

  G_OBJECT_CLASS (ear_search_peek_parent_class)->finalize (object);
}

static void
ear_search_peek_class_init (EarSearchPeekClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const EarProperty properties[] = {
    { "catalogue", EAR_TYPE_CATALOGUE, G_PARAM_READABLE, G_STRUCT_OFFSET (EarSearchPeek, catalogue) },
  };

  object_class->dispose = ear_search_peek_dispose;
  object_class->finalize = ear_search_peek_finalize;
  ear_properties_install (object_class, properties, G_N_ELEMENTS (properties));
}

static void
ear_search_peek_init (EarSearchPeek *self)
{
  self->patience = PATIENCE;
}

EAR_DEFINE_GET (EarSearchPeek, ear_search_peek, EarCatalogue *, catalogue)

/* @data_directory: the folder of the library */
EarSearchPeek *
ear_search_peek_new (GApplication *application, const char *data_directory)
{
  EarSearchPeek *self = g_object_new (EAR_TYPE_SEARCH_PEEK, NULL);

  self->application = g_object_ref (application);
  self->data_directory = g_strdup (data_directory);

  return self;
}

/* Shortens the wait for tests. */
void
ear_search_peek_set_patience (EarSearchPeek *self, guint milliseconds)
{
  g_return_if_fail (EAR_IS_SEARCH_PEEK (self));

  self->patience = milliseconds;
}

/* Opens the catalogue, unless it is open, and restarts the timeout. */
void
ear_search_peek_open_async (EarSearchPeek *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  GError *error = NULL;

  g_return_if_fail (EAR_IS_SEARCH_PEEK (self));

  g_task_set_source_tag (task, ear_search_peek_open_async);
  if (!open_catalogue (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  wait_for_more (self);
  g_task_set_task_data (task, g_object_ref (self->catalogue), g_object_unref);
  if (self->knows_bookmarks)
    g_task_return_pointer (task, g_object_ref (self->catalogue), g_object_unref);
  else
    ear_bookmark_peek_async (self->data_directory, bookmarks_read_cb, g_steal_pointer (&task));
}

/* Returns: (transfer full) (nullable): the catalogue; %NULL if there is none yet or it
 * has another version */
EarCatalogue *
ear_search_peek_open_finish (EarSearchPeek *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Closes the catalogue and releases the application. */
void
ear_search_peek_close (EarSearchPeek *self)
{
  g_return_if_fail (EAR_IS_SEARCH_PEEK (self));

  g_clear_handle_id (&self->patience_id, g_source_remove);
  self->knows_bookmarks = FALSE;
  if (self->catalogue == NULL)
    return;

  g_clear_object (&self->catalogue);
  g_object_notify (G_OBJECT (self), "catalogue");
  g_application_release (self->application);
}
