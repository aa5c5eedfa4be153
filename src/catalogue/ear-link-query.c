/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-link-query.h"

EarLinkQuery *
ear_link_query_new (void)
{
  EarLinkQuery *self = g_new0 (EarLinkQuery, 1);

  self->kind = -1;

  return self;
}

EarLinkQuery *
ear_link_query_copy (const EarLinkQuery *self)
{
  EarLinkQuery *copy = g_memdup2 (self, sizeof *self);

  copy->host = g_strdup (self->host);
  copy->search = g_strdup (self->search);
  copy->only = self->only != NULL ? g_array_ref (self->only) : NULL;
  copy->without = self->without != NULL ? g_array_ref (self->without) : NULL;

  return copy;
}

void
ear_link_query_free (EarLinkQuery *self)
{
  g_free (self->host);
  g_free (self->search);
  g_clear_pointer (&self->only, g_array_unref);
  g_clear_pointer (&self->without, g_array_unref);
  g_free (self);
}
