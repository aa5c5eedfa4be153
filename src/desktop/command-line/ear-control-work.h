/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ear-library.h"

G_BEGIN_DECLS

/* The work that takes time. Each answers the task with the value that the method of the same
 * name has (io.github.earmark_app.Earmark.Control.xml), and takes over the reference to it. */
void ear_control_refresh (EarLibrary *library,
                          GTask      *task);
void ear_control_add     (EarLibrary *library,
                          const char *text,
                          GTask      *task);
void ear_control_import  (EarLibrary *library,
                          const char *uri,
                          GTask      *task);
void ear_control_export  (EarLibrary *library,
                          gboolean    with_private,
                          GTask      *task);

G_END_DECLS
