/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The chain of redirects from the requested URL to the one that answers. */
typedef struct _EarHttpRoute EarHttpRoute;

EarHttpRoute *ear_http_route_new                   (const char *address,
                                                    const char *user,
                                                    const char *password,
                                                    GError    **error);
void          ear_http_route_free                  (EarHttpRoute *self);
gboolean      ear_http_route_follow                (EarHttpRoute *self,
                                                    guint         status,
                                                    const char   *location,
                                                    GError      **error);
GUri         *ear_http_route_get_uri               (EarHttpRoute *self);
char         *ear_http_route_dup_address           (EarHttpRoute *self);
char         *ear_http_route_dup_permanent_address (EarHttpRoute *self);
char         *ear_http_route_dup_authorization     (EarHttpRoute *self);
gboolean      ear_http_route_find_login            (const char   *known,
                                                    const char   *address,
                                                    char        **user,
                                                    char        **password);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EarHttpRoute, ear_http_route_free)

G_END_DECLS
