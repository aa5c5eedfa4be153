/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ear-http-route.h"

#include "ear-address.h"
#include "ear-error.h"

#include <libsoup/soup.h>

#define REDIRECTS_LIMIT 10

struct _EarHttpRoute
{
  /* Owned */
  GUri *first;
  GUri *uri;
  GUri *permanent;
  char *credentials;
  GHashTable *visited;

  guint redirects;
  gboolean only_permanent;
};

static GUri *
parse_address (const char *address)
{
  if (!ear_address_is_web (address))
    return NULL;

  return g_uri_parse (address, SOUP_HTTP_URI_FLAGS | G_URI_FLAGS_PARSE_RELAXED, NULL);
}

/* Returns: %FALSE if the URL was visited before */
static gboolean
visit (EarHttpRoute *self, GUri *uri)
{
  return g_hash_table_add (self->visited, g_uri_to_string (uri));
}

/* @user: (nullable): a user name for HTTP Basic, or else the one in @address is used
 * @password: (nullable): the password for @user
 * Returns: (transfer full) (nullable): a route at its first URL */
EarHttpRoute *
ear_http_route_new (const char *address, const char *user, const char *password, GError **error)
{
  g_autoptr (GUri) uri = parse_address (address);
  EarHttpRoute *self;

  if (uri == NULL)
    {
      g_autofree char *shown = ear_address_without_secrets (address);

      g_set_error (error, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "%s: not an address of the web", shown);
      return NULL;
    }

  if (user == NULL)
    {
      user = g_uri_get_user (uri);
      password = g_uri_get_password (uri);
    }

  self = g_new0 (EarHttpRoute, 1);
  self->first = ear_address_parse_for_request (address);
  self->uri = g_uri_ref (self->first);
  self->visited = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->only_permanent = TRUE;
  if (!ear_is_empty (user))
    self->credentials = g_strconcat (user, ":", password != NULL ? password : "", NULL);
  visit (self, self->uri);

  return self;
}

void
ear_http_route_free (EarHttpRoute *self)
{
  g_uri_unref (self->first);
  g_uri_unref (self->uri);
  g_clear_pointer (&self->permanent, g_uri_unref);
  g_free (self->credentials);
  g_hash_table_unref (self->visited);
  g_free (self);
}

/* Follows a redirect. Credentials in @location are dropped: the listener has not entered
 * them.
 * @location: (nullable): the target, maybe relative */
gboolean
ear_http_route_follow (EarHttpRoute *self, guint status, const char *location, GError **error)
{
  g_autofree char *here = ear_http_route_dup_address (self);
  g_autofree char *shown = ear_address_without_secrets (here);
  g_autofree char *address = NULL;
  g_autoptr (GUri) uri = NULL;
  g_autoptr (GUri) target = NULL;

  if (ear_is_empty (location))
    {
      g_set_error (error, EAR_ERROR, EAR_ERROR_SERVER, "%s: a redirect that leads nowhere", shown);
      return FALSE;
    }

  address = ear_address_resolve (here, location);
  uri = parse_address (address);
  if (uri == NULL)
    {
      g_set_error (error, EAR_ERROR, EAR_ERROR_UNSAFE_ADDRESS, "%s: a redirect that leads out of the web", shown);
      return FALSE;
    }

  target = ear_address_parse_for_request (address);
  if (++self->redirects > REDIRECTS_LIMIT || !visit (self, target))
    {
      g_set_error (error, EAR_ERROR, EAR_ERROR_REDIRECTS, "%s: redirects without an end", shown);
      return FALSE;
    }

  self->only_permanent = self->only_permanent &&
                         (status == SOUP_STATUS_MOVED_PERMANENTLY || status == SOUP_STATUS_PERMANENT_REDIRECT);
  g_uri_unref (self->uri);
  self->uri = g_steal_pointer (&target);
  if (self->only_permanent)
    {
      g_clear_pointer (&self->permanent, g_uri_unref);
      self->permanent = g_uri_ref (self->uri);
    }

  return TRUE;
}

/* Returns: (transfer none): the URL of the next request, without credentials */
GUri *
ear_http_route_get_uri (EarHttpRoute *self)
{
  return self->uri;
}

/* Returns: (transfer full): the URL of the next request, without credentials */
char *
ear_http_route_dup_address (EarHttpRoute *self)
{
  return g_uri_to_string (self->uri);
}

/* Returns: (transfer full) (nullable): the target of the leading permanent redirects,
 *   without credentials */
char *
ear_http_route_dup_permanent_address (EarHttpRoute *self)
{
  return self->permanent != NULL ? g_uri_to_string (self->permanent) : NULL;
}

/* Returns: (transfer full) (nullable): the Authorization header for the next request (RFC
 *   7617), if the credentials belong to its server */
char *
ear_http_route_dup_authorization (EarHttpRoute *self)
{
  g_autofree char *encoded = NULL;
  g_autofree char *first = g_uri_to_string (self->first);
  g_autofree char *here = g_uri_to_string (self->uri);

  if (self->credentials == NULL || !ear_address_trusts (first, here))
    return NULL;
  encoded = g_base64_encode ((const guchar *) self->credentials, strlen (self->credentials));

  return g_strconcat ("Basic ", encoded, NULL);
}

/**
 * ear_http_route_find_login:
 * @known: a URL that may contain a user name and a password
 * @address: the URL to be requested
 * @user: (out) (transfer full): the user name
 * @password: (out) (transfer full): the password, maybe empty
 *
 * Returns: whether there is a user name for the server of @address
 */
gboolean
ear_http_route_find_login (const char *known, const char *address, char **user, char **password)
{
  g_autoptr (GUri) uri = parse_address (known);

  if (uri == NULL || g_uri_get_user (uri) == NULL || *g_uri_get_user (uri) == '\0' || !ear_address_trusts (known, address))
    return FALSE;
  *user = g_strdup (g_uri_get_user (uri));
  *password = g_strdup (g_uri_get_password (uri) != NULL ? g_uri_get_password (uri) : "");

  return TRUE;
}
