/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-downloader.h"
#include "ear-player.h"
#include "ear-services.h"

G_BEGIN_DECLS

#define EAR_TYPE_LOGINS (ear_logins_get_type ())
G_DECLARE_FINAL_TYPE (EarLogins, ear_logins, EAR, LOGINS, GObject)

EarLogins *ear_logins_new (const EarServices *services);
void ear_logins_notify_player (EarLogins *self);
void ear_logins_sign_in_async (EarLogins *self, EarPodcast *podcast, const char *user,
                               const char *password, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);

G_END_DECLS
