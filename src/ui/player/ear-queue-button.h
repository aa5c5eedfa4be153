/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-queue.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define EAR_TYPE_QUEUE_BUTTON (ear_queue_button_get_type ())
G_DECLARE_FINAL_TYPE (EarQueueButton, ear_queue_button, EAR, QUEUE_BUTTON, AdwBin)

G_END_DECLS
