/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-snippet.h"

G_DEFINE_BOXED_TYPE (EarSnippet, ear_snippet, ear_snippet_copy, ear_snippet_free)

EarSnippet *
ear_snippet_new (void)
{
  EarSnippet *self = g_new0 (EarSnippet, 1);

  self->ranges = g_array_new (FALSE, FALSE, sizeof (EarSnippetRange));
  self->title_ranges = g_array_new (FALSE, FALSE, sizeof (EarSnippetRange));

  return self;
}

EarSnippet *
ear_snippet_copy (const EarSnippet *self)
{
  EarSnippet *copy = g_new0 (EarSnippet, 1);

  copy->text = g_strdup (self->text);
  copy->ranges = g_array_copy (self->ranges);
  copy->title_ranges = g_array_copy (self->title_ranges);

  return copy;
}

/**
 * ear_snippet_free:
 * @self: (transfer full): a snippet
 */
void
ear_snippet_free (EarSnippet *self)
{
  g_free (self->text);
  g_array_unref (self->ranges);
  g_array_unref (self->title_ranges);
  g_free (self);
}
