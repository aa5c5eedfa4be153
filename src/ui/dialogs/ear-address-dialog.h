/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_ADDRESS_DIALOG (ear_address_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EarAddressDialog, ear_address_dialog, EAR, ADDRESS_DIALOG, AdwDialog)

EarAddressDialog *ear_address_dialog_new (EarLibrary *library, EarPodcast *podcast);

G_END_DECLS
