/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-import-private.h"

struct _EarImportCaller
{
  EarImportFunc func;
  gpointer user_data;
  GDestroyNotify destroy;
};

static void
caller_clear (gpointer data)
{
  EarImportCaller *self = data;

  if (self->destroy != NULL)
    self->destroy (self->user_data);
}

/**
 * ear_import_caller_new:
 * @func: (nullable) (scope notified): called for each podcast of a list once it is followed
 * @destroy: (nullable): frees @user_data
 */
EarImportCaller *
ear_import_caller_new (EarImportFunc func, gpointer user_data, GDestroyNotify destroy)
{
  EarImportCaller *self = g_rc_box_new0 (EarImportCaller);

  self->func = func;
  self->user_data = user_data;
  self->destroy = destroy;

  return self;
}

/**
 * ear_import_caller_unref:
 * @self: (transfer full): whom to call
 */
void
ear_import_caller_unref (EarImportCaller *self)
{
  g_rc_box_release_full (self, caller_clear);
}

/**
 * ear_import_item_new:
 * @title: (nullable): what the list calls it
 * @folder: (nullable): where it is in the list
 * @caller: (nullable): whom to call once it is followed
 */
EarImportItem *
ear_import_item_new (const char *address, const char *title, const char *folder, EarImportCaller *caller)
{
  EarImportItem *self = g_rc_box_new0 (EarImportItem);

  self->address = g_strdup (address);
  self->title = g_strdup (title);
  self->folder = g_strdup (folder);
  self->caller = caller != NULL ? g_rc_box_acquire (caller) : NULL;

  return self;
}

/**
 * ear_import_item_call:
 * @podcast: the podcast, followed by now
 *
 * Calls whoever wants to know, once.
 */
void
ear_import_item_call (EarImportItem *self, EarPodcast *podcast)
{
  if (self->caller != NULL && self->caller->func != NULL)
    self->caller->func (podcast, self->address, self->caller->user_data);
  g_clear_pointer (&self->caller, ear_import_caller_unref);
}

static void
item_clear (gpointer data)
{
  EarImportItem *self = data;

  g_free (self->address);
  g_free (self->title);
  g_free (self->folder);
  g_clear_pointer (&self->caller, ear_import_caller_unref);
}

/**
 * ear_import_item_unref:
 * @self: (transfer full): one podcast of a list
 */
void
ear_import_item_unref (EarImportItem *self)
{
  g_rc_box_release_full (self, item_clear);
}
