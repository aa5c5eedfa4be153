/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-application.h"

G_BEGIN_DECLS

void ear_application_install_actions (EarApplication *self);
void ear_application_install_opml_actions (EarApplication *self);

G_END_DECLS
