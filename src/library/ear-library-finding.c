/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verbs of the library: finding podcasts. */

#include "ear-library-private.h"

#include "ear-directory.h"

/* Who is asked, and the variable that names another place for it: a mirror, or a stand-in. */
static const struct
{
  const EarDirectoryService *service;
  const char *variable;
} services[] = {
  { &ear_directory_itunes, "EARMARK_ITUNES" },
  { &ear_directory_fyyd, "EARMARK_FYYD" },
};

/* One object a service, whoever asks: it keeps to the number of requests that is allowed. */
static GPtrArray *
get_directories (EarLibrary *self)
{
  if (self->directories != NULL)
    return self->directories;

  self->directories = g_ptr_array_new_with_free_func (g_object_unref);
  for (gsize i = 0; i < G_N_ELEMENTS (services); i++)
    g_ptr_array_add (self->directories, ear_directory_new (self->http, services[i].service, g_getenv (services[i].variable)));

  return self->directories;
}

/**
 * ear_library_create_discovery:
 * @self: the library
 *
 * Returns: (transfer full): what finds podcasts, and knows which of them are followed
 */
EarDiscovery *
ear_library_create_discovery (EarLibrary *self)
{
  g_return_val_if_fail (EAR_IS_LIBRARY (self), NULL);

  return ear_discovery_new (self->http, get_directories (self), ear_library_get_podcasts (self));
}
