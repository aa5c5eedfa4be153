/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-catalogue.h"
#include "ear-keyring.h"

G_BEGIN_DECLS

gboolean ear_old_logins_are_kept (const char *directory);
void ear_old_logins_remove (const char *directory);
void ear_old_logins_keep (const char *directory, EarCatalogue *catalogue, EarKeyring *keyring);

G_END_DECLS
