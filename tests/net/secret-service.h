/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A mock of the Secret Service (specifications.freedesktop.org/secret-service) on a
 * private bus. It stores secrets in memory, unencrypted. */
typedef struct _SecretService SecretService;

SecretService *secret_service_stand_in_new    (const char    *bus_address);
void           secret_service_stand_in_free   (SecretService *self);
void           secret_service_stand_in_refuse (SecretService *self,
                                               gboolean       refuse);
guint          secret_service_stand_in_count  (SecretService *self);
guint          secret_service_stand_in_n_searches (SecretService *self);
char          *secret_service_stand_in_describe   (SecretService *self);

G_END_DECLS
